#include "traces/synth/tensor_gemm.h"

#define DEPTH  32              /* of a tile along K */
#define CHUNKS (DEPTH / CHUNK) /* a row of a tile */
#define ROW    (DEPTH * 2)     /* its bytes */
#define STAGES 3               /* tiles in flight */

/* Registers: accumulators, fragments, addresses. */
enum { ACC = 96, FRAG_A = 32, FRAG_B = 64, COPY = 48, LOAD_A = 8, LOAD_B = 16, SHARED = 24 };

static uint32_t block_m(const struct tensor_gemm *g)
{
    return 16 * g->tiles_m * g->warps_m;
}

static uint32_t block_n(const struct tensor_gemm *g)
{
    return 8 * g->tiles_n * g->warps_n;
}

static uint32_t threads(const struct tensor_gemm *g)
{
    return WARP_SIZE * g->warps_m * g->warps_n;
}

static uint32_t stage_bytes(const struct tensor_gemm *g)
{
    return (block_m(g) + block_n(g)) * ROW;
}

static uint32_t tiles_k(const struct tensor_gemm *g)
{
    return div_up(g->k, DEPTH);
}

/* Chunks are permuted in their rows, against bank conflicts. */
static uint64_t swizzled(uint32_t row, uint32_t chunk)
{
    return row * ROW + (chunk ^ (row / 2 % CHUNKS)) * 16;
}

static bool chunk_of_a(const struct tensor_gemm *g, uint32_t row, uint32_t k, uint64_t *address)
{
    if (row >= g->m || k >= g->k)
        return false;
    if (g->chunk != NULL)
        return g->chunk(g, row, k, address);
    *address = g->a + 2 * ((uint64_t)row * g->k + k);
    return true;
}

/* Copies the tile K of A (or B) to shared memory at BASE. */
static void copy_tile(struct warp *w, const struct tensor_gemm *g, uint32_t tile, bool is_a,
                      uint64_t base)
{
    uint32_t rows = is_a ? block_m(g) : block_n(g);
    uint32_t first = is_a ? w->block[0] * rows : w->block[1] * rows;
    for (uint32_t i = 0; i < div_up(rows * CHUNKS, threads(g)); i++) {
        struct lanes at, shared;
        uint32_t present = 0;
        EACH_LANE(w, l)
        {
            uint32_t c = i * threads(g) + w->first + l, row = c / CHUNKS;
            uint32_t k = tile * DEPTH + c % CHUNKS * CHUNK;
            shared.at[l] = base + swizzled(row, c % CHUNKS);
            bool there = is_a ? chunk_of_a(g, first + row, k, &at.at[l])
                              : first + row < g->n && k < g->k;
            if (!is_a)
                at.at[l] = g->b + 2 * ((uint64_t)(first + row) * g->k + k);
            present |= (uint32_t)(there && row < rows) << l;
        }
        OP(w, "ISETP.LT.AND", NONE, (is_a ? LOAD_A : LOAD_B) + (int)i % 4 * 2, RZ);
        OP(w, "IADD3", (is_a ? LOAD_A : LOAD_B) + (int)i % 4 * 2,
           (is_a ? LOAD_A : LOAD_B) + (int)i % 4 * 2, REG_SIZE);
        uint32_t saved = warp_predicate(w, present);
        warp_copy_async(w, COPY + 4 * ((int)i % 4), (is_a ? LOAD_A : LOAD_B) + (int)i % 4 * 2,
                        SHARED, &at, &shared);
        w->mask = saved;
    }
}

static void copy_stage(struct warp *w, const struct tensor_gemm *g, uint32_t tile)
{
    uint64_t base = tile % STAGES * stage_bytes(g);
    uint32_t saved = warp_predicate(w, tile < tiles_k(g) ? UINT32_MAX : 0);
    copy_tile(w, g, tile, true, base);
    copy_tile(w, g, tile, false, base + block_m(g) * ROW);
    w->mask = saved;
    warp_commit_async(w);
}

void tensor_load(struct warp *w, int reg, int address, const struct lanes *at)
{
    warp_memory(w, w->synth->arch->matrix_load ? LDSM_4 : LDS_128, reg, address, at);
}

/* COUNT rows of 16 at a time, the two chunks of step K each: lane l names row
 * l % 16 and chunk l / 16. */
static void load_fragments(struct warp *w, int reg, uint64_t base, uint32_t first,
                           uint32_t count, uint32_t k)
{
    struct lanes at;
    for (uint32_t i = 0; i < count; i++) {
        EACH_LANE(w, l)
        at.at[l] = base + swizzled(first + i * 16 + l % 16, k * 2 + l / 16);
        tensor_load(w, reg + 4 * (int)i, SHARED + 1, &at);
    }
}

static void multiply_stage(struct warp *w, const struct tensor_gemm *g, uint32_t tile)
{
    uint64_t base = tile % STAGES * stage_bytes(g);
    uint32_t row = w->index % g->warps_m * g->tiles_m * 16;
    uint32_t column = w->index / g->warps_m * g->tiles_n * 8;
    for (uint32_t k = 0; k < DEPTH / 16; k++) {
        load_fragments(w, FRAG_A, base, row, g->tiles_m, k);
        load_fragments(w, FRAG_B, base + block_m(g) * ROW, column, g->tiles_n / 2, k);
        for (uint32_t m = 0; m < g->tiles_m; m++)
            for (uint32_t n = 0; n < g->tiles_n; n++)
                warp_matrix(w, ACC + 4 * (int)(m * g->tiles_n + n), FRAG_A + 4 * (int)m,
                            FRAG_B + 2 * (int)n);
    }
}

static void store_pair(struct warp *w, const struct tensor_gemm *g, uint32_t row,
                       uint32_t column, int reg)
{
    struct lanes at;
    uint32_t present = 0;
    OP(w, "F2FP.PACK_AB", reg, reg + 1, reg);
    EACH_LANE(w, l)
    {
        uint32_t r = row + l / 4, c = column + l % 4 * 2;
        at.at[l] = g->pair != NULL ? g->pair(g, r, c) : g->c + 2 * ((uint64_t)r * g->n + c);
        present |= (uint32_t)(r < g->m && c < g->n) << l;
    }
    uint32_t saved = warp_predicate(w, present);
    warp_memory(w, STG, reg, 4, &at);
    w->mask = saved;
}

static void store_tiles(struct warp *w, const struct tensor_gemm *g)
{
    uint32_t row = w->block[0] * block_m(g) + w->index % g->warps_m * g->tiles_m * 16;
    uint32_t column = w->block[1] * block_n(g) + w->index / g->warps_m * g->tiles_n * 8;
    for (uint32_t m = 0; m < g->tiles_m; m++) {
        OP(w, "ISETP.GE.AND", NONE, 3);
        OP(w, "IMAD.WIDE", 4, 3, REG_SIZE);
        for (uint32_t n = 0; n < g->tiles_n; n++) {
            int reg = ACC + 4 * (int)(m * g->tiles_n + n);
            store_pair(w, g, row + 16 * m, column + 8 * n, reg);
            store_pair(w, g, row + 16 * m + 8, column + 8 * n, reg + 2);
        }
        OP(w, "IADD3", 3, 3, RZ);
    }
}

/* What is computed once: offsets in tiles and in shared memory. */
static void begin(struct warp *w, const struct tensor_gemm *g)
{
    warp_prologue_2d(w);
    OP(w, "SHF.R.S32.HI", 5, RZ, 2);
    OP(w, "LEA.HI", 5, 5, 2);
    OP(w, "LOP3.LUT", 6, 5, RZ);
    OP(w, "IMAD.SHL.U32", SHARED, 6, RZ);
    OP(w, "LOP3.LUT", SHARED + 1, 2, RZ);
    OP(w, "LEA", SHARED + 1, SHARED + 1, 6);
    for (int i = 0; i < 4; i++) {
        OP(w, "IMAD.WIDE", LOAD_A + 2 * i, 0, REG_SIZE);
        OP(w, "IMAD.WIDE", LOAD_B + 2 * i, 3, REG_SIZE);
    }
    for (uint32_t i = 0; i < g->tiles_m * g->tiles_n; i++) {
        OP(w, "CS2R", ACC + 4 * (int)i);
        OP(w, "CS2R", ACC + 4 * (int)i + 2);
    }
}

static void body(struct warp *w, const void *data)
{
    const struct tensor_gemm *g = data;
    begin(w, g);
    for (uint32_t i = 0; i < STAGES - 1; i++)
        copy_stage(w, g, i);
    struct loop loop = loop_begin(6, tiles_k(g));
    while (loop_next(w, &loop)) {
        warp_wait_async(w, STAGES - 2);
        warp_barrier(w);
        copy_stage(w, g, loop.i + STAGES - 1);
        multiply_stage(w, g, loop.i);
    }
    store_tiles(w, g);
}

void tensor_gemm_launch(struct synth *synth, const struct tensor_gemm *g)
{
    LAUNCH(synth, .name = g->name, .grid = {div_up(g->m, block_m(g)), div_up(g->n, block_n(g))},
           .block = {threads(g)}, .regs = (uint32_t)ACC + 4 * g->tiles_m * g->tiles_n,
           .shmem = STAGES * stage_bytes(g), .body = body, .data = g);
}
