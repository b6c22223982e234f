/* Launches without time: see sim_functional(). */
#include <stdlib.h>
#include <string.h>

#include "sim/block_order.h"
#include "sim/block_reader.h"
#include "sim/core/access_rules.h"
#include "sim/core/coalesce.h"
#include "sim/functional/access_queue.h"
#include "sim/functional/l2_followers.h"
#include "sim/functional/warp_order.h"
#include "sim/simulator.h"
#include "traces/address.h"
#include "traces/base/prefetch.h"

/* Instructions between two calls of the progress hook, or some more. */
#define PROGRESS_INSTS 131072
/* Cycles from an instruction to the next one that needs its result, and bytes from one to the
 * next. */
#define INST_CYCLES 4
#define INST_BYTES  16
/* Instructions between two of memory, at most: where a loop went back it is not known. */
#define GAP_MOST 64
/* Those of a loop that are not of memory, at least: one that counts, and the branch. */
#define LOOP_INSTS 2

#define LANES 32u
/* Turns from which on what a warp needs is fetched. */
#define AHEAD 3

/* Of a turn, at most; a warp can wait twice as long. */
#define CYCLES_MOST (WARP_ORDER_SLOTS * WARP_ORDER_SLOT / 2)
#define INSTS_MOST  4096 /* where no time passes between them, too */

/* A block on an SM. */
struct warp_place {
    struct trace_block *block; /* NULL: free */
    uint32_t left;             /* warps that have not ended */
};

/* An SM's share of the launch. */
struct sm_share_of_blocks {
    struct sm *sm;
    struct warp_place places[SM_MAX_BLOCKS];
    struct trace_warp *warps[SM_MAX_WARPS]; /* by hardware number */
    uint32_t blocks;                        /* in it */
};

struct replay {
    struct sim *sim;
    struct block_reader feed;
    const struct trace_header *header;
    struct occupancy occupancy;
    struct sm_share_of_blocks *shares; /* one an SM */
    uint64_t blocks, given, ended;
    uint32_t free;         /* places for blocks, of all SMs */
    uint32_t last_cluster; /* of `order` */
    struct block_order order;
    struct local_layout local;
    struct error *err; /* that of sim_functional() */
    struct access_queue touches;
    struct sim_counters counters; /* but for those of `touches` */
    uint64_t moved;               /* sectors past L1 that `pace` knows of */
    struct access_list list;
    struct warp_order pace;
    const struct trace_warp *coming[2]; /* that look_ahead() has begun to bring near */
};

/* ---- instructions ---- */

/* The bytes from *FROM up to *END when lanes stand side by side, upwards or downwards, or all
 * at one place: they need no list of lanes. Returns false for others. */
static bool find_range(const struct trace_record *record, const uint64_t *addresses,
                       uint32_t width, uint64_t *from, uint64_t *end)
{
    const uint64_t *words = addresses + record->address;
    if (record->mode != TRACE_ADDRESS_STRIDE)
        return false;
    uint64_t others = (uint64_t)__builtin_popcount(record->mask) - 1;
    bool down = words[1] == -(uint64_t)width;
    *from = down ? words[0] - others * width : words[0];
    *end = width + (down ? words[0] : words[0] + others * words[1]);
    return down || words[1] == width || words[1] == 0;
}

/* The space that RECORD accesses; TRACE_SPACE_NONE if it touches no cache. */
static enum trace_space space_of(const struct replay *replay, const struct inst *inst,
                                 const struct trace_record *record, const uint64_t *addresses)
{
    if (record->mode == TRACE_ADDRESS_NONE || record->mask == 0)
        return TRACE_SPACE_NONE;
    enum trace_space space = access_space(inst, replay->header, addresses[record->address]);
    return space == TRACE_SPACE_SHARED ? TRACE_SPACE_NONE : space;
}

/* Accesses of local memory, atomics, and any that nothing faster is for. Returns the number of
 * sectors. */
static uint32_t access_list(struct replay *replay, const struct sm_share_of_blocks *share,
                            uint32_t warp, const struct access_queue_access *access,
                            const struct inst *inst, const struct trace_record *record)
{
    struct access_list *list = &replay->list;
    uint64_t room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, share->warps[warp]->addresses, room, &count);
    if (access->local) {
        struct local_map map = coalesce_local_map(&replay->local, share->sm->number, warp);
        coalesce_local(lanes, record->mask, inst->width, &map, list);
    } else if (access->kind == PACKET_ATOMIC) {
        coalesce_atomic(lanes, count, inst->width, list);
    } else {
        coalesce_sectors(lanes, count, inst->width, list);
    }
    access_queue_add(&replay->touches, access, list);
    return list->count;
}

/* The same by the lanes of RECORD, where they stand anyhow. */
static uint32_t access_lanes(struct replay *replay, const struct sm_share_of_blocks *share,
                             uint32_t warp, const struct access_queue_access *access,
                             const struct inst *inst, const struct trace_record *record)
{
    struct access_queue *touches = &replay->touches;
    struct coalesce_window window;
    uint64_t room[32], order[32];
    uint32_t count, width = inst->width;
    if (touches->compacts == NULL)
        return access_list(replay, share, warp, access, inst, record);
    const uint64_t *lanes =
        coalesce_wide_lanes(record, share->warps[warp]->addresses, room, &count, &width);
    if (coalesce_window(lanes, count, width, access->kind == PACKET_WRITE, &window)) {
        access_queue_add_window(touches, access, &window);
        return (uint32_t)__builtin_popcountll(window.used);
    }
    lanes = coalesce_order(lanes, count, width, order);
    if (lanes != NULL)
        return access_queue_add_lanes(touches, access, lanes, count, width);
    return access_list(replay, share, warp, access, inst, record);
}

/* Reads and writes of global memory. */
static uint32_t access_global(struct replay *replay, const struct sm_share_of_blocks *share,
                              uint32_t warp, const struct access_queue_access *access,
                              const struct inst *inst, const struct trace_record *record)
{
    uint64_t from, end;
    if (!find_range(record, share->warps[warp]->addresses, inst->width, &from, &end))
        return access_lanes(replay, share, warp, access, inst, record);
    access_queue_add_range(&replay->touches, access, from, end);
    return (uint32_t)((end - 1) / SECTOR_BYTES - from / SECTOR_BYTES) + 1;
}

/* The last sector goes first, as from an SM's list. Returns the number of sectors. */
static uint32_t access_memory(struct replay *replay, const struct sm_share_of_blocks *share,
                              uint32_t warp, const struct inst *inst,
                              const struct trace_record *record)
{
    const struct sm_spec *spec = &replay->sim->engine.spec.sm;
    enum trace_space space = space_of(replay, inst, record, share->warps[warp]->addresses);
    if (space == TRACE_SPACE_NONE)
        return 0;
    bool atomic = inst->access == TRACE_ACCESS_ATOMIC, local = space == TRACE_SPACE_LOCAL;
    const struct access_queue_access access = {
        .sm = access_bypasses_l1(spec, inst, space) ? ACCESS_QUEUE_PAST_L1 : share->sm->number,
        .kind = (uint8_t)access_kind(spec, inst, space),
        .local = local,
    };
    return (local || atomic ? access_list : access_global)(replay, share, warp, &access, inst,
                                                           record);
}

/* ---- warps and blocks ---- */

static inline void count_inst(struct sim_counters *counters, const struct trace_record *record)
{
    counters->warp_insts++;
    counters->thread_insts += (uint64_t)__builtin_popcount(record->mask);
}

/* Brings WARP to its next instruction of memory, *FOUND. Returns 1, 0 at the warp's end, -1 on
 * error. */
static inline int find_access(struct replay *replay, struct trace_warp *warp,
                              const struct inst **found, struct error *err)
{
    for (;; warp->at++) {
        if (warp->at == warp->end) {
            int more = warp->total != 0 ? trace_warp_fill(warp, err) : 0;
            if (more <= 0)
                return more;
        }
        const struct inst *inst = inst_table_get(&replay->feed.insts, warp->at->inst);
        *found = inst;
        if (inst->accesses)
            return 1;
        count_inst(&replay->counters, warp->at);
    }
}

/* Instructions that stand from LAST to NEXT. */
static uint32_t gap(const struct inst *last, const struct inst *next)
{
    bool back = next->pc <= last->pc;
    uint32_t bytes = back ? last->pc - next->pc : next->pc - last->pc;
    uint32_t insts = bytes / INST_BYTES + (back ? LOOP_INSTS : 0);
    return insts < GAP_MOST ? insts : GAP_MOST;
}

/* Whether INST needs one of the registers in PENDING. */
static bool needs(const struct inst *inst, const uint64_t pending[4])
{
    for (uint32_t i = 0; i < inst->reg_count; i++)
        if (pending[inst->regs[i] / 64] >> inst->regs[i] % 64 & 1)
            return true;
    return false;
}

/* Warp NUMBER of SHARE, among those of all SMs. */
static uint32_t warp_id(const struct replay *replay, const struct sm_share_of_blocks *share,
                        uint32_t number)
{
    return (uint32_t)(share - replay->shares) * SM_MAX_WARPS + number;
}

/* Brings a list of ADDRESSES, one a lane or a row, near. */
static void near_list(const uint64_t *addresses)
{
    for (uint32_t i = 0; i < LANES; i += PREFETCH_LINE / sizeof *addresses)
        __builtin_prefetch(addresses + i);
}

/* Whether INST goes to no cache, wherever its addresses lie. */
static bool is_shared(const struct inst *inst)
{
    return inst->space == TRACE_SPACE_SHARED;
}

/* The instruction of memory, INST, at which warp NUMBER stands. Returns its sectors. */
static uint32_t issue(struct replay *replay, const struct sm_share_of_blocks *share,
                      uint32_t number, const struct inst *inst)
{
    const struct trace_record *record = share->warps[number]->at++;
    if (address_is_list(record->mode)) /* two full lists on, or more rows: such follow */
        near_list(share->warps[number]->addresses + record->address + 2 * LANES);
    count_inst(&replay->counters, record);
    if (is_shared(inst))
        return 0;
    uint32_t sectors = access_memory(replay, share, number, inst, record);
    warp_order_pass(&replay->pace, (uint32_t)(share - replay->shares), sectors);
    return sectors;
}

/* When a warp goes on that has issued some instructions, LOADS among them or not. */
static uint64_t going_on(struct replay *replay, bool loads)
{
    warp_order_move(&replay->pace, replay->touches.past_l1 - replay->moved);
    replay->moved = replay->touches.past_l1;
    return loads ? warp_order_loaded(&replay->pace) : replay->pace.now;
}

/* What a warp issues in a turn. */
struct issued {
    bool loads;
    uint64_t cycles; /* from the first instruction to the next one behind the last */
};

/* Instructions of memory of warp NUMBER that are issued one behind the other, from *NEXT on,
 * any or only those of SHARED memory, which take nothing but time; then *NEXT is the one behind
 * them. Returns 1, 0 if there is none, -1 on error. In line, once for each SHARED. */
static inline __attribute__((always_inline)) int
issue_some(struct replay *replay, const struct sm_share_of_blocks *share, uint32_t number,
           const bool shared, const struct inst **next, struct issued *issued,
           struct error *err)
{
    struct trace_warp *warp = share->warps[number];
    uint64_t pending[4] = {0};
    const struct inst *inst;
    int more;
    do {
        inst = *next;
        if (shared)
            count_inst(&replay->counters, warp->at++);
        else
            issued->loads |=
                issue(replay, share, number, inst) != 0 && inst->access != TRACE_ACCESS_STORE;
        for (uint32_t i = 0; i < inst->dst_count; i++)
            pending[inst->dst[i] / 64] |= 1ull << inst->dst[i] % 64;
        more = find_access(replay, warp, next, err);
    } while (more > 0 && (!shared || is_shared(*next)) && gap(inst, *next) <= 1 &&
             !needs(*next, pending));
    issued->cycles += INST_CYCLES * (more > 0 ? gap(inst, *next) : 1);
    return more;
}

/* A turn of warp NUMBER: what it issues one behind the other, and, without other turns, what
 * of shared memory follows, as that has no order with others; then it waits. Returns 1, 0 at
 * the warp's end, -1 on error. */
static int run_warp(struct replay *replay, struct sm_share_of_blocks *share, uint32_t number,
                    struct error *err)
{
    struct issued issued = {0};
    uint64_t before = replay->counters.warp_insts;
    const struct inst *next;
    int more = find_access(replay, share->warps[number], &next, err);
    if (more <= 0)
        return more;
    more = issue_some(replay, share, number, false, &next, &issued, err);
    while (more > 0 && is_shared(next) && issued.cycles < CYCLES_MOST &&
           replay->counters.warp_insts - before < INSTS_MOST)
        more = issue_some(replay, share, number, true, &next, &issued, err);
    if (more < 0)
        return -1;
    warp_order_wait(&replay->pace, warp_id(replay, share, number),
                    going_on(replay, issued.loads) + issued.cycles);
    return 1;
}

static bool has_place(void *data, uint32_t sm)
{
    const struct replay *replay = data;
    return replay->shares[sm].blocks < replay->occupancy.blocks;
}

/* Gives the next block to a free place of SM. */
static int give_block(void *data, uint32_t sm)
{
    struct replay *replay = data;
    struct sm_share_of_blocks *share = &replay->shares[sm];
    struct trace_block *block = block_reader_take(&replay->feed, replay->err);
    uint32_t slot = 0, warps = replay->occupancy.block_warps;
    if (block == NULL)
        return -1;
    while (share->places[slot].block != NULL)
        slot++;
    share->places[slot] = (struct warp_place){block, block->warp_count};
    share->blocks++;
    replay->free--;
    replay->given++;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        share->warps[slot * warps + w] = &block->warps[w];
        warp_order_wait(&replay->pace, warp_id(replay, share, slot * warps + w),
                        replay->pace.now);
    }
    return replay->free != 0 && replay->given < replay->blocks;
}

/* Fills free places. */
static int fill_places(struct replay *replay)
{
    const struct block_order_taker taker = {has_place, give_block, replay};
    while (replay->free != 0 && replay->given < replay->blocks)
        if (block_order_round(&replay->order, &taker) != 0)
            return -1;
    return 0;
}

/* Warp NUMBER of SHARE has ended. */
static void end_warp(struct replay *replay, struct sm_share_of_blocks *share, uint32_t number)
{
    struct warp_place *place = &share->places[number / replay->occupancy.block_warps];
    if (--place->left != 0)
        return;
    replay->coming[0] = replay->coming[1] = NULL; /* they may be the block's */
    trace_block_release(place->block);
    place->block = NULL;
    share->blocks--;
    replay->ended++;
    replay->free++;
}

/* Brings what a warp that is soon to go on will look at near: first the warp itself, a turn
 * later its next record, then the addresses of that. */
static void look_ahead(struct replay *replay)
{
    uint32_t soon = warp_order_soon(&replay->pace, AHEAD);
    const struct trace_warp **coming = replay->coming;
    if (coming[1] != NULL && coming[1]->at < coming[1]->end) {
        const uint64_t *addresses = coming[1]->addresses + coming[1]->at->address;
        if (address_is_list(coming[1]->at->mode))
            near_list(addresses);
        else
            __builtin_prefetch(addresses);
    }
    coming[1] = coming[0];
    if (coming[1] != NULL)
        __builtin_prefetch(coming[1]->at);
    coming[0] = soon == WARP_ORDER_NONE
                    ? NULL
                    : replay->shares[soon / SM_MAX_WARPS].warps[soon % SM_MAX_WARPS];
    if (coming[0] != NULL)
        __builtin_prefetch(coming[0]);
}

/* The next warp goes on. */
static int turn(struct replay *replay, struct error *err)
{
    uint32_t warp = warp_order_take(&replay->pace), number = warp % SM_MAX_WARPS;
    struct sm_share_of_blocks *share = &replay->shares[warp / SM_MAX_WARPS];
    look_ahead(replay);
    int result = run_warp(replay, share, number, err);
    if (result == 0)
        end_warp(replay, share, number);
    return result < 0 ? -1 : 0;
}

/* Tells the progress. Returns false when that stops it. */
static bool goes_on(const struct replay *replay, const struct sim_hooks *hooks)
{
    const struct sim_progress progress = {.warp_insts = replay->counters.warp_insts,
                                          .blocks_done = replay->ended,
                                          .blocks = replay->blocks};
    return hooks == NULL || hooks->progress == NULL || hooks->progress(hooks->data, &progress);
}

/* Returns 1 when the hook stops it. */
static int run(struct replay *replay, const struct sim_hooks *hooks, struct error *err)
{
    uint64_t told = 0; /* instructions */
    while (replay->ended < replay->blocks) {
        if (fill_places(replay) != 0 || turn(replay, err) != 0)
            return -1;
        if (replay->counters.warp_insts - told < PROGRESS_INSTS)
            continue;
        told = replay->counters.warp_insts;
        if (!goes_on(replay, hooks))
            return 1;
    }
    return sim_check_end(replay->feed.kernel, err);
}

/* ---- the launch ---- */

static int begin(struct replay *replay, struct error *err)
{
    struct engine *engine = &replay->sim->engine;
    const struct occupancy *occupancy = &replay->occupancy;
    replay->local =
        access_local_layout(replay->sim->config, occupancy->block_warps, occupancy->blocks);
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        replay->shares[s].sm = engine->sms[s];
    replay->free = engine->spec.sms * occupancy->blocks;
    return access_queue_init(&replay->touches, replay->sim, occupancy->l1_ways, err);
}

static void settle(struct replay *replay)
{
    access_queue_finish(&replay->touches);
    l2_followers_settle(replay->sim);
    for (uint32_t f = 0; f < replay->sim->follower_count; f++)
        l2_followers_settle(replay->sim->followers[f]);
}

/* What memory has done since the last launch, flushes and all, is this one's, as it would be in
 * time. */
static void take_between(struct sim *sim, struct sim_counters *counters)
{
    struct sim_counters total, between;
    engine_count(&sim->engine, UINT64_MAX, &total);
    between = total;
    sim_counters_subtract(&between, &sim->base);
    sim_counters_add(counters, &between);
    sim->base = total;
}

static void take_result(const struct replay *replay, struct sim_result *result)
{
    struct sim *sim = replay->sim;
    result->start_cycle = result->end_cycle = sim->now;
    result->restored_sectors = sim->restored;
    sim->restored = 0;
    result->counters = replay->counters;
    result->counters.blocks = replay->ended;
    sim_counters_add(&result->counters, &replay->touches.counters);
    engine_count_touches(&replay->touches.l1, &replay->touches.l2, &result->counters);
    take_between(sim, &result->counters);
    result->peaks = sim_peaks_of(sim->config);
}

static void release_blocks(struct replay *replay)
{
    for (uint32_t s = 0; s < replay->sim->engine.spec.sms; s++)
        for (uint32_t slot = 0; slot < replay->occupancy.blocks; slot++)
            trace_block_release(replay->shares[s].places[slot].block);
}

int sim_functional(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
                   struct sim_result *result, struct error *err)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    memset(result, 0, sizeof *result);
    struct replay *replay = calloc(1, sizeof *replay);
    struct sm_share_of_blocks *shares = calloc(sim->engine.spec.sms, sizeof *shares);
    uint32_t *last_sm = calloc(sim->engine.spec.clusters, sizeof *last_sm);
    int status = -1;
    if (replay == NULL || shares == NULL || last_sm == NULL) {
        error_no_memory(err);
        goto end;
    }
    replay->sim = sim;
    replay->header = header;
    replay->shares = shares;
    replay->err = err;
    replay->last_cluster = sim->last_cluster;
    replay->order =
        (struct block_order){sim->engine.spec.clusters, sim->engine.spec.sms_per_cluster,
                             &replay->last_cluster, last_sm};
    replay->blocks = (uint64_t)header->grid[0] * header->grid[1] * header->grid[2];
    if (sim_occupancy(sim, kernel, &replay->occupancy, err) != 0 ||
        l2_followers_check(sim, kernel, &replay->occupancy, err) != 0)
        goto end;
    uint32_t sms = sim->engine.spec.sms;
    if (!warp_order_init(&replay->pace, sms, SM_MAX_WARPS)) {
        error_no_memory(err);
        goto end;
    }
    sim_come_to_rest(sim);
    if (begin(replay, err) != 0)
        goto end;
    block_reader_init(&replay->feed, kernel, sim->config, replay->blocks);
    status = run(replay, hooks, err);
    release_blocks(replay);
    block_reader_finish(&replay->feed);
    settle(replay);
    take_result(replay, result);
    result->stopped = status > 0;
    if (status != 0)
        sim_reset(sim);
end:
    if (replay != NULL)
        warp_order_finish(&replay->pace);
    free(last_sm);
    free(shares);
    free(replay);
    return status < 0 ? -1 : 0;
}
