#include "tools/calibrate/fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Inserts the cycles at AT. */
static int look(struct fit *fit, int at, struct error *err)
{
    struct fit_point point = {.at = at};
    size_t place = 0;
    int code = fit->cycles(fit->data, at, &point.cycles, err);
    if (code != 0)
        return code;
    while (place < fit->count && fit->points[place].at < at)
        place++;
    memmove(&fit->points[place + 1], &fit->points[place],
            (fit->count - place) * sizeof *fit->points);
    fit->points[place] = point;
    fit->count++;
    return 0;
}

static double miss(const struct fit *fit, size_t point)
{
    return fit->points[point].cycles - fit->target;
}

static bool is_between(const struct fit *fit, size_t point)
{
    double cycles = fit->points[point].cycles;
    return cycles == fit->target || (cycles >= fit->low && cycles <= fit->high);
}

/* Two neighbouring points on both sides of the target: the index of the first; `count`: there
 * are none. */
static size_t bracket(const struct fit *fit)
{
    for (size_t i = 0; i + 1 < fit->count; i++)
        if (miss(fit, i) * miss(fit, i + 1) <= 0)
            return i;
    return fit->count;
}

/* A number between points I and I + 1, where the line through them meets the target. */
static int between(const struct fit *fit, size_t i)
{
    const struct fit_point *a = &fit->points[i], *b = a + 1;
    double part = (fit->target - a->cycles) / (b->cycles - a->cycles);
    int at = a->at + (int)lround(part * (b->at - a->at));
    return at <= a->at ? a->at + 1 : at >= b->at ? b->at - 1 : at;
}

/* A number outside of the points, on the side of the target; a bound if the points are level.
 * If it is that of a point, there is none left. */
static int beyond(const struct fit *fit)
{
    const struct fit_point *low = &fit->points[0], *high = &fit->points[fit->count - 1];
    double slope = (high->cycles - low->cycles) / (high->at - low->at);
    if (slope == 0)
        return high->at < fit->most ? fit->most : fit->least;
    double at = high->at + (fit->target - high->cycles) / slope;
    if (at > high->at)
        return at < fit->most ? (int)ceil(at) : fit->most;
    return at > fit->least ? (int)floor(at) : fit->least;
}

static int widen(struct fit *fit, bool *done, struct error *err)
{
    int at = beyond(fit);
    *done = false;
    if (at == fit->points[0].at || at == fit->points[fit->count - 1].at)
        *done = true;
    return *done ? 0 : look(fit, at, err);
}

static bool is_level(const struct fit *fit)
{
    for (size_t i = 1; i < fit->count; i++)
        if (fit->points[i].cycles != fit->points[0].cycles)
            return false;
    return true;
}

/* Narrows a bracket until its points are neighbours, or widens what is known. */
static int search(struct fit *fit, struct error *err)
{
    bool done = false;
    int code = 0;
    while (code == 0 && !done && fit->count < FIT_POINTS) {
        size_t i = bracket(fit);
        if (i == fit->count || is_level(fit))
            code = widen(fit, &done, err);
        else if (fit->points[i + 1].at - fit->points[i].at == 1 || miss(fit, i) == 0 ||
                 miss(fit, i + 1) == 0)
            done = true;
        else
            code = look(fit, between(fit, i), err);
    }
    return code;
}

/* The point that is nearest to the target; START rather than another one. */
static size_t best_of(const struct fit *fit, int start)
{
    size_t best = 0;
    for (size_t i = 1; i < fit->count; i++) {
        double nearer = fabs(miss(fit, best)) - fabs(miss(fit, i));
        if (nearer > 0 || (nearer == 0 && fit->points[i].at == start))
            best = i;
    }
    return best;
}

/* Where no number reaches the target: those whose cycles differ by less than this part of it
 * from the best one's are as good. */
#define ALIKE 0.005

/* Of the points that are as good as BEST, the one that is nearest to START. */
static size_t alike(const struct fit *fit, size_t best, int start)
{
    size_t nearest = best;
    double limit = fabs(miss(fit, best)) + ALIKE * fabs(fit->target);
    for (size_t i = 0; i < fit->count; i++)
        if (fabs(miss(fit, i)) <= limit &&
            abs(fit->points[i].at - start) < abs(fit->points[nearest].at - start))
            nearest = i;
    return nearest;
}

static bool is_known(const struct fit *fit, int at)
{
    for (size_t i = 0; i < fit->count; i++)
        if (fit->points[i].at == at)
            return true;
    return false;
}

/* Looks at the neighbours of the best number. */
static int look_around(struct fit *fit, int start, struct error *err)
{
    int middle = fit->points[best_of(fit, start)].at, code = 0;
    for (int at = middle - fit->around; at <= middle + fit->around && code == 0; at++)
        if (at >= fit->least && at <= fit->most && !is_known(fit, at) &&
            fit->count < FIT_POINTS)
            code = look(fit, at, err);
    return code;
}

static double step_at(const struct fit *fit, size_t point)
{
    size_t other = point > 0 ? point - 1 : point + 1;
    const struct fit_point *a = &fit->points[point], *b = &fit->points[other];
    return fit->count < 2 ? 0 : fabs((a->cycles - b->cycles) / (a->at - b->at));
}

int fit_solve(struct fit *fit, int start, int *at, double *cycles, double *step,
              enum fit_end *end, struct error *err)
{
    int second = start + 1 + start / 4;
    if (second > fit->most)
        second = start > fit->least ? start - 1 : start;
    int code = look(fit, start, err);
    if (code == 0 && is_between(fit, 0)) {
        *at = start, *cycles = fit->points[0].cycles, *step = 0, *end = FIT_FOUND;
        return 0;
    }
    if (code == 0 && second != start)
        code = look(fit, second, err);
    if (code == 0)
        code = search(fit, err);
    if (code == 0 && !is_level(fit))
        code = look_around(fit, start, err);
    if (code != 0)
        return code;
    size_t best = best_of(fit, start);
    bool level = is_level(fit), reached = bracket(fit) < fit->count;
    if (!level && !reached)
        best = alike(fit, best, start);
    *at = level ? start : fit->points[best].at;
    *cycles = fit->points[best].cycles;
    *step = step_at(fit, best);
    *end = level ? FIT_NO_EFFECT : reached ? FIT_FOUND : FIT_AT_LIMIT;
    return 0;
}
