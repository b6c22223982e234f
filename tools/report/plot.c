#include "tools/report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/chart.h"

#define HEIGHT  240
#define LETTERS 60   /* that fit next to each other under the chart */
#define LETTER  3.4  /* pixels down, of a letter of a turned name */
#define MARKS   60   /* points of a series that are also marked with circles, at most */
#define BOX     0.45 /* width of a box, and of all bars of a name, in the room of a name */
#define BARS    0.8

static double value(const struct plot *plot, size_t row, unsigned column)
{
    char *end;
    const char *text = report_table_cell(plot->sheet, row, column);
    double number = strtod(text, &end);
    return end != text && *end == '\0' ? number : NAN;
}

static size_t rows_of(const struct plot *plot)
{
    return report_table_rows(plot->sheet);
}

static bool has_values(const struct plot *plot, unsigned column)
{
    for (size_t row = 0; row < rows_of(plot); row++)
        if (fabs(value(plot, row, column)) > 0)
            return true;
    return false;
}

/* The columns of the series that are drawn, and their NAMES. */
static size_t find_series(struct plot *plot, const char *names[PLOT_SERIES])
{
    size_t count = 0;
    for (size_t i = 0; i < PLOT_SERIES && plot->y[i] != 0; i++) {
        const unsigned column = plot->y[i];
        if (plot->drops_zeros && !has_values(plot, column))
            continue;
        names[count] = plot->names != NULL ? plot->names[i] : plot->sheet->columns[column].name;
        plot->y[count++] = column;
    }
    return count;
}

/* Whether X only has whole numbers. */
static bool is_whole(const struct plot *plot)
{
    for (size_t row = 0; row < rows_of(plot); row++) {
        double x = value(plot, row, plot->x);
        if (isfinite(x) && x != floor(x))
            return false;
    }
    return true;
}

static void find_range(const struct plot *plot, const unsigned *columns, size_t count,
                       double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t row = 0; row < rows_of(plot); row++)
        for (size_t i = 0; i < count; i++) {
            *least = fmin(*least, value(plot, row, columns[i]));
            *most = fmax(*most, value(plot, row, columns[i]));
        }
}

/* ---- names under the chart ---- */

static bool names_fit(const struct plot *plot, size_t *longest)
{
    size_t letters = 0;
    *longest = 0;
    for (size_t row = 0; row < rows_of(plot); row++) {
        size_t length = strlen(report_table_cell(plot->sheet, row, plot->x));
        letters += length + 2;
        *longest = length > *longest ? length : *longest;
    }
    return letters <= LETTERS;
}

/* The middle of the room of name ROW. */
static double middle(const struct plot *plot, size_t row)
{
    return 100 * ((double)row + 0.5) / (double)rows_of(plot);
}

static void write_names(const struct plot *plot, const struct chart *chart, FILE *out)
{
    size_t longest;
    bool fit = names_fit(plot, &longest);
    for (size_t row = 0; row < rows_of(plot); row++) {
        const char *name = report_table_cell(plot->sheet, row, plot->x);
        struct svg_point at = {middle(plot, row), chart->height + (fit ? 18 : 14)};
        if (fit)
            svg_text(out, at, 0, "m i", name);
        else
            svg_turned_text(out, at, -30, "m e", name);
    }
}

/* ---- kinds ---- */

static void write_lines(const struct plot *plot, const struct chart *chart, size_t series,
                        FILE *out)
{
    size_t rows = rows_of(plot);
    for (size_t i = 0; i < series; i++) {
        char class[24];
        int begun = 0;
        svg_path_begin(out, chart->height);
        for (size_t row = 0; row < rows; row++)
            svg_path_point(
                out,
                chart_point(chart, value(plot, row, plot->x), value(plot, row, plot->y[i])),
                &begun);
        snprintf(class, sizeof class, "s%zu", i);
        svg_path_end(out, class);
        class[0] = 'f';
        for (size_t row = 0; row < rows && rows <= MARKS; row++) {
            struct svg_point at =
                chart_point(chart, value(plot, row, plot->x), value(plot, row, plot->y[i]));
            if (isfinite(at.x) && isfinite(at.y))
                svg_circle(out, at, 2.5, class,
                           report_table_cell(plot->sheet, row, plot->y[i]));
        }
    }
}

static void write_bars(const struct plot *plot, const struct chart *chart, size_t series,
                       FILE *out)
{
    double room = 100.0 / (double)rows_of(plot), width = BARS * room / (double)series;
    double zero = chart_point(chart, 0, 0).y;
    for (size_t row = 0; row < rows_of(plot); row++)
        for (size_t i = 0; i < series; i++) {
            char class[24];
            double x = middle(plot, row) + ((double)i - (double)series / 2) * width;
            double y = chart_point(chart, 0, value(plot, row, plot->y[i])).y;
            snprintf(class, sizeof class, "f%zu", i);
            if (isfinite(y))
                svg_rect(out, (struct svg_point){x, fmin(y, zero)}, width * 0.94,
                         fabs(zero - y), class,
                         report_table_cell(plot->sheet, row, plot->y[i]));
        }
}

static void write_boxes(const struct plot *plot, const struct chart *chart, FILE *out)
{
    double half = 50.0 * BOX / (double)rows_of(plot);
    for (size_t row = 0; row < rows_of(plot); row++) {
        double at[5], x = middle(plot, row);
        for (int i = 0; i < 5; i++)
            at[i] = chart_point(chart, 0, value(plot, row, plot->y[i])).y;
        if (!isfinite(at[0] + at[1] + at[2] + at[3] + at[4]))
            continue;
        svg_line(out, (struct svg_point){x, at[0]}, (struct svg_point){x, at[4]}, "s0");
        for (int end = 0; end < 5; end += 4)
            svg_line(out, (struct svg_point){x - half / 2, at[end]},
                     (struct svg_point){x + half / 2, at[end]}, "s0");
        svg_rect(out, (struct svg_point){x - half, at[3]}, 2 * half, at[1] - at[3], "p f0 s0",
                 report_table_cell(plot->sheet, row, plot->y[2]));
        svg_line(out, (struct svg_point){x - half, at[2]}, (struct svg_point){x + half, at[2]},
                 "s1 w");
    }
}

void plot_write(const struct plot *given, enum svg_place place, FILE *out)
{
    const char *names[PLOT_SERIES];
    struct plot own = *given, *plot = &own;
    size_t longest, series = find_series(plot, names);
    double least, most;
    struct chart chart = {.title = plot->title,
                          .x_label = plot->x_label,
                          .y_label = plot->y_label,
                          .height = HEIGHT,
                          .categories = plot->kind != PLOT_LINES};
    find_range(plot, plot->y, series, &least, &most);
    chart.y = axis_linear(plot->kind == PLOT_BARS ? fmin(least, 0) : least,
                          plot->kind == PLOT_BARS ? fmax(most, 0) : most);
    find_range(plot, &plot->x, 1, &least, &most);
    chart.x = axis_linear(least, most);
    chart.x.whole = is_whole(plot);
    chart.below = names_fit(plot, &longest) ? 24 : 24 + (unsigned)(LETTER * (double)longest);
    if ((series > 1 || given->drops_zeros) && plot->kind != PLOT_BOXES)
        chart.legend = (struct svg_legend){names, series, NULL};
    chart_begin(out, place, &chart);
    if (plot->kind == PLOT_LINES)
        write_lines(plot, &chart, series, out);
    else if (plot->kind == PLOT_BARS)
        write_bars(plot, &chart, series, out);
    else
        write_boxes(plot, &chart, out);
    if (chart.categories)
        write_names(plot, &chart, out);
    chart_end(out, place);
}
