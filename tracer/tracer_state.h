/* What a tracer holds, for the files that implement tracer.h. */
#ifndef HEARTH_TRACER_TRACER_STATE_H
#define HEARTH_TRACER_TRACER_STATE_H

#include "tracer/code.h"
#include "tracer/launch.h"
#include "tracer/numbers.h"

struct tracer_gpu_context {
    uint64_t handle;
    struct tracer_output output;
    uint64_t launches;           /* so far */
    struct traced_launch *first; /* those that are open, or wait for an earlier one; only the
                                    first is written */
};

struct tracer {
    const struct tracer_options *options;
    char *nvbit;
    char *folder; /* NULL: not made yet */
    int lock;     /* of the folder; -1: none */
    struct selection selection;
    struct state_configs state_configs; /* of TRACE_STATES */
    struct sass code;
    struct traced_code functions;
    struct trace_code_file *code_file; /* of text; NULL: not made yet, or of packed traces */
    struct chunk_pool pool;
    struct tracer_gpu_context *contexts;
    uint32_t context_count;
    struct numbers numbers;      /* of launches */
    FILE *record;                /* of TRACE_RECORD; NULL: none */
    struct traced_launch *found; /* that of the last record */
    bool failed;                 /* an output could not be written */
    bool over;                   /* a launch after the last wanted one has begun */
};

/* Passes RC on; nothing is written any more after an error. */
int tracer_done(struct tracer *tracer, int rc);
/* The launch NUMBER that has not ended; NULL: there is none. */
struct traced_launch *tracer_find(struct tracer *tracer, uint32_t number);
/* Returns 0, or -1 with ERR filled: there is no such CONTEXT. */
int tracer_check_context(const struct tracer *tracer, uint32_t context, struct error *err);

#endif
