/* scan: prefix sums in three launches: blocks of 1024 elements, their sums,
 * and the addition of those. Shuffles in the warp, shared memory between. */
#include "traces/synth/warp.h"

#define BLOCK 256
#define EACH  4 /* elements a thread: one 128-bit access */

struct scan {
    uint64_t n; /* elements, a multiple of EACH */
    uint64_t data, sums;
    uint32_t sum_count;
};

/* Sums of the lanes in front, by shuffles. */
static void scan_lanes(struct warp *w, int value, int temporary)
{
    for (uint32_t distance = 1; distance < WARP_SIZE; distance *= 2) {
        OP(w, "SHFL.UP", temporary, value);
        uint32_t saved = warp_predicate(w, UINT32_MAX << distance);
        OP(w, "IADD3", value, value, temporary);
        w->mask = saved;
    }
}

/* A block's scan of R12; R14 gets the sum of the warps before this one. */
static void scan_block(struct warp *w)
{
    uint32_t warps = BLOCK / WARP_SIZE;
    scan_lanes(w, 12, 13);
    uint32_t saved = warp_predicate(w, UINT32_C(1) << 31);
    warp_memory_row(w, STS, 12, 9, 4ull * w->index - 31 * 4, 4);
    w->mask = saved;
    warp_barrier(w);
    OP(w, "ISETP.GT.U32.AND", NONE, 3);
    struct branch branch = warp_if(w, w->index == 0 ? lanes_below(0, warps) : 0);
    warp_memory_row(w, LDS, 14, 9, 0, 4);
    for (uint32_t distance = 1; distance < warps; distance *= 2) {
        OP(w, "SHFL.UP", 15, 14);
        OP(w, "IADD3", 14, 14, 15);
    }
    warp_memory_row(w, STS, 14, 9, 0, 4);
    warp_end_if(w, branch);
    warp_barrier(w);
    saved = warp_predicate(w, w->index > 0 ? UINT32_MAX : 0);
    warp_memory_row(w, LDS, 14, 9, 4ull * w->index - 4, 0);
    OP(w, "IADD3", 12, 12, 14);
    w->mask = saved;
}

static void scan_blocks(struct warp *w, const void *data)
{
    const struct scan *scan = data;
    uint64_t first = warp_prologue(w), count = scan->n / EACH;
    OP(w, "SHF.R.U32.HI", 9, RZ, 3);
    OP(w, "ISETP.GE.AND", NONE, 0);
    uint32_t saved = warp_predicate(w, lanes_below(first, count));
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG_128, 16, 4, scan->data + 16 * first, 16);
    w->mask = saved;
    for (int i = 1; i < EACH; i++)
        OP(w, "IADD3", 16 + i, 16 + i, 15 + i);
    OP(w, "MOV", 12, 19);
    scan_block(w);
    OP(w, "IADD3", 12, 12, 19);
    for (int i = 0; i < EACH; i++)
        OP(w, "IADD3", 16 + i, 16 + i, 12);
    warp_predicate(w, lanes_below(first, count));
    warp_memory_row(w, STG_128, 16, 4, scan->data + 16 * first, 16);
    w->mask = saved;
    OP(w, "ISETP.NE.AND", NONE, 3);
    if (warp_leave(w, w->index == BLOCK / WARP_SIZE - 1 ? ~(UINT32_C(1) << 31) : UINT32_MAX))
        return;
    warp_pointer(w, 4, 2);
    struct lanes at;
    EACH_LANE(w, l)
    at.at[l] = scan->sums + 4ull * w->block[0];
    warp_memory(w, STG, 12, 4, &at);
}

/* One block goes over the sums, 256 at a time. */
static void scan_sums(struct warp *w, const void *data)
{
    const struct scan *scan = data;
    warp_prologue(w);
    OP(w, "SHF.R.U32.HI", 9, RZ, 3);
    OP(w, "MOV", 20, RZ);
    struct loop loop = loop_begin(2, div_up(scan->sum_count, BLOCK));
    while (loop_next(w, &loop)) {
        uint64_t first = (uint64_t)loop.i * BLOCK + w->first;
        OP(w, "ISETP.GE.AND", NONE, 2);
        uint32_t saved = warp_predicate(w, lanes_below(first, scan->sum_count));
        warp_pointer(w, 4, 2);
        warp_memory_row(w, LDG, 12, 4, scan->sums + 4 * first, 4);
        w->mask = saved;
        scan_block(w);
        OP(w, "IADD3", 12, 12, 20);
        warp_predicate(w, lanes_below(first, scan->sum_count));
        warp_memory_row(w, STG, 12, 4, scan->sums + 4 * first, 4);
        w->mask = saved;
        warp_barrier(w);
        warp_memory_row(w, LDS, 20, RZ, 4 * (BLOCK / WARP_SIZE - 1), 0);
        warp_barrier(w);
    }
}

static void add_sums(struct warp *w, const void *data)
{
    const struct scan *scan = data;
    uint64_t first = warp_prologue(w) + BLOCK; /* the first block has its sums */
    OP(w, "ISETP.GE.AND", NONE, 0);
    if (warp_leave(w, ~lanes_below(first, scan->n / EACH)))
        return;
    warp_pointer(w, 8, 2);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG_CONST, 12, 8, scan->sums + 4ull * w->block[0], 0);
    warp_memory_row(w, LDG_128, 16, 4, scan->data + 16 * first, 16);
    for (int i = 0; i < EACH; i++)
        OP(w, "IADD3", 16 + i, 16 + i, 12);
    warp_memory_row(w, STG_128, 16, 4, scan->data + 16 * first, 16);
}

void synth_scan(struct synth *synth)
{
    struct scan scan = {.n = synth_scaled(synth, 4000000, 8 * BLOCK) / EACH * EACH};
    uint32_t blocks = div_up(scan.n, EACH * BLOCK);
    scan.sum_count = blocks;
    scan.data = synth_upload(synth, 4 * scan.n);
    scan.sums = synth_alloc(synth, 4ull * blocks);
    LAUNCH(synth, "_Z10scanBlocksP4int4Pii", {blocks}, {BLOCK}, 24, 32, scan_blocks, &scan);
    LAUNCH(synth, "_Z8scanSumsPii", {1}, {BLOCK}, 24, 32, scan_sums, &scan);
    LAUNCH(synth, "_Z7addSumsP4int4PKii", {blocks - 1}, {BLOCK}, 20, 0, add_sums, &scan);
}
