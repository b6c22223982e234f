#include "traces/synth/warp.h"

#include <string.h>

#include "traces/synth/hopper/assembler.h"

#define INST_BYTES 16 /* since Volta */

void warp_emit(struct warp *warp, struct trace_sink_inst *inst)
{
    struct synth *synth = warp->synth;
    inst->pc = warp->pc;
    inst->mask = warp->mask;
    warp->pc += INST_BYTES;
    if (synth->assembler != NULL) {
        if (assembler_take(synth->assembler, inst, warp->silent, &warp->code) != 0) {
            synth->failed = true;
            error_no_memory(synth->err);
        }
    } else if (!warp->silent && !synth->failed)
        synth->failed = synth->sink->ops->inst(synth->sink, inst, synth->err) != 0;
    warp->code = (struct trace_code){0};
}

struct warp warp_begin(struct synth *synth, const struct synth_launch *launch,
                       const uint32_t block[3], uint32_t index)
{
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct warp warp = {.synth = synth, .launch = launch, .index = index};
    memcpy(warp.block, block, sizeof warp.block);
    warp.first = index * WARP_SIZE;
    warp.live = warp.mask = lanes_below(warp.first, threads);
    return warp;
}

void warp_run(struct warp *warp)
{
    warp->launch->body(warp, warp->launch->data);
    if (warp->live != 0)
        OP(warp, "EXIT", NONE);
}

void warp_op(struct warp *warp, const char *opcode, uint32_t imm, const int *registers,
             size_t count)
{
    struct trace_sink_inst inst = {.opcode = opcode, .imm = imm};
    if (registers[0] != NONE)
        inst.dst[inst.dst_count++] = (uint8_t)registers[0];
    for (size_t i = 1; i < count; i++)
        inst.src[inst.src_count++] = (uint8_t)registers[i];
    warp_emit(warp, &inst);
}

/* ---- memory ---- */

enum memory_kind { LOAD, STORE, ATOMIC, ASYNC };

static const struct {
    const char *old, *ampere;
    uint8_t width, kind;
} memory_ops[] = {
#define MEMORY_OP(name, old, ampere, width, kind) {old, ampere, width, kind},
#include "traces/synth/memory.def"
#undef MEMORY_OP
};

static struct trace_sink_inst memory_inst(const struct warp *warp, enum memory_op op, int reg,
                                          int address)
{
    bool ampere = warp->synth->arch->binary_version >= 80;
    struct trace_sink_inst inst = {
        .opcode = ampere ? memory_ops[op].ampere : memory_ops[op].old,
        .width = memory_ops[op].width,
    };
    if (memory_ops[op].kind == LOAD)
        inst.dst[inst.dst_count++] = (uint8_t)reg;
    inst.src[inst.src_count++] = (uint8_t)address;
    if (memory_ops[op].kind != LOAD)
        inst.src[inst.src_count++] = (uint8_t)reg;
    return inst;
}

/* Emits INST with the address of each active lane. */
void warp_emit_lanes(struct warp *warp, struct trace_sink_inst *inst, const struct lanes *at)
{
    uint64_t words[WARP_SIZE];
    uint32_t count = 0;
    bool even = true;
    EACH_LANE(warp, lane)
    {
        words[count++] = at->at[lane];
        even =
            even && (count < 3 || words[count - 1] - words[count - 2] == words[1] - words[0]);
    }
    inst->words = words;
    inst->mode = count == 0 ? TRACE_ADDRESS_NONE : TRACE_ADDRESS_LIST;
    if (even && count >= 2) {
        inst->mode = TRACE_ADDRESS_STRIDE;
        words[1] -= words[0];
    }
    warp_emit(warp, inst);
}

void warp_memory(struct warp *warp, enum memory_op op, int reg, int address,
                 const struct lanes *at)
{
    struct trace_sink_inst inst = memory_inst(warp, op, reg, address);
    warp_emit_lanes(warp, &inst, at);
}

void warp_memory_row(struct warp *warp, enum memory_op op, int reg, int address, uint64_t base,
                     int64_t stride)
{
    if (warp->mask == UINT32_MAX) { /* nearly always: no need to look at lanes */
        struct trace_sink_inst inst = memory_inst(warp, op, reg, address);
        inst.mode = TRACE_ADDRESS_STRIDE;
        inst.words = (const uint64_t[]){base, (uint64_t)stride};
        warp_emit(warp, &inst);
        return;
    }
    struct lanes at;
    EACH_LANE(warp, lane)
    at.at[lane] = base + (uint64_t)((int64_t)lane * stride);
    warp_memory(warp, op, reg, address, &at);
}

void warp_atomic(struct warp *warp, enum memory_op op, int dst, int address, int data,
                 const struct lanes *at)
{
    struct trace_sink_inst inst = memory_inst(warp, op, data, address);
    inst.dst[inst.dst_count++] = (uint8_t)dst;
    warp_emit_lanes(warp, &inst, at);
}

void warp_copy_async(struct warp *warp, int reg, int address, int shared_address,
                     const struct lanes *at, const struct lanes *shared)
{
    if (warp->synth->arch->async_copy) {
        /* The shared side comes first among the registers, and its addresses
         * are not in grouped traces. */
        warp_memory(warp, LDGSTS_128, address, shared_address, at);
        return;
    }
    warp_memory(warp, LDG_128, reg, address, at);
    warp_memory(warp, STS_128, reg, shared_address, shared);
}

void warp_commit_async(struct warp *warp)
{
    if (warp->synth->arch->async_copy)
        OP(warp, "LDGDEPBAR", NONE);
}

void warp_wait_async(struct warp *warp, uint32_t groups)
{
    if (warp->synth->arch->async_copy)
        OP_IMM(warp, "DEPBAR.LE", groups, NONE);
}

void warp_barrier(struct warp *warp)
{
    OP(warp, "BAR.SYNC", NONE);
}

void warp_matrix(struct warp *warp, int d, int a, int b)
{
    static const char *const steps[] = {"HMMA.884.F32.F32.STEP0", "HMMA.884.F32.F32.STEP1",
                                        "HMMA.884.F32.F32.STEP2", "HMMA.884.F32.F32.STEP3"};
    uint32_t version = warp->synth->arch->binary_version;
    if (version >= 80) {
        OP(warp, "HMMA.16816.F32", d, a, b, d);
    } else if (version >= 75) {
        OP(warp, "HMMA.1688.F32", d, a, b, d);
        OP(warp, "HMMA.1688.F32", d, a + 2, b + 1, d);
    } else
        for (int i = 0; i < 8; i++)
            OP(warp, steps[i % 4], d + i % 2 * 2, a + i / 4 * 2, b, d + i % 2 * 2);
}

/* ---- control flow ---- */

bool warp_leave(struct warp *warp, uint32_t lanes)
{
    if (warp->silent) {
        warp->pc += INST_BYTES;
        return false;
    }
    uint32_t saved = warp_predicate(warp, lanes), left = warp->mask;
    OP(warp, "EXIT", NONE);
    warp->mask = saved & ~left;
    warp->live &= ~left;
    return warp->live == 0;
}

struct branch warp_if(struct warp *warp, uint32_t lanes)
{
    struct branch branch = {warp->mask, warp->silent};
    OP(warp, "BSSY", NONE);
    warp->mask &= ~lanes;
    OP(warp, "BRA", NONE);
    warp->mask = branch.mask & lanes;
    warp->silent = warp->silent || warp->mask == 0;
    return branch;
}

void warp_end_if(struct warp *warp, struct branch branch)
{
    warp->mask = branch.mask & warp->live;
    warp->silent = branch.silent;
    OP(warp, "BSYNC", NONE);
}

struct loop loop_begin(int counter, uint32_t n)
{
    return (struct loop){.counter = counter, .n = n};
}

/* The end of a loop's body: count, compare, branch back. */
static void loop_tail(struct warp *warp, int counter, uint32_t again)
{
    OP(warp, "IADD3", counter, counter, RZ);
    OP(warp, "ISETP.NE.AND", NONE, counter, RZ);
    uint32_t saved = warp_predicate(warp, again);
    OP(warp, "BRA", NONE);
    warp->mask = saved;
}

bool loop_next(struct warp *warp, struct loop *loop)
{
    if (!loop->started) {
        loop->started = true;
        loop->outer = (struct branch){warp->mask, warp->silent};
        OP(warp, "MOV", loop->counter);
        loop->top = warp->pc;
        loop->ghost = loop->n == 0 || warp->silent;
        warp->silent = loop->ghost;
        return true;
    }
    bool again = !loop->ghost && ++loop->i < loop->n;
    loop_tail(warp, loop->counter, again ? UINT32_MAX : 0);
    if (again)
        warp->pc = loop->top;
    else
        warp->silent = loop->outer.silent;
    return again;
}

bool lane_loop_next(struct warp *warp, struct lane_loop *loop, uint32_t lanes)
{
    if (!loop->started) {
        loop->started = true;
        loop->outer = warp_if(warp, lanes);
        loop->top = warp->pc;
        loop->ghost = warp->silent;
        return true;
    }
    lanes &= warp->mask;
    OP(warp, "ISETP.LT.AND", NONE, RZ, RZ);
    uint32_t saved = warp_predicate(warp, lanes);
    OP(warp, "BRA", NONE);
    warp->mask = saved;
    bool again = !loop->ghost && lanes != 0;
    if (again) {
        warp->pc = loop->top;
        warp->mask = lanes;
    } else
        warp_end_if(warp, loop->outer);
    return again;
}

void warp_reduce(struct warp *warp, const char *op, int value, int temporary, uint32_t lanes)
{
    for (uint32_t distance = lanes / 2; distance > 0; distance /= 2) {
        OP(warp, "SHFL.BFLY", temporary, value);
        OP(warp, op, value, value, temporary);
    }
}

/* ---- indices ---- */

uint32_t lanes_below(uint64_t first, uint64_t n)
{
    if (first >= n)
        return 0;
    return n - first >= WARP_SIZE ? UINT32_MAX : (UINT32_C(1) << (n - first)) - 1;
}

uint32_t warp_x(const struct warp *warp, uint32_t lane)
{
    return (warp->first + lane) % warp->launch->block[0];
}

uint32_t warp_y(const struct warp *warp, uint32_t lane)
{
    return (warp->first + lane) / warp->launch->block[0] % warp->launch->block[1];
}

/* The stack pointer, which nvcc sets whether or not it is used, the size of
 * an element for address arithmetic, and the descriptor of global memory. */
static void begin_code(struct warp *warp)
{
    OP(warp, "IMAD.MOV.U32", 1, RZ, RZ);
    OP(warp, "MOV", REG_SIZE);
    if (warp->synth->arch->uniform)
        OP(warp, "ULDC.64", NONE);
}

uint64_t warp_prologue(struct warp *warp)
{
    begin_code(warp);
    OP(warp, "S2R", 2);
    OP(warp, "S2R", 3);
    OP(warp, "IMAD", 0, 2, 3);
    return (uint64_t)warp->block[0] * warp->launch->block[0] + warp->first;
}

void warp_prologue_2d(struct warp *warp)
{
    begin_code(warp);
    OP(warp, "S2R", 0);
    OP(warp, "S2R", 2);
    OP(warp, "S2R", 3);
    OP(warp, "S2R", 4);
    OP(warp, "IMAD", 0, 0, 2);
    OP(warp, "IMAD", 3, 3, 4);
}

bool warp_bound(struct warp *warp, uint64_t first, uint64_t n)
{
    OP(warp, "ISETP.GE.AND", NONE, 0);
    return warp_leave(warp, ~lanes_below(first, n));
}

void warp_pointer(struct warp *warp, int dst, int index)
{
    OP(warp, "IMAD.WIDE", dst, index, REG_SIZE);
}
