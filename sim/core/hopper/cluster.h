/* Clusters: thread blocks that begin together, in SMs of one GPC, and reach each other's shared
 * memory. What a block sends to another one of its cluster is a message; SMs exchange messages
 * when a window opens, as each takes longer than a window. */
#ifndef HEARTH_SIM_CORE_HOPPER_CLUSTER_H
#define HEARTH_SIM_CORE_HOPPER_CLUSTER_H

#include <stdint.h>

#define CLUSTER_MOST        16 /* blocks of a cluster */
#define CLUSTER_WINDOW_LOG2 24 /* bytes from one's shared memory to the next one's */

/* A block of a cluster: slot BLOCK of SM holds block ORDER of the trace. */
struct cluster_member {
    uint64_t order;
    uint16_t sm;
    uint8_t block;
};

struct cluster {
    uint8_t count;                               /* of its blocks; 0: not known, or none */
    uint8_t rank;                                /* of the block itself */
    struct cluster_member members[CLUSTER_MOST]; /* by rank */
};

enum cluster_message_kind {
    CLUSTER_ARRIVES, /* at a barrier in shared memory */
    CLUSTER_BYTES,   /* come to one */
    CLUSTER_MEETS,   /* all warps of a block have come to the barrier of the cluster */
    CLUSTER_LEAVES,  /* a block has ended */
};

struct cluster_message {
    uint64_t cycle; /* when it takes effect */
    struct cluster_member to;
    uint64_t launch;    /* number of the launch of both */
    uint8_t kind, rank; /* rank: of the sender */
    uint32_t address;   /* of the barrier: offset in shared memory */
    uint32_t arrivals;
    uint64_t bytes;
};

/* What a copy brings to other blocks than the one that asks for it. */
struct cluster_copy {
    struct cluster cluster;
    uint64_t launch;    /* its number */
    uint16_t receivers; /* bit = rank; the asking block's is not set */
    uint32_t barrier;   /* of each: offset in shared memory */
};

/* A sector that another block has asked for: which block it comes to, and its barrier, in the
 * address of a packet. */
static inline uint64_t cluster_pack(const struct cluster_member *to, uint32_t barrier)
{
    return to->order << 32 | (uint64_t)to->block << 24 | barrier;
}

#endif
