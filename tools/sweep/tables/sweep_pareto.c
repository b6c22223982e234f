#include "tools/sweep/tables/sweep_pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sweep/tables/sweep_columns.h"

int sweep_pareto_init(struct sweep_pareto *pareto, const struct sweep_jobs *jobs,
                      struct error *err)
{
    size_t goals = jobs->spec->pareto.count;
    *pareto = (struct sweep_pareto){.jobs = jobs,
                                    .count = jobs->config_count * jobs->spec->way_count};
    pareto->items = calloc(pareto->count, sizeof *pareto->items);
    pareto->goals = calloc(pareto->count * goals + 1, sizeof *pareto->goals);
    if (pareto->items == NULL || pareto->goals == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < pareto->count; i++)
        pareto->items[i].goals = pareto->goals + i * goals;
    return 0;
}

void sweep_pareto_finish(struct sweep_pareto *pareto)
{
    free(pareto->items);
    free(pareto->goals);
}

/* ---- sums ---- */

static void add_kernels(struct sweep_sum *sum, const struct sweep_cells *cells, size_t index,
                        const struct sweep_cell *baseline)
{
    const struct sweep_cell *cell = &cells->items[index];
    size_t base = (size_t)(baseline - cells->items);
    for (size_t k = 0; k < cell->kernel_count; k++) {
        const struct sweep_kernel *kernel = &cell->kernels[k];
        const struct sweep_kernel *other = sweep_cells_kernel(baseline, kernel->name);
        if (other == NULL || other->cycles <= 0 || kernel->cycles <= 0)
            continue;
        sum->kernel_logs += log(other->cycles * sweep_cells_period(cells, base) /
                                (kernel->cycles * sweep_cells_period(cells, index)));
        sum->kernels++;
    }
}

static void add_cell(struct sweep_pareto *pareto, const struct sweep_cells *cells, size_t index)
{
    struct sweep_sum *sum = &pareto->items[index];
    const struct sweep_cell *cell = &cells->items[index];
    const struct sweep_names *goals = &pareto->jobs->spec->pareto;
    size_t seconds = sweep_columns_total("seconds");
    sum->failed += cell->state == SWEEP_FAILED;
    if (cell->state != SWEEP_DONE)
        return;
    sum->done++;
    sum->seconds += cell->totals[seconds];
    for (size_t g = 0; g < goals->count; g++) {
        size_t total = sweep_columns_total(goals->items[g]);
        if (total != SIZE_MAX)
            sum->goals[g] += cell->totals[total];
    }
    const struct sweep_cell *baseline = sweep_cells_baseline(cells, index);
    if (baseline == NULL || cell->totals[seconds] <= 0)
        return;
    sum->speedup_logs += log(baseline->totals[seconds] / cell->totals[seconds]);
    sum->speedups++;
    add_kernels(sum, cells, index, baseline);
}

void sweep_pareto_add(struct sweep_pareto *pareto, const struct sweep_cells *cells)
{
    for (size_t i = 0; i < pareto->count; i++)
        add_cell(pareto, cells, i);
}

/* ---- marks ---- */

/* Goals that are axes are the numbers that their labels begin with. */
static void set_axes(struct sweep_pareto *pareto, size_t index)
{
    const struct sweep_spec *spec = pareto->jobs->spec;
    size_t points = pareto->jobs->config_count / spec->card_count;
    size_t point = index / spec->way_count % points;
    for (size_t g = 0; g < spec->pareto.count; g++) {
        size_t axis = sweep_spec_axis(spec, spec->pareto.items[g]);
        if (axis < spec->axis_count)
            pareto->items[index].goals[g] = strtod(
                spec->axes[axis].points[sweep_spec_point(spec, point, axis)].label, NULL);
    }
}

static bool is_complete(const struct sweep_pareto *pareto, size_t index)
{
    return pareto->items[index].done == pareto->jobs->spec->workload_count;
}

/* Whether A is as good as B in all goals, and better in one. */
static bool beats(const struct sweep_sum *a, const struct sweep_sum *b, size_t goals)
{
    bool better = false;
    for (size_t g = 0; g < goals; g++) {
        if (!(a->goals[g] <= b->goals[g]))
            return false;
        better |= a->goals[g] < b->goals[g];
    }
    return better;
}

void sweep_pareto_mark(struct sweep_pareto *pareto)
{
    size_t goals = pareto->jobs->spec->pareto.count, ways = pareto->jobs->spec->way_count;
    for (size_t i = 0; i < pareto->count; i++)
        set_axes(pareto, i);
    for (size_t i = 0; i < pareto->count; i++) {
        struct sweep_sum *sum = &pareto->items[i];
        sum->best = goals > 0 && is_complete(pareto, i);
        for (size_t j = i % ways; j < pareto->count && sum->best; j += ways)
            sum->best = !is_complete(pareto, j) || !beats(&pareto->items[j], sum, goals);
    }
}
