/* micro_*: launches that read what others wrote. */
#include "traces/synth/warp.h"

#define BLOCKS 92
#define BLOCK  128
#define CHUNK  512 /* bytes: 16 a lane */

struct chain_input {
    uint64_t base, bytes; /* 0: none; read beside the output while below */
    bool transposed;
};

struct chain_copy {
    struct chain_input in[3];
    uint64_t to, bytes;
    bool transposed; /* the output */
    uint32_t flops;
};

/* Lanes lie side by side, or 512 bytes apart in pieces of 16 KiB. */
static void access(struct warp *w, enum memory_op op, int reg, int address, uint64_t base,
                   uint64_t offset, bool transposed)
{
    uint64_t piece = offset / 16384 * 16384 + offset % 16384 / CHUNK * 16;
    warp_memory_row(w, op, reg, address, base + (transposed ? piece : offset),
                    transposed ? CHUNK : 16);
}

static void copy(struct warp *w, const void *data)
{
    const struct chain_copy *c = data;
    uint64_t warps = BLOCKS * BLOCK / WARP_SIZE;
    uint64_t mine = (uint64_t)w->block[0] * (BLOCK / WARP_SIZE) + w->index;
    uint64_t chunks = c->bytes / CHUNK,
             rounds = mine < chunks ? (chunks - mine - 1) / warps + 1 : 0;
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    warp_pointer(w, 6, 0);
    for (int r = 8; r < 20; r += 2)
        OP(w, "CS2R", r);
    struct loop loop = loop_begin(2, (uint32_t)rounds);
    while (loop_next(w, &loop)) {
        uint64_t offset = (mine + loop.i * warps) * CHUNK;
        for (int j = 0; j < 3; j++) {
            uint32_t saved = warp_predicate(w, offset < c->in[j].bytes ? UINT32_MAX : 0);
            if (c->in[j].bytes != 0)
                access(w, LDG_128, 8 + 4 * j, 4, c->in[j].base, offset, c->in[j].transposed);
            w->mask = saved;
        }
        for (uint32_t j = 0; j < c->flops; j++)
            OP(w, "FFMA", 8 + (int)j % 8, 8 + (int)j % 8, 9);
        if (c->to != 0)
            access(w, STG_128, 8, 6, c->to, offset, c->transposed);
    }
}

static void launch_copy(struct synth *synth, const char *name, struct chain_copy c)
{
    LAUNCH(synth, name, {BLOCKS}, {BLOCK}, 24, 0, copy, &c);
}

void synth_micro_writeback(struct synth *synth)
{
    uint64_t bytes = synth_scaled(synth, 6 << 20, CHUNK) / CHUNK * CHUNK;
    uint64_t a = synth_alloc(synth, bytes), b = synth_alloc(synth, bytes);
    launch_copy(synth, "micro_wb_write",
                (struct chain_copy){.to = a, .bytes = bytes, .flops = 1});
    launch_copy(synth, "micro_wb_read_other",
                (struct chain_copy){{{b, bytes}}, 0, bytes, .flops = 1});
    launch_copy(synth, "micro_wb_read_back",
                (struct chain_copy){{{a, bytes}}, 0, bytes, .flops = 1});
}

static void chain(struct synth *synth, uint32_t total, int launches)
{
    uint64_t half = synth_scaled(synth, total / 2, CHUNK) / CHUNK * CHUNK;
    uint64_t buffers[2] = {synth_alloc(synth, half), synth_alloc(synth, half)};
    for (int k = 0; k < launches; k++)
        launch_copy(synth, "micro_chain",
                    (struct chain_copy){
                        {{buffers[k % 2], half}}, buffers[(k + 1) % 2], half, .flops = 1});
}

void synth_micro_chain_1m(struct synth *synth)
{
    chain(synth, 1 << 20, 6);
}

void synth_micro_chain_3m(struct synth *synth)
{
    chain(synth, 3 << 20, 5);
}

void synth_micro_chain_8m(struct synth *synth)
{
    chain(synth, 8 << 20, 4);
}

/* Generate, a strided pass, a transposition, an update: each gets a half, a
 * third or an eighth of its input from the earlier launches. */
void synth_micro_fft(struct synth *synth)
{
    uint64_t n = synth_scaled(synth, 1 << 20, 65536) / 65536 * 65536;
    uint64_t x = synth_alloc(synth, n), y = synth_alloc(synth, n), z = synth_alloc(synth, n);
    uint64_t fresh[4];
    for (int i = 0; i < 4; i++)
        fresh[i] = synth_alloc(synth, 2 * n);
    for (int r = 0; r < 2; r++) {
        launch_copy(synth, "micro_fft_generate",
                    (struct chain_copy){{{fresh[r], n}}, x, n, false, 4});
        launch_copy(synth, "micro_fft_pass",
                    (struct chain_copy){{{x, n, true}, {fresh[2], n}}, y, n, false, 10});
        launch_copy(synth, "micro_fft_transpose",
                    (struct chain_copy){{{y, n / 2}, {fresh[3], n}}, z, n, true, 1});
        launch_copy(
            synth, "micro_fft_update",
            (struct chain_copy){
                {{z, n / 4}, {fresh[r] + n, n}, {fresh[2] + n, 3 * n / 4}}, x, n, false, 3});
    }
}

/* ---- a small image through copy, transform, quantisation and back ---- */

struct step {
    uint64_t from, to;
    uint32_t width; /* pixels; a warp has 32 x 8 */
    bool transform;
};

static void step(struct warp *w, const void *data)
{
    const struct step *s = data;
    uint64_t tiles = s->width / 32, y = w->block[0] / tiles * 16 + w->index * 8;
    uint64_t offset = 4 * (y * s->width + w->block[0] % tiles * 32), pitch = 4ull * s->width;
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    OP(w, "IMAD", 24, 3, RZ, 3);
    OP(w, "MOV", 16);
    for (uint32_t r = 0; r < 8; r++)
        warp_memory_row(w, LDG, 8 + (int)r, 4, s->from + offset + r * pitch, 4);
    for (int half = 0; s->transform && half < 2; half++) {
        for (int j = 0; j < 14; j++)
            OP(w, "FFMA", 8 + j % 8, 8 + j % 8, 8 + (j + 1) % 8);
        for (uint32_t r = 0; half == 0 && r < 4; r++)
            warp_memory_row(w, STS_64, 8 + 2 * (int)r, 24, w->index * 2112ull + r * 264, 8);
        if (half == 0)
            warp_barrier(w);
        for (uint32_t r = 0; half == 0 && r < 4; r++)
            warp_memory_row(w, LDS_64, 8 + 2 * (int)r, 24, w->index * 2112ull + r * 64, 8);
    }
    for (int r = 0; !s->transform && r < 8; r++)
        OP(w, "FMUL", 8 + r, 8 + r, 16);
    warp_pointer(w, 6, 0);
    for (uint32_t r = 0; r < 8; r++)
        warp_memory_row(w, STG, 8 + (int)r, 6, s->to + offset + r * pitch, 4);
}

void synth_micro_dct8x8(struct synth *synth)
{
    uint32_t width = 512, rows = 16 * synth_scaled(synth, 32, 1);
    uint64_t bytes = 4ull * width * rows;
    uint64_t source = synth_alloc(synth, bytes), image = synth_alloc(synth, bytes);
    uint64_t coefficients = synth_alloc(synth, bytes);
    const struct {
        const char *name;
        struct step step;
    } steps[] = {
        {"micro_dct_copy", {source, image, width, false}},
        {"micro_dct_forward", {image, coefficients, width, true}},
        {"micro_dct_quantise", {coefficients, coefficients, width, false}},
        {"micro_dct_inverse", {coefficients, image, width, true}},
    };
    for (int i = 0; i < 8; i++)
        LAUNCH(synth, steps[i % 4].name, {width / 32 * rows / 16}, {64}, 40,
               steps[i % 4].step.transform ? 4224 : 0, step, &steps[i % 4].step);
}
