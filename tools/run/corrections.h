/* Applies corrections to the results of a run: --warm correction:KIND. */
#ifndef HEARTH_TOOLS_RUN_CORRECTIONS_H
#define HEARTH_TOOLS_RUN_CORRECTIONS_H

#include "tools/run/plan/input.h"
#include "tools/run/progress/progress.h"
#include "tools/run/results/rows/rows.h"

/* The formula that PLAN's policy (!warm) names, or NULL. */
const struct correction_kind *corrections_of(const struct plan *plan);

/* Whether a run of INPUT's plan, without skipped items, can be corrected, if the plan names a
 * correction. Its launches must start cold, each in a segment of its own; they must be in the
 * list of the workload, be measured from start to end, and run alone (OVERLAP: launches of
 * different streams run concurrently). Returns 0, or -1 with ERR naming the first launch that
 * does not comply (ERROR_USAGE). */
int corrections_check(const struct input *input, const char *overlap, struct error *err);

/* Corrects the measured launches of ROWS, the first launches of INPUT's plan without skipped
 * items. Reads the workload's traces, and shows progress unless QUIET. Returns 0, 1 if a
 * signal stopped it (stop_signal()), or -1 with ERR filled; unless it returns 0, no row is
 * corrected. */
int corrections_apply(const struct correction_kind *kind, const struct input *input,
                      const struct sim_config *config, struct progress_hook progress,
                      struct rows *rows, struct error *err);

#endif
