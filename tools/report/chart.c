#include "tools/report/chart.h"

#include <math.h>

#define LEFT  52 /* room for the numbers of y */
#define RIGHT 18
#define LINE  20

struct svg_point chart_point(const struct chart *chart, double x, double y)
{
    return (struct svg_point){100 * axis_place(&chart->x, x),
                              chart->height * (1 - axis_place(&chart->y, y))};
}

static void mark_y(FILE *out, const struct chart *chart)
{
    char text[AXIS_TEXT];
    double ticks[AXIS_TICKS];
    size_t count = axis_ticks(&chart->y, ticks);
    for (size_t i = 0; i < count; i++) {
        double y = chart_point(chart, chart->x.low, ticks[i]).y;
        svg_line(out, (struct svg_point){0, y}, (struct svg_point){100, y}, "g");
        svg_text(out, (struct svg_point){0, y + 4}, -8, "m e", axis_number(ticks[i], 3, text));
    }
}

static void mark_x(FILE *out, const struct chart *chart)
{
    char text[AXIS_TEXT];
    double ticks[AXIS_TICKS], bottom = chart->height;
    size_t count = chart->categories ? 0 : axis_ticks(&chart->x, ticks);
    for (size_t i = 0; i < count; i++) {
        double x = 100 * axis_place(&chart->x, ticks[i]);
        svg_line(out, (struct svg_point){x, chart->x.logarithmic ? 0 : bottom},
                 (struct svg_point){x, bottom + 5}, chart->x.logarithmic ? "g" : "a");
        svg_text(out, (struct svg_point){x, bottom + 18}, 0, "m i",
                 axis_number(ticks[i], 3, text));
    }
    svg_line(out, (struct svg_point){0, bottom}, (struct svg_point){100, bottom}, "a");
}

void chart_begin(FILE *out, enum svg_place place, const struct chart *chart)
{
    unsigned top = chart->title != NULL ? LINE : 0;
    unsigned legend = top;
    top += svg_legend_height(&chart->legend) + (chart->y_label[0] != '\0' ? LINE : 0) + 8;
    unsigned below =
        (chart->categories ? chart->below : 24) + (chart->x_label[0] != '\0' ? LINE - 2 : 0);
    const struct svg_size size = {LEFT, RIGHT, top + chart->height + below};
    svg_begin(out, place, &size, chart->title != NULL ? chart->title : chart->name);
    if (chart->title != NULL)
        svg_text(out, (struct svg_point){0, 13}, -LEFT, "t", chart->title);
    svg_legend_write(out, -LEFT, legend, &chart->legend);
    if (chart->y_label[0] != '\0')
        svg_text(out, (struct svg_point){0, top - 10}, -LEFT, "m", chart->y_label);
    svg_part_begin(out, top);
    mark_y(out, chart);
    mark_x(out, chart);
    if (chart->x_label[0] != '\0')
        svg_text(out, (struct svg_point){100, chart->height + below - 4}, 0, "m e",
                 chart->x_label);
}

void chart_end(FILE *out, enum svg_place place)
{
    svg_part_end(out);
    svg_end(out, place);
}

void chart_line(FILE *out, const struct chart *chart, const double *x, const double *y,
                size_t count, const char *class)
{
    int begun = 0;
    svg_path_begin(out, chart->height);
    for (size_t i = 0; i < count; i++)
        svg_path_point(out, chart_point(chart, x[i], y[i]), &begun);
    svg_path_end(out, class);
}
