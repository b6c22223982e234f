#include "sim/bounds/block_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bounds/warp_path.h"
#include "sim/core/access_rules.h"
#include "sim/core/coalesce.h"
#include "sim/core/core_model.h"
#include "sim/core/limits.h"
#include "sim/core/modern/flow.h"
#include "sim/core/modern/units.h"
#include "sim/core/occupancy.h"

struct costs_reading {
    struct block_costs *costs;
    const struct sim_config *config;
    struct touched *touched;
    bool l1_empty, modern, halves, store_through;
    struct trace_kernel *kernel;
    struct inst_table insts;
    struct path_latencies latencies;
    struct warp_path paths[SM_MAX_WARPS]; /* of the block's warps */
    struct warp_path *path;               /* of the warp that is read */
    bool single;                          /* an SM has one block of the launch, in all */
    double block[BLOCK_VALUES];           /* of the block that is read */
    uint32_t block_number;                /* when it is read for what it touches, from 1 */
    struct error *err;
};

/* ---- units ---- */

static void add(struct costs_reading *reading, enum bound_limit resource, double cycles)
{
    reading->block[resource] += cycles;
}

/* Cycles of the SM for an instruction that takes one of COUNT units for INTERVAL. */
static double share(uint32_t interval, uint32_t count)
{
    return (double)interval / (count > 0 ? count : 1);
}

static void add_modern_unit(struct costs_reading *reading, const struct inst *inst)
{
    static const enum bound_limit of[UNIT_COUNT] = {
        [UNIT_ALU] = BOUND_INT,       [UNIT_HALF] = BOUND_HALF,
        [UNIT_FP64] = BOUND_FP64,     [UNIT_TENSOR] = BOUND_TENSOR,
        [UNIT_SPECIAL] = BOUND_SFU,   [UNIT_UNIFORM] = BOUND_UNIFORM,
        [UNIT_BRANCH] = BOUND_BRANCH, [UNIT_MEMORY] = BOUND_ADDRESS};
    const struct sim_options *options = &reading->config->options;
    uint32_t unit = inst->issue.unit, subs = options->gpgpu_num_sched_per_core;
    double cycles = share(inst->issue.interval, subs);
    if (unit == UNIT_FP32 || unit == UNIT_HEAVY) {
        bool wide = unit == UNIT_HEAVY && inst->issue.flow == FLOW_WIDE;
        add(reading, BOUND_FP32, reading->halves && !wide ? cycles / 2 : cycles);
        if (unit == UNIT_HEAVY)
            add(reading, BOUND_HEAVY, cycles);
    } else if (unit == UNIT_MEMORY) {
        add(reading, BOUND_ADDRESS, share(options->hearth_address_interval, subs));
    } else if (unit != UNIT_NONE) {
        add(reading, of[unit], cycles);
    }
}

static void add_legacy_unit(struct costs_reading *reading, const struct inst *inst)
{
    static const enum bound_limit plain[] = {
        [PIPE_SP] = BOUND_FP32,       [PIPE_SFU] = BOUND_SFU, [PIPE_MEM] = BOUND_ADDRESS,
        [PIPE_TENSOR] = BOUND_TENSOR, [PIPE_DP] = BOUND_FP64, [PIPE_INT] = BOUND_INT};
    static const enum bound_limit special[] = {BOUND_BRANCH, BOUND_SFU, BOUND_TENSOR,
                                               BOUND_UNIFORM};
    const struct sim_options *options = &reading->config->options;
    const uint32_t counts[] = {[PIPE_SP] = options->gpgpu_num_sp_units,
                               [PIPE_SFU] = options->gpgpu_num_sfu_units,
                               [PIPE_MEM] = 1,
                               [PIPE_TENSOR] = options->gpgpu_num_tensor_core_units,
                               [PIPE_DP] = options->gpgpu_num_dp_units,
                               [PIPE_INT] = options->gpgpu_num_int_units};
    if (inst->pipe < PIPE_SPECIALIZED) {
        add(reading, plain[inst->pipe], share(inst->initiation, counts[inst->pipe]));
        return;
    }
    uint32_t number = inst->pipe - PIPE_SPECIALIZED;
    if (number < sizeof special / sizeof *special && number != 1) /* textures are not SFU */
        add(reading, special[number],
            share(inst->initiation, reading->config->special[number].count));
}

/* ---- memory ---- */

static void add_shared(struct costs_reading *reading, const struct trace_record *record,
                       const struct trace_warp *warp)
{
    uint64_t room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, warp->addresses, room, &count);
    const struct sim_options *options = &reading->config->options;
    uint32_t cycles = count == 0 || options->gpgpu_shmem_warp_parts != 1 ||
                              options->gpgpu_shmem_limited_broadcast
                          ? 1
                          : coalesce_shared(lanes, count, options->gpgpu_shmem_num_banks);
    add(reading, BOUND_SHARED, cycles);
}

/* A global access; returns where its data are at the earliest. */
static enum path_level add_global(struct costs_reading *reading, const struct inst *inst,
                                  const struct trace_record *record,
                                  const struct trace_warp *warp)
{
    const struct sim_options *options = &reading->config->options;
    const struct trace_inst *from =
        &trace_kernel_insts(reading->kernel, &(uint32_t){0})[record->inst];
    uint64_t sectors[TRACE_MAX_SECTORS];
    unsigned count = trace_record_sectors(record, from, warp->addresses, sectors);
    bool store = inst->access == TRACE_ACCESS_STORE,
         atomic = inst->access == TRACE_ACCESS_ATOMIC;
    if (store || atomic) {
        bool sent = atomic || reading->store_through;
        reading->costs->sent += sent ? count : 0;
        add(reading, BOUND_PORT, sent ? 32.0 * count / options->hearth_sm_port : 0);
    } else if (!(inst->flags & TRACE_INST_BYPASS_L1)) {
        add(reading, BOUND_L1, (double)count / options->gpgpu_l1_banks);
    }
    bool cold, alone = touched_alone(reading->touched, sectors, count, options->hearth_l2_fetch,
                                     reading->single, &cold);
    if (store || !reading->l1_empty || !alone)
        return PATH_L1;
    return cold ? PATH_DRAM : PATH_L2;
}

static enum trace_space space_of(const struct costs_reading *reading, const struct inst *inst,
                                 const struct trace_record *record,
                                 const struct trace_warp *warp)
{
    uint64_t room[32];
    uint32_t count;
    if (inst->space != TRACE_SPACE_GENERIC || record->mask == 0)
        return inst->space;
    const uint64_t *lanes = coalesce_lanes(record, warp->addresses, room, &count);
    return count != 0 ? trace_resolve_space(trace_kernel_header(reading->kernel), lanes[0])
                      : TRACE_SPACE_GENERIC;
}

/* ---- records ---- */

static void add_record(struct costs_reading *reading, const struct trace_record *record,
                       const struct trace_warp *warp)
{
    const struct inst *inst = inst_table_get(&reading->insts, record->inst);
    enum trace_space space = space_of(reading, inst, record, warp);
    enum path_level level = PATH_L1;
    add(reading, BOUND_ISSUE, 1);
    if (reading->modern)
        add_modern_unit(reading, inst);
    else
        add_legacy_unit(reading, inst);
    bool access = inst->accesses && record->mask != 0 && record->mode != TRACE_ADDRESS_NONE;
    if (access && space == TRACE_SPACE_SHARED)
        add_shared(reading, record, warp);
    else if (access && space == TRACE_SPACE_GLOBAL)
        level = add_global(reading, inst, record, warp);
    warp_path_issue(reading->path, &reading->latencies, inst, record->mask, space, level);
}

/* The warp's instructions up to the next barrier of all of its block, which is passed. Returns
 * 1 if there was one, 0 at the warp's end, -1 on error. */
static int add_until_barrier(struct costs_reading *reading, struct trace_warp *warp)
{
    int more;
    do {
        while (warp->at < warp->end) {
            const struct trace_record *record = warp->at++;
            const struct inst *inst = inst_table_get(&reading->insts, record->inst);
            add_record(reading, record, warp);
            if ((inst->flags & TRACE_INST_BARRIER) && !(inst->flags & TRACE_INST_ARRIVE) &&
                inst->imm == 0 && record->mask != 0)
                return 1;
        }
    } while ((more = trace_warp_fill(warp, reading->err)) == 1);
    return more;
}

/* Each of the WAITING warps goes on to its next barrier; those that come to one leave it
 * together, and are returned. */
static int add_phase(struct costs_reading *reading, struct trace_block *block,
                     uint64_t *waiting)
{
    uint64_t last = 0, at = 0;
    for (uint64_t rest = *waiting; rest != 0; rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(rest);
        reading->path = &reading->paths[w];
        int more = add_until_barrier(reading, &block->warps[w]);
        if (more < 0)
            return -1;
        at |= more == 1 ? 1ull << w : 0;
        if (more == 1 && reading->path->next > last)
            last = reading->path->next;
    }
    for (uint64_t rest = at; rest != 0; rest &= rest - 1)
        reading->paths[__builtin_ctzll(rest)].next = last + reading->latencies.barrier - 1;
    *waiting = at;
    return 0;
}

/* All warps of BLOCK, from one barrier to the next. Warps that have ended wait for nothing. */
static int add_warps(struct costs_reading *reading, struct trace_block *block)
{
    uint64_t waiting = block->warp_count < 64 ? (1ull << block->warp_count) - 1 : ~0ull;
    for (uint32_t w = 0; w < block->warp_count; w++)
        warp_path_begin(&reading->paths[w]);
    while (waiting != 0)
        if (add_phase(reading, block, &waiting) != 0)
            return -1;
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (block->warps[w].total > 0)
            reading->block[BLOCK_PATH] =
                fmax(reading->block[BLOCK_PATH], (double)warp_path_end(&reading->paths[w]));
    return 0;
}

static bool append(struct costs_reading *reading)
{
    struct block_costs *costs = reading->costs;
    if (costs->count == costs->capacity) {
        size_t capacity = 2 * costs->capacity + 256;
        for (int v = 0; v < BLOCK_VALUES; v++) {
            float *values = realloc(costs->values[v], capacity * sizeof *values);
            if (values == NULL)
                return false;
            costs->values[v] = values;
        }
        costs->capacity = capacity;
    }
    const struct sim_options *options = &reading->config->options;
    reading->block[BOUND_ISSUE] /=
        (double)options->gpgpu_num_sched_per_core *
        (reading->modern ? 1 : options->gpgpu_max_insn_issue_per_warp);
    for (int v = 0; v < BLOCK_VALUES; v++)
        costs->values[v][costs->count] = (float)reading->block[v];
    costs->count++;
    return true;
}

static int add_block(struct costs_reading *reading, struct trace_block *block)
{
    memset(reading->block, 0, sizeof reading->block);
    if (!inst_table_update(&reading->insts, reading->kernel, reading->config))
        return error_no_memory(reading->err);
    if (add_warps(reading, block) != 0)
        return -1;
    return append(reading) ? 0 : error_no_memory(reading->err);
}

/* Whether no SM gets a second block of the launch. */
static bool is_single(const struct costs_reading *reading)
{
    const struct trace_header *header = trace_kernel_header(reading->kernel);
    const struct sim_options *options = &reading->config->options;
    uint64_t sms = (uint64_t)options->gpgpu_n_clusters * options->gpgpu_n_cores_per_cluster;
    return (uint64_t)header->grid[0] * header->grid[1] * header->grid[2] <= sms;
}

/* Calls EACH for all blocks of the launch. */
static int read_blocks(struct costs_reading *reading,
                       const struct trace_kernel_options *options, const char *name,
                       int (*each)(struct costs_reading *reading, struct trace_block *block))
{
    struct trace_block *block;
    reading->kernel = trace_workload_kernel(options->workload, name, options, reading->err);
    if (reading->kernel == NULL)
        return -1;
    int result = 0, more;
    reading->single = is_single(reading);
    while (result == 0 &&
           (more = trace_kernel_next_block(reading->kernel, &block, reading->err)) != 0) {
        result = more < 0 ? -1 : each(reading, block);
        if (more > 0)
            trace_block_release(block);
    }
    if (result == 0 && each == add_block) {
        struct occupancy occupancy;
        result = occupancy_compute(&occupancy, reading->config,
                                   trace_kernel_header(reading->kernel), reading->err);
        reading->costs->places = occupancy.blocks;
    }
    trace_kernel_close(reading->kernel);
    return result;
}

/* ---- what is touched ---- */

static int touch_warp(struct costs_reading *reading, struct trace_warp *warp,
                      const struct trace_inst *insts)
{
    int more;
    uint64_t sectors[TRACE_MAX_SECTORS];
    do {
        for (; warp->at < warp->end; warp->at++) {
            const struct trace_inst *inst = &insts[warp->at->inst];
            enum trace_space space = inst->space;
            if (warp->at->mask == 0 || warp->at->mode == TRACE_ADDRESS_NONE ||
                inst->access == TRACE_ACCESS_NONE)
                continue;
            unsigned count = trace_record_sectors(warp->at, inst, warp->addresses, sectors);
            if (space == TRACE_SPACE_GENERIC && count > 0)
                space =
                    trace_resolve_space(trace_kernel_header(reading->kernel), 32 * sectors[0]);
            if (space == TRACE_SPACE_GLOBAL &&
                !touched_add(reading->touched, reading->block_number, sectors, count,
                             inst->access != TRACE_ACCESS_STORE,
                             inst->access != TRACE_ACCESS_LOAD))
                return error_no_memory(reading->err);
        }
    } while ((more = trace_warp_fill(warp, reading->err)) == 1);
    return more;
}

static int touch_block(struct costs_reading *reading, struct trace_block *block)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(reading->kernel, &count);
    reading->block_number++;
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (touch_warp(reading, &block->warps[w], insts) < 0)
            return -1;
    return 0;
}

/* ---- */

int block_costs_read(struct block_costs *costs, const struct sim_config *config,
                     struct touched *touched, bool l1_empty,
                     const struct trace_workload *workload, const char *name, struct error *err)
{
    bool modern = strcmp(config->options.hearth_core, "modern") == 0;
    struct costs_reading reading = {
        .costs = costs,
        .config = config,
        .touched = touched,
        .l1_empty = l1_empty,
        .modern = modern,
        .halves = config->units[TRACE_UNIT_FP32].initiation == 1,
        .store_through = config->l1d.write_policy == 'T' || config->l1d.write_policy == 'E' ||
                         config->l1d.write_policy == 'L' || !config->l1d.enabled,
        .err = err,
    };
    path_latencies_init(&reading.latencies, config);
    if (!touched_next_launch(touched))
        return error_no_memory(err);
    struct trace_kernel_options view = {
        .memory_only = true, .no_shared = true, .workload = workload};
    int result = read_blocks(&reading, &view, name, touch_block);
    const struct trace_kernel_options whole = {.code = modern, .workload = workload};
    if (result == 0)
        result = read_blocks(&reading, &whole, name, add_block);
    inst_table_finish(&reading.insts);
    return result;
}

void block_costs_finish(struct block_costs *costs)
{
    for (int v = 0; v < BLOCK_VALUES; v++)
        free(costs->values[v]);
}
