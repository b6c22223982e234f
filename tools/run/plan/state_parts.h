/* Where the states of a plan are, and the folders beside it that have them until all are made:
 * until then, those of an earlier plan stay complete. All return 0, or -1 with ERR. */
#ifndef HEARTH_TOOLS_RUN_PLAN_STATE_PARTS_H
#define HEARTH_TOOLS_RUN_PLAN_STATE_PARTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/run/plan/warm_plan.h"

/* The file in FOLDER with the state before the launch at POSITION. Nothing is allocated, so
 * that files are also removed after memory ran out. */
int state_parts_place(char path[PATH_MAX], const char *folder, size_t position,
                      struct error *err);
/* Makes the folders of all variants. */
int state_parts_make(const struct warm_plan *warm, struct error *err);
/* Where the state before LAUNCH is meanwhile. */
int state_parts_path(char path[PATH_MAX], const struct warm_variant *variant, size_t launch,
                     struct error *err);
/* KEEP: the plans are made, and the states before the COUNT LAUNCHES are moved to their places;
 * otherwise the states are removed. The folders are removed. */
int state_parts_settle(const struct warm_plan *warm, const size_t *launches, size_t count,
                       bool keep, struct error *err);

#endif
