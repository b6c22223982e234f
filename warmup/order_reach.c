#include "warmup/order_reach.h"

#include <math.h>
#include <stdlib.h>

#include "warmup/launch_positions.h"
#include "warmup/pass.h"
#include "warmup/policies.h"

/* The launches of a workload, one after another. */
struct order_pass {
    double percentile;
    uint32_t *reach; /* for each measured launch */
    struct launch_positions index;
    struct warmup_pass reading;
    size_t position; /* of the launch in hand */
    struct sim *sim;
    struct sim_frames *frames;
    uint32_t *back; /* of each set, before the launch in hand */
};

static int compare(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return first < second ? -1 : first > second;
}

/* The reach of the launch in hand, after it; sorts `back`. It is one launch more than decides
 * the order, because the first of these would begin in another order than in a full run, and so
 * leave another one. */
static uint32_t reach_of(struct order_pass *pass)
{
    size_t sets = sim_frames_sets(pass->frames);
    for (size_t i = 0; i < sets; i++)
        if (!sim_frames_matters(pass->frames, i))
            pass->back[i] = 0;
    qsort(pass->back, sets, sizeof *pass->back, compare);
    size_t covered = (size_t)ceil((double)sets * pass->percentile / 100);
    uint32_t reach = pass->back[covered > 0 ? covered - 1 : 0];
    return reach > 0 ? reach + 1 : 0;
}

static int follow_launch(struct order_pass *pass, const char *name, struct error *err)
{
    pass->position++;
    size_t first = launch_positions_at(&pass->index, pass->position);
    for (size_t i = 0; i < sim_frames_sets(pass->frames) && first != 0; i++)
        pass->back[i] = sim_frames_back(pass->frames, i);
    sim_flush_start(pass->sim);
    int result = warmup_pass_execute(&pass->reading, name, pass->position, pass->sim, err);
    sim_flush_end(pass->sim);
    uint32_t reach = result == 0 && first != 0 ? reach_of(pass) : 0;
    for (size_t i = first; i > 0 && result == 0; i = pass->index.next[i])
        pass->reach[i - 1] = reach;
    return result == 0 ? sim_frames_begin(pass->frames, err) : result;
}

static int follow(struct order_pass *pass, const struct trace_command *command,
                  struct error *err)
{
    if (trace_command_writes(command))
        sim_copy(pass->sim, command->copy.address, command->copy.bytes,
                 command->kind == TRACE_COPY_DEVICE);
    return command->kind == TRACE_KERNEL ? follow_launch(pass, command->text, err) : 0;
}

static int begin(struct order_pass *pass, const struct sim_config *config,
                 const struct warmup_task *task, struct error *err)
{
    pass->sim = sim_create(config, err);
    pass->frames = pass->sim != NULL ? sim_frames_create(pass->sim, err) : NULL;
    if (pass->frames == NULL)
        return -1;
    sim_frames_watch(pass->sim, pass->frames);
    pass->back = calloc(sim_frames_sets(pass->frames), sizeof *pass->back);
    if (pass->back == NULL || !launch_positions_init(&pass->index, task->measured, task->count))
        return error_no_memory(err);
    return sim_frames_begin(pass->frames, err);
}

static void end(struct order_pass *pass)
{
    if (pass->sim != NULL)
        sim_frames_watch(pass->sim, NULL);
    sim_frames_destroy(pass->frames);
    sim_destroy(pass->sim);
    free(pass->back);
    launch_positions_finish(&pass->index);
}

int order_reach(const struct trace_workload *workload, const struct sim_config *config,
                double percentile, const struct warmup_task *task, uint32_t *reach,
                struct error *err)
{
    struct order_pass pass = {.percentile = percentile,
                              .reach = reach,
                              .reading = {.workload = workload, .watch = task->watch}};
    if (config->options.gpgpu_flush_l2_cache && !config->options.hearth_flush_like_accelsim)
        return 0;
    int result = begin(&pass, config, task, err);
    for (size_t i = 0; i < workload->count && pass.position < pass.index.last && result == 0;
         i++)
        result = follow(&pass, &workload->commands[i], err);
    end(&pass);
    return result;
}
