/* When each event of a launch would have happened if L2 had held everything that the launch
 * reads: a second clock beside the simulated one.
 *
 * Each event has a cycle on both clocks. On the second clock, an instruction issues when the
 * last of its dependences is ready (the previous instruction, registers, the barrier of its
 * block, or for a block's first instruction the slot of an earlier block), plus the delay that
 * it had in the simulation because units and schedulers were busy. A sector arrives earlier by
 * the cycles that L2 waited for DRAM, for this sector or for requests ahead of it. A wait thus
 * counts only if it is on the longest chain of waits; one that overlaps another saves nothing.
 *
 * Contention is resolved again on the second clock: each issue slot, each slot of L1's port to
 * memory, and each turn at the crossbar and at L2's slices is given to one event only
 * (sim/ideal_l2/calendar.h, sim/ideal_l2/crossing.h). Without waits for DRAM both clocks are
 * the same.
 *
 * After the dependence graphs of "Using Interaction Costs for Microarchitectural Bottleneck
 * Analysis" (Fields, Bodik, Hill, Newburn: MICRO 2003), with the costs that were simulated. */
#ifndef HEARTH_SIM_IDEAL_L2_IDEAL_L2_H
#define HEARTH_SIM_IDEAL_L2_IDEAL_L2_H

#include "sim/spec.h"

struct ideal_l2; /* the second clock of all SMs */

/* Observes the SMs, those of a simulator that is built by SPEC: both must outlive its last use,
 * but not ideal_l2_destroy(). NULL when memory is short. */
struct ideal_l2 *ideal_l2_create(const struct spec *spec, struct sm *const *sms);
/* Accepts NULL. */
void ideal_l2_destroy(struct ideal_l2 *ideal_l2);

/* A launch begins; no other is running. */
void ideal_l2_begin(struct ideal_l2 *ideal_l2);
/* PACKET passes the request crossbar: the oldest of those that its SM has sent and that have
 * not. While SMs stand. */
void ideal_l2_cross(struct ideal_l2 *ideal_l2, const struct packet *packet);
/* The cycle in which the launch's last block so far would have ended. */
uint64_t ideal_l2_end(const struct ideal_l2 *ideal_l2);

#endif
