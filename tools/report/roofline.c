#include "tools/report/roofline.h"

#include <math.h>
#include <stdbool.h>

#include "tools/report/page.h"

#define WIDTH  640 /* of the plotted area */
#define HEIGHT 400
#define LEFT   64
#define TOP    28
#define BOTTOM 48
#define RIGHT  16

/* The powers of ten that the axes show. */
struct axes {
    double x_low, x_high, y_low, y_high;
};

static bool is_drawn(const struct roofline_point *point)
{
    return point->x > 0 && point->y > 0 && isfinite(point->x) && isfinite(point->y);
}

/* All points, and a decade on both sides of the ridge. */
static struct axes axes_of(const struct roofline *roofline)
{
    double ridge = roofline->peak / roofline->slope;
    double left = ridge / 10, right = ridge * 10, low = roofline->peak / 100;
    for (size_t i = 0; i < roofline->count; i++) {
        if (!is_drawn(&roofline->points[i]))
            continue;
        left = fmin(left, roofline->points[i].x);
        right = fmax(right, roofline->points[i].x);
        low = fmin(low, roofline->points[i].y);
    }
    return (struct axes){floor(log10(left)), ceil(log10(right)), floor(log10(low)),
                         ceil(log10(roofline->peak))};
}

static double x_at(const struct axes *axes, double x)
{
    return LEFT + WIDTH * (log10(x) - axes->x_low) / (axes->x_high - axes->x_low);
}

static double y_at(const struct axes *axes, double y)
{
    return TOP + HEIGHT - HEIGHT * (log10(y) - axes->y_low) / (axes->y_high - axes->y_low);
}

static void write_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    page_escape(out, text);
    fputs("</text>\n", out);
}

static void write_line(FILE *out, double x1, double y1, double x2, double y2,
                       const char *colour)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1,
            y1, x2, y2, colour);
}

static void write_axes(const struct roofline *roofline, const struct axes *axes, FILE *out)
{
    char label[16];
    for (double power = axes->x_low; power <= axes->x_high; power++) {
        double at = x_at(axes, pow(10, power));
        snprintf(label, sizeof label, "1e%.0f", power);
        write_line(out, at, TOP, at, TOP + HEIGHT, "#8884");
        write_text(out, at, TOP + HEIGHT + 16, "middle", label);
    }
    for (double power = axes->y_low; power <= axes->y_high; power++) {
        double at = y_at(axes, pow(10, power));
        snprintf(label, sizeof label, "1e%.0f", power);
        write_line(out, LEFT, at, LEFT + WIDTH, at, "#8884");
        write_text(out, LEFT - 6, at + 4, "end", label);
    }
    write_text(out, LEFT + WIDTH / 2.0, 16, "middle", roofline->title);
    write_text(out, LEFT + WIDTH / 2.0, TOP + HEIGHT + 36, "middle", roofline->x_label);
    fprintf(out, "<g transform=\"translate(14 %d) rotate(-90)\">", TOP + HEIGHT / 2);
    write_text(out, 0, 0, "middle", roofline->y_label);
    fputs("</g>\n", out);
}

static void write_roof(const struct roofline *roofline, const struct axes *axes, FILE *out)
{
    double ridge = roofline->peak / roofline->slope;
    double left = fmax(pow(10, axes->x_low), pow(10, axes->y_low) / roofline->slope);
    double peak = y_at(axes, roofline->peak);
    write_line(out, x_at(axes, left), y_at(axes, left * roofline->slope), x_at(axes, ridge),
               peak, "#d55e00");
    write_line(out, x_at(axes, ridge), peak, LEFT + WIDTH, peak, "#d55e00");
}

void roofline_write(const struct roofline *roofline, FILE *out)
{
    struct axes axes = axes_of(roofline);
    int width = LEFT + WIDTH + RIGHT, height = TOP + HEIGHT + BOTTOM;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\" "
            "role=\"img\"><title>",
            width, height, width, height);
    page_escape(out, roofline->title);
    fputs("</title>\n", out);
    write_axes(roofline, &axes, out);
    write_roof(roofline, &axes, out);
    for (size_t i = 0; i < roofline->count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        if (!is_drawn(point))
            continue;
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#0072b2\" "
                "fill-opacity=\".6\"><title>",
                x_at(&axes, point->x), y_at(&axes, point->y));
        page_escape(out, point->label);
        fputs("</title></circle>\n", out);
    }
    fputs("</svg>\n", out);
}
