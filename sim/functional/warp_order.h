/* The order in which the warps of a functional launch continue: see sim_functional().
 *
 * Which lines a cache keeps, and which of them it replaces next, depends on the order of the
 * accesses of warps that run at the same time. If warps simply took turns, all loads of those
 * on the SMs would come before all their stores. In a timed launch, warps whose data arrive
 * first run ahead, and new blocks begin one by one. Here each warp therefore has a cycle from
 * which it continues, on a clock that is only accurate enough to order accesses:
 *
 *   - after instructions that do not depend on each other, such as loads whose addresses are
 * not loaded: at once;
 *   - before an instruction that needs what loads bring: when the last of them would have its
 * data, WARP_ORDER_LATENCY cycles after memory has transferred what went past L1 before it;
 *   - in both cases, plus the time of the instructions in between.
 *
 * Warps that find their SM's load/store unit busy continue in the order in which they came to
 * it. An SM sends one sector a cycle. Memory transfers one sector for each SM in
 * WARP_ORDER_SECTOR cycles, and is at most WARP_ORDER_BEHIND cycles behind.
 *
 * These numbers are the same for every configuration, and whether L2 holds a sector does not
 * matter, so that one order serves all configurations that differ only in memory
 * (sim_follow()). They are means of the bundled cards, rounded:
 *   - latency: a chain of loads that all miss L2 takes 512 cycles a load on an RTX 3070, 330 on
 * a V100, 499 on an A100 and 692 on an H100;
 *   - sector: their DRAM transfers a sector for each SM in 3.3, 3.9, 3.1 and 2.2 core cycles;
 *   - behind: an SM with 48 to 64 warps that each wait for one or two loads of four sectors has
 * 192 to 512 sectors in flight. Memory needs 600 to 1,500 cycles for them, so the last of them
 * come 100 to 1,000 cycles later than by latency alone.
 */
#ifndef HEARTH_SIM_FUNCTIONAL_WARP_ORDER_H
#define HEARTH_SIM_FUNCTIONAL_WARP_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define WARP_ORDER_SLOTS 4096u /* slots of the wheel of warps that wait */
#define WARP_ORDER_SLOT  4u    /* cycles of each */

#define WARP_ORDER_LATENCY 500u /* cycles */
#define WARP_ORDER_SECTOR  3u   /* cycles */
#define WARP_ORDER_BEHIND  500u /* cycles */

struct warp_order {
    uint64_t now;    /* cycle */
    uint64_t served; /* number of the slot that is served, which is that of `now` or an earlier
                      * one */
    uint32_t warps;  /* in all */
    uint32_t of_sm;  /* warps of each SM, which have consecutive numbers */
    struct warp_order_list {
        uint32_t first, last;  /* WARP_ORDER_NONE: it is empty */
    } slots[WARP_ORDER_SLOTS]; /* who continues in each: warps, and SMs as `warps` + number */
    uint64_t used[WARP_ORDER_SLOTS / 64]; /* slots that are not empty, one a bit */
    struct warp_order_sm {
        uint64_t free; /* cycle from which its load/store unit is free */
        struct warp_order_list
            queue;   /* warps that wait for the unit; if there are any, the SM is in a slot */
    } * sms;         /* owned */
    uint32_t *next;  /* of each warp and SM: the next one in its slot or queue; owned */
    uint32_t turn;   /* the SM with a queue that is in no slot because its warp has its turn, or
                      * WARP_ORDER_NONE */
    uint64_t memory; /* when memory will have transferred all sectors so far, in 1/256 cycles */
    uint64_t sector; /* time for one sector, in 1/256 cycles, at least 1 */
};

#define WARP_ORDER_NONE UINT32_MAX

/* For SMS SMs with WARPS warps each, numbered from 0; the first warp of SM 1 is number WARPS.
 * Returns false when memory is short. */
bool warp_order_init(struct warp_order *order, uint32_t sms, uint32_t warps);
void warp_order_finish(struct warp_order *order);

/* WARP continues from CYCLE on, after the warps that already wait for then. */
void warp_order_wait(struct warp_order *order, uint32_t warp, uint64_t cycle);

/* SM sends SECTORS, after the sectors that it already has to send. */
static inline void warp_order_pass(struct warp_order *order, uint32_t sm, uint32_t sectors)
{
    uint64_t free = order->sms[sm].free;
    order->sms[sm].free = (free > order->now ? free : order->now) + sectors;
}

/* Takes the next warp to continue, whose SM's load/store unit is free in this slot.
 * WARP_ORDER_NONE: no warp waits. */
uint32_t warp_order_take(struct warp_order *order);

/* Guesses which warp will be taken after AHEAD others; WARP_ORDER_NONE: unknown. */
uint32_t warp_order_soon(const struct warp_order *order, uint32_t ahead);

/* Memory has SECTORS more to transfer. */
void warp_order_move(struct warp_order *order, uint64_t sectors);

/* The cycle in which a load that is issued now has its data. */
uint64_t warp_order_loaded(const struct warp_order *order);

#endif
