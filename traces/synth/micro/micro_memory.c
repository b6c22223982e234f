/* micro_*: one pattern of global memory each. */
#include <stdlib.h>

#include "traces/synth/warp.h"

#define BLOCK 128

struct pattern {
    uint32_t blocks, loads, stride; /* stride in bytes */
    uint64_t from, index, to, elements, stream;
};

static uint64_t element(const struct warp *w)
{
    return (uint64_t)w->block[0] * w->launch->block[0] + w->first;
}

/* c[i] = a[i] + b[i]; all lanes are inside. */
static void stream(struct warp *w, const void *data)
{
    const struct pattern *p = data;
    uint64_t at = 4 * warp_prologue(w);
    OP(w, "ISETP.GE.AND", NONE, 0);
    warp_leave(w, 0);
    warp_pointer(w, 4, 0);
    warp_pointer(w, 2, 0);
    warp_memory_row(w, LDG, 8, 4, p->from + at, 4);
    warp_memory_row(w, LDG, 9, 2, p->index + at, 4);
    warp_pointer(w, 10, 0);
    OP(w, "FADD", 12, 8, 9);
    warp_memory_row(w, STG, 12, 10, p->to + at, 4);
}

void synth_micro_stream(struct synth *synth)
{
    struct pattern p = {.blocks = synth_scaled(synth, 384, 1)};
    p.from = synth_alloc(synth, 1024ull * p.blocks);
    p.index = synth_alloc(synth, 1024ull * p.blocks);
    p.to = synth_alloc(synth, 1024ull * p.blocks);
    LAUNCH(synth, "micro_stream", {p.blocks}, {256}, 16, 0, stream, &p);
}

/* Sums loads whose lanes are a stride apart; each round takes the next part. */
static void strided(struct warp *w, const void *data)
{
    const struct pattern *p = data;
    uint64_t i = warp_prologue(w);
    warp_pointer(w, 4, 0);
    OP(w, "MOV", 9, RZ);
    struct loop loop = loop_begin(2, p->loads);
    while (loop_next(w, &loop)) {
        uint64_t from = i + (uint64_t)loop.i * p->blocks * BLOCK;
        warp_memory_row(w, LDG, 8, 4, p->from + from * p->stride, p->stride);
        OP(w, "FADD", 9, 9, 8);
    }
    warp_pointer(w, 10, 0);
    warp_memory_row(w, STG, 9, 10, p->to + 4 * i, 4);
}

static void launch_strided(struct synth *synth, const char *name, uint32_t stride,
                           uint32_t loads)
{
    struct pattern p = {synth_scaled(synth, 92, 1), loads, stride};
    p.from = synth_alloc(synth, (uint64_t)p.blocks * BLOCK * stride * loads);
    p.to = synth_alloc(synth, 4ull * p.blocks * BLOCK);
    LAUNCH(synth, name, {p.blocks}, {BLOCK}, 16, 0, strided, &p);
}

void synth_micro_stride2(struct synth *synth)
{
    launch_strided(synth, "micro_stride2", 8, 12);
}

void synth_micro_stride8(struct synth *synth)
{
    launch_strided(synth, "micro_stride8", 32, 8);
}

void synth_micro_stride32(struct synth *synth)
{
    launch_strided(synth, "micro_stride32", 128, 6);
}

/* An index, then what it points to, anywhere. */
static void gather(struct warp *w, const void *data)
{
    const struct pattern *p = data;
    uint64_t i = warp_prologue(w);
    struct lanes at;
    warp_pointer(w, 4, 0);
    OP(w, "MOV", 12, RZ);
    struct loop loop = loop_begin(2, p->loads);
    while (loop_next(w, &loop)) {
        uint64_t n = i + (uint64_t)loop.i * p->blocks * BLOCK;
        warp_memory_row(w, LDG, 8, 4, p->index + 4 * n, 4);
        warp_pointer(w, 10, 8);
        EACH_LANE(w, l)
        at.at[l] = p->from + 4 * random_below(split_mix(p->stream, n + l), p->elements);
        warp_memory(w, LDG, 9, 10, &at);
        OP(w, "FADD", 12, 12, 9);
    }
    warp_pointer(w, 10, 0);
    warp_memory_row(w, STG, 12, 10, p->to + 4 * i, 4);
}

void synth_micro_gather(struct synth *synth)
{
    struct pattern p = {.blocks = synth_scaled(synth, 138, 1), .loads = 4, .elements = 4 << 20};
    p.stream = synth_random(synth);
    p.index = synth_alloc(synth, 16ull * p.blocks * BLOCK);
    p.from = synth_alloc(synth, 4 * p.elements);
    p.to = synth_alloc(synth, 4ull * p.blocks * BLOCK);
    LAUNCH(synth, "micro_gather", {p.blocks}, {BLOCK}, 16, 0, gather, &p);
}

/* ---- dependent loads ---- */

struct pointer_chain {
    enum memory_op op;
    uint32_t lines, rounds, width; /* width: lanes a load */
    uint64_t base, step;           /* bytes from line to line */
    uint32_t *order;
};

static void follow(struct warp *w, const void *data)
{
    const struct pointer_chain *c = data;
    struct lanes at;
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    struct loop loop = loop_begin(2, c->lines / c->width * c->rounds);
    uint32_t saved = warp_predicate(w, lanes_below(0, c->width));
    while (loop_next(w, &loop)) {
        EACH_LANE(w, l)
        at.at[l] = c->base + c->order[(loop.i * c->width + l) % c->lines] * c->step;
        warp_memory(w, c->op, 4, 4, &at);
    }
    w->mask = saved;
}

static void launch_chain(struct synth *synth, const char *name, struct pointer_chain c,
                         uint64_t span)
{
    c.base = synth_alloc(synth, span);
    c.step = span / c.lines;
    c.order = synth_host(synth, c.lines, sizeof *c.order);
    if (synth->failed)
        return;
    for (uint32_t i = 0; i < c.lines; i++) { /* shuffled as it grows */
        uint32_t k = (uint32_t)random_below(synth_random(synth), i + 1);
        c.order[i] = c.order[k];
        c.order[k] = i;
    }
    LAUNCH(synth, name, {1}, {32}, 16, 0, follow, &c);
    free(c.order);
}

void synth_micro_chase(struct synth *synth)
{
    uint32_t rounds = synth_scaled(synth, 4, 2);
    launch_chain(synth, "micro_chase_l1", (struct pointer_chain){LDG_64, 64, 2 * rounds, 1},
                 16 << 10);
    launch_chain(synth, "micro_chase_l2", (struct pointer_chain){LDG_64, 1536, rounds, 32},
                 192 << 10);
    launch_chain(synth, "micro_chase_l2_bypass",
                 (struct pointer_chain){LDG_64_STRONG, 64, rounds, 1}, 64 << 10);
    launch_chain(synth, "micro_chase_dram", (struct pointer_chain){LDG_64, 64 * rounds, 1, 1},
                 64 << 20);
}

/* Every block reads its own 8 KiB again and again; its warps start apart. */
static void reread(struct warp *w, const void *data)
{
    const struct pattern *p = data;
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    OP(w, "MOV", 10, RZ);
    struct loop loop = loop_begin(2, 8);
    while (loop_next(w, &loop))
        for (uint32_t k = 0; k < 8; k++) {
            uint64_t piece = (k + 2 * w->index + loop.i) % 8 * 4 + w->index;
            warp_memory_row(w, LDG_64, 8, 4, p->from + w->block[0] * 8192ull + piece * 256, 8);
            OP(w, "FADD", 10, 10, 8);
        }
    warp_pointer(w, 6, 0);
    warp_memory_row(w, STG, 10, 6, p->to + 4 * element(w), 4);
}

void synth_micro_l1reuse(struct synth *synth)
{
    struct pattern p = {.blocks = synth_scaled(synth, 92, 1)};
    p.from = synth_alloc(synth, 8192ull * p.blocks);
    p.to = synth_alloc(synth, 4ull * p.blocks * BLOCK);
    LAUNCH(synth, "micro_l1reuse", {p.blocks}, {BLOCK}, 16, 0, reread, &p);
}

/* ---- atomics ---- */

struct atomic {
    enum memory_op op;
    uint64_t base, counters; /* 0: one a thread */
    uint64_t stream;
};

static void atomic(struct warp *w, const void *data)
{
    const struct atomic *a = data;
    uint64_t i = warp_prologue(w);
    struct lanes at;
    warp_pointer(w, 4, 0);
    OP(w, "MOV", 8);
    OP(w, "MOV", 9);
    struct loop loop = loop_begin(2, 3);
    while (loop_next(w, &loop)) {
        OP(w, "IADD3", 8, 8, 9);
        EACH_LANE(w, l)
        {
            uint64_t bits = split_mix(a->stream, 3 * (i + l) + loop.i);
            at.at[l] =
                a->base + 4 * (a->counters == 0 ? i + l : random_below(bits, a->counters));
        }
        if (a->op == RED_ADD)
            warp_memory(w, a->op, 8, 4, &at);
        else
            warp_atomic(w, a->op, 10, 4, 8, &at);
    }
}

void synth_micro_atomics(struct synth *synth)
{
    uint32_t blocks = synth_scaled(synth, 92, 1);
    uint64_t bytes = 4ull * blocks * BLOCK, stream_of = synth_random(synth);
    uint64_t base = synth_alloc(synth, bytes > 16384 ? bytes : 16384);
    static const struct {
        const char *name;
        enum memory_op op;
        uint64_t counters;
        uint32_t shmem;
    } kinds[] = {
        {"micro_red_spread", RED_ADD, 0, 0},  {"micro_red_random", RED_ADD, 4096, 0},
        {"micro_red_hot", RED_ADD, 1, 0},     {"micro_atomg_spread", ATOMG_ADD, 0, 0},
        {"micro_atomg_hot", ATOMG_ADD, 1, 0}, {"micro_atoms_hist", ATOMS_ADD, 256, 1024},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct atomic a = {kinds[k].op, kinds[k].shmem > 0 ? 0 : base, kinds[k].counters,
                           stream_of};
        LAUNCH(synth, kinds[k].name, {blocks}, {BLOCK}, 16, kinds[k].shmem, atomic, &a);
    }
}
