/* Fetch, decode, and the end of warps and blocks. Instructions are fetched in
 * pairs, for one warp per step, when the warp's buffer is empty. The instruction
 * cache is perfect, or those of code_caches.h: then both instructions must be in the same
 * line, and a warp whose line is missing is skipped until the line arrives. */
#include "sim/core/legacy/legacy.h"

/* The first set bit of MASK in the order FROM, FROM + 1 ... 63, 0 ..., or -1. */
static int first_from(uint64_t mask, uint32_t from)
{
    uint64_t upper = from < 64 ? mask & (~0ull << from) : 0;
    if (upper != 0)
        return __builtin_ctzll(upper);
    return mask != 0 ? __builtin_ctzll(mask) : -1;
}

/* Gives the second instruction of a pair back that is not in the line of the first. */
static LEGACY_RARE void part_pair(const struct legacy *core, struct legacy_warp *warp)
{
    const struct trace_record *pair = warp->buffer;
    if (warp->buffered < 2 || code_together(core->sm.code, &legacy_launch_of(core, warp)->code,
                                            inst_table_get(warp->insts, pair[0].inst)->pc,
                                            inst_table_get(warp->insts, pair[1].inst)->pc))
        return;
    warp->buffered = 1;
    warp->trace->at--;
}

/* Where errors in reading a warp's instructions are stored. */
static struct error *reader_error(const struct legacy *core, const struct legacy_warp *warp)
{
    return &legacy_launch_of(core, warp)->reports[core->sm.number].error;
}

/* Prefetches what the warp needs next: the addresses of what it has just decoded, and the
 * instructions after that. They were written when the block was read, long ago. */
static void expect_next(const struct legacy_warp *warp)
{
    const struct trace_warp *trace = warp->trace;
    __builtin_prefetch(trace->at + 2);
    for (uint32_t i = 0; i < warp->buffered; i++)
        if (warp->buffer[i].mode != TRACE_ADDRESS_NONE)
            __builtin_prefetch(&trace->addresses[warp->buffer[i].address]);
}

static void decode(struct legacy *core)
{
    if (core->fetched < 0)
        return;
    uint32_t number = (uint32_t)core->fetched;
    struct legacy_warp *warp = &core->warps[number];
    struct trace_warp *trace = warp->trace;
    core->fetched = -1;
    if (trace->at == trace->end && trace_warp_fill(trace, reader_error(core, warp)) <= 0) {
        legacy_end_warp(core, number); /* the launch ends with the error */
        return;
    }
    warp->at = 0;
    warp->buffered = 0;
    while (warp->buffered < 2 && trace->at < trace->end)
        warp->buffer[warp->buffered++] = *trace->at++;
    if (core->sm.spec->code.fetches)
        part_pair(core, warp);
    expect_next(warp);
    warp->left -= warp->buffered;
    warp->in_pipeline = (uint16_t)(warp->in_pipeline + warp->buffered);
    core->buffered |= 1ull << number;
    legacy_next_inst(core, number);
}

/* A warp's place is free once its stores are acknowledged, its instructions
 * have left the pipeline and its loads have come. */
static void retire(struct legacy *core, uint64_t warps)
{
    for (; warps != 0; warps &= warps - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(warps);
        struct legacy_warp *warp = &core->warps[number];
        const struct sm_block *block = &core->sm.blocks[warp->block];
        if (!sm_has_begun(&core->sm, block)) /* it has no instructions */
            continue;
        core->ended &= ~(1ull << number);
        core->done &= ~(1ull << number);
        warp->trace = NULL;
        uint64_t cycles = core->sm.now - block->about.begin;
        sm_tell_retired(&core->sm, number, warp->block);
        SHARES_ADD(&core->sm, warp->slot, warp_cycles, cycles);
        if (--core->sm.blocks[warp->block].live == 0)
            sm_end_block(&core->sm, warp->block);
    }
}

/* The bits that a search from FROM passes before it stops at STOP. */
static uint64_t passed(uint32_t from, uint32_t stop)
{
    uint64_t below_stop = (1ull << stop) - 1, above_from = from < 64 ? ~0ull << from : 0;
    return stop >= from ? below_stop & above_from : below_stop | above_from;
}

/* Looks up the warp's next instruction; false while its line is being fetched. */
static LEGACY_RARE bool code_there(struct legacy *core, uint32_t number)
{
    struct legacy_warp *warp = &core->warps[number];
    struct trace_warp *trace = warp->trace;
    uint64_t bit = 1ull << number;
    bool came = core->code_came & bit;
    core->code_came &= ~bit;
    /* decode() reports what cannot be read. */
    if (came ||
        (trace->at == trace->end && trace_warp_fill(trace, reader_error(core, warp)) <= 0))
        return true;
    warp->code_ready =
        code_fetch(core->sm.code, number % core->sm.spec->schedulers, warp->slot,
                   &legacy_launch_of(core, warp)->code,
                   inst_table_get(warp->insts, trace->at->inst)->pc, core->sm.now);
    if (warp->code_ready <= core->sm.now)
        return true;
    core->awaiting_code |= bit;
    return false;
}

/* Warps whose line is there can be fetched for. */
static LEGACY_RARE void take_code(struct legacy *core)
{
    for (uint64_t rest = core->awaiting_code; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        uint64_t bit = 1ull << number;
        if (core->warps[number].code_ready > core->sm.now) {
            legacy_wake(core, core->warps[number].code_ready);
            continue;
        }
        core->awaiting_code &= ~bit;
        core->code_came |= bit & ~core->starting;
        core->starting &= ~bit;
        core->fetchable |= bit;
    }
}

/* Looks for a warp to fetch for, starting after the last one. Retires the finished
 * warps that it passes on the way. */
static void fetch(struct legacy *core)
{
    if (core->fetched >= 0)
        return;
    uint32_t from = core->last_fetched + 1 < core->sm.spec->warps ? core->last_fetched + 1 : 0;
    int warp = first_from(core->fetchable, from);
    if (core->done != 0)
        retire(core, warp < 0 ? core->done : core->done & passed(from, (uint32_t)warp));
    if (warp < 0)
        return;
    core->fetchable &= ~(1ull << warp);
    core->last_fetched = (uint32_t)warp;
    if (!core->sm.spec->code.fetches || code_there(core, (uint32_t)warp))
        core->fetched = warp;
}

void legacy_fetch(struct legacy *core)
{
    if (core->awaiting_code != 0)
        take_code(core);
    for (uint32_t i = 0; i < core->spec->fetches; i++) {
        if (core->fetched < 0 && (core->fetchable | core->done) == 0)
            return;
        core->moved = true;
        decode(core);
        fetch(core);
    }
}
