/* An L2 of two halves, each near to half of the SMs (-hearth_l2_far_latency).
 *
 * Every line has its home in one half. An SM asks its own half. If the line's home is the other
 * one, that half may hold a copy; if it does not, the request crosses to the home, and the
 * block that comes back is kept as a copy. Writes and atomics act on the home; a sector that is
 * written as a whole from the other half also becomes a copy there. Copies are clean and follow
 * what is written to the home; an atomic drops the copy of its line, and with writes_drop so
 * does a write from the home's half.
 *
 * The copies of a slice's lines are kept in that slice itself, under addresses with
 * PACKET_COPIED, and crossing there and back are delays in it: as many lines have their home in
 * one half as in the other, so this takes as much room and as many cycles of ports as copies in
 * the other half's slices would. What it misses: a line that all SMs read at once has one slice
 * to answer them, not two.
 *
 * Source: on an H100, chases of pointers over 1 to 40 MB together with the counters of L2 hits
 * (l2_chase in docs/studies/silicon.md); NVIDIA's A100 whitepaper names the two partitions.
 * Which SMs are near to which half is not published; counters of L2 say how many in a row are
 * (-hearth_l2_half_sms). */
#ifndef HEARTH_SIM_MEMORY_HALVES_H
#define HEARTH_SIM_MEMORY_HALVES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/packet.h"

#define HALVES_MAX_SMS 16384 /* of a GPU, which is as many as options allow */

struct halves {
    uint32_t slices;                      /* of a half; 0: L2 is not divided */
    bool writes_drop;                     /* what is written near its home drops the copy */
    uint64_t second[HALVES_MAX_SMS / 64]; /* a bit for each SM that is near to the second half
                                           */
};

/* SMs in a row are near to the first half, RUNS[0] of them, the next RUNS[1] to the second one,
 * and so on in turn; after the last of COUNT runs comes RUNS[0] again. Both are at least 1. */
static inline void halves_init(struct halves *halves, uint32_t slices, const uint32_t *runs,
                               uint32_t count)
{
    memset(halves, 0, sizeof *halves);
    halves->slices = slices;
    uint32_t turn = 0, left = runs[0];
    for (uint32_t sm = 0; sm < HALVES_MAX_SMS; sm++, left--) {
        if (left == 0)
            left = runs[++turn % count];
        halves->second[sm / 64] |= (uint64_t)(turn & 1) << sm % 64;
    }
}

/* The half that is near to SM, and that of SLICE: 0 or 1; 0 if L2 is not divided. */
static inline uint8_t halves_of_sm(const struct halves *halves, uint32_t sm)
{
    return halves->slices != 0 && (halves->second[sm / 64] >> sm % 64 & 1);
}

static inline uint8_t halves_of_slice(const struct halves *halves, uint32_t slice)
{
    return halves->slices != 0 && slice >= halves->slices;
}

/* Whether SLICE belongs to the half that is not near to SM. */
static inline bool halves_far(const struct halves *halves, uint32_t sm, uint32_t slice)
{
    return halves_of_slice(halves, slice) != halves_of_sm(halves, sm);
}

/* Whether PACKET comes to the other half than its line's home in SLICE. An address that has the
 * bit of copies by itself, as no GPU has, is near to all, and has no copy. */
static inline bool halves_crosses(const struct halves *halves, const struct packet *packet,
                                  uint32_t slice)
{
    return halves_far(halves, packet->sm, slice) && !(packet->address & PACKET_COPIED);
}

/* Whether PACKET, which the home of its line in SLICE serves, drops the line's copy. */
static inline bool halves_drop_copy(const struct halves *halves, const struct packet *packet,
                                    uint32_t slice)
{
    if (halves->slices == 0 || (packet->address & PACKET_COPIED) != 0)
        return false;
    return packet->kind == PACKET_ATOMIC || (halves->writes_drop && packet_is_write(packet) &&
                                             !halves_far(halves, packet->sm, slice));
}

#endif
