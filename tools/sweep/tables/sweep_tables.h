/* The tables of a sweep: launches, jobs, kernels and configurations. */
#ifndef HEARTH_TOOLS_SWEEP_TABLES_SWEEP_TABLES_H
#define HEARTH_TOOLS_SWEEP_TABLES_SWEEP_TABLES_H

#include "tools/sweep/sweep_todo.h"
#include "traces/base/error.h"

/* Writes launches.csv, jobs.csv, kernels.csv, configurations.csv and sweep.sqlite into FOLDER.
 * Jobs that are not done have a row without numbers. Returns 0, or -1 with ERR filled. */
int sweep_tables_write(const struct sweep_todo *todo, const char *folder, struct error *err);

#endif
