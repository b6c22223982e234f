/* The line on a terminal that says how far a run is. */
#ifndef HEARTH_TOOLS_COMMANDS_PROGRESS_LINE_H
#define HEARTH_TOOLS_COMMANDS_PROGRESS_LINE_H

#include "tools/run/run.h"

/* A hook that writes the line on stderr and in the end removes it; none if QUIET, or if stderr
 * is no terminal. It uses no data. */
struct progress_hook progress_line(bool quiet);

#endif
