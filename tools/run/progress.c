#include "tools/run/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "tools/run/host.h"

#define INTERVAL 0.25 /* seconds between two lines */

void progress_init(struct progress *progress, bool quiet, size_t launches, uint64_t warps)
{
    *progress = (struct progress){
        .shown = !quiet && isatty(STDERR_FILENO),
        .launches = launches,
        .warps = warps,
        .start = host_seconds(),
    };
    pthread_mutex_init(&progress->mutex, NULL);
}

void progress_finish(struct progress *progress)
{
    if (progress->dirty)
        fputs("\r\033[K", stderr);
    progress->dirty = false;
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

/* The launch's share of the sums becomes INSTS and DONE warps. */
static void update(struct progress_launch *launch, uint64_t insts, double done)
{
    launch->progress->insts += insts - launch->insts;
    launch->progress->running += done - launch->done;
    launch->insts = insts;
    launch->done = done;
}

/* Hours, minutes and seconds of what is left; nothing before there is a rate. */
static void print_left(const struct progress *progress, double elapsed, double done)
{
    if (done <= 0 || elapsed < 1 || progress->warps == 0)
        return;
    double left = elapsed * ((double)progress->warps - done) / done;
    unsigned long seconds = left > 0 ? (unsigned long)left : 0;
    fprintf(stderr, ", %lu:%02lu:%02lu left", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

static void print(struct progress *progress)
{
    double time = host_seconds(), elapsed = time - progress->start;
    double done = (double)progress->warps_done + progress->running;
    if (time - progress->last < INTERVAL)
        return;
    progress->last = time;
    fprintf(stderr, "\r\033[K%s%s%zu of %zu launches, %.0f%% of all warps, %.1f k warp inst/s",
            progress->what != NULL ? progress->what : "", progress->what != NULL ? ": " : "",
            progress->done, progress->launches,
            100 * done / (progress->warps > 0 ? (double)progress->warps : 1),
            elapsed > 0 ? (double)progress->insts / elapsed / 1000 : 0);
    print_left(progress, elapsed, done);
    fflush(stderr);
    progress->dirty = true;
}

void progress_show(struct progress_launch *launch, const struct sim_progress *now)
{
    struct progress *progress = launch->progress;
    if (!progress->shown)
        return;
    double part = now->blocks > 0 ? (double)now->blocks_done / (double)now->blocks : 0;
    pthread_mutex_lock(&progress->mutex);
    update(launch, now->warp_insts, part * (double)launch->warps);
    print(progress);
    pthread_mutex_unlock(&progress->mutex);
}

void progress_launched(struct progress_launch *launch, uint64_t insts)
{
    struct progress *progress = launch->progress;
    pthread_mutex_lock(&progress->mutex);
    update(launch, insts, 0);
    progress->warps_done += launch->warps;
    progress->done++;
    pthread_mutex_unlock(&progress->mutex);
}

void progress_drop(struct progress_launch *launch)
{
    pthread_mutex_lock(&launch->progress->mutex);
    update(launch, 0, 0);
    pthread_mutex_unlock(&launch->progress->mutex);
}
