/* L2 caches of other configurations that receive what a simulator's SMs send in functional
 * launches: see sim_follow(). */
#ifndef HEARTH_SIM_FUNCTIONAL_L2_FOLLOWERS_H
#define HEARTH_SIM_FUNCTIONAL_L2_FOLLOWERS_H

#include "sim/core/occupancy.h"
#include "sim/simulator.h"

/* A time after all uses of lines so far, on the clocks of L1 and L2. */
uint64_t l2_followers_now(const struct sim *sim);

/* Drains SIM's followers before a launch, which must have the same occupancy there. Returns 0,
 * or -1 with ERR filled. */
int l2_followers_check(const struct sim *sim, const struct trace_kernel *kernel,
                       const struct occupancy *occupancy, struct error *err);

/* Sends PACKET to all of SIM's followers; NOW as for cache_functional_access(). */
void l2_followers_packet(const struct sim *sim, const struct packet *packet, uint64_t now);

/* The same for compact caches: compact_read(), compact_write() and compact_prefetch() of the
 * line at ADDRESS. ATOMIC: what is read becomes dirty. */
void l2_followers_read(const struct sim *sim, uint64_t address, uint8_t sectors, bool atomic);
void l2_followers_write(const struct sim *sim, uint64_t address, uint8_t sectors, uint8_t whole,
                        const uint32_t bytes[4]);
void l2_followers_prefetch(const struct sim *sim, uint64_t address);

/* After a launch: SIM's caches forget what NOW was. */
void l2_followers_settle(struct sim *sim);

#endif
