#include "sim/stats/intervals.h"

static void set_boundary(struct launch_intervals *stretches, uint64_t boundary)
{
    stretches->boundary = boundary;
    stretches->engine->limit = boundary;
}

void launch_intervals_begin(struct launch_intervals *stretches, struct engine *engine,
                            const struct sim_hooks *hooks, uint64_t start)
{
    *stretches = (struct launch_intervals){
        .engine = engine, .hooks = hooks, .start = start, .begin = start};
    stretches->boundary = UINT64_MAX;
    if (hooks == NULL || hooks->interval_ended == NULL || hooks->interval == 0)
        return;
    engine_count(engine, start, &stretches->at_begin);
    set_boundary(stretches, start + hooks->interval);
}

void launch_intervals_tell(struct launch_intervals *stretches, uint64_t end)
{
    struct sim_interval interval = {
        .begin = stretches->begin - stretches->start,
        .end = end - stretches->start,
    };
    struct sim_counters total;
    engine_count(stretches->engine, end, &total);
    interval.counters = total;
    sim_counters_subtract(&interval.counters, &stretches->at_begin);
    stretches->at_begin = total;
    stretches->begin = end;
    stretches->hooks->interval_ended(stretches->hooks->data, &interval);
    set_boundary(stretches, end + stretches->hooks->interval);
}

void launch_intervals_free_windows(struct launch_intervals *stretches)
{
    stretches->engine->limit = UINT64_MAX;
}

void launch_intervals_end(struct launch_intervals *stretches, uint64_t end, bool stopped)
{
    if (stretches->boundary != UINT64_MAX && !stopped && end > stretches->begin)
        launch_intervals_tell(stretches, end);
    stretches->engine->limit = UINT64_MAX;
}

void launch_intervals_pass_idle(struct launch_intervals *stretches, uint64_t cycle)
{
    while (stretches->boundary <= cycle) {
        engine_open(stretches->engine, stretches->boundary - 1);
        launch_intervals_tell(stretches, stretches->boundary);
    }
    engine_open(stretches->engine, cycle);
}
