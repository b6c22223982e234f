#include <math.h>
#include <stdlib.h>

#include "sampling/math/classifiers/classify.h"

#define PENALTY 1e-4

struct machine {
    struct classifier base;
    double *weights; /* classes x (columns + 1): the last is the intercept */
    double room[];
};

static void score(struct classifier *classifier, const double *row)
{
    const struct machine *machine = (struct machine *)classifier;
    size_t n = classifier->columns;
    for (size_t c = 0; c < classifier->classes; c++) {
        const double *w = machine->weights + c * (n + 1);
        double sum = w[n];
        for (size_t f = 0; f < n; f++)
            sum += w[f] * row[f];
        classifier->scores[c] = sum;
    }
}

/* One example: every machine with a margin below 1 turns towards it. */
static void learn(struct machine *machine, const double *row, uint32_t class, double rate)
{
    size_t n = machine->base.columns;
    score(&machine->base, row);
    for (size_t c = 0; c < machine->base.classes; c++) {
        double *w = machine->weights + c * (n + 1), sign = c == class ? 1 : -1;
        double push = sign * machine->base.scores[c] < 1 ? rate * sign : 0;
        for (size_t f = 0; f < n; f++)
            w[f] = w[f] * (1 - rate * PENALTY) + push * row[f];
        w[n] += push;
    }
}

static struct classifier *train(const struct examples *examples, uint64_t seed)
{
    size_t k = examples->class_count, n = examples->rows->columns;
    struct machine *machine =
        calloc(1, sizeof *machine + (k + k * (n + 1)) * sizeof *machine->room);
    struct drawer drawer;
    if (machine == NULL || drawer_init(&drawer, examples, seed) != 0) {
        free(machine);
        return NULL;
    }
    machine->base = (struct classifier){n, k, machine->room, score};
    machine->weights = machine->room + k;
    /* Bottou's heuristic: the first rate is that of typical weights. */
    double typical = sqrt(1 / sqrt(PENALTY)), start = 1 / (PENALTY * typical);
    size_t steps = classifier_steps(examples);
    for (size_t t = 0; t < steps; t++) {
        size_t i = drawer_next(&drawer);
        learn(machine, matrix_row(examples->rows, i), examples->classes[i],
              1 / (PENALTY * (start + (double)t)));
    }
    drawer_finish(&drawer);
    return &machine->base;
}

const struct classifier_kind classifier_sgd = {"sgd", train};
