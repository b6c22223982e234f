/* The results of a run as reports and comparisons need them: its launches, briefly, and sums by
 * kernel. */
#ifndef HEARTH_TOOLS_VIEW_RUN_VIEW_H
#define HEARTH_TOOLS_VIEW_RUN_VIEW_H

#include "sim/config.h"
#include "sim/stats/counters.h"
#include "sim/stats/derived.h"
#include "tools/view/run_facts.h"
#include "traces/base/map.h"
#include "traces/base/text/texts.h"

/* The sum over launches. */
struct view_sum {
    size_t launches;
    uint64_t cycles, gap; /* core cycles of the launches; before them */
    struct sim_counters counters;
};

struct view_kernel {
    const char *name;   /* as in the traces */
    char *full, *brief; /* kernel_title_full(), kernel_title_brief() */
    struct view_sum sum;
};

/* A measured launch. */
struct view_launch {
    uint64_t step, launch, stream, cycles;
    uint64_t start; /* core cycles since the run began: segments follow each other */
    uint32_t kernel;
    uint32_t again; /* how many rows before it have the same `launch` */
    const char *grid, *block;
    /* Shares, 0 to 1, and a rate. */
    float ipc, occupancy, l1_hits, l2_hits, dram_use;
};

struct run_view {
    const char *folder; /* not owned */
    struct run_facts facts;
    struct sim_config *config;
    struct sim_peaks peaks;
    struct view_kernel *kernels; /* the one with the most cycles first */
    size_t kernel_count;
    struct view_launch *launches; /* in the order of the plan */
    size_t launch_count, warm_count;
    /* Launches that a method sampled inside; for which it refused; and warp instructions of all
     * measured launches that were simulated. */
    size_t inside_count, refused_count;
    uint64_t simulated;
    struct view_sum sum; /* of all measured launches */
    uint64_t elapsed;    /* core cycles from the first start to the last end */
    struct texts texts;  /* private */
};

/* Reads the results in FOLDER, which has at least kernels.csv and config.out. Returns 0, or -1
 * with ERR filled; run_view_finish() either way. */
int run_view_read(struct run_view *view, const char *folder, struct error *err);
/* Accepts a zeroed one. */
void run_view_finish(struct run_view *view);

/* Sums those launches of VIEW for which KEEP is true (NULL: all), by reading the file again.
 * Returns 0, or -1 with ERR filled. */
int run_view_sum(const struct run_view *view, const bool *keep, struct view_sum *sum,
                 struct error *err);

/* The measured launch with this step; NULL if there is none. */
const struct view_launch *run_view_step(const struct run_view *view, uint64_t step);

void view_sum_add(struct view_sum *sum, const struct view_sum *part);
/* A ratio of sim/stats/derived.def; NaN if there is nothing to divide by. */
double view_ratio(const struct run_view *view, const struct view_sum *sum,
                  enum sim_derived_index index);
double view_seconds(const struct run_view *view, double cycles);

#endif
