#include "tools/run/prepass.h"

#include <stdlib.h>

#include "traces/base/process/stop.h"

/* Finishes the current launch, if there is one. */
static void end_launch(struct prepass *pass)
{
    if (pass->position != 0)
        progress_launched(&pass->launch, pass->insts);
}

static bool watch(void *data, size_t position, const struct sim_progress *now)
{
    struct prepass *pass = data;
    if (stop_signal() != 0)
        return false;
    if (pass->position != position) {
        end_launch(pass);
        progress_launch(&pass->launch, &pass->progress, pass->warps[position]);
        pass->position = position;
    }
    pass->insts = now->warp_insts;
    progress_show(&pass->launch, now);
    return true;
}

int prepass_init(struct prepass *pass, const char *what, struct progress_hook hook,
                 const struct launches *launches, const size_t *positions, size_t count,
                 struct error *err)
{
    size_t last = 0;
    uint64_t warps = 0;
    for (size_t i = 0; i < count; i++)
        last = positions[i] > last ? positions[i] : last;
    *pass = (struct prepass){.watch = {watch, pass},
                             .warps = calloc(launches->count + 1, sizeof *pass->warps)};
    for (size_t i = 0; i < launches->count && pass->warps != NULL; i++) {
        uint64_t of_launch = launches->items[i].warps;
        pass->warps[i + 1] = of_launch;
        warps += i < last ? of_launch : 0;
    }
    progress_init(&pass->progress, hook, last, warps);
    pass->progress.what = what;
    return pass->warps != NULL ? 0 : error_no_memory(err);
}

void prepass_finish(struct prepass *pass)
{
    progress_finish(&pass->progress);
    free(pass->warps);
}
