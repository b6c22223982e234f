/* The rows of a workload or a profile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bounds/bounds.h"
#include "sim/sim.h"
#include "tools/commands/estimate/estimate_rows.h"
#include "tools/run/notes.h"
#include "tools/run/plan/launches.h"
#include "tools/study/correlate/kernel_name.h"
#include "traces/base/process/stop.h"

struct row_reader {
    struct estimate_rows *rows;
    const struct estimate_request *request;
    const struct estimate_device *device;
    const struct sim_config *config;
    struct trace_workload *workload;
    struct launches launches;
    struct sim *sim;       /* functional pass; NULL: none */
    struct bounds *bounds; /* NULL: not asked for */
    struct error *err;
};

static const char *keep(struct row_reader *reader, const char *text)
{
    const char *kept = texts_keep(&reader->rows->texts, text, strlen(text));
    if (kept == NULL)
        error_no_memory(reader->err);
    return kept;
}

/* ---- workloads ---- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* What a functional launch says of hits. */
static int find_hits(struct row_reader *reader, const char *name, struct estimate_traffic *hits)
{
    struct sim_result result;
    const struct trace_kernel_options options = {.workload = reader->workload};
    struct trace_kernel *kernel =
        trace_workload_kernel(reader->workload, name, &options, reader->err);
    if (kernel == NULL)
        return -1;
    sim_flush_start(reader->sim);
    int status = sim_functional(reader->sim, kernel, NULL, &result, reader->err);
    sim_flush_end(reader->sim);
    trace_kernel_close(kernel);
    const struct sim_counters *counters = &result.counters;
    *hits = (struct estimate_traffic){
        .l1 = (double)counters->l1d_accesses,
        .l2 = (double)counters->l2_reads + (double)counters->l2_writes,
        .memory = (double)counters->dram_reads + (double)counters->dram_writes,
        .l1_hits = ratio(counters->l1d_hits, counters->l1d_accesses),
        .l2_hits = ratio(counters->l2_read_hits, counters->l2_reads),
    };
    return status;
}

static int add_bound(struct row_reader *reader, const char *name, struct estimate_row *row)
{
    struct launch_bound bound;
    if (bounds_launch(reader->bounds, reader->workload, name, BOUNDS_KNOWN, &bound,
                      reader->err) != 0)
        return -1;
    row->bound = bound.cycles;
    return 0;
}

static int add_launch(struct row_reader *reader, const char *name, uint64_t number)
{
    struct estimate_traffic hits = {0}, *known = reader->sim != NULL ? &hits : NULL;
    struct estimate_row *row = estimate_rows_add(reader->rows, reader->err);
    if (row == NULL || (known != NULL && find_hits(reader, name, &hits) != 0) ||
        (reader->bounds != NULL && add_bound(reader, name, row) != 0))
        return -1;
    const struct trace_kernel_options options = {.workload = reader->workload};
    struct trace_kernel *kernel =
        trace_workload_kernel(reader->workload, name, &options, reader->err);
    if (kernel == NULL)
        return -1;
    row->launch = number;
    row->kernel = keep(reader, trace_kernel_header(kernel)->name);
    row->known = true;
    int result = row->kernel == NULL ? -1
                                     : estimate_work_read(&row->work, kernel, reader->device,
                                                          known, reader->err);
    trace_kernel_close(kernel);
    return result;
}

static int add_copy_row(struct row_reader *reader, const struct trace_command *command)
{
    struct estimate_row *row = estimate_rows_add(reader->rows, reader->err);
    if (row == NULL)
        return -1;
    row->in = command->kind == TRACE_COPY_HTOD;
    row->kernel = row->in ? "MemcpyHtoD" : "MemcpyDtoH";
    row->bytes = (double)command->copy.bytes;
    return 0;
}

static int add_copy(struct row_reader *reader, const struct trace_command *command)
{
    bool on_device = command->kind == TRACE_COPY_DEVICE;
    if (!on_device && add_copy_row(reader, command) != 0)
        return -1;
    if (!trace_command_writes(command))
        return 0;
    if (reader->sim != NULL)
        sim_copy(reader->sim, command->copy.address, command->copy.bytes, on_device);
    if (reader->bounds != NULL)
        return bounds_copy(reader->bounds, command->copy.address, command->copy.bytes,
                           reader->err);
    return 0;
}

static int read_commands(struct row_reader *reader)
{
    size_t position = 0;
    const struct ranges *chosen = &reader->request->launches;
    for (size_t i = 0; i < reader->workload->count; i++) {
        const struct trace_command *command = &reader->workload->commands[i];
        if (stop_signal() != 0)
            return error_set(reader->err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s",
                             stop_name());
        if (trace_command_writes(command) || command->kind == TRACE_COPY_DTOH) {
            if (add_copy(reader, command) != 0)
                return -1;
        } else if (command->kind == TRACE_KERNEL) {
            uint64_t number = launches_number(&reader->launches, command->text, ++position);
            if ((chosen->count == 0 || ranges_contain(chosen, number)) &&
                add_launch(reader, command->text, number) != 0)
                return -1;
        }
    }
    return 0;
}

/* Opens the workload at PATH, and what the request needs to follow it. */
static int open_workload(struct row_reader *reader, const char *path)
{
    const struct estimate_request *request = reader->request;
    reader->workload = launches_open(&reader->launches, path, reader->err);
    if (reader->workload == NULL ||
        (request->launches.count > 0 &&
         launches_check_ranges(&reader->launches, &request->launches, path, reader->err) != 0))
        return -1;
    if (strcmp(request->hits, "functional") == 0) {
        reader->sim = sim_create(reader->config, reader->err);
        if (reader->sim == NULL)
            return -1;
    }
    if (request->bounds) {
        reader->bounds =
            bounds_create(reader->config, reader->config->options.gpgpu_flush_l1_cache, true);
        if (reader->bounds == NULL)
            return error_no_memory(reader->err);
    }
    return 0;
}

static int read_workload(struct row_reader *reader, const char *path)
{
    return open_workload(reader, path) != 0 ? -1 : read_commands(reader);
}

static void close_workload(struct row_reader *reader)
{
    bounds_destroy(reader->bounds);
    sim_destroy(reader->sim);
    launches_finish(&reader->launches);
    trace_workload_destroy(reader->workload);
}

/* ---- profiles ---- */

/* The counted launch of KERNEL with the number of threads nearest to that of ROW. */
static const struct estimate_work *find_like(const struct estimate_rows *traced,
                                             const char *kernel, const struct profile_row *row)
{
    const struct estimate_work *best = NULL;
    double distance = INFINITY;
    double threads = profile_blocks(row) * profile_block_threads(row);
    for (size_t i = 0; i < traced->count; i++) {
        const struct estimate_row *item = &traced->items[i];
        if (item->launch == 0 || !kernel_name_same(item->kernel, kernel))
            continue;
        double away = fabs(log(item->work.blocks * item->work.block_threads / threads));
        if (best == NULL || away < distance) {
            best = &item->work;
            distance = away;
        }
    }
    return best;
}

static int add_profiled(struct row_reader *reader, const struct profile *profile,
                        const struct profile_row *from, const struct estimate_rows *traced)
{
    const char *kernel = profile->kernels[from->kernel];
    struct estimate_row *row = estimate_rows_add(reader->rows, reader->err);
    if (row == NULL || (row->kernel = keep(reader, kernel)) == NULL)
        return -1;
    const struct estimate_work *like =
        traced->count > 0 ? find_like(traced, kernel, from) : NULL;
    row->launch = from->launch;
    row->known = like != NULL ? estimate_work_like(&row->work, from, like)
                              : estimate_work_of_profile(&row->work, from, reader->device);
    row->work.stream = from->stream;
    reader->rows->unknown += !row->known;
    reader->rows->untraced += reader->request->traces != NULL && like == NULL;
    return 0;
}

static int read_profile(struct row_reader *reader, const char *path,
                        const struct estimate_rows *traced)
{
    const struct ranges *chosen = &reader->request->launches;
    struct profile *profile = profile_open(path, reader->err);
    int result = profile != NULL ? 0 : -1;
    for (size_t i = 0; result == 0 && i < profile->count; i++)
        if (chosen->count == 0 || ranges_contain(chosen, profile->rows[i].launch))
            result = add_profiled(reader, profile, &profile->rows[i], traced);
    profile_destroy(profile);
    if (result == 0 && reader->rows->count > 0 && reader->rows->untraced == reader->rows->count)
        return error_set(reader->err, ERROR_USAGE, reader->request->traces, 0, 0,
                         "--traces: no launch of %s is of a kernel that is there", path);
    return result;
}

/* ---- */

/* The launches of --traces, which stand for those of the profile. */
static int read_traced(const struct row_reader *reader, struct estimate_rows *traced)
{
    struct estimate_request request = *reader->request;
    struct row_reader other = *reader;
    request.launches = (struct ranges){0};
    other.rows = traced;
    other.request = &request;
    int result = read_workload(&other, request.traces);
    close_workload(&other);
    return result;
}

int estimate_rows_read(struct estimate_rows *rows, const struct estimate_request *request,
                       const struct estimate_device *device, const struct sim_config *config,
                       struct error *err)
{
    struct row_reader reader = {
        .rows = rows, .request = request, .device = device, .config = config, .err = err};
    struct estimate_rows traced = {0};
    int result;
    if (profile_is_table(request->target)) {
        result = request->traces != NULL ? read_traced(&reader, &traced) : 0;
        if (result == 0)
            result = read_profile(&reader, request->target, &traced);
        estimate_rows_finish(&traced);
    } else {
        result = read_workload(&reader, request->target);
        close_workload(&reader);
    }
    if (result == 0 && rows->count == rows->unknown)
        return error_set(err, ERROR_USAGE, request->target, 0, 0,
                         "no launch can be estimated: each needs a grid and a block, and "
                         "instructions or, with --traces, a traced launch of its kernel");
    return result;
}
