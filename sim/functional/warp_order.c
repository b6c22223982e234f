#include "sim/functional/warp_order.h"

#include <stdlib.h>
#include <string.h>

static const struct pace_list no_list = {PACE_NONE, PACE_NONE};

bool pace_init(struct pace *pace, uint32_t sms, uint32_t warps)
{
    memset(pace, 0, sizeof *pace);
    pace->warps = sms * warps;
    pace->of_sm = warps;
    pace->turn = PACE_NONE;
    pace->sms = calloc(sms, sizeof *pace->sms);
    pace->next = malloc((pace->warps + sms) * sizeof *pace->next);
    for (uint32_t s = 0; s < PACE_SLOTS; s++)
        pace->slots[s] = no_list;
    for (uint32_t s = 0; pace->sms != NULL && s < sms; s++)
        pace->sms[s].queue = no_list;
    pace->sector = sms < 256 * PACE_SECTOR ? 256 * PACE_SECTOR / sms : 1;
    return pace->sms != NULL && pace->next != NULL;
}

void pace_finish(struct pace *pace)
{
    free(pace->sms);
    free(pace->next);
    pace->sms = NULL;
    pace->next = NULL;
}

/* ---- lists ---- */

static void append(struct pace *pace, struct pace_list *list, uint32_t who)
{
    pace->next[who] = PACE_NONE;
    if (list->first == PACE_NONE)
        list->first = who;
    else
        pace->next[list->last] = who;
    list->last = who;
}

static uint32_t take_first(const struct pace *pace, struct pace_list *list)
{
    uint32_t who = list->first;
    list->first = pace->next[who];
    return who;
}

/* ---- the wheel ---- */

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

/* A warp, or an SM, goes on from CYCLE on. */
static void enter(struct pace *pace, uint32_t who, uint64_t cycle)
{
    uint32_t slot = slot_of(pace, cycle);
    append(pace, &pace->slots[slot], who);
    pace->used[slot / 64] |= 1ull << slot % 64;
}

void pace_wait(struct pace *pace, uint32_t warp, uint64_t cycle)
{
    enter(pace, warp, cycle);
}

/* The first slot that is not empty from `served` on, or PACE_NONE. */
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

/* Who goes on next, a warp or an SM. */
static uint32_t take_next(struct pace *pace)
{
    uint32_t slot = first_used(pace);
    if (slot == PACE_NONE)
        return PACE_NONE;
    pass_to(pace, slot);
    uint32_t who = take_first(pace, &pace->slots[slot]);
    if (pace->slots[slot].first == PACE_NONE)
        pace->used[slot / 64] &= ~(1ull << slot % 64);
    return who;
}

/* ---- load/store units ---- */

/* The SM whose first warp had its turn goes on with the next one when its unit is free. */
static void end_turn(struct pace *pace)
{
    if (pace->turn != PACE_NONE)
        enter(pace, pace->warps + pace->turn, pace->sms[pace->turn].free);
    pace->turn = PACE_NONE;
}

static bool is_free(const struct pace *pace, uint32_t sm)
{
    return pace->sms[sm].free < pace->now + PACE_SLOT;
}

/* The first warp that waits for the unit of SM, unless another one has come in between. */
static uint32_t take_waiting(struct pace *pace, uint32_t sm)
{
    struct pace_list *queue = &pace->sms[sm].queue;
    if (!is_free(pace, sm)) {
        enter(pace, pace->warps + sm, pace->sms[sm].free);
        return PACE_NONE;
    }
    uint32_t warp = take_first(pace, queue);
    if (queue->first != PACE_NONE)
        pace->turn = sm;
    return warp;
}

/* WARP, unless it has to wait for its SM's unit. One whose data have come just when that is
 * free does not wait behind others. */
static uint32_t take_warp(struct pace *pace, uint32_t warp)
{
    uint32_t sm = warp / pace->of_sm;
    struct pace_list *queue = &pace->sms[sm].queue;
    if (is_free(pace, sm))
        return warp;
    if (queue->first == PACE_NONE)
        enter(pace, pace->warps + sm, pace->sms[sm].free);
    append(pace, queue, warp);
    return PACE_NONE;
}

uint32_t pace_take(struct pace *pace)
{
    end_turn(pace);
    for (;;) {
        uint32_t who = take_next(pace);
        if (who == PACE_NONE)
            return PACE_NONE;
        uint32_t warp =
            who < pace->warps ? take_warp(pace, who) : take_waiting(pace, who - pace->warps);
        if (warp != PACE_NONE)
            return warp;
    }
}

uint32_t pace_soon(const struct pace *pace, uint32_t ahead)
{
    uint32_t who = pace->slots[pace->served % PACE_SLOTS].first;
    for (; who != PACE_NONE && ahead > 0; ahead--)
        who = pace->next[who];
    return who != PACE_NONE && who >= pace->warps ? pace->sms[who - pace->warps].queue.first
                                                  : who;
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
