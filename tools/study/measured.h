/* What a run measured, as an extrapolation takes it: read back from its results. */
#ifndef HEARTH_TOOLS_STUDY_MEASURED_H
#define HEARTH_TOOLS_STUDY_MEASURED_H

#include "tools/run/results/extrapolation.h"

struct measured {
    struct extrapolation_launch *launches; /* in the order of the rows; corrected cycles where
                                            * there are any */
    struct sim_counters *counters;         /* of each; private */
    size_t count;
    struct sim_peaks peaks;
};

/* Reads kernels.csv and config.out in FOLDER. A measured launch without a number of cycles is
 * an error (ERROR_TRACE). */
int measured_read(struct measured *measured, const char *folder, struct error *err);
/* Accepts a zeroed one. */
void measured_finish(struct measured *measured);

#endif
