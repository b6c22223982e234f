#include "sim/bounds/warp_path.h"

#include <string.h>

#include "sim/core/modern/flow.h"
#include "sim/core/modern/units.h"

/* From issue to the load/store unit and from there to a dependent issue: the least of both
 * cores (sim/core/modern/mio.c, sim/core/legacy/load_store.c); and with the ways to L2 and
 * back, at least a cycle for each queue. */
#define AROUND_MEMORY    3
#define AROUND_L2        8
#define AROUND_L2_MODERN 15
/* A dependent instruction issues so many cycles later than a unit's latency says
 * (docs/model.md). */
#define AFTER_LATENCY 5
/* Without machine code, the modern core's least distances (sim/core/modern/scoreboard.c). */
#define MODERN_FIXED  4
#define MODERN_FP64   6
#define MODERN_TENSOR 24

void path_latencies_init(struct path_latencies *latencies, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    double core = config->core_mhz / config->dram_mhz;
    latencies->modern = strcmp(options->hearth_core, "modern") == 0;
    latencies->shared = options->gpgpu_smem_latency + AROUND_MEMORY;
    latencies->constant = options->hearth_const_cache ? options->hearth_const_latency : 0;
    latencies->l1 = options->gpgpu_l1_latency + AROUND_MEMORY;
    latencies->l2 =
        options->gpgpu_l2_rop_latency + (latencies->modern ? AROUND_L2_MODERN : AROUND_L2);
    latencies->barrier = latencies->modern ? options->hearth_barrier_latency : 1;
    latencies->dram =
        latencies->l2 + options->dram_latency + (uint32_t)(config->dram.cl * core);
    latencies->after = latencies->modern ? 0 : AFTER_LATENCY;
    latencies->branch = latencies->modern ? options->hearth_branch_latency : 1;
}

void warp_path_begin(struct warp_path *path)
{
    memset(path, 0, sizeof *path);
}

static uint32_t memory_latency(const struct path_latencies *latencies, const struct inst *inst,
                               enum trace_space space, enum path_level level)
{
    if (space == TRACE_SPACE_SHARED)
        return latencies->shared;
    if (space == TRACE_SPACE_CONSTANT)
        return latencies->constant;
    if (inst->access == TRACE_ACCESS_ATOMIC || (inst->flags & TRACE_INST_BYPASS_L1))
        return level == PATH_DRAM ? latencies->dram : latencies->l2;
    return level == PATH_DRAM ? latencies->dram
           : level == PATH_L2 ? latencies->l2
                              : latencies->l1;
}

/* Of units without a memory access; with machine code, the stalls of the instructions have the
 * fixed ones in them. */
static uint32_t unit_latency(const struct path_latencies *latencies, const struct inst *inst)
{
    if (!latencies->modern)
        return inst->latency + latencies->after;
    if (inst->issue.kind != KIND_FIXED)
        return inst->issue.latency;
    if (inst->issue.has_code)
        return 1;
    return inst->issue.unit == UNIT_FP64     ? MODERN_FP64
           : inst->issue.unit == UNIT_TENSOR ? MODERN_TENSOR
                                             : MODERN_FIXED;
}

static uint64_t issue_cycle(const struct warp_path *path, const struct inst *inst)
{
    uint64_t cycle = path->next;
    if (path->flow != 0 && inst->pc != path->pc)
        cycle += path->flow;
    for (uint32_t i = 0; i < inst->reg_count; i++)
        if (path->ready[inst->regs[i]] > cycle)
            cycle = path->ready[inst->regs[i]];
    return cycle;
}

void warp_path_issue(struct warp_path *path, const struct path_latencies *latencies,
                     const struct inst *inst, uint32_t mask, enum trace_space space,
                     enum path_level level)
{
    uint64_t now = issue_cycle(path, inst);
    bool memory = inst->access != TRACE_ACCESS_NONE;
    uint32_t latency = !memory     ? unit_latency(latencies, inst)
                       : mask == 0 ? 1
                                   : memory_latency(latencies, inst, space, level);
    for (uint32_t i = 0; i < inst->dst_count; i++)
        path->ready[inst->dst[i]] = now + latency;
    bool loads = memory && mask != 0 && inst->access != TRACE_ACCESS_STORE &&
                 space != TRACE_SPACE_CONSTANT && inst->dst_count != 0;
    if (loads && now + latency > path->loads)
        path->loads = now + latency;
    uint32_t stall = latencies->modern && inst->issue.stall > 1 ? inst->issue.stall : 1;
    bool direct = latencies->modern && inst->issue.flow == FLOW_DIRECT;
    path->flow = direct && latencies->branch > stall ? latencies->branch - stall : 0;
    path->pc = inst->pc + TRACE_CODE_BYTES;
    path->next = now + stall;
}

uint64_t warp_path_end(const struct warp_path *path)
{
    return path->loads > path->next ? path->loads : path->next;
}
