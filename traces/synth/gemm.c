/* gemm: tiled products of matrices, in single precision on the FP32
 * units (128 x 128 tiles, 8 x 8 a thread) and on tensor cores. */
#include "traces/synth/tensor_gemm.h"

#define TILE  128
#define DEPTH 8

struct sgemm {
    uint32_t m, n, k;
    uint64_t a, b, c;
};

enum { ACC = 64, FRAG_A = 16, FRAG_B = 24, NEXT_A = 32, NEXT_B = 36 };

/* The next tile into registers: A by half rows, B by whole ones. */
static void load_next(struct warp *w, const struct sgemm *g, uint32_t k)
{
    struct lanes at;
    uint32_t present = 0;
    EACH_LANE(w, l)
    {
        uint32_t t = w->first + l, row = w->block[1] * TILE + t / 2, column = k + t % 2 * 4;
        at.at[l] = g->a + 4 * ((uint64_t)row * g->k + column);
        present |= (uint32_t)(row < g->m && column < g->k) << l;
    }
    uint32_t saved = warp_predicate(w, present);
    warp_memory(w, LDG_128, NEXT_A, 8, &at);
    w->mask = saved;
    uint32_t row = k + w->index, column = w->block[0] * TILE;
    warp_predicate(w, row < g->k ? lanes_below(column / 4, g->n / 4) : 0);
    warp_memory_row(w, LDG_128, NEXT_B, 10, g->b + 4 * ((uint64_t)row * g->n + column), 16);
    w->mask = saved;
    OP(w, "IADD3", 8, 8, REG_SIZE);
    OP(w, "IADD3.X", 9, 9, RZ);
    OP(w, "IMAD.WIDE", 10, REG_SIZE, RZ, 10);
}

/* A goes transposed to shared memory. */
static void store_shared(struct warp *w, uint32_t stage)
{
    uint64_t base = stage % 2 * 2 * TILE * DEPTH * 4;
    struct lanes at;
    for (uint32_t i = 0; i < 4; i++) {
        EACH_LANE(w, l)
        {
            uint32_t t = w->first + l;
            at.at[l] = base + 4 * ((t % 2 * 4 + i) * TILE + t / 2);
        }
        warp_memory(w, STS, NEXT_A + (int)i, 12, &at);
    }
    warp_memory_row(w, STS_128, NEXT_B, 13, base + TILE * DEPTH * 4 + w->index * TILE * 4, 16);
}

static void multiply(struct warp *w, uint32_t stage)
{
    uint64_t base = stage % 2 * 2 * TILE * DEPTH * 4;
    struct lanes a, b;
    for (uint32_t k = 0; k < DEPTH; k++) {
        for (uint32_t half = 0; half < 2; half++) {
            EACH_LANE(w, l)
            {
                uint32_t t = w->first + l;
                a.at[l] = base + 4 * (k * TILE + half * 64 + t / 16 * 4);
                b.at[l] = base + 4 * ((DEPTH + k) * TILE + half * 64 + t % 16 * 4);
            }
            warp_memory(w, LDS_128, FRAG_A + 4 * (int)half, 14, &a);
            warp_memory(w, LDS_128, FRAG_B + 4 * (int)half, 15, &b);
        }
        for (int i = 0; i < 64; i++)
            OP(w, "FFMA", ACC + i, FRAG_A + i / 8, FRAG_B + i % 8, ACC + i);
    }
}

static void store_result(struct warp *w, const struct sgemm *g)
{
    struct lanes at;
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t present = 0;
        EACH_LANE(w, l)
        {
            uint32_t t = w->first + l;
            uint32_t row = w->block[1] * TILE + i / 8 * 64 + t / 16 * 4 + i / 2 % 4;
            uint32_t column = w->block[0] * TILE + i % 2 * 64 + t % 16 * 4;
            at.at[l] = g->c + 4 * ((uint64_t)row * g->n + column);
            present |= (uint32_t)(row < g->m && column < g->n) << l;
        }
        OP(w, "ISETP.LT.AND", NONE, 3);
        OP(w, "IMAD.WIDE", 4, 3, REG_SIZE);
        uint32_t saved = warp_predicate(w, present);
        warp_memory(w, STG_128, ACC + 4 * (int)i, 4, &at);
        w->mask = saved;
    }
}

static void sgemm(struct warp *w, const void *data)
{
    const struct sgemm *g = data;
    uint32_t tiles = div_up(g->k, DEPTH);
    warp_prologue_2d(w);
    OP(w, "SHF.R.U32.HI", 12, RZ, 2);
    OP(w, "LOP3.LUT", 13, 2, RZ);
    OP(w, "LOP3.LUT", 14, 12, 13);
    OP(w, "LEA", 15, 13, 12);
    OP(w, "IMAD.WIDE", 8, 3, REG_SIZE);
    OP(w, "IMAD.WIDE", 10, 0, REG_SIZE);
    for (int i = 0; i < 32; i++)
        OP(w, "CS2R", ACC + 2 * i);
    load_next(w, g, 0);
    store_shared(w, 0);
    warp_barrier(w);
    struct loop loop = loop_begin(6, tiles);
    while (loop_next(w, &loop)) {
        uint32_t saved = warp_predicate(w, loop.i + 1 < tiles ? UINT32_MAX : 0);
        load_next(w, g, (loop.i + 1) * DEPTH);
        w->mask = saved;
        multiply(w, loop.i);
        warp_predicate(w, loop.i + 1 < tiles ? UINT32_MAX : 0);
        store_shared(w, loop.i + 1);
        w->mask = saved;
        warp_barrier(w);
    }
    store_result(w, g);
}

/* A size of the product in single precision; the other one has twice of each. */
static uint32_t side(struct synth *synth, const char *name)
{
    return synth_scaled_side(synth, synth_parameter(synth, name), 3, 16) / 8 * 8;
}

void synth_gemm(struct synth *synth)
{
    struct sgemm single = {side(synth, "m"), side(synth, "n"), side(synth, "k"), 0, 0, 0};
    single.a = synth_upload(synth, 4ull * single.m * single.k);
    single.b = synth_upload(synth, 4ull * single.k * single.n);
    single.c = synth_alloc(synth, 4ull * single.m * single.n);
    LAUNCH(synth, "_Z15sgemm_128x128x8iPKfS0_Pf",
           {div_up(single.n, TILE), div_up(single.m, TILE)}, {256}, 128, 4 * TILE * DEPTH * 4,
           sgemm, &single);
    struct tensor_gemm half = {.name = "_Z20hgemm_tensor_128x128iPK6__halfS1_PS_",
                               .m = 2 * single.m,
                               .n = 2 * single.n,
                               .k = 2 * single.k,
                               .tiles_m = 4,
                               .tiles_n = 4,
                               .warps_m = 2,
                               .warps_n = 4};
    half.a = synth_upload(synth, 2ull * half.m * half.k);
    half.b = synth_upload(synth, 2ull * half.n * half.k);
    half.c = synth_alloc(synth, 2ull * half.m * half.n);
    tensor_gemm_launch(synth, &half);
}
