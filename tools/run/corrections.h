/* Correction factors of a run's results: --warm correction:KIND. */
#ifndef HEARTH_TOOLS_RUN_CORRECTIONS_H
#define HEARTH_TOOLS_RUN_CORRECTIONS_H

#include "tools/run/plan/input.h"
#include "tools/run/progress.h"
#include "tools/run/results/rows.h"

/* The formula that PLAN's policy names (!warm), or NULL. */
const struct correction_kind *corrections_of(const struct plan *plan);

/* Whether a run of INPUT's plan, without what is left out, can be corrected by what the plan
 * names, if it names a correction: its launches start cold, each in a segment of its own, are
 * in the list of the workload, measured whole, and alone (OVERLAP: those of different streams
 * run at once). Returns 0, or -1 with ERR naming the first that is not (ERROR_USAGE). */
int corrections_check(const struct input *input, bool overlap, struct error *err);

/* Corrects the measured launches of ROWS, those that INPUT's plan, without what is left out,
 * begins with. Reads the workload's traces, and shows how far that is unless QUIET. Returns 0,
 * 1 when a signal stopped it (stop_signal()), or -1 with ERR filled; in the latter cases no row
 * is corrected. */
int corrections_apply(const struct correction_kind *kind, const struct input *input,
                      const struct sim_config *config, struct progress_hook progress,
                      struct rows *rows, struct error *err);

#endif
