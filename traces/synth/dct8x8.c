/* dct8x8: the CUDA sample's eight kernels on four images.
 *
 * For each image the sample's three ways, one after the other: the direct
 * transform (a thread a coefficient), the one by columns and rows in
 * registers, and the one on 16-bit integers. Each transforms, quantises and
 * transforms back. The sample repeats the forward transforms to time them;
 * that is what gives its reuse from launch to launch. Images are read from
 * linear memory, where the sample uses a texture. */
#include "traces/synth/warp.h"

#define IMAGES 4

struct dct_image {
    uint32_t width, height;
    uint64_t source, target; /* floats; 16-bit integers in place for the last way */
};

/* An 8-point transform of eight registers from V on: the butterflies of the
 * sample's vector routine, with eight more registers. */
static void transform(struct warp *w, int v, const char *add, const char *mul, const char *fma)
{
    for (int i = 0; i < 4; i++) {
        OP(w, add, v + 8 + i, v + i, v + 7 - i);
        OP(w, add, v + 12 + i, v + i, v + 7 - i);
    }
    for (int i = 0; i < 2; i++) {
        OP(w, add, v + i, v + 8 + i, v + 11 - i);
        OP(w, add, v + 2 + i, v + 8 + i, v + 11 - i);
    }
    for (int i = 0; i < 2; i++) { /* coefficients 0 and 4, then 2 and 6 */
        OP(w, add, v + 8 + i, v, v + 1);
        OP(w, mul, v + 4 * i, v + 8 + i);
        OP(w, mul, v + 10 + i, v + 2);
        OP(w, fma, v + 10 + i, v + 3, v + 10 + i);
        OP(w, mul, v + 2 + 4 * i, v + 10 + i);
    }
    for (int i = 0; i < 4; i++) { /* the odd ones */
        int d = v + 1 + 2 * i;
        OP(w, mul, 40, v + 12);
        OP(w, fma, 40, v + 13, 40);
        OP(w, fma, 40, v + 14, 40);
        OP(w, fma, 40, v + 15, 40);
        OP(w, mul, d, 40);
    }
}

/* Offset of the pixel of each lane in blocks of 8 x 8 threads, a pixel each. */
static uint64_t small_block(const struct warp *w, const struct dct_image *image, uint32_t lane)
{
    uint64_t x = w->block[0] * 8 + warp_x(w, lane), y = w->block[1] * 8 + warp_y(w, lane);
    return y * image->width + x;
}

/* ---- the direct transform ---- */

/* Half of it: sums of eight products. Along lines, the lanes of a line read
 * the same column of the constant matrix; along columns, the other way. */
static void direct_pass(struct warp *w, bool lines)
{
    struct lanes at;
    OP(w, "MOV", 12, RZ);
    for (uint32_t i = 0; i < 8; i++) {
        EACH_LANE(w, l)
        at.at[l] = 4 * (lines ? warp_y(w, l) * 8 + i : i * 8 + warp_x(w, l));
        OP(w, "LDC", 10, 8);
        warp_memory(w, LDS, 11, 9, &at);
        OP(w, "FFMA", 12, 10, 11, 12);
    }
}

static void direct(struct warp *w, const void *data)
{
    const struct dct_image *image = data;
    struct lanes at, tile;
    warp_prologue_2d(w);
    EACH_LANE(w, l)
    {
        at.at[l] = 4 * small_block(w, image, l);
        tile.at[l] = 4 * (w->first + l);
    }
    OP(w, "LEA", 9, 4, 2);
    OP(w, "IMAD.SHL.U32", 8, 2, RZ);
    OP(w, "IMAD", 0, 3, RZ, 0);
    warp_pointer(w, 4, 0);
    struct lanes from = at;
    EACH_LANE(w, l)
    from.at[l] += image->source;
    warp_memory(w, LDG, 10, 4, &from);
    OP(w, "FADD", 10, 10, RZ);
    warp_memory(w, STS, 10, 9, &tile);
    warp_barrier(w);
    direct_pass(w, false);
    warp_memory(w, STS, 12, 9, &tile);
    warp_barrier(w);
    direct_pass(w, true);
    warp_barrier(w);
    warp_pointer(w, 4, 0);
    EACH_LANE(w, l)
    at.at[l] += image->target;
    warp_memory(w, STG, 12, 4, &at);
}

/* ---- quantisation ---- */

/* R10 = a lane's coefficient of BYTES bytes, R11 = its divisor; AT: where it is. */
static void load_coefficient(struct warp *w, const struct dct_image *image, enum memory_op load,
                             uint64_t bytes, struct lanes *at)
{
    warp_prologue_2d(w);
    EACH_LANE(w, l)
    at->at[l] = image->target + bytes * small_block(w, image, l);
    OP(w, "IMAD", 0, 3, RZ, 0);
    warp_pointer(w, 4, 0);
    OP(w, "LEA", 9, 4, 2);
    OP(w, "LDC", 11, 9);
    warp_memory(w, load, 10, 4, at);
}

static void quantize_float(struct warp *w, const void *data)
{
    struct lanes at;
    load_coefficient(w, data, LDG, 4, &at);
    OP(w, "I2F.S16", 11, 11);
    OP(w, "MUFU.RCP", 12, 11);
    OP(w, "FCHK", NONE, 10, 11);
    OP(w, "FFMA", 13, 12, 11, RZ);
    OP(w, "FFMA", 12, 12, 13, 12);
    OP(w, "FFMA", 13, 10, 12, RZ);
    OP(w, "FFMA", 14, 11, 13, 10);
    OP(w, "FFMA", 13, 12, 14, 13);
    OP(w, "FRND", 13, 13);
    OP(w, "FMUL", 13, 13, 11);
    warp_memory(w, STG, 13, 4, &at);
}

static void quantize_short(struct warp *w, const void *data)
{
    struct lanes at;
    load_coefficient(w, data, LDG_U16, 2, &at);
    OP(w, "I2F.RP", 12, 11);
    OP(w, "MUFU.RCP", 12, 12);
    OP(w, "IADD3", 12, 12, RZ);
    OP(w, "F2I.FTZ.U32.TRUNC.NTZ", 13, 12);
    OP(w, "IMAD", 14, 13, 11);
    OP(w, "IMAD.HI.U32", 13, 13, 14, 12);
    OP(w, "IMAD.HI.U32", 13, 13, 10);
    OP(w, "IMAD", 13, 13, 11);
    warp_memory(w, STG_U16, 13, 4, &at);
}

/* ---- by columns and rows: a warp has 32 x 8 pixels ---- */

#define PITCH 33 /* of the tile in shared memory, against bank conflicts */

/* 32 x 8 pixels in shared memory. */
struct tile {
    uint64_t at;
    uint32_t size, pitch; /* of a pixel, bytes; of a line, pixels */
};

/* Eight pixels a lane, a register each: a column of the tile, or a row of one of its four
 * blocks of 8 x 8. */
static void tile_pass(struct warp *w, enum memory_op op, int address, const struct tile *tile,
                      bool rows)
{
    struct lanes at;
    uint32_t lane = rows ? tile->pitch : 1, step = rows ? 1 : tile->pitch;
    for (uint32_t i = 0; i < 8; i++) {
        EACH_LANE(w, l)
        at.at[l] = tile->at + tile->size * (l % 8 * lane + l / 8 * 8 + i * step);
        warp_memory(w, op, 16 + (int)i, address, &at);
    }
}

static void columns_rows(struct warp *w, const void *data)
{
    const struct dct_image *image = data;
    uint64_t y = w->block[1] * 16 + w->index * 8, x = w->block[0] * 32;
    uint64_t offset = 4 * (y * image->width + x), pitch = 4ull * image->width;
    struct tile tile = {w->index * 8 * PITCH * 4, 4, PITCH};
    warp_prologue_2d(w);
    OP(w, "LEA", 2, 2, 4);
    OP(w, "IMAD", 0, 3, RZ, 0);
    warp_pointer(w, 4, 0);
    OP(w, "IMAD", 44, 2, RZ, 4);
    OP(w, "IMAD", 45, 2, RZ, 3);
    for (uint32_t i = 0; i < 8; i++)
        warp_memory_row(w, LDG, 16 + (int)i, 4, image->source + offset + i * pitch, 4);
    tile_pass(w, STS, 44, &tile, false);
    warp_barrier(w);
    tile_pass(w, LDS, 45, &tile, true);
    transform(w, 16, "FADD", "FMUL", "FFMA");
    tile_pass(w, STS, 45, &tile, true);
    warp_barrier(w);
    tile_pass(w, LDS, 44, &tile, false);
    transform(w, 16, "FADD", "FMUL", "FFMA");
    warp_pointer(w, 4, 0);
    for (uint32_t i = 0; i < 8; i++)
        warp_memory_row(w, STG, 16 + (int)i, 4, image->target + offset + i * pitch, 4);
}

/* ---- on 16-bit integers, in place: two pixels an access ---- */

static void pair_rows(struct warp *w, enum memory_op op, uint64_t base, uint64_t pitch)
{
    struct lanes at;
    bool global = op == LDG || op == STG;
    for (uint32_t i = 0; i < 4; i++) {
        EACH_LANE(w, l)
        at.at[l] = base + (2 * i + l / 16) * pitch + l % 16 * 4;
        warp_memory(w, op, 16 + (int)i, global ? 4 : 44, &at);
    }
}

static void shorts(struct warp *w, const void *data)
{
    const struct dct_image *image = data;
    uint64_t y = w->block[1] * 32 + w->index * 8, x = w->block[0] * 32;
    uint64_t at = image->target + 2 * (y * image->width + x), pitch = 2ull * image->width;
    struct tile tile = {w->index * 8 * PITCH * 4, 2, 2 * PITCH};
    warp_prologue_2d(w);
    OP(w, "LEA", 2, 2, 4);
    OP(w, "IMAD", 0, 3, RZ, 0);
    warp_pointer(w, 4, 0);
    OP(w, "IMAD", 44, 2, RZ, 4);
    OP(w, "IMAD", 45, 2, RZ, 3);
    pair_rows(w, LDG, at, pitch);
    pair_rows(w, STS, tile.at, 4 * PITCH);
    warp_barrier(w);
    for (int pass = 0; pass < 2; pass++) {
        tile_pass(w, LDS_U16, 45, &tile, pass == 0);
        transform(w, 16, "IADD3", "IMAD.SHL.U32", "IMAD");
        tile_pass(w, STS_U16, 45, &tile, pass == 0);
        warp_barrier(w);
    }
    pair_rows(w, LDS, tile.at, 4 * PITCH);
    pair_rows(w, STG, at, pitch);
}

/* ---- the application ---- */

static void repeat(struct synth *synth, struct synth_launch launch,
                   const struct dct_image *image, uint32_t width, uint32_t height, int times)
{
    launch.grid[0] = image->width / width;
    launch.grid[1] = image->height / height;
    launch.data = image;
    for (int i = 0; i < times; i++)
        synth_launch(synth, &launch);
}

/* The quantised coefficients back into pixels: source and target swapped. */
static struct dct_image back(const struct dct_image *image)
{
    return (struct dct_image){image->width, image->height, image->target, image->source};
}

static void way_1(struct synth *synth, const struct dct_image *image, int times)
{
    struct dct_image inverse = back(image);
    repeat(synth,
           (struct synth_launch){"_Z14CUDAkernel1DCTPfiiiy", {0}, {8, 8}, 20, 512, direct},
           image, 8, 8, times);
    repeat(synth,
           (struct synth_launch){
               "_Z27CUDAkernelQuantizationFloatPfi", {0}, {8, 8}, 16, 0, quantize_float},
           image, 8, 8, 1);
    repeat(synth,
           (struct synth_launch){"_Z15CUDAkernel1IDCTPfiiiy", {0}, {8, 8}, 20, 512, direct},
           &inverse, 8, 8, 1);
}

static void way_2(struct synth *synth, const struct dct_image *image, int times)
{
    struct dct_image inverse = back(image);
    uint32_t shared = 16 * PITCH * 4;
    repeat(synth,
           (struct synth_launch){
               "_Z14CUDAkernel2DCTPfS_i", {0}, {8, 4, 2}, 46, shared, columns_rows},
           image, 32, 16, times);
    repeat(synth,
           (struct synth_launch){
               "_Z27CUDAkernelQuantizationFloatPfi", {0}, {8, 8}, 16, 0, quantize_float},
           image, 8, 8, 1);
    repeat(synth,
           (struct synth_launch){
               "_Z15CUDAkernel2IDCTPfS_i", {0}, {8, 4, 2}, 46, shared, columns_rows},
           &inverse, 32, 16, 1);
}

static void way_short(struct synth *synth, const struct dct_image *image)
{
    uint32_t shared = 32 * PITCH * 4;
    repeat(
        synth,
        (struct synth_launch){"_Z18CUDAkernelShortDCTPsi", {0}, {8, 4, 4}, 46, shared, shorts},
        image, 32, 32, 1);
    repeat(synth,
           (struct synth_launch){
               "_Z27CUDAkernelQuantizationShortPsi", {0}, {8, 8}, 16, 0, quantize_short},
           image, 8, 8, 1);
    repeat(
        synth,
        (struct synth_launch){"_Z19CUDAkernelShortIDCTPsi", {0}, {8, 4, 4}, 46, shared, shorts},
        image, 32, 32, 1);
}

void synth_dct8x8(struct synth *synth)
{
    uint32_t side = synth_scaled_side(synth, 448, 2, 32) / 32 * 32;
    uint64_t pixels = (uint64_t)side * side;
    for (int i = 0; i < IMAGES; i++) {
        struct dct_image image = {side, side, 0, 0};
        bool first = i == 0; /* its launches have one more each, to warm up */
        image.source = synth_upload(synth, 4 * pixels);
        image.target = synth_alloc(synth, 4 * pixels);
        way_1(synth, &image, 2 + first);
        image.source = synth_upload(synth, 4 * pixels);
        image.target = synth_alloc(synth, 4 * pixels);
        way_2(synth, &image, 20 + first);
        image.target = synth_upload(synth, 2 * pixels);
        way_short(synth, &image);
    }
}
