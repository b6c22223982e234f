/* The engine: SMs, crossbars and memory partitions, and the windows in which
 * they run.
 *
 * Time is divided into windows of at most half the fixed delay before L2. A
 * packet that reaches L2 in a window then left the request crossbar before the
 * previous window, so that two stages run in turn, each over its whole window:
 *
 *   reply crossbar of this window, request crossbar of the previous window
 *   SMs of this window, partitions of the next window
 *
 * With a delay too short for that, partitions run between the crossbars. Where SMs have to
 * stop within a window for the request crossbar, partitions run beside the crossbar, too. */
#ifndef HEARTH_SIM_ENGINE_H
#define HEARTH_SIM_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/core/cpi.h"
#include "sim/memory/network/code_shares.h"
#include "sim/memory/network/merges.h"
#include "sim/memory/page_walks.h"
#include "sim/spec/spec.h"
#include "sim/stats/counters.h"
#include "traces/base/prefetch.h"
#include "traces/base/threads/thread_pool.h"
#include "traces/base/threads/work_shares.h"

#define ENGINE_MAX_SLOTS 256

/* A slice: number SLICE (0..) of its partition. */
struct engine_place {
    struct partition *partition;
    uint32_t slice;
};

struct engine {
    struct spec spec;
    struct thread_pool *pool; /* the caller's, NULL for one thread */
    struct sm **sms;
    struct partition *partitions;
    struct engine_place *places; /* of all slices: looked up, as divisions take long */
    /* Each crossbar writes to its own cache lines, as the two run side by side. */
    _Alignas(PREFETCH_LINE) struct xbar request;
    struct queue merged;          /* empty; room to put a cluster's requests in order */
    struct page_walks page_walks; /* of what SMs send */
    struct merges merges;         /* requests in the crossbars and between them */
    struct code_shares code;      /* requests for code, the same */
    struct queue *arrived; /* after each output of the request crossbar; ready: next cycle */
    uint32_t arrived_count;
    struct queue *aside;   /* of each slice: for its rop queue, which the partition reads now */
    bool beside;           /* partitions run meanwhile: packets go there */
    uint64_t request_now;  /* next cycle of the request crossbar */
    uint64_t request_goal; /* the cycle that it has to reach, */
    atomic_bool reached;   /* and whether it has */
    _Alignas(PREFETCH_LINE) struct xbar reply;
    _Alignas(PREFETCH_LINE) uint64_t window_start, window_end;
    uint64_t windows; /* cycle from which all windows are as long, but for: */
    uint64_t limit; /* no window that is begun goes over this cycle, where partitions then stand
                     * too; UINT64_MAX: none */
    bool clusters;  /* some launch has had blocks that reach each other's shared memory */
    bool opened;    /* partitions and replies of the window are done */
    uint64_t partitions_end;      /* partitions have run up to this cycle */
    uint64_t ahead_end;           /* and are to run to this one: */
    struct work_shares ahead;     /* those that have yet to begin */
    struct work_shares crossbars; /* the request crossbar, the reply crossbar */
    atomic_uint crossing;         /* how far these have come */
    bool reduces;                 /* warps may execute reductions in the next step */
    bool hurry;                   /* of all partitions, from the next window on */
    uint64_t *flushed;            /* dirty sectors that flushes wrote, by slice */
    struct cpi_launch launch;     /* that runs, for CPI stacks */
    struct sim_cpi empty;         /* of each scheduler: cycles of all SMs without a block */
    uint32_t slots; /* of launches that run at once, counted separately; 0: one at a time */
    struct sm_stats *sm_shares;                /* of each SM: `slots` of them */
    struct sm_flight *flights;                 /* the same */
    struct code_stats *code_shares;            /* the same */
    struct cache_stats *l1_shares, *l2_shares; /* of each SM, each slice: `slots` of them */
    struct dram_stats *dram_shares;
    struct sim_cpi *cpi_shares; /* of each SM: as struct cpi has them; NULL without stacks */
};

/* Returns 0, or -1 with ERR. ENGINE must not move afterwards. POOL (may be
 * NULL) must outlive it. */
int engine_init(struct engine *engine, const struct sim_config *config,
                struct thread_pool *pool, struct error *err);
void engine_finish(struct engine *engine);

/* L2's slice number SLICE. */
static inline struct slice *engine_slice(const struct engine *engine, uint32_t slice)
{
    const struct engine_place *place = &engine->places[slice];
    return &place->partition->slices[place->slice];
}

/* The slice of ADDRESS, which is no copy's, in L2; *SET becomes its set there. With halves that
 * set does not depend on the bit of copies, which an address may have by itself
 * (sim/memory/slice.c). */
static inline uint32_t engine_home(const struct engine *engine, uint64_t address, uint32_t *set)
{
    const struct address_table_map *places = &engine->spec.places;
    uint32_t slice = address_table_of(places, address, set);
    if (__builtin_expect((address & PACKET_COPIED) != 0 && engine->spec.halves.slices != 0, 0))
        (void)address_table_of(places, address & ~PACKET_COPIED, set);
    return slice;
}

/* Makes the window that holds CYCLE the current one, and opens it: partitions
 * and replies are done, SMs may run up to window_end. */
void engine_open(struct engine *engine, uint64_t cycle);

/* Runs a partition a window ahead, if one is left to run, of SELF's share first: all threads
 * may, while SMs run. Returns false when none is left. */
bool engine_run_ahead(struct engine *engine, struct thread_pool_thread self);
/* Runs partition NUMBER, which the caller has claimed from `ahead`. */
void engine_run_partition(struct engine *engine, uint32_t number);

/* SMs stand at cycle NOW of the open window: brings the request crossbar there
 * too, and returns the cycle up to which SMs may run by themselves. That is the
 * window's end unless a crossbar queue may fill up before: then SMs and
 * crossbar go in short steps, so that an SM sees the queue as it is. If a limit ends the window
 * earlier, the step goes on in the next window. Partitions that the steps have left run beside
 * the crossbar, on other threads. */
uint64_t engine_step(struct engine *engine, uint64_t now);

/* With no partition at work: their rop queues get what was laid aside for them, so that state
 * is the same whatever ran beside what. */
void engine_settle(struct engine *engine);

/* Partitions run as far ahead as they may now: L2 can be looked at and changed then, and what
 * they have counted does not depend on how far threads had come with them. */
void engine_finish_partitions(struct engine *engine);

/* True while packets are on their way between SMs and memory. */
bool engine_busy(const struct engine *engine);

/* Warp instructions issued by all SMs since sim_create(). */
uint64_t engine_insts(const struct engine *engine);

/* With HURRY, writes that wait in DRAM for more of them are served (see dram_hurry), from
 * the end of this window on. */
void engine_hurry(struct engine *engine, bool hurry);

/* The dispatcher's sweeps (-hearth_block_sweep) count from cycle NOW. */
void engine_begin_sweeps(struct engine *engine, uint64_t now);

/* Continues without SMs until nothing is in flight. Returns the first quiet cycle, at least
 * NOW; the engine continues from there. */
uint64_t engine_drain(struct engine *engine, uint64_t now);

/* Before a launch: L2 has written dirty lines back meanwhile, if it does (slice_clean()). */
void engine_clean(struct engine *engine);

/* Whether L2 has BYTES from ADDRESS on. */
bool engine_holds(struct engine *engine, uint64_t address, uint64_t bytes);
/* A launch has brought code or parameters near: L2 has BYTES from ADDRESS on then, in both
 * halves. Their reads of DRAM are not counted. */
void engine_bring(struct engine *engine, uint64_t address, uint64_t bytes);
/* The launch in SLOT has read BYTES from ADDRESS on from DRAM through L2: counts that. */
void engine_count_code(struct engine *engine, uint32_t slot, uint64_t address, uint64_t bytes);

/* True while stores of blocks that have ended are on their way. */
bool engine_storing(const struct engine *engine);
/* SMs, which stand at NOW, hold no block: passes the rest of the window, or the cycles up to
 * END, if that is in it. Returns where SMs stand then. */
uint64_t engine_pass(struct engine *engine, uint64_t now, uint64_t end);

/* From now on counts the events of up to SLOTS (at most ENGINE_MAX_SLOTS) launches apart, too.
 * False when memory is short. */
bool engine_share(struct engine *engine, uint32_t slots);

/* Whether all that the launch of SLOT has sent has arrived; then raises *LAST to the cycle in
 * which the last of it did. After engine_share(). */
bool engine_has_landed(const struct engine *engine, uint32_t slot, uint64_t *last);

/* What L2 holds counts as translated: an earlier launch, or a copy, has used it. */
void engine_know_pages(struct engine *engine);

/* Of the counters of all components (see engine_count()) those of the events that the launch in
 * SLOT has caused, and those that no launch can be named for: cycles in which accesses were put
 * off, cycles of SMs and, in CPI stacks, those without a block, DRAM commands other than reads,
 * sectors of flushes. */
void engine_count_slot(const struct engine *engine, uint32_t slot,
                       struct sim_counters *counters);
void engine_count_rest(const struct engine *engine, struct sim_counters *counters);

/* Adds up the counters of all components since engine_init(), up to cycle END,
 * which is in the open window or after it: partitions may be ahead of it. */
void engine_count(const struct engine *engine, uint64_t end, struct sim_counters *counters);

/* The counters of part NUMBER alone: SMs come first, then L2 slices, then DRAM channels. With
 * END as for engine_count(), all parts add up to its counters of sim/stats/parts.def. */
void engine_count_part(const struct engine *engine, uint32_t number, uint64_t end,
                       struct sim_counters *counters);

/* Adds what all L1 and all L2 counted outside of the components to COUNTERS. */
void engine_count_touches(const struct cache_stats *l1, const struct cache_stats *l2,
                          struct sim_counters *counters);

/* For CPI stacks, if they are enabled: a launch begins at cycle START, and its first blocks are
 * handed out at the end of cycle FIRST; it ends at cycle END. */
void engine_launch(struct engine *engine, uint64_t start, uint64_t first);
void engine_landed(struct engine *engine, uint64_t end);
/* The stack of a scheduler, summed over SMs, since engine_init() up to END, at which SMs
 * stand as for engine_count(). */
struct sim_cpi engine_stack(const struct engine *engine, uint32_t scheduler, uint64_t end);
/* The part of it that the launch in SLOT is charged with. engine.empty belongs to no slot. */
struct sim_cpi engine_stack_slot(const struct engine *engine, uint32_t slot,
                                 uint32_t scheduler);

#endif
