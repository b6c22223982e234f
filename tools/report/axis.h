/* Axes of charts: from values to places, and round numbers to mark them with. */
#ifndef HEARTH_TOOLS_REPORT_AXIS_H
#define HEARTH_TOOLS_REPORT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define AXIS_TICKS 12
#define AXIS_TEXT  32

struct axis {
    double low, high; /* low < high; both above 0 if it is logarithmic */
    bool logarithmic;
    bool whole; /* a linear axis is marked only at whole numbers */
};

/* The axis that shows LEAST to MOST, with ends that are round numbers. A linear one shows 0 if
 * that is not far away. What is no number, or not above 0 on a logarithmic one, counts as the
 * smallest axis. */
struct axis axis_linear(double least, double most);
struct axis axis_logarithmic(double least, double most);

/* 0 at its low end to 1 at its high end; beyond for values outside, NaN for those that a
 * logarithmic axis cannot show. */
double axis_place(const struct axis *axis, double value);
/* Round numbers on the axis, ascending; returns how many. */
size_t axis_ticks(const struct axis *axis, double ticks[AXIS_TICKS]);
/* A number with at most SIGNIFICANT digits, and k, M, G or T: "1.5 M"; small ones as 3e-05. */
const char *axis_number(double value, int significant, char text[AXIS_TEXT]);

#endif
