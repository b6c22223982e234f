/* spmv: y = A x for a matrix in compressed rows whose row lengths follow a
 * power law, with a thread a row and with a warp a row. Half of the columns
 * are near the diagonal, the others anywhere. */
#include <stdlib.h>

#include "traces/synth/warp.h"

#define BLOCK      256
#define SHORTEST   3
#define LONGEST    512
#define BAND       64
#define ITERATIONS 3

struct sparse_matrix {
    uint32_t rows;
    uint32_t *first; /* of each row, rows + 1 */
    uint64_t stream;
    uint64_t row_pointers, columns, values, x, y;
};

static uint32_t column_of(const struct sparse_matrix *m, uint32_t row, uint32_t i)
{
    uint64_t bits = split_mix(m->stream, i);
    if (bits & 1)
        return (uint32_t)random_below(bits, m->rows);
    return (uint32_t)((row + m->rows + random_below(bits, 2 * BAND) - BAND) % m->rows);
}

/* A product of element AT of each lane's row: value, column, x. */
static void product(struct warp *w, const struct sparse_matrix *m, const uint32_t *row,
                    const uint32_t *at)
{
    struct lanes lanes;
    EACH_LANE(w, l)
    lanes.at[l] = m->columns + 4ull * at[l];
    warp_memory(w, LDG_CONST, 16, 10, &lanes);
    EACH_LANE(w, l)
    lanes.at[l] = m->values + 4ull * at[l];
    warp_memory(w, LDG_CONST, 18, 12, &lanes);
    OP(w, "IMAD.WIDE", 14, 16, REG_SIZE);
    EACH_LANE(w, l)
    lanes.at[l] = m->x + 4ull * column_of(m, row[l], at[l]);
    warp_memory(w, LDG_CONST, 19, 14, &lanes);
    OP(w, "IADD3", 8, 8, RZ);
    OP(w, "IADD3", 10, 10, RZ);
    OP(w, "IADD3", 12, 12, RZ);
    OP(w, "FFMA", 20, 18, 19, 20);
}

static void a_thread_a_row(struct warp *w, const void *data)
{
    const struct sparse_matrix *m = data;
    uint64_t first = warp_prologue(w);
    uint32_t row[WARP_SIZE], at[WARP_SIZE];
    if (warp_bound(w, first, m->rows))
        return;
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG_CONST, 8, 4, m->row_pointers + 4 * first, 4);
    warp_memory_row(w, LDG_CONST, 9, 4, m->row_pointers + 4 * first + 4, 4);
    OP(w, "MOV", 20, RZ);
    warp_pointer(w, 10, 8);
    warp_pointer(w, 12, 8);
    EACH_LANE(w, l)
    {
        row[l] = (uint32_t)first + l;
        at[l] = m->first[row[l]];
    }
    struct lane_loop loop = {0};
    for (;;) {
        uint32_t left = 0;
        EACH_LANE(w, l)
        left |= (uint32_t)(at[l] < m->first[row[l] + 1]) << l;
        if (!lane_loop_next(w, &loop, left))
            break;
        product(w, m, row, at);
        EACH_LANE(w, l)
        at[l]++;
    }
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG, 20, 4, m->y + 4 * first, 4);
}

static void a_warp_a_row(struct warp *w, const void *data)
{
    const struct sparse_matrix *m = data;
    uint32_t mine = w->block[0] * (BLOCK / WARP_SIZE) + w->index;
    uint32_t row[WARP_SIZE], at[WARP_SIZE];
    warp_prologue(w);
    OP(w, "SHF.R.U32.HI", 2, RZ, 0);
    OP(w, "LOP3.LUT", 6, 3, RZ);
    OP(w, "ISETP.GE.AND", NONE, 2);
    if (warp_leave(w, mine < m->rows ? 0 : UINT32_MAX))
        return;
    warp_pointer(w, 4, 2);
    warp_memory_row(w, LDG_CONST, 8, 4, m->row_pointers + 4ull * mine, 0);
    warp_memory_row(w, LDG_CONST, 9, 4, m->row_pointers + 4ull * mine + 4, 0);
    OP(w, "MOV", 20, RZ);
    OP(w, "IADD3", 8, 8, 6);
    warp_pointer(w, 10, 8);
    warp_pointer(w, 12, 8);
    uint32_t i = m->first[mine], end = m->first[mine + 1];
    struct lane_loop loop = {0};
    for (; lane_loop_next(w, &loop, lanes_below(i, end)); i += WARP_SIZE) {
        EACH_LANE(w, l)
        {
            row[l] = mine;
            at[l] = i + l;
        }
        product(w, m, row, at);
    }
    warp_reduce(w, "FADD", 20, 21, WARP_SIZE);
    OP(w, "ISETP.NE.AND", NONE, 6, RZ);
    if (warp_leave(w, ~UINT32_C(1)))
        return;
    warp_pointer(w, 4, 2);
    warp_memory_row(w, STG, 20, 4, m->y + 4ull * mine, 4);
}

/* Lengths L with P(L > x) = SHORTEST / x, up to LONGEST. */
static void draw_rows(struct synth *synth, struct sparse_matrix *m)
{
    for (uint32_t r = 0; r < m->rows; r++) {
        uint64_t u = (synth_random(synth) >> 32) + 1;
        uint64_t length = ((uint64_t)SHORTEST << 32) / u;
        m->first[r + 1] = m->first[r] + (uint32_t)(length > LONGEST ? LONGEST : length);
    }
}

void synth_spmv(struct synth *synth)
{
    struct sparse_matrix m = {.rows = synth_scaled(synth, 32768, 200)};
    m.stream = synth_random(synth);
    m.first = synth_host(synth, m.rows + 1ull, sizeof *m.first);
    if (synth->failed)
        return;
    draw_rows(synth, &m);
    uint64_t entries = m.first[m.rows];
    m.row_pointers = synth_upload(synth, 4 * (m.rows + 1ull));
    m.columns = synth_upload(synth, 4 * entries);
    m.values = synth_upload(synth, 4 * entries);
    m.x = synth_upload(synth, 4ull * m.rows);
    m.y = synth_alloc(synth, 4ull * m.rows);
    for (int i = 0; i < ITERATIONS; i++) {
        LAUNCH(synth, "_Z15spmv_csr_scalariPKiS0_PKfS2_Pf", {div_up(m.rows, BLOCK)}, {BLOCK},
               24, 0, a_thread_a_row, &m);
        LAUNCH(synth, "_Z15spmv_csr_vectoriPKiS0_PKfS2_Pf", {div_up(m.rows, BLOCK / WARP_SIZE)},
               {BLOCK}, 24, 0, a_warp_a_row, &m);
        uint64_t x = m.x;
        m.x = m.y;
        m.y = x;
    }
    free(m.first);
}
