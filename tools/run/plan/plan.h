/* Plans: what to simulate, in order. A plan is a list of copies and kernels
 * whose own lines start with "!", which other readers of kernelslist.g
 * ignore; a plain list is the plan that measures everything in order. */
#ifndef HEARTH_TOOLS_RUN_PLAN_PLAN_H
#define HEARTH_TOOLS_RUN_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/traces.h"

enum plan_kind {
    PLAN_COPY,    /* host to device or back */
    PLAN_SEGMENT, /* independent of all before it */
    PLAN_FLUSH,
    PLAN_RESTORE,
    PLAN_SAVE,
    PLAN_LAUNCH,
};

enum plan_role { PLAN_MEASURE, PLAN_WARM };
enum plan_mode { PLAN_DETAILED, PLAN_MEMORY, PLAN_FUNCTIONAL };

/* Levels of a flush, as bits. */
enum plan_level { PLAN_L1 = 1, PLAN_L2 = 2 };

/* A kernel line with what its !step says. */
struct plan_launch {
    const char *name; /* as listed. Owned by the plan, as all below */
    const char *path; /* of the trace file */
    size_t position;  /* among the kernel lines, from 1 */
    enum plan_role role;
    enum plan_mode mode;
    double scale;        /* multiplies every additive counter; 1 without !step */
    const char *stratum; /* NULL if none, as are the next four */
    const char *stands;  /* the launches that this one stands for: "1,5-9" */
    const char *prime;
    const char *stop;
    const char *spread;   /* of the times of the stratum's launches in the profile that it was
                           * chosen from: standard deviation (divisor launches - 1) over mean */
    double prime_percent; /* what `prime` says; 0 without */
    double spread_number; /* what `spread` says; 0 without */
};

/* One thing to do. */
struct plan_item {
    enum plan_kind kind;
    long line; /* in the file, from 1; 0: in none */
    union {
        struct {
            uint64_t address, bytes;
            bool to_host;
        } copy;
        struct {
            unsigned levels; /* bits of enum plan_level */
            bool drop;       /* dirty data is not written back */
        } flush;
        const char *text; /* name of a segment; file to restore or save: absolute */
        struct plan_launch launch;
    };
};

struct plan {
    char *path;         /* as given */
    char *workload;     /* what names resolve against: absolute, a list, folder or trace file;
                         * of a plan that names none, its own folder */
    char *digest;       /* of the workload as !workload gives it; NULL if it does not */
    bool written;       /* a file with "!plan 1"; false for a list taken as a plan */
    long workload_line; /* of !workload; 0: there is none */
    long late;          /* in a plain list: the line that would have made it a plan; 0: none */
    const char *warm;   /* the policy of !warm; NULL: none. Owned */
    char **remarks;     /* !total, !method and !warm lines, as read */
    size_t remark_count;
    struct plan_item *items;
    size_t count;
    struct trace_workload *lines; /* private: owns names and paths */
    char **strings;               /* private: owns values */
    size_t string_count;
};

/* Names of enum plan_role, plan_mode and of the bits of enum plan_level, in plans and results;
 * NULL-terminated. */
extern const char *const plan_role_names[], *const plan_mode_names[], *const plan_level_names[];

/* The first line of a plan. */
#define PLAN_FIRST_LINE "!plan 1"

/* Reads the plan or workload at PATH. Returns NULL with ERR filled: file,
 * line and column of what is wrong. */
struct plan *plan_open(const char *path, struct error *err);
/* The same from text in memory; PATH is for messages and folders. TEXT is
 * known to be a plan: the first line says "!plan 1" or an error is given. */
struct plan *plan_parse(const char *path, const char *text, size_t length, struct error *err);
/* Accepts NULL. */
void plan_destroy(struct plan *plan);

/* ---- making one in memory ---- */

/* An empty plan; WRITTEN and PATH as in struct plan. NULL with ERR filled. */
struct plan *plan_create(const char *path, bool written, struct error *err);
/* Appends an item of KIND that the caller fills, valid until the next one. LINE: 0 if it is in
 * no file. NULL with ERR filled. */
struct plan_item *plan_add(struct plan *plan, enum plan_kind kind, long line,
                           struct error *err);
/* A copy of TEXT that lives as long as PLAN, for names and values of items; NULL stays NULL.
 * NULL with ERR filled without memory. */
const char *plan_keep(struct plan *plan, const char *text, struct error *err);
/* Appends a copy of LINE ("!total ...", "!method ...", "!warm ...") to the remarks. Returns 0,
 * or -1 with ERR filled. */
int plan_add_remark(struct plan *plan, const char *line, struct error *err);

/* Whether a kernel line of this name, without a !step, is for warm-up: kernel-mem-<id>. */
bool plan_is_memory_trace(const char *name);

/* ---- writing ---- */

/* Writes the lines of ITEM. */
void plan_write_item(const struct plan_item *item, FILE *out);

/* Writes PLAN so that it can be read back, with every name and value; items
 * whose flag in SKIP (one an item; NULL: none) is set are left out. Of a PLAN
 * that was made and not read, only what is written need be set; without a
 * workload names will resolve against the folder that the file is in. */
void plan_write(const struct plan *plan, const bool *skip, const char *digest, FILE *out);

#endif
