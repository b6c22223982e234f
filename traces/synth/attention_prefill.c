/* attention_prefill: projections and attention of a small transformer over a
 * whole sequence, half precision, eight heads of 64, on tensor cores: tile by
 * tile with a running maximum (Dao et al.: FlashAttention). */
#include "traces/synth/tensor_gemm.h"

#define HEADS 8
#define DEPTH 64 /* of a head */
#define MODEL (HEADS * DEPTH)

#define TILE  64 /* queries and keys of a tile */
#define ROW   (2 * DEPTH)
#define BYTES (TILE * ROW)

struct prefill {
    uint32_t length;
    uint64_t qkv, out; /* [token][3][head][DEPTH], [token][head][DEPTH] */
};

enum { SUMS = 128, SCORES = 160, QUERY = 32, KEY = 64 };

static uint64_t swizzled(uint32_t row, uint32_t chunk)
{
    return row * ROW + (chunk ^ row % 8) * 16;
}

/* Tile TILE_NUMBER of queries, keys or values (PART 0 to 2) to BASE. */
static void copy_tile(struct warp *w, const struct prefill *p, uint32_t tile, uint32_t part,
                      uint64_t base)
{
    for (uint32_t i = 0; i < TILE * DEPTH / CHUNK / 128; i++) {
        struct lanes at, shared;
        uint32_t present = 0;
        EACH_LANE(w, l)
        {
            uint32_t c = i * 128 + w->first + l, row = c / 8, token = tile * TILE + row;
            at.at[l] = p->qkv + 2 * ((uint64_t)token * 3 * MODEL + part * MODEL +
                                     w->block[1] * DEPTH + c % 8 * CHUNK);
            shared.at[l] = base + swizzled(row, c % 8);
            present |= (uint32_t)(token < p->length) << l;
        }
        OP(w, "ISETP.LT.AND", NONE, 8);
        uint32_t saved = warp_predicate(w, present);
        warp_copy_async(w, 48 + 4 * (int)i, 10, 12, &at, &shared);
        w->mask = saved;
        OP(w, "IADD3", 10, 10, REG_SIZE);
    }
}

/* Fragments of rows FIRST to FIRST + 15 and the two chunks of step K. */
static void load_tile(struct warp *w, int reg, uint64_t base, uint32_t first, uint32_t k)
{
    struct lanes at;
    EACH_LANE(w, l)
    at.at[l] = base + swizzled(first + l % 16, k * 2 + l / 16);
    tensor_load(w, reg, 13, &at);
}

/* Exponentials against the new maximum, and what came before brought to it. */
static void softmax(struct warp *w)
{
    for (int i = 0; i < 32; i++)
        OP(w, "FMNMX", 14 + i / 2 % 2, SCORES + i, 14 + i / 2 % 2);
    for (int row = 0; row < 2; row++) {
        warp_reduce(w, "FMNMX", 14 + row, 16, 4);
        OP(w, "FADD", 18 + row, 18 + row, 14 + row);
        OP(w, "FMUL", 18 + row, 18 + row);
        OP(w, "MUFU.EX2", 18 + row, 18 + row);
        OP(w, "FMUL", 20 + row, 20 + row, 18 + row);
    }
    for (int i = 0; i < 32; i++) {
        OP(w, "FFMA", SCORES + i, SCORES + i, RZ, 14 + i / 2 % 2);
        OP(w, "MUFU.EX2", SCORES + i, SCORES + i);
        OP(w, "FADD", 20 + i / 2 % 2, 20 + i / 2 % 2, SCORES + i);
    }
    for (int i = 0; i < 32; i++)
        OP(w, "FMUL", SUMS + i, SUMS + i, 18 + i / 2 % 2);
    for (int i = 0; i < 16; i++)
        OP(w, "F2FP.PACK_AB", SCORES + i, SCORES + 2 * i + 1, SCORES + 2 * i);
}

static void attend_tile(struct warp *w, uint64_t keys, uint64_t values, bool diagonal)
{
    for (int i = 0; i < 16; i++)
        OP(w, "CS2R", SCORES + 2 * i);
    for (uint32_t k = 0; k < DEPTH / 16; k++)
        for (uint32_t n = 0; n < TILE / 16; n++) {
            load_tile(w, KEY, keys, 16 * n, k);
            warp_matrix(w, SCORES + 8 * (int)n, QUERY + 4 * (int)k, KEY);
            warp_matrix(w, SCORES + 8 * (int)n + 4, QUERY + 4 * (int)k, KEY + 2);
        }
    struct branch branch = warp_if(w, diagonal ? UINT32_MAX : 0);
    for (int i = 0; i < 32; i++) {
        OP(w, "ISETP.GT.AND", NONE, 8, 9);
        OP(w, "FSEL", SCORES + i, SCORES + i, RZ);
    }
    warp_end_if(w, branch);
    softmax(w);
    for (uint32_t k = 0; k < TILE / 16; k++)
        for (uint32_t n = 0; n < DEPTH / 16; n++) {
            load_tile(w, KEY, values, 16 * k, n);
            warp_matrix(w, SUMS + 8 * (int)n, SCORES + 4 * (int)k, KEY);
            warp_matrix(w, SUMS + 8 * (int)n + 4, SCORES + 4 * (int)k, KEY + 2);
        }
}

static void store_rows(struct warp *w, const struct prefill *p)
{
    struct lanes at;
    for (int row = 0; row < 2; row++)
        OP(w, "MUFU.RCP", 20 + row, 20 + row);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t present = 0;
        EACH_LANE(w, l)
        {
            uint32_t token = w->block[0] * TILE + w->index * 16 + i % 2 * 8 + l / 4;
            at.at[l] = p->out + 2 * ((uint64_t)token * MODEL + w->block[1] * DEPTH + i / 2 * 8 +
                                     l % 4 * 2);
            present |= (uint32_t)(token < p->length) << l;
        }
        OP(w, "FMUL", SUMS + 2 * (int)i, SUMS + 2 * (int)i, 20 + (int)i % 2);
        OP(w, "FMUL", SUMS + 2 * (int)i + 1, SUMS + 2 * (int)i + 1, 20 + (int)i % 2);
        OP(w, "F2FP.PACK_AB", 26, SUMS + 2 * (int)i + 1, SUMS + 2 * (int)i);
        uint32_t saved = warp_predicate(w, present);
        warp_memory(w, STG, 26, 4, &at);
        w->mask = saved;
    }
}

/* A block has 64 queries of a head, a warp 16 of them; keys up to their own. */
static void prefill(struct warp *w, const void *data)
{
    const struct prefill *p = data;
    uint64_t keys[2] = {BYTES, 2 * BYTES}, values[2] = {3 * BYTES, 4 * BYTES};
    warp_prologue_2d(w);
    OP(w, "SHF.R.U32.HI", 8, RZ, 2);
    OP(w, "LOP3.LUT", 9, 2, RZ);
    OP(w, "IMAD.WIDE", 10, 8, REG_SIZE);
    OP(w, "LOP3.LUT", 12, 8, 9);
    OP(w, "LEA", 13, 9, 12);
    warp_pointer(w, 4, 0);
    for (int i = 0; i < 16; i++)
        OP(w, "CS2R", SUMS + 2 * i);
    for (int i = 14; i < 22; i += 2)
        OP(w, "CS2R", i);
    copy_tile(w, p, w->block[0], 0, 0);
    copy_tile(w, p, 0, 1, keys[0]);
    copy_tile(w, p, 0, 2, values[0]);
    warp_commit_async(w);
    warp_wait_async(w, 0);
    warp_barrier(w);
    for (uint32_t k = 0; k < DEPTH / 16; k++)
        load_tile(w, QUERY + 4 * (int)k, 0, w->index * 16, k);
    struct loop loop = loop_begin(6, w->block[0] + 1);
    while (loop_next(w, &loop)) {
        uint32_t saved = warp_predicate(w, loop.i < w->block[0] ? UINT32_MAX : 0);
        copy_tile(w, p, loop.i + 1, 1, keys[(loop.i + 1) % 2]);
        copy_tile(w, p, loop.i + 1, 2, values[(loop.i + 1) % 2]);
        w->mask = saved;
        warp_commit_async(w);
        attend_tile(w, keys[loop.i % 2], values[loop.i % 2], loop.i == w->block[0]);
        warp_wait_async(w, 0);
        warp_barrier(w);
    }
    store_rows(w, p);
}

/* y = x W on tensor cores, for all tokens. */
static void project(struct synth *synth, uint64_t x, uint64_t weights, uint64_t y,
                    uint32_t tokens, uint32_t from, uint32_t to)
{
    struct tensor_gemm g = {.name = "_Z20hgemm_tensor_128x128iPK6__halfS1_PS_",
                            .m = tokens,
                            .n = to,
                            .k = from,
                            .tiles_m = 4,
                            .tiles_n = 4,
                            .warps_m = 2,
                            .warps_n = 4,
                            .a = x,
                            .b = weights,
                            .c = y};
    tensor_gemm_launch(synth, &g);
}

#define PREFILL_LAYERS 4

void synth_attention_prefill(struct synth *synth)
{
    uint32_t tokens = synth_scaled(synth, 1000, 16);
    struct prefill p = {.length = tokens};
    uint64_t x = synth_upload(synth, 2ull * MODEL * tokens);
    p.qkv = synth_alloc(synth, 6ull * MODEL * tokens);
    p.out = synth_alloc(synth, 2ull * MODEL * tokens);
    for (int i = 0; i < PREFILL_LAYERS; i++) {
        uint64_t in = synth_upload(synth, 6ull * MODEL * MODEL);
        uint64_t out = synth_upload(synth, 2ull * MODEL * MODEL);
        project(synth, x, in, p.qkv, tokens, MODEL, 3 * MODEL);
        LAUNCH(synth, "_Z18flash_attn_forwardPK6__halfPS_i", {div_up(tokens, TILE), HEADS},
               {128}, 200, 5 * BYTES, prefill, &p);
        project(synth, p.out, out, x, tokens, MODEL, MODEL);
    }
}
