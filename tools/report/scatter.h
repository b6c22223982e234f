/* Charts of pairs of numbers. */
#ifndef HEARTH_TOOLS_REPORT_SCATTER_H
#define HEARTH_TOOLS_REPORT_SCATTER_H

#include <stddef.h>
#include <stdio.h>

struct scatter_point {
    double x, y;       /* from 1e-30 to 1e30; others are not drawn */
    const char *group; /* points of a group have a colour and a line of the legend */
    const char *label; /* shown when the pointer is over it */
};

struct scatter {
    const char *title, *x_label, *y_label;
    const struct scatter_point *points;
    size_t count;
};

/* Both axes logarithmic with the same range; the diagonal is where x equals y. From the
 * seventh on, groups share a colour. */
void scatter_write(const struct scatter *scatter, FILE *out);

/* Bars of how many of COUNT values lie in each of BINS stretches from LEAST to MOST; what lies
 * outside is counted in the first and the last. */
struct histogram_chart {
    const char *title, *x_label;
    const double *values;
    size_t count;
    double least, most;
    unsigned bins;
};
void histogram_write(const struct histogram_chart *histogram, FILE *out);

#endif
