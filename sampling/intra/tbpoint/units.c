#include "sampling/intra/tbpoint/units.h"

#include <math.h>
#include <stdlib.h>

#define AGREED 2 /* units of the first window that have ended when it is planned */
#define MIXED  1 /* of each other window: units that do not count */

void units_block_begins(struct sampling_units *units, uint64_t number, uint64_t cycle)
{
    if (units->runs)
        return;
    units->runs = true;
    units->ended = false;
    units->block = number;
    units->begin = cycle;
}

void units_block_ended(struct sampling_units *units, uint64_t number, uint64_t cycle)
{
    if (!units->runs || number != units->block)
        return;
    units->ended = true;
    units->end = cycle;
}

/* Keeps the point; of those before the unit only the last one. */
static bool add(struct sampling_units *units, struct unit_point point)
{
    uint64_t begin = units->runs ? units->begin : point.cycle;
    if (units->count > 0 && units->points[units->count - 1].cycle <= begin) {
        units->points[0] = units->points[units->count - 1];
        units->count = 1;
    }
    if (units->count == units->size) {
        size_t size = 2 * units->size + 64;
        struct unit_point *more = realloc(units->points, size * sizeof *more);
        if (more == NULL)
            return false;
        units->points = more;
        units->size = size;
    }
    units->points[units->count++] = point;
    return true;
}

/* The instructions up to CYCLE, between two points evenly. */
static double insts_at(const struct sampling_units *units, uint64_t cycle)
{
    size_t i = 0;
    while (i + 1 < units->count && units->points[i].cycle < cycle)
        i++;
    const struct unit_point *to = &units->points[i];
    const struct unit_point from = i > 0 ? to[-1] : (struct unit_point){0, 0};
    double span = (double)(to->cycle - from.cycle);
    double part = span > 0 ? (double)(cycle - from.cycle) / span : 1;
    return from.insts + (to->insts - from.insts) * (part < 1 ? part : 1);
}

int units_pass(struct sampling_units *units, uint64_t cycle, double insts)
{
    if (!add(units, (struct unit_point){cycle, insts}))
        return -1;
    if (!units->runs || !units->ended || units->end > cycle)
        return 0;
    units->runs = false;
    if (units->end <= units->begin)
        return 0;
    units->previous = units->ipc;
    units->ipc = (insts_at(units, units->end) - insts_at(units, units->begin)) /
                 (double)(units->end - units->begin);
    return 1;
}

void units_restart(struct sampling_units *units)
{
    units->runs = false;
    units->ipc = units->previous = 0;
}

void unit_window_add(struct unit_window *window, const struct sampling_units *units)
{
    double cycles = (double)(units->end - units->begin);
    if (window->count > 0) {
        double relative = 2 * (units->ipc - window->last) / (units->ipc + window->last);
        window->squares += relative * relative / 2;
    }
    window->last = units->ipc;
    window->insts += units->ipc * cycles;
    window->cycles += cycles;
    window->count++;
}

double unit_window_ipc(const struct unit_window *window)
{
    return window->insts / window->cycles;
}

struct unit_plan units_plan(const struct unit_budget *budget)
{
    struct unit_plan plan = {.units = (uint64_t)budget->units};
    if (budget->part <= 0)
        return plan;
    double epochs = budget->part * (budget->used + budget->left) - budget->used;
    double more = floor(epochs / budget->each); /* units */
    double windows = floor((more - (budget->units - AGREED)) / (budget->units + MIXED));
    if (windows >= 1)
        plan.gap = fmax(1, floor((budget->left - epochs) / (windows + 1)));
    else
        plan.units = (uint64_t)fmax(AGREED, AGREED + more);
    return plan;
}

void units_finish(struct sampling_units *units)
{
    free(units->points);
    *units = (struct sampling_units){0};
}
