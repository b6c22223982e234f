/* A launch that is being traced, from its beginning until it is written. */
#ifndef HEARTH_TRACER_LAUNCH_H
#define HEARTH_TRACER_LAUNCH_H

#include "tracer/blocks.h"
#include "tracer/output/output.h"

/* A copy, or another line of the list, that came while launches were open: it is written after
 * one of them. */
struct late_copy {
    char *line; /* on the heap; NULL: a copy */
    bool to_host;
    bool on_device; /* a line that says what was written */
    bool listed;    /* else it is only for the states */
    uint64_t address, bytes;
};

struct traced_launch {
    struct traced_launch *next; /* of the same context, in order */
    uint32_t number;            /* that its records carry */
    uint32_t context;
    unsigned files; /* set of enum select_files; 0: counts only */
    struct trace_header header;
    char *facts;                           /* a comment of the list; NULL: none */
    const struct trace_function *function; /* its code; NULL: not known */
    struct blocks blocks;
    struct tracer_counts counts;
    uint64_t insts, off;     /* records; of these, predicated off in every lane */
    uint64_t damaged;        /* records that were left out ... */
    char damage[ERROR_TEXT]; /* ... and why the first one was */
    struct late_copy *copies;
    size_t copy_count;
    bool writing; /* its output has begun */
    bool lost;    /* it is left out: `damage` says why */
    bool late;    /* lost after its output had begun, which is still to be removed */
    bool ended;
    bool dropped; /* the driver refused it */
};

/* Returns NULL with ERR filled. */
struct traced_launch *launch_create(const struct tracer_launch *from, uint64_t id,
                                    const struct tracer_options *options,
                                    struct chunk_pool *pool, struct error *err);
/* Accepts NULL. */
void launch_destroy(struct traced_launch *launch);

/* Adds a copy to be written after the launch, which owns its line from then on. Returns 0 or
 * -1. */
int launch_add_copy(struct traced_launch *launch, const struct late_copy *copy,
                    struct error *err);
/* Adds one record of this launch with its words. A wrong one is counted and left
 * out. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int launch_add(struct traced_launch *launch, const struct sass *code,
               const struct tracer_record *record, const uint64_t *words, struct error *err);

/* Writes the blocks that can be written; all of them, and the end, if the launch has
 * ended. Earlier launches must have been written. Returns 0 or -1. */
int launch_write(struct traced_launch *launch, struct tracer_output *output, struct error *err);

/* After the launch was written or left out: returns 0, or -1 with ERR filled (ERROR_TRACE) if
 * something was wrong with it. */
int launch_report(const struct traced_launch *launch, const struct tracer_options *options,
                  struct error *err);

#endif
