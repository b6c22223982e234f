/* How far an L2 slice is from an SM (-hearth_l2_spread).
 *
 * The wires between an SM and the slices differ in length, so a hit takes longer in some slices
 * than in others, and other slices are far for other SMs. Where which slice lies is not
 * published: distances are spread evenly, by a hash of both numbers. With -hearth_l2_spread_gpc
 * the number of the GPC stands for that of the SM (spec_distance()).
 *
 * Source: on an H100, single hops of a chase that stays in the near half take 288 to 352
 * cycles, with two peaks (l2_hops_blk0, l2_hops_blk66 in the calibration of the card). Over the
 * same lines, SMs of a GPC have nearly the same distances (home_* of
 * tracer/calibration/sharing).
 */
#ifndef HEARTH_SIM_MEMORY_DISTANCE_H
#define HEARTH_SIM_MEMORY_DISTANCE_H

#include <stdint.h>

#include "sim/memory/hash.h"

/* Core cycles that an answer of SLICE takes to SM beyond those of the nearest: 0 to SPREAD. */
static inline uint32_t distance_cycles(uint32_t spread, uint32_t sm, uint32_t slice)
{
    return spread != 0 ? hash_spread((uint64_t)sm << 32 | slice) % (spread + 1) : 0;
}

#endif
