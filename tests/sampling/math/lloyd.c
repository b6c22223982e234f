/* Lloyd's iteration with bounds gives what the plain one gives, bit by bit. */
#include "sampling/math/lloyd.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sampling/support.h"

#define ROWS    700
#define COLUMNS 3

/* The plain iteration; no cluster may become empty. */
static double plain(const struct points *points, struct matrix *centres, uint32_t *labels,
                    unsigned iterations)
{
    double inertia = 0;
    for (unsigned step = 0;; step++) {
        double sums[16][COLUMNS] = {{0}}, weights[16] = {0};
        inertia = 0;
        for (size_t i = 0; i < points->rows->rows; i++) {
            const double *row = matrix_row(points->rows, i);
            double least = INFINITY;
            for (uint32_t c = 0; c < centres->rows; c++) {
                double d = square_distance(row, matrix_row(centres, c), COLUMNS);
                labels[i] = d < least ? c : labels[i];
                least = d < least ? d : least;
            }
            inertia += point_weight(points, i) * least;
            weights[labels[i]] += point_weight(points, i);
            for (size_t f = 0; f < COLUMNS; f++)
                sums[labels[i]][f] += point_weight(points, i) * row[f];
        }
        if (step == iterations)
            return inertia;
        for (size_t c = 0; c < centres->rows; c++)
            for (size_t f = 0; f < COLUMNS; f++)
                matrix_row(centres, c)[f] = sums[c][f] / weights[c];
    }
}

/* Rows on a grid, so that many are equally near to two centres, or anywhere. */
static void fill(struct matrix *rows, double *weights, struct random *random, bool grid)
{
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t f = 0; f < COLUMNS; f++)
            matrix_row(rows, i)[f] =
                grid ? (double)random_below(random, 6) : random_real(random) * 1e6;
        weights[i] = 1 + (double)random_below(random, 5);
    }
}

START_TEST(as_plain)
{
    size_t k = 2 + (size_t)_i % 14;
    unsigned iterations = 1 + (unsigned)_i % 30;
    struct random random;
    struct matrix rows, centres;
    double weights[ROWS], work[2 * ROWS];
    uint32_t labels[ROWS], plain_labels[ROWS];
    random_init(&random, (uint64_t)_i, 0);
    ck_assert_int_eq(matrix_init(&rows, ROWS, COLUMNS), 0);
    ck_assert_int_eq(matrix_init(&centres, k, COLUMNS), 0);
    fill(&rows, weights, &random, _i % 2);
    struct points points = {&rows, _i % 3 == 0 ? NULL : weights};
    struct kmeans kmeans = {.labels = labels};
    ck_assert_int_eq(matrix_init(&kmeans.centres, k, COLUMNS), 0);
    seed_centres(&kmeans.centres, &points, &random, work, work + ROWS);
    size_t bytes = k * COLUMNS * sizeof(double);
    memcpy(centres.values, kmeans.centres.values, bytes);
    ck_assert_int_eq(lloyd(&kmeans, &points, iterations, -1), 0);
    double inertia = plain(&points, &centres, plain_labels, iterations);
    ck_assert_mem_eq(labels, plain_labels, sizeof labels);
    ck_assert_mem_eq(kmeans.centres.values, centres.values, bytes);
    ck_assert_double_eq(kmeans.inertia, inertia);
    matrix_finish(&rows);
    matrix_finish(&centres);
    matrix_finish(&kmeans.centres);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lloyd");
    TCase *tests = tcase_create("lloyd");
    tcase_add_loop_test(tests, as_plain, 0, 120);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
