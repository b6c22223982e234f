#include "sim/core/observers/activity.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/sm.h"
#include "sim/stats/shares.h"

/* Opcodes that make a multiplier work. */
static bool multiplies(const char *opcode)
{
    static const char *const names[] = {"IMAD", "IMUL", "IDP",  "XMAD", "FMUL", "FFMA",
                                        "DMUL", "DFMA", "HMUL", "HFMA", "FHFMA"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(opcode, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static enum sm_activity of_memory(const struct trace_inst *inst)
{
    switch ((enum trace_space)inst->space) {
    case TRACE_SPACE_NONE:
        return SM_ACTIVITY_control_insts;
    case TRACE_SPACE_SHARED:
        return SM_ACTIVITY_shared_insts;
    case TRACE_SPACE_CONSTANT:
        return SM_ACTIVITY_constant_insts;
    case TRACE_SPACE_GLOBAL:
    case TRACE_SPACE_LOCAL:
    case TRACE_SPACE_GENERIC:
        break;
    }
    return SM_ACTIVITY_memory_insts;
}

enum sm_activity activity_of(const struct trace_inst *inst, const char *opcode)
{
    static const enum sm_activity plain[TRACE_UNIT_COUNT][2] = {
        [TRACE_UNIT_ALU] = {SM_ACTIVITY_int_ops, SM_ACTIVITY_int_mul_ops},
        [TRACE_UNIT_INT] = {SM_ACTIVITY_int_ops, SM_ACTIVITY_int_mul_ops},
        [TRACE_UNIT_FP32] = {SM_ACTIVITY_fp32_ops, SM_ACTIVITY_fp32_mul_ops},
        [TRACE_UNIT_FP16] = {SM_ACTIVITY_fp16_ops, SM_ACTIVITY_fp16_mul_ops},
        [TRACE_UNIT_FP64] = {SM_ACTIVITY_fp64_ops, SM_ACTIVITY_fp64_mul_ops},
        [TRACE_UNIT_SFU] = {SM_ACTIVITY_sfu_ops, SM_ACTIVITY_sfu_ops},
        [TRACE_UNIT_TENSOR] = {SM_ACTIVITY_tensor_insts, SM_ACTIVITY_tensor_insts},
        [TRACE_UNIT_BRANCH] = {SM_ACTIVITY_control_insts, SM_ACTIVITY_control_insts},
        [TRACE_UNIT_TEXTURE] = {SM_ACTIVITY_texture_insts, SM_ACTIVITY_texture_insts},
        [TRACE_UNIT_UNIFORM] = {SM_ACTIVITY_uniform_insts, SM_ACTIVITY_uniform_insts},
        [TRACE_UNIT_EXIT] = {SM_ACTIVITY_control_insts, SM_ACTIVITY_control_insts},
        [TRACE_UNIT_BARRIER] = {SM_ACTIVITY_control_insts, SM_ACTIVITY_control_insts},
    };
    if (inst->unit == TRACE_UNIT_MEMORY)
        return of_memory(inst);
    return plain[inst->unit][multiplies(opcode)];
}

static uint64_t named(const uint8_t *registers, uint8_t count)
{
    uint64_t named = 0;
    for (uint8_t i = 0; i < count; i++)
        named += registers[i] != TRACE_REG_ZERO;
    return named;
}

static void count(struct sm_stats *stats, const struct inst *inst, uint32_t mask)
{
#define WARP   false
#define THREAD true
    static const bool by_thread[SM_ACTIVITIES] = {
#define ACTIVITY(name, unit, description) unit,
#include "sim/stats/activity.def"
#undef ACTIVITY
    };
#undef THREAD
#undef WARP
    uint64_t threads = (uint64_t)__builtin_popcount(mask);
    stats->activity[inst->activity] += by_thread[inst->activity] ? threads : 1;
    stats->activity[SM_ACTIVITY_register_reads] +=
        threads * named(inst->reads, inst->read_count);
    stats->activity[SM_ACTIVITY_register_writes] += threads * named(inst->dst, inst->dst_count);
}

static void on_stepped(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                       uint32_t block, const struct inst *inst, uint32_t mask)
{
    (void)observer;
    (void)warp;
    SHARES_CALL(sm, sm->blocks[block].launch->slot, count, inst, mask);
}

static void destroy(struct sm_observer *observer)
{
    free(observer);
}

bool activity_observe(struct sm *sm)
{
    static const struct sm_observer_hooks hooks = {.stepped = on_stepped, .destroy = destroy};
    struct sm_observer *observer = calloc(1, sizeof *observer);
    if (observer == NULL)
        return false;
    observer->hooks = &hooks;
    sm_observers_add(&sm->observers, observer);
    return true;
}
