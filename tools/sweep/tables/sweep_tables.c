#include "tools/sweep/tables/sweep_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/run.h"
#include "tools/sweep/tables/sweep_cells.h"
#include "tools/sweep/tables/sweep_columns.h"
#include "tools/sweep/tables/sweep_pareto.h"
#include "tools/sweep/tables/sweep_results.h"
#include "tools/sweep/tables/tidy_table.h"

/* The tables that are being written. */
struct writing {
    const struct sweep_todo *todo;
    const struct sweep_spec *spec;
    struct tidy_base base;
    struct tidy_table tables[SWEEP_TABLES];
    struct sweep_cells cells;    /* of the current workload */
    size_t cell;                 /* the current one of them */
    size_t kernel, role, cycles; /* columns of launches */
};

/* ---- columns ---- */

static int open_table(struct writing *writing, const char *folder, enum sweep_table table,
                      struct error *err)
{
    struct sweep_heads heads;
    if (!sweep_columns_init(&heads, table, writing->spec))
        return error_no_memory(err);
    int result =
        tidy_table_open(&writing->tables[table], &writing->base, folder,
                        sweep_columns_table(table), heads.names, heads.count, heads.texts, err);
    sweep_columns_finish(&heads);
    return result;
}

/* The columns of launches that kernels are summed up by. */
static void find_columns(struct writing *writing)
{
    for (size_t i = 0; i < row_column_shown(false); i++) {
        const char *name = row_column(i).name;
        if (strcmp(name, "kernel") == 0)
            writing->kernel = i;
        else if (strcmp(name, "role") == 0)
            writing->role = i;
        else if (strcmp(name, "cycles") == 0)
            writing->cycles = i;
    }
}

static int open_tables(struct writing *writing, const char *folder, struct error *err)
{
    int result = tidy_base_open(&writing->base, folder, "sweep.sqlite", err);
    for (int t = 0; t < SWEEP_TABLES && result == 0; t++)
        result = open_table(writing, folder, (enum sweep_table)t, err);
    find_columns(writing);
    return result;
}

/* ---- rows ---- */

static void write_way(struct tidy_table *table, const struct sweep_spec *spec, size_t way)
{
    const char *warm = spec->ways[way].warm;
    tidy_table_text(table, spec->methods[spec->ways[way].method].name);
    tidy_table_text(table, warm != NULL ? warm : "");
}

static void write_configuration(const struct writing *writing, struct tidy_table *table,
                                size_t index)
{
    const struct sweep_spec *spec = writing->spec;
    size_t points = writing->todo->jobs->config_count / spec->card_count;
    size_t config = index / spec->way_count;
    tidy_table_text(table, spec->cards[config / points].name);
    for (size_t a = 0; a < spec->axis_count; a++) {
        size_t point = sweep_spec_point(spec, config % points, a);
        tidy_table_text(table, spec->axes[a].points[point].label);
    }
    write_way(table, spec, index % spec->way_count);
}

static void write_cell(const struct writing *writing, struct tidy_table *table, bool job)
{
    static const char *const states[] = {"waiting", "running", "done", "failed"};
    const struct sweep_jobs *jobs = writing->todo->jobs;
    const struct sweep_cell *cell = &writing->cells.items[writing->cell];
    uint32_t run = jobs->cells[writing->cells.first + writing->cell];
    if (job)
        tidy_table_text(table, run != SWEEP_NONE ? jobs->items[run].digest : "");
    tidy_table_text(table,
                    writing->spec->workloads[writing->cells.first / writing->cells.count].name);
    write_configuration(writing, table, writing->cell);
    if (!job)
        return;
    tidy_table_text(table, states[cell->state]);
    tidy_table_text(table, cell->message != NULL ? cell->message : "");
}

static int write_launch(void *data, const struct csv_file *row, double scale, struct error *err)
{
    struct writing *writing = data;
    struct tidy_table *table = &writing->tables[SWEEP_LAUNCHES];
    write_cell(writing, table, true);
    tidy_table_real(table, scale);
    for (size_t i = 0; i < row_column_shown(false); i++) {
        const char *text = csv_file_field(row, i);
        if (row_column(i).kind == ROW_LABEL)
            tidy_table_text(table, text);
        else
            tidy_table_number(table, text);
    }
    if (strcmp(csv_file_field(row, writing->role), plan_role_names[PLAN_MEASURE]) != 0)
        return 0;
    return sweep_cells_add(&writing->cells, &writing->cells.items[writing->cell],
                           csv_file_field(row, writing->kernel),
                           scale * strtod(csv_file_field(row, writing->cycles), NULL))
               ? 0
               : error_no_memory(err);
}

/* Reads the results of the current cell and writes its launches. */
static int write_results(struct writing *writing, struct error *err)
{
    const struct sweep_jobs *jobs = writing->todo->jobs;
    struct sweep_cell *cell = &writing->cells.items[writing->cell];
    size_t number = writing->cells.first + writing->cell;
    const struct sweep_job *job = &jobs->items[jobs->cells[number]];
    char *folder = sweep_folder_path(jobs->store, job->digest, "results");
    int result = folder != NULL
                     ? sweep_results_totals(folder, jobs->configs[job->config].core_mhz,
                                            cell->totals, &cell->simulated, err)
                     : error_no_memory(err);
    if (result == 0)
        result = sweep_results_rows(folder, write_launch, writing, err);
    free(folder);
    return result;
}

/* Why the current cell has no results: a message, to be freed; NULL without memory. */
static char *message_of(const struct writing *writing)
{
    char text[ERROR_TEXT];
    const struct sweep_jobs *jobs = writing->todo->jobs;
    size_t number = writing->cells.first + writing->cell;
    uint32_t run = jobs->cells[number];
    if (run == SWEEP_NONE)
        return strdup(sweep_jobs_error(jobs, number));
    char *folder = sweep_folder_path(jobs->store, jobs->items[run].digest, "");
    if (folder == NULL)
        return NULL;
    sweep_folder_message(folder, text, sizeof text);
    free(folder);
    return strdup(text);
}

/* A cell without results has one row in the table of launches. */
static int write_launches(struct writing *writing, struct error *err)
{
    struct sweep_cell *cell = &writing->cells.items[writing->cell];
    if (cell->state == SWEEP_DONE)
        return write_results(writing, err);
    cell->message = message_of(writing);
    if (cell->message == NULL)
        return error_no_memory(err);
    write_cell(writing, &writing->tables[SWEEP_LAUNCHES], true);
    tidy_table_end_row(&writing->tables[SWEEP_LAUNCHES]);
    return 0;
}

static void write_job(struct writing *writing)
{
    struct tidy_table *table = &writing->tables[SWEEP_JOBS];
    size_t seconds = sweep_columns_total("seconds");
    const struct sweep_cell *cell = &writing->cells.items[writing->cell];
    const struct sweep_cell *full = sweep_cells_full(&writing->cells, writing->cell);
    const struct sweep_cell *baseline = sweep_cells_baseline(&writing->cells, writing->cell);
    double before = baseline != NULL ? baseline->totals[seconds] : NAN;
    write_cell(writing, table, true);
    if (cell->state == SWEEP_DONE) {
        double own = cell->totals[seconds];
        double real = full != NULL ? full->totals[seconds] : NAN;
        tidy_table_real(table, real > 0 ? fabs(own - real) / real : NAN);
        tidy_table_real(table, before);
        tidy_table_real(table, own > 0 ? before / own : NAN);
        tidy_table_whole(table, cell->simulated);
        for (size_t i = 0; i < sweep_columns_total_count(); i++)
            tidy_table_real(table, cell->totals[i]);
    }
    tidy_table_end_row(table);
}

static void write_kernels(struct writing *writing)
{
    struct tidy_table *table = &writing->tables[SWEEP_KERNELS];
    const struct sweep_cells *cells = &writing->cells;
    const struct sweep_cell *cell = &cells->items[writing->cell];
    const struct sweep_cell *baseline = sweep_cells_baseline(cells, writing->cell);
    for (size_t k = 0; k < cell->kernel_count; k++) {
        const struct sweep_kernel *kernel = &cell->kernels[k], *other = NULL;
        double seconds = kernel->cycles * sweep_cells_period(cells, writing->cell);
        double before = NAN;
        if (baseline != NULL)
            other = sweep_cells_kernel(baseline, kernel->name);
        if (other != NULL)
            before =
                other->cycles * sweep_cells_period(cells, (size_t)(baseline - cells->items));
        write_cell(writing, table, false);
        tidy_table_text(table, kernel->name);
        tidy_table_whole(table, kernel->launches);
        tidy_table_real(table, kernel->cycles);
        tidy_table_real(table, seconds);
        tidy_table_real(table, before);
        tidy_table_real(table, seconds > 0 ? before / seconds : NAN);
    }
}

static void write_configurations(struct writing *writing, const struct sweep_pareto *pareto)
{
    struct tidy_table *table = &writing->tables[SWEEP_CONFIGURATIONS];
    for (size_t i = 0; i < pareto->count; i++) {
        const struct sweep_sum *sum = &pareto->items[i];
        write_configuration(writing, table, i);
        tidy_table_whole(table, sum->done);
        tidy_table_whole(table, sum->failed);
        tidy_table_real(table, sum->seconds);
        tidy_table_real(
            table, sum->speedups > 0 ? exp(sum->speedup_logs / (double)sum->speedups) : NAN);
        tidy_table_real(table,
                        sum->kernels > 0 ? exp(sum->kernel_logs / (double)sum->kernels) : NAN);
        tidy_table_whole(table, sum->best);
    }
}

/* ---- all ---- */

static int write_workload(struct writing *writing, size_t workload, struct sweep_pareto *pareto,
                          struct error *err)
{
    struct sweep_cells *cells = &writing->cells;
    int result = sweep_cells_init(cells, writing->todo, workload, err);
    for (writing->cell = 0; result == 0 && writing->cell < cells->count; writing->cell++)
        result = write_launches(writing, err);
    for (writing->cell = 0; result == 0 && writing->cell < cells->count; writing->cell++) {
        write_job(writing);
        write_kernels(writing);
    }
    if (result == 0)
        sweep_pareto_add(pareto, cells);
    sweep_cells_finish(cells);
    return result;
}

static int write_all(struct writing *writing, const char *folder, struct error *err)
{
    struct sweep_pareto pareto;
    int result = sweep_pareto_init(&pareto, writing->todo->jobs, err);
    if (result == 0)
        result = open_tables(writing, folder, err);
    for (size_t w = 0; w < writing->spec->workload_count && result == 0; w++)
        result = write_workload(writing, w, &pareto, err);
    if (result == 0) {
        sweep_pareto_mark(&pareto);
        write_configurations(writing, &pareto);
    }
    for (int t = 0; t < SWEEP_TABLES && result == 0; t++)
        result = tidy_table_close(&writing->tables[t], err);
    if (result == 0)
        result = tidy_base_commit(&writing->base, err);
    sweep_pareto_finish(&pareto);
    return result;
}

int sweep_tables_write(const struct sweep_todo *todo, const char *folder, struct error *err)
{
    struct writing writing = {.todo = todo, .spec = todo->jobs->spec};
    int result = write_all(&writing, folder, err);
    for (int t = 0; t < SWEEP_TABLES; t++)
        tidy_table_finish(&writing.tables[t]);
    tidy_base_finish(&writing.base);
    return result;
}
