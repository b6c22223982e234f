#include "tools/run/results/results.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/process/host.h"

void results_finish(struct results *results)
{
    rows_finish(&results->rows);
    row_store_destroy(results->store);
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

static double rate(uint64_t insts, double seconds)
{
    return seconds > 0 ? (double)insts / seconds / 1000 : 0;
}

struct results_speed results_speed(const struct results *results)
{
    uint64_t insts = results->warp_insts;
    double cpu = host_cpu_seconds() - results->cpu_started;
    double wall = host_seconds() - results->started;
    return (struct results_speed){cpu, wall, rate(insts, cpu), rate(insts, wall)};
}
