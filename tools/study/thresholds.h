/* How much of an application is affected by cold caches. */
#ifndef HEARTH_TOOLS_STUDY_THRESHOLDS_H
#define HEARTH_TOOLS_STUDY_THRESHOLDS_H

#include <stddef.h>

#include "tools/report/report_table.h"

/* What pages call "the thesis". */
#define THRESHOLDS_THESIS                                                                      \
    "\"Quantifying and Mitigating the Cold-Start Problem in GPU Simulation\" (J. Sys, Ghent "  \
    "University, 2024)"

/* Of the columns 4 and 6, for charts. */
extern const char *const thresholds_names[2];

/* A launch, cold and warm. */
struct pair {
    double insts;      /* its weight */
    double cold, warm; /* IPC */
};

/* (IPC cold - IPC warm) / IPC warm, in percent: negative if cold is slower. */
double pair_difference(const struct pair *pair);

/* Fills SHEET except for its name, title and note: for differences of at least 5, 10, 15 and
 * 20 %, the launches and their share of all instructions ("Cold-start" (thesis, 2024), figures
 * 4.2, 4.3 and 5.2), also split into those that are slower and faster cold. */
void thresholds_fill(struct report_table *sheet, const struct pair *pairs, size_t count);

/* The same for COUNT launches that were both MEASURED on hardware and SIMULATED, side by
 * side. */
void thresholds_compare(struct report_table *sheet, const struct pair *measured,
                        const struct pair *simulated, size_t count);

#endif
