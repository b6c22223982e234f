#include "traces/footprint.h"

/* Whether a cache still holds something of what was touched last before NEWER lines of launches
 * and COPIED ones of copies. */
static bool within(uint64_t newer, uint64_t copied, const struct trace_reuse_limits *limits)
{
    if (limits->capacity == 0)
        return true;
    if (newer >= limits->capacity)
        return false;
    return !limits->copies_fill || copied < limits->capacity - newer;
}

/* The sectors that a replay from SOURCE on brings, and none from a later one on. */
static uint64_t brought(const struct trace_reuse_source *source,
                        const struct trace_reuse_limits *limits)
{
    uint64_t sectors = 0;
    if (source->copy)
        return 0;
    if (within(source->newer_lines, source->newer_copied, limits))
        sectors += source->sectors - source->unready;
    if (within(source->made_newer_lines, source->made_newer_copied, limits))
        sectors += source->made;
    return sectors;
}

uint32_t trace_reuse_back(const struct trace_reuse_source *sources, size_t count,
                          const struct trace_reuse_limits *limits)
{
    uint64_t all = 0, covered = 0;
    for (size_t i = 0; i < count; i++)
        all += brought(&sources[i], limits);
    double enough = (double)all * limits->percentile / 100;
    uint32_t back = 0;
    for (size_t i = 0; i < count && (double)covered < enough; i++) {
        uint64_t more = brought(&sources[i], limits);
        covered += more;
        if (more > 0)
            back = sources[i].distance;
    }
    return back;
}
