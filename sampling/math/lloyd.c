#include "sampling/math/lloyd.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Sums that become the next centres. */
struct sums {
    struct matrix of;
    double *weights;
    double *distances; /* of each row to its centre, squared */
};

static void sums_finish(struct sums *sums)
{
    matrix_finish(&sums->of);
    free(sums->weights);
    free(sums->distances);
}

static int sums_init(struct sums *sums, size_t rows, size_t k, size_t columns)
{
    *sums = (struct sums){.weights = calloc(k, sizeof *sums->weights),
                          .distances = calloc(rows, sizeof *sums->distances)};
    if (matrix_init(&sums->of, k, columns) == 0 && sums->weights != NULL &&
        sums->distances != NULL)
        return 0;
    sums_finish(sums);
    return -1;
}

static uint32_t nearest_centre(const struct matrix *centres, const double *row, uint32_t before,
                               double *distance)
{
    size_t n = centres->columns;
    uint32_t best = before;
    double least = square_distance(row, matrix_row(centres, before), n);
    for (uint32_t c = 0; c < centres->rows; c++) {
        double d = square_distance(row, matrix_row(centres, c), n);
        if (d < least || (d == least && c < best)) {
            least = d;
            best = c;
        }
    }
    *distance = least;
    return best;
}

/* Labels all rows; returns how many changed theirs. */
static size_t assign(struct kmeans *kmeans, const struct points *points, struct sums *sums)
{
    size_t changed = 0;
    kmeans->inertia = 0;
    for (size_t i = 0; i < points->rows->rows; i++) {
        uint32_t before = kmeans->labels[i];
        kmeans->labels[i] = nearest_centre(&kmeans->centres, matrix_row(points->rows, i),
                                           before, &sums->distances[i]);
        changed += kmeans->labels[i] != before;
        kmeans->inertia += point_weight(points, i) * sums->distances[i];
    }
    return changed;
}

static void add_row(struct sums *sums, uint32_t to, const double *row, double weight)
{
    double *sum = matrix_row(&sums->of, to);
    for (size_t c = 0; c < sums->of.columns; c++)
        sum[c] += weight * row[c];
    sums->weights[to] += weight;
}

/* Gives an empty cluster the row that is farthest from its own centre, unless
 * all rows are centres. Returns whether it did. */
static bool fill_empty(struct kmeans *kmeans, const struct points *points, struct sums *sums)
{
    bool any = false;
    for (uint32_t c = 0; c < kmeans->centres.rows; c++) {
        if (sums->weights[c] > 0)
            continue;
        size_t far = 0;
        for (size_t i = 1; i < points->rows->rows; i++)
            if (sums->distances[i] > sums->distances[far])
                far = i;
        if (sums->distances[far] == 0)
            break;
        const double *row = matrix_row(points->rows, far);
        add_row(sums, kmeans->labels[far], row, -point_weight(points, far));
        add_row(sums, c, row, point_weight(points, far));
        kmeans->labels[far] = c;
        sums->distances[far] = 0;
        any = true;
    }
    return any;
}

/* Puts centres in the middle of their rows; returns how far they moved. */
static double move(struct kmeans *kmeans, const struct points *points, struct sums *sums,
                   bool *filled)
{
    size_t n = kmeans->centres.columns;
    memset(sums->of.values, 0, sums->of.rows * n * sizeof *sums->of.values);
    memset(sums->weights, 0, sums->of.rows * sizeof *sums->weights);
    for (size_t i = 0; i < points->rows->rows; i++)
        add_row(sums, kmeans->labels[i], matrix_row(points->rows, i), point_weight(points, i));
    *filled = fill_empty(kmeans, points, sums);
    double moved = 0;
    for (size_t k = 0; k < sums->of.rows; k++) {
        double *centre = matrix_row(&kmeans->centres, k), *sum = matrix_row(&sums->of, k);
        for (size_t c = 0; c < n && sums->weights[k] > 0; c++) {
            double x = sum[c] / sums->weights[k];
            moved += (x - centre[c]) * (x - centre[c]);
            centre[c] = x;
        }
    }
    return moved;
}

int lloyd(struct kmeans *kmeans, const struct points *points, unsigned iterations,
          double tolerance)
{
    struct sums sums;
    if (sums_init(&sums, points->rows->rows, kmeans->centres.rows, points->rows->columns) != 0)
        return -1;
    memset(kmeans->labels, 0, points->rows->rows * sizeof *kmeans->labels);
    assign(kmeans, points, &sums);
    for (unsigned i = 0; i < iterations; i++) {
        bool filled;
        double moved = move(kmeans, points, &sums, &filled);
        size_t changed = assign(kmeans, points, &sums);
        if (!filled && (changed == 0 || moved <= tolerance))
            break;
    }
    sums_finish(&sums);
    return 0;
}
