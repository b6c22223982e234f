#include "tools/sweep/tables/sweep_cells.h"

#include <stdlib.h>
#include <string.h>

#include "tools/sweep/tables/sweep_columns.h"
#include "traces/base/bytes.h"

int sweep_cells_init(struct sweep_cells *cells, const struct sweep_todo *todo, size_t workload,
                     struct error *err)
{
    const struct sweep_jobs *jobs = todo->jobs;
    size_t totals = sweep_columns_total_count();
    *cells = (struct sweep_cells){.todo = todo};
    cells->count = jobs->config_count * jobs->spec->way_count;
    cells->first = workload * cells->count;
    cells->items = calloc(cells->count, sizeof *cells->items);
    cells->totals = calloc(cells->count, totals * sizeof *cells->totals);
    if (cells->items == NULL || cells->totals == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < cells->count; i++) {
        uint32_t job = jobs->cells[cells->first + i];
        cells->items[i].totals = cells->totals + i * totals;
        cells->items[i].state =
            job != SWEEP_NONE ? (enum sweep_state)todo->states[job] : SWEEP_FAILED;
    }
    return 0;
}

void sweep_cells_finish(struct sweep_cells *cells)
{
    for (size_t i = 0; cells->items != NULL && i < cells->count; i++) {
        free(cells->items[i].kernels);
        free(cells->items[i].message);
    }
    free(cells->items);
    free(cells->totals);
    texts_finish(&cells->names);
}

const struct sweep_kernel *sweep_cells_kernel(const struct sweep_cell *cell, const char *name)
{
    for (size_t k = 0; k < cell->kernel_count; k++)
        if (strcmp(cell->kernels[k].name, name) == 0)
            return &cell->kernels[k];
    return NULL;
}

bool sweep_cells_add(struct sweep_cells *cells, struct sweep_cell *cell, const char *name,
                     double cycles)
{
    struct sweep_kernel *kernel = (struct sweep_kernel *)sweep_cells_kernel(cell, name);
    if (kernel == NULL) {
        if (!array_room(&cell->kernels, cell->kernel_count, sizeof *cell->kernels))
            return false;
        kernel = &cell->kernels[cell->kernel_count];
        *kernel = (struct sweep_kernel){.name = texts_keep(&cells->names, name, strlen(name))};
        if (kernel->name == NULL)
            return false;
        cell->kernel_count++;
    }
    kernel->launches++;
    kernel->cycles += cycles;
    return true;
}

/* ---- comparisons ---- */

/* The way of METHOD with policy WARM; full runs have none. SWEEP_SAME: there is none. */
static size_t find_way(const struct sweep_spec *spec, size_t method, const char *warm)
{
    for (size_t w = 0; w < spec->way_count; w++) {
        const struct sweep_way *way = &spec->ways[w];
        bool same = way->warm == warm ||
                    (way->warm != NULL && warm != NULL && strcmp(way->warm, warm) == 0);
        if (way->method == method && (same || spec->methods[method].method == NULL))
            return w;
    }
    return SWEEP_SAME;
}

/* The configuration that has the baseline's card and points instead of those of CONFIG. */
static size_t baseline_config(const struct sweep_jobs *jobs, size_t config)
{
    const struct sweep_spec *spec = jobs->spec;
    const struct sweep_baseline *baseline = &spec->baseline;
    size_t points = jobs->config_count / spec->card_count, point = 0;
    size_t card = baseline->card != SWEEP_SAME ? baseline->card : config / points;
    for (size_t a = 0; a < spec->axis_count; a++)
        point = point * spec->axes[a].count +
                (baseline->axes[a] != SWEEP_SAME ? baseline->axes[a]
                                                 : sweep_spec_point(spec, config % points, a));
    return card * points + point;
}

static const struct sweep_cell *cell_at(const struct sweep_cells *cells, size_t config,
                                        size_t way)
{
    size_t ways = cells->todo->jobs->spec->way_count;
    const struct sweep_cell *cell =
        way != SWEEP_SAME ? &cells->items[config * ways + way] : NULL;
    return cell != NULL && cell->state == SWEEP_DONE ? cell : NULL;
}

const struct sweep_cell *sweep_cells_baseline(const struct sweep_cells *cells, size_t index)
{
    const struct sweep_spec *spec = cells->todo->jobs->spec;
    const struct sweep_baseline *baseline = &spec->baseline;
    const struct sweep_way *way = &spec->ways[index % spec->way_count];
    if (!baseline->given)
        return NULL;
    size_t method = baseline->method != SWEEP_SAME ? baseline->method : way->method;
    const char *warm = baseline->warm != NULL ? baseline->warm : way->warm;
    return cell_at(cells, baseline_config(cells->todo->jobs, index / spec->way_count),
                   find_way(spec, method, warm));
}

const struct sweep_cell *sweep_cells_full(const struct sweep_cells *cells, size_t index)
{
    const struct sweep_spec *spec = cells->todo->jobs->spec;
    size_t method = 0;
    while (method < spec->method_count && spec->methods[method].method != NULL)
        method++;
    if (method == spec->method_count || spec->ways[index % spec->way_count].method == method)
        return NULL;
    return cell_at(cells, index / spec->way_count, find_way(spec, method, NULL));
}

double sweep_cells_period(const struct sweep_cells *cells, size_t index)
{
    const struct sweep_jobs *jobs = cells->todo->jobs;
    return 1e-6 / jobs->configs[index / jobs->spec->way_count].core_mhz;
}
