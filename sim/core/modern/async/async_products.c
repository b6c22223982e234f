/* Products of groups of warps, and barriers with names. */
#include "sim/core/modern/async/async_parts.h"

/* The first slot of the block that WARP is of. */
static uint32_t first_warp(const struct modern *core, uint32_t warp)
{
    return (uint32_t)__builtin_ctzll(core->sm.blocks[core->warps[warp].block].warps);
}

static struct matrices *group_of(struct modern *core, uint32_t warp, uint32_t *place)
{
    uint32_t number = warp - first_warp(core, warp);
    *place = number % MATRICES_WARPS;
    return &async_block_of(core, core->warps[warp].block)->groups[number / MATRICES_WARPS];
}

/* WARP waits for products: goes on when these are done, if that is known. */
static void settle(struct modern *core, uint32_t warp, uint32_t open)
{
    uint32_t place;
    const struct matrices *group = group_of(core, warp, &place);
    uint64_t done = matrices_done(group, place, open);
    if (done != UINT64_MAX)
        async_go_on(core, warp, done);
}

/* Cycles from the end of the tensor units' time for INST until its sums can be read. */
static uint32_t rest_of(const struct modern *core, const struct inst *inst)
{
    uint32_t rest = core->spec->async.matrix_rest;
    uint32_t early = inst->issue.cycles - inst->issue.computes;
    if (!core->spec->async.matrix_overlap)
        return rest;
    return rest > early ? rest - early : 0;
}

/* No sub-core issues a product before so few wait that this one can. */
static void hold_products(struct modern *core, uint64_t from)
{
    for (uint32_t s = 0; s < core->sm.spec->schedulers; s++) {
        core->subs[s].unit_free[UNIT_TENSOR] = from;
        core->subs[s].busy |= 1u << UNIT_TENSOR;
    }
}

/* ---- registers that products read ---- */

/* A product of INST has begun, which ends at END. */
static void note_reads(struct async *async, const struct inst *inst, uint64_t end)
{
    if (inst->issue.reads_sums == 0)
        return;
    if (async->read_count == ASYNC_READS) {
        async->read_first = (async->read_first + 1) % ASYNC_READS;
        async->read_count--;
    }
    async->reads[(async->read_first + async->read_count++) % ASYNC_READS] =
        (struct async_reads){end - inst->issue.cycles, end, inst->issue.reads_sums};
}

/* Registers that are read in the first CYCLES of a product. */
static uint64_t read_in(const struct async_reads *reads, uint64_t cycles)
{
    return cycles * reads->registers / (reads->end - reads->begin);
}

uint64_t core_async_reads(struct async *async, uint64_t base, uint64_t from, uint64_t to,
                          uint64_t *used)
{
    uint64_t until = from;
    while (async->read_count != 0 && async->reads[async->read_first].end <= base) {
        async->read_first = (async->read_first + 1) % ASYNC_READS;
        async->read_count--;
    }
    for (uint32_t i = 0; i < async->read_count; i++) {
        const struct async_reads *reads = &async->reads[(async->read_first + i) % ASYNC_READS];
        uint64_t cycle = reads->begin > from ? reads->begin : from;
        for (; cycle < to && cycle < reads->end; cycle++) {
            uint64_t before = read_in(reads, cycle - reads->begin);
            if (read_in(reads, cycle - reads->begin + 1) != before)
                used[before % MODERN_BANKS] |= 1ull << (cycle - base);
        }
        if (cycle > until)
            until = cycle;
    }
    return until;
}

void async_product(struct modern *core, uint32_t warp, const struct inst *inst)
{
    struct async *async = async_of(core);
    uint32_t place, cycles = inst->issue.cycles;
    struct matrices *group = group_of(core, warp, &place);
    uint32_t known = group->batches, begun = group->begun;
    bool closes = inst->code != NULL && async_closes_batch(inst->code);
    matrices_issue(group, place, cycles, closes, rest_of(core, inst), core->sm.now,
                   &async->matrix_free);
    if (group->begun != begun)
        note_reads(async, inst, group->end);
    uint64_t queue = (uint64_t)core->spec->async.matrix_queue * cycles;
    if (async->matrix_free > core->sm.now + queue)
        hold_products(core, async->matrix_free - queue);
    if (group->batches == known)
        return;
    uint64_t rest = async->waiting_product & core->sm.blocks[core->warps[warp].block].warps;
    for (; rest != 0; rest &= rest - 1) {
        uint32_t other = (uint32_t)__builtin_ctzll(rest);
        if (group_of(core, other, &place) == group)
            settle(core, other, async->warps[other].open);
    }
}

void async_product_wait(struct modern *core, uint32_t warp, const struct inst *inst)
{
    struct async *async = async_of(core);
    uint32_t place;
    struct matrices *group = group_of(core, warp, &place);
    if (inst->code == NULL) /* nothing says where batches end */
        matrices_close(group, place, core->spec->async.matrix_rest);
    if (matrices_done(group, place, inst->imm) <= core->sm.now)
        return;
    async->waiting_product |= 1ull << warp;
    async->warps[warp].open = inst->imm;
    settle(core, warp, inst->imm);
}

/* ---- named barriers ---- */

void core_async_name(const struct modern *core, uint32_t warp,
                     const struct trace_record *record, struct async_named *named)
{
    struct trace_extras extras;
    if (!trace_record_extras(record, core->warps[warp].trace->addresses, &extras) ||
        extras.number_count != 2 || extras.numbers[0] >= ASYNC_NAMED)
        return;
    named->number = (uint8_t)extras.numbers[0];
    named->warps = (uint8_t)(extras.numbers[1] / 32);
}

void core_async_named(struct modern *core, uint32_t warp, const struct async_named *named)
{
    uint32_t number = core->warps[warp].block;
    struct async_block *block = async_block_of(core, number);
    uint32_t latency = core->spec->async.named;
    uint64_t *free = latency != 0 ? &block->named[named->number].free : &core->barrier_free;
    *free = (*free > core->sm.now ? *free : core->sm.now) + core->spec->barrier_interval;
    if (named->waits) {
        block->named[named->number].warps |= 1ull << warp;
        core->waiting_barrier |= 1ull << warp;
    }
    if (++block->named[named->number].arrived < named->warps)
        return;
    core_plan_open(core, number, block->named[named->number].warps,
                   *free + (latency != 0 ? latency : core->spec->barrier));
    block->named[named->number].warps = 0;
    block->named[named->number].arrived = 0;
}
