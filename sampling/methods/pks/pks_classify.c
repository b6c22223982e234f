/* Two-level profiling: launches for which only a name and a grid are known join the cluster of
 * similar launches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/math/classifiers/classifier.h"
#include "sampling/math/scale.h"
#include "sampling/methods/pks/pks.h"

/* Features of the grid: blocks, and their number in x, y and z; as logarithms, since grids
 * differ by factors. */
#define GRID_FEATURES 4
#define NONE          UINT32_MAX

/* The words of --classifier, from the second on. */
static const struct classifier_kind *const kinds[] = {&classifier_bayes, &classifier_sgd,
                                                      &classifier_mlp};

/* Launches by kernel and grid. */
struct encoding {
    uint32_t *column; /* for each kernel: its feature, which is 1 for this kernel and 0 for
                         others; NONE for kernels that are not in the space */
    size_t columns;
    double mean[GRID_FEATURES], deviation[GRID_FEATURES];
};

static void read_grid(double *out, const struct profile_row *row)
{
    out[0] = log2(profile_blocks(row));
    for (int i = 0; i < 3; i++)
        out[i + 1] = log2(row->grid[i]);
}

static void encode(double *out, const struct encoding *encoding, const struct profile_row *row)
{
    memset(out, 0, encoding->columns * sizeof *out);
    read_grid(out, row);
    for (int i = 0; i < GRID_FEATURES; i++)
        out[i] = encoding->deviation[i] > 0
                     ? (out[i] - encoding->mean[i]) / encoding->deviation[i]
                     : out[i] - encoding->mean[i];
    if (encoding->column[row->kernel] != NONE)
        out[encoding->column[row->kernel]] = 1;
}

static void find_columns(struct encoding *encoding, const struct pks_space *space)
{
    const struct profile *profile = space->input->profile;
    memset(encoding->column, 0xff, profile->kernel_count * sizeof *encoding->column);
    encoding->columns = GRID_FEATURES;
    for (size_t i = 0; i < space->count; i++) {
        uint32_t *column = &encoding->column[profile->rows[space->rows[i]].kernel];
        if (*column == NONE)
            *column = (uint32_t)encoding->columns++;
    }
}

static int encoding_init(struct encoding *encoding, const struct pks_space *space)
{
    const struct profile *profile = space->input->profile;
    double grid[GRID_FEATURES], *values = malloc(space->count * sizeof *values);
    encoding->column = malloc((profile->kernel_count + 1) * sizeof *encoding->column);
    if (encoding->column == NULL || values == NULL) {
        free(encoding->column);
        free(values);
        return -1;
    }
    find_columns(encoding, space);
    for (int f = 0; f < GRID_FEATURES; f++) {
        for (size_t i = 0; i < space->count; i++) {
            read_grid(grid, &profile->rows[space->rows[i]]);
            values[i] = grid[f];
        }
        encoding->mean[f] = mean_of(values, NULL, space->count);
        encoding->deviation[f] = deviation_of(values, NULL, space->count, DEVIATION_POPULATION);
    }
    free(values);
    return 0;
}

/* ---- training ---------------------------------------------------------- */

/* Reads kernel, grid and cluster of each launch; most launches repeat. */
static int read_keys(struct matrix *keys, const struct pks_space *space, const uint32_t *labels)
{
    if (matrix_init(keys, space->count, 5) != 0)
        return -1;
    for (size_t i = 0; i < space->count; i++) {
        const struct profile_row *row = &space->input->profile->rows[space->rows[i]];
        double *key = matrix_row(keys, i);
        key[0] = row->kernel;
        for (int d = 0; d < 3; d++)
            key[d + 1] = row->grid[d];
        key[4] = labels[space->rows[i]];
    }
    return 0;
}

static struct classifier *train(const struct encoding *encoding, const struct pks_space *space,
                                const uint32_t *labels, size_t clusters)
{
    struct matrix keys = {0}, rows = {0};
    struct distinct distinct = {0};
    struct classifier *classifier = NULL;
    uint32_t *classes = NULL;
    const struct sampling_options *options = space->input->options;
    if (read_keys(&keys, space, labels) == 0 && distinct_init(&distinct, &keys) == 0 &&
        matrix_init(&rows, distinct.count, encoding->columns) == 0 &&
        (classes = malloc(distinct.count * sizeof *classes)) != NULL) {
        for (size_t i = 0; i < distinct.count; i++) {
            size_t row = space->rows[distinct.first[i]];
            encode(matrix_row(&rows, i), encoding, &space->input->profile->rows[row]);
            classes[i] = labels[row];
        }
        struct examples examples = {&rows, distinct.weight, classes, clusters};
        classifier = kinds[options->classifier.index - 1]->train(&examples, options->seed);
    }
    free(classes);
    distinct_finish(&distinct);
    matrix_finish(&rows);
    matrix_finish(&keys);
    return classifier;
}

/* ---- classifying ------------------------------------------------------- */

static bool same_launch(const struct profile_row *a, const struct profile_row *b)
{
    return a->kernel == b->kernel && memcmp(a->grid, b->grid, sizeof a->grid) == 0;
}

/* A launch with the same grid as the previous one of its kernel gets the same cluster. */
static int classify(uint32_t *labels, const struct pks_space *space,
                    const struct encoding *encoding, struct classifier *classifier,
                    long *unseen)
{
    const struct profile *profile = space->input->profile;
    double *row = malloc(encoding->columns * sizeof *row);
    size_t *last = calloc(profile->kernel_count + 1, sizeof *last);
    int status = row != NULL && last != NULL ? 0 : -1;
    for (size_t i = 0, next = 0; i < profile->count && status == 0; i++) {
        if (next < space->count && space->rows[next] == i) {
            next++;
            continue;
        }
        const struct profile_row *launch = &profile->rows[i];
        size_t *like = &last[launch->kernel]; /* 0: none; else a row + 1 */
        *unseen += encoding->column[launch->kernel] == NONE;
        if (*like > 0 && same_launch(&profile->rows[*like - 1], launch)) {
            labels[i] = labels[*like - 1];
        } else {
            encode(row, encoding, launch);
            labels[i] = classifier_classify(classifier, row);
        }
        *like = i + 1;
    }
    free(row);
    free(last);
    return status;
}

long pks_classify(uint32_t *labels, const struct pks_space *space, size_t clusters,
                  struct error *err)
{
    struct encoding encoding;
    long unseen = 0;
    if (encoding_init(&encoding, space) != 0)
        return error_no_memory(err);
    struct classifier *classifier = train(&encoding, space, labels, clusters);
    int status =
        classifier != NULL ? classify(labels, space, &encoding, classifier, &unseen) : -1;
    classifier_destroy(classifier);
    free(encoding.column);
    if (status != 0)
        return error_no_memory(err);
    return unseen;
}
