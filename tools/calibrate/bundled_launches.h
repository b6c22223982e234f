/* The launches of the calibration program on an H100, which are compiled in
 * (tracer/calibration/launches.packed), as a file that can be opened by its path. */
#ifndef HEARTH_TOOLS_CALIBRATE_BUNDLED_LAUNCHES_H
#define HEARTH_TOOLS_CALIBRATE_BUNDLED_LAUNCHES_H

#include "traces/base/error.h"

struct bundled_launches {
    int file; /* in memory; -1: none */
    char path[32];
};

/* Returns 0, or -1 with ERR filled. bundled_launches_close() either way. */
int bundled_launches_open(struct bundled_launches *launches, struct error *err);
void bundled_launches_close(struct bundled_launches *launches);

#endif
