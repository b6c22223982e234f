/* The instructions of a launch, and the basic blocks that its warps are made of. Private to
 * sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_PHOTON_CODE_H
#define HEARTH_SAMPLING_INTRA_PHOTON_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/traces.h"

struct photon_code {
    struct trace_inst *insts; /* owned; by index, as in the records */
    bool *ends;               /* owned; a basic block ends with it */
    uint32_t count;
    uint32_t bytes; /* of an instruction; 0 before the first */
};

/* Takes what KERNEL's table has gained. Returns false when memory is short. */
bool photon_code_learn(struct photon_code *code, const struct trace_kernel *kernel);
void photon_code_finish(struct photon_code *code);

/* A basic block that a warp executes. A zeroed one: none yet. */
struct photon_run {
    uint32_t pc, last;                /* of its first and its last instruction */
    uint32_t insts;                   /* of it so far */
    const struct trace_record *first; /* the others follow it, if all were walked in one call */
};

typedef void photon_visit(void *data, const struct photon_run *run);

/* Walks the records AT to END - 1 of a warp, and calls VISIT for each basic block that has
 * ended. RUN goes on from one call to the next. */
void photon_code_walk(const struct photon_code *code, struct photon_run *run,
                      const struct trace_record *at, const struct trace_record *end,
                      photon_visit *visit, void *data);
/* The warp has no more records. */
void photon_code_end(struct photon_run *run, photon_visit *visit, void *data);

#endif
