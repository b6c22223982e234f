/* What is known of a launch at its end. */
#include "sim/simulator.h"
#include "sim/stats/intervals.h"

uint64_t result_end(const struct engine *engine)
{
    uint64_t last = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (sm_last_end(engine->sms[s]) > last)
            last = sm_last_end(engine->sms[s]);
    return last + 1;
}

static void take_stacks(struct sim *sim, uint64_t end)
{
    for (uint32_t s = 0; s < sim_schedulers(sim); s++) {
        struct sim_cpi total = engine_stack(&sim->engine, s, end);
        for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
            sim->stacks[1][s].cycles[c] = total.cycles[c] - sim->stacks[0][s].cycles[c];
        sim->stacks[0][s] = total;
    }
}

static void take_channels(const struct engine *engine, struct sim_result *result)
{
    result->channel_bytes = result->busiest_channel_bytes = 0;
    for (uint32_t c = 0; c < engine->spec.channels; c++) {
        struct dram_stats stats = partition_dram(&engine->partitions[c], result->end_cycle);
        uint64_t bytes = stats.read_bytes + stats.write_bytes;
        result->channel_bytes += bytes;
        if (bytes > result->busiest_channel_bytes)
            result->busiest_channel_bytes = bytes;
    }
}

void result_take(struct sim *sim, struct launch_intervals *stretches, bool stopped,
                 struct sim_result *result)
{
    struct sim_counters total;
    result->start_cycle = stretches->start;
    result->end_cycle = stopped ? sim->engine.window_end : result_end(&sim->engine);
    engine_count(&sim->engine, result->end_cycle, &total);
    take_channels(&sim->engine, result);
    launch_intervals_end(stretches, result->end_cycle, stopped);
    take_stacks(sim, result->end_cycle);
    part_counts_take(&sim->parts, &sim->engine, result->end_cycle);
    engine_landed(&sim->engine, result->end_cycle);
    result->gap_cycles = sim->gap;
    result->restored_sectors = sim->restored;
    result->counters = total;
    result->peaks = sim_peaks_of(sim->config);
    result->stopped = stopped;
    sim_counters_subtract(&result->counters, &sim->base);
    sim->base = total;
    sim->now = result->end_cycle;
    sim->gap = sim->restored = 0;
}
