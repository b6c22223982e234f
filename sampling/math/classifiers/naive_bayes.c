#include <math.h>
#include <stdlib.h>

#include "sampling/math/classifiers/classify.h"

#define TWO_PI    6.28318530717958647693
#define SMOOTHING 1e-9

struct naive_bayes {
    struct classifier base;
    double *priors;            /* logarithms */
    double *means, *variances; /* classes x columns */
    double room[];
};

static void score(struct classifier *classifier, const double *row)
{
    struct naive_bayes *bayes = (struct naive_bayes *)classifier;
    for (size_t c = 0; c < classifier->classes; c++) {
        double sum = bayes->priors[c];
        for (size_t f = 0; f < classifier->columns; f++) {
            size_t at = c * classifier->columns + f;
            double d = row[f] - bayes->means[at];
            sum -= (log(TWO_PI * bayes->variances[at]) + d * d / bayes->variances[at]) / 2;
        }
        classifier->scores[c] = sum;
    }
}

/* The largest variance of a feature over all examples. */
static double largest_variance(const struct examples *examples)
{
    double largest = 0;
    for (size_t f = 0; f < examples->rows->columns; f++) {
        double total = 0, mean = 0, sum = 0;
        for (size_t i = 0; i < examples->rows->rows; i++) {
            double w = example_weight(examples, i), x = matrix_row(examples->rows, i)[f];
            total += w;
            double d = x - mean;
            mean += w * d / total;
            sum += w * d * (x - mean);
        }
        largest = fmax(largest, sum / total);
    }
    return largest;
}

/* Means and sums of squares in one pass; `priors` are weights until then. */
static void learn(struct naive_bayes *bayes, const struct examples *examples)
{
    size_t n = bayes->base.columns;
    for (size_t i = 0; i < examples->rows->rows; i++) {
        uint32_t c = examples->classes[i];
        double w = example_weight(examples, i);
        bayes->priors[c] += w;
        for (size_t f = 0; f < n; f++) {
            double x = matrix_row(examples->rows, i)[f], *mean = &bayes->means[c * n + f];
            double d = x - *mean;
            *mean += w * d / bayes->priors[c];
            bayes->variances[c * n + f] += w * d * (x - *mean);
        }
    }
}

static struct classifier *train(const struct examples *examples, uint64_t seed)
{
    size_t k = examples->class_count, n = examples->rows->columns;
    struct naive_bayes *bayes =
        calloc(1, sizeof *bayes + (2 * k + 2 * k * n) * sizeof *bayes->room);
    if (bayes == NULL)
        return NULL;
    bayes->base = (struct classifier){n, k, bayes->room, score};
    bayes->priors = bayes->room + k;
    bayes->means = bayes->priors + k;
    bayes->variances = bayes->means + k * n;
    learn(bayes, examples);
    double total = 0, smoothing = SMOOTHING * largest_variance(examples);
    for (size_t c = 0; c < k; c++)
        total += bayes->priors[c];
    for (size_t c = 0; c < k; c++) {
        for (size_t f = 0; f < n; f++) {
            double *variance = &bayes->variances[c * n + f];
            /* All 0 where every example is equal: any other number does. */
            *variance = smoothing > 0 ? *variance / fmax(bayes->priors[c], 1) + smoothing : 1;
        }
        bayes->priors[c] = log(bayes->priors[c] / total);
    }
    return &bayes->base;
}

const struct classifier_kind classifier_bayes = {"bayes", train};
