/* A GPU whose launches the caller starts one by one. */
#include <stdlib.h>
#include <string.h>

#include "tools/library/inner.h"
#include "tools/run/jobs.h"
#include "tools/run/plan/state_file.h"
#include "tools/run/traced.h"
#include "traces/base/process/host.h"

_Static_assert((int)HEARTH_DETAILED == PLAN_DETAILED && (int)HEARTH_MEMORY == PLAN_MEMORY &&
                   (int)HEARTH_FUNCTIONAL == PLAN_FUNCTIONAL,
               "modes are those of plans");
_Static_assert((int)HEARTH_BLOCK_RUN == SIM_BLOCK_RUN &&
                   (int)HEARTH_BLOCK_SKIP == SIM_BLOCK_SKIP &&
                   (int)HEARTH_BLOCK_TIMED == SIM_BLOCK_TIMED &&
                   (int)HEARTH_BLOCK_END == SIM_BLOCK_END &&
                   (int)HEARTH_BLOCK_WARM == SIM_BLOCK_WARM,
               "choices are those of the simulator");
_Static_assert((int)HEARTH_L1 == SIM_L1 && (int)HEARTH_L2 == SIM_L2,
               "levels are those of the simulator");

struct hearth_gpu {
    struct hearth_results *results; /* with the configuration */
    struct sim *sim;
    uint64_t counters[sizeof(struct sim_counters) / sizeof(uint64_t)]; /* of an interval */
    const struct hearth_launch_hooks *hooks; /* of the running launch */
    struct trace_kernel *kernel;             /* the same */
};

/* ---- creation ---------------------------------------------------------- */

static int prepare(struct hearth_gpu *gpu, const struct run_request *request, struct error *err)
{
    gpu->results = inner_results_create(err);
    if (gpu->results == NULL)
        return -1;
    struct results *results = &gpu->results->results;
    results->config = run_config(request, &results->notes, err);
    results->store = results->config != NULL ? row_store_create(err) : NULL;
    results->rows.store = results->store;
    results->stop_reason = "end";
    if (results->store == NULL)
        return -1;
    gpu->sim = sim_create(results->config, err);
    const unsigned threads =
        request->threads > 0 ? request->threads : jobs_share(1, results->config);
    return gpu->sim != NULL ? sim_set_threads(gpu->sim, threads, err) : -1;
}

struct hearth_gpu *hearth_gpu_create(const struct hearth_request *request,
                                     struct hearth_error *to)
{
    struct error err = {0};
    const struct run_request inner = inner_request(request);
    struct hearth_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL)
        error_no_memory(&err);
    else if (inner.threads > RUN_JOBS)
        error_set(&err, ERROR_USAGE, NULL, 0, 0, "threads: at most %d", RUN_JOBS);
    else if (inner_check_locale(&err) == 0)
        prepare(gpu, &inner, &err);
    if (inner_report(to, &err) == HEARTH_OK)
        return gpu;
    hearth_gpu_destroy(gpu);
    return NULL;
}

void hearth_gpu_destroy(struct hearth_gpu *gpu)
{
    if (gpu == NULL)
        return;
    sim_destroy(gpu->sim);
    hearth_results_destroy(gpu->results);
    free(gpu);
}

const struct hearth_results *hearth_gpu_results(const struct hearth_gpu *gpu)
{
    return gpu->results;
}

/* ---- hooks ------------------------------------------------------------- */

static bool on_progress(void *data, const struct sim_progress *now)
{
    const struct hearth_launch_hooks *hooks = ((struct hearth_gpu *)data)->hooks;
    const struct hearth_launch_progress progress = {now->cycle, now->warp_insts,
                                                    now->blocks_done, now->blocks};
    return hooks->progress(hooks->data, &progress);
}

static struct hearth_block translate(const struct sim_block *block)
{
    return (struct hearth_block){
        .order = block->order,
        .index = {block->index[0], block->index[1], block->index[2]},
        .sm = block->sm,
        .begin = block->begin,
        .end = block->end,
    };
}

static enum sim_block_choice on_block_begins(void *data, const struct sim_block *block,
                                             uint64_t *cycles)
{
    const struct hearth_launch_hooks *hooks = ((struct hearth_gpu *)data)->hooks;
    const struct hearth_block seen = translate(block);
    const enum hearth_block_choice choice = hooks->block_begins(hooks->data, &seen, cycles);
    if (choice == HEARTH_BLOCK_TIMED && *cycles == 0)
        *cycles = 1;
    return (enum sim_block_choice)choice;
}

static void on_block_ended(void *data, const struct sim_block *block)
{
    const struct hearth_launch_hooks *hooks = ((struct hearth_gpu *)data)->hooks;
    const struct hearth_block seen = translate(block);
    hooks->block_ended(hooks->data, &seen);
}

static void on_warp_ended(void *data, const struct sim_block *block)
{
    const struct hearth_launch_hooks *hooks = ((struct hearth_gpu *)data)->hooks;
    const struct hearth_block seen = translate(block);
    hooks->warp_ended(hooks->data, &seen);
}

static void on_sm_event(void *data, const struct sim_event *event)
{
    const struct hearth_gpu *gpu = data;
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(gpu->kernel, &count);
    if (event->kind != SIM_EVENT_ISSUE || event->inst >= count)
        return;
    const struct trace_inst *inst = &insts[event->inst];
    const struct hearth_issue seen = {
        .cycle = event->begin,
        .block = event->block,
        .warp = event->warp,
        .scheduler = event->scheduler,
        .lanes = event->mask,
        .pc = inst->pc,
        .opcode = trace_kernel_opcode(gpu->kernel, inst),
    };
    gpu->hooks->issued(gpu->hooks->data, &seen);
}

static void on_interval_ended(void *data, const struct sim_interval *interval)
{
    struct hearth_gpu *gpu = data;
    for (size_t i = 0; i < sim_counter_count; i++)
        gpu->counters[i] = sim_counter_get(&interval->counters, i);
    const struct hearth_interval seen = {interval->begin, interval->end, gpu->counters};
    gpu->hooks->interval_ended(gpu->hooks->data, &seen);
}

static struct sim_hooks make_hooks(struct hearth_gpu *gpu,
                                   const struct hearth_launch_hooks *hooks)
{
    static const struct hearth_launch_hooks none = {0};
    gpu->hooks = hooks != NULL ? hooks : &none;
    return (struct sim_hooks){
        .data = gpu,
        .progress = gpu->hooks->progress != NULL ? on_progress : NULL,
        .block_begins = gpu->hooks->block_begins != NULL ? on_block_begins : NULL,
        .block_ended = gpu->hooks->block_ended != NULL ? on_block_ended : NULL,
        .interval_ended = gpu->hooks->interval_ended != NULL ? on_interval_ended : NULL,
        .interval = gpu->hooks->interval_ended != NULL ? gpu->hooks->interval : 0,
        .warp_ended = gpu->hooks->warp_ended != NULL ? on_warp_ended : NULL,
        .sm_event = gpu->hooks->issued != NULL ? on_sm_event : NULL,
        .events = {gpu->hooks->issued_sm, 0, UINT64_MAX},
    };
}

size_t hearth_counters(void)
{
    return sim_counter_count;
}

struct hearth_column hearth_counter(size_t index)
{
    const struct sim_counter *counter = &sim_counter_table[index];
    return (struct hearth_column){counter->name, counter->unit, counter->description};
}

/* ---- launches ---------------------------------------------------------- */

/* Simulates KERNEL and stores its row, unless a hook stopped it. */
static int simulate(struct hearth_gpu *gpu, struct trace_kernel *kernel, uint64_t number,
                    enum plan_mode mode, const struct hearth_launch_hooks *hooks,
                    struct error *err)
{
    struct row row;
    struct rows *rows = &gpu->results->results.rows;
    const struct sim_hooks inner = make_hooks(gpu, hooks);
    const double began = host_seconds();
    gpu->kernel = kernel;
    if (rows_begin(rows, &row, trace_kernel_header(kernel), (struct row_segment){"", 1}, err) !=
        0)
        return -1;
    row.launch = number;
    row.segments = 1;
    row.role = PLAN_MEASURE;
    row.mode = mode;
    row.scale = 1;
    sim_flush_start(gpu->sim);
    int result = mode == PLAN_FUNCTIONAL
                     ? sim_functional(gpu->sim, kernel, &inner, &row.result, err)
                     : sim_launch(gpu->sim, kernel, &inner, &row.result, err);
    if (result == 0 && mode != PLAN_FUNCTIONAL && !row_keep(&row, gpu->sim))
        result = error_no_memory(err);
    row.seconds = host_seconds() - began;
    if (result == 0 && !row.result.stopped) {
        sim_flush_end(gpu->sim);
        traced_notes(&row.notes, gpu->sim, kernel, &row.result.counters);
        result = rows_add(rows, &row, err);
    }
    row_finish(&row);
    return result;
}

static int launch(struct hearth_gpu *gpu, const struct hearth_workload *workload, size_t index,
                  enum plan_mode mode, const struct hearth_launch_hooks *hooks,
                  struct error *err)
{
    const struct hearth_item item = hearth_item(workload, index);
    char *path = trace_workload_path(workload->traces, item.text);
    if (path == NULL)
        return error_no_memory(err);
    struct trace_kernel *kernel =
        traced_open(path, workload->traces, gpu->sim, mode, traced_options(mode), err);
    free(path);
    if (kernel == NULL)
        return -1;
    const int result = simulate(gpu, kernel, item.number, mode, hooks, err);
    trace_kernel_close(kernel);
    return result;
}

static uint64_t count_sms(const struct hearth_gpu *gpu)
{
    return sim_config_sms(gpu->results->results.config);
}

enum hearth_status hearth_gpu_launch(struct hearth_gpu *gpu,
                                     const struct hearth_workload *workload, size_t index,
                                     enum hearth_mode mode,
                                     const struct hearth_launch_hooks *hooks,
                                     struct hearth_error *to)
{
    struct error err = {0};
    if (index >= hearth_items(workload) || hearth_item(workload, index).kind != HEARTH_LAUNCH)
        error_set(&err, ERROR_USAGE, NULL, 0, 0, "item %zu of the workload is not a launch",
                  index);
    else if (mode > HEARTH_FUNCTIONAL)
        error_set(&err, ERROR_USAGE, NULL, 0, 0, "there is no mode %d", (int)mode);
    else if (hooks != NULL && hooks->issued != NULL && hooks->issued_sm >= count_sms(gpu))
        error_set(&err, ERROR_USAGE, NULL, 0, 0, "there is no SM %u, only 0 to %u",
                  hooks->issued_sm, (unsigned)count_sms(gpu) - 1);
    else
        launch(gpu, workload, index, (enum plan_mode)mode, hooks, &err);
    return inner_report(to, &err);
}

/* ---- memory ------------------------------------------------------------ */

void hearth_gpu_copy(struct hearth_gpu *gpu, uint64_t address, uint64_t bytes)
{
    sim_copy(gpu->sim, address, bytes, false);
}

void hearth_gpu_device_copy(struct hearth_gpu *gpu, uint64_t address, uint64_t bytes)
{
    sim_copy(gpu->sim, address, bytes, true);
}

void hearth_gpu_flush(struct hearth_gpu *gpu, unsigned levels)
{
    sim_flush(gpu->sim, levels, false);
}

void hearth_gpu_reset(struct hearth_gpu *gpu)
{
    sim_reset(gpu->sim);
}

enum hearth_status hearth_gpu_save(struct hearth_gpu *gpu, const char *path,
                                   struct hearth_error *to)
{
    struct error err = {0};
    if (state_file_check(path, &err) == 0)
        state_file_save(gpu->sim, NULL, path, &err);
    return inner_report(to, &err);
}

enum hearth_status hearth_gpu_restore(struct hearth_gpu *gpu, const char *path,
                                      struct hearth_error *to)
{
    struct error err = {0};
    state_file_restore(gpu->sim, path, &err);
    return inner_report(to, &err);
}
