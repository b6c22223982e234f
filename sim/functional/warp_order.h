/* The order in which the warps of a functional launch continue: see sim_functional().
 *
 * Which lines a cache keeps, and which of them it replaces next, depends on the order of the
 * accesses of warps that run at the same time. If warps simply took turns, all loads of those
 * on the SMs would come before all their stores. In a timed launch, warps whose data arrive
 * first run ahead, and new blocks begin one by one. Here each warp therefore has a cycle from
 * which it continues, on a clock that is only accurate enough to order accesses:
 *
 *   - after instructions that do not depend on each other, such as loads whose addresses are
 * not loaded: at once, or with -hearth_memory_turns after each memory instruction, so that
 * warps take turns;
 *   - before an instruction that needs what loads bring: when the last of them would have its
 * data;
 *   - at a barrier: when the block's other warps have come to one;
 *   - before its end: when its last store would be acknowledged, if warps wait for that;
 *   - in all cases, plus the time of the instructions in between.
 *
 * An SM gets its blocks when its timed one would (sm_take_block()): a place is called for that.
 *
 * Warps that find their SM's load/store unit busy continue in the order in which they came to
 * it. What a channel of DRAM reads and writes passes through one queue. While the queues
 * between the tags of L2 and the channel are full, all that comes to its slices waits before
 * the tags, in its order, stores among loads; only loads that miss L2 wait for DRAM, too. SMs
 * stop sending to them when what waits there fills the queues of the slices.
 *
 * Where a load hits is what the tags of the functional launch say. How long everything takes
 * follows from the configuration: see order_times.h.
 */
#ifndef HEARTH_SIM_FUNCTIONAL_WARP_ORDER_H
#define HEARTH_SIM_FUNCTIONAL_WARP_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/functional/order_times.h"

#define WARP_ORDER_SLOTS 4096u /* slots of the wheel of warps that wait: a cycle each */

/* Where a load finds its data. */
enum warp_order_level { WARP_ORDER_IN_L1, WARP_ORDER_IN_L2, WARP_ORDER_IN_DRAM };

struct warp_order {
    uint64_t now;   /* cycle */
    uint32_t warps; /* in all */
    uint32_t calls; /* number of the first SM's place for a block */
    uint32_t of_sm; /* warps of each SM, which have consecutive numbers */
    struct warp_order_list {
        uint32_t first, last;  /* WARP_ORDER_NONE: it is empty */
    } slots[WARP_ORDER_SLOTS]; /* who continues in each: warps, SMs as `warps` + number, and
                                * places of SMs for blocks as `calls` + number */
    uint64_t used[WARP_ORDER_SLOTS / 64]; /* slots that are not empty, one a bit */
    struct warp_order_sm {
        uint64_t free; /* cycle from which its load/store unit is free */
        struct warp_order_list
            queue;  /* warps that wait for the unit; if there are any, the SM is in a slot */
    } * sms;        /* owned */
    uint32_t *next; /* of each warp, SM and place: the next one in its slot or queue; owned */
    uint32_t turn;  /* the SM with a queue that is in no slot because its warp has its turn, or
                     * WARP_ORDER_NONE */
    struct order_times times;
    uint64_t *memory;  /* when each channel of DRAM will have transferred all sectors so far, in
                        * 1/ORDER_TIMES_PARTS cycles; owned */
    uint64_t reached;  /* when the last accesses, those since warp_order_begin(), come to the
                        * tags of L2 */
    uint64_t moved;    /* when DRAM has transferred what they ask of it */
    uint32_t distance; /* by which L2's answers to them take longer than the nearest ones */
};

#define WARP_ORDER_NONE UINT32_MAX

/* For SMS SMs with WARPS warps each, numbered from 0; the first warp of SM 1 is number WARPS.
 * DRAM has CHANNELS. Returns false when memory is short. */
bool warp_order_init(struct warp_order *order, uint32_t sms, uint32_t warps, uint32_t channels,
                     const struct order_times *times);
void warp_order_finish(struct warp_order *order);

/* WARP continues from CYCLE on, after the warps that already wait for then. */
void warp_order_wait(struct warp_order *order, uint32_t warp, uint64_t cycle);

/* warp_order_take() gives SM's place in CYCLE; not again before it has. */
void warp_order_call(struct warp_order *order, uint32_t sm, uint64_t cycle);

/* Whether WHO, whom warp_order_take() gave, is the place of an SM: *SM. */
static inline bool warp_order_is_place(const struct warp_order *order, uint32_t who,
                                       uint32_t *sm)
{
    *sm = who - order->calls;
    return who >= order->calls && who != WARP_ORDER_NONE;
}

/* Whether CYCLE has come. */
static inline bool warp_order_has_come(const struct warp_order *order, uint64_t cycle)
{
    return cycle <= order->now;
}

static inline uint64_t warp_order_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* SM sends SECTORS, after what it already has to send. */
static inline void warp_order_pass(struct warp_order *order, uint32_t sm, uint32_t sectors)
{
    uint64_t *free = &order->sms[sm].free;
    uint32_t port = order->times.port;
    *free = warp_order_later(*free, order->now) + (sectors + port - 1) / port;
}

/* Takes the next warp to continue, whose SM's load/store unit is free, or the next
 * place that was called. WARP_ORDER_NONE: there is none. */
uint32_t warp_order_take(struct warp_order *order);

/* Guesses which warp will be taken after AHEAD others; WARP_ORDER_NONE: unknown, or a place. */
uint32_t warp_order_soon(const struct warp_order *order, uint32_t ahead);

/* The accesses of another turn follow, whose answers from L2 take DISTANCE longer than those of
 * the nearest slice. */
static inline void warp_order_begin(struct warp_order *order, uint32_t distance)
{
    order->reached = order->moved = 0;
    order->distance = distance;
}

/* SM has sent accesses to slices of CHANNEL, which has SECTORS more to transfer because of
 * them. */
void warp_order_move(struct warp_order *order, uint32_t sm, uint32_t channel, uint32_t sectors);

/* The cycle in which what SM has just sent has its data, which are found in LEVEL. */
uint64_t warp_order_loaded(const struct warp_order *order, uint32_t sm,
                           enum warp_order_level level);

/* The cycle in which a store that SM has just sent is acknowledged. */
uint64_t warp_order_stored(const struct warp_order *order, uint32_t sm);

#endif
