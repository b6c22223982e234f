/* The rows that the calibration program measured on a card. */
#ifndef HEARTH_TOOLS_CALIBRATE_MEASURED_ROWS_H
#define HEARTH_TOOLS_CALIBRATE_MEASURED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/csv/csv_table.h"
#include "traces/base/error.h"

/* Cycles of one run or two; NaN: unknown. */
struct calibration_cycles {
    double mean, least, most;
};

/* A row. */
struct calibration_row {
    const char *label, *mechanism;
    uint64_t launch; /* in the trace; 0: a property of the card */
    double work;
    struct calibration_cycles clock, sm, gpc; /* clock64() in the kernel, an SM active, the
                                                 launch */
    const char *grid, *block;                 /* as "132x1x1"; "": unknown */
};

/* Owns all. Empty when zeroed. */
struct measured_rows {
    const char *path;
    struct csv_table table;
    struct calibration_row *items;
    size_t count;
};

/* Reads PATH, which has the columns launch, label and work, and at least one of sm_cycles and
 * clock_cycles. Returns 0, or -1 with ERR filled; measured_rows_finish() either way. */
int measured_rows_read(struct measured_rows *rows, const char *path, struct error *err);
void measured_rows_finish(struct measured_rows *rows);

/* The first row called LABEL, LENGTH characters; NULL: there is none. */
const struct calibration_row *measured_rows_find(const struct measured_rows *rows,
                                                 const char *label, size_t length);

/* Stores the median of gpc - sm in *SPAN; NaN: no row has both. Returns 0, or -1 without memory
 * with ERR filled. */
int measured_rows_span(const struct measured_rows *rows, double *span, struct error *err);

#endif
