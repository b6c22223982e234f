/* Runs with several draws of where data and blocks lie. A GPU's L2 of two halves answers a
 * short launch sooner or later by the half in which its pages begin, and by the GPCs that run
 * its blocks, and neither is in a trace: one run of the simulator stands for one run of the
 * card, the mean of several for the card. */
#ifndef HEARTH_TOOLS_STUDY_PLACEMENTS_H
#define HEARTH_TOOLS_STUDY_PLACEMENTS_H

#include "tools/study/study_run.h"

#define PLACEMENTS_MOST 64

/* Entry for a table of options; MEMBER of the study's TYPE is its struct study_options. */
#define STUDY_PLACEMENTS(type, member)                                                         \
    {                                                                                          \
        0, "placements", "N",                                                                  \
            "simulate each workload with N draws of the half of L2 in which a page begins "    \
            "(hearth_l2_half_seed) and of the GPC whose turn is first (hearth_gpc_turn), and " \
            "compare the mean of their cycles",                                                \
            CLI_WHOLE, CLI_AT(type, member.placements), 1, PLACEMENTS_MOST, .initial = "1"     \
    }

/* study_run_execute() for options->placements draws, in folders NAME, NAME.placement-1, ...:
 * RESULTS are those of the first, and the end of each launch is moved so that its cycles are
 * the mean, rounded. RUN needs a name, and room for two of its `sets`. COUNT->done is the
 * number of runs before RUN, and grows by all of them. Errors are those of study_run_execute(),
 * and a configuration in which draws change nothing. If a draw cannot be simulated to its end
 * (ERROR_SIMULATION, other than for lack of memory), the others are nevertheless made; the
 * message names the first such draw, and RESULTS have the launches that all draws have, up to
 * the first one that some draw lacks. */
int placements_execute(const struct study_options *options, const struct study_run *run,
                       struct study_run_count *count, struct results *results,
                       struct error *err);

#endif
