/* The summary that a run prints on standard output. */
#ifndef HEARTH_TOOLS_COMMANDS_RUN_SUMMARY_H
#define HEARTH_TOOLS_COMMANDS_RUN_SUMMARY_H

#include "tools/run/run.h"

/* FOLDER has the results. */
void run_summary_print(const struct results *results, const char *folder);

#endif
