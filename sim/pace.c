#include "sim/pace.h"

#include <stdlib.h>
#include <string.h>

bool pace_init(struct pace *pace, uint32_t sms, uint32_t warps)
{
    memset(pace, 0, sizeof *pace);
    pace->unit = calloc(sms, sizeof *pace->unit);
    pace->next = malloc(warps * sizeof *pace->next);
    for (uint32_t s = 0; s < PACE_SLOTS; s++)
        pace->slots[s] = (struct pace_slot){PACE_NONE, PACE_NONE};
    pace->sector = sms < 256 * PACE_SECTOR ? 256 * PACE_SECTOR / sms : 1;
    return pace->unit != NULL && pace->next != NULL;
}

void pace_finish(struct pace *pace)
{
    free(pace->unit);
    free(pace->next);
    memset(pace, 0, sizeof *pace);
}

/* The slot of CYCLE: the last of the wheel for those beyond it. */
static uint32_t slot_of(const struct pace *pace, uint64_t cycle)
{
    uint64_t slot = cycle / PACE_SLOT, last = pace->served + PACE_SLOTS - 1;
    if (slot < pace->served)
        slot = pace->served;
    if (slot > last)
        slot = last;
    return (uint32_t)(slot % PACE_SLOTS);
}

void pace_wait(struct pace *pace, uint32_t warp, uint64_t cycle)
{
    uint32_t slot = slot_of(pace, cycle);
    struct pace_slot *at = &pace->slots[slot];
    pace->next[warp] = PACE_NONE;
    if (at->first == PACE_NONE)
        at->first = warp;
    else
        pace->next[at->last] = warp;
    at->last = warp;
    pace->used[slot / 64] |= 1ull << slot % 64;
}

/* The first slot with warps from `served` on, or PACE_NONE. */
static uint32_t first_used(const struct pace *pace)
{
    uint32_t from = (uint32_t)(pace->served % PACE_SLOTS), words = PACE_SLOTS / 64;
    uint64_t bits = pace->used[from / 64] & ~0ull << from % 64;
    for (uint32_t i = 0; i <= words; i++) {
        uint32_t word = (from / 64 + i) % words;
        if (i != 0)
            bits = pace->used[word];
        if (bits != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return PACE_NONE;
}

/* The clock goes on to SLOT, and to where memory has caught up. Warps are late then, but keep
 * their order: were those of a slot to wait, others would pass them again and again. */
static void pass_to(struct pace *pace, uint32_t slot)
{
    uint64_t moved = pace->memory / 256;
    pace->served += (slot - pace->served) % PACE_SLOTS;
    if (pace->now < pace->served * PACE_SLOT)
        pace->now = pace->served * PACE_SLOT;
    if (pace->now + PACE_BEHIND < moved)
        pace->now = moved - PACE_BEHIND;
}

uint32_t pace_take(struct pace *pace)
{
    uint32_t slot = first_used(pace);
    if (slot == PACE_NONE)
        return PACE_NONE;
    pass_to(pace, slot);
    struct pace_slot *at = &pace->slots[slot];
    uint32_t warp = at->first;
    at->first = pace->next[warp];
    if (at->first == PACE_NONE)
        pace->used[slot / 64] &= ~(1ull << slot % 64);
    return warp;
}

void pace_move(struct pace *pace, uint64_t sectors)
{
    if (pace->memory < pace->now * 256)
        pace->memory = pace->now * 256;
    pace->memory += sectors * pace->sector;
}

uint64_t pace_loaded(const struct pace *pace)
{
    uint64_t moved = pace->memory / 256;
    return (moved > pace->now ? moved : pace->now) + PACE_LATENCY;
}
