/* The launches of one kernel by their instruction counts. Private to sampling. */
#ifndef HEARTH_SAMPLING_COUNTS_H
#define HEARTH_SAMPLING_COUNTS_H

#include <stdbool.h>

#include "sampling/sampling.h"

/* Memory for the largest kernel; reused for each kernel. */
struct counts {
    size_t *rows;   /* sorted by instructions, then by row */
    size_t total;   /* number of rows */
    double *value;  /* the distinct counts, ascending */
    double *weight; /* how many rows have each count */
    size_t *start;  /* where the rows of each count begin; one more entry for the end */
    size_t n;       /* number of distinct counts */
};

int counts_init(struct counts *counts, const struct sampling_input *input, struct error *err);
void counts_finish(struct counts *counts);
/* Reads the counts of kernel K. */
void counts_take(struct counts *counts, const struct sampling_input *input, size_t k);

/* Coefficient of variation (population) of the rows whose counts have the indices FROM to TO -
 * 1: Sieve, section III-B. Exactly 0 for a single count. */
double counts_cov(const struct counts *counts, size_t from, size_t to);

/* Appends these rows as a stratum of TIER with Sieve's representative: the first launch of the
 * most frequent block size (threads); the size that occurs first, if several are equally
 * frequent. If a block size is unknown, the first launch. */
int counts_add_stratum(const struct counts *counts, const struct sampling_input *input,
                       struct sampling *selection, size_t from, size_t to, unsigned tier,
                       struct error *err);

#endif
