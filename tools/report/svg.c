#include "tools/report/svg.h"

#include <math.h>
#include <string.h>

#include "tools/report/page.h"

#define FILE_WIDE   760 /* pixels of a picture in a file */
#define LETTER      7.3 /* pixels, mean of 12-pixel letters */
#define LEGEND_WIDE 430 /* pixels: what a small screen has room for */
#define LEGEND_LINE 18
#define WIDE        1000 /* units of a path across its area */

const char svg_style[] =
    ":root{color-scheme:light "
    "dark;--k0:#0072b2;--k1:#d55e00;--k2:#009e73;--k3:#e69f00;--k4:#56b4e9;--k5:#cc79a7;"
    "--k6:#8a7a00;--k7:#8d939b;--k8:#b3b8be;--k9:#d3d6da;"
    "--ink:#1d2126;--muted:#5d656e;--grid:#e3e6ea;"
    "--h0:#f1f4f8;--h1:#dde8f3;--h2:#c6daec;--h3:#a9c9e3;--h4:#86b3d7;--h5:#629cc9;"
    "--h6:#4283b8;--h7:#2a69a1;--h8:#175086;--h9:#083766}"
    "@media(prefers-color-scheme:dark){:root{--k0:#4aa3df;--k1:#f0804a;--k2:#2bbf94;"
    "--k3:#eab54a;--k4:#8fd0f5;--k5:#dd9bc0;--k6:#c2b23c;--k7:#868d96;--k8:#666d76;"
    "--k9:#4a5058;--ink:#e6e9ed;--muted:#a0a8b2;--grid:#30363e;"
    "--h0:#1c232b;--h1:#1d3144;--h2:#1d3f5c;--h3:#1e4f76;--h4:#256291;--h5:#3477aa;"
    "--h6:#4c8fc0;--h7:#6fa9d3;--h8:#9cc6e5;--h9:#d2e7f7}}"
    "svg{font:12px system-ui,sans-serif;fill:var(--ink);overflow:visible;display:block}"
    "svg rect[class^=h]{shape-rendering:crispEdges}"
    "svg .t{font-size:13px;font-weight:600}svg .m{fill:var(--muted)}svg .e{text-anchor:end}"
    "svg .i{text-anchor:middle}svg .g{stroke:var(--grid)}svg .a{stroke:var(--muted)}"
    "svg .d{stroke:var(--muted);stroke-dasharray:4 4}"
    "svg path{fill:none;stroke-width:1.6;stroke-linejoin:round}"
    "svg .o{fill:Canvas}svg .p{fill-opacity:.7}svg rect.p{fill-opacity:.35}svg "
    ".w{stroke-width:2}"
    ".f0{fill:var(--k0)}.f1{fill:var(--k1)}.f2{fill:var(--k2)}.f3{fill:var(--k3)}"
    ".f4{fill:var(--k4)}.f5{fill:var(--k5)}.f6{fill:var(--k6)}.f7{fill:var(--k7)}"
    ".f8{fill:var(--k8)}.f9{fill:var(--k9)}"
    ".s0{stroke:var(--k0)}.s1{stroke:var(--k1)}.s2{stroke:var(--k2)}.s3{stroke:var(--k3)}"
    ".s4{stroke:var(--k4)}.s5{stroke:var(--k5)}.s6{stroke:var(--k6)}.s7{stroke:var(--k7)}"
    ".s8{stroke:var(--k8)}.s9{stroke:var(--k9)}"
    ".h0{fill:var(--h0)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}.h3{fill:var(--h3)}"
    ".h4{fill:var(--h4)}.h5{fill:var(--h5)}.h6{fill:var(--h6)}.h7{fill:var(--h7)}"
    ".h8{fill:var(--h8)}.h9{fill:var(--h9)}";

static void write_tip(FILE *out, const char *element, const char *tip)
{
    if (tip == NULL) {
        fputs("/>\n", out);
        return;
    }
    fputs("><title>", out);
    page_escape(out, tip);
    fprintf(out, "</title></%s>\n", element);
}

void svg_begin(FILE *out, enum svg_place place, const struct svg_size *size, const char *title)
{
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" ", out);
    if (place == SVG_FILE)
        fprintf(out, "width=\"%d\" height=\"%u\"><title>", FILE_WIDE, size->height);
    else
        fprintf(out,
                "height=\"%u\" style=\"width:calc(100%% - %upx);margin-left:%upx\"><title>",
                size->height, size->left + size->right, size->left);
    page_escape(out, title);
    fputs("</title>\n", out);
    if (place == SVG_FILE)
        fprintf(out,
                "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" class=\"o\"/>"
                "<svg x=\"%u\" width=\"%u\" overflow=\"visible\">\n",
                svg_style, size->left, FILE_WIDE - size->left - size->right);
}

void svg_end(FILE *out, enum svg_place place)
{
    fputs(place == SVG_FILE ? "</svg></svg>\n" : "</svg>\n", out);
}

void svg_part_begin(FILE *out, unsigned top)
{
    fprintf(out, "<svg y=\"%u\" overflow=\"visible\">\n", top);
}

void svg_part_end(FILE *out)
{
    fputs("</svg>\n", out);
}

void svg_text(FILE *out, struct svg_point at, double shift, const char *class, const char *text)
{
    fprintf(out, "<text x=\"%.2f%%\" y=\"%.1f\" dx=\"%g\" class=\"%s\">", at.x, at.y, shift,
            class);
    page_escape(out, text);
    fputs("</text>\n", out);
}

void svg_turned_text(FILE *out, struct svg_point at, double degrees, const char *class,
                     const char *text)
{
    fprintf(out,
            "<svg x=\"%.2f%%\" y=\"%.1f\" overflow=\"visible\"><text "
            "transform=\"rotate(%g)\" class=\"%s\">",
            at.x, at.y, degrees, class);
    page_escape(out, text);
    fputs("</text></svg>\n", out);
}

void svg_rect(FILE *out, struct svg_point at, double width, double height, const char *class,
              const char *tip)
{
    fprintf(out, "<rect x=\"%.2f%%\" y=\"%.1f\" width=\"%.2f%%\" height=\"%.1f\" class=\"%s\"",
            at.x, at.y, width, height, class);
    write_tip(out, "rect", tip);
}

void svg_circle(FILE *out, struct svg_point at, double radius, const char *class,
                const char *tip)
{
    fprintf(out, "<circle cx=\"%.2f%%\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"", at.x, at.y,
            radius, class);
    write_tip(out, "circle", tip);
}

void svg_line(FILE *out, struct svg_point from, struct svg_point to, const char *class)
{
    fprintf(out, "<line x1=\"%.2f%%\" y1=\"%.1f\" x2=\"%.2f%%\" y2=\"%.1f\" class=\"%s\"/>\n",
            from.x, from.y, to.x, to.y, class);
}

void svg_path_begin(FILE *out, double height)
{
    fprintf(out,
            "<svg viewBox=\"0 0 %d %.1f\" preserveAspectRatio=\"none\" width=\"100%%\" "
            "height=\"%.1f\"><path vector-effect=\"non-scaling-stroke\" d=\"",
            WIDE, height, height);
}

void svg_path_point(FILE *out, struct svg_point point, int *begun)
{
    if (!isfinite(point.x) || !isfinite(point.y)) {
        *begun = 0;
        return;
    }
    fprintf(out, "%c%.1f %.1f", *begun ? 'L' : 'M', point.x * WIDE / 100, point.y);
    *begun = 1;
}

void svg_path_end(FILE *out, const char *class)
{
    fprintf(out, "\" class=\"%s\"/></svg>\n", class);
}

int svg_colour(const struct svg_legend *legend, size_t i)
{
    return legend->colours != NULL ? legend->colours[i] : (int)(i % SVG_COLOURS);
}

/* Writes the names, or with OUT NULL only counts the rows. */
static unsigned lay_out(const struct svg_legend *legend, FILE *out, int left, unsigned top)
{
    unsigned row = 0;
    double x = 0;
    for (size_t i = 0; i < legend->count; i++) {
        double width = 30 + LETTER * (double)strlen(legend->names[i]);
        if (x > 0 && x + width > LEGEND_WIDE) {
            x = 0;
            row++;
        }
        if (out != NULL) {
            unsigned y = top + row * LEGEND_LINE;
            fprintf(out,
                    "<rect x=\"%.0f\" y=\"%u\" width=\"10\" height=\"10\" rx=\"2\" "
                    "class=\"f%d\"/>",
                    left + x, y + 4, svg_colour(legend, i));
            fprintf(out, "<text x=\"%.0f\" y=\"%u\" class=\"m\">", left + x + 15, y + 13);
            page_escape(out, legend->names[i]);
            fputs("</text>\n", out);
        }
        x += width;
    }
    return legend->count > 0 ? row + 1 : 0;
}

unsigned svg_legend_height(const struct svg_legend *legend)
{
    return lay_out(legend, NULL, 0, 0) * LEGEND_LINE;
}

void svg_legend_write(FILE *out, int left, unsigned top, const struct svg_legend *legend)
{
    lay_out(legend, out, left, top);
}
