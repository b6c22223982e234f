/* Elements of SVG. In a page every picture is as wide as what it stands in, and keeps the size
 * of its letters: places along x are percentages between its margins, places along y are
 * pixels. Colours are classes, which the style gives a light and a dark form. */
#ifndef HEARTH_TOOLS_REPORT_SVG_H
#define HEARTH_TOOLS_REPORT_SVG_H

#include <stdio.h>

/* Colours that readers with colour blindness can tell apart: 0 to 6 after Okabe and Ito, then
 * three greys. */
#define SVG_COLOURS 10
/* Steps of the scale of heat maps, from none to most. */
#define SVG_HEATS 10

/* Where a picture stands. */
enum svg_place {
    SVG_FILE, /* in a file of its own, with its style */
    SVG_PAGE, /* in a page, which has the style */
};

/* The style of all pictures, for pages. */
extern const char svg_style[];

struct svg_size {
    unsigned left, right; /* margins in pixels; places to the left of 0 are in the left one */
    unsigned height;      /* pixels */
};

/* Begins a picture. TITLE is its name for readers that cannot see it. */
void svg_begin(FILE *out, enum svg_place place, const struct svg_size *size, const char *title);
void svg_end(FILE *out, enum svg_place place);

/* Begins and ends a part of the picture whose y counts from TOP. */
void svg_part_begin(FILE *out, unsigned top);
void svg_part_end(FILE *out);

struct svg_point {
    double x; /* percent of the width between the margins */
    double y; /* pixels from the top */
};

/* CLASS is that of the style: "t" a title, "m" less important, "e" ends at its place, "i" is in
 * its middle; SHIFT pixels to the right of AT. */
void svg_text(FILE *out, struct svg_point at, double shift, const char *class,
              const char *text);
/* The same, rotated by DEGREES around AT. */
void svg_turned_text(FILE *out, struct svg_point at, double degrees, const char *class,
                     const char *text);
/* Shows TIP (NULL: nothing) when the pointer is over it. WIDTH is a percentage. */
void svg_rect(FILE *out, struct svg_point at, double width, double height, const char *class,
              const char *tip);
void svg_circle(FILE *out, struct svg_point at, double radius, const char *class,
                const char *tip);
void svg_line(FILE *out, struct svg_point from, struct svg_point to, const char *class);

/* A line through many points, in a part of HEIGHT pixels. A point whose y is no number
 * interrupts it. */
void svg_path_begin(FILE *out, double height);
void svg_path_point(FILE *out, struct svg_point point, int *begun);
void svg_path_end(FILE *out, const char *class);

/* Squares with words beside them, in rows. */
struct svg_legend {
    const char *const *names;
    size_t count;
    const unsigned char *colours; /* of each; NULL: 0, 1, 2 ... */
};
/* The colour of the name I. */
int svg_colour(const struct svg_legend *legend, size_t i);
unsigned svg_legend_height(const struct svg_legend *legend);
void svg_legend_write(FILE *out, int left, unsigned top, const struct svg_legend *legend);

#endif
