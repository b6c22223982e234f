/* sieve-artifact: exactly the rules of Sieve's published script (analyze_kernels.py of
 * gpubench/sieve). It differs from the paper:
 *   - "CTA size" is launch__thread_count, the threads of the whole grid
 *   - tier 2 takes the most common instruction count among launches of the most
 *     common size, then the first such launch
 *   - tier 3 estimates the density of the distinct counts with a bandwidth of
 *     one instruction, at 50 points
 *   - a group with a CoV above 0.5, whatever theta is, is split once more
 *   - the representative of such a group has the upper median of its counts */
#include <math.h>
#include <stdlib.h>

#include "sampling/counts.h"
#include "sampling/methods/dominant.h"
#include "sampling/methods/methods.h"
#include "sampling/methods/sieve_split.h"
#include "sampling/repick.h"

#define SECOND_PASS 0.5 /* a group with a larger CoV is split once more */

static double grid_threads(const struct profile_row *row)
{
    return profile_blocks(row) * profile_block_threads(row);
}

/* ---- tier 2 ------------------------------------------------------------- */

/* Moves the launches of the most common size to the start of ITEMS. */
static size_t keep_common_size(const struct sampling_input *input, const struct counts *counts,
                               struct dominant_item *items)
{
    size_t times;
    for (size_t i = 0; i < counts->total; i++)
        items[i] = (struct dominant_item){grid_threads(&input->profile->rows[counts->rows[i]]),
                                          counts->rows[i]};
    size_t at = dominant(items, counts->total, &times);
    for (size_t i = 0; i < times; i++) {
        items[i].place = items[at + i].place;
        items[i].value = input->insts[items[i].place];
    }
    return times;
}

static int add_tier2(const struct counts *counts, const struct sampling_input *input,
                     struct sampling *selection, struct error *err)
{
    struct dominant_item *items = malloc(counts->total * sizeof *items);
    size_t times;
    if (items == NULL)
        return error_no_memory(err);
    size_t common = keep_common_size(input, counts, items);
    size_t rep = items[dominant(items, common, &times)].place;
    free(items);
    return sampling_add_stratum(selection, counts->rows, counts->total, &rep, 1, 2, err);
}

/* ---- tier 3 ------------------------------------------------------------- */

/* CoV of the distinct counts, without weights. */
static double cov_of_values(const double *value, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    for (size_t i = 0; i < n; i++)
        squares += (value[i] - sum / (double)n) * (value[i] - sum / (double)n);
    return sqrt(squares / (double)n) / (sum / (double)n);
}

static int add_group(const struct counts *counts, struct sampling *selection, size_t from,
                     size_t to, struct error *err)
{
    size_t median = from + (to - from) / 2;
    size_t rep = counts->rows[counts->start[median]];
    return sampling_add_stratum(selection, counts->rows + counts->start[from],
                                counts->start[to] - counts->start[from], &rep, 1, 3, err);
}

/* Splits the counts FROM to TO - 1 and adds the groups; AGAIN: groups that are too wide are
 * split once more. */
static int add_split(const struct counts *counts, struct sampling *selection, size_t from,
                     size_t to, bool again, struct error *err)
{
    size_t ends[SIEVE_SPLIT_POINTS + 1];
    size_t groups = sieve_split(counts->value + from, to - from, ends);
    for (size_t i = 0, start = from; i < groups; start = from + ends[i], i++) {
        size_t end = from + ends[i];
        bool wide = cov_of_values(counts->value + start, end - start) > SECOND_PASS;
        int rc = again && wide ? add_split(counts, selection, start, end, false, err)
                               : add_group(counts, selection, start, end, err);
        if (rc != 0)
            return -1;
    }
    return 0;
}

/* ---- all ----------------------------------------------------------------- */

static int add_kernel(const struct counts *counts, const struct sampling_input *input,
                      struct sampling *selection, struct error *err)
{
    size_t first = counts->rows[0];
    if (counts->n == 1)
        return sampling_add_stratum(selection, counts->rows, counts->total, &first, 1, 1, err);
    if (counts_cov(counts, 0, counts->n) < input->options->theta)
        return add_tier2(counts, input, selection, err);
    return add_split(counts, selection, 0, counts->n, true, err);
}

int sampling_sieve_artifact(const struct sampling_input *input, struct sampling *selection,
                            struct error *err)
{
    struct counts counts;
    int rc = counts_init(&counts, input, err);
    for (size_t k = 0; rc == 0 && k < input->profile->kernel_count; k++) {
        counts_take(&counts, input, k);
        if (counts.total > 0)
            rc = add_kernel(&counts, input, selection, err);
    }
    if (rc == 0)
        repick(input, selection);
    counts_finish(&counts);
    return rc;
}
