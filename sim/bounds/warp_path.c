#include "sim/bounds/warp_path.h"

#include <string.h>

#include "sim/core/modern/core.h"

/* From issue to the load/store unit and from there to a dependent issue: the least of both
 * cores (sim/core/modern/mio.c, sim/core/legacy/load_store.c); and with the ways to L2 and
 * back, at least a cycle for each queue. */
#define AROUND_MEMORY    3
#define AROUND_L2        8
#define AROUND_L2_MODERN 15
/* A dependent instruction issues so many cycles later than a unit's latency says
 * (docs/model.md). */
#define AFTER_LATENCY 5
/* Modern core: cycles from issue until a store to global memory, or anything else that goes
 * through the queue, has read its registers (sim/core/modern/mio.c). */
#define STORE_READ 12
#define QUEUE_READ 9

bool path_stores_leave(const struct sim_config *config)
{
    char policy = config->l1d.write_policy;
    return policy == 'T' || policy == 'E' || policy == 'L' || !config->l1d.enabled;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool path_waits_for_stores(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    return strcmp(options->hearth_core, "legacy") == 0 && !options->hearth_posted_stores &&
           path_stores_leave(config);
}

void path_spec_init(struct path_spec *spec, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    double core = config->core_mhz / config->dram_mhz;
    bool modern = strcmp(options->hearth_core, "modern") == 0;
    *spec = (struct path_spec){
        .shared = options->gpgpu_smem_latency + AROUND_MEMORY,
        .l1 = options->gpgpu_l1_latency + AROUND_MEMORY,
        .l2 = options->gpgpu_l2_rop_latency + (modern ? AROUND_L2_MODERN : AROUND_L2),
        .banks = options->gpgpu_l1_banks,
        .port = options->hearth_sm_port >= 64 ? options->hearth_sm_port / 32 : 1,
        .atomic = options->hearth_l2_atomic_lanes != 0 ? options->hearth_l2_atomic_latency : 0,
        .barrier = modern ? options->hearth_barrier_latency : 0,
        .barrier_interval = modern ? options->hearth_barrier_interval : 0,
        .after = modern ? 0 : AFTER_LATENCY,
        .stored = path_waits_for_stores(config) ? options->gpgpu_l2_rop_latency : 0,
        .modern = modern,
    };
    if (options->hearth_const_cache)
        spec->constant = options->hearth_const_latency + (modern ? AFTER_LATENCY : 0);
    spec->dram = spec->l2 + options->dram_latency + (uint32_t)(config->dram.cl * core);
    modern_specify_waits(options, &spec->core);
}

void warp_path_begin(struct warp_path *path)
{
    memset(path, 0, sizeof *path);
}

/* ---- when an instruction can issue ---- */

/* Counters that the last instruction raised are not seen at once. */
static uint64_t counters_allow(const struct warp_path *path, const struct inst *inst,
                               uint64_t cycle)
{
    uint64_t from = cycle;
    for (uint32_t rest = inst->issue.wait; rest != 0; rest &= rest - 1) {
        uint32_t counter = (uint32_t)__builtin_ctz(rest);
        bool unseen = (path->raised >> counter & 1) && cycle < path->seen;
        if (counter < MODERN_COUNTERS && !unseen)
            from = later(from, path->counters[counter]);
    }
    return from;
}

static bool writes(const struct inst *inst, uint8_t reg)
{
    return inst->dst_count != 0 && memchr(inst->dst, reg, inst->dst_count) != NULL;
}

static uint64_t registers_allow(const struct warp_path *path, const struct inst *inst,
                                uint64_t cycle)
{
    for (uint32_t i = 0; i < inst->reg_count; i++) {
        uint8_t reg = inst->regs[i];
        cycle = later(cycle, path->ready[reg]);
        if (path->read[reg] > cycle && writes(inst, reg))
            cycle = path->read[reg];
    }
    return cycle;
}

/* The scoreboard counts from 1, as 0 is never in it. */
static uint64_t fixed_allow(const struct warp_path *path, const struct inst *inst,
                            uint32_t mask)
{
    uint64_t cycle = scoreboard_allows(&path->fixed, inst, mask);
    return cycle > 0 ? cycle - 1 : 0;
}

uint64_t warp_path_next(const struct warp_path *path, const struct path_spec *spec,
                        const struct inst *inst, uint32_t mask)
{
    uint64_t cycle = path->next;
    if (spec->modern && !spec->beside && path->last.inst != NULL &&
        path->last.inst->issue.flow != FLOW_NONE)
        cycle = later(cycle, path->last_at + flow_cycles(&spec->core, &path->last, inst, mask));
    cycle = registers_allow(path, inst, cycle);
    if (!spec->modern)
        return cycle;
    if (!inst->issue.has_code)
        return later(cycle, fixed_allow(path, inst, mask));
    return spec->beside ? cycle : counters_allow(path, inst, cycle);
}

/* ---- what it makes others wait for ---- */

/* Without a memory access. With machine code, the stalls of the instructions have the fixed
 * times in them; else the scoreboard has. */
static uint64_t unit_latency(const struct path_spec *spec, const struct inst *inst)
{
    if (!spec->modern)
        return inst->latency + spec->after;
    return inst->issue.kind == KIND_FIXED ? 1 : inst->issue.latency;
}

static uint64_t result_cycle(const struct path_spec *spec, const struct inst *inst,
                             uint32_t mask, const struct path_access *access, uint64_t now)
{
    if (inst->access == TRACE_ACCESS_NONE)
        return now + unit_latency(spec, inst);
    if (mask == 0)
        return now + 1;
    uint64_t more = access->passes > 1 ? access->passes - 1 : 0;
    if (access->space == TRACE_SPACE_SHARED)
        return now + spec->shared + more;
    if (access->space == TRACE_SPACE_CONSTANT)
        return now + spec->constant;
    if (inst->access == TRACE_ACCESS_ATOMIC)
        return later(now + spec->l2, access->there) + spec->atomic;
    bool past_l1 = (inst->flags & TRACE_INST_BYPASS_L1) != 0;
    return later(now + (past_l1 ? spec->l2 : spec->l1 + more), access->there);
}

/* When INST, of a time not fixed, has read its registers. */
static uint64_t read_cycle(const struct path_spec *spec, const struct inst *inst, uint32_t mask,
                           uint64_t now)
{
    if (!spec->modern || inst->issue.kind == KIND_FIXED)
        return 0;
    if (inst->issue.kind == KIND_VARIABLE)
        return now + VARIABLE_READ;
    bool store = inst->access == TRACE_ACCESS_STORE && mask != 0;
    return now + (store ? STORE_READ : QUEUE_READ);
}

static void raise(struct warp_path *path, uint8_t counter, uint64_t until)
{
    if (counter >= MODERN_COUNTERS)
        return;
    path->counters[counter] = later(path->counters[counter], until);
    path->raised |= (uint8_t)(1u << counter);
}

/* What the effects of INST on its own warp are. */
static void take_effect(struct warp_path *path, const struct path_spec *spec,
                        const struct inst *inst, uint64_t now)
{
    if (inst->flags & TRACE_INST_LDGDEPBAR) {
        uint64_t come = path->groups[path->group % MODERN_GROUPS];
        raise(path, inst->issue.write, come);
        path->groups[++path->group % MODERN_GROUPS] = come;
    } else if (inst->flags & TRACE_INST_DEPBAR) {
        if (path->group > inst->imm && inst->imm < MODERN_GROUPS - 1)
            path->next =
                later(path->next, path->groups[(path->group - inst->imm - 1) % MODERN_GROUPS]);
    } else if ((inst->flags & TRACE_INST_MEMBAR) && inst->issue.kind != KIND_INVALIDATE &&
               inst->issue.async == ASYNC_NONE) {
        path->next = later(path->next, now + spec->core.membar[inst->issue.scope]);
        path->next = later(path->next, path->loads);
    }
}

static void wait_for_registers(struct warp_path *path, const struct inst *inst, uint32_t mask,
                               const struct path_spec *spec, uint64_t result, uint64_t now)
{
    bool fixed = spec->modern && inst->issue.kind == KIND_FIXED;
    uint64_t read = read_cycle(spec, inst, mask, now);
    for (uint32_t i = 0; i < inst->dst_count; i++)
        path->ready[inst->dst[i]] = fixed ? 0 : result;
    for (uint32_t i = 0; i < inst->read_count && !inst->issue.has_code; i++)
        path->read[inst->reads[i]] = later(path->read[inst->reads[i]], read);
    if (!spec->modern)
        return;
    if (!inst->issue.has_code) {
        uint32_t late = inst->issue.flow == FLOW_WIDE ? spec->core.wide : 0;
        scoreboard_issue(&path->fixed, inst, mask, now + 1, late);
        if (!fixed) { /* `ready` and `read` have its times */
            scoreboard_read(&path->fixed, inst);
            scoreboard_written(&path->fixed, inst);
        }
        return;
    }
    if (!(inst->flags & TRACE_INST_LDGDEPBAR) && inst->access != TRACE_ACCESS_STORE)
        raise(path, inst->issue.write, result);
    raise(path, inst->issue.read, read);
}

void warp_path_issue(struct warp_path *path, const struct path_spec *spec,
                     const struct inst *inst, uint32_t mask, const struct path_access *access,
                     uint64_t now)
{
    uint64_t result = result_cycle(spec, inst, mask, access, now);
    bool memory = inst->access != TRACE_ACCESS_NONE && mask != 0 &&
                  inst->access != TRACE_ACCESS_STORE && access->space != TRACE_SPACE_CONSTANT;
    path->raised = 0;
    path->seen = now + 2;
    path->next = now + (spec->modern && inst->issue.stall > 1 ? inst->issue.stall : 1);
    wait_for_registers(path, inst, mask, spec, result, now);
    if (memory && inst->dst_count != 0)
        path->loads = later(path->loads, result);
    if (inst->access == TRACE_ACCESS_STORE && mask != 0 &&
        access->space == TRACE_SPACE_GLOBAL && access->passes > 0)
        path->loads = later(path->loads, now + spec->stored);
    if (memory && (inst->flags & TRACE_INST_LDGSTS))
        path->groups[path->group % MODERN_GROUPS] =
            later(path->groups[path->group % MODERN_GROUPS], result);
    if (spec->modern && !spec->beside)
        take_effect(path, spec, inst, now);
    path->last = (struct modern_issued){inst, mask};
    path->last_at = now;
}

uint64_t warp_path_end(const struct warp_path *path)
{
    return later(path->loads, path->next);
}
