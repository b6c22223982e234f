/* Makes profiles of workloads; shared by commands that take a workload or a profile. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_WORKLOAD_PROFILE_H
#define HEARTH_TOOLS_RUN_SAMPLE_WORKLOAD_PROFILE_H

#include <stdbool.h>

#include "tools/run/plan/launches.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

/* Profiles the launches of WORKLOAD, numbered by LAUNCHES; only CHOSEN (NULL: all). COMPANIONS
 * as in profile_add_trace(), with their header rows; NULL: none. NULL on error, which includes
 * a selection without launches and a signal (stop_signal()) between two launches. */
struct profile *workload_profile(const struct trace_workload *workload,
                                 const struct launches *launches, const struct ranges *chosen,
                                 const struct profile_companions *companions,
                                 struct error *err);
/* The same of all launches by what their headers say: profile_add_counts(). */
struct profile *workload_profile_counts(const struct trace_workload *workload,
                                        const struct launches *launches, struct error *err);
/* Prints a note on stderr if launches are numbered by position. */
void workload_profile_note(const struct trace_workload *workload,
                           const struct launches *launches);

/* Fills the cycles of PROFILE from the results of a run: GIVEN is its folder or its
 * kernels.csv. Launch latency, by the config.out beside kernels.csv, is left out: every method
 * predicts it. Prints notes on stderr of that, and if some launches have no cycles, unless
 * QUIET. */
int workload_profile_cycles(struct profile *profile, const char *given, bool quiet,
                            struct error *err);

#endif
