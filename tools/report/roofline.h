/* Roofline charts, written as SVG without any other program: performance against intensity,
 * both on logarithmic axes, and what the device allows. After S. Williams, A. Waterman, D.
 * Patterson, "Roofline" (2009). */
#ifndef HEARTH_TOOLS_REPORT_ROOFLINE_H
#define HEARTH_TOOLS_REPORT_ROOFLINE_H

#include <stddef.h>
#include <stdio.h>

struct roofline_point {
    double x, y;       /* above 0; others are not drawn */
    const char *label; /* shown when the pointer is over it */
};

struct roofline {
    const char *title, *x_label, *y_label;
    double peak;  /* highest y */
    double slope; /* y for each x, below the ridge */
    const struct roofline_point *points;
    size_t count;
};

void roofline_write(const struct roofline *roofline, FILE *out);

#endif
