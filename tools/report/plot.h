/* Charts of a study's tables, drawn by gnuplot as SVG. */
#ifndef HEARTH_TOOLS_REPORT_PLOT_H
#define HEARTH_TOOLS_REPORT_PLOT_H

#include <stdbool.h>

#include "tools/report/report_table.h"
#include "traces/base/error.h"

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
    const struct report_table *sheet; /* its CSV file has the data */
    unsigned x;                       /* column */
    unsigned y[PLOT_SERIES];          /* columns, 0-terminated (series are never in column 0) */
};

/* Writes FOLDER/NAME.svg from FOLDER/SHEET.csv, which must exist; the script is kept next to
 * it as NAME.gp. *DRAWN: gnuplot was found and succeeded. */
int plot_draw(const struct plot *plot, const char *folder, bool *drawn, struct error *err);

#endif
