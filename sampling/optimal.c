/* optimal: per kernel the fewest groups, contiguous in the instruction count,
 * with a coefficient of variation of at most theta; of several such ways the
 * one with the least sum of squared deviations from the groups' means. It tells
 * how far a density estimation is from what could be had.
 *
 * Exact, by dynamic programming over the different counts. Neither the number
 * of groups nor the CoV grows steadily with a group's end (a count that stands
 * very often makes the CoV smaller), so all starts of the last group are looked
 * at: time grows with the square of the different counts of a kernel. */
#include <stdlib.h>

#include "sampling/counts.h"
#include "sampling/methods.h"
#include "sampling/repick.h"

/* Best ways to group the first I counts. */
struct prefix {
    long double n, sum, squares; /* of their rows */
    long double cost;            /* sum of squared deviations */
    size_t groups, start;        /* where the last group begins */
};

/* Sum of squared deviations of counts between A and B, and whether their CoV is
 * at most theta: variance <= theta^2 mean^2. */
static bool fits(const struct prefix *a, const struct prefix *b, double theta,
                 long double *cost)
{
    long double n = b->n - a->n, sum = b->sum - a->sum;
    *cost = b->squares - a->squares - sum * sum / n;
    if (*cost < 0)
        *cost = 0;
    return *cost * n <= (long double)theta * theta * sum * sum;
}

static void best_start(struct prefix *prefixes, size_t end, double theta)
{
    struct prefix *to = &prefixes[end];
    to->start = end - 1; /* one count alone always fits */
    to->groups = prefixes[end - 1].groups + 1;
    to->cost = prefixes[end - 1].cost;
    for (size_t i = end - 1; theta > 0 && i-- > 0;) {
        long double cost;
        if (prefixes[i].groups + 1 > to->groups || !fits(&prefixes[i], to, theta, &cost))
            continue;
        if (prefixes[i].groups + 1 < to->groups || prefixes[i].cost + cost < to->cost) {
            to->groups = prefixes[i].groups + 1;
            to->cost = prefixes[i].cost + cost;
            to->start = i;
        }
    }
}

static void fill(struct prefix *prefixes, const struct counts *counts, double theta)
{
    prefixes[0] = (struct prefix){0};
    for (size_t i = 0; i < counts->n; i++) {
        long double value = counts->value[i], weight = counts->weight[i];
        prefixes[i + 1] = (struct prefix){
            .n = prefixes[i].n + weight,
            .sum = prefixes[i].sum + weight * value,
            .squares = prefixes[i].squares + weight * value * value,
        };
        best_start(prefixes, i + 1, theta);
    }
}

/* Appends the groups of the first END counts, from the smallest on. */
static int add_groups(struct prefix *prefixes, const struct counts *counts,
                      const struct sampling_input *input, struct sampling *selection,
                      struct error *err)
{
    size_t end = counts->n, groups = prefixes[counts->n].groups;
    unsigned tier = counts->n == 1 ? 1 : groups == 1 ? 2 : 3;
    for (size_t i = groups; i > 0; i--) { /* turns the way round: ends in `groups` */
        prefixes[i].groups = end;
        end = prefixes[end].start;
    }
    for (size_t i = 1, from = 0; i <= groups; i++) {
        size_t to = prefixes[i].groups;
        if (counts_add_stratum(counts, input, selection, from, to, tier, err) != 0)
            return -1;
        from = to;
    }
    return 0;
}

int sampling_optimal(const struct sampling_input *input, struct sampling *selection,
                     struct error *err)
{
    struct counts counts;
    int rc = counts_init(&counts, input, err);
    struct prefix *prefixes = malloc((input->profile->count + 1) * sizeof *prefixes);
    if (rc == 0 && prefixes == NULL)
        rc = error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    for (size_t k = 0; rc == 0 && k < input->profile->kernel_count; k++) {
        counts_take(&counts, input, k);
        if (counts.total == 0)
            continue;
        fill(prefixes, &counts, input->options->theta);
        rc = add_groups(prefixes, &counts, input, selection, err);
    }
    if (rc == 0)
        repick(input, selection);
    free(prefixes);
    counts_finish(&counts);
    return rc;
}
