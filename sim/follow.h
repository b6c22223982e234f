/* L2 caches of other configurations that take what a simulator's SMs send without time: see
 * sim_follow(). */
#ifndef HEARTH_SIM_FOLLOW_H
#define HEARTH_SIM_FOLLOW_H

#include "sim/core/occupancy.h"
#include "sim/handle.h"

/* A time behind any use of a line so far, on L1's clock and on L2's. */
uint64_t follow_now(const struct sim *sim);

/* Drains SIM's followers before a launch, which must be for them what it is for SIM. Returns 0,
 * or -1 with ERR filled. */
int follow_check(const struct sim *sim, const struct trace_kernel *kernel,
                 const struct occupancy *occupancy, struct error *err);

/* All of SIM's followers: a packet, reads and writes of SECTORS (a mask) of the 128-byte line
 * at ADDRESS; BYTES as in struct packet, of each sector; NOW as for touch_cache(). */
void follow_packet(const struct sim *sim, const struct packet *packet, uint64_t now);
void follow_read(const struct sim *sim, uint64_t address, uint8_t sectors, uint64_t now);
void follow_write(const struct sim *sim, uint64_t address, uint8_t sectors,
                  const uint32_t bytes[4], bool local, uint64_t now);

/* Brings what an access of ADDRESS will look up near, in all of SIM's followers: at first the
 * hash, then, once that is there, the line. */
void follow_prefetch(const struct sim *sim, uint64_t address, bool line);

/* Behind a launch: SIM's L2 forgets what NOW was. */
void follow_settle(struct sim *sim);

#endif
