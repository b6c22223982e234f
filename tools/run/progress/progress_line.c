#include "tools/run/progress/progress_line.h"

#include <stdio.h>
#include <unistd.h>

/* SECONDS after BEFORE and before AFTER; nothing if they are unknown. */
static void write_time(const char *before, double seconds, const char *after)
{
    unsigned long whole = seconds > 0 ? (unsigned long)seconds : 0;
    if (seconds >= 0)
        fprintf(stderr, "%s%lu:%02lu:%02lu%s", before, whole / 3600, whole / 60 % 60,
                whole % 60, after);
}

static void write_line(void *data, const struct progress_now *now)
{
    (void)data;
    if (now == NULL) {
        fputs("\r\033[K", stderr);
        return;
    }
    fprintf(stderr, "\r\033[K%s%s%zu of %zu launches, %.0f%% of all warps",
            now->what != NULL ? now->what : "", now->what != NULL ? ": " : "", now->done,
            now->launches, 100 * now->share);
    if (!now->among) /* the line would be too long */
        fprintf(stderr, ", %.1f k warp inst/s", now->rate / 1000);
    write_time(", ", now->left, " left");
    if (now->among)
        write_time(", about ", now->all_left, " for all runs");
}

struct progress_hook progress_line(bool quiet)
{
    bool shown = !quiet && isatty(STDERR_FILENO);
    return (struct progress_hook){shown ? write_line : NULL, NULL};
}
