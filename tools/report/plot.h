/* Charts of a table's columns. */
#ifndef HEARTH_TOOLS_REPORT_PLOT_H
#define HEARTH_TOOLS_REPORT_PLOT_H

#include "tools/report/report_table.h"
#include "tools/report/svg.h"

enum plot_kind {
    PLOT_LINES, /* x is a number */
    PLOT_BARS,  /* x is a name, series are next to each other */
    PLOT_BOXES, /* x is a name; five columns: min, first quartile, median, third, max */
};

#define PLOT_SERIES 8

struct plot {
    const char *name; /* of its file, without .svg */
    enum plot_kind kind;
    const char *title, *x_label, *y_label;
    const struct report_table *sheet;
    unsigned x;               /* column */
    unsigned y[PLOT_SERIES];  /* columns, 0-terminated (series are never in column 0) */
    const char *const *names; /* of the series; NULL: those of their columns */
    bool drops_zeros;         /* bars that are 0 or missing for all names are left out */
};

void plot_write(const struct plot *plot, enum svg_place place, FILE *out);

#endif
