/* k-means, its scores, and complete linkage. */
#include <math.h>
#include <stdlib.h>

#include "sampling/math/draw.h"
#include "sampling/math/linkage.h"
#include "sampling/math/score.h"
#include "tests/sampling/math/golden.h"

static struct matrix line_of(size_t rows, const double *values)
{
    struct matrix m;
    ck_assert_int_eq(matrix_init(&m, rows, 1), 0);
    for (size_t i = 0; i < rows; i++)
        m.values[i] = values[i];
    return m;
}

/* ---- k-means ----------------------------------------------------------- */

START_TEST(two_means)
{
    struct kmeans kmeans;
    struct matrix m = line_of(5, (double[]){10, 0, 1, 11, 2});
    ck_assert_int_eq(kmeans_init(&kmeans, &m, NULL, 2, NULL), 0);
    const uint32_t labels[] = {0, 1, 1, 0, 1};
    ck_assert_mem_eq(kmeans.labels, labels, sizeof labels);
    ck_assert_double_eq_tol(kmeans.centres.values[0], 10.5, 1e-15);
    ck_assert_double_eq_tol(kmeans.centres.values[1], 1, 1e-15);
    ck_assert_double_eq_tol(kmeans.inertia, 2.5, 1e-15);
    kmeans_finish(&kmeans);
    /* The 0 counts ten times: the centre moves there. */
    const double weights[] = {1, 10, 1, 1, 1};
    ck_assert_int_eq(kmeans_init(&kmeans, &m, weights, 2, NULL), 0);
    ck_assert_double_eq_tol(kmeans.centres.values[1], 3. / 12, 1e-15);
    kmeans_finish(&kmeans);
    matrix_finish(&m);
}
END_TEST

START_TEST(fewer_than_k)
{
    struct kmeans kmeans;
    struct matrix m = line_of(4, (double[]){7, 7, 8, 7});
    ck_assert_int_eq(kmeans_init(&kmeans, &m, NULL, 4, NULL), 0);
    ck_assert_uint_eq(kmeans.centres.rows, 2);
    ck_assert_double_eq(kmeans.inertia, 0);
    kmeans_finish(&kmeans);
    m.rows = 1;
    ck_assert_int_eq(kmeans_init(&kmeans, &m, NULL, 20, NULL), 0);
    ck_assert_uint_eq(kmeans.centres.rows, 1);
    kmeans_finish(&kmeans);
    matrix_finish(&m);
}
END_TEST

START_TEST(golden_means)
{
    struct matrix rows = golden_read("pca_scores.csv"), table = golden_read("kmeans.csv"),
                  labels = golden_read("kmeans_labels.csv");
    for (size_t i = 0; i < table.rows; i++) {
        const double *expected = matrix_row(&table, i);
        struct kmeans kmeans;
        struct kmeans_options options = {.seed = 3, .starts = 100};
        ck_assert_int_eq(kmeans_init(&kmeans, &rows, NULL, (size_t)expected[0], &options), 0);
        ck_assert_double_eq_tol(kmeans.inertia, expected[1], 1e-3 * expected[1]);
        double silhouette =
            score_silhouette(&rows, NULL, kmeans.labels, kmeans.centres.rows, rows.rows, 1);
        ck_assert_double_eq_tol(silhouette, expected[2], 1e-3);
        for (size_t r = 0; r < rows.rows && expected[0] == 5; r++)
            ck_assert_uint_eq(kmeans.labels[r], (uint32_t)labels.values[r]);
        if (expected[0] == 5) {
            ck_assert_double_eq_tol(kmeans.inertia, expected[1], 1e-9);
            ck_assert_double_eq_tol(silhouette, expected[2], 1e-9);
        }
        kmeans_finish(&kmeans);
    }
    matrix_finish(&rows);
    matrix_finish(&table);
    matrix_finish(&labels);
}
END_TEST

/* Merged rows, all rows, and starts on a sample find the same five groups. */
START_TEST(same_groups)
{
    struct matrix rows = golden_read("pca_scores.csv"), few;
    struct distinct distinct;
    ck_assert_int_eq(distinct_init(&distinct, &rows), 0);
    ck_assert_int_eq(distinct_rows(&distinct, &rows, &few), 0);
    struct kmeans all, merged, sampled;
    struct kmeans_options options = {.seed = 9, .sample = 60};
    ck_assert_int_eq(kmeans_init(&all, &rows, NULL, 5, NULL), 0);
    ck_assert_int_eq(kmeans_init(&merged, &few, distinct.weight, 5, NULL), 0);
    ck_assert_int_eq(kmeans_init(&sampled, &rows, NULL, 5, &options), 0);
    for (size_t i = 0; i < rows.rows; i++) {
        ck_assert_uint_eq(all.labels[i], merged.labels[distinct.of[i]]);
        ck_assert_uint_eq(all.labels[i], sampled.labels[i]);
    }
    ck_assert_double_eq_tol(all.inertia, merged.inertia, 1e-9);
    double whole = score_silhouette(&rows, NULL, all.labels, 5, 1000, 1);
    double weighted = score_silhouette(&few, distinct.weight, merged.labels, 5, 1000, 1);
    double drawn = score_silhouette(&rows, NULL, all.labels, 5, 150, 1);
    ck_assert_double_eq_tol(whole, weighted, 1e-9);
    ck_assert_double_eq_tol(whole, drawn, 0.05);
    ck_assert_double_ne(whole, drawn);
    ck_assert_double_eq_tol(score_bic(&all, &rows, NULL),
                            score_bic(&merged, &few, distinct.weight), 1e-6);
    kmeans_finish(&all);
    kmeans_finish(&merged);
    kmeans_finish(&sampled);
    distinct_finish(&distinct);
    matrix_finish(&rows);
    matrix_finish(&few);
}
END_TEST

/* ---- scores ------------------------------------------------------------ */

/* 0 and 1 against 10: a = 1, b = 10 and 9; the 10 is alone. */
START_TEST(silhouette)
{
    struct matrix m = line_of(3, (double[]){0, 1, 10});
    const uint32_t labels[] = {0, 0, 1};
    ck_assert_double_eq_tol(score_silhouette(&m, NULL, labels, 2, 100, 1),
                            (9. / 10 + 8. / 9 + 0) / 3, 1e-15);
    ck_assert(isnan(score_silhouette(&m, NULL, (uint32_t[3]){0}, 1, 100, 1)));
    matrix_finish(&m);
}
END_TEST

/* -1 and 1 in one cluster: variance 2 over 1 row of freedom, so that
 * log likelihood = -log(4 pi) - 1/2; two parameters. */
START_TEST(bic)
{
    struct matrix m = line_of(2, (double[]){-1, 1});
    struct kmeans kmeans;
    ck_assert_int_eq(kmeans_init(&kmeans, &m, NULL, 1, NULL), 0);
    ck_assert_double_eq_tol(score_bic(&kmeans, &m, NULL), -log(4 * M_PI) - 0.5 - log(2), 1e-12);
    kmeans_finish(&kmeans);
    matrix_finish(&m);
    const double scores[] = {-100, -50, -11, -9.5, 0, -1};
    ck_assert_uint_eq(score_choose_bic(scores, 6), 3);
    ck_assert_uint_eq(score_choose_bic(scores, 1), 0);
}
END_TEST

/* Five groups: both scores find five. */
START_TEST(five)
{
    struct matrix rows = golden_read("pca_scores.csv");
    double bics[8], best = -2;
    size_t chosen = 0;
    for (size_t k = 1; k <= 8; k++) {
        struct kmeans kmeans;
        ck_assert_int_eq(kmeans_init(&kmeans, &rows, NULL, k, NULL), 0);
        bics[k - 1] = score_bic(&kmeans, &rows, NULL);
        double s = score_silhouette(&rows, NULL, kmeans.labels, k, 1000, 1);
        if (s > best) {
            best = s;
            chosen = k;
        }
        kmeans_finish(&kmeans);
    }
    ck_assert_uint_eq(chosen, 5);
    ck_assert_uint_eq(score_choose_bic(bics, 8) + 1, 5);
    matrix_finish(&rows);
}
END_TEST

/* ---- linkage ----------------------------------------------------------- */

static void assert_linked(const double *values, size_t count, double threshold,
                          const uint32_t *labels, size_t clusters)
{
    struct matrix m = line_of(count, values);
    struct linkage linkage;
    ck_assert_int_eq(linkage_init(&linkage, &m, threshold, 0), 0);
    ck_assert_uint_eq(linkage.count, clusters);
    ck_assert_mem_eq(linkage.labels, labels, count * sizeof *labels);
    ck_assert_uint_eq(linkage.coarse, 0);
    linkage_finish(&linkage);
    matrix_finish(&m);
}

/* 0 1 3: the first two are nearest, and 3 is 3 away from the farther of them. */
START_TEST(thresholds)
{
    const double v[] = {0, 1, 3};
    assert_linked(v, 3, 0, (uint32_t[]){0, 1, 2}, 3);
    assert_linked(v, 3, 0.99, (uint32_t[]){0, 1, 2}, 3);
    assert_linked(v, 3, 1, (uint32_t[]){0, 0, 1}, 2);
    assert_linked(v, 3, 2.99, (uint32_t[]){0, 0, 1}, 2);
    assert_linked(v, 3, 3, (uint32_t[]){0, 0, 0}, 1);
    /* Equal rows are one even at 0, and a single row is a cluster. */
    assert_linked((double[]){5, 4, 5}, 3, 0, (uint32_t[]){0, 1, 0}, 2);
    assert_linked(v, 1, 3, (uint32_t[]){0}, 1);
    /* A tie: 0 1 2, joined from the first. */
    assert_linked((double[]){0, 1, 2}, 3, 1, (uint32_t[]){0, 0, 1}, 2);
    /* Borders of cells: 0.3 - 0.2 is less than 0.1, in binary. */
    assert_linked((double[]){0.3, 0.2, 0.1}, 3, 0.1, (uint32_t[]){0, 0, 1}, 2);
}
END_TEST

START_TEST(golden_linkage)
{
    struct matrix rows = golden_read("pca_scores.csv"), table = golden_read("linkage.csv");
    for (size_t i = 0; i < table.rows; i++) {
        const double *expected = matrix_row(&table, i);
        struct linkage linkage;
        ck_assert_int_eq(linkage_init(&linkage, &rows, expected[0], 0), 0);
        for (size_t r = 0; r < rows.rows; r++)
            ck_assert_uint_eq(linkage.labels[r], (uint32_t)expected[r + 1]);
        linkage_finish(&linkage);
    }
    matrix_finish(&rows);
    matrix_finish(&table);
}
END_TEST

static double widest(const struct matrix *rows, const uint32_t *labels)
{
    double most = 0;
    for (size_t i = 0; i < rows->rows; i++)
        for (size_t j = 0; j < i; j++)
            if (labels[i] == labels[j])
                most = fmax(most, square_distance(matrix_row(rows, i), matrix_row(rows, j),
                                                  rows->columns));
    return sqrt(most);
}

/* Too many rows in one part: boxes, and at the least boxes in pieces. No
 * cluster is wider than the threshold. */
START_TEST(coarse)
{
    struct random random;
    struct matrix rows;
    random_init(&random, 5, 0);
    ck_assert_int_eq(matrix_init(&rows, 2000, 3), 0);
    for (size_t i = 0; i < 6000; i++)
        rows.values[i] = random_real(&random);
    size_t exact = 0;
    const size_t limits[] = {2000, 1000, 300, 8};
    for (size_t i = 0; i < 4; i++) {
        struct linkage linkage;
        ck_assert_int_eq(linkage_init(&linkage, &rows, 0.3, limits[i]), 0);
        ck_assert_uint_eq(linkage.coarse, limits[i] < 2000 ? 2000 : 0);
        ck_assert_double_le(widest(&rows, linkage.labels), 0.3);
        if (i == 0)
            exact = linkage.count;
        else
            ck_assert_uint_lt(linkage.count, 8 * exact);
        linkage_finish(&linkage);
    }
    matrix_finish(&rows);
}
END_TEST

/* Parts give what one matrix of all gives: no two clusters that could be
 * joined are left, and none is too wide. */
START_TEST(parts)
{
    struct random random;
    struct matrix rows;
    random_init(&random, 6, 0);
    ck_assert_int_eq(matrix_init(&rows, 400, 2), 0);
    for (size_t i = 0; i < 800; i++)
        rows.values[i] = 20 * random_real(&random);
    struct linkage linkage;
    ck_assert_int_eq(linkage_init(&linkage, &rows, 1.5, 0), 0);
    double *far = calloc(linkage.count * linkage.count, sizeof *far);
    for (size_t i = 0; i < rows.rows; i++)
        for (size_t j = 0; j < rows.rows; j++) {
            double *d = &far[linkage.labels[i] * linkage.count + linkage.labels[j]];
            *d = fmax(*d, sqrt(square_distance(matrix_row(&rows, i), matrix_row(&rows, j), 2)));
        }
    for (size_t a = 0; a < linkage.count; a++)
        for (size_t b = 0; b < linkage.count; b++)
            ck_assert(a == b ? far[a * linkage.count + b] <= 1.5
                             : far[a * linkage.count + b] > 1.5);
    free(far);
    linkage_finish(&linkage);
    matrix_finish(&rows);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {two_means,      fewer_than_k, golden_means, same_groups,
                                  silhouette,     bic,          five,         thresholds,
                                  golden_linkage, coarse,       parts};
    return RUN_TESTS("clusters", tests);
}
