/* An L2 of two halves, each near to half of the SMs (-hearth_l2_far_latency).
 *
 * Every line has its home in one half. An SM asks its own half. If the line's home is the other
 * one, that half may hold a copy; if it does not, the request crosses to the home, and the
 * block that comes back is kept as a copy. Writes and atomics act on the home; a sector that is
 * written as a whole from the other half also becomes a copy there. Copies are clean and follow
 * what is written to the home.
 *
 * The copies of a slice's lines are kept in that slice itself, under addresses with
 * PACKET_COPIED, and crossing is a delay in it: lines are spread over all slices by a hash, so
 * this takes as much room and as many cycles of ports as copies in the other half's slices
 * would. What it misses: a line that all SMs read at once has one slice to answer them, not
 * two.
 *
 * Source: on an H100, chases of pointers over 1 to 40 MB together with the counters of L2 hits
 * (l2_chase in docs/studies/silicon.md); NVIDIA's A100 whitepaper names the two partitions.
 * Which SMs are near to which half is not published; counters of L2 say how many in a row are
 * (-hearth_l2_half_sms). */
#ifndef HEARTH_SIM_MEMORY_HALVES_H
#define HEARTH_SIM_MEMORY_HALVES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/packet.h"

struct halves {
    uint32_t slices; /* of a half; 0: L2 is not divided */
    uint32_t sms;    /* one after the other are near to one half, then as many to the other one;
                      * at least 1 */
    uint64_t inverse; /* 2^32 / sms, rounded up: a division for each packet takes long */
};

/* SMS is at least 1. */
static inline struct halves halves_make(uint32_t slices, uint32_t sms)
{
    return (struct halves){slices, sms, (UINT64_C(0xffffffff) + sms) / sms};
}

/* Whether SLICE belongs to the half that is not near to SM. */
static inline bool halves_far(const struct halves *halves, uint32_t sm, uint32_t slice)
{
    /* Exact, as numbers of SMs have 16 bits (struct packet): sm / sms. */
    uint32_t turn = (uint32_t)(sm * halves->inverse >> 32);
    return halves->slices != 0 && (slice >= halves->slices) != (turn & 1);
}

#endif
