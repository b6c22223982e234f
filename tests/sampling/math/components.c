/* Scaling, principal components and merging of equal rows. */
#include <math.h>

#include "sampling/math/pca.h"
#include "sampling/math/scale.h"
#include "tests/sampling/math/golden.h"

static struct matrix table_of(size_t rows, size_t columns, const double *values)
{
    struct matrix m;
    ck_assert_int_eq(matrix_init(&m, rows, columns), 0);
    for (size_t i = 0; i < rows * columns; i++)
        m.values[i] = values[i];
    return m;
}

/* 2 4 4 4 5 5 7 9: mean 5, squares around it 32. */
START_TEST(deviations)
{
    const double v[] = {2, 4, 4, 4, 5, 5, 7, 9}, same[] = {0.1, 0.1, 0.1};
    ck_assert_double_eq(mean_of(v, NULL, 8), 5);
    ck_assert_double_eq(deviation_of(v, NULL, 8, DEVIATION_POPULATION), 2);
    ck_assert_double_eq_tol(deviation_of(v, NULL, 8, DEVIATION_SAMPLE), sqrt(32. / 7), 1e-15);
    ck_assert_double_eq(deviation_of(v, NULL, 1, DEVIATION_SAMPLE), 0);
    ck_assert_double_eq(deviation_of(same, NULL, 3, DEVIATION_POPULATION), 0);
    const double few[] = {2, 4, 5, 7, 9}, times[] = {1, 3, 2, 1, 1};
    ck_assert_double_eq_tol(mean_of(few, times, 5), 5, 1e-15);
    ck_assert_double_eq_tol(deviation_of(few, times, 5, DEVIATION_POPULATION), 2, 1e-15);
}
END_TEST

START_TEST(constant_columns)
{
    struct matrix m = table_of(2, 3, (double[]){1, 0.1, 0, 3, 0.1, 0});
    ck_assert_int_eq(scale_standard(&m, NULL, DEVIATION_POPULATION), 0);
    const double expected[] = {-1, 0, 0, 1, 0, 0};
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq(m.values[i], expected[i]);
    matrix_finish(&m);
    m = table_of(2, 2, (double[]){1, 0, 3, 0});
    ck_assert_int_eq(scale_by_mean(&m, NULL), 0);
    ck_assert_double_eq(m.values[0], 0.5);
    ck_assert_double_eq(m.values[2], 1.5);
    ck_assert_double_eq(m.values[1] + m.values[3], 0);
    matrix_finish(&m);
}
END_TEST

START_TEST(scaled)
{
    struct matrix points = golden_read("points.csv"), expected = golden_read("scaled.csv");
    ck_assert_int_eq(scale_standard(&points, NULL, DEVIATION_POPULATION), 0);
    golden_assert_near(&points, &expected, 1e-12);
    matrix_finish(&points);
    matrix_finish(&expected);
}
END_TEST

static void assert_component(const struct pca *pca, size_t i, double x, double y)
{
    ck_assert_double_eq_tol(matrix_row(&pca->components, i)[0], x, 1e-12);
    ck_assert_double_eq_tol(matrix_row(&pca->components, i)[1], y, 1e-12);
}

/* On y = x all varies along (1, 1); on y = -x along (1, -1) and, both numbers
 * being equally large, the first is positive. */
START_TEST(signs)
{
    struct pca pca;
    const double root = sqrt(0.5);
    struct matrix m = table_of(3, 2, (double[]){0, 0, 1, 1, 2, 2});
    ck_assert_int_eq(pca_init(&pca, &m, NULL, 0.9995), 0);
    ck_assert_uint_eq(pca.kept, 1);
    assert_component(&pca, 0, root, root);
    assert_component(&pca, 1, root, -root);
    ck_assert_double_eq_tol(pca.ratios[0], 1, 1e-15);
    pca_finish(&pca);
    matrix_finish(&m);
    m = table_of(3, 2, (double[]){0, 0, 1, -1, 2, -2});
    ck_assert_int_eq(pca_init(&pca, &m, NULL, 0.9995), 0);
    assert_component(&pca, 0, root, -root);
    pca_finish(&pca);
    matrix_finish(&m);
    /* The larger number is the second: it is positive. */
    m = table_of(2, 2, (double[]){0, 0, 1, -2});
    ck_assert_int_eq(pca_init(&pca, &m, NULL, 0.9995), 0);
    assert_component(&pca, 0, -sqrt(0.2), sqrt(0.8));
    pca_finish(&pca);
    matrix_finish(&m);
}
END_TEST

/* Variances 8 and 2 along the axes: shares 0.8 and 0.2. */
START_TEST(kept)
{
    struct matrix m = table_of(4, 2, (double[]){4, 0, -4, 0, 0, 2, 0, -2});
    const struct {
        double keep;
        size_t kept;
    } cases[] = {{0, 1}, {0.79, 1}, {0.8 + 1e-12, 2}, {0.9, 2}, {1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pca pca;
        ck_assert_int_eq(pca_init(&pca, &m, NULL, cases[i].keep), 0);
        ck_assert_uint_eq(pca.kept, cases[i].kept);
        ck_assert_double_eq_tol(pca.ratios[0], 0.8, 1e-12);
        pca_finish(&pca);
    }
    matrix_finish(&m);
}
END_TEST

START_TEST(nothing_varies)
{
    struct pca pca;
    struct matrix scores, m = table_of(1, 2, (double[]){3, 4});
    ck_assert_int_eq(pca_init(&pca, &m, NULL, 0.9995), 0);
    ck_assert_uint_eq(pca.kept, 1);
    ck_assert_double_eq(pca.ratios[0], 0);
    ck_assert_int_eq(pca_project(&pca, &m, &scores), 0);
    ck_assert_double_eq(scores.values[0], 0);
    matrix_finish(&scores);
    pca_finish(&pca);
    matrix_finish(&m);
}
END_TEST

START_TEST(components)
{
    struct matrix rows = golden_read("scaled.csv"), ratios = golden_read("pca_ratios.csv");
    struct matrix expected = golden_read("pca_components.csv"),
                  scores = golden_read("pca_scores.csv"), got;
    struct pca pca;
    ck_assert_int_eq(pca_init(&pca, &rows, NULL, 0.9995), 0);
    ck_assert_uint_eq(pca.kept, scores.columns);
    for (size_t i = 0; i < ratios.columns; i++)
        ck_assert_double_eq_tol(pca.ratios[i], ratios.values[i], 1e-12);
    for (size_t i = 0; i < expected.rows * expected.columns; i++)
        ck_assert_double_eq_tol(pca.components.values[i], expected.values[i], 1e-12);
    ck_assert_int_eq(pca_project(&pca, &rows, &got), 0);
    golden_assert_near(&got, &scores, 1e-12);
    matrix_finish(&got);
    matrix_finish(&rows);
    matrix_finish(&ratios);
    matrix_finish(&expected);
    matrix_finish(&scores);
    pca_finish(&pca);
}
END_TEST

/* Different rows with their multiplicity give what all rows do. */
START_TEST(merged)
{
    struct matrix rows = golden_read("points.csv"), few, some;
    struct distinct distinct;
    ck_assert_int_eq(distinct_init(&distinct, &rows), 0);
    ck_assert_uint_lt(distinct.count, rows.rows);
    ck_assert_int_eq(distinct_rows(&distinct, &rows, &few), 0);
    double total = 0;
    for (size_t i = 0; i < distinct.count; i++)
        total += distinct.weight[i];
    ck_assert_double_eq(total, (double)rows.rows);
    struct pca all, weighted;
    ck_assert_int_eq(scale_standard(&rows, NULL, DEVIATION_POPULATION), 0);
    ck_assert_int_eq(scale_standard(&few, distinct.weight, DEVIATION_POPULATION), 0);
    ck_assert_int_eq(distinct_rows(&distinct, &rows, &some), 0);
    golden_assert_near(&few, &some, 1e-12);
    ck_assert_int_eq(pca_init(&all, &rows, NULL, 1), 0);
    ck_assert_int_eq(pca_init(&weighted, &few, distinct.weight, 1), 0);
    for (size_t i = 0; i < 3 * rows.columns; i++)
        ck_assert_double_eq_tol(all.components.values[i], weighted.components.values[i], 1e-11);
    pca_finish(&all);
    pca_finish(&weighted);
    distinct_finish(&distinct);
    matrix_finish(&few);
    matrix_finish(&some);
    matrix_finish(&rows);
}
END_TEST

START_TEST(first_occurrence)
{
    struct distinct d;
    struct matrix m = table_of(5, 2, (double[]){1, 2, 0, 1, 1, 2, -0.0, 1, 2, 1});
    ck_assert_int_eq(distinct_init(&d, &m), 0);
    const uint32_t of[] = {0, 1, 0, 1, 2}, first[] = {0, 1, 4};
    ck_assert_uint_eq(d.count, 3);
    ck_assert_mem_eq(d.of, of, sizeof of);
    ck_assert_mem_eq(d.first, first, sizeof first);
    ck_assert_double_eq(d.weight[0], 2);
    distinct_finish(&d);
    matrix_finish(&m);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        deviations,     constant_columns, scaled, signs,           kept,
        nothing_varies, components,       merged, first_occurrence};
    return RUN_TESTS("components", tests);
}
