/* The bound of a launch from what was counted of its blocks. */
#include "sim/bounds/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bounds/block_costs.h"
#include "sim/memory/atomic_unit.h"

static const char *const names[] = {
#define LIMIT(id, name, description) name,
#include "sim/bounds/limits.def"
};

struct bounds {
    const struct sim_config *config;
    bool l1_empty;
    struct touched touched;
};

const char *bound_limit_name(enum bound_limit limit)
{
    return names[limit];
}

struct bounds *bounds_create(const struct sim_config *config, bool l1_empty, bool unseen)
{
    struct bounds *bounds = calloc(1, sizeof *bounds);
    if (bounds != NULL) {
        bounds->config = config;
        bounds->l1_empty = l1_empty;
        bounds->touched.unseen = unseen;
        bounds->touched.fetch = config->options.hearth_l2_fetch;
        bounds->touched.reach = 2 * sim_config_l2_bytes(config) / TRACE_LINE_BYTES;
    }
    return bounds;
}

void bounds_destroy(struct bounds *bounds)
{
    if (bounds == NULL)
        return;
    touched_finish(&bounds->touched);
    free(bounds);
}

int bounds_copy(struct bounds *bounds, uint64_t address, uint64_t bytes, struct error *err)
{
    return touched_copy(&bounds->touched, address, bytes) ? 0 : error_no_memory(err);
}

/* ---- parts ---- */

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The cycles that the SM with most blocks needs at least of a resource: it has at least LEAST
 * blocks, no matter which, and no less than an SM's share of all. COSTS become sorted. */
static double busiest(float *costs, size_t count, size_t least, double sms)
{
    double sum = 0, smallest = 0;
    qsort(costs, count, sizeof *costs, compare);
    for (size_t i = 0; i < count; i++) {
        sum += (double)costs[i];
        if (i < least)
            smallest += (double)costs[i];
    }
    return fmax(smallest, sum / sms);
}

/* A channel that refreshes gives no data: a share of its time, but for one refresh. */
static double with_refresh(const struct sim_options *options, double dram_cycles)
{
    double interval = options->hearth_dram_refresh_interval,
           time = options->hearth_dram_refresh;
    if (interval == 0)
        return dram_cycles;
    return fmax(dram_cycles, dram_cycles * interval / (interval - time) - time);
}

static void count_memory(const struct bounds *bounds, const struct block_costs *costs,
                         struct launch_bound *bound)
{
    const struct sim_config *config = bounds->config;
    const struct sim_options *options = &config->options;
    double core = config->core_mhz, slices = (double)sim_config_slices(config);
    struct touched_totals totals;
    touched_count(&bounds->touched, &totals);
    uint64_t capacity = sim_config_l2_bytes(config) / 32;
    /* L2 holds no more than that before the launch, and no more of what it writes after it. */
    uint64_t absent = totals.read_first > capacity ? totals.read_first - capacity : 0;
    uint64_t evicted = totals.written > capacity ? totals.written - capacity : 0;
    uint64_t fetched = totals.fetched > absent ? totals.fetched : absent;
    uint64_t reads = bounds->l1_empty ? totals.read_only : 0;
    bound->l2_sectors = reads + costs->sent;
    bound->dram_sectors = fetched + evicted;
    /* A slice serves one sector in a cycle, in one direction. */
    bound->parts[BOUND_L2] =
        fmax((double)reads, (double)costs->sent) / slices * core / config->l2_mhz;
    bound->parts[BOUND_ATOMICS] =
        bounds->touched.most_atomics / (double)ATOMIC_UNIT_PARTS * core / config->l2_mhz;
    double bytes = (double)options->gpgpu_n_mem * options->gpgpu_n_mem_per_ctrlr *
                   options->gpgpu_dram_buswidth * options->dram_data_command_freq_ratio;
    bound->parts[BOUND_DRAM] = with_refresh(options, 32 * (double)bound->dram_sectors / bytes) *
                               core / config->dram_mhz;
}

/* Cycles between a block's arrival and its first instruction. An empty block, from which a card
 * has them, waits for its first constant; on hardware an earlier launch may have brought that.
 */
static double block_start(const struct bounds *bounds)
{
    const struct sim_options *options = &bounds->config->options;
    double start = options->hearth_block_start_latency;
    if (bounds->touched.unseen && options->hearth_const_cache)
        start = fmax(start - options->hearth_const_load_latency, 0);
    return start;
}

/* The cycles between the first and the last of COUNT blocks that an SM is given: those of its
 * first wave are as close together as they are allowed to be, as are the others. */
static double given_within(const struct sim_options *options, const struct block_costs *costs,
                           size_t count)
{
    double first = options->hearth_block_interval +
                   (double)options->hearth_block_interval_warp * costs->warps;
    double others = options->hearth_block_turnaround;
    size_t wave = count < costs->places ? count : costs->places;
    if (count == 0)
        return 0;
    return (double)(wave - 1) * fmin(first, others) + (double)(count - wave) * others;
}

static void set_blocks(const struct bounds *bounds, struct block_costs *costs,
                       struct launch_bound *bound)
{
    const struct sim_options *options = &bounds->config->options;
    double sms = (double)sim_config_sms(bounds->config);
    size_t least = (size_t)ceil((double)costs->count / sms);
    for (int r = 0; r < BLOCK_RESOURCES; r++)
        bound->parts[r] = busiest(costs->values[r], costs->count, least, sms);
    float *paths = costs->values[BLOCK_PATH];
    double path = busiest(paths, costs->count, least, sms);
    double start = block_start(bounds);
    if (costs->count == 0)
        return;
    /* Each block keeps its place while it starts, too; complete() adds the first start. */
    bound->parts[BOUND_PLACES] =
        fmax((path + (double)least * start) / costs->places - start, 0);
    bound->parts[BOUND_STARTS] = given_within(options, costs, least) + (double)paths[0];
    bound->parts[BOUND_BLOCK] = (double)paths[costs->count - 1];
}

/* What every launch takes before its first instruction. */
static double overhead(const struct bounds *bounds, size_t blocks)
{
    const struct sim_options *options = &bounds->config->options;
    return (double)options->gpgpu_kernel_launch_latency +
           (double)options->gpgpu_TB_launch_latency * (double)blocks + block_start(bounds);
}

static void complete(const struct bounds *bounds, const struct block_costs *costs,
                     struct launch_bound *bound)
{
    double before = overhead(bounds, costs->count);
    bound->limit = BOUND_BLOCK;
    for (int part = 0; part < BOUND_LIMITS; part++)
        if (floor(bound->parts[part]) > floor(bound->parts[bound->limit]))
            bound->limit = (enum bound_limit)part;
    for (int part = 0; part < BOUND_LIMITS; part++)
        bound->parts[part] = floor(bound->parts[part]) + before;
    bound->cycles = bound->parts[bound->limit];
}

int bounds_launch(struct bounds *bounds, const struct trace_workload *workload,
                  const char *name, bool filled, struct launch_bound *bound, struct error *err)
{
    struct block_costs costs = {0};
    memset(bound, 0, sizeof *bound);
    bounds->touched.all_before |= filled;
    int result = block_costs_read(&costs, bounds->config, &bounds->touched, bounds->l1_empty,
                                  workload, name, err);
    if (result == 0) {
        set_blocks(bounds, &costs, bound);
        count_memory(bounds, &costs, bound);
        complete(bounds, &costs, bound);
    }
    block_costs_finish(&costs);
    return result;
}
