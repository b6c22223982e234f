/* attention_decode: a transformer makes a token a step, from a cache of keys
 * and values that grows by one each time, with the vector products around it;
 * half precision, heads of 64. Keys are split over blocks (Dao et al.:
 * Flash-Decoding). */
#include "traces/synth/warp.h"

#define HEADS 8  /* at scale 1 */
#define DEPTH 64 /* of a head */
#define CHUNK 8  /* half-precision numbers in 16 bytes */

#define MAX_HEADS 32 /* a block normalises the vector */
#define LAYERS    2
#define SPLIT     128 /* keys a block */
#define WARPS     4
#define CONTEXT   1000 /* tokens before the first step */

struct decode_layer {
    uint64_t weights[4]; /* in, out, up, down */
    uint64_t keys, values;
};

struct decode {
    const struct decode_layer *layer;
    uint32_t heads;
    uint32_t context, limit; /* tokens in the cache, room */
    uint32_t rows, columns;  /* of a matrix */
    uint64_t matrix, from, to;
    uint64_t qkv, partial, out;
};

static uint32_t model(const struct decode *d)
{
    return d->heads * DEPTH;
}

static uint32_t splits(const struct decode *d)
{
    return div_up(d->context, SPLIT);
}

/* Root mean square of the vector, and the vector over it: one block. */
static void norm(struct warp *w, const void *data)
{
    const struct decode *d = data;
    uint64_t at = 4ull * w->first;
    warp_prologue(w);
    warp_pointer(w, 4, 3);
    warp_memory_row(w, LDG, 10, 4, d->from + at, 4);
    OP(w, "HADD2.F32", 12, RZ, 10);
    OP(w, "HADD2.F32", 13, RZ, 10);
    OP(w, "FMUL", 14, 12, 12);
    OP(w, "FFMA", 14, 13, 13, 14);
    warp_reduce(w, "FADD", 14, 15, WARP_SIZE);
    OP(w, "SHF.R.U32.HI", 9, RZ, 3);
    uint32_t saved = warp_predicate(w, 1);
    warp_memory_row(w, STS, 14, 9, 4ull * w->index, 4);
    w->mask = saved;
    warp_barrier(w);
    OP(w, "MOV", 16, RZ);
    for (uint32_t i = 0; i < d->heads; i++) { /* as many warps */
        warp_memory_row(w, LDS, 17, RZ, 4ull * i, 0);
        OP(w, "FADD", 16, 16, 17);
    }
    OP(w, "FFMA", 16, 16, RZ, RZ);
    OP(w, "MUFU.RSQ", 16, 16);
    OP(w, "FMUL", 12, 12, 16);
    OP(w, "FMUL", 13, 13, 16);
    OP(w, "F2FP.PACK_AB", 10, 13, 12);
    warp_pointer(w, 4, 3);
    warp_memory_row(w, STG, 10, 4, d->to + at, 4);
}

/* y = W x: a warp a row, 16 bytes a lane. */
static void vector_product(struct warp *w, const void *data)
{
    const struct decode *d = data;
    uint64_t row = (uint64_t)w->block[0] * WARPS + w->index;
    warp_prologue(w);
    OP(w, "SHF.R.U32.HI", 2, RZ, 0);
    OP(w, "ISETP.GE.AND", NONE, 2);
    if (warp_leave(w, row < d->rows ? 0 : UINT32_MAX))
        return;
    warp_pointer(w, 4, 2);
    warp_pointer(w, 8, 3);
    OP(w, "MOV", 20, RZ);
    struct loop loop = loop_begin(6, div_up(d->columns, WARP_SIZE * CHUNK));
    while (loop_next(w, &loop)) {
        uint64_t at = 2ull * loop.i * WARP_SIZE * CHUNK;
        uint32_t saved = warp_predicate(w, lanes_below(loop.i * WARP_SIZE, d->columns / CHUNK));
        warp_memory_row(w, LDG_128_CONST, 12, 4, d->matrix + 2 * row * d->columns + at, 16);
        warp_memory_row(w, LDG_128_CONST, 16, 8, d->from + at, 16);
        w->mask = saved;
        for (int i = 0; i < 4; i++) {
            OP(w, "HMUL2", 21, 12 + i, 16 + i);
            OP(w, "HADD2.F32", 22, RZ, 21);
            OP(w, "HADD2.F32", 23, RZ, 21);
            OP(w, "FADD", 20, 20, 22);
            OP(w, "FADD", 20, 20, 23);
        }
        OP(w, "IADD3", 4, 4, RZ);
        OP(w, "IADD3", 8, 8, RZ);
    }
    warp_reduce(w, "FADD", 20, 21, WARP_SIZE);
    OP(w, "ISETP.NE.AND", NONE, 3, RZ);
    if (warp_leave(w, ~UINT32_C(1)))
        return;
    OP(w, "F2FP.PACK_AB", 20, RZ, 20);
    warp_pointer(w, 4, 2);
    warp_memory_row(w, STG_U16, 20, 4, d->to + 2 * row, 2);
}

/* The new token's key (rotated by its position) and value into the cache. */
static void append(struct warp *w, const void *data)
{
    const struct decode *d = data;
    uint64_t i = warp_prologue(w);
    struct lanes at;
    if (warp_bound(w, i, model(d) / 2))
        return;
    for (uint32_t part = 1; part < 3; part++) {
        warp_pointer(w, 4, 0);
        warp_memory_row(w, LDG, 10, 4, d->qkv + 2 * part * model(d) + 4 * i, 4);
        if (part == 1) {
            OP(w, "I2F", 14, 0);
            OP(w, "MUFU.EX2", 14, 14);
            OP(w, "MUFU.SIN", 12, 14);
            OP(w, "MUFU.COS", 13, 14);
            OP(w, "HMUL2", 11, 10, 13);
            OP(w, "HFMA2", 10, 10, 12, 11);
        }
        OP(w, "IMAD", 6, 0, RZ, 3);
        warp_pointer(w, 8, 6);
        EACH_LANE(w, l)
        {
            uint64_t e = 2 * (i + l), head = e / DEPTH;
            at.at[l] = (part == 1 ? d->layer->keys : d->layer->values) +
                       2 * ((head * d->limit + d->context - 1) * DEPTH + e % DEPTH);
        }
        warp_memory(w, STG, 10, 8, &at);
    }
}

/* Scores of the keys in R16, running maximum and sum, values in R20 added. */
static void update(struct warp *w)
{
    for (int i = 0; i < 4; i++)
        OP(w, "HFMA2", 32, 12 + i, 16 + i, i == 0 ? RZ : 32);
    OP(w, "HADD2.F32", 33, RZ, 32);
    warp_reduce(w, "FADD", 33, 34, 8);
    OP(w, "FMNMX", 35, 33, 36);
    OP(w, "FADD", 37, 36, 35);
    OP(w, "MUFU.EX2", 37, 37);
    OP(w, "FADD", 33, 33, 35);
    OP(w, "MUFU.EX2", 33, 33);
    OP(w, "FFMA", 38, 38, 37, 33);
    OP(w, "MOV", 36, 35);
    for (int i = 0; i < 8; i++) {
        OP(w, "HADD2.F32", 34, RZ, 20 + i / 2);
        OP(w, "FMUL", 24 + i, 24 + i, 37);
        OP(w, "FFMA", 24 + i, 34, 33, 24 + i);
    }
}

/* Sums over the keys of the warp, then over the warps by shared memory. */
static void combine_warps(struct warp *w, const struct decode *d)
{
    for (int i = 0; i < 8; i++) /* the four keys of the warp */
        for (int step = 0; step < 2; step++) {
            OP(w, "SHFL.BFLY", 34, 24 + i);
            OP(w, "FADD", 24 + i, 24 + i, 34);
        }
    uint32_t saved = warp_predicate(w, 0xff);
    warp_memory_row(w, STS_128, 24, 9, (uint64_t)w->index * 256, 32);
    warp_memory_row(w, STS_128, 28, 9, (uint64_t)w->index * 256 + 16, 32);
    w->mask = saved;
    warp_barrier(w);
    if (warp_leave(w, w->index * WARP_SIZE < DEPTH ? 0 : UINT32_MAX))
        return;
    for (uint32_t i = 0; i < WARPS; i++) {
        warp_memory_row(w, LDS, 24 + (int)i, 9, i * 256 + 4ull * w->first, 4);
        OP(w, "FADD", 24, 24, 24 + (int)i);
    }
    uint64_t place = (uint64_t)w->block[1] * div_up(d->limit, SPLIT) + w->block[0];
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG, 24, 4, d->partial + 4 * (place * DEPTH + w->first), 4);
}

/* Four keys a warp at a time, eight lanes each; running maximum and sum. */
static void decode(struct warp *w, const void *data)
{
    const struct decode *d = data;
    uint32_t first = w->block[0] * SPLIT + w->index * (SPLIT / WARPS);
    uint64_t head = 2ull * w->block[1] * d->limit * DEPTH;
    warp_prologue_2d(w);
    OP(w, "LOP3.LUT", 8, 2, RZ);
    warp_pointer(w, 4, 8);
    warp_memory_row(w, LDG_128_CONST, 12, 4, d->qkv + 2ull * w->block[1] * DEPTH, 0);
    warp_pointer(w, 4, 0);
    warp_pointer(w, 10, 0);
    for (int i = 0; i < 8; i++)
        OP(w, "MOV", 24 + i, RZ);
    OP(w, "MOV", 36);
    OP(w, "MOV", 38, RZ);
    OP(w, "IMAD.SHL.U32", 9, 2, RZ);
    struct loop loop = loop_begin(6, SPLIT / WARPS / 4);
    while (loop_next(w, &loop)) {
        uint32_t token = first + loop.i * 4,
                 count = d->context > token ? d->context - token : 0;
        uint64_t at = head + 2ull * token * DEPTH;
        OP(w, "ISETP.GE.AND", NONE, 6);
        uint32_t saved = warp_predicate(w, lanes_below(0, 8ull * count));
        warp_memory_row(w, LDG_128, 16, 4, d->layer->keys + at, 16);
        warp_memory_row(w, LDG_128, 20, 10, d->layer->values + at, 16);
        w->mask = saved;
        update(w);
        OP(w, "IADD3", 4, 4, REG_SIZE);
        OP(w, "IADD3", 10, 10, REG_SIZE);
    }
    combine_warps(w, d);
}

/* Sums the parts of a head. */
static void combine(struct warp *w, const void *data)
{
    const struct decode *d = data;
    uint64_t part = (uint64_t)w->block[0] * div_up(d->limit, SPLIT);
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    OP(w, "MOV", 12, RZ);
    struct loop loop = loop_begin(6, splits(d));
    while (loop_next(w, &loop)) {
        warp_memory_row(w, LDG, 10, 4, d->partial + 4 * ((part + loop.i) * DEPTH + w->first),
                        4);
        OP(w, "MUFU.EX2", 11, 10);
        OP(w, "FFMA", 12, 10, 11, 12);
        OP(w, "IADD3", 4, 4, RZ);
    }
    OP(w, "F2FP.PACK_AB", 12, RZ, 12);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG_U16, 12, 4, d->out + 2 * (w->block[0] * DEPTH + (uint64_t)w->first),
                    2);
}

static void multiply(struct synth *synth, struct decode *d, uint64_t matrix, uint64_t from,
                     uint64_t to, uint32_t rows, uint32_t columns)
{
    d->matrix = matrix;
    d->from = from;
    d->to = to;
    d->rows = rows;
    d->columns = columns;
    LAUNCH(synth, "_Z4gemvPK6__halfS1_PS_ii", {div_up(rows, WARPS)}, {WARPS * WARP_SIZE}, 28, 0,
           vector_product, d);
}

static void normalize(struct synth *synth, struct decode *d, uint64_t from, uint64_t to)
{
    d->from = from;
    d->to = to;
    LAUNCH(synth, "_Z8rms_normPK6__halfPS_", {1}, {model(d) / 2}, 26, 4 * d->heads, norm, d);
}

static void decode_layer(struct synth *synth, struct decode *d, uint64_t x, uint64_t y,
                         uint64_t inner)
{
    const struct decode_layer *layer = d->layer;
    uint32_t m = model(d);
    normalize(synth, d, x, y);
    multiply(synth, d, layer->weights[0], y, d->qkv, 3 * m, m);
    LAUNCH(synth, "_Z11rope_appendPK6__halfPS_S2_i", {div_up(model(d) / 2, 128)}, {128}, 18, 0,
           append, d);
    LAUNCH(synth, "_Z12flash_decodePK6__halfS1_S1_Pfi", {splits(d), d->heads},
           {WARPS * WARP_SIZE}, 40, 256 * WARPS, decode, d);
    LAUNCH(synth, "_Z13flash_combinePKfP6__halfi", {d->heads}, {DEPTH}, 14, 0, combine, d);
    multiply(synth, d, layer->weights[1], d->out, x, m, m);
    normalize(synth, d, x, y);
    multiply(synth, d, layer->weights[2], y, inner, 4 * m, m);
    multiply(synth, d, layer->weights[3], inner, x, m, 4 * m);
}

static void make_layer(struct synth *synth, struct decode_layer *layer, uint64_t m,
                       uint64_t cache)
{
    const uint64_t sizes[4] = {3 * m * m, m * m, 4 * m * m, 4 * m * m};
    for (int i = 0; i < 4; i++)
        layer->weights[i] = synth_upload(synth, 2 * sizes[i]);
    layer->keys = synth_upload(synth, cache);
    layer->values = synth_upload(synth, cache);
}

void synth_attention_decode(struct synth *synth)
{
    struct decode_layer layers[LAYERS];
    uint32_t before = synth_scaled(synth, CONTEXT, 8);
    uint32_t heads = synth_scaled_side(synth, HEADS, 2, 1);
    uint32_t tokens = synth_parameter(synth, "tokens");
    struct decode d = {.limit = before + tokens,
                       .heads = heads < MAX_HEADS ? heads : MAX_HEADS};
    uint64_t m = model(&d), cache = 2 * m * d.limit;
    for (int i = 0; i < LAYERS; i++)
        make_layer(synth, &layers[i], m, cache);
    d.qkv = synth_alloc(synth, 6 * m);
    d.partial = synth_alloc(synth, 4 * m * div_up(d.limit, SPLIT));
    d.out = synth_alloc(synth, 2 * m);
    uint64_t x = synth_alloc(synth, 2 * m), y = synth_alloc(synth, 2 * m);
    uint64_t inner = synth_alloc(synth, 8 * m);
    for (uint32_t step = 1; step <= tokens; step++) {
        synth_copy(synth, x, 2 * m); /* the embedding of the last token */
        d.context = before + step;
        for (int i = 0; i < LAYERS; i++) {
            d.layer = &layers[i];
            decode_layer(synth, &d, x, y, inner);
        }
    }
}
