/* In which order the warps of a launch without time go on: see sim_functional().
 *
 * Which lines a cache keeps, and which of them it replaces next, depends on the order of
 * accesses of warps that run at the same time. Were warps simply to take turns, all loads of
 * those that are on the SMs would come in front of all their stores; in time, those whose data
 * come first run ahead, and new blocks begin one by one. So each warp has a cycle from which it
 * goes on, by a clock that is only good enough to order accesses:
 *
 *   - behind instructions that follow each other and need nothing of each other, at once;
 *   - behind a load, when its data would have come: WARP_ORDER_LATENCY cycles after memory has
 * moved what goes past L1 before it;
 *   - behind all, after the instructions that stand between.
 *
 * Warps that find their SM's load/store unit busy go on in the order in which they came to it.
 * An SM passes on a sector a cycle, memory moves one for each SM in WARP_ORDER_SECTOR cycles,
 * and is WARP_ORDER_BEHIND cycles behind at most. These are the same for every configuration,
 * and whether L2 holds a sector is not asked, so that one order serves all that differ in
 * memory alone (sim_follow()). DRAM of a V100, an RTX 3070 and an H100 moves a sector for each
 * SM in 3.9, 3.3 and 2.2 core cycles. */
#ifndef HEARTH_SIM_FUNCTIONAL_WARP_ORDER_H
#define HEARTH_SIM_FUNCTIONAL_WARP_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define WARP_ORDER_SLOTS 4096u /* of a wheel of warps that wait */
#define WARP_ORDER_SLOT  4u    /* cycles of each */

#define WARP_ORDER_LATENCY 300u /* cycles */
#define WARP_ORDER_SECTOR  3u   /* cycles */
#define WARP_ORDER_BEHIND  500u /* cycles */

struct warp_order {
    uint64_t now;    /* cycle */
    uint64_t served; /* number of the slot that is served: that of `now`, or an earlier one */
    uint32_t warps;  /* in all */
    uint32_t of_sm;  /* warps of an SM, which have numbers side by side */
    struct warp_order_list {
        uint32_t first, last;  /* WARP_ORDER_NONE: it is empty */
    } slots[WARP_ORDER_SLOTS]; /* who goes on in each: warps, and SMs, as `warps` + number */
    uint64_t used[WARP_ORDER_SLOTS / 64]; /* slots that are not empty, one a bit */
    struct warp_order_sm {
        uint64_t free; /* cycle from which its load/store unit is free */
        struct warp_order_list
            queue;   /* warps that wait for that; the SM is in a slot if there are */
    } * sms;         /* owned */
    uint32_t *next;  /* of each warp and SM: the one behind it in its slot or queue; owned */
    uint32_t turn;   /* SM with a queue that is in no slot until its warp has had its turn, or
                      * WARP_ORDER_NONE */
    uint64_t memory; /* when memory will have moved all so far, 1/256 cycles */
    uint64_t sector; /* that it takes for one, 1/256 cycles, at least 1 */
};

#define WARP_ORDER_NONE UINT32_MAX

/* For SMS SMs of WARPS warps each, numbered from 0: those of SM 1 begin with WARPS. Returns
 * false when memory is short. */
bool warp_order_init(struct warp_order *order, uint32_t sms, uint32_t warps);
void warp_order_finish(struct warp_order *order);

/* WARP goes on from CYCLE on, behind those that do then. */
void warp_order_wait(struct warp_order *order, uint32_t warp, uint64_t cycle);

/* SM passes SECTORS on, behind those before. */
static inline void warp_order_pass(struct warp_order *order, uint32_t sm, uint32_t sectors)
{
    uint64_t free = order->sms[sm].free;
    order->sms[sm].free = (free > order->now ? free : order->now) + sectors;
}

/* The next warp to go on, whose SM's load/store unit is free in this slot; it no longer waits.
 * WARP_ORDER_NONE: no warp waits. */
uint32_t warp_order_take(struct warp_order *order);

/* A warp that is taken soon, AHEAD others in front of it, or WARP_ORDER_NONE: a guess. */
uint32_t warp_order_soon(const struct warp_order *order, uint32_t ahead);

/* Memory has SECTORS more to move. */
void warp_order_move(struct warp_order *order, uint64_t sectors);

/* When a load that is issued now has its data. */
uint64_t warp_order_loaded(const struct warp_order *order);

#endif
