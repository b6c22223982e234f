#include "tools/report/roofline.h"

#include <math.h>
#include <stdbool.h>

#include "tools/report/chart.h"

#define HEIGHT  320
#define SMALL   3  /* radius of a point in pixels */
#define LARGE   18 /* of one that has the whole share */
#define DECADES 5  /* that the axis of performance shows at most */

static bool is_drawn(const struct roofline_point *point)
{
    return point->x > 0 && point->y > 0 && isfinite(point->x) && isfinite(point->y);
}

static size_t roofs_of(const struct roofline *roofline)
{
    size_t count = 0;
    while (count < ROOFLINE_ROOFS && roofline->roofs[count].slope > 0)
        count++;
    return count;
}

/* All points, and a decade on both sides of each ridge; not the points whose performance is
 * DECADES below the peak. */
static void find_axes(const struct roofline *roofline, struct chart *chart)
{
    double left = INFINITY, right = 0, low = roofline->peak / 100;
    double floor_y = roofline->peak / pow(10, DECADES);
    for (size_t i = 0; i < roofs_of(roofline); i++) {
        double ridge = roofline->peak / roofline->roofs[i].slope;
        left = fmin(left, ridge / 10);
        right = fmax(right, ridge * 10);
    }
    for (size_t i = 0; i < roofline->count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        if (!is_drawn(point))
            continue;
        left = fmin(left, point->x);
        right = fmax(right, point->x);
        low = fmin(low, point->y);
    }
    chart->x = axis_logarithmic(left, right);
    chart->y = axis_logarithmic(fmax(low, floor_y), roofline->peak);
}

static void write_roofs(const struct roofline *roofline, const struct chart *chart, FILE *out)
{
    for (size_t i = 0; i < roofs_of(roofline); i++) {
        char class[16];
        double slope = roofline->roofs[i].slope, ridge = roofline->peak / slope;
        double left = fmax(chart->x.low, chart->y.low / slope);
        snprintf(class, sizeof class, "s%zu w", i);
        svg_line(out, chart_point(chart, left, left * slope),
                 chart_point(chart, ridge, roofline->peak), class);
        svg_line(out, chart_point(chart, ridge, roofline->peak),
                 chart_point(chart, chart->x.high, roofline->peak), class);
    }
}

void roofline_write(const struct roofline *roofline, enum svg_place place, FILE *out)
{
    const char *names[ROOFLINE_ROOFS] = {0};
    struct chart chart = {.title = roofline->title,
                          .x_label = roofline->x_label,
                          .y_label = roofline->y_label,
                          .height = HEIGHT};
    for (size_t i = 0; i < roofs_of(roofline); i++)
        names[i] = roofline->roofs[i].name;
    if (roofs_of(roofline) > 1)
        chart.legend = (struct svg_legend){names, roofs_of(roofline), NULL};
    find_axes(roofline, &chart);
    chart_begin(out, place, &chart);
    write_roofs(roofline, &chart, out);
    for (size_t i = 0; i < roofline->count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        char class[16];
        if (!is_drawn(point) || point->y < chart.y.low)
            continue;
        snprintf(class, sizeof class, "p f%d", point->roof);
        svg_circle(out, chart_point(&chart, point->x, point->y),
                   SMALL + (LARGE - SMALL) * sqrt(point->share), class, point->label);
    }
    chart_end(out, place);
}
