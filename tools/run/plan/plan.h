/* Plans: what to simulate, in order. A plan is a list of copies and kernels with additional
 * lines that start with "!", which other readers of kernelslist.g ignore. A plain list is the
 * plan that measures everything in order. */
#ifndef HEARTH_TOOLS_RUN_PLAN_PLAN_H
#define HEARTH_TOOLS_RUN_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/base/text/texts.h"
#include "traces/traces.h"

enum plan_kind {
    PLAN_COPY,    /* host to device, back, or what else writes device memory */
    PLAN_SEGMENT, /* independent of everything before it */
    PLAN_FLUSH,
    PLAN_RESTORE,
    PLAN_SAVE,
    PLAN_LAUNCH,
};

enum plan_role { PLAN_MEASURE, PLAN_WARM };
enum plan_mode { PLAN_DETAILED, PLAN_MEMORY, PLAN_FUNCTIONAL };

/* Caches to flush, as bits. */
enum plan_level { PLAN_L1 = 1, PLAN_L2 = 2 };

/* What a !step may say besides role and kind. The plan owns the texts; NULL: none. */
struct plan_step {
    double scale; /* multiplies every additive counter */
    const char *stratum;
    const char *stands; /* the launches that this one represents: "1,5-9" */
    const char *prime;
    const char *intra;    /* METHOD[:OPTION=VALUE...] of sampling/intra/intra.h */
    const char *spread;   /* of the times of the stratum's launches in the profile: standard
                             deviation (divisor launches - 1) over mean */
    double prime_percent; /* the number in `prime`; 0 without */
    double spread_number; /* the number in `spread`; 0 without */
    uint64_t group; /* strata of the same group share a ratio of values to sizes; 0: none */
    double size;    /* of a launch whose stratum is in a group: its time in the profile */
};

/* Of launches without a !step, or with role=warm: scale 1, and nothing else. */
extern const struct plan_step plan_step_none;

/* Plans may have millions of items: without gaps, one takes 24 bytes. */
#define PLAN_CLOSE __attribute__((packed, aligned(4)))
#define PLAN_MOST  ((1u << 29) - 1) /* items, and lines of the file */

/* A kernel line with the values of its !step. */
struct plan_launch {
    const char *name;             /* as listed. The plan owns it */
    const struct plan_step *step; /* likewise; never NULL */
    uint32_t position : 29;       /* among the kernel lines, from 1 */
    enum plan_role role : 1;
    enum plan_mode mode : 2;
} PLAN_CLOSE;

/* One item of a plan. */
struct plan_item {
    enum plan_kind kind : 3;
    uint32_t line : 29; /* in the file, from 1; 0: in no file */
    union {
        struct {
            uint64_t address, bytes;
            bool to_host, on_device; /* neither: from the host */
        } PLAN_CLOSE copy;
        struct {
            const char *text; /* its name; with NUMBER: "TEXT-NUMBER" */
            uint32_t number;  /* 0: none */
        } PLAN_CLOSE segment;
        struct {
            unsigned levels; /* bits of enum plan_level */
            bool drop;       /* dirty data is dropped, not written back */
        } flush;
        const char *text; /* file to restore or save: absolute */
        struct plan_launch launch;
    } PLAN_CLOSE;
} PLAN_CLOSE;
_Static_assert(sizeof(struct plan_item) == 24, "items are without gaps");

struct plan {
    char *path;         /* as given */
    char *workload;     /* names are relative to it: absolute path of a list, folder or trace
                           file; for a plan without !workload, the plan's own folder */
    char *digest;       /* of the workload, from !workload; NULL if it is not there */
    bool written;       /* a file that begins with "!plan 1"; false for a list used as a plan */
    long workload_line; /* line of !workload; 0: there is none */
    long late;          /* in a plain list: the line with "!plan 1" that has no effect there;
                           0: none */
    const char *warm;   /* the policy in !warm; NULL: none. Owned */
    char **remarks;     /* the lines !total, !method and !warm, as read */
    size_t remark_count;
    struct plan_item *items;
    size_t count;
    const struct trace_workload *names; /* names of launches are those of its list
                                           (trace_workload_path()); not owned */
    struct trace_workload *lines;       /* private: of the file; owns names */
    struct texts texts;                 /* private: other names and values */
    struct plan_step **steps;           /* private */
    size_t step_count;
};

/* Names of enum plan_role and plan_mode and of the bits of enum plan_level, as in plans and
 * results; NULL-terminated. */
extern const char *const plan_role_names[], *const plan_mode_names[], *const plan_level_names[];

/* The first line of a plan. */
#define PLAN_FIRST_LINE "!plan 1"

/* Reads the plan or workload at PATH. Returns NULL with ERR filled: file,
 * line and column of what is wrong. */
struct plan *plan_open(const char *path, struct error *err);
/* The same from text in memory; PATH is for messages and folders. TEXT is known to be a plan:
 * its first line must be "!plan 1". */
struct plan *plan_parse(const char *path, const char *text, size_t length, struct error *err);
/* The folder of the plan at PATH, which the caller frees. NULL without memory. */
char *plan_own_folder(const char *path);
/* Accepts NULL. */
void plan_destroy(struct plan *plan);
/* Frees the items of PLAN, but not the texts and steps, which items of others may have. */
void plan_drop_items(struct plan *plan);

/* ---- making one in memory ---- */

/* Makes an empty plan; WRITTEN and PATH as in struct plan. For a plan that will be executed,
 * the caller sets `names`. NULL with ERR filled. */
struct plan *plan_create(const char *path, bool written, struct error *err);
/* Appends an item of KIND that the caller fills; the pointer is valid until the next call.
 * LINE: 0 if it is in no file. NULL with ERR filled. */
struct plan_item *plan_add(struct plan *plan, enum plan_kind kind, long line,
                           struct error *err);
/* A new step of PLAN like FROM (NULL: plan_step_none), for the caller to fill. NULL with ERR
 * filled. */
struct plan_step *plan_add_step(struct plan *plan, const struct plan_step *from,
                                struct error *err);
/* Appends the copy of COMMAND. Returns 0, or -1 with ERR filled. */
int plan_add_copy(struct plan *plan, const struct trace_command *command, long line,
                  struct error *err);
/* Copies TEXT for PLAN, which owns the copy: for names and values of items. NULL stays NULL.
 * NULL with ERR filled without memory. */
const char *plan_keep(struct plan *plan, const char *text, struct error *err);
/* Appends a copy of LINE ("!total ...", "!method ...", "!warm ...") to the remarks. Returns 0,
 * or -1 with ERR filled. */
int plan_add_remark(struct plan *plan, const char *line, struct error *err);

/* Whether a kernel line with this name and without a !step is for warm-up: kernel-mem-<id>. */
bool plan_is_memory_trace(const char *name);

/* ---- writing ---- */

#define PLAN_SEGMENT_NUMBER 24 /* room for a name with a number, in which TEXT is short */

/* The name of the segment that begins with ITEM; in ROOM if it has a number. */
const char *plan_segment_name(const struct plan_item *item, char room[PLAN_SEGMENT_NUMBER]);

/* Writes the lines of ITEM. */
void plan_write_item(const struct plan_item *item, FILE *out);

/* Writes PLAN, with every name and value, so that it can be read back. Items whose flag in
 * SKIP (one per item; NULL: none) is set are left out. For a PLAN that was made and not read,
 * only the members that are written must be set; without a workload, names will be relative to
 * the folder of the file. */
void plan_write(const struct plan *plan, const bool *skip, const char *digest, FILE *out);

#endif
