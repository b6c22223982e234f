/* The launches of one kernel by their instruction counts. Private to sampling. */
#ifndef HEARTH_SAMPLING_COUNTS_H
#define HEARTH_SAMPLING_COUNTS_H

#include <stdbool.h>

#include "sampling/sampling.h"

/* Memory for the largest kernel; used for one kernel after the other. */
struct counts {
    size_t *rows;   /* by instructions, equal ones by row */
    size_t total;   /* of rows */
    double *value;  /* the different counts, ascending */
    double *weight; /* how many rows have each */
    size_t *start;  /* where the rows of each begin; one more, of the end */
    size_t n;       /* of different counts */
};

int counts_init(struct counts *counts, const struct sampling_input *input, struct error *err);
void counts_finish(struct counts *counts);
/* Takes kernel K. */
void counts_take(struct counts *counts, const struct sampling_input *input, size_t k);

/* Coefficient of variation, of the population, of the rows with counts FROM up
 * to, not with, TO: Sieve, section III-B. Exactly 0 for one count. */
double counts_cov(const struct counts *counts, size_t from, size_t to);

/* Appends these rows as a stratum of TIER, with Sieve's representative: the
 * first launch of the block size (threads) that most of them have; of equally
 * frequent sizes the one that is seen first. Where a block size is not known,
 * the first launch. */
int counts_add_stratum(const struct counts *counts, const struct sampling_input *input,
                       struct sampling *selection, size_t from, size_t to, unsigned tier,
                       struct error *err);

#endif
