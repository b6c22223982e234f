/* What a simulator is made of. */
#ifndef HEARTH_SIM_HANDLE_H
#define HEARTH_SIM_HANDLE_H

#include "sim/engine.h"
#include "sim/sim.h"

struct sim {
    const struct sim_config *config;
    struct engine engine;
    struct thread_pool *pool;
    uint64_t now;             /* cycle in which the next launch starts */
    uint64_t gap;             /* cycles spent draining since the last launch */
    uint64_t restored;        /* sectors that L2 got from a file since the last launch */
    uint64_t launches;        /* begun so far */
    bool untimed;             /* what caches hold came without time: turns are nobody's */
    uint32_t last_cluster;    /* that got the last block: the next one comes first */
    struct sim_counters base; /* counters of all launches before */
    struct sim_cpi stacks[2][SM_MAX_SCHEDULERS]; /* of all launches so far; of the last one */
    bool ideal_l2;                               /* sim_ideal_l2() */
    char *report;
    struct sim **followers; /* their L2 take what SMs send without time: sim_follow() */
    uint32_t follower_count;
    struct compact_caches *compacts; /* between launches without time; NULL before; owned */
};

#endif
