/* The page of hearth report. */
#ifndef HEARTH_TOOLS_COMMANDS_REPORT_REPORT_PAGE_H
#define HEARTH_TOOLS_COMMANDS_REPORT_REPORT_PAGE_H

#include "tools/commands/diff/diff_runs.h"

/* Writes the page to OUT: the comparison, if there are several runs, then each run; the base
 * itself only if SHOW_BASE. Returns 0, or -1 with ERR filled. */
int report_page_write(const struct diff_runs *runs, bool show_base, FILE *out,
                      struct error *err);

#endif
