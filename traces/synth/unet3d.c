/* unet3d: inference of a 3D U-Net, channels last, half precision: four levels
 * of 32 to 256 channels with two 3x3x3 convolutions each, as implicit matrix
 * products, instance normalisation, pooling, transposed convolutions and skip
 * connections. */
#include <stdio.h>

#include "traces/synth/tensor_gemm.h"

#define LEVELS 4
#define BASE   32 /* channels of the first level */
#define INPUT  8  /* of the input, padded */
#define BLOCK  256

struct tensor {
    uint32_t side, channels;
    uint64_t at;
};

static uint64_t voxels(const struct tensor *t)
{
    return (uint64_t)t->side * t->side * t->side;
}

static uint64_t bytes_of(const struct tensor *t)
{
    return 2 * voxels(t) * t->channels;
}

static struct tensor make_tensor(struct synth *synth, uint32_t side, uint32_t channels)
{
    struct tensor t = {side, channels, 0};
    t.at = synth_alloc(synth, bytes_of(&t));
    return t;
}

/* ---- convolution ---- */

struct convolution {
    struct tensor from, to;
    uint32_t to_channel; /* where in the channels of `to` it writes */
};

/* Row: a voxel of the output; k: tap and channel of the input. */
static bool input_chunk(const struct tensor_gemm *g, uint32_t row, uint32_t k,
                        uint64_t *address)
{
    const struct convolution *c = g->data;
    uint32_t side = c->from.side, tap = k / c->from.channels;
    uint32_t x = row % side + tap % 3 - 1, y = row / side % side + tap / 3 % 3 - 1;
    uint32_t z = row / side / side + tap / 9 - 1;
    if (tap >= 27 || x >= side || y >= side || z >= side) /* -1 is large */
        return false;
    uint64_t voxel = ((uint64_t)z * side + y) * side + x;
    *address = c->from.at + 2 * (voxel * c->from.channels + k % c->from.channels);
    return true;
}

static void convolve(struct synth *synth, struct tensor from, struct tensor to,
                     uint64_t weights)
{
    struct convolution c = {from, to, 0};
    struct tensor_gemm g = {
        .name = to.channels <= 32 ? "_Z29conv3d_fprop_implicit_128x32_PK6__halfS1_PS_"
                                  : "_Z29conv3d_fprop_implicit_128x64_PK6__halfS1_PS_",
        .m = (uint32_t)voxels(&to),
        .n = to.channels,
        .k = 27 * from.channels,
        .tiles_m = 2,
        .tiles_n = to.channels <= 32 ? 4 : 8,
        .warps_m = 4,
        .warps_n = 1,
        .a = from.at,
        .b = weights,
        .c = to.at,
        .chunk = input_chunk,
        .data = &c,
    };
    tensor_gemm_launch(synth, &g);
}

/* A column is a channel at one of the eight places that a voxel grows to. */
static uint64_t grown_pair(const struct tensor_gemm *g, uint32_t row, uint32_t column)
{
    const struct convolution *c = g->data;
    uint32_t side = c->from.side, channels = g->n / 8, place = column / channels;
    uint64_t x = row % side * 2 + place % 2, y = row / side % side * 2 + place / 2 % 2;
    uint64_t z = row / side / side * 2 + place / 4;
    uint64_t voxel = (z * c->to.side + y) * c->to.side + x;
    return c->to.at + 2 * (voxel * c->to.channels + c->to_channel + column % channels);
}

static void grow(struct synth *synth, struct tensor from, struct tensor to, uint32_t channel,
                 uint64_t weights)
{
    struct convolution c = {from, to, channel};
    struct tensor_gemm g = {
        .name = "_Z23conv3d_transposed_2x2x2PK6__halfS1_PS_",
        .m = (uint32_t)voxels(&from),
        .n = 8 * (to.channels - channel),
        .k = from.channels,
        .tiles_m = 2,
        .tiles_n = 8,
        .warps_m = 4,
        .warps_n = 1,
        .a = from.at,
        .b = weights,
        .c = to.at,
        .pair = grown_pair,
        .data = &c,
    };
    tensor_gemm_launch(synth, &g);
}

/* ---- instance normalisation ---- */

struct norm {
    struct tensor t;
    uint64_t sums; /* two a channel */
};

/* Sums and sums of squares a channel: each thread has eight channels of a
 * voxel in CHUNKS; then shared memory and one atomic a channel and block. */
static void statistics(struct warp *w, const void *data)
{
    const struct norm *norm = data;
    uint64_t chunks = voxels(&norm->t) * norm->t.channels / CHUNK;
    uint64_t i = warp_prologue(w), step = (uint64_t)w->launch->grid[0] * BLOCK;
    struct lanes at;
    for (int r = 0; r < 16; r += 2)
        OP(w, "CS2R", 16 + r);
    struct lane_loop loop = {0};
    for (; lane_loop_next(w, &loop, lanes_below(i, chunks)); i += step) {
        warp_pointer(w, 4, 0);
        warp_memory_row(w, LDG_128, 8, 4, norm->t.at + 16 * i, 16);
        for (int k = 0; k < 8; k++) {
            OP(w, "HADD2.F32", 12, RZ, 8 + k / 2);
            OP(w, "FADD", 16 + k, 16 + k, 12);
            OP(w, "FFMA", 24 + k, 12, 12, 24 + k);
        }
        OP(w, "IADD3", 0, 0, RZ);
    }
    /* Lanes of the same channels are channels / 8 apart. */
    for (uint32_t d = norm->t.channels / CHUNK; d < WARP_SIZE; d *= 2)
        for (int k = 0; k < 16; k++) {
            OP(w, "SHFL.BFLY", 12, 16 + k);
            OP(w, "FADD", 16 + k, 16 + k, 12);
        }
    uint32_t saved = warp_predicate(w, lanes_below(0, norm->t.channels / CHUNK));
    warp_pointer(w, 4, 3);
    for (uint32_t k = 0; k < 16; k++) {
        EACH_LANE(w, l)
        at.at[l] = norm->sums + 4 * (k / 8 * norm->t.channels + l * CHUNK + k % 8);
        warp_memory(w, RED_ADD_F32, 16 + (int)k, 4, &at);
    }
    w->mask = saved;
}

/* y = leaky_relu((x - mean) / sigma), in place. */
static void normalize(struct warp *w, const void *data)
{
    const struct norm *norm = data;
    uint64_t chunks = voxels(&norm->t) * norm->t.channels / CHUNK, i = warp_prologue(w);
    struct lanes at;
    if (warp_bound(w, i, chunks))
        return;
    OP(w, "LOP3.LUT", 2, 0, RZ);
    warp_pointer(w, 6, 2);
    for (uint32_t k = 0; k < 4; k++) {
        EACH_LANE(w, l)
        at.at[l] = norm->sums + 4 * (k / 2 * norm->t.channels +
                                     (i + l) * CHUNK % norm->t.channels + k % 2 * 4);
        warp_memory(w, LDG_128_CONST, 16 + 4 * (int)k, 6, &at);
    }
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG_128, 8, 4, norm->t.at + 16 * i, 16);
    for (int k = 0; k < 8; k++) {
        OP(w, "FMUL", 32, 16 + k, 16 + k);
        OP(w, "FFMA", 24 + k, 24 + k, RZ, 32);
        OP(w, "MUFU.RSQ", 24 + k, 24 + k);
        OP(w, "HADD2.F32", 32, RZ, 8 + k / 2);
        OP(w, "FADD", 32, 32, 16 + k);
        OP(w, "FMUL", 32, 32, 24 + k);
        OP(w, "FMUL", 33, 32);
        OP(w, "FMNMX", 24 + k, 32, 33);
    }
    for (int k = 0; k < 4; k++)
        OP(w, "F2FP.PACK_AB", 8 + k, 25 + 2 * k, 24 + 2 * k);
    warp_memory_row(w, STG_128, 8, 4, norm->t.at + 16 * i, 16);
}

static void instance_norm(struct synth *synth, struct tensor t, uint64_t sums)
{
    struct norm norm = {t, sums};
    uint64_t chunks = voxels(&t) * t.channels / CHUNK;
    char name[64]; /* the shuffles are unrolled: a template of the channels */
    snprintf(name, sizeof name, "_Z18instance_norm_sumsILi%uEEvPK6__halfPfi", t.channels);
    LAUNCH(synth, name, {div_up(chunks, 4 * BLOCK)}, {BLOCK}, 36, 0, statistics, &norm);
    LAUNCH(synth, "_Z19instance_norm_leakyP6__halfPKfi", {div_up(chunks, BLOCK)}, {BLOCK}, 40,
           0, normalize, &norm);
}

/* ---- pooling and skip connections ---- */

struct pair_of_tensors {
    struct tensor from, to;
};

static void pool(struct warp *w, const void *data)
{
    const struct pair_of_tensors *p = data;
    uint32_t per_voxel = p->to.channels / CHUNK, side = p->to.side;
    uint64_t chunks = voxels(&p->to) * per_voxel, i = warp_prologue(w);
    bool half_max = w->synth->arch->binary_version >= 80;
    struct lanes at;
    if (warp_bound(w, i, chunks))
        return;
    OP(w, "IMAD.HI.U32", 2, 0, RZ);
    OP(w, "IMAD.HI.U32", 3, 2, RZ);
    OP(w, "IMAD", 8, 3, RZ, 2);
    for (uint32_t k = 0; k < 8; k++) {
        EACH_LANE(w, l)
        {
            uint64_t v = (i + l) / per_voxel;
            uint64_t x = v % side * 2 + k % 2, y = v / side % side * 2 + k / 2 % 2;
            uint64_t z = v / side / side * 2 + k / 4;
            uint64_t voxel = (z * p->from.side + y) * p->from.side + x;
            at.at[l] = p->from.at + 16 * (voxel * per_voxel + (i + l) % per_voxel);
        }
        warp_pointer(w, 4, 8);
        warp_memory(w, LDG_128, 12 + 4 * (int)k, 4, &at);
        OP(w, "IADD3", 8, 8, RZ);
    }
    for (int k = 4; k < 32; k++)
        OP(w, half_max ? "HMNMX2" : "HSET2.BF.GT.AND", 12 + k % 4, 12 + k % 4, 12 + k);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, STG_128, 12, 4, p->to.at + 16 * i, 16);
}

/* The encoder's output into the first channels of the decoder's input. */
static void concatenate(struct warp *w, const void *data)
{
    const struct pair_of_tensors *p = data;
    uint32_t from = p->from.channels / CHUNK, to = p->to.channels / CHUNK;
    uint64_t i = warp_prologue(w);
    struct lanes at;
    if (warp_bound(w, i, voxels(&p->from) * from))
        return;
    warp_pointer(w, 4, 0);
    OP(w, "SHF.R.U32.HI", 2, RZ, 0);
    OP(w, "LOP3.LUT", 3, 0, RZ);
    OP(w, "LEA", 2, 2, 3);
    warp_memory_row(w, LDG_128, 8, 4, p->from.at + 16 * i, 16);
    warp_pointer(w, 4, 2);
    EACH_LANE(w, l)
    at.at[l] = p->to.at + 16 * ((i + l) / from * to + (i + l) % from);
    warp_memory(w, STG_128, 8, 4, &at);
}

static void launch_pair(struct synth *synth, const char *name, struct tensor from,
                        struct tensor to, uint64_t chunks,
                        void (*body)(struct warp *w, const void *data))
{
    struct pair_of_tensors p = {from, to};
    LAUNCH(synth, name, {div_up(chunks, BLOCK)}, {BLOCK}, 48, 0, body, &p);
}

/* ---- the network ---- */

struct unet_level {
    struct tensor a, b, wide; /* after each convolution; decoder's input */
    uint64_t weights[5];      /* encoder 2, decoder 2, transposed */
};

static void make_level(struct synth *synth, struct unet_level *level, int number, uint32_t side)
{
    uint32_t channels = BASE << number, below = number == 0 ? INPUT : channels / 2;
    uint64_t square = 2ull * channels * channels;
    level->a = make_tensor(synth, side >> number, channels);
    level->b = make_tensor(synth, side >> number, channels);
    level->weights[0] = synth_upload(synth, 27ull * 2 * below * channels);
    level->weights[1] = synth_upload(synth, 27 * square);
    if (number == LEVELS - 1)
        return;
    level->wide = make_tensor(synth, side >> number, 2 * channels);
    level->weights[2] = synth_upload(synth, 27 * 2 * square);
    level->weights[3] = synth_upload(synth, 27 * square);
    level->weights[4] = synth_upload(synth, 8 * 2 * square);
}

static void two_convolutions(struct synth *synth, struct unet_level *level, struct tensor from,
                             const uint64_t *weights, uint64_t sums)
{
    convolve(synth, from, level->a, weights[0]);
    instance_norm(synth, level->a, sums);
    convolve(synth, level->a, level->b, weights[1]);
    instance_norm(synth, level->b, sums);
}

static void decode(struct synth *synth, struct unet_level *level, struct tensor below,
                   uint64_t sums)
{
    uint32_t channels = level->a.channels;
    launch_pair(synth, "_Z11concatenatePK6__halfPS_i", level->b, level->wide,
                voxels(&level->b) * channels / CHUNK, concatenate);
    grow(synth, below, level->wide, channels, level->weights[4]);
    two_convolutions(synth, level, level->wide, &level->weights[2], sums);
}

void synth_unet3d(struct synth *synth)
{
    struct unet_level levels[LEVELS];
    uint32_t side = (synth_scaled_side(synth, 32, 3, 8) + 4) / 8 * 8;
    struct tensor input = make_tensor(synth, side, INPUT);
    synth_copy(synth, input.at, bytes_of(&input));
    uint64_t sums = synth_alloc(synth, 8 * (BASE << LEVELS));
    for (int i = 0; i < LEVELS; i++)
        make_level(synth, &levels[i], i, side);
    struct tensor from = input;
    for (int i = 0; i < LEVELS; i++) {
        two_convolutions(synth, &levels[i], from, levels[i].weights, sums);
        if (i == LEVELS - 1)
            break;
        struct tensor small = make_tensor(synth, side >> (i + 1), BASE << i);
        launch_pair(synth, "_Z15max_pool3d_2x2xPK6__halfPS_i", levels[i].b, small,
                    voxels(&small) * small.channels / CHUNK, pool);
        from = small;
    }
    for (int i = LEVELS - 2; i >= 0; i--)
        decode(synth, &levels[i], levels[i + 1].b, sums);
}
