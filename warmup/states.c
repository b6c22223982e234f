#include "warmup/states.h"

#include "warmup/launch_positions.h"
#include "warmup/pass.h"
#include "warmup/policies.h"

/* The pass over a workload. */
struct workload_pass {
    const struct warmup_states *states;
    struct warmup_state_pass *made;
    struct warmup_pass reading;
    struct launch_positions index; /* of the launches whose states are needed */
    size_t position;               /* of the launch in hand */
    const char *name;              /* as the list calls it */
};

static struct trace_kernel *open_launch(void *data, struct error *err)
{
    struct workload_pass *pass = data;
    pass->reading.code = warmup_state_pass_wants_code(pass->made);
    return warmup_pass_open(&pass->reading, pass->name, pass->position, err);
}

static int read_lines(void *data, struct trace_reuse *reuse, struct error *err)
{
    struct workload_pass *pass = data;
    struct trace_footprint ignored;
    pass->reading.code = false;
    return warmup_pass_read(&pass->reading, pass->name, pass->position, reuse, &ignored, err);
}

static bool on_progress(void *data, const struct sim_progress *now)
{
    struct workload_pass *pass = data;
    pass->reading.now = *now;
    return warmup_pass_goes_on(&pass->reading);
}

/* Handles one line of the workload's list. */
static int follow(struct workload_pass *pass, const struct trace_command *command,
                  struct error *err)
{
    if (trace_command_writes(command))
        warmup_state_pass_copy(pass->made, command->copy.address, command->copy.bytes,
                               command->kind == TRACE_COPY_DEVICE);
    if (command->kind != TRACE_KERNEL)
        return 0;
    pass->position++;
    pass->name = command->text;
    const struct warmup_state_launch launch = {
        .open = open_launch,
        .read = read_lines,
        .progress = on_progress,
        .data = pass,
        .save = pass->position > 1 && launch_positions_at(&pass->index, pass->position) != 0,
        .execute = pass->position < pass->index.last,
    };
    return warmup_state_pass_launch(pass->made, &launch, err);
}

int warmup_states_make(const struct warmup_states *states, struct error *err)
{
    const struct trace_workload *workload = states->workload;
    struct workload_pass pass = {
        .states = states, .reading = {.workload = workload, .watch = states->task->watch}};
    if (!launch_positions_init(&pass.index, states->task->measured, states->task->count))
        return error_no_memory(err);
    pass.made = warmup_state_pass_create(&states->spec, err);
    int result = pass.made != NULL ? 0 : -1;
    for (size_t i = 0; i < workload->count && pass.position < pass.index.last && result == 0;
         i++)
        result = follow(&pass, &workload->commands[i], err);
    warmup_state_pass_destroy(pass.made);
    launch_positions_finish(&pass.index);
    return result;
}
