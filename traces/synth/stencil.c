/* stencil: Jacobi sweeps of a seven-point stencil over a box, to and fro
 * between two arrays. A thread goes up a column and keeps three levels. */
#include "traces/synth/warp.h"

struct box {
    uint32_t nx, ny, nz;
    uint64_t from, to;
};

static void sweep(struct warp *w, const void *data)
{
    const struct box *box = data;
    uint64_t x = 1 + w->block[0] * 32, y = 1 + (uint64_t)w->block[1] * 8 + w->index;
    uint64_t level = 4ull * box->nx * box->ny, row = 4ull * box->nx;
    uint64_t at = y * row + 4 * x;
    warp_prologue_2d(w);
    OP(w, "ISETP.GE.AND", NONE, 0);
    OP(w, "ISETP.GE.OR", NONE, 3);
    if (warp_leave(w, y < box->ny - 1 ? ~lanes_below(x, box->nx - 1) : UINT32_MAX))
        return;
    OP(w, "IMAD", 0, 3, RZ, 0);
    warp_pointer(w, 4, 0);
    warp_pointer(w, 8, 0);
    warp_memory_row(w, LDG, 10, 4, box->from + at, 4);
    warp_memory_row(w, LDG, 11, 4, box->from + at + level, 4);
    struct loop loop = loop_begin(2, box->nz - 2);
    while (loop_next(w, &loop)) {
        uint64_t here = at + (loop.i + 1) * level;
        warp_memory_row(w, LDG, 12, 4, box->from + here + level, 4);
        warp_memory_row(w, LDG, 13, 4, box->from + here - 4, 4);
        warp_memory_row(w, LDG, 14, 4, box->from + here + 4, 4);
        warp_memory_row(w, LDG, 15, 4, box->from + here - row, 4);
        warp_memory_row(w, LDG, 16, 4, box->from + here + row, 4);
        OP(w, "FADD", 10, 10, 12);
        OP(w, "FADD", 13, 13, 14);
        OP(w, "FADD", 15, 15, 16);
        OP(w, "FADD", 10, 10, 13);
        OP(w, "FADD", 10, 10, 15);
        OP(w, "FMUL", 10, 10);
        OP(w, "FFMA", 17, 11, RZ, 10);
        warp_memory_row(w, STG, 17, 8, box->to + here, 4);
        OP(w, "MOV", 10, 11);
        OP(w, "MOV", 11, 12);
        OP(w, "IADD3", 4, 4, REG_SIZE);
        OP(w, "IADD3.X", 5, 5, RZ);
        OP(w, "IADD3", 8, 8, REG_SIZE);
    }
}

static uint32_t side(struct synth *synth, const char *name)
{
    return synth_scaled_side(synth, synth_parameter(synth, name), 3, 6);
}

void synth_stencil(struct synth *synth)
{
    struct box box = {
        .nx = side(synth, "nx"), .ny = side(synth, "ny"), .nz = side(synth, "nz")};
    uint64_t bytes = 4ull * box.nx * box.ny * box.nz;
    box.from = synth_upload(synth, bytes);
    box.to = synth_upload(synth, bytes);
    for (uint32_t sweeps = synth_parameter(synth, "sweeps"); sweeps > 0; sweeps--) {
        LAUNCH(synth, "_Z8jacobi3dPKfPfiii", {div_up(box.nx - 2, 32), div_up(box.ny - 2, 8)},
               {32, 8}, 20, 0, sweep, &box);
        uint64_t from = box.from;
        box.from = box.to;
        box.to = from;
    }
}
