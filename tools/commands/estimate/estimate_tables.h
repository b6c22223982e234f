/* The tables of hearth estimate. */
#ifndef HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_TABLES_H
#define HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_TABLES_H

#include "tools/commands/estimate/estimate_rows.h"

/* Each begins a zeroed table, which the caller finishes. */
void estimate_table_launches(struct report_table *sheet, const struct estimate_rows *rows);
void estimate_table_totals(struct report_table *sheet, const struct estimate_rows *rows,
                           double seconds);

/* Writes the tables, COUNT of them, and the roofline of ROWS into the folder PATH. Returns 0,
 * or -1 with ERR. */
int estimate_write_folder(const char *path, const struct report_table *const *sheets,
                          size_t count, const struct estimate_rows *rows,
                          const struct estimate_device *device, struct error *err);

/* ---- what-ifs and curves: estimate_variants.c ---- */

/* A row for each of the changes of REQUEST, and the time of ROWS with it. */
int estimate_table_changes(struct report_table *sheet, const struct estimate_rows *rows,
                           const struct estimate_request *request,
                           const struct estimate_device *device, double seconds,
                           struct error *err);
/* A row for each point of the curves of REQUEST. */
int estimate_table_curves(struct report_table *sheet, const struct estimate_rows *rows,
                          const struct estimate_request *request,
                          const struct estimate_device *device, struct error *err);

/* ---- calibration: estimate_calibrate.c, estimate_copies.c ---- */

/* Fits lambda_k of ROWS, which have been estimated, to what REQUEST says was measured, and sets
 * it in them. */
int estimate_calibrate(struct report_table *sheet, struct estimate_rows *rows,
                       const struct estimate_request *request,
                       const struct estimate_device *device, struct error *err);
/* Fits the parameters of copies of DEVICE. */
int estimate_calibrate_copies(struct report_table *sheet, const char *path,
                              struct estimate_device *device, struct error *err);

#endif
