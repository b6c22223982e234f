/* Classifiers: trained on rows whose class is known, they tell that of others.
 * The three that "Principal Kernel Analysis" (Baddouh et al., 2021) names for
 * two-level profiling. */
#ifndef HEARTH_SAMPLING_MATH_CLASSIFIERS_CLASSIFIER_H
#define HEARTH_SAMPLING_MATH_CLASSIFIERS_CLASSIFIER_H

#include <stdint.h>

#include "sampling/math/matrix.h"

/* What a classifier learns from. Features should be about -1 to 1, or
 * standardised. */
struct examples {
    const struct matrix *rows; /* at least 1 */
    const double *weights;     /* how often each row occurs; NULL: 1 each */
    const uint32_t *classes;   /* of each row, from 0 */
    size_t class_count;
};

struct classifier;

/* One kind of classifier. */
struct classifier_kind {
    const char *name;
    /* Returns NULL when memory runs out. The same examples and SEED give the
     * same classifier. */
    struct classifier *(*train)(const struct examples *examples, uint64_t seed);
};

/* Gaussian naive Bayes: features are independent in a class and normally
 * distributed, with 1e-9 of the largest variance of a feature added to every
 * variance, as in scikit-learn. */
extern const struct classifier_kind classifier_bayes;
/* One linear support vector machine a class against all others, by stochastic
 * gradient descent: hinge loss, L2 penalty 1e-4, the "optimal" learning rate of
 * scikit-learn's SGDClassifier. */
extern const struct classifier_kind classifier_sgd;
/* A multi-layer perceptron: one hidden layer of 32 rectified linear units,
 * softmax, trained by Adam ("Adam: A Method for Stochastic Optimization",
 * Kingma and Ba, 2015) with its rates 0.001, 0.9, 0.999. */
extern const struct classifier_kind classifier_mlp;

/* The class of ROW, the first of equally likely ones. Not for two threads at a
 * time. */
uint32_t classifier_classify(struct classifier *classifier, const double *row);
/* Accepts NULL. */
void classifier_destroy(struct classifier *classifier);

#endif
