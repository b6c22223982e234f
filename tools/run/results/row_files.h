/* The files that have a row, or the values of a row, for each launch: kernels.csv, stats.json
 * and stats.txt. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROW_FILES_H
#define HEARTH_TOOLS_RUN_RESULTS_ROW_FILES_H

#include "tools/run/results/results_writer.h"

#define ROW_FILES 3

extern const char *const row_files_names[ROW_FILES];

/* Writes them in FOLDER. Returns 0, or -1 with ERR filled. */
int row_files_write(struct output_folder *folder, const struct results *results,
                    const struct results_about *about, struct error *err);

#endif
