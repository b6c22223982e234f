/* The shortest time of a warp, for lower bounds: its instructions issue in order, and not
 * before what they wait for is there. */
#ifndef HEARTH_SIM_BOUNDS_WARP_PATH_H
#define HEARTH_SIM_BOUNDS_WARP_PATH_H

#include "sim/core/inst.h"
#include "sim/core/modern/flow.h"
#include "sim/core/modern/modern.h"
#include "sim/core/modern/scoreboard.h"
#include "traces/traces.h"

/* The least cycles from issue to use of what a configuration's loads and units give. */
struct path_spec {
    uint32_t shared, constant, l1, l2, dram;
    uint32_t banks;   /* of L1: sectors that it looks up in a cycle */
    uint32_t port;    /* sectors that an SM gets in a cycle */
    uint32_t atomic;  /* an atomic's result comes so much later than a read's */
    uint32_t barrier; /* from the last arrival until warps go on */
    uint32_t barrier_interval;
    uint32_t after;  /* legacy core: added to the latencies of units */
    uint32_t stored; /* from a store to global memory until its warp may end; 0: at once */
    bool modern;
    bool beside; /* work goes on beside warps, of which little is known: only registers are
                  * waited for */
    struct modern_spec core; /* modern core: what flow_cycles() needs, and of memory barriers */
};

/* A memory access of an instruction. */
struct path_access {
    enum trace_space space; /* generic ones resolved */
    uint32_t passes;        /* cycles that it takes of shared memory, or of L1; 0: none */
    uint64_t there;         /* cycle before which data that are not in L1 cannot have come */
};

struct warp_path {
    uint64_t next;       /* cycle before which the next instruction cannot issue */
    uint64_t loads;      /* in which all loads are there, and all stores in L2 */
    uint64_t ready[256]; /* in which a register's value is there, of a time not fixed ... */
    uint64_t read[256];  /* ... in which all have read it */
    uint64_t counters[MODERN_COUNTERS]; /* in which a dependence counter is 0 */
    uint8_t raised;                     /* counters that the last instruction raised, ... */
    uint64_t seen;                      /* ... which are seen from this cycle on */
    uint64_t groups[MODERN_GROUPS]; /* in which this and all earlier copies have come, a ring */
    uint32_t group;                 /* the open one */
    struct modern_issued last;      /* in cycle last_at; NULL: none */
    uint64_t last_at;
    struct scoreboard_warp fixed; /* modern core without code */
};

/* Whether all stores to global memory go on to L2. */
bool path_stores_leave(const struct sim_config *config);
/* Whether warps end only when L2 has their stores. */
bool path_waits_for_stores(const struct sim_config *config);
void path_spec_init(struct path_spec *spec, const struct sim_config *config);
void warp_path_begin(struct warp_path *path);
/* The cycle before which INST, the warp's next instruction, cannot issue with lanes MASK. */
uint64_t warp_path_next(const struct warp_path *path, const struct path_spec *spec,
                        const struct inst *inst, uint32_t mask);
/* It issues in cycle NOW. */
void warp_path_issue(struct warp_path *path, const struct path_spec *spec,
                     const struct inst *inst, uint32_t mask, const struct path_access *access,
                     uint64_t now);
/* The cycles of the warp from its begin. */
uint64_t warp_path_end(const struct warp_path *path);

#endif
