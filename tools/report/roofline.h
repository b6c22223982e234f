/* Roofline charts: performance against intensity, both on logarithmic axes, and what the device
 * allows. After S. Williams, A. Waterman, D. Patterson, "Roofline" (2009). */
#ifndef HEARTH_TOOLS_REPORT_ROOFLINE_H
#define HEARTH_TOOLS_REPORT_ROOFLINE_H

#include <stddef.h>
#include <stdio.h>

#include "tools/report/svg.h"

#define ROOFLINE_ROOFS 3

struct roofline_point {
    double x, y;       /* above 0; others are not drawn */
    const char *label; /* shown when the pointer is over it */
    double share;      /* of the whole, 0 to 1: the area of its circle; all 0: equal ones */
    int roof;          /* which roof it belongs to: its colour */
};

struct roofline {
    const char *title, *x_label, *y_label;
    double peak; /* highest y */
    struct roofline_roof {
        const char *name; /* for the legend */
        double slope;     /* y for each x, below the ridge; 0: there are no more roofs */
    } roofs[ROOFLINE_ROOFS];
    const struct roofline_point *points;
    size_t count;
};

void roofline_write(const struct roofline *roofline, enum svg_place place, FILE *out);

#endif
