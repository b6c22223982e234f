/* Dynamic programming: the best way to group the first J numbers is the best way for the first
 * I, for some I, followed by a group from I to J.
 *
 * I must be searched for without any order to rely on. The CoV of a group does not rise
 * steadily with its end, nor with its start: 1, 10 has a CoV of 0.82, but 1, 10, 11 has 0.61.
 * So extending a group as long as it fits is not exact, and neither is bisection. But a group
 * inside another one has fewer numbers, a smaller sum, and fewer squares and squared
 * deviations. So for all starts from I to K: none fits if the squares of the group from K on
 * are too large for the sum of the group from I on; and none costs less than the cheapest of
 * their prefixes plus the group from K on. A tree over the starts excludes those that cannot
 * fit or cannot be better. The others are tried one by one, from the last start to the
 * first. */
#include "sampling/methods/fewest.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Starts in a leaf of the tree. */
#define LEAF 8
/* Bounds are relaxed by more than rounding errors, so that they never exclude the best. */
#define SLACK    1e-9L
#define ROUNDING (64 * LDBL_EPSILON) /* of differences of squares, relative to their sum */

/* The best prefix among those below a node. */
struct fewest_node {
    size_t groups;
    long double cost; /* the least with that number of groups */
};

/* The search for the last group. */
struct search {
    const struct fewest *fewest;
    const struct fewest_prefix *end;
    size_t last; /* the last possible start */
    double theta;
    struct fewest_node bound; /* prefixes that are not better are skipped */
    struct fewest_prefix *best;
};

int fewest_init(struct fewest *fewest, size_t count)
{
    size_t leaves = 1;
    while (leaves * LEAF < count + 1)
        leaves *= 2;
    *fewest = (struct fewest){.prefixes = malloc((count + 1) * sizeof *fewest->prefixes),
                              .nodes = malloc(2 * leaves * sizeof *fewest->nodes)};
    if (fewest->prefixes != NULL && fewest->nodes != NULL)
        return 0;
    fewest_finish(fewest);
    return -1;
}

void fewest_finish(struct fewest *fewest)
{
    free(fewest->prefixes);
    free(fewest->nodes);
    *fewest = (struct fewest){0};
}

static bool is_less(struct fewest_node a, struct fewest_node b)
{
    return a.groups < b.groups || (a.groups == b.groups && a.cost < b.cost);
}

/* ---- groups ------------------------------------------------------------ */

/* Sum of squared deviations of the numbers between A and B. */
static long double deviation(const struct fewest_prefix *a, const struct fewest_prefix *b)
{
    long double sum = b->sum - a->sum,
                cost = b->squares - a->squares - sum * sum / (b->n - a->n);
    return cost > 0 ? cost : 0;
}

/* Whether their CoV is at most theta: variance <= theta^2 mean^2. COST is the sum of squared
 * deviations. */
static bool fits(const struct fewest_prefix *a, const struct fewest_prefix *b, double theta,
                 long double cost)
{
    long double sum = b->sum - a->sum;
    return cost * (b->n - a->n) <= (long double)theta * theta * sum * sum;
}

/* Whether a group from FIRST to LAST may fit. n x squares - sum^2 <= theta^2 sum^2. */
static bool may_fit(const struct search *search, const struct fewest_prefix *first,
                    const struct fewest_prefix *last)
{
    const struct fewest_prefix *end = search->end;
    long double theta = search->theta, sum = end->sum - first->sum;
    return (end->n - last->n) * (end->squares - last->squares) <=
           (1 + theta * theta) * sum * sum * (1 + SLACK);
}

/* ---- the tree ---------------------------------------------------------- */

static void clear_nodes(struct fewest *fewest, size_t count)
{
    fewest->leaves = 1;
    while (fewest->leaves * LEAF < count + 1)
        fewest->leaves *= 2;
    for (size_t i = 0; i < 2 * fewest->leaves; i++)
        fewest->nodes[i] = (struct fewest_node){SIZE_MAX, INFINITY};
}

static void add_node(struct fewest *fewest, size_t prefix)
{
    struct fewest_node own = {fewest->prefixes[prefix].groups, fewest->prefixes[prefix].cost};
    for (size_t i = fewest->leaves + prefix / LEAF; i > 0; i /= 2)
        if (is_less(own, fewest->nodes[i]))
            fewest->nodes[i] = own;
}

static void try_start(struct search *search, size_t start)
{
    const struct fewest_prefix *from = &search->fewest->prefixes[start];
    struct fewest_prefix *best = search->best;
    if (from->groups + 1 > best->groups)
        return;
    long double cost = deviation(from, search->end);
    struct fewest_node old = {best->groups, best->cost};
    struct fewest_node new = {from->groups + 1, from->cost + cost};
    if (!is_less(new, old) || !fits(from, search->end, search->theta, cost))
        return;
    best->groups = new.groups;
    best->cost = new.cost;
    best->start = start;
    if (is_less(new, search->bound))
        search->bound = new;
}

/* Whether one of the starts from FIRST to LAST may be better than the best so far. */
static bool may_be_better(const struct search *search, const struct fewest_node *node,
                          size_t first, size_t last)
{
    const struct fewest_prefix *prefixes = search->fewest->prefixes;
    if (node->groups >= search->bound.groups) /* the group adds one */
        return false;
    long double least = node->cost + deviation(&prefixes[last], search->end);
    if (node->groups + 1 == search->bound.groups &&
        least > search->bound.cost * (1 + SLACK) + ROUNDING * search->end->squares)
        return false;
    return may_fit(search, &prefixes[first], &prefixes[last]);
}

/* Tries the starts below NODE, which begins at FIRST and has WIDTH starts. */
static void descend(struct search *search, size_t node, size_t first, size_t width)
{
    if (first > search->last)
        return;
    size_t last = first + width - 1 < search->last ? first + width - 1 : search->last;
    if (!may_be_better(search, &search->fewest->nodes[node], first, last))
        return;
    if (width == LEAF) {
        for (size_t i = last + 1; i-- > first;)
            try_start(search, i);
        return;
    }
    descend(search, 2 * node + 1, first + width / 2, width / 2);
    descend(search, 2 * node, first, width / 2);
}

/* ---- all prefixes ------------------------------------------------------ */

/* The best start is often near that of one number less: this gives a first bound. */
static void guess(struct search *search, size_t start)
{
    const struct fewest_prefix *from = &search->fewest->prefixes[start];
    long double cost = deviation(from, search->end);
    struct fewest_node found = {from->groups + 1, from->cost + cost};
    if (fits(from, search->end, search->theta, cost) && is_less(found, search->bound))
        search->bound = found;
}

static void best_start(struct fewest *fewest, size_t end, double theta)
{
    struct fewest_prefix *prefixes = fewest->prefixes, *to = &prefixes[end];
    to->start = end - 1; /* a single number always fits */
    to->groups = prefixes[end - 1].groups + 1;
    to->cost = prefixes[end - 1].cost;
    if (!(theta > 0))
        return;
    struct search search = {fewest, to, end - 1, theta, {to->groups, to->cost}, to};
    guess(&search, prefixes[end - 1].start);
    descend(&search, 1, 0, fewest->leaves * LEAF);
}

void fewest_find(struct fewest *fewest, const double *value, const double *weight, size_t count,
                 double theta)
{
    struct fewest_prefix *prefixes = fewest->prefixes;
    clear_nodes(fewest, count);
    prefixes[0] = (struct fewest_prefix){0};
    add_node(fewest, 0);
    for (size_t i = 0; i < count; i++) {
        long double w = weight[i], x = value[i];
        prefixes[i + 1] = (struct fewest_prefix){
            .n = prefixes[i].n + w,
            .sum = prefixes[i].sum + w * x,
            .squares = prefixes[i].squares + w * x * x,
        };
        best_start(fewest, i + 1, theta);
        add_node(fewest, i + 1);
    }
}
