#include "tools/report/bands.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tools/report/axis.h"
#include "tools/report/page.h"

#define TITLE  22
#define LABEL  17 /* pixels of the line above a band */
#define BAND   15
#define PITCH  40 /* from row to row */
#define SCALE  14 /* height of the scale of colours */
#define SWATCH 18 /* width of one of its colours */
#define TIP    160
#define RIGHT  2

/* Begins the picture of ROWS rows with EXTRA pixels below; returns where the rows begin. */
static unsigned begin(FILE *out, enum svg_place place, const char *title,
                      const struct svg_legend *legend, size_t rows, unsigned extra)
{
    unsigned top = TITLE + svg_legend_height(legend) + 6;
    const struct svg_size size = {0, RIGHT, top + (unsigned)rows * PITCH + extra};
    svg_begin(out, place, &size, title);
    svg_text(out, (struct svg_point){0, 13}, 0, "t", title);
    svg_legend_write(out, 0, TITLE, legend);
    return top;
}

static void write_label(FILE *out, const struct band_row *row, double y)
{
    fprintf(out, "<g>");
    if (row->hover != NULL) {
        fputs("<title>", out);
        page_escape(out, row->hover);
        fputs("</title>", out);
    }
    svg_text(out, (struct svg_point){0, y + LABEL - 5}, 0, "", row->label);
    fputs("</g>", out);
    if (row->note != NULL)
        svg_text(out, (struct svg_point){100, y + LABEL - 5}, 0, "m e", row->note);
}

static void write_axis(FILE *out, double end, double y, const char *label)
{
    char text[AXIS_TEXT];
    double ticks[AXIS_TICKS];
    const struct axis axis = {0, end > 0 ? end : 1, false};
    size_t count = axis_ticks(&axis, ticks);
    svg_line(out, (struct svg_point){0, y}, (struct svg_point){100, y}, "a");
    for (size_t i = 0; i < count; i++) {
        double x = 100 * axis_place(&axis, ticks[i]);
        svg_line(out, (struct svg_point){x, y}, (struct svg_point){x, y + 5}, "a");
        svg_text(out, (struct svg_point){x, y + 18}, 0,
                 x < 3    ? "m"
                 : x > 97 ? "m e"
                          : "m i",
                 axis_number(ticks[i], 3, text));
    }
    svg_text(out, (struct svg_point){100, y + 36}, 0, "m e", label);
}

/* ---- bars of parts ---- */

static void write_bar(const struct stacked_bars *bars, size_t row, double y, FILE *out)
{
    const double *values = bars->values + row * bars->parts.count;
    double whole = bars->whole, at = 0;
    for (size_t i = 0; i < bars->parts.count && bars->whole <= 0; i++)
        whole += values[i];
    svg_rect(out, (struct svg_point){0, y}, 100, BAND, "h0", NULL);
    for (size_t i = 0; i < bars->parts.count && whole > 0; i++) {
        char class[16], number[AXIS_TEXT], tip[TIP];
        double width = 100 * values[i] / whole;
        if (!(width >= 0.01))
            continue;
        snprintf(class, sizeof class, "f%d", svg_colour(&bars->parts, i));
        snprintf(tip, sizeof tip, "%s: %.1f %%%s%s%s", bars->parts.names[i], width,
                 bars->unit[0] != '\0' ? ", " : "",
                 bars->unit[0] != '\0' ? axis_number(values[i], 3, number) : "", bars->unit);
        svg_rect(out, (struct svg_point){at, y}, fmin(width, 100 - at), BAND, class, tip);
        at += width;
    }
}

void stacked_bars_write(const struct stacked_bars *bars, enum svg_place place, FILE *out)
{
    static const struct svg_legend none = {0};
    unsigned top = begin(out, place, bars->title, bars->parts.count > 1 ? &bars->parts : &none,
                         bars->count, 0);
    for (size_t i = 0; i < bars->count; i++) {
        double y = top + (double)i * PITCH;
        write_label(out, &bars->rows[i], y);
        write_bar(bars, i, y + LABEL, out);
    }
    svg_end(out, place);
}

/* ---- what ran when ---- */

void timeline_write(const struct timeline_chart *timeline, enum svg_place place, FILE *out)
{
    unsigned top =
        begin(out, place, timeline->title, &timeline->legend, timeline->row_count, 42);
    double whole = timeline->end > 0 ? timeline->end : 1;
    for (size_t i = 0; i < timeline->row_count; i++) {
        write_label(out, &timeline->rows[i], top + (double)i * PITCH);
        svg_rect(out, (struct svg_point){0, top + (double)i * PITCH + LABEL}, 100, BAND, "h0",
                 NULL);
    }
    for (size_t i = 0; i < timeline->count; i++) {
        const struct timeline_item *item = &timeline->items[i];
        char class[16];
        snprintf(class, sizeof class, "f%d", item->colour);
        svg_rect(out,
                 (struct svg_point){100 * item->from / whole,
                                    top + (double)item->row * PITCH + LABEL},
                 100 * (item->to - item->from) / whole, BAND, class, item->tip);
    }
    write_axis(out, timeline->end, top + (double)timeline->row_count * PITCH,
               timeline->x_label);
    svg_end(out, place);
}

/* ---- heat maps ---- */

static double most_of_row(const struct heat_map *map, size_t row)
{
    double most = 0;
    for (size_t i = 0; i < map->columns; i++)
        most = fmax(most, map->values[row * map->columns + i]);
    return most;
}

static void write_cells(const struct heat_map *map, size_t row, double y, FILE *out)
{
    bool own = map->least == 0 && map->most == 0;
    double least = map->least, most = own ? most_of_row(map, row) : map->most;
    double width = 100.0 / (double)map->columns;
    for (size_t i = 0; i < map->columns; i++) {
        char class[16], number[AXIS_TEXT], tip[TIP];
        double value = map->values[row * map->columns + i];
        if (!isfinite(value))
            continue;
        double share = most > least ? (value - least) / (most - least) : 0;
        int heat = (int)(fmin(fmax(share, 0), 1) * (SVG_HEATS - 0.001));
        snprintf(class, sizeof class, "h%d", heat);
        snprintf(tip, sizeof tip, "%zu: %s%s", i, axis_number(value, 3, number), map->unit);
        svg_rect(out, (struct svg_point){width * (double)i, y}, width, BAND, class, tip);
    }
}

static void write_scale(FILE *out, double y, const char *least, const char *most)
{
    int at = 6 + (int)(7 * strlen(least));
    fprintf(out, "<text y=\"%.1f\" class=\"m\">%s</text>", y + SCALE - 3, least);
    for (int i = 0; i < SVG_HEATS; i++, at += SWATCH)
        fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" class=\"h%d\"/>", at,
                y, SWATCH, SCALE, i);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" class=\"m\">%s</text>\n", at + 6, y + SCALE - 3,
            most);
}

void heat_map_write(const struct heat_map *map, enum svg_place place, FILE *out)
{
    static const struct svg_legend none = {0};
    char least[AXIS_TEXT], most[AXIS_TEXT];
    bool own = map->least == 0 && map->most == 0;
    unsigned top = begin(out, place, map->title, &none, map->row_count, 66);
    for (size_t i = 0; i < map->row_count; i++) {
        double y = top + (double)i * PITCH;
        write_label(out, &map->rows[i], y);
        write_cells(map, i, y + LABEL, out);
    }
    double bottom = top + (double)map->row_count * PITCH;
    write_axis(out, (double)map->columns, bottom, map->x_label);
    write_scale(out, bottom + 44, own ? "0" : axis_number(map->least, 2, least),
                own ? "the row's most" : axis_number(map->most, 2, most));
    svg_end(out, place);
}
