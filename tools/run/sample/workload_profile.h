/* Profiles of workloads, and what commands that take either share. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_WORKLOAD_PROFILE_H
#define HEARTH_TOOLS_RUN_SAMPLE_WORKLOAD_PROFILE_H

#include <stdbool.h>

#include "tools/run/plan/launches.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

/* Profiles the launches of WORKLOAD, numbered by LAUNCHES; CHOSEN alone (NULL:
 * all). COMPANIONS as in profile_add_trace(), with their header rows; NULL:
 * none. NULL on error; no launch is one, and so is a signal (stop_signal()) between two. */
struct profile *workload_profile(const struct trace_workload *workload,
                                 const struct launches *launches, const struct ranges *chosen,
                                 const struct profile_companions *companions,
                                 struct error *err);
/* Says on stderr when launches go by position. */
void workload_profile_note(const struct trace_workload *workload,
                           const struct launches *launches);

/* Fills the cycles of PROFILE from the results of a run: GIVEN is its folder or
 * its kernels.csv. Says on stderr when some launches have none, unless QUIET. */
int workload_profile_cycles(struct profile *profile, const char *given, bool quiet,
                            struct error *err);

#endif
