#include "tools/report/scatter.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tools/report/page.h"

#define SIZE   460 /* of the plotted square */
#define LEFT   64
#define TOP    28
#define BOTTOM 48
#define LEGEND 190
#define GROUPS 8
#define HEIGHT 200 /* of a histogram's plotted area */
#define RIGHT  32  /* room for its last label */

/* Okabe and Ito's colours, which readers with colour blindness can tell apart. */
static const char *const colours[GROUPS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#7f6000", "#777777"};

static void begin(FILE *out, int width, int height, const char *title)
{
    fprintf(out,
            "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" "
            "fill=\"currentColor\" role=\"img\"><title>",
            width, height, width, height);
    page_escape(out, title);
    fputs("</title>\n", out);
}

static void text(FILE *out, double x, double y, const char *anchor, const char *string)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    page_escape(out, string);
    fputs("</text>\n", out);
}

static void line(FILE *out, double x1, double y1, double x2, double y2, const char *style)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1,
            y1, x2, y2, style);
}

/* ---- scatter ----------------------------------------------------------- */

static bool is_drawn(const struct scatter_point *point)
{
    return point->x > 1e-30 && point->y > 1e-30 && point->x < 1e30 && point->y < 1e30;
}

/* The powers of ten that all points lie between. */
static void find_range(const struct scatter *scatter, double *low, double *high)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < scatter->count; i++) {
        const struct scatter_point *point = &scatter->points[i];
        if (!is_drawn(point))
            continue;
        least = fmin(least, fmin(point->x, point->y));
        most = fmax(most, fmax(point->x, point->y));
    }
    *low = most > 0 ? floor(log10(least)) : 0;
    *high = most > 0 ? ceil(log10(most)) : 1;
    if (*high <= *low)
        *high = *low + 1;
}

static double place(double value, double low, double high)
{
    return SIZE * (log10(value) - low) / (high - low);
}

static void write_axes(const struct scatter *scatter, double low, double high, FILE *out)
{
    char label[16];
    for (double power = low; power <= high; power++) {
        double at = place(pow(10, power), low, high);
        line(out, LEFT + at, TOP, LEFT + at, TOP + SIZE, "#8884");
        line(out, LEFT, TOP + SIZE - at, LEFT + SIZE, TOP + SIZE - at, "#8884");
        snprintf(label, sizeof label, "1e%.0f", power);
        text(out, LEFT + at, TOP + SIZE + 16, "middle", label);
        text(out, LEFT - 6, TOP + SIZE - at + 4, "end", label);
    }
    line(out, LEFT, TOP + SIZE, LEFT + SIZE, TOP, "currentColor");
    text(out, LEFT + SIZE / 2.0, 16, "middle", scatter->title);
    text(out, LEFT + SIZE / 2.0, TOP + SIZE + 36, "middle", scatter->x_label);
    fprintf(out, "<g transform=\"translate(14 %d) rotate(-90)\">", TOP + SIZE / 2);
    text(out, 0, 0, "middle", scatter->y_label);
    fputs("</g>\n", out);
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

static void write_legend(const struct scatter *scatter, const char *const groups[GROUPS],
                         size_t count, FILE *out)
{
    bool more = false;
    for (size_t i = 0; i < scatter->count; i++) {
        const char *group = scatter->points[i].group;
        more |= strcmp(groups[group_of(group, groups, count)], group) != 0;
    }
    for (size_t g = 0; g < count; g++) {
        double y = TOP + 10 + 18 * (double)g;
        fprintf(out, "<circle cx=\"%d\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", LEFT + SIZE + 16,
                y, colours[g]);
        text(out, LEFT + SIZE + 26, y + 4, "start",
             more && g + 1 == GROUPS ? "others" : groups[g]);
    }
}

void scatter_write(const struct scatter *scatter, FILE *out)
{
    double low, high;
    const char *groups[GROUPS];
    size_t count = find_groups(scatter, groups);
    find_range(scatter, &low, &high);
    begin(out, LEFT + SIZE + LEGEND, TOP + SIZE + BOTTOM, scatter->title);
    write_axes(scatter, low, high, out);
    for (size_t i = 0; i < scatter->count; i++) {
        const struct scatter_point *point = &scatter->points[i];
        if (!is_drawn(point))
            continue;
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\".6\">"
                "<title>",
                LEFT + place(point->x, low, high), TOP + SIZE - place(point->y, low, high),
                colours[group_of(point->group, groups, count)]);
        page_escape(out, point->label);
        fputs("</title></circle>\n", out);
    }
    write_legend(scatter, groups, count, out);
    fputs("</svg></figure>\n", out);
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

void histogram_write(const struct histogram_chart *histogram, FILE *out)
{
    size_t most = 1;
    double width = (double)(SIZE + LEGEND) / histogram->bins;
    begin(out, LEFT + SIZE + LEGEND + RIGHT, TOP + HEIGHT + BOTTOM, histogram->title);
    text(out, LEFT + (SIZE + LEGEND) / 2.0, 16, "middle", histogram->title);
    for (unsigned i = 0; i < histogram->bins; i++)
        most = count_in(histogram, i) > most ? count_in(histogram, i) : most;
    for (unsigned i = 0; i < histogram->bins; i++) {
        size_t count = count_in(histogram, i);
        double height = HEIGHT * (double)count / (double)most;
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">"
                "<title>%zu</title></rect>\n",
                LEFT + i * width, TOP + HEIGHT - height, width - 1, height, colours[0], count);
    }
    for (unsigned i = 0; i <= histogram->bins; i += (histogram->bins + 3) / 4) {
        char label[32];
        snprintf(label, sizeof label, "%s%g",
                 i == 0                 ? "≤ "
                 : i == histogram->bins ? "≥ "
                                        : "",
                 histogram->least + (histogram->most - histogram->least) * i / histogram->bins);
        text(out, LEFT + i * width, TOP + HEIGHT + 16, "middle", label);
    }
    text(out, LEFT + (SIZE + LEGEND) / 2.0, TOP + HEIGHT + 36, "middle", histogram->x_label);
    fputs("</svg></figure>\n", out);
}
