#include "warmup/states.h"

#include <stdlib.h>

#include "warmup/launch_positions.h"
#include "warmup/pass.h"
#include "warmup/policies.h"

/* The pass in progress. */
struct state_pass {
    const struct warmup_states *states;
    struct warmup_pass reading;
    struct sim **sims;             /* one for each configuration; the first one drives the
                                      pass */
    struct launch_positions index; /* of the launches whose states are needed */
    size_t position;               /* launches so far */
};

/* ---- what a launch needs ---- */

static void add_line(void *data, uint64_t address, uint8_t sectors)
{
    sim_needs_add(data, address, sectors);
}

/* Reads the lines that the launch touches into REUSE, which is empty. */
static int read_lines(struct trace_reuse *reuse, struct state_pass *pass,
                      const struct trace_command *command, struct error *err)
{
    struct trace_footprint ignored;
    return warmup_pass_read(&pass->reading, command->text, pass->position + 1, reuse, &ignored,
                            err);
}

/* The address of local memory depends on the SM that executes a block, which depends on
 * timing: a launch that uses local memory may need any line. */
static int take_needed(const struct state_pass *pass, size_t config,
                       const struct trace_reuse *reuse, struct error *err)
{
    const struct warmup_states *states = pass->states;
    struct sim_needs *needs = sim_needs_create(pass->sims[config], err);
    if (needs == NULL)
        return -1;
    if (trace_reuse_lines(reuse, add_line, needs) != 0)
        sim_needs_all(needs);
    int result =
        states->take(states->data, pass->sims[config], needs, config, pass->position + 1, err);
    sim_needs_destroy(needs);
    return result;
}

/* ---- the pass ---- */

static int take_whole(const struct state_pass *pass, struct error *err)
{
    const struct warmup_states *states = pass->states;
    int result = 0;
    for (size_t c = 0; c < states->count && result == 0; c++)
        result = states->take(states->data, pass->sims[c], NULL, c, pass->position + 1, err);
    return result;
}

/* A flush of L2 before the launch writes all dirty data: then the whole state is needed. */
static int take_states(struct state_pass *pass, const struct trace_command *command,
                       struct error *err)
{
    const struct warmup_states *states = pass->states;
    if (!states->needed || states->configs[0]->options.gpgpu_flush_l2_cache)
        return take_whole(pass, err);
    struct trace_reuse *reuse = trace_reuse_create(NULL, err);
    int result = reuse != NULL ? read_lines(reuse, pass, command, err) : -1;
    for (size_t c = 0; c < states->count && result == 0; c++)
        result = take_needed(pass, c, reuse, err);
    trace_reuse_destroy(reuse);
    return result;
}

static void flush(const struct state_pass *pass)
{
    const struct sim_options *options = &pass->states->configs[0]->options;
    unsigned levels = (options->gpgpu_flush_l1_cache ? (unsigned)SIM_L1 : 0) |
                      (options->gpgpu_flush_l2_cache ? (unsigned)SIM_L2 : 0);
    for (size_t c = 0; c < pass->states->count && levels != 0; c++)
        sim_flush(pass->sims[c], levels, false);
}

static bool on_progress(void *data, const struct sim_progress *now)
{
    struct warmup_pass *reading = data;
    reading->now = *now;
    return warmup_pass_goes_on(reading);
}

/* Executes the launch at the pass's position. */
static int execute(struct state_pass *pass, const struct trace_command *command,
                   struct error *err)
{
    const struct sim_hooks hooks = {.progress = on_progress, .data = &pass->reading};
    struct sim_result result = {0};
    struct trace_kernel *kernel =
        warmup_pass_open(&pass->reading, command->text, pass->position, err);
    if (kernel == NULL)
        return -1;
    result.stopped = !warmup_pass_goes_on(&pass->reading);
    int code = result.stopped ? 0 : sim_functional(pass->sims[0], kernel, &hooks, &result, err);
    trace_kernel_close(kernel);
    return code == 0 && result.stopped ? 1 : code;
}

/* Handles one line of the workload's list. */
static int follow(struct state_pass *pass, const struct trace_command *command,
                  struct error *err)
{
    if (command->kind == TRACE_COPY_HTOD)
        for (size_t c = 0; c < pass->states->count; c++)
            sim_copy(pass->sims[c], command->copy.address, command->copy.bytes);
    if (command->kind != TRACE_KERNEL)
        return 0;
    size_t position = pass->position + 1;
    int result = position > 1 && launch_positions_at(&pass->index, position) != 0
                     ? take_states(pass, command, err)
                     : 0;
    if (result != 0)
        return result;
    if (pass->position > 0)
        flush(pass);
    pass->position++;
    return pass->position < pass->index.last ? execute(pass, command, err) : 0;
}

static int create_sims(struct state_pass *pass, struct error *err)
{
    const struct warmup_states *states = pass->states;
    pass->sims = calloc(states->count, sizeof(struct sim *));
    if (pass->sims == NULL)
        return error_no_memory(err);
    for (size_t c = 0; c < states->count; c++) {
        pass->sims[c] = sim_create(states->configs[c], err);
        if (pass->sims[c] == NULL || (c > 0 && sim_follow(pass->sims[0], pass->sims[c], err)))
            return -1;
    }
    return 0;
}

int warmup_states_make(const struct warmup_states *states, struct error *err)
{
    const struct trace_workload *workload = states->workload;
    struct state_pass pass = {.states = states,
                              .reading = {.workload = workload, .watch = states->task->watch}};
    if (!launch_positions_init(&pass.index, states->task->measured, states->task->count))
        return error_no_memory(err);
    int result = create_sims(&pass, err);
    for (size_t i = 0; i < workload->count && pass.position < pass.index.last && result == 0;
         i++)
        result = follow(&pass, &workload->commands[i], err);
    for (size_t c = 0; c < states->count && pass.sims != NULL; c++)
        sim_destroy(pass.sims[c]);
    free(pass.sims);
    launch_positions_finish(&pass.index);
    return result;
}
