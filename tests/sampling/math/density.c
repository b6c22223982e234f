/* Density estimates: bandwidths, densities and valleys. */
#include <math.h>
#include <stdlib.h>

#include "sampling/math/kde.h"
#include "tests/sampling/math/golden.h"

#define ROOM 4096

static size_t valleys_of(const double *points, size_t count, double bandwidth, double *valleys)
{
    struct kde kde = {points, NULL, count, bandwidth};
    long found = kde_valleys(&kde, valleys);
    ck_assert_int_ge(found, 0);
    return (size_t)found;
}

/* A single point: the normal distribution itself. */
START_TEST(single)
{
    const double at = 3;
    struct kde kde = {&at, NULL, 1, 2};
    ck_assert_double_eq_tol(exp(kde_log_density(&kde, 3)), 1 / (2 * sqrt(2 * M_PI)), 1e-15);
    ck_assert_double_eq_tol(kde_log_density(&kde, 2003), -log(2 * sqrt(2 * M_PI)) - 500000,
                            1e-6);
    ck_assert_double_eq(kde_bandwidth_scott(&at, NULL, 1), 0);
    ck_assert_double_eq(kde_bandwidth_silverman(&at, NULL, 1), 0);
    ck_assert_double_eq(kde_bandwidth_robust(&at, NULL, 1), 0);
    double valley;
    ck_assert_uint_eq(valleys_of(&at, 1, 2, &valley), 0);
}
END_TEST

START_TEST(bandwidths)
{
    struct matrix table = golden_read("kde_points.csv"),
                  expected = golden_read("kde_bandwidths.csv");
    struct matrix points = golden_columns(&table, 0, 1), weights = golden_columns(&table, 1, 1);
    size_t n = points.rows;
    for (int i = 0; i < 2; i++) {
        const double *w = i == 1 ? weights.values : NULL;
        ck_assert_double_eq_tol(kde_bandwidth_scott(points.values, w, n),
                                matrix_row(&expected, (size_t)i)[0], 1e-9);
        ck_assert_double_eq_tol(kde_bandwidth_silverman(points.values, w, n),
                                matrix_row(&expected, (size_t)i)[1], 1e-9);
    }
    matrix_finish(&table);
    matrix_finish(&expected);
    matrix_finish(&points);
    matrix_finish(&weights);
}
END_TEST

/* 0 to 8: sigma = sqrt(60 / 8), quartiles 2 and 6; 4 / 1.34 is the larger. Of
 * 0 0 0 0 9 the quartiles are equal: sigma alone counts. */
START_TEST(robust)
{
    const double even[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, lone[] = {0, 0, 0, 0, 9};
    ck_assert_double_eq_tol(kde_bandwidth_robust(even, NULL, 9), 0.9 * sqrt(7.5) * pow(9, -0.2),
                            1e-12);
    ck_assert_double_eq_tol(kde_bandwidth_robust(lone, NULL, 5),
                            0.9 * sqrt(81 * 0.8 / 4) * pow(5, -0.2), 1e-12);
    const double tailed[] = {0, 1, 2, 3, 4, 5, 6, 7, 1000};
    ck_assert_double_eq_tol(kde_bandwidth_robust(tailed, NULL, 9),
                            0.9 * 4 / 1.34 * pow(9, -0.2), 1e-12);
}
END_TEST

START_TEST(densities)
{
    struct matrix table = golden_read("kde_points.csv"), expected = golden_read("kde.csv");
    struct matrix points = golden_columns(&table, 0, 1), weights = golden_columns(&table, 1, 1);
    const struct kde kdes[] = {{points.values, NULL, points.rows, 50},
                               {points.values, weights.values, points.rows, 50},
                               {points.values, NULL, points.rows, 1}};
    for (size_t i = 0; i < expected.rows; i++)
        for (size_t k = 0; k < 3; k++) {
            const double *row = matrix_row(&expected, i);
            ck_assert_double_eq_tol(kde_log_density(&kdes[k], row[0]), row[k + 1],
                                    1e-9 * fabs(row[k + 1]));
        }
    matrix_finish(&table);
    matrix_finish(&expected);
    matrix_finish(&points);
    matrix_finish(&weights);
}
END_TEST

START_TEST(valleys)
{
    struct matrix table = golden_read("kde_points.csv"),
                  expected = golden_read("kde_valleys.csv");
    struct matrix points = golden_columns(&table, 0, 1);
    double got[ROOM];
    ck_assert_uint_eq(valleys_of(points.values, points.rows, 50, got), expected.columns);
    for (size_t i = 0; i < expected.columns; i++) /* within a place of the gap */
        ck_assert_double_eq_tol(got[i], expected.values[i], 20);
    matrix_finish(&table);
    matrix_finish(&expected);
    matrix_finish(&points);
}
END_TEST

/* Two equal crowds: one valley, in the middle; none if the bandwidth joins them. */
START_TEST(two_crowds)
{
    const double points[] = {0, 1, 2, 18, 19, 20};
    double got[6];
    ck_assert_uint_eq(valleys_of(points, 6, 1, got), 1);
    ck_assert_double_eq_tol(got[0], 10, 1e-9);
    ck_assert_uint_eq(valleys_of(points, 6, 20, got), 0);
}
END_TEST

/* Values times a factor have valleys times that factor, far apart ones too. */
START_TEST(any_scale)
{
    double points[40], scaled[40], got[40], expected[40];
    for (size_t i = 0; i < 20; i++) {
        points[i] = 100 + (double)(i * i % 7);
        points[i + 20] = 400 + 2 * (double)(i * i % 11);
    }
    for (size_t i = 1; i < 40; i++)
        for (size_t j = i; j > 0 && points[j - 1] > points[j]; j--) {
            double x = points[j];
            points[j] = points[j - 1];
            points[j - 1] = x;
        }
    size_t count = valleys_of(points, 40, kde_bandwidth_robust(points, NULL, 40) / 8, expected);
    ck_assert_uint_ge(count, 1);
    for (double factor = 1e-6; factor < 1e15; factor *= 1000) {
        for (size_t i = 0; i < 40; i++)
            scaled[i] = points[i] * factor;
        double h = kde_bandwidth_robust(scaled, NULL, 40) / 8;
        ck_assert_uint_eq(valleys_of(scaled, 40, h, got), count);
        for (size_t i = 0; i < count; i++)
            ck_assert_double_eq_tol(got[i] / factor, expected[i], 1e-6 * expected[i]);
    }
}
END_TEST

/* Half a million values of six sizes take no time. */
START_TEST(many)
{
    size_t n = 500000;
    double *points = malloc(n * sizeof *points), *got = malloc(n * sizeof *got);
    ck_assert(points != NULL && got != NULL);
    for (size_t i = 0; i < n; i++)
        points[i] = pow(10, (double)(i / 100000)) * (1000 + (double)(i % 1000) / 100);
    for (size_t i = 0; i < n; i++)
        points[i] = log(points[i]);
    for (size_t i = 1; i < n; i++) /* made of five ascending runs */
        if (points[i] < points[i - 1])
            points[i] = points[i - 1];
    ck_assert_uint_eq(valleys_of(points, n, 0.05, got), 4);
    free(points);
    free(got);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {single,  bandwidths, robust,    densities,
                                  valleys, two_crowds, any_scale, many};
    return RUN_TESTS("density", tests);
}
