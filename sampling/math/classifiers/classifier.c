#include <stdlib.h>

#include "sampling/math/classifiers/classify.h"

/* A pass over all examples, so many times; never fewer or more steps. */
#define PASSES      50
#define LEAST_STEPS 20000
#define MOST_STEPS  500000

uint32_t classifier_classify(struct classifier *classifier, const double *row)
{
    classifier->score(classifier, row);
    uint32_t best = 0;
    for (uint32_t c = 1; c < classifier->classes; c++)
        if (classifier->scores[c] > classifier->scores[best])
            best = c;
    return best;
}

void classifier_destroy(struct classifier *classifier)
{
    free(classifier);
}

int drawer_init(struct drawer *drawer, const struct examples *examples, uint64_t seed)
{
    *drawer = (struct drawer){.count = examples->rows->rows};
    drawer->sums = malloc(drawer->count * sizeof *drawer->sums);
    random_init(&drawer->random, seed, 0);
    double sum = 0;
    for (size_t i = 0; drawer->sums != NULL && i < drawer->count; i++)
        drawer->sums[i] = sum += example_weight(examples, i);
    return drawer->sums != NULL ? 0 : -1;
}

void drawer_finish(struct drawer *drawer)
{
    free(drawer->sums);
}

size_t drawer_next(struct drawer *drawer)
{
    double mark = random_real(&drawer->random) * drawer->sums[drawer->count - 1];
    size_t low = 0, high = drawer->count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (drawer->sums[middle] > mark)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t classifier_steps(const struct examples *examples)
{
    size_t steps = PASSES * examples->rows->rows;
    if (steps < LEAST_STEPS)
        return LEAST_STEPS;
    return steps < MOST_STEPS ? steps : MOST_STEPS;
}
