/* The frame of a chart: title, legend, grid and axes. What it shows is drawn between begin and
 * end, in an area of 100 percent by `height` pixels. */
#ifndef HEARTH_TOOLS_REPORT_CHART_H
#define HEARTH_TOOLS_REPORT_CHART_H

#include "tools/report/axis.h"
#include "tools/report/svg.h"

struct chart {
    const char *title;             /* NULL: none is drawn; then `name` is its name */
    const char *name;              /* for readers that cannot see it, if there is no title */
    const char *x_label, *y_label; /* "" for none */
    struct axis x, y;
    unsigned height; /* pixels, of the area */
    struct svg_legend legend;
    bool categories; /* nothing is marked along x: the caller does it */
    unsigned below;  /* pixels that the caller needs for that */
};

void chart_begin(FILE *out, enum svg_place place, const struct chart *chart);
void chart_end(FILE *out, enum svg_place place);

/* Where a value is in the area. */
struct svg_point chart_point(const struct chart *chart, double x, double y);
/* A line through COUNT points; values of Y that are no numbers interrupt it. */
void chart_line(FILE *out, const struct chart *chart, const double *x, const double *y,
                size_t count, const char *class);

#endif
