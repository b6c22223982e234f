/* Functional accesses of an L2, whatever its shape: one cache, or two halves
 * (sim/memory/halves.h). */
#ifndef HEARTH_SIM_FUNCTIONAL_L2_FUNCTIONAL_H
#define HEARTH_SIM_FUNCTIONAL_L2_FUNCTIONAL_H

#include "sim/engine.h"

struct sim_frames;

#define L2_FUNCTIONAL_STEP 2 /* uses of lines by one access, at most */

struct l2_functional_result {
    uint8_t status;       /* enum cache_status, in the half near to the SM */
    bool counts;          /* the packet has been served, or what it reads has been looked up */
    bool slow;            /* what it reads comes from DRAM */
    bool crosses;         /* it goes on to the other half */
    uint32_t slice;       /* that was accessed */
    uint32_t fetched;     /* sectors that DRAM reads, of the L2's size */
    uint32_t written;     /* the same: that it writes */
    uint32_t dirty_lines; /* evicted */
    uint32_t dirty_sectors; /* of these */
};

/* Accesses the L2 of ENGINE, which is enabled, with PACKET; packet->sm says which half is near.
 * NOW orders uses of lines, and increases from call to call by L2_FUNCTIONAL_STEP. FRAMES,
 * which may be NULL, are told of it. What has to cross to the other half becomes *CROSSED, for
 * l2_functional_arrive() some time later; if that is NULL, it is there at once. */
struct l2_functional_result l2_functional_access(const struct engine *engine,
                                                 struct sim_frames *frames,
                                                 const struct packet *packet, uint64_t now,
                                                 struct packet *crossed);

/* PACKET, which has crossed, arrives at its line's home. */
struct l2_functional_result l2_functional_arrive(const struct engine *engine,
                                                 struct sim_frames *frames,
                                                 const struct packet *packet, uint64_t now);

#endif
