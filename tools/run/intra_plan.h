/* Sampling inside launches, as plans ask for it (intra=). */
#ifndef HEARTH_TOOLS_RUN_INTRA_PLAN_H
#define HEARTH_TOOLS_RUN_INTRA_PLAN_H

#include "tools/run/plan/plan.h"

/* Gives the measured launches of PLAN that have no intra= that of TEXT. Returns 0, or -1 with
 * ERR filled: TEXT names no method. */
int intra_plan_apply(struct plan *plan, const char *text, struct error *err);

/* Whether the methods that PLAN names exist, and nothing else is wanted of their launches that
 * they cannot have; items whose flag is set in SKIP do not count. OVERLAP: the option that lets
 * launches overlap; NULL: none does. INTERVALS: as in struct run_request. CORRECTED: cycles are
 * corrected after the run. Returns 0, or -1 with ERR naming the line. */
int intra_plan_check(const struct plan *plan, const bool *skip, const char *overlap,
                     uint64_t intervals, bool corrected, struct error *err);

#endif
