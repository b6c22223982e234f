/* The line on a terminal that shows the progress of a run. */
#ifndef HEARTH_TOOLS_RUN_PROGRESS_PROGRESS_LINE_H
#define HEARTH_TOOLS_RUN_PROGRESS_PROGRESS_LINE_H

#include "tools/run/run.h"

/* A hook that writes the line on stderr and removes it at the end; without effect if QUIET, or
 * if stderr is not a terminal. Its data is not used. */
struct progress_hook progress_line(bool quiet);

#endif
