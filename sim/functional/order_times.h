/* How long the accesses of functional launches take, as far as their order depends on it
 * (sim/functional/warp_order.h). All of it follows from the configuration. */
#ifndef HEARTH_SIM_FUNCTIONAL_ORDER_TIMES_H
#define HEARTH_SIM_FUNCTIONAL_ORDER_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct spec;

#define ORDER_TIMES_PARTS 65536u /* of a cycle: sectors take one or two */

/* In core cycles, with idle memory. */
struct order_times {
    uint32_t l1, l2, dram; /* until a load that hits L1, hits L2, or misses has its data */
    uint32_t stored; /* until a store is acknowledged; 0: warps end without waiting for that */
    uint32_t port;   /* sectors a cycle that an SM sends */
    bool turns;      /* warps send one memory instruction after the other in turn */
    uint64_t sector; /* for which a channel of DRAM is busy with a sector, in
                      * 1/ORDER_TIMES_PARTS cycles, at least 1 */
    uint32_t queue;  /* for which it is busy with what the queues between the tags of its slices
                      * and it hold */
    uint32_t before; /* the same with the slices' queues before these tags */
};

struct order_times order_times_of(const struct spec *spec);

#endif
