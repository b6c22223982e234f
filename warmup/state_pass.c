#include "warmup/state_pass.h"

#include <stdlib.h>

struct warmup_state_pass {
    const struct warmup_state_spec *spec;
    struct sim **sims; /* one for each configuration */
    size_t position;   /* launches so far */
};

/* ---- what a launch needs ---- */

static void add_line(void *data, uint64_t address, uint8_t sectors)
{
    sim_needs_add(data, address, sectors);
}

/* The address of local memory depends on the SM that executes a block, which depends on
 * timing: a launch that uses local memory may need any line. */
static int take_needed(const struct warmup_state_pass *pass, size_t config,
                       const struct trace_reuse *reuse, struct error *err)
{
    const struct warmup_state_spec *spec = pass->spec;
    struct sim_needs *needs = sim_needs_create(pass->sims[config], err);
    if (needs == NULL)
        return -1;
    if (trace_reuse_lines(reuse, add_line, needs) != 0)
        sim_needs_all(needs);
    int result =
        spec->take(spec->data, pass->sims[config], needs, config, pass->position + 1, err);
    sim_needs_destroy(needs);
    return result;
}

static int take_whole(const struct warmup_state_pass *pass, struct error *err)
{
    const struct warmup_state_spec *spec = pass->spec;
    int result = 0;
    for (size_t c = 0; c < spec->count && result == 0; c++)
        result = spec->take(spec->data, pass->sims[c], NULL, c, pass->position + 1, err);
    return result;
}

/* A flush of L2 before the launch writes all dirty data: then the whole state is needed. */
static int take_states(const struct warmup_state_pass *pass,
                       const struct warmup_state_launch *launch, struct error *err)
{
    const struct warmup_state_spec *spec = pass->spec;
    if (!spec->needed || spec->configs[0]->options.gpgpu_flush_l2_cache)
        return take_whole(pass, err);
    struct trace_reuse *reuse = trace_reuse_create(NULL, err);
    int result = reuse != NULL ? launch->read(launch->data, reuse, err) : -1;
    for (size_t c = 0; c < spec->count && result == 0; c++)
        result = take_needed(pass, c, reuse, err);
    trace_reuse_destroy(reuse);
    return result;
}

/* ---- the pass ---- */

static void flush(const struct warmup_state_pass *pass, void (*of_sim)(struct sim *sim))
{
    for (size_t c = 0; c < pass->spec->count; c++)
        of_sim(pass->sims[c]);
}

static int execute_with(struct sim *sim, const struct warmup_state_launch *launch,
                        struct error *err)
{
    const struct sim_hooks hooks = {.progress = launch->progress, .data = launch->data};
    struct sim_result result = {0};
    struct trace_kernel *kernel = launch->open(launch->data, err);
    if (kernel == NULL)
        return -1;
    const uint32_t *grid = trace_kernel_header(kernel)->grid;
    const struct sim_progress begun = {.blocks = (uint64_t)grid[0] * grid[1] * grid[2]};
    result.stopped = launch->progress != NULL && !launch->progress(launch->data, &begun);
    int code = result.stopped ? 0 : sim_functional(sim, kernel, &hooks, &result, err);
    trace_kernel_close(kernel);
    return code == 0 && result.stopped ? 1 : code;
}

static int execute(const struct warmup_state_pass *pass,
                   const struct warmup_state_launch *launch, struct error *err)
{
    int result = 0;
    for (size_t c = 0; c < pass->spec->count && result == 0; c++)
        result = execute_with(pass->sims[c], launch, err);
    return result;
}

int warmup_state_pass_launch(struct warmup_state_pass *pass,
                             const struct warmup_state_launch *launch, struct error *err)
{
    int result = launch->save ? take_states(pass, launch, err) : 0;
    if (result != 0)
        return result;
    flush(pass, sim_flush_start);
    pass->position++;
    result = launch->execute ? execute(pass, launch, err) : 0;
    flush(pass, sim_flush_end);
    return result;
}

bool warmup_state_pass_wants_code(const struct warmup_state_pass *pass)
{
    for (size_t c = 0; c < pass->spec->count; c++)
        if (sim_wants_code(pass->sims[c]))
            return true;
    return false;
}

void warmup_state_pass_copy(struct warmup_state_pass *pass, uint64_t address, uint64_t bytes,
                            bool on_device)
{
    for (size_t c = 0; c < pass->spec->count; c++)
        sim_copy(pass->sims[c], address, bytes, on_device);
}

static int create_sims(struct warmup_state_pass *pass, struct error *err)
{
    const struct warmup_state_spec *spec = pass->spec;
    pass->sims = calloc(spec->count, sizeof(struct sim *));
    if (pass->sims == NULL)
        return error_no_memory(err);
    for (size_t c = 0; c < spec->count; c++) {
        pass->sims[c] = sim_create(spec->configs[c], err);
        if (pass->sims[c] == NULL)
            return -1;
    }
    return 0;
}

struct warmup_state_pass *warmup_state_pass_create(const struct warmup_state_spec *spec,
                                                   struct error *err)
{
    struct warmup_state_pass *pass = calloc(1, sizeof *pass);
    if (pass == NULL) {
        error_no_memory(err);
        return NULL;
    }
    pass->spec = spec;
    if (create_sims(pass, err) == 0)
        return pass;
    warmup_state_pass_destroy(pass);
    return NULL;
}

void warmup_state_pass_destroy(struct warmup_state_pass *pass)
{
    if (pass == NULL)
        return;
    for (size_t c = 0; c < pass->spec->count && pass->sims != NULL; c++)
        sim_destroy(pass->sims[c]);
    free(pass->sims);
    free(pass);
}
