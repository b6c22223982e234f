/* How much longer packets would wait for each other before L2 on the second clock
 * (sim/ideal_l2/ideal_l2.h), on which they arrive at other times than in the simulation.
 *
 * Each clock has a crossbar that L2 never holds back. As in struct xbar, the packets of an
 * input wait for its oldest (head-of-line blocking: "Input Versus Output Queueing on a
 * Space-Division Packet Switch", Karol, Hluchyj, Morgan: IEEE Transactions on Communications,
 * 1987). Each output takes one packet at a time, and so does its slice of L2. Unlike in struct
 * xbar, each call of crossing_pass() gives its packet the first free turns
 * (sim/ideal_l2/calendar.h). The waits of both clocks come from this model, so that packets
 * that arrive at the same times on both wait equally. A packet that is passed in later but
 * arrived earlier may leave its input in the same cycle as another.
 */
#ifndef HEARTH_SIM_IDEAL_L2_CROSSING_H
#define HEARTH_SIM_IDEAL_L2_CROSSING_H

#include <stdint.h>

struct crossing;

/* Each of the INPUTS sends one packet per core cycle, and each of the OUTPUTS takes one. The
 * slice after each output takes one packet in PERIOD core cycles, at least 1. NULL when memory
 * is short. */
struct crossing *crossing_create(uint32_t inputs, uint32_t outputs, double period);
/* Accepts NULL. */
void crossing_destroy(struct crossing *crossing);

/* A launch begins: all turns are free, even if packets of the previous launch are still on
 * their way. The launch then runs the same after a state that was saved and loaded. */
void crossing_begin(struct crossing *crossing);

/* Core cycles that a packet waits by both clocks. */
struct crossing_waits {
    uint64_t real, would;
};
/* A packet for OUTPUT arrives at INPUT: in core cycle REAL, and on the second clock in WOULD.
 */
struct crossing_waits crossing_pass(struct crossing *crossing, uint32_t input, uint32_t output,
                                    uint64_t real, uint64_t would);

#endif
