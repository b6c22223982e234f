/* The bound of a launch from what was counted of its blocks. */
#include "sim/bounds/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bounds/block_costs.h"
#include "sim/bounds/warp_path.h"
#include "sim/memory/atomic_unit.h"

static const char *const names[] = {
#define LIMIT(id, name, description) name,
#include "sim/bounds/limits.def"
};

/* Sectors of a request, at most: so many more than allowed may be on their way. */
#define PER_REQUEST 4

struct bounds {
    const struct sim_config *config;
    bool l1_empty;
    bool waits;  /* warps end when L2 has their stores */
    bool shared; /* other launches run at the same time as this one */
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
        bounds->waits = path_waits_for_stores(config);
        bounds->touched.unseen = unseen;
        bounds->touched.fetch = config->options.hearth_l2_fetch;
        if (!unseen && config->options.hearth_page_walk != 0)
            bounds->touched.region_bytes = config->options.hearth_page_reach;
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

static bool finds_l1_empty(const struct bounds *bounds)
{
    return bounds->l1_empty && !bounds->shared;
}

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

/* A channel that refreshes all banks at once gives no data: a share of its time, but for one
 * refresh. */
static double with_refresh(const struct sim_options *options, double dram_cycles)
{
    double interval = options->hearth_dram_refresh_interval,
           time = options->hearth_dram_refresh;
    if (interval == 0 || options->hearth_dram_refresh_banks)
        return dram_cycles;
    return fmax(dram_cycles, dram_cycles * interval / (interval - time) - time);
}

/* The least cycles from a block's begin until its launch has got the last of what it waits for,
 * besides the time that this takes: its first access, a walk if none of its pages are
 * translated, and LATENCY. 0: nobody accesses memory, or it is not known when. */
static double around(const struct bounds *bounds, const struct block_costs *costs,
                     double latency)
{
    bool walks = bounds->touched.region_bytes != 0 && !bounds->touched.translated;
    if (costs->first_access == UINT64_MAX || costs->beside)
        return 0;
    return (double)costs->first_access + latency +
           (walks ? bounds->config->options.hearth_page_walk : 0);
}

/* The sectors of stores that L2 has taken when the launch ends, at least: legacy cores wait for
 * all of them, the modern one for all but those that may be on their way. */
static double taken_stores(const struct bounds *bounds, const struct block_costs *costs)
{
    const struct sim_options *options = &bounds->config->options;
    double sms = fmin((double)sim_config_sms(bounds->config), (double)costs->count);
    if (!bounds->waits && options->hearth_stores_in_flight == 0)
        return 0;
    double open = bounds->waits ? 0 : (options->hearth_stores_in_flight + PER_REQUEST) * sms;
    return fmax(costs->stores - open, 0);
}

/* L2 and the answers that leave it. A slice takes a request in a tick; a store keeps it for
 * longer if its port for writes is narrow. */
static void count_l2(const struct bounds *bounds, const struct block_costs *costs, double reads,
                     struct launch_bound *bound)
{
    const struct sim_config *config = bounds->config;
    const struct sim_options *options = &config->options;
    double stores = taken_stores(bounds, costs);
    double write = config->l2.write_cycles > 1 ? config->l2.write_cycles : 1;
    double ticks =
        (reads + costs->atomics + write * stores) / (double)sim_config_slices(config);
    double sectors = options->hearth_sm_port / 32;
    double ports = fmin(options->gpgpu_n_clusters, (double)costs->count) * sectors;
    if (options->hearth_gpc_port != 0)
        ports = fmin(ports, options->hearth_gpcs * floor(options->hearth_gpc_port / 32));
    double answers = reads + costs->atomics + stores;
    if (answers == 0)
        return;
    double latency = fmax(around(bounds, costs, options->gpgpu_l2_rop_latency) - 1, 0);
    bound->parts[BOUND_L2] = latency + ticks * config->core_mhz / config->l2_mhz;
    bound->parts[BOUND_REPLIES] = latency + answers / ports;
}

static void count_dram(const struct bounds *bounds, const struct block_costs *costs,
                       const struct touched_totals *totals, struct launch_bound *bound)
{
    const struct sim_config *config = bounds->config;
    const struct sim_options *options = &config->options;
    uint64_t capacity = sim_config_l2_bytes(config) / 32;
    /* L2 holds no more than that before the launch, and no more of what it writes after it. */
    uint64_t absent = totals->read_first > capacity ? totals->read_first - capacity : 0;
    uint64_t evicted = totals->written > capacity ? totals->written - capacity : 0;
    uint64_t fetched = totals->fetched > absent ? totals->fetched : absent;
    double bytes = (double)options->gpgpu_n_mem * options->gpgpu_n_mem_per_ctrlr *
                   options->gpgpu_dram_buswidth * options->dram_data_command_freq_ratio;
    double core = config->core_mhz / config->dram_mhz;
    bound->dram_sectors = fetched + evicted;
    bound->parts[BOUND_DRAM] =
        with_refresh(options, 32 * (double)bound->dram_sectors / bytes) * core;
    if (fetched == 0 || costs->posted != 0 || bounds->shared)
        return;
    /* The launch ends when the last sector has come. */
    double burst =
        32.0 / (options->gpgpu_dram_buswidth * options->dram_data_command_freq_ratio);
    double transfers = with_refresh(options, 32 * (double)fetched / bytes) - burst;
    bound->parts[BOUND_DRAM] =
        fmax(bound->parts[BOUND_DRAM], around(bounds, costs, costs->dram) + transfers * core);
}

static void count_memory(const struct bounds *bounds, const struct block_costs *costs,
                         struct launch_bound *bound)
{
    struct touched_totals totals;
    touched_count(&bounds->touched, &totals);
    uint64_t reads = finds_l1_empty(bounds) ? totals.from_l2 : 0;
    bound->l2_sectors = reads + (uint64_t)costs->stores + costs->atomics + costs->posted;
    bound->parts[BOUND_ATOMICS] = bounds->touched.most_atomics / (double)ATOMIC_UNIT_PARTS *
                                  bounds->config->core_mhz / bounds->config->l2_mhz;
    count_l2(bounds, costs, (double)reads, bound);
    count_dram(bounds, costs, &totals, bound);
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
    for (int r = 0; r < BLOCK_RESOURCES; r++) {
        bound->parts[r] = busiest(costs->values[r], costs->count, least, sms);
        if (bound->parts[r] > 0)
            bound->parts[r] += (double)costs->first[r];
    }
    /* L2 answers the last store. */
    if (bound->parts[BOUND_PORT] > 0 && bounds->waits && costs->posted == 0)
        bound->parts[BOUND_PORT] += options->gpgpu_l2_rop_latency;
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
                  const char *name, enum bounds_caches caches, struct launch_bound *bound,
                  struct error *err)
{
    struct block_costs costs = {0};
    memset(bound, 0, sizeof *bound);
    bounds->touched.filled |= caches == BOUNDS_FILLED;
    bounds->shared = caches == BOUNDS_SHARED;
    bounds->touched.all_before = bounds->touched.filled || bounds->shared;
    int result = block_costs_read(&costs, bounds->config, &bounds->touched,
                                  finds_l1_empty(bounds), workload, name, err);
    if (result == 0) {
        set_blocks(bounds, &costs, bound);
        count_memory(bounds, &costs, bound);
        complete(bounds, &costs, bound);
    }
    block_costs_finish(&costs);
    return result;
}
