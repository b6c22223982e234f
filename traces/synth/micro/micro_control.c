/* micro_*: divergence, blocks of different length, many launches, occupancy. */
#include "traces/synth/warp.h"

#define BLOCK 128

struct control_kernel {
    uint32_t blocks, long_first, long_count, rounds;
    uint64_t from, to, stream;
};

/* What lanes leave early, how long warps go on and which way lanes take come
 * from random bits of the warp. */
static void divergence(struct warp *w, const void *data)
{
    static const uint32_t gone[] = {0, 0, 0xffff0000, 0xfffffffe, 0xf0f0f0f0};
    static const uint32_t rounds[] = {1, 2, 3, 4, 6};
    const struct control_kernel *c = data;
    uint64_t i = warp_prologue(w), draw = i / WARP_SIZE * 64;
    uint32_t n = rounds[random_below(split_mix(c->stream, draw), 5)];
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG, 8, 4, c->from + 4 * i, 4);
    OP(w, "ISETP.GE.AND", NONE, 8);
    for (int r = 9; r < 17; r++)
        OP(w, "MOV", r);
    warp_leave(w, gone[random_below(split_mix(c->stream, draw + 1), 5)]);
    struct loop loop = loop_begin(20, w->index == 0 && w->block[0] % 8 == 0 ? 40 : n);
    while (loop_next(w, &loop)) {
        uint32_t taken = (uint32_t)split_mix(c->stream, draw + 2 + loop.i);
        struct branch branch = warp_if(w, ~taken);
        for (int j = 0; j < 4; j++)
            OP(w, "FFMA", 9 + j, 8, 9 + j, 13);
        warp_end_if(w, branch);
        branch = warp_if(w, taken);
        for (int j = 0; j < 6; j++)
            OP(w, "IMAD", 14 + j % 3, 8, 14 + j % 3);
        warp_end_if(w, branch);
    }
    warp_pointer(w, 6, 0);
    warp_memory_row(w, STG, 9, 6, c->to + 4 * i, 4);
}

void synth_micro_divergence(struct synth *synth)
{
    struct control_kernel c = {.blocks = synth_scaled(synth, 138, 1),
                               .stream = synth_random(synth)};
    c.from = synth_alloc(synth, 512ull * c.blocks);
    c.to = synth_alloc(synth, 512ull * c.blocks);
    LAUNCH(synth, "micro_divergence", {c.blocks}, {BLOCK}, 24, 0, divergence, &c);
}

/* 40 rounds in long blocks, two in the others. */
static void uneven(struct warp *w, const void *data)
{
    const struct control_kernel *c = data;
    uint64_t at = 4 * warp_prologue(w), bytes = 1024ull * c->blocks;
    bool is_long = w->block[0] - c->long_first < c->long_count;
    warp_pointer(w, 4, 0);
    OP(w, "MOV", 9);
    struct loop loop = loop_begin(20, is_long ? 40 : 2);
    while (loop_next(w, &loop)) {
        warp_memory_row(w, LDG, 8, 4, c->from + (at + 8192ull * loop.i) % bytes, 4);
        for (int j = 0; j < 4; j++)
            OP(w, "FFMA", 9, 8, 9);
    }
    warp_pointer(w, 6, 0);
    warp_memory_row(w, STG, 9, 6, c->from + at, 4);
}

void synth_micro_tail(struct synth *synth)
{
    struct control_kernel c = {.blocks = synth_scaled(synth, 368, 9), .long_count = 8};
    c.from = synth_alloc(synth, 1024ull * c.blocks);
    LAUNCH(synth, "micro_tail_first", {c.blocks}, {BLOCK}, 24, 0, uneven, &c);
    c.long_first = c.blocks - c.long_count;
    LAUNCH(synth, "micro_tail_last", {c.blocks}, {BLOCK}, 24, 0, uneven, &c);
}

static void little(struct warp *w, const void *data)
{
    const struct control_kernel *c = data;
    uint64_t at = 4 * warp_prologue(w);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG, 8, 4, c->from + at, 4);
    OP(w, "MOV", 9);
    for (int j = 0; j < 6; j++)
        OP(w, "FFMA", 8, 8, 9);
    warp_memory_row(w, STG, 8, 4, c->from + at, 4);
}

void synth_micro_tiny(struct synth *synth)
{
    struct control_kernel c = {.from = synth_alloc(synth, 16384)};
    for (uint32_t k = 0; k < synth_scaled(synth, 60, 2); k++)
        LAUNCH(synth, k % 2 ? "micro_tiny_b" : "micro_tiny_a", {k % 2 ? 1 + k % 4 : 4}, {BLOCK},
               16, 0, little, &c);
}

static void few_blocks(struct warp *w, const void *data)
{
    const struct control_kernel *c = data;
    uint64_t at = 4 * warp_prologue(w);
    warp_pointer(w, 4, 0);
    for (int r = 9; r < 12; r++)
        OP(w, "MOV", r);
    struct loop loop = loop_begin(20, 4);
    while (loop_next(w, &loop)) {
        warp_memory_row(w, LDG, 8, 4, c->from + at + 512ull * loop.i * c->blocks, 4);
        for (int j = 0; j < 3; j++)
            OP(w, "FFMA", 9 + j, 8, 9 + j);
    }
    warp_pointer(w, 6, 0);
    warp_memory_row(w, STG, 9, 6, c->to + at, 4);
}

void synth_micro_lowocc(struct synth *synth)
{
    struct control_kernel c = {.blocks = synth_scaled(synth, 230, 1)};
    for (int i = 0; i < 2; i++) {
        c.from = synth_alloc(synth, 2048ull * c.blocks);
        c.to = synth_alloc(synth, 512ull * c.blocks);
        LAUNCH(synth, i == 0 ? "micro_lowocc_regs" : "micro_lowocc_smem", {c.blocks}, {BLOCK},
               i == 0 ? 254 : 24, i == 0 ? 0 : 48 << 10, few_blocks, &c);
    }
}
