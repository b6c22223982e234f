#include "sim/functional/warp_order.h"

#include <stdlib.h>
#include <string.h>

static const struct warp_order_list no_list = {WARP_ORDER_NONE, WARP_ORDER_NONE};

bool warp_order_init(struct warp_order *order, uint32_t sms, uint32_t warps, uint32_t channels,
                     const struct order_times *times)
{
    memset(order, 0, sizeof *order);
    order->times = *times;
    order->warps = sms * warps;
    order->calls = order->warps + sms;
    order->of_sm = warps;
    order->turn = WARP_ORDER_NONE;
    order->sms = calloc(sms, sizeof *order->sms);
    order->memory = calloc(channels, sizeof *order->memory);
    order->next = malloc((order->calls + sms) * sizeof *order->next);
    memset(order->slots, 0xff, sizeof order->slots); /* no_list */
    for (uint32_t s = 0; order->sms != NULL && s < sms; s++)
        order->sms[s].queue = no_list;
    return order->sms != NULL && order->next != NULL && order->memory != NULL;
}

void warp_order_finish(struct warp_order *order)
{
    free(order->sms);
    free(order->next);
    free(order->memory);
    order->sms = NULL;
    order->next = NULL;
    order->memory = NULL;
}

/* ---- lists ---- */

static void append(struct warp_order *order, struct warp_order_list *list, uint32_t who)
{
    order->next[who] = WARP_ORDER_NONE;
    if (list->first == WARP_ORDER_NONE)
        list->first = who;
    else
        order->next[list->last] = who;
    list->last = who;
}

static uint32_t take_first(const struct warp_order *order, struct warp_order_list *list)
{
    uint32_t who = list->first;
    list->first = order->next[who];
    return who;
}

/* ---- the wheel ---- */

/* The slot of CYCLE: that of `now` if it is past; cycles beyond the wheel have its last slot.
 */
static uint32_t slot_of(const struct warp_order *order, uint64_t cycle)
{
    uint64_t last = order->now + WARP_ORDER_SLOTS - 1;
    uint64_t slot = warp_order_later(cycle, order->now);
    return (uint32_t)((slot < last ? slot : last) % WARP_ORDER_SLOTS);
}

/* WHO, a warp, an SM or a place, continues from CYCLE on. */
static void enter(struct warp_order *order, uint32_t who, uint64_t cycle)
{
    uint32_t slot = slot_of(order, cycle);
    append(order, &order->slots[slot], who);
    order->used[slot / 64] |= 1ull << slot % 64;
}

void warp_order_wait(struct warp_order *order, uint32_t warp, uint64_t cycle)
{
    enter(order, warp, cycle);
}

void warp_order_call(struct warp_order *order, uint32_t sm, uint64_t cycle)
{
    enter(order, order->calls + sm, cycle);
}

/* The first non-empty slot from that of `now` on, or WARP_ORDER_NONE. */
static uint32_t first_used(const struct warp_order *order)
{
    uint32_t from = (uint32_t)(order->now % WARP_ORDER_SLOTS), words = WARP_ORDER_SLOTS / 64;
    uint64_t bits = order->used[from / 64] & ~0ull << from % 64;
    for (uint32_t i = 0; i <= words; i++) {
        uint32_t word = (from / 64 + i) % words;
        if (i != 0)
            bits = order->used[word];
        if (bits != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return WARP_ORDER_NONE;
}

/* Takes who continues next, a warp, an SM or a place. */
static uint32_t take_next(struct warp_order *order)
{
    uint32_t slot = first_used(order);
    if (slot == WARP_ORDER_NONE)
        return WARP_ORDER_NONE;
    order->now += (slot - order->now) % WARP_ORDER_SLOTS;
    uint32_t who = take_first(order, &order->slots[slot]);
    if (order->slots[slot].first == WARP_ORDER_NONE)
        order->used[slot / 64] &= ~(1ull << slot % 64);
    return who;
}

/* ---- load/store units ---- */

/* The SM whose first waiting warp had its turn continues with the next one as soon as its unit
 * is free. */
static void end_turn(struct warp_order *order)
{
    if (order->turn != WARP_ORDER_NONE)
        enter(order, order->warps + order->turn, order->sms[order->turn].free);
    order->turn = WARP_ORDER_NONE;
}

static bool is_free(const struct warp_order *order, uint32_t sm)
{
    return warp_order_has_come(order, order->sms[sm].free);
}

/* Takes the first warp that waits for the unit of SM, unless another warp uses the unit. */
static uint32_t take_waiting(struct warp_order *order, uint32_t sm)
{
    struct warp_order_list *queue = &order->sms[sm].queue;
    if (!is_free(order, sm)) {
        enter(order, order->warps + sm, order->sms[sm].free);
        return WARP_ORDER_NONE;
    }
    uint32_t warp = take_first(order, queue);
    if (queue->first != WARP_ORDER_NONE)
        order->turn = sm;
    return warp;
}

/* Returns WARP, unless it has to wait for its SM's unit. If the unit is free when its data
 * arrive, it does not wait for others, except where warps take turns. */
static uint32_t take_warp(struct warp_order *order, uint32_t warp)
{
    uint32_t sm = warp / order->of_sm;
    struct warp_order_list *queue = &order->sms[sm].queue;
    bool first = queue->first == WARP_ORDER_NONE;
    if (is_free(order, sm) && (first || !order->times.turns))
        return warp;
    if (first)
        enter(order, order->warps + sm, order->sms[sm].free);
    append(order, queue, warp);
    return WARP_ORDER_NONE;
}

uint32_t warp_order_take(struct warp_order *order)
{
    end_turn(order);
    for (;;) {
        uint32_t who = take_next(order);
        if (who >= order->calls) /* a place, or none */
            return who;
        uint32_t warp = who < order->warps ? take_warp(order, who)
                                           : take_waiting(order, who - order->warps);
        if (warp != WARP_ORDER_NONE)
            return warp;
    }
}

uint32_t warp_order_soon(const struct warp_order *order, uint32_t ahead)
{
    uint32_t who = order->slots[order->now % WARP_ORDER_SLOTS].first;
    for (; who != WARP_ORDER_NONE && ahead > 0; ahead--)
        who = order->next[who];
    if (who >= order->calls)
        return WARP_ORDER_NONE;
    return who >= order->warps ? order->sms[who - order->warps].queue.first : who;
}

void warp_order_move(struct warp_order *order, uint32_t sm, uint32_t channel, uint32_t sectors)
{
    const struct order_times *times = &order->times;
    uint64_t *memory = &order->memory[channel], *free = &order->sms[sm].free;
    *memory =
        warp_order_later(*memory, order->now * ORDER_TIMES_PARTS) + sectors * times->sector;
    uint64_t moved = *memory / ORDER_TIMES_PARTS;
    order->moved = warp_order_later(order->moved, moved);
    if (moved > times->queue)
        order->reached = warp_order_later(order->reached, moved - times->queue);
    if (moved > times->before)
        *free = warp_order_later(*free, moved - times->before);
}

/* When all that SM has to send has been sent. */
static uint64_t sent(const struct warp_order *order, uint32_t sm)
{
    return warp_order_later(order->sms[sm].free, order->now);
}

uint64_t warp_order_loaded(const struct warp_order *order, uint32_t sm,
                           enum warp_order_level level)
{
    uint64_t from = sent(order, sm);
    if (level == WARP_ORDER_IN_DRAM)
        return warp_order_later(from, order->moved) + order->times.dram + order->distance;
    if (level == WARP_ORDER_IN_L2)
        return warp_order_later(from, order->reached) + order->times.l2 + order->distance;
    return from + order->times.l1;
}

uint64_t warp_order_stored(const struct warp_order *order, uint32_t sm)
{
    return warp_order_later(sent(order, sm), order->reached) + order->times.stored;
}
