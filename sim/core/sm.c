#include "sim/core/sm.h"

#include <string.h>

#include "sim/core/cpi.h"
#include "traces/base/prefetch.h"

/* ---- instructions in flight ---- */

static bool grow_ops(struct sm *sm)
{
    uint32_t count = sm->op_count ? 2 * sm->op_count : 256;
    if (count > SM_NONE)
        count = SM_NONE;
    struct sm_op *ops = realloc(sm->ops, count * sizeof *ops);
    if (ops == NULL || count == sm->op_count)
        return false;
    for (uint32_t i = sm->op_count; i < count; i++)
        ops[i].next = (uint16_t)(i + 1 < count ? i + 1 : SM_NONE);
    sm->free_op = (uint16_t)sm->op_count;
    sm->ops = ops;
    sm->op_count = count;
    return true;
}

uint16_t sm_new_op(struct sm *sm)
{
    if (sm->free_op == SM_NONE && !grow_ops(sm))
        memory_short(); /* issue has seen that there are numbers left */
    uint16_t index = sm->free_op;
    sm->free_op = sm->ops[index].next;
    return index;
}

void sm_free_op(struct sm *sm, uint16_t index)
{
    if (sm->free_op == SM_NONE)
        sm->issue_stuck = 0;
    sm->ops[index].next = sm->free_op;
    sm->free_op = index;
}

uint32_t sm_oldest(const struct sm *sm, const uint16_t *registers, uint32_t full)
{
    uint32_t best = (uint32_t)__builtin_ctz(full);
    for (full &= full - 1; full != 0; full &= full - 1) {
        uint32_t slot = (uint32_t)__builtin_ctz(full);
        if (sm->ops[registers[slot]].age < sm->ops[registers[best]].age)
            best = slot;
    }
    return best;
}

void sm_leave(struct sm *sm, uint32_t warp)
{
    sm->warps[warp].in_pipeline--;
    sm_settle(sm, warp);
}

/* ---- life ---- */

static bool make_readers(struct sm *sm)
{
    sm->readers = calloc(sm->spec->warps, sizeof *sm->readers);
    return sm->readers != NULL;
}

static bool make_constants(struct sm *sm)
{
    const struct sim_cache_config *config = &sm->spec->config->l1c;
    return line_cache_init(&sm->constants, config->sets, config->ways, config->line);
}

struct sm *sm_create(const struct sm_spec *spec, uint32_t number)
{
    struct sm *sm = prefetch_alloc(1, sizeof *sm);
    if (sm == NULL)
        return NULL;
    sm->spec = spec;
    sm->number = number;
    sm->free_op = SM_NONE;
    sm->free_lists = ~0ull;
    uint32_t dirty_percent = (uint32_t)spec->config->options.gpgpu_l1_cache_write_ratio;
    sm->l1.mshr.ready_first = MSHR_NONE; /* what is asked of an L1 that is not there */
    if (!grow_ops(sm) || (spec->readers_max != 0 && !make_readers(sm)) ||
        !(sm->scheduler_states = calloc(spec->schedulers, spec->scheduler->state_size + 1)) ||
        (spec->icache.enabled && (sm->icache = icache_create(&spec->icache)) == NULL) ||
        (spec->config->l1c.enabled && !make_constants(sm)) ||
        (spec->cpi_stack && !cpi_create(sm)) ||
        (spec->l1_enabled && !cache_init(&sm->l1, &spec->config->l1d, dirty_percent))) {
        sm_destroy(sm);
        return NULL;
    }
    sm->ldst.dispatch = sm->ldst.write_back = SM_NONE;
    memset(sm->wheel, 0xff, sizeof sm->wheel);
    for (uint32_t w = 0; w < spec->warps; w++)
        sm->scheduler_warps[w % spec->schedulers] |= 1ull << w;
    sm_reset(sm);
    return sm;
}

void sm_destroy(struct sm *sm)
{
    if (sm == NULL)
        return;
    for (uint32_t b = 0; b < SM_MAX_BLOCKS; b++)
        trace_block_release(sm->blocks[b].trace);
    for (uint32_t bank = 0; bank < 16; bank++)
        queue_finish(&sm->ldst.l1_queue[bank]);
    queue_finish(&sm->ldst.fill);
    queue_finish(&sm->replies);
    queue_finish(&sm->requests);
    cache_finish(&sm->l1);
    icache_destroy(sm->icache);
    line_cache_finish(&sm->constants);
    free(sm->scheduler_states);
    free(sm->readers);
    free(sm->ops);
    sm_observers_finish(&sm->observers);
    free(sm->cpi);
    free(sm);
}

void sm_reset(struct sm *sm)
{
    if (sm->spec->l1_enabled)
        tags_clear(&sm->l1.tags, sm->l1.tags.spec.ways);
    sm->l1.data_free = sm->l1.fill_free = 0;
    if (sm->icache != NULL)
        icache_clear(sm->icache);
    memset(sm->scheduler_states, 0, sm->spec->schedulers * sm->spec->scheduler->state_size);
    sm->last_fetched = 0;
    sm->turn = 0;
    sm->fetched = -1;
    sm->timed_end = UINT64_MAX;
    sm->ldst.next_client = 0;
    memset(sm->dispatch_last, 0, sizeof sm->dispatch_last);
    memset(sm->units, 0, sizeof sm->units);
    sm_set_clock(sm, 0);
}

static void begin(struct sm *sm, bool shared, uint64_t start)
{
    sm->shared = shared;
    sm->place = true;
    sm->last_end = start;
    sm_set_clock(sm, start);
    sm->first_cycle = start + 1;
    sm->collect_stuck = false;
    sm->issue_stuck = 0;
    line_cache_clear(&sm->constants); /* parameters are others */
}

void sm_begin(struct sm *sm, const struct sm_launch *launch, uint64_t start)
{
    begin(sm, false, start);
    sm_tell_launch_begun(sm);
    sm->blocks_max = launch->blocks_max;
    sm->l1.allocate_on_fill = launch->l1_on_fill;
    if (sm->spec->l1_enabled && launch->l1_ways != sm->l1.tags.spec.ways)
        tags_clear(&sm->l1.tags, launch->l1_ways);
}

void sm_resume_shared(struct sm *sm, uint64_t start)
{
    begin(sm, true, start);
}

void sm_begin_shared(struct sm *sm, bool flush_l1, uint64_t start)
{
    begin(sm, true, start);
    sm->blocks_max = sm->spec->blocks;
    sm->flush_l1 = flush_l1;
    sm->last_launch = 0;
    sm->least = sm->used = (struct sm_needs){0};
}

void sm_scatter(struct sm *sm, uint32_t mix)
{
    const struct warp_scheduler *policy = sm->spec->scheduler;
    uint32_t warps = sm->spec->warps;
    sm->turn = mix % sm->spec->schedulers;
    sm->last_fetched = (mix >> 4) % warps;
    for (uint32_t s = 0; policy->scatter != NULL && s < sm->spec->schedulers; s++)
        policy->scatter(sm_scheduler_state(sm, s), (mix >> (8 + 2 * s)) % warps);
}

void sm_end(struct sm *sm, uint64_t last_given)
{
    uint64_t last = sm->last_end > last_given ? sm->last_end : last_given;
    sm->turn = (uint32_t)((sm->turn + last + 1 - sm->first_cycle) % sm->spec->schedulers);
}

/* ---- time ---- */

/* PACKET ends cycles in which nothing moved: as many as DRAM took, it would not have needed had
 * L2 held its sector. */
static void count_dram_wait(struct sm *sm, const struct packet *packet)
{
    uint64_t idle = sm->now - sm->last_moved - 1;
    uint64_t cycles = idle < packet->waited ? idle : packet->waited;
    SHARES_ADD(sm, packet->launch, dram_waits, cycles);
}

/* Brings near what the replies behind the oldest will need in L1. */
static void expect_replies(const struct sm *sm)
{
    const struct queue *replies = &sm->replies;
    if (replies->count > 2 && queue_at(replies, 2)->packet.kind == PACKET_READ) {
        cache_expect_fill(&sm->l1, &queue_at(replies, 2)->packet);
        __builtin_prefetch(&sm->ops[queue_at(replies, 2)->packet.op], 1);
    }
    if (replies->count > 1 && queue_at(replies, 1)->packet.kind == PACKET_READ)
        cache_expect_line(&sm->l1, &queue_at(replies, 1)->packet);
}

static void take_replies(struct sm *sm)
{
    if (sm->ldst.fill.count >= sm->spec->fill_queue || !queue_ready(&sm->replies, sm->now))
        return;
    const struct packet *packet = &queue_head(&sm->replies)->packet;
    if (packet->waited != 0 && sm->now > sm->last_moved + 1)
        count_dram_wait(sm, packet);
    queue_push(&sm->ldst.fill, packet, sm->now);
    expect_replies(sm);
    queue_pop(&sm->replies);
    sm->moved = true;
}

static void cycle(struct sm *sm)
{
    sm->moved = false;
    sm->wake = UINT64_MAX;
    if (sm->timed_end <= sm->now)
        sm_end_timed(sm);
    take_replies(sm);
    sm_write_back(sm);
    sm_execute(sm);
    sm_collect(sm);
    sm_issue(sm);
    sm_tell_passed(sm, 1);
    sm_fetch(sm);
    if (sm->moved)
        sm->last_moved = sm->now;
}

/* The cycle of the next planned write-back, from NOW on. */
static uint64_t next_write_back(const struct sm *sm)
{
    uint32_t start = (uint32_t)sm->now & (SM_WHEEL - 1);
    uint64_t bits = sm->wheel_bits[start / 64] & (~0ull << (start % 64));
    for (uint32_t i = 0; i <= SM_WHEEL / 64; i++) {
        uint32_t word = (start / 64 + i) % (SM_WHEEL / 64);
        if (i != 0)
            bits = sm->wheel_bits[word];
        if (bits != 0)
            return sm->now +
                   ((word * 64 + (uint32_t)__builtin_ctzll(bits) - start) & (SM_WHEEL - 1));
    }
    return UINT64_MAX;
}

/* After a cycle in which nothing moved: the next one in which anything can. */
static uint64_t next_cycle(const struct sm *sm)
{
    uint64_t next = sm_load_store_next(sm);
    if (sm->wake < next)
        next = sm->wake;
    if (sm->timed_end < next)
        next = sm->timed_end;
    if (sm->replies.count != 0 && sm->ldst.fill.count < sm->spec->fill_queue &&
        queue_head(&sm->replies)->ready < next)
        next = queue_head(&sm->replies)->ready;
    if (sm->wheel_count != 0) {
        uint64_t write = next_write_back(sm);
        if (write < next)
            next = write;
    }
    return next;
}

/* Accesses to L1 that are refused every cycle wait so many cycles more. */
static void wait_for_l1(struct sm *sm, uint64_t cycles)
{
    uint64_t waiting = sm->ldst.l1_waiting;
    for (uint32_t kind = 0; waiting != 0; kind++, waiting >>= 8)
        cache_wait(&sm->l1, (enum cache_kind)kind, (waiting & 255) * cycles);
}

/* Passes cycles that would be as the last one. */
static void skip(struct sm *sm, uint64_t end)
{
    uint64_t next = next_cycle(sm);
    if (next > end)
        next = end;
    if (next <= sm->now)
        return;
    wait_for_l1(sm, next - sm->now);
    sm_tell_passed(sm, next - sm->now);
    sm->now = next;
}

/* What a run looks at in any case, and what has gone far since the last one. */
static void bring_near(const struct sm *sm)
{
    prefetch_bytes(sm, offsetof(struct sm, collectors));
    prefetch_bytes(&sm->ldst, offsetof(struct ldst, pipe));
    prefetch_bytes(sm->ldst.l1_queue, sm->spec->l1_banks * sizeof sm->ldst.l1_queue[0]);
    prefetch_bytes(sm->ldst.l1_refused, sm->spec->l1_banks * sizeof sm->ldst.l1_refused[0]);
    prefetch_bytes(&sm->l1, offsetof(struct cache, stats));
    prefetch_bytes(&sm->replies, offsetof(struct sm, wheel) - offsetof(struct sm, replies));
}

bool sm_run(struct sm *sm, uint64_t end, bool yield)
{
    bring_near(sm);
    while (sm->now < end) {
        cycle(sm);
        sm->now++;
        if (yield && sm_has_place(sm))
            return true;
        if (!sm->moved)
            skip(sm, end);
        atomic_store_explicit(&sm->clock, sm->now, memory_order_release);
    }
    return false;
}

bool sm_stuck(const struct sm *sm)
{
    return !sm->moved && next_cycle(sm) == UINT64_MAX;
}
