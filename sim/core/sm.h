/* A streaming multiprocessor as the rest of the model sees it, whatever core model simulates
 * its pipeline (sim/core/core_model.h).
 *
 * An SM talks with the rest through two queues of timestamped packets only (replies, requests),
 * and runs by itself up to a given cycle. */
#ifndef HEARTH_SIM_CORE_SM_H
#define HEARTH_SIM_CORE_SM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/core/code/code_caches.h"
#include "sim/core/core_model.h"
#include "sim/core/hopper/cluster.h"
#include "sim/core/launch.h"
#include "sim/core/limits.h"
#include "sim/core/observer.h"
#include "sim/core/observers/activity.h"
#include "sim/core/schedulers/warp_scheduler.h"
#include "sim/memory/address_table.h"
#include "sim/memory/cache.h"
#include "sim/memory/queue.h"
#include "sim/stats/shares.h"
#include "traces/traces.h"

struct sim_cpi;

/* Fixed by the configuration. */
struct sm_spec {
    const struct core_model *model;
    void *own; /* what the model derived: model->spec_size bytes; owned by struct spec */
    const struct sim_config *config;
    const struct address_table_map *places;
    uint32_t warps, blocks; /* that fit in all */
    uint32_t regs, shmem;   /* the same: registers, bytes of shared memory */
    uint32_t schedulers;
    const struct warp_scheduler *scheduler;
    uint32_t shared_latency, shared_banks;
    uint32_t shared_parts; /* groups of lanes, each checked for conflicts separately */
    bool shared_limited;   /* a group can broadcast only one word */
    uint32_t l1_latency, l1_banks, l1_interleave_log2, l1_bank_hash;
    uint32_t fill_queue;    /* replies that may wait for the load/store unit */
    uint32_t port_sectors;  /* packets a cycle to and from the crossbar, at least 1 */
    uint32_t sends;         /* packets that it sends in a cycle, at most; at least 1 */
    uint32_t request_limit; /* packets that the crossbar holds for the SM */
    uint32_t posted_max;    /* the same for reductions; 0: warps wait for them */
    bool posts_stores;      /* no warp waits for stores */
    bool notes_lines;       /* its reads know which sectors of their lines came with them */
    bool waits_for_atomics; /* a warp does nothing else until they are answered */
    bool l1_enabled, skip_l1_global;
    struct code_spec code;
    uint32_t block_interval, block_interval_warp, block_turnaround; /* core cycles */
    uint32_t sweep; /* core cycles in which the dispatcher comes to each GPC once; 0: at once */
    uint32_t warp_interval;    /* from a warp of a block to the next one: core cycles */
    uint32_t cluster_interval; /* the same of blocks of clusters; 0: as of others */
    uint32_t block_start;      /* the same: latency */
    bool cpi_stack;
    bool activity; /* counts what it issues */
};

/* What is kept of a block that has ended, for observers. */
struct sm_ended {
    uint64_t order; /* of the block in the trace, from 0 */
    uint32_t index[3];
    uint64_t begin, end; /* cycles: handed to the SM, last of its warps retired */
};

struct sm_block {
    struct trace_block *trace; /* NULL: free, or timed */
    const struct sm_launch *launch;
    struct sm_ended about;
    bool timed;      /* only takes its place until about.end */
    bool let_go;     /* the next launch need not wait for it (sm_let_go()) */
    uint64_t warps;  /* mask of warp slots that it takes */
    uint32_t waited; /* cycles by which it came late, but not its warps */
    /* the model's */
    uint16_t live;           /* warps not retired */
    uint16_t running;        /* warps not at their end */
    uint16_t waiting;        /* warps at the barrier */
    uint64_t at_barrier;     /* mask of warp slots */
    struct cluster *cluster; /* owned; NULL: none. From the block scheduler, once all of the
                              * cluster's blocks have places */
};

struct sm_stats {
    uint64_t activity[SM_ACTIVITIES]; /* with -hearth_activity */
    uint64_t warp_insts, thread_insts, blocks, atomics, shared_conflicts;
    uint64_t l1_conflicts; /* cycles in which a sector waited for its bank of L1 */
    uint64_t waited_insts; /* of the trace, left out */
    uint64_t unknown_waits, unseen_copies; /* as in sim/stats/counters.def */
    uint64_t active_cycles;                /* with a block, until the SM last became empty */
    uint64_t dram_waits;  /* cycles in which nothing moved, ended by what DRAM brought */
    uint64_t warp_cycles; /* retired warps: cycles from their block's arrival on */
};

/* What a launch has sent that its blocks do not wait for: stores, posted reductions, copies to
 * global memory. */
struct sm_flight {
    uint64_t count; /* on its way */
    uint64_t last;  /* cycle in which the last of them arrived; 0: none has */
};

/* A core model's struct begins with it. The model changes what is marked so; blocks and
 * launches come and go through the functions below. */
struct sm {
    uint64_t now;           /* next cycle to simulate; the model's */
    _Atomic uint64_t clock; /* the same for other threads to read; the model's */
    const struct core_model *model;
    const struct sm_spec *spec;
    uint32_t number;
    uint32_t requests_ahead; /* packets of earlier windows that still wait for the crossbar */
    struct sm_observers observers;
    struct cpi *cpi;          /* NULL: no CPI stacks; the model's */
    struct code_caches *code; /* NULL: all perfect; the model's */
    struct queue replies;     /* ready: cycle in which the model may take it */
    struct queue taken;       /* the model's: replies that it has taken and not used */
    struct queue requests;    /* the model's; ready: cycle in which the crossbar may take it */
    uint32_t code_requests;   /* of `requests`: those for code; the crossbar sets it to 0 */
    uint32_t posted;          /* packets for which nobody waits that L2 has not answered; the
                               * model's */
    struct cache l1;          /* the model's */
    struct {
        struct cluster_message *all; /* owned */
        uint32_t count, room;
    } messages;            /* the model's: to other SMs; the engine takes them */
    struct sm_stats stats; /* the model's, but for blocks and active_cycles */

    /* blocks */
    uint32_t blocks_max; /* at once */
    uint32_t blocks_used;
    uint64_t next_block;   /* no block is given to it before the end of this cycle */
    uint32_t turn;         /* cycle of a sweep in which it may get one for another that ended */
    uint32_t waits;        /* cycles that it waits for that */
    uint32_t blocks_given; /* in this launch; shared: since another launch took the empty SM */
    uint64_t warps_used;   /* mask of warp slots */
    bool shared;           /* blocks of several launches may be in it at once */
    bool place;            /* shared: what `least` says is free */
    struct sm_needs least, used; /* shared: a block needs so much at least; taken */
    bool flush_l1;               /* shared: when a launch takes the empty SM from another */
    uint64_t last_launch;        /* shared: number of the launch that last took it empty */
    struct sm_stats *shares;     /* shared: of each slot, without active_cycles; the owner is
                                  * the engine */
    struct sm_flight *flights;   /* the same; NULL: not counted */
    uint64_t active_since;       /* while there are blocks: cycle of the first one's arrival */
    uint64_t last_end;           /* cycle in which the last block ended */
    uint64_t timed_end; /* cycle in which the next timed block ends; UINT64_MAX = none */
    struct sm_block blocks[SM_MAX_BLOCKS];
};

/* NULL when memory is short. */
struct sm *sm_create(const struct sm_spec *spec, uint32_t number);
/* Accepts NULL. */
void sm_destroy(struct sm *sm);
/* As after sm_create(): caches and pointers; it must be idle. */
void sm_reset(struct sm *sm);

/* Prepares an idle SM for LAUNCH, which starts at cycle START and runs alone. */
void sm_begin(struct sm *sm, const struct sm_launch *launch, uint64_t start);

/* Readies an idle SM from cycle START on for launches that share it, as far as threads,
 * registers, shared memory and blocks allow. The unified memory is divided, and with FLUSH_L1
 * L1 emptied, when a launch takes the empty SM from another; blocks that join change nothing.
 * Source: shader_core_ctx::can_issue_1block() of GPGPU-Sim, and for L1, which it divides anew
 * in all SMs with every launch, the rule that no line is lost while it is used. */
void sm_begin_shared(struct sm *sm, bool flush_l1, uint64_t start);
/* The same for launches that go on with it after sm_end(). */
void sm_resume_shared(struct sm *sm, uint64_t start);

/* Ends the launch for an idle SM; the block scheduler had blocks left up to
 * cycle LAST_GIVEN. The schedulers' turns stand still in between. */
void sm_end(struct sm *sm, uint64_t last_given);

/* True when a block may be given to it; shared: one that needs no more than `least`. */
static inline bool sm_has_place(const struct sm *sm)
{
    return sm->blocks_used < sm->blocks_max && sm->place && sm->next_block < sm->now;
}

/* Whether BLOCK has begun: the first blocks of a launch may be given to an SM ahead of that. */
static inline bool sm_has_begun(const struct sm *sm, const struct sm_block *block)
{
    return block->about.begin < sm->now;
}

/* The cycle at whose end a block may be given to it, if there will be one without another
 * event; else UINT64_MAX. */
static inline uint64_t sm_next_place(const struct sm *sm)
{
    return sm->next_block >= sm->now && sm->blocks_used < sm->blocks_max && sm->place
               ? sm->next_block
               : UINT64_MAX;
}

/* Shared: sets what the least demanding block that waits needs. */
void sm_set_least(struct sm *sm, const struct sm_needs *least);

/* True when there is room for a block of LAUNCH. */
bool sm_fits(const struct sm *sm, const struct sm_launch *launch);

/* Gives the SM a block of LAUNCH at the end of cycle NOW; it becomes its owner. ORDER is
 * its number in the trace. Returns its slot. */
uint32_t sm_take_block(struct sm *sm, const struct sm_launch *launch, struct trace_block *block,
                       uint64_t order, uint64_t now);

/* A block that is not simulated: it only takes a place for CYCLES (at least 1). INDEX as in
 * struct trace_block. */
void sm_take_timed(struct sm *sm, const struct sm_launch *launch, const uint32_t index[3],
                   uint64_t order, uint64_t cycles, uint64_t now);

static inline bool sm_has_timed(const struct sm *sm)
{
    return sm->timed_end != UINT64_MAX;
}

/* The next cycle that the SM will simulate; any thread may ask. */
static inline uint64_t sm_clock(struct sm *sm)
{
    return atomic_load_explicit(&sm->clock, memory_order_acquire);
}

/* The same, for the thread that may run it. */
static inline uint64_t sm_now(const struct sm *sm)
{
    return sm->now;
}

static inline void sm_set_clock(struct sm *sm, uint64_t now)
{
    sm->now = now;
    atomic_store_explicit(&sm->clock, now, memory_order_release);
}

/* Simulates until sm->now == END, or, with YIELD, until a cycle has ended in
 * which a place for a block was free: returns true then. */
static inline bool sm_run(struct sm *sm, uint64_t end, bool yield)
{
    return sm->model->run(sm, end, yield);
}

/* True when nothing will move in it any more unless a packet comes. */
static inline bool sm_stuck(const struct sm *sm)
{
    return sm->model->stuck(sm);
}

/* True while packets are in the SM, or wait to enter it or the crossbar. */
bool sm_busy(const struct sm *sm);

/* True while stores of blocks that have ended are on their way. */
static inline bool sm_storing(const struct sm *sm)
{
    return sm->model->storing != NULL && sm->model->storing(sm);
}

/* PACKET, a reply, has come; the model may take it in cycle READY, after those that it may take
 * earlier. */
static inline void sm_reply(struct sm *sm, const struct packet *packet, uint64_t ready)
{
    queue_push_in_order(&sm->replies, packet, ready);
}

/* Its requests, oldest first; ready: cycle in which the crossbar may take it. The caller
 * removes them between two runs. */
static inline struct queue *sm_requests(struct sm *sm)
{
    return &sm->requests;
}

/* COUNT packets that the SM sent in earlier windows still wait for the crossbar. */
static inline void sm_set_requests_ahead(struct sm *sm, uint32_t count)
{
    sm->requests_ahead = count;
}

/* The same for a sector of code. */
static inline void sm_code_came(struct sm *sm, const struct packet *packet, uint64_t ready)
{
    queue_push_in_order(&sm->code->supply.answers, packet, ready);
}

/* Takes off the acknowledgements of what was posted, sends requests for code in cycle NOW or
 * later, takes their answers, and drops what was for blocks that have ended; only if it has no
 * block. */
void sm_drain_posted(struct sm *sm, uint64_t now);

/* Empties L1, which is enabled; the SM is idle. */
void sm_flush_l1(struct sm *sm);

/* Leaves what takes turns as other work would have (struct core_model); the SM is idle. */
static inline void sm_scatter(struct sm *sm, uint32_t mix)
{
    if (sm->model->scatter != NULL)
        sm->model->scatter(sm, mix);
}

/* MESSAGE, which is for a block of it, takes effect at its cycle, which it has not simulated;
 * it is dropped if that block has ended. */
void sm_hear(struct sm *sm, const struct cluster_message *message);
/* The block that TO is, if it is there and not timed; NULL: it has ended. */
const struct sm_block *sm_member(const struct sm *sm, const struct cluster_member *to);
/* What its operation OP brings to other blocks; NULL: nothing. */
static inline const struct cluster_copy *sm_copies(const struct sm *sm, uint16_t op)
{
    return sm->model->copies != NULL ? sm->model->copies(sm, op) : NULL;
}

/* ---- counts ---- */

/* Of all launches since sm_create(). */
static inline const struct sm_stats *sm_stats(const struct sm *sm)
{
    return &sm->stats;
}
static inline const struct cache_stats *sm_l1_stats(const struct sm *sm)
{
    return &sm->l1.stats;
}
/* NULL: the instruction cache is perfect. */
static inline const struct code_stats *sm_code_stats(const struct sm *sm)
{
    return sm->code != NULL ? &sm->code->stats : NULL;
}

/* From now on also counts events by launch slot, in what the caller owns: an element for each
 * slot, of STACKS (NULL without CPI stacks) one for each scheduler of it. */
void sm_share(struct sm *sm, struct sm_stats *stats, struct code_stats *code,
              struct cache_stats *l1, struct sim_cpi *stacks, struct sm_flight *flights);

/* The cycle in which the last block ended. */
static inline uint64_t sm_last_end(const struct sm *sm)
{
    return sm->last_end;
}

/* ---- for core models ---- */

/* What simulates a model's cycles, for sm_run_cycles(). */
struct sm_steps {
    bool (*cycle)(struct sm *sm); /* cycle sm->now; returns whether anything has changed */
    /* If nothing has: the next cycle in which anything can, from sm->now on. */
    uint64_t (*next)(const struct sm *sm);
    /* Counts CYCLES that are all as the last one was. */
    void (*skip)(struct sm *sm, uint64_t cycles);
};

/* The hook `run` for a model that skips cycles in which nothing can change. */
__attribute__((always_inline)) static inline bool
sm_run_cycles(struct sm *sm, const struct sm_steps *steps, uint64_t end, bool yield)
{
    while (sm->now < end) {
        bool moved = steps->cycle(sm);
        sm->now++;
        if (yield && sm_has_place(sm))
            return true;
        if (!moved) {
            uint64_t next = steps->next(sm);
            if (next > end)
                next = end;
            if (next > sm->now) {
                steps->skip(sm, next - sm->now);
                sm->now = next;
            }
        }
        atomic_store_explicit(&sm->clock, sm->now, memory_order_release);
    }
    return false;
}

/* COUNT more of what SLOT, of a launch, has sent are on their way. */
static inline void sm_fly(struct sm *sm, uint32_t slot, uint32_t count)
{
    if (sm->flights != NULL)
        sm->flights[slot].count += count;
}

/* One has arrived. */
static inline void sm_land(struct sm *sm, uint32_t slot)
{
    if (sm->flights == NULL)
        return;
    sm->flights[slot].count--;
    sm->flights[slot].last = sm->now;
}

/* Takes its oldest reply, the acknowledgement of what was posted. */
static inline void sm_take_posted(struct sm *sm)
{
    sm_land(sm, queue_head(&sm->replies)->packet.launch);
    queue_pop(&sm->replies);
    sm->posted--;
}

/* The block in SLOT lets the next launch of its stream begin, as far as it is concerned: once.
 */
void sm_let_go(const struct sm *sm, struct sm_block *block);

/* Whether sm_take_reply() may follow. */
static inline bool sm_can_take_reply(const struct sm *sm)
{
    return sm->taken.count < sm->spec->fill_queue && queue_ready(&sm->replies, sm->now);
}

/* The cycle from which it may, unless a reply comes or is used before; UINT64_MAX: never. */
static inline uint64_t sm_next_reply(const struct sm *sm)
{
    return sm->taken.count < sm->spec->fill_queue ? queue_next(&sm->replies) : UINT64_MAX;
}

static inline uint64_t sm_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The next cycle in which anything can happen that no core model decides: a timed block ends, a
 * place for a block is free, or a reply may be taken; UINT64_MAX: never. */
static inline uint64_t sm_next(const struct sm *sm)
{
    return sm_earlier(sm->timed_end, sm_earlier(sm_next_place(sm), sm_next_reply(sm)));
}

/* Takes its oldest reply: to `taken`, unless nobody waits for it. LAST_MOVED: the last cycle in
 * which anything changed. */
void sm_take_reply(struct sm *sm, uint64_t last_moved);

/* PACKET is taken now. It may end cycles in which nothing changed: as many as DRAM took, it
 * would not have needed had L2 held its sector. */
void sm_count_wait(struct sm *sm, const struct packet *packet, uint64_t last_moved);

/* Fills L1 with PACKET, which has been taken. Returns false if the port is not free before
 * l1.fill_free. */
bool sm_fill_l1(struct sm *sm, const struct packet *packet);

/* Sends MESSAGE, which must not take effect before the window's end. */
void sm_send_message(struct sm *sm, const struct cluster_message *message);

/* The last warp of the block in SLOT has retired. */
void sm_end_block(struct sm *sm, uint32_t slot);
/* Ends timed blocks that are due, where sm->timed_end says so. */
void sm_end_timed(struct sm *sm);

/* Whether an observer wants EVENT. */
static inline bool sm_observed(const struct sm *sm, enum sm_event event)
{
    return __builtin_expect(sm->observers.wanted >> event & 1, 0);
}

/* Report an event to the observers: sm_tell_issued() ... */
#define LIST(...) __VA_ARGS__
#define EVENT(name, arguments, ...)                                                            \
    static inline void sm_tell_##name(__VA_ARGS__)                                             \
    {                                                                                          \
        struct sm_observer *only = sm->observers.only[SM_EVENT_##name];                        \
        if (!sm_observed(sm, SM_EVENT_##name))                                                 \
            return;                                                                            \
        if (only != NULL)                                                                      \
            only->hooks->name(only, LIST arguments);                                           \
        else                                                                                   \
            sm_observers_##name arguments;                                                     \
    }
#include "sim/core/events.def"
#undef EVENT
#undef LIST

#endif
