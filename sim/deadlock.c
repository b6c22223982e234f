/* Detects when a launch cannot continue. */
#include <stdlib.h>

#include "sim/deadlock_report.h"
#include "sim/simulator.h"

/* Cycles in which no instruction issues before the check whether a launch is
 * deadlocked. */
#define PATIENCE 4096
/* The same for a launch in which something still moves: no operation takes this long. */
#define LONG_PATIENCE 1000000000

/* True while a timed block keeps its place: nothing need be issued. */
static bool any_timed(const struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (sm_has_timed(engine->sms[s]))
            return true;
    return false;
}

/* True when no SM waits for anything that its own clock would bring. */
static bool all_stuck(const struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (!sm_stuck(engine->sms[s]))
            return false;
    return true;
}

/* Lets a wait pass whose end nothing in the trace tells. */
static bool let_pass(const struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        struct sm *sm = engine->sms[s];
        if (sm->model->let_pass != NULL && sm->model->let_pass(sm))
            return true;
    }
    return false;
}

bool deadlock_found(struct sim *sim, struct deadlock *patience)
{
    struct engine *engine = &sim->engine;
    uint64_t insts = engine_insts(engine);
    if (insts != patience->insts || any_timed(engine)) {
        patience->insts = insts;
        patience->last_issue = engine->window_end;
        engine_hurry(engine, false);
        return false;
    }
    uint64_t idle = engine->window_end - patience->last_issue;
    /* Warps may wait for stores that wait in DRAM for more stores. */
    engine_hurry(engine, idle > PATIENCE);
    bool rests = idle > PATIENCE && !engine_busy(engine) && all_stuck(engine);
    if (rests && let_pass(engine)) {
        patience->last_issue = engine->window_end;
        return false;
    }
    return idle > LONG_PATIENCE || rests;
}

int deadlock_fail(struct sim *sim, const struct deadlock *patience, struct error *err)
{
    free(sim->report);
    sim->report = deadlock_report(&sim->engine, sim->engine.window_end);
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                     "deadlock: no instruction was issued for %llu cycles",
                     (unsigned long long)(sim->engine.window_end - patience->last_issue));
}
