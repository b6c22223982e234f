#include "sampling/intra/photon/window.h"

#include <math.h>
#include <stdlib.h>

/* Number AGE of the points, 0 for the latest. */
static const struct photon_point *point(const struct photon_window *window, uint64_t age)
{
    return &window->points[(window->count - 1 - age) % (2 * window->size)];
}

static double since(const struct photon_window *window, uint64_t cycle)
{
    return (double)(int64_t)(cycle - window->origin);
}

/* Adds POINT to the sums, or with a SIGN of -1 takes it away. The sums are whole numbers, and
 * exact as long as they are below 2^53. */
static void sum(struct photon_window *window, const struct photon_point *added, double sign)
{
    double x = since(window, added->begin), y = since(window, added->end);
    window->x += sign * x;
    window->y += sign * y;
    window->xx += sign * x * x;
    window->xy += sign * x * y;
    window->yy += sign * y * y;
    window->time += sign * (double)(added->end - added->begin);
}

/* Takes the sums from the latest point: numbers stay small in long launches. */
static void move_origin(struct photon_window *window)
{
    uint64_t known = window->count < window->size ? window->count : window->size;
    window->origin = point(window, 0)->begin;
    window->x = window->y = window->xx = window->xy = window->yy = window->time = 0;
    for (uint64_t age = 0; age < known; age++)
        sum(window, point(window, age), 1);
}

static double slope(const struct photon_window *window)
{
    double n = (double)window->size;
    double spread = window->reverse ? n * window->yy - window->y * window->y
                                    : n * window->xx - window->x * window->x;
    return spread > 0 ? (n * window->xy - window->x * window->y) / spread : 0;
}

static bool is_stable(const struct photon_window *window, double delta)
{
    double n = (double)window->size, mean = window->time / n, all = window->long_time / (2 * n);
    return window->count >= 2 * window->size && fabs(window->slope - 1) <= delta &&
           fabs(mean - all) <= delta * all;
}

bool photon_window_add(struct photon_window *window, struct photon_point added, double delta)
{
    if (window->points == NULL)
        window->points = calloc(2 * window->size, sizeof *window->points);
    if (window->points == NULL)
        return false;
    struct photon_point *place = &window->points[window->count % (2 * window->size)];
    if (window->count >= 2 * window->size)
        window->long_time -= (double)(place->end - place->begin);
    *place = added;
    window->long_time += (double)(added.end - added.begin);
    window->count++;
    if (window->count % window->size == 1) {
        move_origin(window);
    } else {
        sum(window, &added, 1);
        if (window->count > window->size)
            sum(window, point(window, window->size), -1);
    }
    window->slope = window->count >= window->size ? slope(window) : 0;
    window->stable = is_stable(window, delta);
    return true;
}

double photon_window_mean(const struct photon_window *window)
{
    uint64_t most = window->both ? 2 * window->size : window->size;
    uint64_t count = window->count < most ? window->count : most;
    return count > 0 ? (window->both ? window->long_time : window->time) / (double)count : 0;
}

void photon_window_finish(struct photon_window *window)
{
    free(window->points);
    *window = (struct photon_window){0};
}
