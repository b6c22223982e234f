/* Parameters of a calibration row: "width=32;warps=4;hops=2048". */
#ifndef HEARTH_TOOLS_STUDY_CORRELATE_PARAMETERS_H
#define HEARTH_TOOLS_STUDY_CORRELATE_PARAMETERS_H

#include <stdbool.h>

/* Whether A and B have the same names in the same order, each with the same value or, as a
 * number, RATIO times as much in B. */
bool parameters_differ_by(const char *a, const char *b, double ratio);

#endif
