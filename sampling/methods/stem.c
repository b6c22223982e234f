/* stem: STEM and ROOT, from "Swift and Trustworthy Large-Scale GPU Simulation with
 * Fine-Grained Error Modeling and Hierarchical Clustering" and its artifact. Launches are
 * grouped by kernel and by time.
 *
 * STEM: the fewest launches to draw so that the predicted total is within epsilon with the
 * given confidence. One group of N launches with mean mu and standard deviation sigma needs m
 * = (z / epsilon * sigma / mu)^2. Of several groups, group i gets (Lagrange)
 *   m_i = sum_j(N_j sigma_j sqrt(mu_j)) / (epsilon / z * sum_j(N_j mu_j))^2
 *         * N_i sigma_i / sqrt(mu_i)
 * ROOT: a group is split in two if that reduces the total time of the drawn launches, and its
 * halves likewise. The artifact splits by k-means with k = 2; in one dimension the best split
 * is found exactly. Finally launches are drawn from all groups of all kernels under one common
 * bound. */
#define _GNU_SOURCE /* qsort_r */
#include <math.h>
#include <stdlib.h>

#include "sampling/methods/methods.h"
#include "sampling/normal.h"
#include "traces/base/random.h"

/* A group of launches: a run of rows sorted by time. */
struct leaf {
    size_t from, to;
    double mean, sigma;
};

struct root {
    const double *times;
    size_t *rows;     /* kernel by kernel, sorted by time */
    long double *sum; /* of the times before each place, minus their kernel's mean */
    struct leaf *leaves, *stack;
    size_t leaf_count, stack_count;
    double share; /* epsilon / z */
    double least; /* launches to draw from a group, at least */
};

/* ---- STEM ---------------------------------------------------------------- */

static double count_of(const struct leaf *leaf)
{
    return (double)(leaf->to - leaf->from);
}

static struct leaf measure(const struct root *root, size_t from, size_t to)
{
    struct leaf leaf = {.from = from, .to = to};
    const size_t *rows = root->rows;
    double sum = 0, squares = 0;
    if (root->times[rows[from]] == root->times[rows[to - 1]]) {
        leaf.mean = root->times[rows[from]]; /* exactly equal: no rounding in sigma */
        return leaf;
    }
    for (size_t i = from; i < to; i++)
        sum += root->times[rows[i]];
    leaf.mean = sum / count_of(&leaf);
    for (size_t i = from; i < to; i++) {
        double off = root->times[rows[i]] - leaf.mean;
        squares += off * off;
    }
    leaf.sigma = sqrt(squares / count_of(&leaf));
    return leaf;
}

/* The factor of the sizes that is the same for all groups. */
static double common_factor(const struct root *root, const struct leaf *leaves, size_t count)
{
    double weighted = 0, total = 0;
    for (size_t i = 0; i < count; i++) {
        weighted += count_of(&leaves[i]) * leaves[i].sigma * sqrt(leaves[i].mean);
        total += count_of(&leaves[i]) * leaves[i].mean;
    }
    return weighted / (root->share * total * root->share * total);
}

/* Launches to draw from LEAF: at least --draws, at most all. */
static double draws(const struct root *root, const struct leaf *leaf, double factor)
{
    double m = ceil(factor * count_of(leaf) * leaf->sigma / sqrt(leaf->mean));
    if (!(m >= root->least))
        m = root->least;
    return m > count_of(leaf) ? count_of(leaf) : m;
}

/* Total time of the launches drawn from COUNT groups under one bound. */
static double cost(const struct root *root, const struct leaf *leaves, size_t count)
{
    double factor = common_factor(root, leaves, count), time = 0;
    for (size_t i = 0; i < count; i++)
        time += draws(root, &leaves[i], factor) * leaves[i].mean;
    return time;
}

/* ---- ROOT ---------------------------------------------------------------- */

/* The split of LEAF with the least sum of squared deviations from two means, that is the
 * greatest sum^2 / n over both sides. Equal times stay together. */
static size_t best_split(const struct root *root, const struct leaf *leaf)
{
    const long double *sum = root->sum;
    size_t best = leaf->from;
    long double most = -1;
    for (size_t i = leaf->from + 1; i < leaf->to; i++) {
        if (root->times[root->rows[i]] == root->times[root->rows[i - 1]])
            continue;
        long double left = sum[i] - sum[leaf->from], right = sum[leaf->to] - sum[i];
        long double fit = left * left / (long double)(i - leaf->from) +
                          right * right / (long double)(leaf->to - i);
        if (fit > most) {
            most = fit;
            best = i;
        }
    }
    return best;
}

static void split_leaf(struct root *root, struct leaf leaf)
{
    if (leaf.sigma > 0) {
        size_t at = best_split(root, &leaf);
        struct leaf halves[2] = {measure(root, leaf.from, at), measure(root, at, leaf.to)};
        if (cost(root, halves, 2) <= cost(root, &leaf, 1)) {
            root->stack[root->stack_count++] = halves[1];
            root->stack[root->stack_count++] = halves[0];
            return;
        }
    }
    root->leaves[root->leaf_count++] = leaf;
}

static int compare_times(const void *a, const void *b, void *data)
{
    const double *times = data;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (times[x] != times[y])
        return times[x] < times[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static void split_kernel(struct root *root, size_t from, size_t to)
{
    qsort_r(root->rows + from, to - from, sizeof *root->rows, compare_times,
            (void *)root->times);
    struct leaf whole = measure(root, from, to);
    root->sum[from] = 0;
    for (size_t i = from; i < to; i++)
        root->sum[i + 1] = root->sum[i] + (root->times[root->rows[i]] - whole.mean);
    root->stack_count = 0;
    root->stack[root->stack_count++] = whole;
    while (root->stack_count > 0) {
        struct leaf leaf = root->stack[--root->stack_count];
        split_leaf(root, leaf);
    }
}

/* ---- the draw ------------------------------------------------------------ */

static int add_leaf(const struct root *root, const struct leaf *leaf, size_t draw,
                    struct random *random, size_t *reps, struct sampling *selection,
                    struct error *err)
{
    const size_t *rows = root->rows + leaf->from;
    random_sample(random, leaf->to - leaf->from, draw, reps);
    for (size_t i = 0; i < draw; i++)
        reps[i] = rows[reps[i]];
    return sampling_add_stratum(selection, rows, leaf->to - leaf->from, reps, draw, 0, err);
}

static int draw_all(struct root *root, const struct sampling_input *input,
                    struct sampling *selection, struct error *err)
{
    double factor = common_factor(root, root->leaves, root->leaf_count);
    struct random random;
    size_t *reps = malloc(input->profile->count * sizeof *reps);
    int rc = reps != NULL ? 0 : error_no_memory(err);
    random_init(&random, input->options->seed, 0);
    for (size_t i = 0; rc == 0 && i < root->leaf_count; i++)
        rc = add_leaf(root, &root->leaves[i], (size_t)draws(root, &root->leaves[i], factor),
                      &random, reps, selection, err);
    free(reps);
    return rc;
}

static int root_init(struct root *root, const struct sampling_input *input, struct error *err)
{
    size_t n = input->profile->count;
    *root = (struct root){
        .times = input->times,
        .rows = malloc(n * sizeof *root->rows),
        .sum = malloc((n + 1) * sizeof *root->sum),
        .leaves = malloc(n * sizeof *root->leaves),
        .stack = malloc((n + 1) * sizeof *root->stack),
        .share = input->options->epsilon / normal_z(input->options->confidence),
        .least = (double)input->options->draws,
    };
    if (root->rows == NULL || root->sum == NULL || root->leaves == NULL || root->stack == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < n; i++)
        root->rows[i] = input->by_kernel[i];
    return 0;
}

static void root_finish(struct root *root)
{
    free(root->rows);
    free(root->sum);
    free(root->leaves);
    free(root->stack);
}

int sampling_stem(const struct sampling_input *input, struct sampling *selection,
                  struct error *err)
{
    struct root root;
    int rc = root_init(&root, input, err);
    for (size_t k = 0; rc == 0 && k < input->profile->kernel_count; k++)
        if (input->first[k + 1] > input->first[k])
            split_kernel(&root, input->first[k], input->first[k + 1]);
    if (rc == 0)
        rc = draw_all(&root, input, selection, err);
    root_finish(&root);
    return rc;
}
