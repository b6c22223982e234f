/* Fetch, decode, and the end of warps and blocks. Instructions are fetched in
 * pairs, for one warp a step, when the warp's buffer is empty. The instruction
 * cache is perfect, or icache.h's: then both must lie in the same line, and a
 * warp whose line is not there is left out until it is. */
#include "sim/core/sm.h"

/* The first set bit of MASK in the order FROM, FROM + 1 ... 63, 0 ..., or -1. */
static int first_from(uint64_t mask, uint32_t from)
{
    uint64_t upper = from < 64 ? mask & (~0ull << from) : 0;
    if (upper != 0)
        return __builtin_ctzll(upper);
    return mask != 0 ? __builtin_ctzll(mask) : -1;
}

/* Gives the second instruction of a pair back that is not in the line of the first. */
static SM_RARE void part_pair(const struct sm *sm, struct sm_warp *warp)
{
    const struct trace_record *pair = warp->buffer;
    if (warp->buffered < 2 ||
        icache_together(sm->icache, inst_table_get(warp->insts, pair[0].inst)->pc,
                        inst_table_get(warp->insts, pair[1].inst)->pc))
        return;
    warp->buffered = 1;
    warp->trace->at--;
}

static void decode(struct sm *sm)
{
    if (sm->fetched < 0)
        return;
    uint32_t number = (uint32_t)sm->fetched;
    struct sm_warp *warp = &sm->warps[number];
    struct trace_warp *trace = warp->trace;
    sm->fetched = -1;
    if (trace->at == trace->end &&
        trace_warp_fill(trace, &warp->launch->reports[sm->number].error) <= 0) {
        sm_end_warp(sm, number); /* the launch ends with the error */
        return;
    }
    warp->at = 0;
    warp->buffered = 0;
    while (warp->buffered < 2 && trace->at < trace->end)
        warp->buffer[warp->buffered++] = *trace->at++;
    if (sm->icache != NULL)
        part_pair(sm, warp);
    warp->left -= warp->buffered;
    warp->in_pipeline = (uint16_t)(warp->in_pipeline + warp->buffered);
    sm->buffered |= 1ull << number;
    sm_next_inst(sm, number);
}

/* A warp's place is free once its stores are acknowledged, its instructions
 * have left the pipeline and its loads have come. */
static void retire(struct sm *sm, uint64_t warps)
{
    const struct warp_scheduler *policy = sm->spec->scheduler;
    sm->ended &= ~warps;
    sm->done &= ~warps;
    for (; warps != 0; warps &= warps - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(warps);
        struct sm_warp *warp = &sm->warps[number];
        warp->trace = NULL;
        uint64_t cycles = sm->now - sm->blocks[warp->block].about.begin;
        sm_tell_retired(sm, number, warp->block);
        SHARES_ADD(sm, warp->launch->slot, warp_cycles, cycles);
        if (policy->retired != NULL)
            policy->retired(sm_scheduler_state(sm, number % sm->spec->schedulers), number);
        if (--sm->blocks[warp->block].live == 0)
            sm_end_block(sm, warp->block);
    }
}

/* The bits that a search from FROM passes before it stops at STOP. */
static uint64_t passed(uint32_t from, uint32_t stop)
{
    uint64_t below_stop = (1ull << stop) - 1, above_from = from < 64 ? ~0ull << from : 0;
    return stop >= from ? below_stop & above_from : below_stop | above_from;
}

/* Looks the warp's next instruction up; false when its line is on its way. */
static SM_RARE bool code_there(struct sm *sm, uint32_t number)
{
    struct sm_warp *warp = &sm->warps[number];
    struct trace_warp *trace = warp->trace;
    uint64_t bit = 1ull << number;
    bool came = sm->code_came & bit;
    sm->code_came &= ~bit;
    /* What cannot be read is told by decode(). */
    if (came || (trace->at == trace->end &&
                 trace_warp_fill(trace, &warp->launch->reports[sm->number].error) <= 0))
        return true;
    uint64_t address = warp->launch->code + inst_table_get(warp->insts, trace->at->inst)->pc;
    warp->code_ready = icache_fetch(sm->icache, number % sm->spec->schedulers,
                                    warp->launch->slot, address, sm->now);
    if (warp->code_ready <= sm->now)
        return true;
    sm->awaiting_code |= bit;
    return false;
}

/* Warps whose line is there can be fetched for. */
static SM_RARE void take_code(struct sm *sm)
{
    for (uint64_t rest = sm->awaiting_code; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        uint64_t bit = 1ull << number;
        if (sm->warps[number].code_ready > sm->now) {
            sm_wake(sm, sm->warps[number].code_ready);
            continue;
        }
        sm->awaiting_code &= ~bit;
        sm->code_came |= bit;
        sm->fetchable |= bit;
    }
}

/* Looks for a warp to fetch for, from the one behind the last; warps at their
 * end that it comes by are retired. */
static void fetch(struct sm *sm)
{
    if (sm->fetched >= 0)
        return;
    uint32_t from = (sm->last_fetched + 1) % sm->spec->warps;
    int warp = first_from(sm->fetchable, from);
    if (sm->done != 0)
        retire(sm, warp < 0 ? sm->done : sm->done & passed(from, (uint32_t)warp));
    if (warp < 0)
        return;
    sm->fetchable &= ~(1ull << warp);
    sm->last_fetched = (uint32_t)warp;
    if (sm->icache == NULL || code_there(sm, (uint32_t)warp))
        sm->fetched = warp;
}

void sm_fetch(struct sm *sm)
{
    if (sm->awaiting_code != 0)
        take_code(sm);
    for (uint32_t i = 0; i < sm->spec->fetches; i++) {
        if (sm->fetched < 0 && (sm->fetchable | sm->done) == 0)
            return;
        sm->moved = true;
        decode(sm);
        fetch(sm);
    }
}
