/* How much longer packets would wait for each other in front of L2 by the second clock
 * (sim/ideal_l2/ideal_l2.h), in which they come at other times than they do.
 *
 * For each clock there is a crossbar that L2 never holds back. As in struct xbar an input's
 * packets wait behind its oldest (head-of-line blocking: "Input Versus Output Queueing on a
 * Space-Division Packet Switch", Karol, Hluchyj, Morgan: IEEE Transactions on Communications,
 * 1987), each output takes one at a time, and so does the slice of L2 behind it; but here
 * packets get the first turns that are free in the order in which they are told
 * (sim/ideal_l2/calendar.h). Both clocks' waits are of this model, so that packets that come in
 * time by both wait equally. A packet that is told later but came earlier may leave its input
 * in the same cycle as another.
 */
#ifndef HEARTH_SIM_IDEAL_L2_CROSSING_H
#define HEARTH_SIM_IDEAL_L2_CROSSING_H

#include <stdint.h>

struct crossing;

/* Of INPUTS, which give a packet in a core cycle, and OUTPUTS, which take one; behind each of
 * these a slice takes one in PERIOD core cycles, 1 at least. NULL when memory is short. */
struct crossing *crossing_create(uint32_t inputs, uint32_t outputs, double period);
/* Accepts NULL. */
void crossing_destroy(struct crossing *crossing);

/* A launch begins: all turns are free, also where packets of the launch before are still on
 * their way, so that it is the same behind a state that was saved and loaded. */
void crossing_begin(struct crossing *crossing);

/* Core cycles that a packet waits by both clocks. */
struct crossing_waits {
    uint64_t real, would;
};
/* A packet comes to INPUT for OUTPUT, in core cycle REAL, and would have in WOULD. */
struct crossing_waits crossing_pass(struct crossing *crossing, uint32_t input, uint32_t output,
                                    uint64_t real, uint64_t would);

#endif
