#include "tools/sweep/tables/sweep_columns.h"

#include <string.h>
#include <strings.h>

#include "tools/run/run.h"

static const char *const own[] = {"job",
                                  "workload",
                                  "card",
                                  "method",
                                  "warm",
                                  "status",
                                  "message",
                                  "scale",
                                  "workloads",
                                  "failed",
                                  "speedup",
                                  "baseline_seconds",
                                  "error",
                                  "geometric_speedup",
                                  "kernel_speedup",
                                  "pareto",
                                  "launches",
                                  "simulated"};

bool sweep_columns_taken(const char *name)
{
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcasecmp(own[i], name) == 0)
            return true;
    for (size_t i = 0; i < row_column_count(); i++)
        if (strcasecmp(row_column(i).name, name) == 0)
            return true;
    return sweep_columns_total(name) != SIZE_MAX;
}

size_t sweep_columns_total_count(void)
{
    return extrapolation_count();
}

const char *sweep_columns_total_name(size_t index)
{
    return extrapolation_column(index).name;
}

size_t sweep_columns_total(const char *name)
{
    for (size_t i = 0; i < extrapolation_count(); i++)
        if (strcmp(extrapolation_column(i).name, name) == 0)
            return i;
    return SIZE_MAX;
}
