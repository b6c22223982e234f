#include "sim/bounds/block_costs.h"

#include <stdlib.h>
#include <string.h>

#include "sim/bounds/costs_reading.h"
#include "sim/core/occupancy.h"

/* ---- what blocks need ---- */

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
    for (int v = 0; v < BLOCK_VALUES; v++)
        costs->values[v][costs->count] = (float)reading->block[v];
    costs->count++;
    return true;
}

/* Sets whether an instruction is of those whose work goes on beside its warp. FROM: the first
 * one that has not been looked at. */
static void find_beside(struct costs_reading *reading, uint32_t from)
{
    for (uint32_t i = from; i < reading->insts.count && !reading->spec.beside; i++) {
        uint8_t op = inst_table_get(&reading->insts, i)->issue.async;
        reading->spec.beside =
            op != ASYNC_NONE && op != ASYNC_SLEEP && op != ASYNC_PAUSE && op != ASYNC_POLL;
    }
}

static int add_block(struct costs_reading *reading, struct trace_block *block)
{
    memset(reading->block, 0, sizeof reading->block);
    memset(reading->busy, 0, sizeof reading->busy);
    reading->begun = 0;
    uint32_t known = reading->insts.count;
    if (!inst_table_update(&reading->insts, reading->kernel, reading->config))
        return error_no_memory(reading->err);
    reading->block_number++;
    find_beside(reading, known);
    if (costs_add_warps(reading, block) != 0)
        return -1;
    return append(reading) ? 0 : error_no_memory(reading->err);
}

/* Whether no SM gets a second block of the launch. */
static bool is_single(const struct costs_reading *reading)
{
    const struct trace_header *header = trace_kernel_header(reading->kernel);
    return (uint64_t)header->grid[0] * header->grid[1] * header->grid[2] <=
           sim_config_sms(reading->config);
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
    reading->reader.single = is_single(reading);
    reading->block_number = 0;
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
        reading->costs->warps = occupancy.block_warps;
    }
    trace_kernel_close(reading->kernel);
    return result;
}

/* ---- what is touched ---- */

static int touch_warp(struct costs_reading *reading, struct trace_warp *warp, uint32_t number,
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
                !touched_add(reading->touched, reading->block_number, number, sectors, count,
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
        if (touch_warp(reading, &block->warps[w], w, insts) < 0)
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
        .store_through = path_stores_leave(config),
        .err = err,
    };
    const struct sim_options *options = &config->options;
    memset(costs->first, 0xff, sizeof costs->first);
    costs->first_access = UINT64_MAX;
    reading.issue_cycles = 1 / ((double)options->gpgpu_num_sched_per_core *
                                (modern ? 1 : options->gpgpu_max_insn_issue_per_warp));
    path_spec_init(&reading.spec, config);
    reading.reader = (struct touched_reader){
        .l2 = reading.spec.l2, .dram = reading.spec.dram, .port = reading.spec.port};
    if (!touched_next_launch(touched))
        return error_no_memory(err);
    struct trace_kernel_options view = {
        .memory_only = true, .no_shared = true, .workload = workload};
    int result = read_blocks(&reading, &view, name, touch_block);
    const struct trace_kernel_options whole = {.code = modern, .workload = workload};
    if (result == 0)
        result = read_blocks(&reading, &whole, name, add_block);
    costs->beside = reading.spec.beside;
    costs->dram = reading.spec.dram;
    inst_table_finish(&reading.insts);
    return result;
}

void block_costs_finish(struct block_costs *costs)
{
    for (int v = 0; v < BLOCK_VALUES; v++)
        free(costs->values[v]);
}
