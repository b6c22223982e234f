#include "tools/report/scatter.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tools/report/chart.h"

#define SIZE   400 /* height of the scatter, and its greatest width */
#define GROUPS 7
#define HEIGHT 180 /* of a histogram */

/* ---- scatter ----------------------------------------------------------- */

static bool is_drawn(const struct scatter_point *point)
{
    return point->x > 1e-30 && point->y > 1e-30 && point->x < 1e30 && point->y < 1e30;
}

/* The powers of ten that all points lie between. */
static struct axis find_range(const struct scatter *scatter)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < scatter->count; i++) {
        const struct scatter_point *point = &scatter->points[i];
        if (!is_drawn(point))
            continue;
        least = fmin(least, fmin(point->x, point->y));
        most = fmax(most, fmax(point->x, point->y));
    }
    return axis_logarithmic(least, most);
}

/* The groups in the order of their first points. Returns how many; those that find no room
 * belong to the last. */
static size_t find_groups(const struct scatter *scatter, const char *groups[GROUPS])
{
    size_t count = 0;
    for (size_t i = 0, g; i < scatter->count && count < GROUPS; i++) {
        for (g = 0; g < count && strcmp(groups[g], scatter->points[i].group) != 0; g++)
            continue;
        if (g == count)
            groups[count++] = scatter->points[i].group;
    }
    return count;
}

static size_t group_of(const char *group, const char *const groups[GROUPS], size_t count)
{
    size_t g = 0;
    while (g + 1 < count && strcmp(groups[g], group) != 0)
        g++;
    return g;
}

/* The names of the groups, where the last one may stand for several. */
static void name_groups(const struct scatter *scatter, const char *groups[GROUPS], size_t count)
{
    for (size_t i = 0; i < scatter->count; i++) {
        const char *group = scatter->points[i].group;
        if (strcmp(groups[group_of(group, groups, count)], group) != 0) {
            groups[GROUPS - 1] = "others";
            return;
        }
    }
}

void scatter_write(const struct scatter *scatter, FILE *out)
{
    const char *groups[GROUPS];
    size_t count = find_groups(scatter, groups);
    struct chart chart = {.title = scatter->title,
                          .x_label = scatter->x_label,
                          .y_label = scatter->y_label,
                          .height = SIZE,
                          .legend = {groups, count, NULL}};
    chart.x = chart.y = find_range(scatter);
    name_groups(scatter, groups, count);
    fputs("<figure class=square>", out);
    chart_begin(out, SVG_PAGE, &chart);
    svg_line(out, (struct svg_point){0, SIZE}, (struct svg_point){100, 0}, "d");
    for (size_t i = 0; i < scatter->count; i++) {
        const struct scatter_point *point = &scatter->points[i];
        char class[16];
        if (!is_drawn(point))
            continue;
        snprintf(class, sizeof class, "p f%zu", group_of(point->group, groups, count));
        svg_circle(out, chart_point(&chart, point->x, point->y), 3, class, point->label);
    }
    chart_end(out, SVG_PAGE);
    fputs("</figure>\n", out);
}

/* ---- histogram --------------------------------------------------------- */

/* Of values in bin BIN; the first and the last have what lies outside, too. */
static size_t count_in(const struct histogram_chart *histogram, unsigned bin)
{
    size_t count = 0;
    double width = (histogram->most - histogram->least) / histogram->bins;
    for (size_t i = 0; i < histogram->count; i++) {
        double at = floor((histogram->values[i] - histogram->least) / width);
        at = fmin(fmax(at, 0), histogram->bins - 1);
        count += (unsigned)at == bin;
    }
    return count;
}

static size_t highest_bin(const struct histogram_chart *histogram)
{
    size_t most = 1;
    for (unsigned i = 0; i < histogram->bins; i++)
        most = count_in(histogram, i) > most ? count_in(histogram, i) : most;
    return most;
}

static void mark_bins(const struct histogram_chart *histogram, FILE *out)
{
    for (unsigned i = 0; i <= histogram->bins; i += (histogram->bins + 3) / 4) {
        char label[32];
        snprintf(label, sizeof label, "%s%g",
                 i == 0                 ? "≤ "
                 : i == histogram->bins ? "≥ "
                                        : "",
                 histogram->least + (histogram->most - histogram->least) * i / histogram->bins);
        svg_text(out, (struct svg_point){100.0 * i / histogram->bins, HEIGHT + 18}, 0, "m i",
                 label);
    }
}

void histogram_write(const struct histogram_chart *histogram, FILE *out)
{
    struct chart chart = {.title = histogram->title,
                          .x_label = histogram->x_label,
                          .y_label = "",
                          .y = axis_linear(0, (double)highest_bin(histogram)),
                          .height = HEIGHT,
                          .categories = true,
                          .below = 24};
    double width = 100.0 / histogram->bins;
    fputs("<figure>", out);
    chart_begin(out, SVG_PAGE, &chart);
    for (unsigned i = 0; i < histogram->bins; i++) {
        char tip[32];
        size_t count = count_in(histogram, i);
        double y = chart_point(&chart, 0, (double)count).y;
        snprintf(tip, sizeof tip, "%zu", count);
        svg_rect(out, (struct svg_point){i * width, y}, width * 0.95, HEIGHT - y, "f0", tip);
    }
    mark_bins(histogram, out);
    chart_end(out, SVG_PAGE);
    fputs("</figure>\n", out);
}
