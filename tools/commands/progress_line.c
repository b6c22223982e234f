#include "tools/commands/progress_line.h"

#include <stdio.h>
#include <unistd.h>

static void write_line(void *data, const struct progress_now *now)
{
    (void)data;
    if (now == NULL) {
        fputs("\r\033[K", stderr);
        return;
    }
    char left[64] = "";
    unsigned long seconds = now->left > 0 ? (unsigned long)now->left : 0;
    if (now->left >= 0)
        snprintf(left, sizeof left, ", %lu:%02lu:%02lu left", seconds / 3600, seconds / 60 % 60,
                 seconds % 60);
    fprintf(stderr,
            "\r\033[K%s%s%zu of %zu launches, %.0f%% of all warps, %.1f k warp inst/s%s",
            now->what != NULL ? now->what : "", now->what != NULL ? ": " : "", now->done,
            now->launches, 100 * now->share, now->rate / 1000, left);
}

struct progress_hook progress_line(bool quiet)
{
    bool shown = !quiet && isatty(STDERR_FILENO);
    return (struct progress_hook){shown ? write_line : NULL, NULL};
}
