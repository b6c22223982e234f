#include "tools/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "tools/host.h"

#define INTERVAL 0.25 /* seconds between two lines */

void progress_init(struct progress *progress, bool quiet, size_t launches, uint64_t warps)
{
    *progress = (struct progress){
        .shown = !quiet && isatty(STDERR_FILENO),
        .launches = launches,
        .warps = warps,
        .start = host_seconds(),
    };
}

void progress_launch(struct progress *progress, uint64_t warps)
{
    progress->at++;
    progress->warps_now = warps;
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

void progress_show(struct progress *progress, const struct sim_progress *now)
{
    if (!progress->shown)
        return;
    double time = host_seconds(), elapsed = time - progress->start;
    if (time - progress->last < INTERVAL)
        return;
    progress->last = time;
    double part = now->blocks > 0 ? (double)now->blocks_done / (double)now->blocks : 0;
    double insts = (double)(progress->insts_done + now->warp_insts);
    fprintf(stderr, "\r\033[Klaunch %zu/%zu, %.0f%% of its blocks, %.1f k warp inst/s",
            progress->at, progress->launches, 100 * part,
            elapsed > 0 ? insts / elapsed / 1000 : 0);
    print_left(progress, elapsed,
               (double)progress->warps_done + part * (double)progress->warps_now);
    fflush(stderr);
    progress->dirty = true;
}

void progress_launched(struct progress *progress, uint64_t insts)
{
    progress->warps_done += progress->warps_now;
    progress->insts_done += insts;
    progress->warps_now = 0;
}

void progress_clear(struct progress *progress)
{
    if (progress->dirty)
        fputs("\r\033[K", stderr);
    progress->dirty = false;
}
