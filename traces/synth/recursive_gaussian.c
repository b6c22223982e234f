/* recursive_gaussian: the CUDA sample. A thread goes down and up a column of
 * the image, then the image is transposed, and the same again. */
#include "traces/synth/warp.h"

#define ROUNDS 14
#define TILE   16

struct gaussian_pass {
    uint64_t from, to;
    uint32_t width, height;
};

/* Four channels of a pixel, from R[pixel] into R[channels] and on. */
static void unpack(struct warp *w, int pixel, int channels)
{
    for (int i = 0; i < 4; i++)
        OP(w, "I2F.U8", channels + i, pixel);
    for (int i = 0; i < 4; i++)
        OP(w, "FMUL", channels + i, channels + i);
}

static void pack(struct warp *w, int channels, int pixel)
{
    for (int i = 0; i < 4; i++)
        OP(w, "FADD.SAT", 40 + i, channels + i, RZ);
    for (int i = 0; i < 4; i++)
        OP(w, "FMUL", 40 + i, 40 + i);
    for (int i = 0; i < 4; i++)
        OP(w, "F2I.U32.TRUNC.NTZ", 40 + i, 40 + i);
    OP(w, "LEA", 40, 41, 40);
    OP(w, "LEA", 42, 43, 42);
    OP(w, "LEA", pixel, 42, 40);
}

/* y = a0 x + a1 x' - b1 y' - b2 y'' for the channels. */
static void filter(struct warp *w)
{
    for (int i = 0; i < 4; i++) {
        OP(w, "FMUL", 28 + i, 12 + i);
        OP(w, "FFMA", 28 + i, 16 + i, RZ, 28 + i);
        OP(w, "FFMA", 28 + i, 20 + i, RZ, 28 + i);
        OP(w, "FFMA", 28 + i, 24 + i, RZ, 28 + i);
    }
    for (int i = 0; i < 4; i++) {
        OP(w, "MOV", 16 + i, 12 + i);
        OP(w, "MOV", 24 + i, 20 + i);
        OP(w, "MOV", 20 + i, 28 + i);
    }
}

static void gaussian(struct warp *w, const void *data)
{
    const struct gaussian_pass *pass = data;
    uint64_t x = warp_prologue(w);
    if (warp_bound(w, x, pass->width))
        return;
    warp_pointer(w, 4, 0);
    warp_pointer(w, 8, 0);
    for (int i = 12; i < 28; i += 2)
        OP(w, "CS2R", i);
    struct loop down = loop_begin(2, pass->height);
    while (loop_next(w, &down)) {
        uint64_t at = 4 * ((uint64_t)down.i * pass->width + x);
        warp_memory_row(w, LDG, 10, 4, pass->from + at, 4);
        unpack(w, 10, 12);
        filter(w);
        pack(w, 28, 11);
        warp_memory_row(w, STG, 11, 8, pass->to + at, 4);
        OP(w, "IADD3", 4, 4, 7);
        OP(w, "IADD3", 8, 8, 7);
    }
    struct loop up = loop_begin(2, pass->height);
    while (loop_next(w, &up)) {
        uint64_t at = 4 * ((uint64_t)(pass->height - 1 - up.i) * pass->width + x);
        OP(w, "IADD3", 4, 4, 7);
        OP(w, "IADD3", 8, 8, 7);
        warp_memory_row(w, LDG, 10, 4, pass->from + at, 4);
        unpack(w, 10, 12);
        filter(w);
        warp_memory_row(w, LDG, 11, 8, pass->to + at, 4);
        unpack(w, 11, 32);
        for (int i = 0; i < 4; i++)
            OP(w, "FADD", 32 + i, 32 + i, 28 + i);
        pack(w, 32, 11);
        warp_memory_row(w, STG, 11, 8, pass->to + at, 4);
    }
}

/* Lanes whose pixel (x, y) is inside. */
static uint32_t inside(const struct warp *w, uint32_t x0, uint32_t y0, uint32_t width,
                       uint32_t height)
{
    uint32_t mask = 0;
    for (uint32_t l = 0; l < WARP_SIZE; l++)
        if (x0 + warp_x(w, l) < width && y0 + warp_y(w, l) < height)
            mask |= UINT32_C(1) << l;
    return mask;
}

static void transpose(struct warp *w, const void *data)
{
    const struct gaussian_pass *pass = data;
    uint32_t x = w->block[0] * TILE, y = w->block[1] * TILE;
    struct lanes at;
    warp_prologue_2d(w);
    OP(w, "IMAD", 8, 4, RZ, 2);
    OP(w, "IMAD", 9, 2, RZ, 4);
    OP(w, "ISETP.GE.AND", NONE, 0);
    OP(w, "ISETP.GE.OR", NONE, 3);
    struct branch first = warp_if(w, inside(w, x, y, pass->width, pass->height));
    OP(w, "IMAD", 0, 3, RZ, 0);
    warp_pointer(w, 10, 0);
    EACH_LANE(w, l)
    at.at[l] = pass->from + 4 * ((uint64_t)(y + warp_y(w, l)) * pass->width + x + warp_x(w, l));
    warp_memory(w, LDG, 12, 10, &at);
    EACH_LANE(w, l)
    at.at[l] = 4 * (warp_y(w, l) * (TILE + 1) + warp_x(w, l));
    warp_memory(w, STS, 12, 8, &at);
    warp_end_if(w, first);
    warp_barrier(w);
    OP(w, "ISETP.GE.AND", NONE, 0);
    OP(w, "ISETP.GE.OR", NONE, 3);
    struct branch second = warp_if(w, inside(w, y, x, pass->height, pass->width));
    EACH_LANE(w, l)
    at.at[l] = 4 * (warp_x(w, l) * (TILE + 1) + warp_y(w, l));
    warp_memory(w, LDS, 12, 9, &at);
    OP(w, "IMAD", 0, 0, RZ, 3);
    warp_pointer(w, 10, 0);
    EACH_LANE(w, l)
    at.at[l] = pass->to + 4 * ((uint64_t)(x + warp_y(w, l)) * pass->height + y + warp_x(w, l));
    warp_memory(w, STG, 12, 10, &at);
    warp_end_if(w, second);
}

static void filter_and_transpose(struct synth *synth, uint64_t from, uint64_t temporary,
                                 uint64_t to, uint32_t width, uint32_t height)
{
    struct gaussian_pass columns = {from, temporary, width, height};
    struct gaussian_pass turn = {temporary, to, width, height};
    LAUNCH(synth, "_Z24d_recursiveGaussian_rgbaPjS_iiffffffff", {div_up(width, 64)}, {64}, 48,
           0, gaussian, &columns);
    LAUNCH(synth, "_Z11d_transposePjS_ii", {div_up(width, TILE), div_up(height, TILE)},
           {TILE, TILE}, 14, TILE * (TILE + 1) * 4, transpose, &turn);
}

void synth_recursive_gaussian(struct synth *synth)
{
    uint32_t width = synth_scaled_side(synth, 320, 2, 40);
    uint32_t height = synth_scaled_side(synth, 300, 2, 36);
    uint64_t bytes = 4ull * width * height;
    uint64_t source = synth_upload(synth, bytes);
    uint64_t temporary = synth_alloc(synth, bytes);
    uint64_t target = synth_alloc(synth, bytes);
    for (int i = 0; i < ROUNDS; i++) {
        filter_and_transpose(synth, source, temporary, target, width, height);
        filter_and_transpose(synth, target, temporary, target, height, width);
    }
}
