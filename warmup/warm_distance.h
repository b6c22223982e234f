/* Private to warmup: what a policy knows when it decides how many launches to go back. */
#ifndef HEARTH_WARMUP_WARM_DISTANCE_H
#define HEARTH_WARMUP_WARM_DISTANCE_H

#include "traces/traces.h"

struct follower;

/* A measured launch. */
struct warm_distance {
    const struct trace_footprint *footprint;
    const struct trace_reuse_limits *limits; /* `capacity` is L2's, in lines; `percentile` as
                                                the policy's name gives it */
    const struct follower *follower;         /* the pass over the workload */
};

/* The fewest launches before it that together touched as many lines as fill L2, up to the
 * percentile, if they fall into sets at random; all if they touched too few. */
uint32_t warm_distance_to_full(const struct warm_distance *at);

/* The launches to go back to the end of SOURCE, which copies wrote or a launch touched: copies
 * that fill L2 count as part of the launch after them, others are left out (SOURCE is not
 * reached by replaying). Returns false for these. */
bool warm_distance_counts(const struct warm_distance *at,
                          const struct trace_reuse_source *source);

#endif
