/* The policy wood: the estimator of "A Model for Estimating Trace-Sample Miss Ratios" (Wood,
 * Hill, Kessler, 1991), with a launch as the sample.
 *
 * It reads only the measured launches. Each is executed functionally with an empty L2, which
 * says for which share of the time block frames are dead: sim_frames_create(). Its state then
 * has the remaining share of the lines that came to frames of which nothing was known. What
 * copies bring just before the launch is known. */
#include <stdlib.h>

#include "warmup/launch_positions.h"
#include "warmup/pass.h"
#include "warmup/policies.h"

/* The measured launches of a workload, one after the other. */
struct wood {
    const struct warmup_states *states;
    struct sim **sims; /* one for each configuration */
    struct warmup_pass reading;
    struct launch_positions index;
    size_t position;     /* of the launch in hand */
    size_t first_copies; /* the line of the list after the launch before it */
};

/* Executes the launch NAME with empty caches of SIM, which watches FRAMES. */
static int execute(struct wood *wood, const char *name, struct sim *sim,
                   struct sim_frames *frames, struct error *err)
{
    sim_flush(sim, SIM_L1 | SIM_L2, true);
    sim_frames_watch(sim, frames);
    int result = warmup_pass_execute(&wood->reading, name, wood->position, sim, err);
    sim_frames_watch(sim, NULL);
    return result;
}

/* The copies between the launch before and line AT of the list. */
static void copy(const struct wood *wood, size_t at, struct sim *sim)
{
    const struct trace_command *commands = wood->states->workload->commands;
    for (size_t i = wood->first_copies; i < at; i++)
        if (trace_command_writes(&commands[i]))
            sim_copy(sim, commands[i].copy.address, commands[i].copy.bytes,
                     commands[i].kind == TRACE_COPY_DEVICE);
}

/* Makes the state of configuration CONFIG before the launch in line AT of the list. */
static int make_state(struct wood *wood, size_t at, size_t config, struct error *err)
{
    const struct warmup_state_spec *spec = &wood->states->spec;
    struct sim *sim = wood->sims[config];
    struct sim_frames *frames = sim_frames_create(sim, err);
    if (frames == NULL)
        return -1;
    int result = execute(wood, wood->states->workload->commands[at].text, sim, frames, err);
    if (result == 0) {
        sim_frames_place(frames, sim);
        copy(wood, at, sim);
        result = spec->take(spec->data, sim, NULL, config, wood->position, err);
    }
    sim_frames_destroy(frames);
    return result;
}

/* Handles line AT of the list. */
static int follow(struct wood *wood, size_t at, struct error *err)
{
    int result = 0;
    if (wood->states->workload->commands[at].kind != TRACE_KERNEL)
        return 0;
    wood->position++;
    bool wanted = wood->position > 1 && launch_positions_at(&wood->index, wood->position) != 0;
    for (size_t c = 0; wanted && c < wood->states->spec.count && result == 0; c++)
        result = make_state(wood, at, c, err);
    wood->first_copies = at + 1;
    return result;
}

static int create_sims(struct wood *wood, struct error *err)
{
    const struct warmup_state_spec *spec = &wood->states->spec;
    wood->sims = calloc(spec->count, sizeof(struct sim *));
    if (wood->sims == NULL)
        return error_no_memory(err);
    for (size_t c = 0; c < spec->count; c++)
        if ((wood->sims[c] = sim_create(spec->configs[c], err)) == NULL)
            return -1;
    return 0;
}

static int make_states(const struct warmup_states *states, struct error *err)
{
    const struct trace_workload *workload = states->workload;
    struct wood wood = {.states = states,
                        .reading = {.workload = workload, .watch = states->task->watch}};
    if (!launch_positions_init(&wood.index, states->task->measured, states->task->count))
        return error_no_memory(err);
    int result = create_sims(&wood, err);
    for (size_t i = 0; i < workload->count && wood.position < wood.index.last && result == 0;
         i++)
        result = follow(&wood, i, err);
    for (size_t c = 0; c < states->spec.count && wood.sims != NULL; c++)
        sim_destroy(wood.sims[c]);
    free(wood.sims);
    launch_positions_finish(&wood.index);
    return result;
}

const struct warmup_policy warmup_policy_wood = {
    .policy = {.name = "wood",
               .description = "restore lines that the launch touches, as many as Wood's "
                              "estimator expects to be in L2"},
    .make = warmup_restore,
    .make_states = make_states,
    .alone = true,
    .states = true,
    .ahead = true,
};
