/* The results for the whole application, if the plan is that of a sample. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATED_H
#define HEARTH_TOOLS_RUN_RESULTS_EXTRAPOLATED_H

#include "tools/run/results/extrapolation.h"
#include "tools/run/results/rows/rows.h"
#include "traces/base/json.h"

struct extrapolated {
    struct extrapolation of; /* zeroed unless `any` */
    bool any; /* a launch represents more than what was measured of it; otherwise nothing is
                 written */
};

/* What was executed. */
struct extrapolated_plan {
    const struct plan *plan;
    const bool *skip; /* its items that were left out */
    bool part;        /* it replaces a plan of which measured launches were left out */
};

/* Extrapolates from ROWS, the result of PLAN, with CONFIG. Returns 0, or -1 with ERR filled. */
int extrapolated_init(struct extrapolated *extrapolated, const struct rows *rows,
                      const struct extrapolated_plan *plan, const struct sim_config *config,
                      struct error *err);

/* The measured launches among rows. */
struct extrapolated_rows {
    const struct rows *rows; /* not owned, as is the configuration */
    const struct sim_config *config;
    size_t *measured; /* their indices */
    size_t count;
};

/* Returns 0, or -1 with ERR filled. ROWS must outlive MEASURED. */
int extrapolated_rows_init(struct extrapolated_rows *measured, const struct rows *rows,
                           const struct sim_config *config, struct error *err);
/* Accepts a zeroed one. */
void extrapolated_rows_finish(struct extrapolated_rows *measured);
/* The get() of struct extrapolation_launches, with a struct extrapolated_rows as DATA. */
int extrapolated_rows_get(void *data, size_t i, struct extrapolation_launch *launch,
                          struct error *err);

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
