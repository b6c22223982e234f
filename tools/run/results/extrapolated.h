/* The results for the whole application, if the plan is that of a sample. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATED_H
#define HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATED_H

#include "tools/run/results/extrapolation.h"
#include "tools/run/results/rows.h"
#include "traces/base/json.h"

struct extrapolated {
    struct extrapolation of;
    bool any; /* a launch represents more than what was measured of it; otherwise nothing is
                 written */
    struct extrapolation_launch *launches; /* private */
};

/* Extrapolates from ROWS, the result of PLAN without the items in SKIP, with CONFIG. Returns
 * 0, or -1 with ERR filled. */
int extrapolated_init(struct extrapolated *extrapolated, const struct rows *rows,
                      const struct plan *plan, const bool *skip,
                      const struct sim_config *config, struct error *err);
/* The measured launches of ROWS, in their order, *COUNT of them; the caller frees the array.
 * They point into ROWS. NULL without memory. */
struct extrapolation_launch *
extrapolated_launches(const struct rows *rows, const struct sim_config *config, size_t *count);
/* Accepts a zeroed one. */
void extrapolated_finish(struct extrapolated *extrapolated);

/* Writes the member "extrapolated" of the open object: every statistic with its kind, and
 * "error", half of the interval's width, if there is an error bar. */
void extrapolated_write_json(const struct extrapolated *extrapolated, struct json *json);
/* Lines `extrapolated.NAME value # description`, and `extrapolated.NAME.error`. */
void extrapolated_write_text(const struct extrapolated *extrapolated, FILE *out);
/* Prints the most important ones as a table. */
void extrapolated_print(const struct extrapolated *extrapolated, FILE *out);

#endif
