#include "tools/study/footprint/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "tools/run/input_guard.h"
#include "tools/run/plan/launches.h"
#include "traces/base/files/output_files.h"
#include "traces/base/process/stop.h"

struct footprint {
    const struct footprint_request *request;
    struct trace_workload *workload;
    struct launches launches;
    size_t last; /* position of the last launch that is shown */
    struct trace_reuse *reuse;
    struct input_guard reads;
    struct output_files files;
    struct footprint_row row; /* waits for the next launch */
    bool waits;               /* there is one, and it is to be shown */
    bool any;                 /* a launch has been read */
    struct progress progress;
    struct progress_launch running;
    uint64_t blocks; /* of the current launch */
};

/* ---- output ------------------------------------------------------------ */

/* In the order in which they are renamed: when the table exists, so does its companion. */
enum { SOURCES, ROWS };

static int open_output(struct footprint *footprint, struct error *err)
{
    const struct footprint_request *request = footprint->request;
    struct output_files *files = &footprint->files;
    files->check = input_guard_check;
    files->data = &footprint->reads;
    if (request->output == NULL)
        return 0;
    if (strcmp(request->output, "-") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: the table has a companion file next to it: give it a name");
    if (output_files_open(files, ROWS, request->output, "", request->replace, err) != 0 ||
        output_files_open(files, SOURCES, request->output, ".sources.csv", request->replace,
                          err) != 0)
        return -1;
    footprint_csv_head(files->files[ROWS].file);
    footprint_sources_head(files->files[SOURCES].file);
    return 0;
}

/* Shows the row that waited and is now complete. */
static void show(struct footprint *footprint)
{
    const struct footprint_request *request = footprint->request;
    if (!footprint->waits)
        return;
    footprint->waits = false;
    if (request->complete != NULL)
        request->complete(request->data, &footprint->row);
    if (footprint->files.files[ROWS].file != NULL)
        footprint_csv_row(footprint->files.files[ROWS].file, &footprint->row);
}

/* ---- launches ---------------------------------------------------------- */

static bool watch(void *data, uint64_t blocks, uint64_t records)
{
    struct footprint *footprint = data;
    const struct sim_progress now = {
        .blocks = footprint->blocks, .blocks_done = blocks, .warp_insts = records};
    progress_show(&footprint->running, &now);
    return stop_signal() == 0;
}

/* Completes the row of the previous launch with what the current one touches of it. */
static void complete_row(struct footprint *footprint, const struct trace_footprint *counts)
{
    footprint->row.has_next = true;
    footprint->row.next_lines = counts->lines.shared;
    footprint->row.next_sectors = counts->sectors.shared;
    footprint->row.next_addresses = counts->shared_addresses;
}

static int begin_row(struct footprint *footprint, uint64_t number,
                     const struct trace_header *header, const struct trace_footprint *counts,
                     struct error *err)
{
    struct footprint_row *row = &footprint->row;
    footprint_row_finish(row);
    if (footprint_row_init(row, number, header, counts, err) != 0)
        return -1;
    row->has_previous = footprint->any;
    row->back =
        trace_reuse_back(counts->sources, counts->source_count, &footprint->request->limits);
    footprint->waits = true;
    if (footprint->request->read != NULL)
        footprint->request->read(footprint->request->data, row);
    if (footprint->files.files[SOURCES].file != NULL)
        footprint_sources_rows(footprint->files.files[SOURCES].file, row);
    return 0;
}

static bool is_chosen(const struct footprint *footprint, uint64_t number)
{
    return footprint->request->launches.count == 0 ||
           ranges_contain(&footprint->request->launches, number);
}

static int read_kernel(struct footprint *footprint, struct trace_kernel *kernel,
                       uint64_t number, struct error *err)
{
    struct trace_footprint counts;
    const struct trace_header *header = trace_kernel_header(kernel);
    const struct trace_reuse_watch hook = {watch, footprint};
    footprint->blocks = (uint64_t)header->grid[0] * header->grid[1] * header->grid[2];
    progress_launch(&footprint->running, &footprint->progress,
                    launches_warps(header->grid, header->block));
    int rc = trace_reuse_launch(footprint->reuse, kernel, &hook, &counts, err);
    if (rc != 0)
        return rc;
    progress_launched(&footprint->running, counts.records);
    complete_row(footprint, &counts);
    show(footprint);
    if (is_chosen(footprint, number) && begin_row(footprint, number, header, &counts, err) != 0)
        return -1;
    footprint->any = true;
    return 0;
}

static int read_launch(struct footprint *footprint, const struct trace_command *line,
                       size_t position, struct error *err)
{
    const struct trace_kernel_options options = {.memory_only = true, .no_shared = true};
    struct trace_kernel *kernel =
        trace_workload_kernel(footprint->workload, line->text, &options, err);
    if (kernel == NULL)
        return -1;
    uint64_t number = launches_number(&footprint->launches, line->text, position);
    int rc = read_kernel(footprint, kernel, number, err);
    trace_kernel_close(kernel);
    return rc;
}

/* Whether LINE is a copy, or what else was written outside of launches. */
static bool is_copy(const struct footprint *footprint, const struct trace_command *line)
{
    return trace_command_writes(line) &&
           !(footprint->request->no_written && trace_command_is_inferred(line));
}

/* Reads up to the launch after the last one that is shown. */
static int read_all(struct footprint *footprint, struct error *err)
{
    size_t position = 0;
    for (size_t i = 0; i < footprint->workload->count && position <= footprint->last; i++) {
        const struct trace_command *line = &footprint->workload->commands[i];
        int rc = 0;
        if (is_copy(footprint, line))
            rc = trace_reuse_copy(footprint->reuse, line->copy.address, line->copy.bytes, err);
        else if (line->kind == TRACE_KERNEL)
            rc = read_launch(footprint, line, ++position, err);
        if (rc != 0)
            return rc;
    }
    show(footprint);
    return 0;
}

/* ---- all --------------------------------------------------------------- */

static int find_last(struct footprint *footprint, struct error *err)
{
    const struct footprint_request *request = footprint->request;
    const struct launches *launches = &footprint->launches;
    if (launches_check_ranges(launches, &request->launches, request->workload, err) < 0)
        return -1;
    for (size_t i = 0; i < launches->count; i++) {
        uint64_t number = launches_number(launches, launches->items[i].name, i + 1);
        if (is_chosen(footprint, number))
            footprint->last = i + 1;
    }
    return 0;
}

static uint64_t count_warps(const struct footprint *footprint)
{
    uint64_t warps = 0;
    for (size_t i = 0; i < footprint->launches.count && i <= footprint->last; i++)
        warps += footprint->launches.items[i].warps;
    return warps;
}

int footprint_read(struct footprint *footprint, struct trace_reuse_totals *totals,
                   struct error *err)
{
    size_t last = footprint->last, count = footprint->launches.count;
    count = last < count ? last + 1 : count;
    progress_init(&footprint->progress, footprint->request->progress, count,
                  count_warps(footprint));
    int rc = read_all(footprint, err);
    progress_finish(&footprint->progress);
    trace_reuse_totals(footprint->reuse, totals);
    if (rc == 0 && footprint->request->output != NULL)
        rc = output_files_commit(&footprint->files, err);
    if (rc <= 0)
        return rc;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s after %zu of %zu launches",
              stop_name(), footprint->progress.done, count);
    return stop_code();
}

static int prepare(struct footprint *footprint, struct error *err)
{
    const struct footprint_request *request = footprint->request;
    const struct trace_reuse_options options = {.addresses = true,
                                                .resident_blocks = request->resident};
    footprint->workload = launches_open(&footprint->launches, request->workload, err);
    if (footprint->workload == NULL || find_last(footprint, err) < 0)
        return -1;
    footprint->reuse = trace_reuse_create(&options, err);
    stop_init(); /* before anything is written */
    return footprint->reuse != NULL ? open_output(footprint, err) : -1;
}

struct footprint *footprint_create(const struct footprint_request *request, struct error *err)
{
    struct footprint *footprint = calloc(1, sizeof *footprint);
    if (footprint == NULL) {
        error_no_memory(err);
        return NULL;
    }
    footprint->request = request;
    footprint->reads = (struct input_guard){.names = &request->workload, .count = 1};
    if (prepare(footprint, err) == 0)
        return footprint;
    footprint_destroy(footprint);
    return NULL;
}

void footprint_destroy(struct footprint *footprint)
{
    if (footprint == NULL)
        return;
    footprint_row_finish(&footprint->row);
    output_files_finish(&footprint->files);
    input_guard_finish(&footprint->reads);
    trace_reuse_destroy(footprint->reuse);
    launches_finish(&footprint->launches);
    trace_workload_destroy(footprint->workload);
    free(footprint);
}
