/* Lower bounds of a launch's cycles: no simulation of it by this configuration takes fewer.
 *
 * A launch takes at least as long as (1) its longest block, whose instructions issue in order,
 * one at a time, and not before the results that they read, with hits in the nearest level that
 * can have the data; (2) what the SM with most blocks needs of its issue slots, its units, its
 * load/store unit and its L1; (3) the blocks of that SM one after the other in the places that
 * it has for them; (4) what all SMs need of L2 and DRAM. Everything else is taken to overlap.
 * Data that were never touched before, and not copied, come from DRAM; data of a launch that
 * begins with empty L1 come from L2. docs/estimate.md explains each.
 *
 * The bound is of the pipelines in order. Nothing of it is fitted. */
#ifndef HEARTH_SIM_BOUNDS_BOUNDS_H
#define HEARTH_SIM_BOUNDS_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "traces/traces.h"

struct bounds;

/* What limits a launch. */
enum bound_limit {
#define LIMIT(id, name, description) BOUND_##id,
#include "sim/bounds/limits.def"
    BOUND_LIMITS
};

struct launch_bound {
    double cycles;              /* the bound, of the whole launch */
    enum bound_limit limit;     /* which part is that */
    double parts[BOUND_LIMITS]; /* cycles of each part, all with what every launch takes */
    uint64_t l2_sectors;        /* that SMs and L2 exchange at least */
    uint64_t dram_sectors;      /* that L2 and DRAM exchange at least */
};

const char *bound_limit_name(enum bound_limit limit);

/* Follows the launches of a workload in their order, so that it is known what was touched
 * before. L1_EMPTY: launches begin with an empty L1. UNSEEN: what no launch or copy touched may
 * be in L2, as on hardware, where for example cudaMemset() writes; a simulation has it in
 * memory. CONFIG must outlive it. NULL without memory. */
struct bounds *bounds_create(const struct sim_config *config, bool l1_empty, bool unseen);
/* Accepts NULL. */
void bounds_destroy(struct bounds *bounds);

/* A host-to-device copy before the next launch. Returns 0 or -1. */
int bounds_copy(struct bounds *bounds, uint64_t address, uint64_t bytes, struct error *err);

/* What other launches may have left for a launch. */
enum bounds_caches {
    BOUNDS_KNOWN,  /* in L2, what those left that were handed over here */
    BOUNDS_FILLED, /* in L2, also what others left, such as a restored state: from now on
                      nothing is known to come from DRAM */
    BOUNDS_SHARED, /* others run at the same time, with the same caches: nothing is known to
                      come from L2 or DRAM */
};

/* The next launch, the trace that WORKLOAD's list calls NAME: reads it twice. Returns 0, or -1
 * with ERR. */
int bounds_launch(struct bounds *bounds, const struct trace_workload *workload,
                  const char *name, enum bounds_caches caches, struct launch_bound *bound,
                  struct error *err);

#endif
