/* solver: conjugate gradients with a multigrid preconditioner on a square of
 * points. Its kernels are of Sieve's three tiers: vector operations have the
 * same length at every launch (tier 1); the product with the matrix leaves
 * rows out that have converged, a few per cent more or less each time (tier
 * 2); the smoother runs on all levels of the grid, each a quarter of the one
 * above (tier 3). */
#include "traces/synth/warp.h"

#define ITERATIONS 16
#define LEVELS     4
#define DIAGONALS  7
#define BLOCK      256

struct grid {
    uint32_t side;
    uint64_t u, f, other;
};

struct solver {
    struct grid levels[LEVELS];
    uint32_t rows;   /* of the matrix: points of the finest level */
    uint32_t active; /* rows that have not converged */
    uint64_t active_list, columns, values;
    uint64_t x, p, q, scalar;
};

static uint64_t points(const struct grid *g)
{
    return (uint64_t)g->side * g->side;
}

/* ---- tier 1 ---- */

static void axpy(struct warp *w, const void *data)
{
    const struct solver *s = data;
    uint64_t i = warp_prologue(w);
    if (warp_bound(w, i, s->rows))
        return;
    warp_pointer(w, 4, 0);
    warp_pointer(w, 8, 0);
    warp_memory_row(w, LDG_CONST, 12, RZ, s->scalar, 0);
    warp_memory_row(w, LDG, 10, 4, s->p + 4 * i, 4);
    warp_memory_row(w, LDG, 11, 8, s->x + 4 * i, 4);
    OP(w, "FFMA", 11, 10, 12, 11);
    warp_memory_row(w, STG, 11, 8, s->x + 4 * i, 4);
}

static void dot(struct warp *w, const void *data)
{
    const struct solver *s = data;
    uint64_t i = warp_prologue(w), step = (uint64_t)w->launch->grid[0] * BLOCK;
    OP(w, "MOV", 12, RZ);
    struct lane_loop loop = {0};
    for (; lane_loop_next(w, &loop, lanes_below(i, s->rows)); i += step) {
        warp_pointer(w, 4, 0);
        warp_pointer(w, 8, 0);
        warp_memory_row(w, LDG, 10, 4, s->p + 4 * i, 4);
        warp_memory_row(w, LDG, 11, 8, s->q + 4 * i, 4);
        OP(w, "FFMA", 12, 10, 11, 12);
        OP(w, "IADD3", 0, 0, RZ);
    }
    warp_reduce(w, "FADD", 12, 13, WARP_SIZE);
    OP(w, "LOP3.LUT", NONE, 3, RZ);
    if (warp_leave(w, ~UINT32_C(1)))
        return;
    warp_memory_row(w, RED_ADD_F32, 12, 4, s->scalar, 4);
}

/* ---- tier 2: diagonals, of the rows in a list ---- */

static uint32_t row_of(const struct solver *s, uint64_t i)
{
    return (uint32_t)(i * s->rows / s->active);
}

static void product(struct warp *w, const void *data)
{
    const struct solver *s = data;
    const int64_t side = s->levels[0].side;
    const int64_t diagonals[DIAGONALS] = {-side - 1, -side, -1, 0, 1, side, side + 1};
    uint64_t first = warp_prologue(w);
    struct lanes at;
    if (warp_bound(w, first, s->active))
        return;
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG_CONST, 2, 4, s->active_list + 4 * first, 4);
    OP(w, "MOV", 12, RZ);
    for (int k = 0; k < DIAGONALS; k++) {
        OP(w, "IMAD", 6, RZ, RZ, 2);
        warp_pointer(w, 4, 6);
        warp_pointer(w, 8, 6);
        EACH_LANE(w, l)
        at.at[l] = s->columns + 4 * ((uint64_t)k * s->rows + row_of(s, first + l));
        warp_memory(w, LDG_CONST, 10, 4, &at);
        EACH_LANE(w, l)
        at.at[l] = s->values + 4 * ((uint64_t)k * s->rows + row_of(s, first + l));
        warp_memory(w, LDG_CONST, 11, 8, &at);
        warp_pointer(w, 14, 10);
        EACH_LANE(w, l)
        {
            int64_t column = row_of(s, first + l) + diagonals[k];
            bool there = column >= 0 && column < s->rows;
            at.at[l] = s->p + 4 * (there ? (uint64_t)column : row_of(s, first + l));
        }
        warp_memory(w, LDG, 13, 14, &at);
        OP(w, "FFMA", 12, 11, 13, 12);
    }
    warp_pointer(w, 4, 2);
    EACH_LANE(w, l)
    at.at[l] = s->q + 4ull * row_of(s, first + l);
    warp_memory(w, STG, 12, 4, &at);
}

/* ---- tier 3 ---- */

/* u' = u + (f - A u) / 4, five points; the edge stays. */
static void smooth(struct warp *w, const void *data)
{
    const struct grid *g = data;
    uint64_t i = warp_prologue(w), row = 4ull * g->side, at = 4 * i;
    uint32_t inner = 0;
    OP(w, "IMAD.HI.U32", 2, 0, RZ);
    OP(w, "IMAD", 6, 2, RZ, 0);
    if (warp_bound(w, i, points(g)))
        return;
    EACH_LANE(w, l)
    {
        uint64_t x = (i + l) % g->side, y = (i + l) / g->side;
        inner |= (uint32_t)(x > 0 && y > 0 && x + 1 < g->side && y + 1 < g->side) << l;
    }
    OP(w, "ISETP.EQ.OR", NONE, 6, RZ);
    OP(w, "ISETP.EQ.OR", NONE, 2, RZ);
    if (warp_leave(w, ~inner))
        return;
    warp_pointer(w, 4, 0);
    warp_pointer(w, 8, 0);
    warp_memory_row(w, LDG, 10, 4, g->u + at, 4);
    warp_memory_row(w, LDG, 11, 4, g->u + at - 4, 4);
    warp_memory_row(w, LDG, 12, 4, g->u + at + 4, 4);
    warp_memory_row(w, LDG, 13, 4, g->u + at - row, 4);
    warp_memory_row(w, LDG, 14, 4, g->u + at + row, 4);
    warp_memory_row(w, LDG_CONST, 15, 8, g->f + at, 4);
    OP(w, "FADD", 11, 11, 12);
    OP(w, "FADD", 13, 13, 14);
    OP(w, "FADD", 11, 11, 13);
    OP(w, "FADD", 11, 11, 15);
    OP(w, "FFMA", 10, 11, RZ, 10);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG, 10, 4, g->other + at, 4);
}

/* Every second point of the finer grid. */
static void restrict_grid(struct warp *w, const void *data)
{
    const struct grid *fine = data, *coarse = fine + 1;
    uint64_t i = warp_prologue(w);
    struct lanes at;
    if (warp_bound(w, i, points(coarse)))
        return;
    OP(w, "IMAD.HI.U32", 2, 0, RZ);
    OP(w, "IMAD", 6, 2, RZ, 0);
    OP(w, "LEA", 2, 2, 6);
    warp_pointer(w, 4, 2);
    for (uint32_t k = 0; k < 4; k++) {
        EACH_LANE(w, l)
        {
            uint64_t x = (i + l) % coarse->side * 2 + k % 2;
            uint64_t y = (i + l) / coarse->side * 2 + k / 2;
            at.at[l] = fine->other + 4 * (y * fine->side + x);
        }
        warp_memory(w, LDG, 10 + (int)k, 4, &at);
    }
    OP(w, "FADD", 10, 10, 11);
    OP(w, "FADD", 12, 12, 13);
    OP(w, "FADD", 10, 10, 12);
    OP(w, "FMUL", 10, 10);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG, 10, 4, coarse->f + 4 * i, 4);
}

/* ---- the application ---- */

static void launch_smooth(struct synth *synth, struct grid *g)
{
    LAUNCH(synth, "_Z6smoothPKfS0_Pfi", {div_up(points(g), BLOCK)}, {BLOCK}, 18, 0, smooth, g);
    uint64_t u = g->u;
    g->u = g->other;
    g->other = u;
}

static void v_cycle(struct synth *synth, struct solver *s)
{
    for (int i = 0; i < LEVELS; i++) {
        launch_smooth(synth, &s->levels[i]);
        if (i + 1 < LEVELS)
            LAUNCH(synth, "_Z8restrictPKfPfi", {div_up(points(&s->levels[i + 1]), BLOCK)},
                   {BLOCK}, 16, 0, restrict_grid, &s->levels[i]);
    }
    for (int i = LEVELS - 2; i >= 0; i--)
        launch_smooth(synth, &s->levels[i]);
}

static void iterate(struct synth *synth, struct solver *s)
{
    /* Between 80 and 100 per cent of the rows. */
    s->active = (uint32_t)(s->rows - random_below(synth_random(synth), s->rows / 5));
    struct synth_launch vector = {
        "_Z4axpyPKfPfS0_i", {div_up(s->rows, BLOCK)}, {BLOCK}, 14, 0, axpy, s};
    struct synth_launch sum = {
        "_Z3dotPKfS0_Pfi", {div_up(s->rows, 4 * BLOCK)}, {BLOCK}, 16, 0, dot, s};
    synth_copy(synth, s->active_list, 4ull * s->active);
    LAUNCH(synth, "_Z9spmv_rowsPKiS0_PKfS2_Pfi", {div_up(s->active, BLOCK)}, {BLOCK}, 20, 0,
           product, s);
    synth_launch(synth, &sum);
    synth_launch(synth, &vector);
    synth_launch(synth, &vector);
    v_cycle(synth, s);
    synth_launch(synth, &sum);
    synth_launch(synth, &vector);
}

void synth_solver(struct synth *synth)
{
    uint32_t side = synth_scaled_side(synth, 256, 2, 16) / 8 * 8;
    struct solver s = {.rows = side * side};
    uint64_t bytes = 4ull * s.rows;
    for (int i = 0; i < LEVELS; i++) {
        struct grid *g = &s.levels[i];
        g->side = side >> i;
        g->u = synth_upload(synth, 4 * points(g));
        g->f = synth_upload(synth, 4 * points(g));
        g->other = synth_alloc(synth, 4 * points(g));
    }
    s.active_list = synth_alloc(synth, bytes);
    s.columns = synth_upload(synth, DIAGONALS * bytes);
    s.values = synth_upload(synth, DIAGONALS * bytes);
    s.x = synth_upload(synth, bytes);
    s.p = synth_alloc(synth, bytes);
    s.q = synth_alloc(synth, bytes);
    s.scalar = synth_alloc(synth, 4);
    for (int i = 0; i < ITERATIONS; i++)
        iterate(synth, &s);
}
