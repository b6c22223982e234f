/* The states that a plan restores. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/state_file.h"
#include "tools/run/plan/state_parts.h"
#include "tools/run/plan/warm_making.h"

static int take_state(void *data, struct sim *sim, const struct sim_needs *needs, size_t config,
                      size_t launch, struct error *err)
{
    const struct warm_making *making = data;
    char path[PATH_MAX];
    if (!making->wanted[config * (making->task.launches + 1) + launch])
        return 0;
    return state_parts_path(path, &making->warm->variants[config], launch, err) == 0
               ? state_file_save(sim, needs, path, err)
               : -1;
}

static int save_states(struct warm_making *making, const struct sim_config **configs,
                       struct error *err)
{
    struct prepass pass;
    const struct warm_plan *warm = making->warm;
    for (size_t v = 0; v < warm->count; v++)
        configs[v] = warm->variants[v].config;
    struct warmup_task task = making->task;
    task.measured = making->restored;
    task.count *= warm->count;
    int result =
        warm_making_begin_pass(making, &pass, "states", task.measured, task.count, err);
    task.watch = making->task.watch;
    const struct warmup_states states = {
        .workload = making->workload,
        .task = &task,
        .spec = {.configs = configs,
                 .count = warm->count,
                 .needed = making->warmup.policy->ahead,
                 .take = take_state,
                 .data = making},
    };
    if (result == 0)
        result =
            (making->warmup.policy->make_states != NULL ? making->warmup.policy->make_states
                                                        : warmup_states_make)(&states, err);
    warm_making_end_pass(making, &pass);
    return result;
}

int warm_making_save(struct warm_making *making, struct error *err)
{
    const struct sim_config **configs = calloc(making->warm->count, sizeof *configs);
    int result = configs != NULL ? save_states(making, configs, err) : error_no_memory(err);
    free(configs);
    return result;
}

/* Whether the state before the launch at POSITION is there. */
static int check_given(const struct warm_making *making, const struct warm_variant *variant,
                       size_t position, struct error *err)
{
    char path[PATH_MAX];
    if (state_parts_place(path, variant->place, warm_making_state_number(making, position),
                          err) != 0)
        return -1;
    FILE *file = fopen(path, "rb");
    int result = file == NULL ? error_set(err, ERROR_TRACE, path, 0, 0,
                                          "a measured launch has no state: %s", strerror(errno))
                 : sim_is_saved(file)
                     ? 0
                     : error_set(err, ERROR_TRACE, path, 0, 0, "the file is not a state of L2");
    if (file != NULL)
        fclose(file);
    return result;
}

int warm_making_check_given(struct warm_making *making, struct error *err)
{
    int result = 0;
    /* Before the application's first launch there are only copies, as in other plans. */
    making->task.first_state =
        making->task.launches > 0 && warm_making_state_number(making, 1) != 1;
    for (size_t v = 0; v < making->warm->count; v++) {
        const size_t *restored = making->restored + v * making->task.count;
        for (size_t i = 0; i < making->task.count && result == 0; i++)
            if (restored[i] > 1 || making->task.first_state)
                result = check_given(making, &making->warm->variants[v], restored[i], err);
    }
    return result;
}
