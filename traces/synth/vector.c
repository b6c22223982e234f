/* vecadd and saxpy: the CUDA samples' first kernels. */
#include "traces/synth/warp.h"

struct vectors {
    uint64_t n, a, b, c;
};

static void vecadd(struct warp *w, const void *data)
{
    const struct vectors *v = data;
    uint64_t i = warp_prologue(w);
    if (warp_bound(w, i, v->n))
        return;
    warp_pointer(w, 4, 0);
    warp_pointer(w, 2, 0);
    warp_memory_row(w, LDG, 4, 4, v->a + 4 * i, 4);
    warp_memory_row(w, LDG, 3, 2, v->b + 4 * i, 4);
    warp_pointer(w, 8, 0);
    OP(w, "FADD", 10, 4, 3);
    warp_memory_row(w, STG, 10, 8, v->c + 4 * i, 4);
}

void synth_vecadd(struct synth *synth)
{
    uint32_t n = synth_scaled(synth, 4000000, 100);
    struct vectors v = {.n = n};
    v.a = synth_upload(synth, 4ull * n);
    v.b = synth_upload(synth, 4ull * n);
    v.c = synth_alloc(synth, 4ull * n);
    LAUNCH(synth, "_Z6vecaddPKfS0_Pfi", {div_up(n, 256)}, {256}, 12, 0, vecadd, &v);
}

/* y = a x + y with a grid-stride loop. */
static void saxpy(struct warp *w, const void *data)
{
    const struct vectors *v = data;
    uint64_t i = warp_prologue(w), step = (uint64_t)w->launch->grid[0] * 256;
    if (warp_bound(w, i, v->n))
        return;
    OP(w, "MOV", 2);
    struct lane_loop loop = {0};
    for (; lane_loop_next(w, &loop, lanes_below(i, v->n)); i += step) {
        warp_pointer(w, 4, 0);
        warp_pointer(w, 8, 0);
        warp_memory_row(w, LDG, 10, 4, v->a + 4 * i, 4);
        warp_memory_row(w, LDG, 11, 8, v->b + 4 * i, 4);
        OP(w, "IADD3", 0, 0, 2);
        OP(w, "FFMA", 11, 10, RZ, 11);
        warp_memory_row(w, STG, 11, 8, v->b + 4 * i, 4);
    }
}

void synth_saxpy(struct synth *synth)
{
    uint32_t n = synth_scaled(synth, 2000000, 100);
    struct vectors v = {.n = n};
    v.a = synth_upload(synth, 4ull * n);
    v.b = synth_upload(synth, 4ull * n);
    for (int i = 0; i < 4; i++)
        LAUNCH(synth, "_Z5saxpyifPKfPf", {div_up(n, 1024)}, {256}, 14, 0, saxpy, &v);
}
