/* L2 caches of other configurations that take what a simulator's SMs send without time: see
 * sim_follow(). */
#ifndef HEARTH_SIM_FUNCTIONAL_L2_FOLLOWERS_H
#define HEARTH_SIM_FUNCTIONAL_L2_FOLLOWERS_H

#include "sim/core/occupancy.h"
#include "sim/handle.h"

/* A time behind any use of a line so far, on L1's clock and on L2's. */
uint64_t l2_followers_now(const struct sim *sim);

/* Drains SIM's followers before a launch, which must be for them what it is for SIM. Returns 0,
 * or -1 with ERR filled. */
int l2_followers_check(const struct sim *sim, const struct trace_kernel *kernel,
                       const struct occupancy *occupancy, struct error *err);

/* A packet for all of SIM's followers; NOW as for cache_functional_access(). */
void l2_followers_packet(const struct sim *sim, const struct packet *packet, uint64_t now);

/* The same where caches are compact: what compact_read() and compact_write() do to the line at
 * ADDRESS, and compact_prefetch() ahead of them. ATOMIC: what is read is dirty from then on. */
void l2_followers_read(const struct sim *sim, uint64_t address, uint8_t sectors, bool atomic);
void l2_followers_write(const struct sim *sim, uint64_t address, uint8_t sectors, uint8_t whole,
                        const uint32_t bytes[4]);
void l2_followers_prefetch(const struct sim *sim, uint64_t address);

/* Behind a launch: SIM's caches forget what NOW was. */
void l2_followers_settle(struct sim *sim);

#endif
