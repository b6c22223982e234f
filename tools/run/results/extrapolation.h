/* The application's statistics from those of its measured launches: every additive one is the
 * sum of scale x value, every ratio is the ratio of two such sums. Each has an error bar if
 * the plan's launches were drawn so that there can be one (sampling/estimate.h). Instructions
 * that the plan knows (!total) are taken from it (tools/run/sample/plan_totals.h). */
#ifndef HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATION_H
#define HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATION_H

#include "tools/run/results/row.h"
#include "tools/run/sample/sample_design.h"

/* What was measured for a launch. */
struct extrapolation_launch {
    double cycles;    /* core cycles; PART times them is the whole launch: prime_cycles() */
    double corrected; /* its corrected core cycles; 0: there is no correction */
    double gap;       /* core cycles before it, in which memory drained */
    double part;      /* ratio of the whole launch to the measured part: 1 except with prime= */
    struct sim_counters counters;
};

/* The measured launches of a plan, in its order. */
struct extrapolation_launches {
    size_t count;
    /* Fills LAUNCH with number I, from 0. Called for all in order, several times. Returns 0, or
     * -1 with ERR filled. */
    int (*get)(void *data, size_t i, struct extrapolation_launch *launch, struct error *err);
    void *data;
};

struct extrapolation {
    struct sample_design design;
    struct extrapolation_launches launches; /* must outlive extrapolation_estimate() */
    struct sim_peaks peaks;
    bool primed;                         /* only a part of a launch was measured */
    bool corrected;                      /* all launches have corrected cycles */
    double *sizes;                       /* private, like the next */
    struct sampling_estimate *estimates; /* NULL: not estimated yet */
};

/* LAUNCHES: one for each measured launch of PLAN without those in SKIP, on a model of PEAKS.
 * Their number must match the plan. Returns 0, or -1 with ERR filled. */
int extrapolation_init(struct extrapolation *extrapolation, const struct plan *plan,
                       const bool *skip, const struct extrapolation_launches *launches,
                       const struct sim_peaks *peaks, struct error *err);
/* The same for LAUNCHES that each represent only themselves. */
int extrapolation_init_all(struct extrapolation *extrapolation,
                           const struct extrapolation_launches *launches,
                           const struct sim_peaks *peaks, struct error *err);
/* Estimates all statistics; before that, the caller may change the design. Returns 0, or -1
 * with ERR filled. */
int extrapolation_estimate(struct extrapolation *extrapolation, struct error *err);
/* Accepts a zeroed one. */
void extrapolation_finish(struct extrapolation *extrapolation);

/* Why statistics, or some of them, have no error bar: a clause; NULL: all have one. */
const char *extrapolation_no_bar(const struct extrapolation *extrapolation);

/* The statistics: first a few of this file, then the counters of sim/stats/counters.def and
 * the ratios of sim/stats/derived.def. */
size_t extrapolation_count(void);
struct row_column extrapolation_column(size_t index);
/* The index of the statistic NAME, which must exist. */
size_t extrapolation_find(const char *name);
/* Whether EXTRAPOLATION has the statistic: those of corrected cycles exist only if all
 * launches have them. */
bool extrapolation_has(const struct extrapolation *extrapolation, size_t index);
/* After extrapolation_estimate(). */
struct sampling_estimate extrapolation_value(const struct extrapolation *extrapolation,
                                             size_t index);

#endif
