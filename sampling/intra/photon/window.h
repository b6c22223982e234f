/* The stability test of "Photon" (section 4.1): the times at which warps, or basic blocks of a
 * kind, begin and end are points of a line. Of the last N points, its slope comes from least
 * squares; if it is 1 up to delta, and their mean time is that of the last 2 N up to delta,
 * what ends is stable.
 *
 * The points come in the order in which they end, so the last N have ends in a span of time W,
 * and begins in a longer one: the spread of their times D is added to it. Where times do not
 * depend on when they begin, the slope is not 1 then, but W^2 / (W^2 + 12 var(D)), if ends are
 * even: a basic block in a loop, of which N executions end sooner than one takes, is never
 * stable. The slope of begin over end is 1 whatever the spread is; `reverse` takes it. It is
 * not in the paper.
 *
 * Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_PHOTON_WINDOW_H
#define HEARTH_SAMPLING_INTRA_PHOTON_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct photon_point {
    uint64_t begin, end; /* cycles */
};

struct photon_window {
    struct photon_point *points; /* of the last 2 N, a ring; owned; NULL before the first */
    size_t size;                 /* N, at least 2 */
    uint64_t count;              /* of points so far */
    uint64_t origin;             /* cycle from which the sums are taken, modulo 2^64 */
    double x, y, xx, xy, yy;     /* sums over the last N points */
    double time, long_time;      /* cycles from begin to end, over the last N and 2 N */
    bool reverse;                /* the slope is that of begin over end */
    bool both;                   /* the mean is that of the last 2 N */
    double slope;                /* of the last N; 0 if all began, or ended, together */
    bool stable;
};

/* Adds a point; `slope` and `stable` are then up to date. Returns false when memory is short.
 */
bool photon_window_add(struct photon_window *window, struct photon_point point, double delta);
/* The mean time of the last N points, or with `both` 2 N, or of as many as there are. */
double photon_window_mean(const struct photon_window *window);
void photon_window_finish(struct photon_window *window);

#endif
