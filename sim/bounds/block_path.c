/* The shortest time of a block: its warps, each in order, in the order of the cycles in which
 * they can issue at the earliest, so that it is known which access to a sector comes first. */
#include <math.h>

#include "sim/bounds/costs_reading.h"
#include "sim/core/hopper/async_op.h"
#include "sim/core/hopper/poll_loop.h"

#define NEVER UINT64_MAX

/* What a warp leaves out, or may: loops that wait turn once (sim/core/modern/async_loops.c). */
struct wait_loop {
    struct poll_loop polls;
    bool waits;
};

struct block_path {
    struct costs_reading *reading;
    struct trace_block *block;
    struct wait_loop loops[SM_MAX_WARPS];
    uint64_t next[SM_MAX_WARPS]; /* cycle of each warp's next instruction; NEVER: it has ended,
                                    or waits at a barrier */
    uint64_t waiting;            /* mask of those at a barrier */
    uint64_t barrier_free;       /* cycle from which the barrier takes an arrival */
};

/* Whether the next record of WARP may be left out. A wait for a barrier is, if that has been
 * passed; all of them are here, and the loops around them. */
static bool may_leave_out(struct wait_loop *loop, const struct trace_warp *warp,
                          const struct inst *inst)
{
    if (poll_loop_repeats(&loop->polls, inst, warp->at, warp->addresses))
        return true;
    poll_loop_note(&loop->polls, inst, warp->at, warp->addresses);
    uint8_t op = inst->issue.async;
    loop->waits = op == ASYNC_WAIT || ((op == ASYNC_SLEEP || op == ASYNC_PAUSE) && loop->waits);
    return loop->waits;
}

/* Sets when warp NUMBER can issue its next instruction. Returns 0 or -1. */
static int find_next(struct block_path *path, uint32_t number)
{
    struct costs_reading *reading = path->reading;
    struct trace_warp *warp = &path->block->warps[number];
    struct warp_path *own = &reading->paths[number];
    for (;; warp->at++) {
        int more = warp->at == warp->end ? trace_warp_fill(warp, reading->err) : 1;
        if (more <= 0) {
            path->next[number] = NEVER;
            return more;
        }
        const struct inst *inst = inst_table_get(&reading->insts, warp->at->inst);
        if (may_leave_out(&path->loops[number], warp, inst))
            continue;
        path->next[number] = warp_path_next(own, &reading->spec, inst, warp->at->mask);
        return 0;
    }
}

/* Whether a warp that issues INST waits for all of its block. */
static bool waits_for_all(const struct inst *inst, uint32_t mask)
{
    return (inst->flags & TRACE_INST_BARRIER) && !(inst->flags & TRACE_INST_ARRIVE) &&
           inst->imm == 0 && inst->issue.barrier_warps == 0 && mask != 0;
}

/* Warp NUMBER issues its next instruction, in its cycle. */
static int issue(struct block_path *path, uint32_t number)
{
    struct costs_reading *reading = path->reading;
    struct trace_warp *warp = &path->block->warps[number];
    const struct trace_record *record = warp->at++;
    const struct inst *inst = inst_table_get(&reading->insts, record->inst);
    uint64_t now = path->next[number];
    struct path_access access;
    costs_add_record(reading, record, warp, now, &access);
    warp_path_issue(&reading->paths[number], &reading->spec, inst, record->mask, &access, now);
    if (!waits_for_all(inst, record->mask))
        return find_next(path, number);
    path->next[number] = NEVER;
    path->waiting |= 1ull << number;
    if (path->barrier_free < now)
        path->barrier_free = now;
    path->barrier_free += reading->spec.barrier_interval;
    return 0;
}

/* All that have not ended are at the barrier: they leave it. */
static int open_barrier(struct block_path *path)
{
    uint64_t begun = (uint64_t)path->reading->begun;
    uint64_t last = path->barrier_free > begun ? path->barrier_free : begun;
    uint64_t from = last + path->reading->spec.barrier;
    uint64_t rest = path->waiting;
    path->waiting = 0;
    for (; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        struct warp_path *warp = &path->reading->paths[number];
        if (warp->next < from)
            warp->next = from;
        if (find_next(path, number) != 0)
            return -1;
    }
    return 0;
}

/* The warp that issues next, and in *OTHER the cycle of the one after it. */
static uint32_t choose(const struct block_path *path, uint64_t *other)
{
    uint32_t first = 0;
    *other = NEVER;
    for (uint32_t w = 1; w < path->block->warp_count; w++) {
        if (path->next[w] < path->next[first]) {
            *other = path->next[first];
            first = w;
        } else if (path->next[w] < *other) {
            *other = path->next[w];
        }
    }
    return first;
}

/* Issues all instructions, but for what its warps still wait for at barriers. */
static int issue_all(struct block_path *path)
{
    uint64_t other;
    for (;;) {
        uint32_t first = choose(path, &other);
        if (path->next[first] == NEVER)
            return 0;
        do {
            if (issue(path, first) != 0)
                return -1;
        } while (path->next[first] != NEVER && path->next[first] <= other);
    }
}

int costs_add_warps(struct costs_reading *reading, struct trace_block *block)
{
    struct block_path path = {.reading = reading, .block = block};
    reading->reader.block = reading->block_number;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        warp_path_begin(&reading->paths[w]);
        if (find_next(&path, w) != 0)
            return -1;
    }
    do {
        if (issue_all(&path) != 0)
            return -1;
    } while (path.waiting != 0 && open_barrier(&path) == 0);
    if (path.waiting != 0)
        return -1;
    reading->block[BLOCK_PATH] = floor(reading->begun);
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (block->warps[w].total > 0)
            reading->block[BLOCK_PATH] =
                fmax(reading->block[BLOCK_PATH], (double)warp_path_end(&reading->paths[w]));
    return 0;
}
