#include <math.h>
#include <stdlib.h>

#include "sampling/math/classifiers/classify.h"
#include "sampling/math/draw.h"

#define HIDDEN  32
#define BATCH   16
#define RATE    1e-3
#define DECAY_1 0.9
#define DECAY_2 0.999
#define TINY    1e-8

struct perceptron {
    struct classifier base;
    size_t parameters;
    double *hidden_weights; /* HIDDEN x (columns + 1), the last an intercept */
    double *output_weights; /* classes x (HIDDEN + 1) */
    double *gradient;       /* of both, one after the other; so are the moments */
    double *moment_1, *moment_2;
    double hidden[HIDDEN];
    double room[];
};

static void forward(double *out, const double *weights, const double *in, size_t outs,
                    size_t ins)
{
    for (size_t o = 0; o < outs; o++) {
        const double *w = weights + o * (ins + 1);
        out[o] = w[ins];
        for (size_t i = 0; i < ins; i++)
            out[o] += w[i] * in[i];
    }
}

static void score(struct classifier *classifier, const double *row)
{
    struct perceptron *p = (struct perceptron *)classifier;
    forward(p->hidden, p->hidden_weights, row, HIDDEN, classifier->columns);
    for (size_t h = 0; h < HIDDEN; h++)
        p->hidden[h] = fmax(p->hidden[h], 0);
    forward(classifier->scores, p->output_weights, p->hidden, classifier->classes, HIDDEN);
}

static void softmax(double *scores, size_t count)
{
    double largest = scores[0], sum = 0;
    for (size_t i = 1; i < count; i++)
        largest = fmax(largest, scores[i]);
    for (size_t i = 0; i < count; i++)
        sum += scores[i] = exp(scores[i] - largest);
    for (size_t i = 0; i < count; i++)
        scores[i] /= sum;
}

/* Adds the gradient of the cross entropy of one example. */
static void add_gradient(struct perceptron *p, const double *row, uint32_t class)
{
    size_t n = p->base.columns, k = p->base.classes;
    double back[HIDDEN] = {0}, *hidden = p->gradient, *output = hidden + HIDDEN * (n + 1);
    score(&p->base, row);
    softmax(p->base.scores, k);
    for (size_t c = 0; c < k; c++) {
        double d = p->base.scores[c] - (c == class);
        for (size_t h = 0; h < HIDDEN; h++) {
            output[c * (HIDDEN + 1) + h] += d * p->hidden[h];
            back[h] += d * p->output_weights[c * (HIDDEN + 1) + h];
        }
        output[c * (HIDDEN + 1) + HIDDEN] += d;
    }
    for (size_t h = 0; h < HIDDEN; h++) {
        if (p->hidden[h] <= 0)
            continue;
        for (size_t f = 0; f < n; f++)
            hidden[h * (n + 1) + f] += back[h] * row[f];
        hidden[h * (n + 1) + n] += back[h];
    }
}

static void update(struct perceptron *p, size_t step)
{
    double bias_1 = 1 - pow(DECAY_1, (double)step), bias_2 = 1 - pow(DECAY_2, (double)step);
    for (size_t i = 0; i < p->parameters; i++) {
        double g = p->gradient[i] / BATCH;
        p->moment_1[i] = DECAY_1 * p->moment_1[i] + (1 - DECAY_1) * g;
        p->moment_2[i] = DECAY_2 * p->moment_2[i] + (1 - DECAY_2) * g * g;
        p->hidden_weights[i] -=
            RATE * p->moment_1[i] / bias_1 / (sqrt(p->moment_2[i] / bias_2) + TINY);
        p->gradient[i] = 0;
    }
}

static struct perceptron *create(size_t n, size_t k)
{
    size_t parameters = HIDDEN * (n + 1) + k * (HIDDEN + 1);
    struct perceptron *p = calloc(1, sizeof *p + (k + 4 * parameters) * sizeof *p->room);
    if (p == NULL)
        return NULL;
    p->base = (struct classifier){n, k, p->room, score};
    p->parameters = parameters;
    p->hidden_weights = p->room + k;
    p->output_weights = p->hidden_weights + HIDDEN * (n + 1);
    p->gradient = p->hidden_weights + parameters;
    p->moment_1 = p->gradient + parameters;
    p->moment_2 = p->moment_1 + parameters;
    return p;
}

/* Small random weights, by the number of inputs: He et al., 2015. */
static void start(struct perceptron *p, struct random *random)
{
    size_t n = p->base.columns, k = p->base.classes;
    for (size_t i = 0; i < HIDDEN * (n + 1); i++)
        p->hidden_weights[i] = draw_normal(random) * sqrt(2 / (double)(n + 1));
    for (size_t i = 0; i < k * (HIDDEN + 1); i++)
        p->output_weights[i] = draw_normal(random) * sqrt(2 / (double)HIDDEN);
}

static struct classifier *train(const struct examples *examples, uint64_t seed)
{
    struct perceptron *p = create(examples->rows->columns, examples->class_count);
    struct drawer drawer;
    if (p == NULL || drawer_init(&drawer, examples, seed) != 0) {
        free(p);
        return NULL;
    }
    start(p, &drawer.random);
    size_t steps = classifier_steps(examples) / BATCH;
    for (size_t t = 1; t <= steps; t++) {
        for (int b = 0; b < BATCH; b++) {
            size_t i = drawer_next(&drawer);
            add_gradient(p, matrix_row(examples->rows, i), examples->classes[i]);
        }
        update(p, t);
    }
    drawer_finish(&drawer);
    return &p->base;
}

const struct classifier_kind classifier_mlp = {"mlp", train};
