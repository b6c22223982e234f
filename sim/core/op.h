/* An instruction in flight. */
#ifndef HEARTH_SIM_CORE_OP_H
#define HEARTH_SIM_CORE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/inst.h"
#include "sim/core/pool.h"

#define SM_NONE  POOL_NONE /* no instruction */
#define SM_LISTS 64 /* coalesced accesses of instructions waiting for the load/store unit */

struct sm_op {
    uint64_t age; /* the model's: order of issue (legacy), or cycle in which its address is
                   * there (modern) */
    const struct inst *inst; /* NULL (modern): a store that has left its warp */
    uint32_t mask;
    uint16_t next;    /* of a write-back list or the free list */
    uint16_t pending; /* sectors that have not come */
    uint16_t wait;    /* modern: LDC: cycles beyond a hit; shared memory: bytes in that of other
                       * blocks of the cluster */
    uint16_t copy;    /* modern: number of a transfer between shared memory and L2, plus 1 */
    uint16_t cycles;  /* shared memory: still to spend in the bank-conflict stage; other units
                       * than the load/store unit: on top of the latency */
    uint8_t group;    /* LDGSTS: its group */
    uint8_t warp, scheduler;
    uint8_t list;  /* of coalesced sectors; SM_LISTS = none */
    uint8_t space; /* enum trace_space, generic ones resolved */
    bool left;     /* legacy: the load/store unit has sent all of it */
};

#endif
