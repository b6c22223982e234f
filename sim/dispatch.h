/* The block scheduler of one launch: hands its blocks to SMs in file order,
 * at most one a cluster and cycle, clusters in turn. */
#ifndef HEARTH_SIM_DISPATCH_H
#define HEARTH_SIM_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "traces/traces.h"

struct dispatch {
    struct engine *engine;
    struct trace_kernel *kernel;
    struct inst_table insts;
    uint64_t blocks, given;         /* of the grid; handed out */
    uint64_t last_given;            /* cycle of the last one */
    uint64_t *posts;                /* of each SM: cycle whose end it has reached with a free
                                     * place, or DISPATCH_NONE */
    uint32_t *last_core;            /* of each cluster: SM that got its last block */
    uint32_t *last_cluster;         /* cluster that got the last block; kept between launches */
    struct error *err;
};

#define DISPATCH_NONE UINT64_MAX

/* Returns false when memory is short. LAST_CLUSTER is kept by the caller. */
bool dispatch_init(struct dispatch *dispatch, struct engine *engine, struct trace_kernel *kernel,
                   uint32_t *last_cluster, struct error *err);
void dispatch_finish(struct dispatch *dispatch);

/* All SMs may take blocks from the end of cycle FIRST on. */
void dispatch_begin(struct dispatch *dispatch, uint64_t first);

/* Runs all SMs up to cycle END, with blocks handed out on the way. Returns 0,
 * or -1 with ERR filled. */
int dispatch_run(struct dispatch *dispatch, uint64_t end);

#endif
