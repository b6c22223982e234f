#include "sim/functional/warp_order.h"

#include <stdlib.h>
#include <string.h>

static const struct warp_order_list no_list = {WARP_ORDER_NONE, WARP_ORDER_NONE};

bool warp_order_init(struct warp_order *pace, uint32_t sms, uint32_t warps)
{
    memset(pace, 0, sizeof *pace);
    pace->warps = sms * warps;
    pace->of_sm = warps;
    pace->turn = WARP_ORDER_NONE;
    pace->sms = calloc(sms, sizeof *pace->sms);
    pace->next = malloc((pace->warps + sms) * sizeof *pace->next);
    for (uint32_t s = 0; s < WARP_ORDER_SLOTS; s++)
        pace->slots[s] = no_list;
    for (uint32_t s = 0; pace->sms != NULL && s < sms; s++)
        pace->sms[s].queue = no_list;
    pace->sector = sms < 256 * WARP_ORDER_SECTOR ? 256 * WARP_ORDER_SECTOR / sms : 1;
    return pace->sms != NULL && pace->next != NULL;
}

void warp_order_finish(struct warp_order *pace)
{
    free(pace->sms);
    free(pace->next);
    pace->sms = NULL;
    pace->next = NULL;
}

/* ---- lists ---- */

static void append(struct warp_order *pace, struct warp_order_list *list, uint32_t who)
{
    pace->next[who] = WARP_ORDER_NONE;
    if (list->first == WARP_ORDER_NONE)
        list->first = who;
    else
        pace->next[list->last] = who;
    list->last = who;
}

static uint32_t take_first(const struct warp_order *pace, struct warp_order_list *list)
{
    uint32_t who = list->first;
    list->first = pace->next[who];
    return who;
}

/* ---- the wheel ---- */

/* The slot of CYCLE: the last of the wheel for those beyond it. */
static uint32_t slot_of(const struct warp_order *pace, uint64_t cycle)
{
    uint64_t slot = cycle / WARP_ORDER_SLOT, last = pace->served + WARP_ORDER_SLOTS - 1;
    if (slot < pace->served)
        slot = pace->served;
    if (slot > last)
        slot = last;
    return (uint32_t)(slot % WARP_ORDER_SLOTS);
}

/* A warp, or an SM, goes on from CYCLE on. */
static void enter(struct warp_order *pace, uint32_t who, uint64_t cycle)
{
    uint32_t slot = slot_of(pace, cycle);
    append(pace, &pace->slots[slot], who);
    pace->used[slot / 64] |= 1ull << slot % 64;
}

void warp_order_wait(struct warp_order *pace, uint32_t warp, uint64_t cycle)
{
    enter(pace, warp, cycle);
}

/* The first slot that is not empty from `served` on, or WARP_ORDER_NONE. */
static uint32_t first_used(const struct warp_order *pace)
{
    uint32_t from = (uint32_t)(pace->served % WARP_ORDER_SLOTS), words = WARP_ORDER_SLOTS / 64;
    uint64_t bits = pace->used[from / 64] & ~0ull << from % 64;
    for (uint32_t i = 0; i <= words; i++) {
        uint32_t word = (from / 64 + i) % words;
        if (i != 0)
            bits = pace->used[word];
        if (bits != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return WARP_ORDER_NONE;
}

/* The clock goes on to SLOT, and to where memory has caught up. Warps are late then, but keep
 * their order: were those of a slot to wait, others would pass them again and again. */
static void pass_to(struct warp_order *pace, uint32_t slot)
{
    uint64_t moved = pace->memory / 256;
    pace->served += (slot - pace->served) % WARP_ORDER_SLOTS;
    if (pace->now < pace->served * WARP_ORDER_SLOT)
        pace->now = pace->served * WARP_ORDER_SLOT;
    if (pace->now + WARP_ORDER_BEHIND < moved)
        pace->now = moved - WARP_ORDER_BEHIND;
}

/* Who goes on next, a warp or an SM. */
static uint32_t take_next(struct warp_order *pace)
{
    uint32_t slot = first_used(pace);
    if (slot == WARP_ORDER_NONE)
        return WARP_ORDER_NONE;
    pass_to(pace, slot);
    uint32_t who = take_first(pace, &pace->slots[slot]);
    if (pace->slots[slot].first == WARP_ORDER_NONE)
        pace->used[slot / 64] &= ~(1ull << slot % 64);
    return who;
}

/* ---- load/store units ---- */

/* The SM whose first warp had its turn goes on with the next one when its unit is free. */
static void end_turn(struct warp_order *pace)
{
    if (pace->turn != WARP_ORDER_NONE)
        enter(pace, pace->warps + pace->turn, pace->sms[pace->turn].free);
    pace->turn = WARP_ORDER_NONE;
}

static bool is_free(const struct warp_order *pace, uint32_t sm)
{
    return pace->sms[sm].free < pace->now + WARP_ORDER_SLOT;
}

/* The first warp that waits for the unit of SM, unless another one has come in between. */
static uint32_t take_waiting(struct warp_order *pace, uint32_t sm)
{
    struct warp_order_list *queue = &pace->sms[sm].queue;
    if (!is_free(pace, sm)) {
        enter(pace, pace->warps + sm, pace->sms[sm].free);
        return WARP_ORDER_NONE;
    }
    uint32_t warp = take_first(pace, queue);
    if (queue->first != WARP_ORDER_NONE)
        pace->turn = sm;
    return warp;
}

/* WARP, unless it has to wait for its SM's unit. One whose data have come just when that is
 * free does not wait behind others. */
static uint32_t take_warp(struct warp_order *pace, uint32_t warp)
{
    uint32_t sm = warp / pace->of_sm;
    struct warp_order_list *queue = &pace->sms[sm].queue;
    if (is_free(pace, sm))
        return warp;
    if (queue->first == WARP_ORDER_NONE)
        enter(pace, pace->warps + sm, pace->sms[sm].free);
    append(pace, queue, warp);
    return WARP_ORDER_NONE;
}

uint32_t warp_order_take(struct warp_order *pace)
{
    end_turn(pace);
    for (;;) {
        uint32_t who = take_next(pace);
        if (who == WARP_ORDER_NONE)
            return WARP_ORDER_NONE;
        uint32_t warp =
            who < pace->warps ? take_warp(pace, who) : take_waiting(pace, who - pace->warps);
        if (warp != WARP_ORDER_NONE)
            return warp;
    }
}

uint32_t warp_order_soon(const struct warp_order *pace, uint32_t ahead)
{
    uint32_t who = pace->slots[pace->served % WARP_ORDER_SLOTS].first;
    for (; who != WARP_ORDER_NONE && ahead > 0; ahead--)
        who = pace->next[who];
    return who != WARP_ORDER_NONE && who >= pace->warps
               ? pace->sms[who - pace->warps].queue.first
               : who;
}

void warp_order_move(struct warp_order *pace, uint64_t sectors)
{
    if (pace->memory < pace->now * 256)
        pace->memory = pace->now * 256;
    pace->memory += sectors * pace->sector;
}

uint64_t warp_order_loaded(const struct warp_order *pace)
{
    uint64_t moved = pace->memory / 256;
    return (moved > pace->now ? moved : pace->now) + WARP_ORDER_LATENCY;
}
