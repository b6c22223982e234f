/* Charts of rows, each a label and a band below it. */
#ifndef HEARTH_TOOLS_REPORT_BANDS_H
#define HEARTH_TOOLS_REPORT_BANDS_H

#include <stddef.h>

#include "tools/report/svg.h"

/* A row: LABEL at its left, NOTE at its right. HOVER is shown over the label. */
struct band_row {
    const char *label, *note, *hover; /* NOTE and HOVER may be NULL */
};

/* ---- bars of parts ---- */

struct stacked_bars {
    const char *title;
    const struct band_row *rows;
    size_t count;
    struct svg_legend parts; /* of each bar */
    const double *values;    /* of row 0's parts, of row 1's ...; none is negative */
    double whole;            /* what fills the width; 0: each bar does */
    const char *unit;        /* for tips */
};
void stacked_bars_write(const struct stacked_bars *bars, enum svg_place place, FILE *out);

/* ---- what ran when ---- */

struct timeline_item {
    double from, to;
    size_t row;
    int colour;
    const char *tip;
};
struct timeline_chart {
    const char *title, *x_label;
    const struct band_row *rows;
    size_t row_count;
    const struct timeline_item *items;
    size_t count;
    double end; /* of the axis, which begins with 0 */
    struct svg_legend legend;
};
void timeline_write(const struct timeline_chart *timeline, enum svg_place place, FILE *out);

/* ---- heat maps ---- */

struct heat_map {
    const char *title, *x_label;
    const struct band_row *rows;
    size_t row_count, columns;
    const double *values; /* of row 0, of row 1 ...; NaN: none */
    double least, most;   /* of the scale; both 0: each row has its own, from 0 */
    const char *unit;     /* for tips */
};
void heat_map_write(const struct heat_map *map, enum svg_place place, FILE *out);

#endif
