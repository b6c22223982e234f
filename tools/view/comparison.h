/* Two runs of a workload, launch by launch. */
#ifndef HEARTH_TOOLS_VIEW_COMPARISON_H
#define HEARTH_TOOLS_VIEW_COMPARISON_H

#include "tools/view/run_view.h"

/* Of a kernel, over the launches that both runs have. */
struct compared_kernel {
    const char *name, *brief, *full; /* of the base's view */
    size_t launches;
    double seconds[2]; /* of the base, of the other run */
    double speedup;    /* the base's seconds over the other's; NaN without cycles */
};

/* A counter or a ratio over the launches that both have. */
struct compared_counter {
    const char *name, *unit, *description;
    bool ratio;       /* a share, 0 to 1: `change` is in percentage points */
    double values[2]; /* of the base, of the other run */
    double change;    /* percent of the base; infinite if that has none */
};

struct comparison {
    const struct run_view *base, *other; /* not owned */
    size_t launches;                     /* that both have */
    size_t *pairs;      /* for each launch of OTHER: that of BASE; SIZE_MAX: none */
    double seconds[2];  /* of these launches */
    double speedup;     /* of their sum */
    double kernel_mean; /* geometric mean of the speed-ups of kernels */
    double launch_mean; /* of launches */
    struct compared_kernel *kernels; /* the most seconds in the base first */
    size_t kernel_count;
    struct compared_counter *counters; /* the largest changes first, then what only one of both
                                          has */
    size_t counter_count;
};

/* Compares OTHER with BASE. Launches are the same if number and kernel agree; of those that a
 * plan has several times, the first is compared with the first. Counters whose values are below
 * a thousandth of the warp instructions in both are left out, and ratios that do not change.
 * `launches` is 0 if none is the same. Returns 0, or -1 with ERR filled; comparison_finish()
 * either way. */
int comparison_init(struct comparison *comparison, const struct run_view *base,
                    const struct run_view *other, struct error *err);
/* Accepts a zeroed one. */
void comparison_finish(struct comparison *comparison);

/* Whether both runs say what their workload was, and not the same. */
bool comparison_of_two_workloads(const struct comparison *comparison);

/* Whether only one of both runs counted it: it is 0 in the other. Never of a ratio. */
bool compared_counter_is_single(const struct compared_counter *counter);

/* The kernel with this name; NULL if there is none. */
const struct compared_kernel *comparison_kernel(const struct comparison *comparison,
                                                const char *name);
/* The counter or ratio with this name; NULL if it did not change. */
const struct compared_counter *comparison_counter(const struct comparison *comparison,
                                                  const char *name);
/* Whether the configurations differ in an option that the model uses. */
bool comparison_option_differs(const struct comparison *comparison,
                               const struct sim_option_info *option);

#endif
