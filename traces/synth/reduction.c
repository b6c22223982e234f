/* reduction: the CUDA sample's reduce6: a grid-stride sum, a tree in shared
 * memory, shuffles; a second launch sums the blocks. */
#include "traces/synth/warp.h"

#define BLOCK 256

struct sum {
    uint64_t n, from, to;
};

static void reduce(struct warp *w, const void *data)
{
    const struct sum *sum = data;
    uint64_t step = 2ull * BLOCK * w->launch->grid[0];
    uint64_t i = 2ull * BLOCK * w->block[0] + w->first;
    warp_prologue(w);
    OP(w, "IMAD", 2, 0, RZ, 3);
    OP(w, "MOV", 12, RZ);
    struct lane_loop loop = {0};
    for (; lane_loop_next(w, &loop, lanes_below(i, sum->n)); i += step) {
        warp_pointer(w, 4, 2);
        OP(w, "IADD3", 8, 2, RZ);
        OP(w, "ISETP.GE.AND", NONE, 8);
        warp_memory_row(w, LDG, 10, 4, sum->from + 4 * i, 4);
        uint32_t saved = warp_predicate(w, lanes_below(i + BLOCK, sum->n));
        warp_pointer(w, 4, 8);
        warp_memory_row(w, LDG, 11, 4, sum->from + 4 * (i + BLOCK), 4);
        warp_predicate(w, saved);
        OP(w, "FADD", 12, 12, 10);
        OP(w, "FADD", 12, 12, 11);
        w->mask = saved;
        OP(w, "IADD3", 2, 2, RZ);
    }
    OP(w, "IMAD.SHL.U32", 9, 3, RZ);
    warp_memory_row(w, STS, 12, 9, 4ull * w->first, 4);
    warp_barrier(w);
    for (uint32_t half = BLOCK / 2; half >= WARP_SIZE; half /= 2) {
        OP(w, "ISETP.GE.U32.AND", NONE, 3);
        uint32_t saved = warp_predicate(w, w->first < half ? UINT32_MAX : 0);
        warp_memory_row(w, LDS, 13, 9, 4ull * (w->first + half), 4);
        OP(w, "FADD", 12, 12, 13);
        warp_memory_row(w, STS, 12, 9, 4ull * w->first, 4);
        w->mask = saved;
        warp_barrier(w);
    }
    if (warp_leave(w, w->index == 0 ? 0 : UINT32_MAX))
        return;
    warp_reduce(w, "FADD", 12, 13, WARP_SIZE);
    OP(w, "ISETP.NE.AND", NONE, 3, RZ);
    if (warp_leave(w, ~UINT32_C(1)))
        return;
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG, 12, 4, sum->to + 4ull * w->block[0], 4);
}

void synth_reduction(struct synth *synth)
{
    uint32_t n = synth_scaled(synth, 8000000, 1000);
    uint32_t blocks = div_up(n, 16 * BLOCK);
    struct sum first = {.n = n, .from = synth_upload(synth, 4ull * n)};
    first.to = synth_alloc(synth, 4ull * blocks);
    struct sum second = {blocks, first.to, synth_alloc(synth, 4)};
    const char *name = "_Z7reduce6IfLj256EEvPKT_PS0_j";
    for (int i = 0; i < 2; i++) {
        LAUNCH(synth, name, {blocks}, {BLOCK}, 18, 4 * BLOCK, reduce, &first);
        LAUNCH(synth, name, {1}, {BLOCK}, 18, 4 * BLOCK, reduce, &second);
    }
}
