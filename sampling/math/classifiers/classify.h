/* Private to the classifiers. */
#ifndef HEARTH_SAMPLING_MATH_CLASSIFIERS_CLASSIFY_H
#define HEARTH_SAMPLING_MATH_CLASSIFIERS_CLASSIFY_H

#include "sampling/math/classifiers/classifier.h"
#include "traces/base/random.h"

/* Every classifier scores the classes; the highest score wins. Each kind has
 * one block of memory, which begins with this. */
struct classifier {
    size_t columns, classes;
    double *scores; /* room for one a class */
    void (*score)(struct classifier *classifier, const double *row);
};

/* Draws examples with a chance that grows with their weight. */
struct drawer {
    double *sums; /* of weights up to each row */
    size_t count;
    struct random random;
};

int drawer_init(struct drawer *drawer, const struct examples *examples, uint64_t seed);
void drawer_finish(struct drawer *drawer);
size_t drawer_next(struct drawer *drawer);

/* How many examples a classifier that learns step by step is shown. */
size_t classifier_steps(const struct examples *examples);

static inline double example_weight(const struct examples *examples, size_t i)
{
    return examples->weights != NULL ? examples->weights[i] : 1;
}

#endif
