#include "tools/commands/run_bounds.h"

#include <stdio.h>

#include "sim/bounds/bounds.h"
#include "tools/report/report_table.h"
#include "tools/run/plan/launches.h"

static const struct report_table_column columns[] = {
    {"launch", "", ""},
    {"kernel", "", ""},
    {"cycles", "core cycles", ""},
    {"bound", "core cycles", ""},
    {"bound_over_cycles", "", ""},
    {"limit", "", ""},
};

struct bounds_work {
    const struct results *results;
    struct plan *plan;
    struct trace_workload *workload;
    struct launches launches;
    struct bounds *bounds;
    struct report_table sheet;
    size_t copied;         /* lines of the workload whose copies have been handed over */
    size_t line, position; /* of the workload: where the search goes on; launches before it */
    bool overlap;          /* launches of several streams run at once */
};

/* The launch called NUMBER; its line in the workload is *LINE. Rows are mostly in the order of
 * the list: the search goes on behind the last one, once around. */
static const char *find(struct bounds_work *work, uint64_t number, size_t *line)
{
    for (size_t looked = 0; looked < work->workload->count; looked++) {
        if (work->line == work->workload->count)
            work->line = work->position = 0;
        *line = work->line++;
        const struct trace_command *command = &work->workload->commands[*line];
        if (command->kind == TRACE_KERNEL &&
            launches_number(&work->launches, command->text, ++work->position) == number)
            return command->text;
    }
    return NULL;
}

static int copy_until(struct bounds_work *work, size_t line, struct error *err)
{
    for (; work->copied < line; work->copied++) {
        const struct trace_command *command = &work->workload->commands[work->copied];
        if (trace_command_writes(command) &&
            bounds_copy(work->bounds, command->copy.address, command->copy.bytes, err) != 0)
            return -1;
    }
    return 0;
}

static void add_row(struct bounds_work *work, const struct row *row,
                    const struct launch_bound *bound)
{
    struct report_table *sheet = &work->sheet;
    double cycles = (double)(row->result.end_cycle - row->result.start_cycle);
    report_table_count(sheet, row->launch);
    report_table_text(sheet, row->kernel);
    report_table_number(sheet, cycles, 0);
    report_table_number(sheet, bound->cycles, 0);
    report_table_number(sheet, cycles > 0 ? bound->cycles / cycles : 0, 3);
    report_table_text(sheet, bound_limit_name(bound->limit));
}

/* Parts of launches have no bound. */
static bool has_bound(const struct row *row)
{
    return row->role == PLAN_MEASURE && row->mode == PLAN_DETAILED && row->primed == 0 &&
           !row->result.stopped;
}

static int add_launch(struct bounds_work *work, const struct row *row, struct error *err)
{
    size_t line = 0;
    struct launch_bound bound;
    const char *name = find(work, row->launch, &line);
    if (name == NULL)
        return 0;
    enum bounds_caches caches = row->result.restored_sectors != 0 ? BOUNDS_FILLED
                                : work->overlap                   ? BOUNDS_SHARED
                                                                  : BOUNDS_KNOWN;
    if (copy_until(work, line, err) != 0 ||
        bounds_launch(work->bounds, work->workload, name, caches, &bound, err) != 0)
        return -1;
    if (has_bound(row))
        add_row(work, row, &bound);
    return 0;
}

/* Whether launches of several streams may have run at once. */
static bool overlaps(const struct results *results)
{
    struct rows_pass pass = {.rows = &results->rows};
    const struct row *row = rows_next(&pass);
    uint64_t stream = row != NULL ? row->stream : 0;
    bool several = false;
    for (; row != NULL; row = rows_next(&pass))
        several |= row->stream != stream;
    return several && results->config->options.gpgpu_concurrent_kernel_sm;
}

static int add_launches(struct bounds_work *work, struct error *err)
{
    struct rows_pass pass = {.rows = &work->results->rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;)
        if (add_launch(work, row, err) != 0) {
            rows_leave(&pass);
            return -1;
        }
    return work->sheet.failed ? error_no_memory(err) : 0;
}

static int make(struct bounds_work *work, const char *target, struct error *err)
{
    const struct sim_config *config = work->results->config;
    work->plan = plan_open(target, err);
    if (work->plan == NULL)
        return -1;
    const char *path = work->plan->workload != NULL ? work->plan->workload : target;
    work->workload = launches_open(&work->launches, path, err);
    if (work->workload == NULL)
        return -1;
    work->overlap = overlaps(work->results);
    work->bounds = bounds_create(config, config->options.gpgpu_flush_l1_cache, false);
    if (work->bounds == NULL)
        return error_no_memory(err);
    return add_launches(work, err);
}

int run_bounds_print(const struct results *results, const char *target, struct error *err)
{
    struct bounds_work work = {.results = results,
                               .sheet = {.name = "bounds", REPORT_TABLE_OF(columns)}};
    int result = make(&work, target, err);
    if (result == 0)
        report_table_write_text(&work.sheet, stdout);
    report_table_finish(&work.sheet);
    bounds_destroy(work.bounds);
    launches_finish(&work.launches);
    trace_workload_destroy(work.workload);
    plan_destroy(work.plan);
    return result;
}
