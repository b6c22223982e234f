/* What a run says on standard output when it is over. */
#ifndef HEARTH_TOOLS_COMMANDS_RUN_SUMMARY_H
#define HEARTH_TOOLS_COMMANDS_RUN_SUMMARY_H

#include "tools/run/run.h"

/* FOLDER is where the results are. */
void run_summary_print(const struct results *results, const char *folder);

#endif
