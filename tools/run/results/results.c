#include "tools/run/results/results.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/process/host.h"

void results_finish(struct results *results)
{
    rows_finish(&results->rows);
    extrapolated_finish(&results->extrapolated);
    sim_config_destroy(results->config);
    notes_finish(&results->notes);
    free(results->report);
    *results = (struct results){0};
}

bool results_partial(const struct results *results)
{
    return strcmp(results->stop_reason, "end") != 0;
}

/* The warp instructions of launches that this process has simulated. */
static uint64_t own_warp_insts(const struct results *results)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < results->rows.count; i++)
        if (!results->rows.items[i].resumed)
            sum += results->rows.items[i].result.counters.warp_insts;
    return sum;
}

static double rate(uint64_t insts, double seconds)
{
    return seconds > 0 ? (double)insts / seconds / 1000 : 0;
}

struct results_speed results_speed(const struct results *results)
{
    uint64_t insts = own_warp_insts(results);
    double cpu = host_cpu_seconds() - results->cpu_started;
    double wall = host_seconds() - results->started;
    return (struct results_speed){cpu, wall, rate(insts, cpu), rate(insts, wall)};
}
