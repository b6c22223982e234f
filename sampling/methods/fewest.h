/* Groups ascending numbers into the fewest contiguous groups under a bound of the coefficient
 * of variation. */
#ifndef HEARTH_SAMPLING_METHODS_FEWEST_H
#define HEARTH_SAMPLING_METHODS_FEWEST_H

#include <stddef.h>

/* The best way to group the first I numbers. */
struct fewest_prefix {
    long double n, sum, squares; /* of the numbers, with their weights */
    long double cost;            /* sum of squared deviations from the groups' means */
    size_t groups;
    size_t start; /* where the last group begins */
};

struct fewest {
    struct fewest_prefix *prefixes; /* one more than there are numbers */
    struct fewest_node *nodes;      /* private: a tree over the prefixes */
    size_t leaves;                  /* private: of the tree */
};

/* Room for COUNT numbers. Returns 0, or -1 when memory runs out. */
int fewest_init(struct fewest *fewest, size_t count);
void fewest_finish(struct fewest *fewest);

/* Groups the COUNT numbers VALUE, ascending and above 0, which occur WEIGHT times each, into
 * the fewest groups with a CoV of at most THETA. Of several such groupings, the one with the
 * least sum of squared deviations is chosen; of equal ones, the one whose last group begins
 * last. COUNT is at most that of fewest_init(). */
void fewest_find(struct fewest *fewest, const double *value, const double *weight, size_t count,
                 double theta);

#endif
