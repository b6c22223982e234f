/* The application's statistics from those of its measured launches: every additive one as the
 * sum of scale x value, every ratio as one such sum over another, each with its error bar where
 * the plan's launches were drawn so that there is one (sampling/estimate.h). Instructions that
 * the plan knows (!total) are taken from it (tools/run/sample/plan_totals.h). */
#ifndef HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATION_H
#define HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATION_H

#include "tools/run/results/row.h"
#include "tools/run/sample/sample_design.h"

/* What was measured of a launch. */
struct extrapolation_launch {
    double cycles;    /* core cycles; PART times them is all of it: prime_cycles() */
    double corrected; /* its corrected core cycles; 0: there is no correction */
    double gap;       /* core cycles in front, in which memory drained */
    double part;      /* what all of it has over what is measured of it: 1 but for prime= */
    const struct sim_counters *counters; /* not owned */
};

struct extrapolation {
    struct sample_design design;
    const struct extrapolation_launch *launches; /* of the plan's measured ones; not owned */
    struct sim_peaks peaks;
    bool primed;                                /* of a launch only a part was measured */
    bool corrected;                             /* there are corrected cycles of all launches */
    double *sizes, *parts, *wholes, *residuals; /* private */
};

/* LAUNCHES: one for each measured launch of PLAN without those in SKIP, in its order, on a
 * model of PEAKS; COUNT of them must be as many. Returns 0, or -1 with ERR filled. */
int extrapolation_init(struct extrapolation *extrapolation, const struct plan *plan,
                       const bool *skip, const struct extrapolation_launch *launches,
                       size_t count, const struct sim_peaks *peaks, struct error *err);
/* The same of LAUNCHES that each stand for themselves. */
int extrapolation_init_all(struct extrapolation *extrapolation,
                           const struct extrapolation_launch *launches, size_t count,
                           const struct sim_peaks *peaks, struct error *err);
/* Accepts a zeroed one. */
void extrapolation_finish(struct extrapolation *extrapolation);

/* Why no statistic has an error bar, or some have none: a clause; NULL: all have one. */
const char *extrapolation_no_bar(const struct extrapolation *extrapolation);

/* The statistics: leading ones, the counters of sim/stats/counters.def, the ratios of
 * sim/stats/derived.def. */
size_t extrapolation_count(void);
struct row_column extrapolation_column(size_t index);
/* The index of the one called NAME, which must be one. */
size_t extrapolation_find(const char *name);
/* Whether EXTRAPOLATION has it: those of corrected cycles only where all launches have them. */
bool extrapolation_has(const struct extrapolation *extrapolation, size_t index);
/* Uses room of EXTRAPOLATION: one at a time. */
struct sampling_estimate extrapolation_value(const struct extrapolation *extrapolation,
                                             size_t index);

#endif
