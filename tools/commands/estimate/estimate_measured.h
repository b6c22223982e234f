/* Measured times of launches, read for hearth estimate --calibrate. */
#ifndef HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_MEASURED_H
#define HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_MEASURED_H

#include "tools/commands/estimate/estimate_rows.h"

struct estimate_measured {
    double *seconds; /* of each row; NaN: nothing was measured of it. The caller frees them */
    size_t found;    /* rows of which something was */
};

/* Reads the results or the table that REQUEST says, for ROWS; cycles are those of DEVICE.
 * MEASURED is zeroed. Returns 0, or -1 with ERR (with line, where a row is wrong). */
int estimate_measured_read(struct estimate_measured *measured, const struct estimate_rows *rows,
                           const struct estimate_request *request,
                           const struct estimate_device *device, struct error *err);

#endif
