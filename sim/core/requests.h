/* How the accesses of an SM's load/store unit reach L1 and the crossbar, whatever core model it
 * belongs to: lists of their sectors, and packets. */
#ifndef HEARTH_SIM_CORE_REQUESTS_H
#define HEARTH_SIM_CORE_REQUESTS_H

#include "sim/core/coalesce.h"
#include "sim/core/op.h"
#include "sim/core/sm.h"

/* OP, a memory instruction of WARP of LAUNCH, is being issued: returns the addresses of its
 * active lanes, *COUNT of them, as coalesce_lanes() does. If its space is generic, it becomes
 * the one that they are in. */
const uint64_t *requests_lanes(const struct sm_launch *launch, struct sm_op *op,
                               const struct trace_warp *warp, const struct trace_record *record,
                               uint64_t room[32], uint32_t *count);

/* After that, if OP accesses global or local memory: puts the sectors of LANES in LIST, which
 * is empty. */
void requests_list(const struct sm *sm, const struct sm_launch *launch, const struct sm_op *op,
                   const struct trace_record *record, const uint64_t *lanes, uint32_t count,
                   struct access_list *list);

/* Whether the crossbar holds as many packets of SM as it may. */
static inline bool requests_full(const struct sm *sm)
{
    return sm->requests.count + sm->requests_ahead >= sm->spec->request_limit;
}

/* The same for a reduction that nobody waits for (access_is_posted()). */
static inline bool requests_full_for_posted(const struct sm *sm)
{
    return requests_full(sm) || sm->requests.count + sm->requests_ahead >= sm->spec->posted_max;
}

/* PACKET goes to the crossbar in the next cycle. */
void requests_send(struct sm *sm, const struct packet *packet);

/* Sends the oldest miss of L1, of a line that it has evicted one dirty sector, if there is one
 * and the crossbar has room. Returns what it sent, until the next is sent; NULL: nothing. */
const struct packet *requests_send_miss(struct sm *sm);

/* Whether it is time to ask L2 for a sector of code (code_supply.h), and the crossbar has room.
 */
static inline bool requests_code_due(const struct sm *sm)
{
    return sm->code != NULL && queue_ready(&sm->code->supply.requests, sm->now) &&
           !requests_full(sm);
}

/* Sends that request, which may leave in cycle READY. */
void requests_send_code(struct sm *sm, uint64_t ready);

/* The bank of L1 in which ADDRESS is looked up. */
uint32_t requests_bank(const struct sm_spec *spec, uint64_t address);

/* Makes *PACKET of KIND for the sector at ADDRESS, of which it moves BYTES, a mask; INDEX,
 * SLOT: as below. */
void requests_copy_packet(const struct sm *sm, enum packet_kind kind, uint64_t address,
                          uint32_t bytes, uint16_t index, uint8_t slot, struct packet *packet);

/* Makes *PACKET for SECTOR, which OP accesses; INDEX: the number of OP, or PACKET_POSTED if
 * nobody waits for the answer; SLOT: of its launch. */
void requests_packet(const struct sm *sm, const struct sm_op *op, uint16_t index,
                     const struct access_sector *sector, uint8_t slot, struct packet *packet);

#endif
