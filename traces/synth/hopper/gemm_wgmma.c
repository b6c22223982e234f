/* C[m][n] = A[m][k] B[n][k] in half precision, after CUTLASS's warp-specialised kernels for
 * sm_90: one warp copies tiles by TMA into a ring of stages, two groups of four warps multiply
 * them, 64 rows each. A stage has a barrier for its bytes, and one that both groups arrive at
 * when they have read it. At the end C goes through shared memory. */
#include "traces/synth/hopper/warp_group.h"

#define GROUPS        2
#define ROWS          (GROUPS * GROUP_ROWS)
#define DEPTH         SWIZZLED /* of a stage */
#define STEPS         (DEPTH / GROUP_DEPTH)
#define TILES         1024 /* where they begin in shared memory, behind the barriers */
#define ROW_BYTES     (2 * SWIZZLED)
#define COPY_REGS     40
#define MULTIPLY_REGS 232
#define REGS          168

/* Offsets of tensor maps in the parameters. */
enum { MAP_A = 0x240, MAP_B = 0x2c0, MAP_C = 0x380 };
/* Registers: bytes of a stage, parity, counter; accumulators. */
enum { BYTES = 4, PARITY = 5, COUNTER = 6, PLACE = 8, PACKED = 12, SUMS = 24 };

struct gemm {
    uint32_t m, n, k, columns, stages;
};

static uint32_t stage_bytes(const struct gemm *g)
{
    return (ROWS + g->columns) * ROW_BYTES;
}

static uint32_t place_of(const struct gemm *g, uint32_t stage)
{
    return TILES + stage * stage_bytes(g);
}

static uint32_t full(uint32_t stage)
{
    return 8 * stage;
}

static uint32_t empty(const struct gemm *g, uint32_t stage)
{
    return 8 * (g->stages + stage);
}

/* ---- the warp that copies ---------------------------------------------- */

static void copy_stage(struct warp *w, const struct gemm *g, uint32_t tile)
{
    uint32_t stage = tile % g->stages, barrier = full(stage), place = place_of(g, stage);
    const struct wg_copy a = {MAP_A, place, barrier, 2, {tile * DEPTH, w->block[0] * ROWS}};
    const struct wg_copy b = {
        MAP_B, place + ROWS * ROW_BYTES, barrier, 2, {tile * DEPTH, w->block[1] * g->columns}};
    OP(w, "ULEA", NONE);
    wg_wait(w, empty(g, stage), ~(tile / g->stages) & 1, PARITY, false);
    wg_expect(w, barrier, stage_bytes(g), BYTES);
    wg_load(w, &a);
    wg_load(w, &b);
    OP(w, "UIADD3", NONE);
    OP(w, "UISETP.NE.AND", NONE);
    OP(w, "USEL", NONE);
    OP(w, "SEL", 7, RZ, RZ);
    OP(w, "LOP3.LUT", PARITY, PARITY, 7);
}

static void copy_all(struct warp *w, const struct gemm *g)
{
    wg_registers(w, COPY_REGS, false);
    struct branch branch = warp_if(w, w->index == 0 ? ONE_LANE : 0);
    OP(w, "MOV", BYTES);
    OP(w, "MOV", PARITY);
    struct loop loop = loop_begin(COUNTER, g->k / DEPTH);
    while (loop_next(w, &loop))
        copy_stage(w, g, loop.i);
    warp_end_if(w, branch);
}

/* ---- warps that multiply ----------------------------------------------- */

static void multiply_stage(struct warp *w, const struct gemm *g, uint32_t tile)
{
    uint32_t last = (tile + g->stages - 1) % g->stages;
    OP(w, "ULEA", NONE);
    wg_wait(w, full(tile % g->stages), tile / g->stages & 1, PARITY, tile == 0);
    wg_arrive_products(w);
    for (uint32_t step = 0; step < STEPS; step++) {
        OP(w, "UIADD3", NONE);
        OP(w, "UIADD3", NONE);
        wg_product(w, g->columns, SUMS, NONE, SUMS, step + 1 == STEPS);
    }
    wg_wait_products(w, 1); /* the stage before has been read */
    wg_arrive(w, empty(g, last), tile != 0 && w->index % GROUP_WARPS == 0);
    OP(w, "UIADD3", NONE);
    OP(w, "UISETP.NE.AND", NONE);
    OP(w, "USEL", NONE);
    OP(w, "SEL", 7, RZ, RZ);
    OP(w, "LOP3.LUT", PARITY, PARITY, 7);
}

/* Where lane L stores the 16 x 16 numbers I of its warp's 16 rows: rows of 128 bytes, whose
 * chunks are swizzled, of as many boxes as there are. */
static uint64_t place_of_sums(const struct warp *w, uint32_t base, uint32_t i, uint32_t lane)
{
    uint32_t row = w->index % GROUP_WARPS * 16 + lane % 16;
    uint32_t chunk = (i * 2 + lane / 16) % 8, box = i * 2 / 8;
    return base + box * GROUP_ROWS * ROW_BYTES + row * ROW_BYTES + (chunk ^ row % 8) * 16;
}

static void store_sums(struct warp *w, const struct gemm *g)
{
    uint32_t group = w->index / GROUP_WARPS - 1;
    uint32_t base = TILES + group * GROUP_ROWS * g->columns * 2;
    for (uint32_t i = 0; i < g->columns / 16; i++) {
        struct lanes at;
        EACH_LANE(w, l)
        at.at[l] = place_of_sums(w, base, i, l);
        for (int p = 0; p < 4; p++) {
            int sums = SUMS + 8 * (int)i + 2 * p;
            OP(w, "F2FP.F16.F32.PACK_AB", PACKED + (int)(i % 2) * 4 + p, sums + 1, sums);
        }
        warp_memory(w, STSM_4, PACKED + (int)(i % 2) * 4, PLACE, &at);
    }
    wg_fence(w);
    wg_barrier(w, 1, GROUPS * GROUP_THREADS);
    struct branch branch = warp_if(w, w->index % GROUP_WARPS == 0 ? ONE_LANE : 0);
    for (uint32_t box = 0; box < g->columns / SWIZZLED; box++) {
        const struct wg_copy c = {MAP_C,
                                  base + box * GROUP_ROWS * ROW_BYTES,
                                  0,
                                  2,
                                  {w->block[1] * g->columns + box * SWIZZLED,
                                   w->block[0] * ROWS + group * GROUP_ROWS}};
        wg_store(w, &c);
    }
    wg_wait_stores(w);
    warp_end_if(w, branch);
}

static void multiply_all(struct warp *w, const struct gemm *g)
{
    wg_registers(w, MULTIPLY_REGS, true);
    OP(w, "MOV", PARITY);
    OP(w, "LEA", PLACE, 3, 0);
    for (uint32_t i = 0; i < g->columns / 2; i += 2)
        OP(w, "CS2R", SUMS + (int)i);
    struct loop loop = loop_begin(COUNTER, g->k / DEPTH);
    while (loop_next(w, &loop))
        multiply_stage(w, g, loop.i);
    wg_wait_products(w, 0);
    store_sums(w, g);
}

static void body(struct warp *w, const void *data)
{
    const struct gemm *g = data;
    wg_prologue(w);
    struct branch branch = wg_begin_barriers(w);
    for (uint32_t stage = 0; stage < g->stages; stage++) {
        wg_make_barrier(w, full(stage), 1);
        wg_make_barrier(w, empty(g, stage), GROUPS);
    }
    wg_end_barriers(w, branch);
    bool copies = w->index < GROUP_WARPS;
    branch = warp_if(w, copies ? UINT32_MAX : 0);
    copy_all(w, g);
    warp_end_if(w, branch);
    branch = warp_if(w, copies ? 0 : UINT32_MAX);
    multiply_all(w, g);
    warp_end_if(w, branch);
}

static uint32_t map_of(struct synth *synth, uint64_t address, uint32_t rows, uint32_t columns,
                       uint32_t box)
{
    const uint64_t dims[] = {columns, rows};
    const uint32_t sides[] = {0, box};
    struct trace_tensor_map map = wg_tensor(address, 2, dims, sides);
    return synth_tensor_map(synth, &map);
}

static uint32_t size_of(const struct synth *synth, const char *name, uint32_t step)
{
    uint32_t size = synth_scaled_side(synth, synth_parameter(synth, name), 3, 1);
    return (uint32_t)round_up(size, step);
}

void synth_gemm_wgmma(struct synth *synth)
{
    uint32_t columns = (uint32_t)round_up(synth_parameter(synth, "columns"), SWIZZLED);
    struct gemm g = {.m = size_of(synth, "m", ROWS),
                     .n = size_of(synth, "n", columns),
                     .k = size_of(synth, "k", DEPTH),
                     .columns = columns,
                     .stages = synth_parameter(synth, "stages")};
    uint64_t a = synth_upload(synth, (uint64_t)g.m * g.k * 2);
    uint64_t b = synth_upload(synth, (uint64_t)g.n * g.k * 2);
    uint64_t c = synth_alloc(synth, (uint64_t)g.m * g.n * 2);
    uint32_t shared = place_of(&g, g.stages), sums = TILES + ROWS * columns * 2;
    const struct trace_launch_facts facts = {
        .dynamic_shmem = shared > sums ? shared : sums,
        .cluster = {1, 1, 1},
        .carveout = -1,
        .map_count = 3,
        .maps = {{MAP_A, map_of(synth, a, g.m, g.k, ROWS)},
                 {MAP_B, map_of(synth, b, g.n, g.k, columns)},
                 {MAP_C, map_of(synth, c, g.m, g.n, GROUP_ROWS)}},
    };
    LAUNCH(synth, .name = "_Z10gemm_wgmma14CUtensorMap_stS_S_",
           .grid = {g.m / ROWS, g.n / columns}, .block = {(1 + GROUPS) * GROUP_THREADS},
           .regs = REGS, .shmem = facts.dynamic_shmem, .body = body, .data = &g,
           .facts = &facts);
}
