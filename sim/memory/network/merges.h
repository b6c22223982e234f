/* Requests of several SMs that travel to L2 as one (-hearth_l2_merge), as the L2 request
 * coalescer of GPUs since Hopper merges them.
 *
 * While reads of one sector wait for the same output of the request crossbar, some of them
 * leave together. L2 looks the sector up once, and its answer goes to all SMs that asked: the
 * reply crossbar passes it once, and each SM takes it in its turn. With an L2 of two halves,
 * only SMs of the same half share a request, or of the same GPC.
 *
 * Left out: reads that do not wait at the same time are never merged, also not while L2 waits
 * for DRAM.
 *
 * Source: "L2 Request Coalescer (LRC)" in the guide of Nsight Compute; on an H100, 132 SMs that
 * read the same line make 34 requests of it (turn_g264, red_same_132 in
 * docs/studies/silicon.md: counters of L2's sectors), which is four SMs of one of its GPCs in
 * each. */
#ifndef HEARTH_SIM_MEMORY_NETWORK_MERGES_H
#define HEARTH_SIM_MEMORY_NETWORK_MERGES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/halves.h"
#include "sim/packet.h"

#define MERGES_MAX    16    /* requests in one, at most */
#define MERGES_GROUPS 65535 /* merged requests on their way, at most; below PACKET_POSTED */

struct merges_spec {
    uint32_t max; /* requests in one; 1: requests are not merged */
    const struct halves *halves;
    const uint16_t *gpcs; /* of each SM: only those of a GPC share a request; NULL: of a half */
};

/* What a merged request stands for is kept in its group, whose number is the `op` of the packet
 * on its way. */
struct merges {
    struct merges_spec spec;
    struct packet *members; /* spec.max of each group; owned */
    uint16_t *free;         /* groups that are not in use; owned */
    uint16_t *ended;        /* groups that merges_collect() will add to them; owned */
    uint32_t free_count, ended_count;
    uint32_t touched; /* groups from this number on have never been in use */
};

/* Returns false when memory is short. */
bool merges_init(struct merges *merges, const struct merges_spec *spec);
void merges_finish(struct merges *merges);
/* Nothing is on its way. */
void merges_reset(struct merges *merges);

/* Makes PACKET, a read, stand for OTHER, too. Returns false if they cannot travel together. */
bool merges_add(struct merges *merges, struct packet *packet, const struct packet *other);

/* The requests for which REPLY, of which packet_merged() is not 0, stands: one more than that.
 */
const struct packet *merges_members(const struct merges *merges, const struct packet *reply);
/* REPLY's requests have been answered. May run beside merges_add(). */
void merges_end(struct merges *merges, const struct packet *reply);
/* Groups that have ended can be used again. */
void merges_collect(struct merges *merges);

#endif
