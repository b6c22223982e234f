/* histogram: 256 bins of bytes. The CUDA sample's way: a histogram a warp in
 * shared memory, one a block to memory, a launch that merges; and the direct
 * way, atomics on global memory. The bytes are sums of four smaller ones, so
 * that the middle bins are hot. */
#include "traces/synth/warp.h"

#define BINS   256
#define WARPS  6
#define BLOCKS 240

struct histogram {
    uint64_t words, stream;
    uint64_t data, partial, bins;
};

/* The four bytes of word I. */
static uint32_t byte_of(const struct histogram *h, uint64_t i, uint32_t k)
{
    uint64_t bits = split_mix(h->stream, 4 * i + k);
    return (uint32_t)((bits & 255) + (bits >> 8 & 255) + (bits >> 16 & 255) +
                      (bits >> 24 & 255)) /
           4;
}

/* An atomic for each byte of R10, the words from FIRST on; ROW is the place
 * of the bins. */
static void count_bytes(struct warp *w, const struct histogram *h, uint64_t first, uint64_t row,
                        enum memory_op op)
{
    struct lanes at;
    for (uint32_t k = 0; k < 4; k++) {
        EACH_LANE(w, l)
        at.at[l] = row + 4 * byte_of(h, first + l, k);
        OP(w, "SHF.R.U32.HI", 12, RZ, 10);
        OP(w, "LOP3.LUT", 12, 12, RZ);
        OP(w, "LEA", 13, 12, 9);
        if (op == ATOMS_ADD)
            warp_atomic(w, op, 14, 13, 15, &at);
        else
            warp_memory(w, op, 15, 12, &at);
    }
}

static void clear_bins(struct warp *w, uint64_t row)
{
    for (uint32_t i = 0; i < BINS / WARP_SIZE; i++)
        warp_memory_row(w, STS, RZ, 9, row + 128 * i, 4);
    warp_barrier(w);
}

static void histogram_shared(struct warp *w, const void *data)
{
    const struct histogram *h = data;
    uint64_t row = 4ull * BINS * w->index, i = warp_prologue(w);
    uint64_t step = (uint64_t)w->launch->grid[0] * WARPS * WARP_SIZE;
    OP(w, "SHF.R.U32.HI", 9, RZ, 3);
    OP(w, "IMAD.SHL.U32", 9, 9, RZ);
    OP(w, "MOV", 15);
    clear_bins(w, row);
    struct lane_loop loop = {0};
    for (; lane_loop_next(w, &loop, lanes_below(i, h->words)); i += step) {
        warp_pointer(w, 4, 0);
        warp_memory_row(w, LDG, 10, 4, h->data + 4 * i, 4);
        count_bytes(w, h, i, row, ATOMS_ADD);
        OP(w, "IADD3", 0, 0, RZ);
    }
    warp_barrier(w);
    /* Threads go over the bins. */
    for (uint32_t bin = w->first; bin < 2 * WARPS * WARP_SIZE; bin += WARPS * WARP_SIZE) {
        uint32_t saved = warp_predicate(w, lanes_below(bin, BINS));
        OP(w, "MOV", 12, RZ);
        OP(w, "IMAD.SHL.U32", 8, 3, RZ);
        for (uint32_t k = 0; k < WARPS; k++) {
            warp_memory_row(w, LDS, 13, 8, 4 * (BINS * k + bin), 4);
            OP(w, "IADD3", 12, 12, 13);
        }
        OP(w, "IMAD", 8, 2, RZ, 3);
        warp_pointer(w, 4, 8);
        warp_memory_row(w, STG, 12, 4, h->partial + 4ull * (BINS * w->block[0] + bin), 4);
        w->mask = saved;
    }
}

/* A block a bin. */
static void merge(struct warp *w, const void *data)
{
    const struct histogram *h = data;
    struct lanes at;
    warp_prologue(w);
    OP(w, "ISETP.GE.AND", NONE, 3);
    OP(w, "MOV", 12, RZ);
    uint32_t saved = warp_predicate(w, lanes_below(w->first, BLOCKS));
    warp_pointer(w, 4, 3);
    EACH_LANE(w, l)
    at.at[l] = h->partial + 4 * (BINS * (w->first + l) + w->block[0]);
    warp_memory(w, LDG, 12, 4, &at);
    w->mask = saved;
    OP(w, "IMAD.SHL.U32", 9, 3, RZ);
    warp_memory_row(w, STS, 12, 9, 4ull * w->first, 4);
    for (uint32_t half = BINS / 2; half > 0; half /= 2) {
        warp_barrier(w);
        warp_predicate(w, lanes_below(w->first, half));
        warp_memory_row(w, LDS, 13, 9, 4ull * (w->first + half), 4);
        OP(w, "IADD3", 12, 12, 13);
        warp_memory_row(w, STS, 12, 9, 4ull * w->first, 4);
        w->mask = saved;
    }
    OP(w, "ISETP.NE.AND", NONE, 3, RZ);
    if (warp_leave(w, w->index == 0 ? ~UINT32_C(1) : UINT32_MAX))
        return;
    warp_pointer(w, 4, 2);
    warp_memory_row(w, STG, 12, 4, h->bins + 4ull * w->block[0], 4);
}

static void histogram_global(struct warp *w, const void *data)
{
    const struct histogram *h = data;
    uint64_t i = warp_prologue(w);
    if (warp_bound(w, i, h->words))
        return;
    OP(w, "MOV", 15);
    OP(w, "MOV", 9);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG, 10, 4, h->data + 4 * i, 4);
    count_bytes(w, h, i, h->bins, RED_ADD);
}

void synth_histogram(struct synth *synth)
{
    struct histogram h = {.words = synth_scaled(synth, 3000000, 500)};
    h.stream = synth_random(synth);
    h.data = synth_upload(synth, 4 * h.words);
    h.partial = synth_alloc(synth, 4 * BINS * BLOCKS);
    h.bins = synth_alloc(synth, 4 * BINS);
    uint32_t threads = WARPS * WARP_SIZE;
    LAUNCH(synth, "_Z18histogram256KernelPjS_j", {BLOCKS}, {threads}, 20, 4 * BINS * WARPS,
           histogram_shared, &h);
    LAUNCH(synth, "_Z23mergeHistogram256KernelPjS_j", {BINS}, {BINS}, 16, 4 * BINS, merge, &h);
    struct histogram quarter = h;
    quarter.words = h.words / 4;
    LAUNCH(synth, "_Z15histogramGlobalPKjPjj", {div_up(quarter.words, 256)}, {256}, 18, 0,
           histogram_global, &quarter);
}
