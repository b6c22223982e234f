/* How an SM's load/store unit reaches L1 and the crossbar: packets of its accesses, whatever
 * core model it belongs to. */
#ifndef HEARTH_SIM_CORE_REQUESTS_H
#define HEARTH_SIM_CORE_REQUESTS_H

#include "sim/core/coalesce.h"
#include "sim/core/op.h"
#include "sim/core/sm.h"

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

/* The bank of L1 in which ADDRESS is looked up. */
uint32_t requests_bank(const struct sm_spec *spec, uint64_t address);

/* Makes *PACKET for SECTOR, which OP accesses; INDEX: the number of OP, or PACKET_POSTED if
 * nobody waits for the answer; SLOT: of its launch. */
void requests_packet(const struct sm *sm, const struct sm_op *op, uint16_t index,
                     const struct access_sector *sector, uint8_t slot, struct packet *packet);

#endif
