#include "sim/core/hopper/barriers.h"

#include <stdlib.h>
#include <string.h>

void barriers_finish(struct barriers *barriers)
{
    free(barriers->all);
    *barriers = (struct barriers){0};
}

struct barrier *barriers_at(struct barriers *barriers, uint32_t address)
{
    for (uint32_t i = 0; i < barriers->count; i++)
        if (barriers->all[i].address == address)
            return &barriers->all[i];
    if (barriers->all == NULL)
        barriers->all = malloc(BARRIERS_MAX * sizeof *barriers->all);
    if (barriers->all == NULL || barriers->count == BARRIERS_MAX)
        return NULL;
    struct barrier *barrier = &barriers->all[barriers->count++];
    *barrier = (struct barrier){.address = address};
    return barrier;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* A phase begins: of the places, those of copies whose bytes have not come stay. */
static void keep_places(struct barrier *barrier)
{
    uint32_t held = least(barrier->place_count, BARRIER_COPIES);
    uint32_t stay = least(barrier->copies, held);
    memmove(barrier->places, barrier->places + held - stay, stay * sizeof *barrier->places);
    barrier->place_count = barrier->copies;
}

/* From bit 1 on a count, negative, of 20 bits: arrivals of a phase; from bit 43 on the same of
 * those that are left of the current one, and above it the parity of that. */
void barrier_init(struct barrier *barrier, uint64_t value)
{
    const uint32_t range = 1u << 20;
    barrier->count = value != 0 ? range - ((uint32_t)(value >> 1) & (range - 1)) : 0;
    barrier->left = range - ((uint32_t)(value >> 43) & (range - 1));
    barrier->phases = (uint32_t)(value >> 63);
    barrier->expected = barrier->come = barrier->taken = 0;
    keep_places(barrier);
}

static bool ends(struct barrier *barrier)
{
    if (barrier->count == 0 || barrier->left != 0 || barrier->come < barrier->expected)
        return false;
    barrier->left = barrier->count;
    barrier->come -= barrier->expected;
    barrier->expected = 0;
    keep_places(barrier);
    barrier->phases++;
    return true;
}

bool barrier_arrive(struct barrier *barrier, uint32_t arrivals, uint64_t announced)
{
    barrier->left -= arrivals < barrier->left ? arrivals : barrier->left;
    barrier->expected += announced;
    return ends(barrier);
}

bool barrier_bytes(struct barrier *barrier, uint64_t bytes)
{
    barrier->come += bytes;
    return ends(barrier);
}

void barrier_copy(struct barrier *barrier, uint32_t place)
{
    const uint32_t last = BARRIER_COPIES - 1;
    if (barrier->place_count > last)
        memmove(barrier->places, barrier->places + 1, last * sizeof *barrier->places);
    barrier->places[least(barrier->place_count, last)] = place;
    barrier->place_count++;
    barrier->copies++;
}

/* The bytes from PLACE to the next place of the phase, or to the end of all. */
static uint64_t extent(const struct barrier *barrier, uint32_t place)
{
    uint64_t next = UINT64_MAX;
    uint32_t lowest = place;
    for (uint32_t i = 0; i < barrier->place_count; i++) {
        if (barrier->places[i] > place && barrier->places[i] < next)
            next = barrier->places[i];
        if (barrier->places[i] < lowest)
            lowest = barrier->places[i];
    }
    if (next != UINT64_MAX)
        return next - place;
    return barrier->expected - (place - lowest); /* too much if they lie apart */
}

uint64_t barrier_first_bytes(struct barrier *barrier, uint32_t place, uint32_t stride)
{
    uint64_t brought = barrier->come + barrier->taken;
    uint64_t left = brought < barrier->expected ? barrier->expected - brought : 0;
    uint64_t size = left;
    if (--barrier->copies != 0) {
        bool kept = barrier->place_count <= BARRIER_COPIES;
        size = kept ? extent(barrier, place) : UINT64_MAX;
        if (size >= barrier->expected)
            size = stride != 0 && stride < barrier->expected
                       ? stride
                       : (left + barrier->copies) / (barrier->copies + 1);
    }
    barrier->taken += size < left ? size : left;
    return size < left ? size : left;
}
