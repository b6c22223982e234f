/* hearth diff: a run and others that are compared with it. */
#ifndef HEARTH_TOOLS_COMMANDS_DIFF_DIFF_RUNS_H
#define HEARTH_TOOLS_COMMANDS_DIFF_DIFF_RUNS_H

#include "tools/view/comparison.h"

#define DIFF_OTHERS 16 /* at most */

struct diff_runs {
    struct run_view base, others[DIFF_OTHERS];
    struct comparison comparisons[DIFF_OTHERS]; /* of each with the base */
    const char *labels[DIFF_OTHERS + 1]; /* of the base and the others: short, distinct */
    size_t count;                        /* of others */
};

/* Reads the runs in FOLDERS, the base first and COUNT others. Returns 0, or -1 with ERR filled;
 * diff_runs_finish() either way. */
int diff_runs_read(struct diff_runs *runs, char *const *folders, size_t count,
                   struct error *err);
/* What must be known of run I (0: the base) before its numbers are read, in TEXT: that it is
 * partial, or of another workload than the base; "": nothing. */
#define DIFF_RUNS_REMARK 1200
void diff_runs_remark(const struct diff_runs *runs, size_t i, char text[DIFF_RUNS_REMARK]);

void diff_runs_finish(struct diff_runs *runs);

/* Whether RUNS differ in an option that the model uses. */
bool diff_runs_differ(const struct diff_runs *runs, const struct sim_option_info *option);

#endif
