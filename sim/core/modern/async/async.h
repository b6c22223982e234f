/* What goes on beside a warp in the modern core (sim/core/hopper/): products of groups of
 * warps, barriers in shared memory and the loops that wait at them, copies of tensors, barriers
 * of clusters and named ones. */
#ifndef HEARTH_SIM_CORE_MODERN_ASYNC_ASYNC_H
#define HEARTH_SIM_CORE_MODERN_ASYNC_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/hopper/async_op.h"
#include "sim/core/hopper/barriers.h"
#include "sim/core/hopper/boxes.h"
#include "sim/core/hopper/cluster.h"
#include "sim/core/hopper/matrices.h"
#include "sim/core/hopper/poll_loop.h"
#include "sim/core/hopper/values.h"
#include "sim/core/limits.h"

#define ASYNC_NAMED 16 /* barriers of a block that BAR can name */
#define ASYNC_MAPS  32 /* tensor maps that an SM remembers */

struct inst;
struct modern;
struct packet;
struct sm;
struct trace_record;

struct async_spec {
    uint32_t matrix_rate;  /* fused operations of half precision a cycle; 0: HGMMA is a tensor
                            * instruction like others */
    uint32_t matrix_rest;  /* cycles from its end until its sums can be read */
    bool matrix_overlap;   /* `matrix_rest` counts from the end of the multiplications alone */
    uint32_t matrix_queue; /* products that wait for the tensor units */
    uint32_t barrier;      /* cycles from the issue of SYNCS to its effect; 0: it has none */
    uint32_t answer;       /* from there to the answer of a wait */
    uint32_t cluster;      /* from a block of a cluster to another one, in place of `barrier` */
    uint32_t cluster_barrier; /* from the last arrival at the barrier of a cluster to its end */
    uint32_t copy_interval, copy_latency; /* cycles from a copy to the next one; to its first
                                           * bytes */
    uint32_t copy_bytes;                  /* that come a cycle */
    uint32_t copy_map;                    /* cycles more where the tensor map is not known */
    uint32_t copy_store;                  /* until a store has read shared memory */
    uint32_t store_sectors; /* that stores write a cycle; 0: as many as copies request */
    uint32_t copy_sectors;  /* that copies request a cycle; 0: copies send no requests */
    uint32_t copy_flight;   /* that may be on their way */
    uint32_t copy_start;    /* cycles from a copy's start to its first request */
    uint32_t cluster_bytes; /* that a block copies to another one a cycle */
    uint32_t named;         /* latency of named barriers; 0: as of others */
    uint32_t pause;         /* cycles in which a NANOSLEEP of 1,000 ns ends; 0: at once */
};

/* A barrier and the phase that is waited for. */
struct async_place {
    uint32_t address, parity;
};

/* Of a warp's slot. */
struct async_warp {
    struct values *values; /* owned; NULL: none of its warps has needed them */
    bool follows;          /* they are kept for the current warp */
    bool skips;            /* inside a loop that waits for what has come */
    bool waited;           /* at a barrier, and has used no memory since */
    uint8_t passed_count;
    struct async_place passed[32]; /* of the last wait */
    struct poll_loop loop;
    uint32_t open;      /* batches, or groups of stores, that it does not wait for */
    uint32_t groups;    /* of stores, that are open */
    uint32_t registers; /* of a thread, after USETMAXREG; 0: as many as the launch gave */
    uint32_t wanted;    /* while it waits for registers */
    uint32_t taken_at;  /* place of the USETMAXREG that gave it the last ones, and 1 */
    uint32_t cluster;   /* barriers of the cluster that it has arrived at */
};

/* A wait that is not over. */
struct async_wait {
    const struct inst *inst; /* NULL: free */
    uint8_t warp, block, count;
    uint64_t from; /* cycle in which it comes to the barriers: it cannot pass before */
    struct async_place on[32];
};

/* What the lanes of a SYNCS in the queue ask for. */
struct async_request {
    uint64_t written;        /* by SYNCS.EXCH; 0: not known */
    struct trace_async asks; /* if the trace has the registers: asks.is_known */
    uint8_t count;
    bool known;       /* the values are */
    uint32_t far;     /* mask of those at other blocks, */
    uint8_t rank[32]; /* of these numbers in the cluster */
    uint32_t address[32], value[32];
};

enum async_what {
    ASYNC_AT_BARRIER,
    ASYNC_CHECK,
    ASYNC_FIRST_BYTES,
    ASYNC_LAST_BYTES,
    ASYNC_GO_ON,
    ASYNC_CLUSTER_OPENS,
    ASYNC_CLUSTER_MEETS,
    ASYNC_CLUSTER_LEAVES
};

/* Something that happens in a cycle that is known, to a block or a warp of it. */
struct async_action {
    uint64_t cycle;
    uint32_t serial; /* of the block: else it has ended */
    uint8_t what, block, warp;
    uint16_t wait;
    uint32_t address, arrivals, receivers, place, map;
    uint64_t bytes;
};

#define ASYNC_READS 16 /* products whose reads of registers are not over, at most */

/* A product that reads as many sums of each of its warps from its begin to its end. */
struct async_reads {
    uint64_t begin, end;
    uint32_t registers;
};

#define ASYNC_NOBODY 0xffffu /* no transfer */

/* A group of stores of WARP, which is open until so many of all have been sent. */
struct async_group {
    uint64_t stores;
    uint8_t warp;
};

/* What a copy moves between shared memory and L2. */
struct async_transfer {
    struct copy_box box;
    uint64_t from;   /* cycle of its first request */
    uint64_t bytes;  /* that its barrier gets at the end; 0: it has none */
    uint32_t serial; /* of its block */
    uint32_t barrier;
    uint16_t next;       /* of those that are sent, or are free */
    uint16_t op;         /* that answers name; SM_NONE: there are none */
    uint8_t block, slot; /* slot: of the launch */
    uint8_t kind;        /* enum packet_kind */
    uint64_t asked;      /* bytes that its requests ask for, so far */
    struct cluster_copy copies;
};

/* Of a block's slot. */
struct async_block {
    uint32_t serial;
    uint32_t rank; /* in its cluster */
    bool lost;     /* copies whose barrier is not known */
    struct barriers barriers;
    struct matrices groups[SM_MAX_WARPS / MATRICES_WARPS];
    struct {
        uint64_t warps; /* that wait */
        uint32_t arrived;
        uint64_t free; /* cycle from which it takes an arrival */
    } named[ASYNC_NAMED];
    uint32_t cluster_arrived, cluster_open;
    uint32_t met[CLUSTER_MOST]; /* barriers of the cluster to which each block has come;
                                 * UINT32_MAX: it has ended */
    uint32_t registers;         /* that its warps have left, of a thread each */
};

struct async {
    struct async_warp warps[SM_MAX_WARPS];
    struct async_block *blocks[SM_MAX_BLOCKS]; /* owned */
    uint32_t serial;
    struct async_wait *waits; /* owned */
    uint32_t wait_count, wait_room;
    struct async_request *requests; /* owned: of each instruction in flight */
    uint32_t request_room;
    struct async_action *actions; /* owned, in no order */
    uint32_t action_count, action_room;
    uint64_t next;        /* the earliest action's cycle; UINT64_MAX */
    uint64_t matrix_free; /* cycle from which the tensor units take a product of a group */
    struct async_reads reads[ASYNC_READS]; /* one after the other, */
    uint32_t read_first, read_count;       /* a ring */
    uint64_t copy_free, path_free;         /* ... the engine takes a copy; its bytes can come */
    uint64_t stored;                       /* ... all stores have read shared memory */
    uint64_t stores, sent;                 /* that have begun; that have all been sent */
    struct async_group *groups;            /* owned: of stores that are not all sent */
    uint32_t group_count, group_room;
    uint64_t waiting_product, waiting_cluster, waiting_registers; /* masks of warps, */
    uint64_t waiting_stores;
    uint64_t waiting_launch; /* the same: for the end of earlier launches */
    uint64_t waiting_pause;  /* ... for the end of a NANOSLEEP */
    struct async_map {
        uint64_t address, there; /* cycle from which it is */
        uint32_t place, stride;  /* of the last copy by it; between two */
    } maps[ASYNC_MAPS];          /* tensor maps, in turn */
    uint32_t map_next;
    uint64_t share_free;              /* cycle from which bytes go to other blocks */
    uint64_t reach_free;              /* ... and come from them */
    struct async_transfer *transfers; /* owned */
    uint32_t transfer_count, transfer_room;
    uint16_t free_transfer;
    uint16_t send_first, send_last; /* of those whose requests are not all sent */
    uint32_t moving;                /* transfers that have not ended */
    uint32_t asked;                 /* sectors on their way to shared memory */
};

/* WARP begins. */
void core_async_begin(struct modern *core, uint32_t warp);
void core_async_end_block(struct modern *core, uint32_t block);
void core_async_finish(struct modern *core);

/* INST of WARP issues now: what it does beside its unit, and the values that it computes. */
void core_async_issue(struct modern *core, uint32_t warp, const struct inst *inst,
                      const struct trace_record *record);
/* The same for one with the load/store unit, which is operation INDEX. */
void core_async_enter(struct modern *core, uint16_t index, const struct trace_record *record);
/* The shared unit takes operation INDEX, of a SYNCS. */
void core_async_take(struct modern *core, uint16_t index);
/* INST of WARP, a store of a tensor or a wait for those, reads shared memory. */
void core_async_store(struct modern *core, uint32_t warp, const struct inst *inst,
                      const struct trace_record *record);
/* WARP waits until at most OPEN of its groups of stores are not all sent. */
void core_async_wait_stored(struct modern *core, uint32_t warp, uint32_t open);
/* Requests of copies leave in this cycle. */
void core_async_send(struct modern *core);
/* A sector has come for operation INDEX, of a copy. */
void core_async_came(struct modern *core, uint16_t index);
/* PACKET has come, a sector that another block's copy brings to this SM, too. */
void core_async_shared(struct modern *core, const struct packet *packet);
/* The model's hooks `hear` and `copies`. */
void core_async_hear(struct sm *sm, const struct cluster_message *message);
const struct cluster_copy *core_async_copies(const struct sm *sm, uint16_t op);
/* BYTES go to the shared memory of other blocks of the cluster, or come from there (LOADS),
 * from now on at the earliest. Returns the cycle after the last one, and *BEGINS with the
 * first. */
uint64_t core_async_reach(struct modern *core, uint32_t bytes, bool loads, uint64_t *begins);
/* Sets the bits of USED, one of a cycle from BASE on, of the cycles FROM to TO in which
 * products read from a bank of a sub-core's registers. Returns the cycle up to which they are
 * known. */
uint64_t core_async_reads(struct async *async, uint64_t base, uint64_t from, uint64_t to,
                          uint64_t *used);
/* Whether products that read registers are not over. */
static inline bool core_async_is_reading(const struct async *async)
{
    return async != NULL && async->read_count != 0;
}
/* Whether copies move data. */
static inline bool core_async_moves(const struct async *async)
{
    return async != NULL && async->moving != 0;
}
/* Plans that the cluster's barrier opens if all running warps of BLOCK have arrived: after an
 * arrival, and when a warp ends. */
void core_async_cluster_check(struct modern *core, uint32_t block);
/* What a BAR is: BAR.SYNC, which waits, or BAR.ARV, of a barrier for so many warps; 0: of all.
 */
struct async_named {
    uint8_t number, warps;
    bool waits;
};

/* Number and warps as RECORD has them, of a BAR of WARP that names them by registers. */
void core_async_name(const struct modern *core, uint32_t warp,
                     const struct trace_record *record, struct async_named *named);
/* WARP comes to a barrier for some of the warps. */
void core_async_named(struct modern *core, uint32_t warp, const struct async_named *named);

/* Whether the next instruction of WARP is part of a loop that waits for what has come already:
 * the trace has turned more often than the model. */
bool core_async_skips(struct modern *core, uint32_t warp);

/* Warps that wait for products, clusters, registers, earlier launches, stores of tensors or
 * time. */
static inline uint64_t core_async_held(const struct async *async)
{
    return async != NULL
               ? async->waiting_product | async->waiting_cluster | async->waiting_registers |
                     async->waiting_launch | async->waiting_stores | async->waiting_pause
               : 0;
}

/* What is due in this cycle; when the next is. */
void core_async_cycle(struct modern *core);
static inline uint64_t core_async_next(const struct async *async)
{
    return async != NULL ? async->next : UINT64_MAX;
}
/* Lets warps go on whose wait for earlier launches is over; when the next one's is. */
void core_async_launches(struct modern *core);
uint64_t core_async_next_launch(const struct modern *core);
/* Nothing else moves in the SM, or in ALL: lets a wait pass that nothing will end, of a block
 * whose cluster is not known, or of any. Returns whether there was one. */
bool core_async_release(struct modern *core, bool all);

#endif
