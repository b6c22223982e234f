#define _GNU_SOURCE /* qsort_r */
#include "sampling/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/methods/dominant.h"

static size_t largest_kernel(const struct sampling_input *input)
{
    size_t most = 0;
    for (size_t k = 0; k < input->groups; k++)
        if (input->first[k + 1] - input->first[k] > most)
            most = input->first[k + 1] - input->first[k];
    return most;
}

int counts_init(struct counts *counts, const struct sampling_input *input, struct error *err)
{
    size_t room = largest_kernel(input) + 1;
    *counts = (struct counts){
        .rows = malloc(room * sizeof *counts->rows),
        .value = malloc(room * sizeof *counts->value),
        .weight = malloc(room * sizeof *counts->weight),
        .start = malloc(room * sizeof *counts->start),
    };
    if (counts->rows != NULL && counts->value != NULL && counts->weight != NULL &&
        counts->start != NULL)
        return 0;
    return error_no_memory(err);
}

void counts_finish(struct counts *counts)
{
    free(counts->rows);
    free(counts->value);
    free(counts->weight);
    free(counts->start);
    *counts = (struct counts){0};
}

static int compare_insts(const void *a, const void *b, void *data)
{
    const double *insts = data;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (insts[x] != insts[y])
        return insts[x] < insts[y] ? -1 : 1;
    return (x > y) - (x < y);
}

void counts_take(struct counts *counts, const struct sampling_input *input, size_t k)
{
    const double *insts = input->insts;
    counts->total = input->first[k + 1] - input->first[k];
    counts->n = 0;
    memcpy(counts->rows, input->by_kernel + input->first[k],
           counts->total * sizeof *counts->rows);
    qsort_r(counts->rows, counts->total, sizeof *counts->rows, compare_insts, (void *)insts);
    for (size_t i = 0; i < counts->total; i++) {
        double value = insts[counts->rows[i]];
        if (counts->n == 0 || counts->value[counts->n - 1] != value) {
            counts->start[counts->n] = i;
            counts->weight[counts->n] = 0;
            counts->value[counts->n++] = value;
        }
        counts->weight[counts->n - 1]++;
    }
    counts->start[counts->n] = counts->total;
}

double counts_cov(const struct counts *counts, size_t from, size_t to)
{
    double n = 0, sum = 0, squares = 0;
    if (to - from == 1)
        return 0;
    for (size_t i = from; i < to; i++) {
        n += counts->weight[i];
        sum += counts->weight[i] * counts->value[i];
    }
    double mean = sum / n;
    for (size_t i = from; i < to; i++) {
        double off = counts->value[i] - mean;
        squares += counts->weight[i] * off * off;
    }
    return sqrt(squares / n) / mean;
}

int counts_add_stratum(const struct counts *counts, const struct sampling_input *input,
                       struct sampling *selection, size_t from, size_t to, unsigned tier,
                       struct error *err)
{
    const size_t *rows = counts->rows + counts->start[from];
    size_t count = counts->start[to] - counts->start[from];
    size_t rep;
    if (dominant_block(input, rows, count, &rep, err) != 0)
        return -1;
    return sampling_add_stratum(selection, rows, count, &rep, 1, tier, err);
}
