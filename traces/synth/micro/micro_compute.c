/* micro_*: execution units and shared memory. */
#include "traces/synth/warp.h"

struct compute_op {
    const char *opcode; /* NULL: no more */
    int registers[4];   /* destination, sources; 0 for none further */
};

struct units {
    uint64_t from, to;
    const struct compute_op *ops;
    uint32_t rounds;
};

static void emit(struct warp *w, const struct compute_op *op)
{
    size_t count = 1;
    while (count < 4 && op->registers[count] != 0)
        count++;
    warp_op(w, op->opcode, 0, op->registers, count);
}

/* One load, rounds of the operations, one store. */
static void units(struct warp *w, const void *data)
{
    const struct units *u = data;
    uint64_t at = 4 * warp_prologue(w);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG, 8, 4, u->from + at, 4);
    for (int r = 9; r < 20; r++)
        OP(w, "MOV", r);
    struct loop loop = loop_begin(20, u->rounds);
    while (loop_next(w, &loop))
        for (const struct compute_op *op = u->ops; op->opcode != NULL; op++)
            emit(w, op);
    warp_pointer(w, 6, 0);
    warp_memory_row(w, STG, 8, 6, u->to + at, 4);
}

static void launch_units(struct synth *synth, const char *name, const struct compute_op *ops,
                         uint32_t rounds, uint32_t blocks, uint32_t threads)
{
    blocks = synth_scaled(synth, blocks, 1);
    uint64_t bytes = 4ull * blocks * threads;
    struct units u = {synth_alloc(synth, bytes), synth_alloc(synth, bytes), ops, rounds};
    LAUNCH(synth, name, {blocks}, {threads}, 32, 0, units, &u);
}

void synth_micro_fma(struct synth *synth)
{
    static const struct compute_op independent[] = {
        {"FFMA", {8, 8, 18, 19}},   {"FFMA", {9, 9, 18, 19}},   {"FFMA", {10, 10, 18, 19}},
        {"FFMA", {11, 11, 18, 19}}, {"FFMA", {12, 12, 18, 19}}, {"FFMA", {13, 13, 18, 19}},
        {"FFMA", {14, 14, 18, 19}}, {"FFMA", {15, 15, 18, 19}}, {NULL, {0}},
    };
    static const struct compute_op chain[] = {
        {"FFMA", {8, 8, 18, 19}}, {"FFMA", {8, 8, 18, 19}}, {"FFMA", {8, 8, 18, 19}},
        {"FFMA", {8, 8, 18, 19}}, {"FFMA", {8, 8, 18, 19}}, {"FFMA", {8, 8, 18, 19}},
        {"FFMA", {8, 8, 18, 19}}, {"FFMA", {8, 8, 18, 19}}, {NULL, {0}},
    };
    launch_units(synth, "micro_fma_ilp8", independent, 8, 92, 256);
    launch_units(synth, "micro_fma_chain", chain, 8, 46, 128);
}

void synth_micro_mixed(struct synth *synth)
{
    static const struct compute_op ops[] = {
        {"IMAD", {9, 9, 10, 11}},  {"FFMA", {8, 8, 12, 13}},    {"IADD3", {10, 10, 9, 14}},
        {"LOP3.LUT", {11, 10, 9}}, {"SHF.R.U32.HI", {14, 11}},  {"FADD", {12, 8, 12}},
        {"I2F.U32", {13, 14}},     {"FMUL", {15, 13, 12}},      {"SEL", {16, 9, 10}},
        {"FMNMX", {17, 15, 8}},    {"PRMT", {18, 16, 17}},      {"SHFL.BFLY", {19, 18}},
        {"LEA", {9, 16, 9}},       {"F2I.TRUNC.NTZ", {10, 17}}, {NULL, {0}},
    };
    launch_units(synth, "micro_mixed", ops, 5, 92, 256);
}

void synth_micro_dp(struct synth *synth)
{
    static const struct compute_op ops[] = {
        {"DFMA", {8, 8, 12, 14}},
        {"DFMA", {10, 10, 12, 14}},
        {"DADD", {8, 8, 10}},
        {"DMUL", {10, 10, 12}},
        {NULL, {0}},
    };
    launch_units(synth, "micro_dp", ops, 12, 92, 128);
}

void synth_micro_sfu(struct synth *synth)
{
    static const struct compute_op ops[] = {
        {"MUFU.EX2", {8, 8}},
        {"FMUL", {9, 8, 9}},
        {"MUFU.RCP", {10, 9}},
        {"MUFU.RSQ", {11, 11}},
        {"FADD", {12, 10, 11}},
        {"MUFU.SIN", {13, 12}},
        {NULL, {0}},
    };
    launch_units(synth, "micro_sfu", ops, 8, 92, 256);
}

/* ---- latencies: COUNT dependent instructions by one warp ---- */

struct latency {
    const char *opcode; /* NULL: a load from shared memory, or a matrix product */
    bool matrix;
    enum memory_op load;
    uint64_t base; /* loads of global memory: 16 lines again and again */
    uint32_t count;
};

static void dependent(struct warp *w, const void *data)
{
    const struct latency *d = data;
    warp_prologue(w);
    for (int r = 0; r < 4; r += 2) { /* what the matrix product reads */
        OP(w, "CS2R", 8 + r);
        OP(w, "CS2R", 16 + r);
        OP(w, "CS2R", 24 + r);
    }
    OP(w, "MOV", 4);
    for (uint32_t k = 0; k < d->count; k++)
        if (d->opcode != NULL)
            OP(w, d->opcode, 8, 8);
        else if (d->matrix)
            warp_matrix(w, 8, 16, 24);
        else
            warp_memory_row(w, LDS, 4, 4, 0, 4);
}

static void reload(struct warp *w, const void *data)
{
    const struct latency *d = data;
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    uint32_t saved = warp_predicate(w, 1);
    for (uint32_t k = 0; k < d->count; k++)
        warp_memory_row(w, d->load, 4, 4, d->base + k % 16 * 256, 8);
    w->mask = saved;
}

static void launch_latency(struct synth *synth, const char *name, struct latency d,
                           void (*body)(struct warp *w, const void *data))
{
    LAUNCH(synth, name, {1}, {32}, 32, 1024, body, &d);
}

void synth_micro_latency(struct synth *synth)
{
    static const char *const opcodes[][3] = {
        {"FFMA", "micro_lat_ffma_16", "micro_lat_ffma_32"},
        {"IMAD", "micro_lat_imad_16", "micro_lat_imad_32"},
        {"MOV", "micro_lat_mov_16", "micro_lat_mov_32"},
        {"SHFL.BFLY", "micro_lat_shfl_16", "micro_lat_shfl_32"},
        {"I2F.U32", "micro_lat_i2f_16", "micro_lat_i2f_32"},
        {"MUFU.RCP", "micro_lat_mufu_16", "micro_lat_mufu_32"},
        {"DFMA", "micro_lat_dfma_16", "micro_lat_dfma_32"},
        {"BRA", "micro_lat_bra_16", "micro_lat_bra_32"},
        {NULL, "micro_lat_lds_16", "micro_lat_lds_32"},
        {NULL, "micro_lat_hmma_16", "micro_lat_hmma_32"},
    };
    static const char *const loads[][2] = {{"micro_lat_l1_1", "micro_lat_l2_1"},
                                           {"micro_lat_l1_2", "micro_lat_l2_2"},
                                           {"micro_lat_l1_3", "micro_lat_l2_3"}};
    const size_t matrix = sizeof opcodes / sizeof *opcodes - 1;
    launch_latency(synth, "micro_lat_empty", (struct latency){0}, dependent);
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        for (uint32_t n = 1; n <= 2; n++)
            launch_latency(synth, opcodes[i][n],
                           (struct latency){opcodes[i][0], i == matrix, LDS, 0, 16 * n},
                           dependent);
    for (int level = 0; level < 2; level++)
        for (uint32_t rounds = 1; rounds <= 3; rounds++)
            launch_latency(synth, loads[rounds - 1][level],
                           (struct latency){NULL, false, level == 0 ? LDG_64 : LDG_64_STRONG,
                                            synth_alloc(synth, 4096), 16 * rounds},
                           reload);
}

/* ---- tensor cores and shared memory ---- */

struct shared {
    uint32_t blocks, ways;
    uint64_t a, b, c, bytes;
};

static void tensor(struct warp *w, const void *data)
{
    const struct shared *t = data;
    uint64_t part = w->block[0] * 4ull + w->index;
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    warp_pointer(w, 6, 0);
    for (int r = 8; r < 24; r += 2)
        OP(w, "CS2R", r);
    struct loop loop = loop_begin(2, 6);
    while (loop_next(w, &loop)) {
        uint64_t a = (w->block[0] / 8 * 4ull + w->index) * 3072 + loop.i * 512;
        uint64_t b = (w->block[0] % 8 * 4ull + w->index) * 1536 + loop.i * 256;
        warp_memory_row(w, LDG_128, 24, 4, t->a + a % t->bytes, 16);
        warp_memory_row(w, LDG_64, 28, 6, t->b + b % t->bytes, 8);
        for (int j = 0; j < 4; j++)
            warp_matrix(w, 8 + 4 * j, 24, 28);
    }
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG_128, 8, 4, t->c + part * 512, 16);
}

void synth_micro_tensor(struct synth *synth)
{
    struct shared t = {.blocks = synth_scaled(synth, 92, 1), .bytes = 1 << 20};
    t.a = synth_alloc(synth, t.bytes);
    t.b = synth_alloc(synth, t.bytes);
    t.c = synth_alloc(synth, 2048ull * t.blocks);
    LAUNCH(synth, "micro_tensor", {t.blocks}, {128}, 64, 0, tensor, &t);
}

#define TILES 4

static void tile(struct warp *w, const void *data)
{
    const struct shared *t = data;
    uint64_t at = 4 * warp_prologue(w);
    warp_pointer(w, 4, 0);
    OP(w, "IMAD.SHL.U32", 10, 3, RZ);
    OP(w, "LOP3.LUT", 11, 3, RZ);
    OP(w, "MOV", 14, RZ);
    struct loop loop = loop_begin(2, TILES);
    while (loop_next(w, &loop)) {
        warp_memory_row(w, LDG, 8, 4, t->a + at + 1024ull * loop.i * t->blocks, 4);
        warp_memory_row(w, STS, 8, 10, 128ull * w->index, 4);
        warp_barrier(w);
        for (uint32_t j = 0; j < 6; j++) {
            warp_memory_row(w, LDS, 12, 11, 128ull * j, 4);
            warp_memory_row(w, LDS, 13, 11, 128ull * w->index + 4 * j, 0);
            OP(w, "FFMA", 14, 12, 13, 14);
        }
        warp_barrier(w);
    }
    warp_pointer(w, 6, 0);
    warp_memory_row(w, STG, 14, 6, t->c + at, 4);
}

void synth_micro_smem_tile(struct synth *synth)
{
    struct shared t = {.blocks = synth_scaled(synth, 138, 1)};
    t.a = synth_alloc(synth, 1024ull * TILES * t.blocks);
    t.c = synth_alloc(synth, 1024ull * t.blocks);
    LAUNCH(synth, "micro_smem_tile", {t.blocks}, {256}, 24, 2048, tile, &t);
}

static void conflict(struct warp *w, const void *data)
{
    const struct shared *t = data;
    uint64_t at = 4 * warp_prologue(w), row = 128ull * w->index;
    OP(w, "IMAD.SHL.U32", 10, 3, RZ);
    OP(w, "MOV", 8, RZ);
    struct loop loop = loop_begin(2, 6);
    while (loop_next(w, &loop)) {
        warp_memory_row(w, STS, 8, 10, row, 4 * (int64_t)t->ways);
        for (int j = 0; j < 4; j++)
            warp_memory_row(w, LDS, 12 + j, 10, row + 4 * (uint64_t)j, 4 * (int64_t)t->ways);
        OP(w, "FADD", 8, 12, 13);
    }
    warp_pointer(w, 6, 0);
    warp_memory_row(w, STG, 8, 6, t->c + at, 4);
}

void synth_micro_smem_conflict(struct synth *synth)
{
    static const char *const names[] = {"micro_smem_conflict1", "micro_smem_conflict2",
                                        "micro_smem_conflict8", "micro_smem_conflict32"};
    static const uint32_t ways[] = {1, 2, 8, 32};
    for (int i = 0; i < 4; i++) {
        struct shared t = {.blocks = synth_scaled(synth, 46, 1), .ways = ways[i]};
        t.c = synth_alloc(synth, 512ull * t.blocks);
        LAUNCH(synth, names[i], {t.blocks}, {128}, 24, 4096 + 512, conflict, &t);
    }
}
