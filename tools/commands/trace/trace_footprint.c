/* hearth trace footprint: what launches touch, and what of it was there. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands/trace/footprint_options.h"
#include "tools/commands/trace/footprint_row.h"
#include "tools/commands/trace/footprint_sum.h"
#include "tools/commands/trace/trace.h"
#include "tools/run/input_guard.h"
#include "tools/run/plan/launches.h"
#include "tools/run/progress.h"
#include "tools/run/stop.h"
#include "traces/base/files/output_files.h"

/* All that a run of the command holds. */
struct footprint_work {
    struct footprint_options options;
    struct trace_workload *workload;
    struct launches launches;
    size_t last; /* position of the last launch to be shown */
    struct trace_reuse *reuse;
    struct input_guard reads;
    struct output_files files;
    struct footprint_row row; /* waits for the launch behind it */
    bool waits;               /* there is one, and it is to be shown */
    bool any;                 /* a launch was read */
    struct footprint_sum sum;
    struct progress progress;
    struct progress_launch running;
    uint64_t blocks; /* of the launch in hand */
};

/* ---- output ------------------------------------------------------------ */

/* In the order in which they get their names: the table when its companion is
 * there. */
enum { SOURCES, ROWS };

static int open_output(struct footprint_work *work, struct error *err)
{
    const struct footprint_options *options = &work->options;
    struct output_files *files = &work->files;
    files->check = input_guard_check;
    files->data = &work->reads;
    if (options->output == NULL)
        return 0;
    if (strcmp(options->output, "-") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: the table has a companion beside it: give it a name");
    if (output_files_open(files, ROWS, options->output, "", options->force, err) != 0 ||
        output_files_open(files, SOURCES, options->output, ".sources.csv", options->force,
                          err) != 0)
        return -1;
    footprint_csv_head(work->files.files[ROWS].file);
    footprint_sources_head(work->files.files[SOURCES].file);
    return 0;
}

/* The row that waited, complete now. */
static void show(struct footprint_work *work)
{
    if (!work->waits)
        return;
    work->waits = false;
    footprint_sum_add_reuse(&work->sum, &work->row);
    if (work->files.files[ROWS].file != NULL)
        footprint_csv_row(work->files.files[ROWS].file, &work->row);
    if (!work->options.quiet)
        footprint_table_line(stdout, &work->row);
}

/* ---- launches ---------------------------------------------------------- */

static bool watch(void *data, uint64_t blocks, uint64_t records)
{
    struct footprint_work *work = data;
    const struct sim_progress now = {
        .blocks = work->blocks, .blocks_done = blocks, .warp_insts = records};
    progress_show(&work->running, &now);
    return stop_signal() == 0;
}

/* What the launch that was just read tells of the one in front of it. */
static void complete_row(struct footprint_work *work, const struct trace_footprint *counts)
{
    work->row.has_next = true;
    work->row.next_lines = counts->lines.shared;
    work->row.next_sectors = counts->sectors.shared;
    work->row.next_addresses = counts->shared_addresses;
}

static int begin_row(struct footprint_work *work, uint64_t number,
                     const struct trace_header *header, const struct trace_footprint *counts,
                     struct error *err)
{
    struct footprint_row *row = &work->row;
    footprint_row_finish(row);
    if (footprint_row_init(row, number, header, counts, err) != 0)
        return -1;
    row->has_previous = work->any;
    row->back = trace_reuse_back(counts->sources, counts->source_count, &work->options.limits);
    work->waits = true;
    footprint_sum_add(&work->sum, row);
    if (work->files.files[SOURCES].file != NULL)
        footprint_sources_rows(work->files.files[SOURCES].file, row);
    return 0;
}

static bool is_chosen(const struct footprint_work *work, uint64_t number)
{
    return work->options.launches.count == 0 || ranges_contain(&work->options.launches, number);
}

static int read_kernel(struct footprint_work *work, struct trace_kernel *kernel,
                       uint64_t number, struct error *err)
{
    struct trace_footprint counts;
    const struct trace_header *header = trace_kernel_header(kernel);
    const struct trace_reuse_watch hook = {watch, work};
    work->blocks = (uint64_t)header->grid[0] * header->grid[1] * header->grid[2];
    progress_launch(&work->running, &work->progress,
                    launches_warps(header->grid, header->block));
    int rc = trace_reuse_launch(work->reuse, kernel, &hook, &counts, err);
    if (rc != 0)
        return rc;
    progress_launched(&work->running, counts.records);
    complete_row(work, &counts);
    show(work);
    if (is_chosen(work, number) && begin_row(work, number, header, &counts, err) != 0)
        return -1;
    work->any = true;
    return 0;
}

static int read_launch(struct footprint_work *work, const struct trace_command *line,
                       size_t position, struct error *err)
{
    const struct trace_kernel_options options = {
        .memory_only = true, .no_shared = true, .workload = work->workload};
    struct trace_kernel *kernel = trace_kernel_open(line->path, &options, err);
    if (kernel == NULL)
        return -1;
    uint64_t number = launches_number(&work->launches, line->text, position);
    int rc = read_kernel(work, kernel, number, err);
    trace_kernel_close(kernel);
    return rc;
}

/* Up to the launch behind the last one that is shown. */
static int read_all(struct footprint_work *work, struct error *err)
{
    size_t position = 0;
    for (size_t i = 0; i < work->workload->count && position <= work->last; i++) {
        const struct trace_command *line = &work->workload->commands[i];
        int rc = 0;
        if (line->kind == TRACE_COPY_HTOD)
            rc = trace_reuse_copy(work->reuse, line->address, line->bytes, err);
        else if (line->kind == TRACE_KERNEL)
            rc = read_launch(work, line, ++position, err);
        if (rc != 0)
            return rc;
    }
    show(work);
    return 0;
}

/* ---- all --------------------------------------------------------------- */

static int find_last(struct footprint_work *work, struct error *err)
{
    struct launches *launches = &work->launches;
    if (work->options.launches.count > 0 &&
        trace_check_ranges(&work->options.launches, launches, work->options.workload, err) < 0)
        return -1;
    for (size_t i = 0; i < launches->count; i++) {
        const struct launch_header *launch = &launches->items[i];
        uint64_t number = launches_number(launches, launch->name, launch->position);
        if (launch->position > work->last && is_chosen(work, number))
            work->last = launch->position;
    }
    return 0;
}

static uint64_t count_warps(const struct footprint_work *work)
{
    uint64_t warps = 0;
    for (size_t i = 0; i < work->launches.count; i++)
        if (work->launches.items[i].position <= work->last + 1)
            warps += work->launches.items[i].warps;
    return warps;
}

static int finish_output(struct footprint_work *work, struct error *err)
{
    struct trace_reuse_totals totals;
    trace_reuse_totals(work->reuse, &totals);
    if (!work->options.quiet)
        footprint_sum_print(stdout, &work->sum, &totals);
    if (work->files.files[ROWS].file == NULL)
        return 0;
    return output_files_commit(&work->files, err);
}

static int run(struct footprint_work *work, struct error *err)
{
    size_t count = work->last < work->launches.count ? work->last + 1 : work->launches.count;
    /* On a terminal the table's lines are progress enough. */
    bool still = !work->options.quiet && isatty(STDOUT_FILENO);
    stop_init();
    if (open_output(work, err) != 0)
        return -1;
    if (!work->options.quiet)
        footprint_table_head(stdout);
    progress_init(&work->progress, still, count, count_warps(work));
    int rc = read_all(work, err);
    progress_finish(&work->progress);
    if (rc == 0)
        return finish_output(work, err);
    if (rc < 0)
        return -1;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s after %zu of %zu launches",
              stop_name(), work->progress.done, count);
    return stop_code();
}

static int prepare(struct footprint_work *work, struct error *err)
{
    const struct trace_reuse_options options = {.addresses = true,
                                                .resident_blocks = work->options.resident};
    work->workload = trace_open(work->options.workload, err);
    if (work->workload == NULL || launches_init(&work->launches, work->workload, err) < 0 ||
        find_last(work, err) < 0)
        return -1;
    work->reuse = trace_reuse_create(&options, err);
    return work->reuse != NULL ? 0 : -1;
}

int trace_footprint(int argc, char **argv, struct error *err)
{
    struct footprint_work work = {0};
    int rc = footprint_options_parse(&work.options, argc, argv, err);
    work.reads = (struct input_guard){.names = &work.options.workload, .count = 1};
    if (rc == 0)
        rc = prepare(&work, err) != 0 ? -1 : run(&work, err);
    else if (rc == CLI_SHOWN)
        rc = 0;
    footprint_row_finish(&work.row);
    output_files_finish(&work.files);
    input_guard_finish(&work.reads);
    trace_reuse_destroy(work.reuse);
    launches_finish(&work.launches);
    trace_workload_destroy(work.workload);
    footprint_options_finish(&work.options);
    return rc;
}
