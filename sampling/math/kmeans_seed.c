/* k-means++, the greedy variant. */
#include <math.h>
#include <string.h>

#include "sampling/math/lloyd.h"

/* Draws a row with a chance proportional to NEAREST x weight; TOTAL is the sum of these. */
static size_t draw(const struct points *points, const double *nearest, double total,
                   struct random *random)
{
    double mark = random_real(random) * total, sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < points->rows->rows; i++) {
        double share = (nearest != NULL ? nearest[i] : 1) * point_weight(points, i);
        sum += share;
        if (share > 0)
            last = i;
        if (sum > mark)
            return i;
    }
    return last; /* after rounding errors */
}

/* Computes squared distances to the nearest centre if ROW became one; returns the sum. */
static double with_centre(const struct points *points, size_t row, const double *nearest,
                          double *out)
{
    const struct matrix *rows = points->rows;
    double sum = 0;
    for (size_t i = 0; i < rows->rows; i++) {
        double d = square_distance(matrix_row(rows, i), matrix_row(rows, row), rows->columns);
        out[i] = nearest != NULL && nearest[i] < d ? nearest[i] : d;
        sum += out[i] * point_weight(points, i);
    }
    return sum;
}

static double total_weight(const struct points *points)
{
    double total = 0;
    for (size_t i = 0; i < points->rows->rows; i++)
        total += point_weight(points, i);
    return total;
}

static void set_centre(struct matrix *centres, size_t c, const struct points *points,
                       size_t row)
{
    memcpy(matrix_row(centres, c), matrix_row(points->rows, row),
           centres->columns * sizeof *centres->values);
}

void seed_centres(struct matrix *centres, const struct points *points, struct random *random,
                  double *nearest, double *trial)
{
    size_t row = draw(points, NULL, total_weight(points), random);
    double potential = with_centre(points, row, NULL, nearest);
    set_centre(centres, 0, points, row);
    unsigned trials = 2 + (unsigned)log((double)centres->rows);
    for (size_t c = 1; c < centres->rows; c++) {
        size_t best_row = 0;
        double best = INFINITY;
        for (unsigned t = 0; t < trials; t++) {
            row = draw(points, nearest, potential, random);
            double sum = with_centre(points, row, nearest, trial);
            if (sum < best) {
                best = sum;
                best_row = row;
            }
        }
        set_centre(centres, c, points, best_row);
        potential = with_centre(points, best_row, nearest, trial);
        memcpy(nearest, trial, points->rows->rows * sizeof *nearest);
    }
}
