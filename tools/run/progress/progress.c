#include "tools/run/progress/progress.h"

#include <math.h>

#include "traces/base/process/host.h"

#define INTERVAL 0.25 /* seconds between two calls of the hook */

void progress_init(struct progress *progress, struct progress_hook hook, size_t launches,
                   uint64_t warps)
{
    *progress = (struct progress){
        .hook = hook,
        .launches = launches,
        .warps = warps,
        .start = host_seconds(),
    };
    pthread_mutex_init(&progress->mutex, NULL);
}

void progress_finish(struct progress *progress)
{
    if (progress->told)
        progress->hook.take(progress->hook.data, NULL);
    pthread_mutex_destroy(&progress->mutex);
}

void progress_pass(struct progress *progress, size_t launches, uint64_t warps)
{
    pthread_mutex_lock(&progress->mutex);
    progress->done += launches;
    progress->warps -= warps < progress->warps ? warps : progress->warps;
    pthread_mutex_unlock(&progress->mutex);
}

void progress_launch(struct progress_launch *launch, struct progress *progress, uint64_t warps)
{
    *launch = (struct progress_launch){.progress = progress, .warps = warps};
}

/* Sets the launch's contribution to the sums to INSTS and DONE warps. */
static void update(struct progress_launch *launch, uint64_t insts, double done)
{
    launch->progress->insts += insts - launch->insts;
    launch->progress->running += done - launch->done;
    launch->insts = insts;
    launch->done = done;
}

static void tell(struct progress *progress)
{
    double time = host_seconds(), elapsed = time - progress->start;
    double done = (double)progress->warps_done + progress->running;
    double all = (double)progress->warps;
    if (progress->hook.take == NULL || time - progress->last < INTERVAL)
        return;
    const struct progress_now now = {
        .what = progress->what,
        .done = progress->done,
        .launches = progress->launches,
        .share = all > 0 ? done / all : 0,
        .rate = elapsed > 0 ? (double)progress->insts / elapsed : 0,
        .left =
            done <= 0 || elapsed < 1 || all <= 0 ? -1 : fmax(elapsed * (all - done) / done, 0),
    };
    progress->last = time;
    progress->told = true;
    progress->hook.take(progress->hook.data, &now);
}

void progress_show(struct progress_launch *launch, const struct sim_progress *now)
{
    struct progress *progress = launch->progress;
    if (progress->hook.take == NULL)
        return;
    double part = now->blocks > 0 ? (double)now->blocks_done / (double)now->blocks : 0;
    pthread_mutex_lock(&progress->mutex);
    update(launch, now->warp_insts, part * (double)launch->warps);
    tell(progress);
    pthread_mutex_unlock(&progress->mutex);
}

void progress_launched(struct progress_launch *launch, uint64_t insts)
{
    struct progress *progress = launch->progress;
    pthread_mutex_lock(&progress->mutex);
    update(launch, insts, 0);
    progress->warps_done += launch->warps;
    progress->done++;
    tell(progress); /* launches that end before they report are all there may be */
    pthread_mutex_unlock(&progress->mutex);
}

void progress_drop(struct progress_launch *launch)
{
    pthread_mutex_lock(&launch->progress->mutex);
    update(launch, 0, 0);
    pthread_mutex_unlock(&launch->progress->mutex);
}
