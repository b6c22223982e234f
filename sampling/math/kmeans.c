#include "sampling/math/kmeans.h"

#include <stdlib.h>
#include <string.h>

#include "sampling/math/lloyd.h"

#define STARTS     10
#define ITERATIONS 300
#define SAMPLE     10000
#define TOLERANCE  1e-4

void kmeans_finish(struct kmeans *kmeans)
{
    matrix_finish(&kmeans->centres);
    free(kmeans->labels);
    *kmeans = (struct kmeans){0};
}

static int make(struct kmeans *kmeans, size_t rows, size_t k, size_t columns)
{
    *kmeans = (struct kmeans){.labels = calloc(rows + 1, sizeof *kmeans->labels)};
    if (matrix_init(&kmeans->centres, k, columns) == 0 && kmeans->labels != NULL)
        return 0;
    kmeans_finish(kmeans);
    return -1;
}

/* The tolerance for the sum of squares that centres move: a share of the mean variance of the
 * features. */
static double find_tolerance(const struct points *points)
{
    const struct matrix *rows = points->rows;
    double sum = 0, total = 0, *means = calloc(rows->columns + 1, sizeof *means);
    if (means == NULL)
        return -1;
    for (size_t i = 0; i < rows->rows; i++) {
        double w = point_weight(points, i);
        total += w;
        for (size_t c = 0; c < rows->columns; c++)
            means[c] += w * (matrix_row(rows, i)[c] - means[c]) / total;
    }
    for (size_t i = 0; i < rows->rows; i++)
        sum += point_weight(points, i) *
               square_distance(matrix_row(rows, i), means, rows->columns);
    free(means);
    return TOLERANCE * sum / total / (double)rows->columns;
}

/* ---- starts ------------------------------------------------------------ */

/* Stores the centres of the best of STARTS runs on POINTS in CENTRES. */
static int try_starts(struct matrix *centres, const struct points *points, unsigned starts,
                      unsigned iterations, double tolerance, struct random *random)
{
    struct kmeans trial;
    size_t n = points->rows->rows, bytes = centres->rows * centres->columns * sizeof(double);
    double *work = malloc(2 * (n + 1) * sizeof *work), least = 0;
    if (work == NULL || make(&trial, n, centres->rows, centres->columns) != 0) {
        free(work);
        return -1;
    }
    int status = 0;
    for (unsigned i = 0; i < starts && status == 0; i++) {
        seed_centres(&trial.centres, points, random, work, work + n);
        status = lloyd(&trial, points, iterations, tolerance);
        if (i == 0 || trial.inertia < least) {
            least = trial.inertia;
            memcpy(centres->values, trial.centres.values, bytes);
        }
    }
    kmeans_finish(&trial);
    free(work);
    return status;
}

/* try_starts() on COUNT rows of POINTS, drawn without replacement. */
static int try_sample(struct matrix *centres, const struct points *points, size_t count,
                      unsigned starts, unsigned iterations, double tolerance,
                      struct random *random)
{
    const struct matrix *all = points->rows;
    struct matrix rows;
    size_t *order = malloc(all->rows * sizeof *order);
    double *weights = malloc(count * sizeof *weights);
    int status = -1;
    if (matrix_init(&rows, count, all->columns) == 0 && order != NULL && weights != NULL) {
        draw_order(random, order, all->rows);
        for (size_t i = 0; i < count; i++) {
            memcpy(matrix_row(&rows, i), matrix_row(all, order[i]),
                   all->columns * sizeof *rows.values);
            weights[i] = point_weight(points, order[i]);
        }
        status = try_starts(centres, &(struct points){&rows, weights}, starts, iterations,
                            tolerance, random);
    }
    matrix_finish(&rows);
    free(order);
    free(weights);
    return status;
}

/* ---- numbers of clusters ----------------------------------------------- */

/* Numbers clusters by their first row and drops empty ones. */
static int renumber(struct kmeans *kmeans, size_t rows)
{
    struct matrix old = kmeans->centres, new;
    uint32_t *number = malloc(old.rows * sizeof *number), count = 0;
    if (number == NULL || matrix_init(&new, old.rows, old.columns) != 0) {
        free(number);
        return -1;
    }
    memset(number, 0xff, old.rows * sizeof *number);
    for (size_t i = 0; i < rows; i++) {
        uint32_t label = kmeans->labels[i];
        if (number[label] == UINT32_MAX) {
            memcpy(matrix_row(&new, count), matrix_row(&old, label),
                   old.columns * sizeof *old.values);
            number[label] = count++;
        }
        kmeans->labels[i] = number[label];
    }
    new.rows = count;
    kmeans->centres = new;
    matrix_finish(&old);
    free(number);
    return 0;
}

int kmeans_init(struct kmeans *kmeans, const struct matrix *rows, const double *weights,
                size_t k, const struct kmeans_options *options)
{
    struct kmeans_options o = options != NULL ? *options : (struct kmeans_options){0};
    unsigned starts = o.starts > 0 ? o.starts : STARTS;
    unsigned iterations = o.iterations > 0 ? o.iterations : ITERATIONS;
    size_t sample = o.sample > 0 ? o.sample : SAMPLE;
    struct points points = {rows, weights};
    struct random random;
    random_init(&random, o.seed, 0);
    if (k > rows->rows)
        k = rows->rows;
    if (k > sample)
        sample = k;
    double tolerance = find_tolerance(&points);
    if (tolerance < 0 || make(kmeans, rows->rows, k, rows->columns) != 0)
        return -1;
    int status = rows->rows > sample ? try_sample(&kmeans->centres, &points, sample, starts,
                                                  iterations, tolerance, &random)
                                     : try_starts(&kmeans->centres, &points, starts, iterations,
                                                  tolerance, &random);
    if (status == 0)
        status = lloyd(kmeans, &points, iterations, tolerance);
    if (status == 0)
        status = renumber(kmeans, rows->rows);
    if (status != 0)
        kmeans_finish(kmeans);
    return status;
}
