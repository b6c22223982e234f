#include "traces/footprint.h"

/* Whether a cache still holds something of what SOURCE touched, if it holds
 * what was touched last. */
static bool within(const struct trace_reuse_source *source,
                   const struct trace_reuse_limits *limits)
{
    if (limits->capacity == 0)
        return true;
    if (source->newer_lines >= limits->capacity)
        return false;
    return !limits->copies_fill ||
           source->newer_copied < limits->capacity - source->newer_lines;
}

uint32_t trace_reuse_back(const struct trace_reuse_source *sources, size_t count,
                          const struct trace_reuse_limits *limits)
{
    uint64_t all = 0, covered = 0;
    for (size_t i = 0; i < count; i++)
        if (!sources[i].copy && within(&sources[i], limits))
            all += sources[i].sectors;
    double enough = (double)all * limits->percentile / 100;
    uint32_t back = 0;
    for (size_t i = 0; i < count && (double)covered < enough; i++) {
        if (sources[i].copy || !within(&sources[i], limits))
            continue;
        covered += sources[i].sectors;
        back = sources[i].distance;
    }
    return back;
}
