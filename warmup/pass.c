#include "warmup/pass.h"

#include <string.h>
#include <xxhash.h>

bool warmup_pass_goes_on(const struct warmup_pass *pass)
{
    const struct warmup_watch *watch = pass->watch;
    return watch == NULL || watch->watch(watch->data, pass->position, &pass->now);
}

/* EXECUTED: it is for sim_functional(). */
static struct trace_kernel *open_view(struct warmup_pass *pass, const char *name,
                                      size_t position, bool executed, struct error *err)
{
    const struct trace_kernel_options options = {.memory_only = true,
                                                 .bare_shared = true,
                                                 .between = executed,
                                                 .code = pass->code,
                                                 .workload = pass->workload};
    struct trace_kernel *kernel = trace_workload_kernel(pass->workload, name, &options, err);
    if (kernel == NULL)
        return NULL;
    const struct trace_header *header = trace_kernel_header(kernel);
    pass->position = position;
    pass->function = XXH64(header->name, strlen(header->name), 0);
    pass->now = (struct sim_progress){.blocks = (uint64_t)header->grid[0] * header->grid[1] *
                                                header->grid[2]};
    return kernel;
}

struct trace_kernel *warmup_pass_open(struct warmup_pass *pass, const char *name,
                                      size_t position, struct error *err)
{
    return open_view(pass, name, position, true, err);
}

static bool on_progress(void *data, const struct sim_progress *now)
{
    struct warmup_pass *pass = data;
    pass->now = *now;
    return warmup_pass_goes_on(pass);
}

int warmup_pass_execute(struct warmup_pass *pass, const char *name, size_t position,
                        struct sim *sim, struct error *err)
{
    const struct sim_hooks hooks = {.progress = on_progress, .data = pass};
    struct sim_result result = {0};
    struct trace_kernel *kernel = warmup_pass_open(pass, name, position, err);
    if (kernel == NULL)
        return -1;
    int code =
        warmup_pass_goes_on(pass) ? sim_functional(sim, kernel, &hooks, &result, err) : 1;
    trace_kernel_close(kernel);
    return code == 0 && result.stopped ? 1 : code;
}

static bool watch_reuse(void *data, uint64_t blocks, uint64_t records)
{
    struct warmup_pass *pass = data;
    pass->now.blocks_done = blocks;
    pass->now.warp_insts = records;
    return warmup_pass_goes_on(pass);
}

int warmup_pass_read(struct warmup_pass *pass, const char *name, size_t position,
                     struct trace_reuse *reuse, struct trace_footprint *footprint,
                     struct error *err)
{
    const struct trace_reuse_watch watch = {watch_reuse, pass};
    struct trace_kernel *kernel = open_view(pass, name, position, false, err);
    int result = kernel == NULL ? -1
                 : !warmup_pass_goes_on(pass)
                     ? 1
                     : trace_reuse_launch(reuse, kernel, &watch, footprint, err);
    trace_kernel_close(kernel);
    return result;
}

bool warmup_copies_fill(const struct sim_config *config)
{
    return sim_config_copies_fill(config, false) || sim_config_copies_fill(config, true);
}

bool warmup_pass_copies(const struct sim_config *config, const struct trace_command *command)
{
    bool on_device = command->kind == TRACE_COPY_DEVICE;
    return trace_command_writes(command) && (sim_config_copies_fill(config, on_device) ||
                                             (!on_device && !warmup_copies_fill(config)));
}
