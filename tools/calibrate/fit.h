/* Fits: the value of a parameter with which simulated cycles are nearest to measured ones. */
#ifndef HEARTH_TOOLS_CALIBRATE_FIT_H
#define HEARTH_TOOLS_CALIBRATE_FIT_H

#include <stddef.h>

#include "traces/base/error.h"

enum fit_end {
    FIT_FOUND,     /* a smaller and a larger value are not nearer */
    FIT_AT_LIMIT,  /* no value of the range reaches the measured cycles */
    FIT_NO_EFFECT, /* the cycles are the same for all values that were tried */
};

#define FIT_POINTS 64

/* The cycles as a function of a whole number, which is assumed to rise or to fall; with AROUND,
 * only roughly: numbers up to that far from the best one are then tried, too. */
struct fit {
    int (*cycles)(void *data, int at, double *cycles, struct error *err);
    void *data;
    int least, most, around;
    double target;
    double low,
        high; /* START is taken if its cycles lie between these; 0, 0: if they are TARGET */
    /* private: what is known, by `at` */
    struct fit_point {
        int at;
        double cycles;
    } points[FIT_POINTS];
    size_t count;
};

/* Searches from START on, which is taken if it fits. Stores the best number in *AT, its
 * cycles, and what a step changes there in *STEP (0: not known). Returns 0, or what `cycles`
 * returned if that is not 0. */
int fit_solve(struct fit *fit, int start, int *at, double *cycles, double *step,
              enum fit_end *end, struct error *err);

#endif
