/* Densities against scikit-learn: minima between modes, and the split of
 * Sieve's published script. */
#include "sampling/methods/kde.h"
#include "sampling/methods/sieve_split.h"
#include "tests/sampling/math/golden.h"

#define ROOM 256

/* Numbers of a row from FROM on, up to the first below 0. */
static size_t count_row(const struct matrix *table, size_t row, size_t from)
{
    size_t count = 0;
    while (from + count < table->columns && matrix_row(table, row)[from + count] >= 0)
        count++;
    return count;
}

static void assert_row(const struct matrix *table, size_t row, size_t from, const size_t *got,
                       size_t count)
{
    ck_assert_uint_eq(count, count_row(table, row, from));
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(got[i], (size_t)matrix_row(table, row)[from + i]);
}

START_TEST(minima)
{
    struct matrix table = golden_read("kde_points.csv"), cuts = golden_read("kde_cuts.csv");
    struct matrix points = golden_columns(&table, 0, 1), weights = golden_columns(&table, 1, 1);
    struct error err = {0};
    double ones[ROOM];
    size_t got[ROOM], some = 0;
    for (size_t i = 0; i < ROOM; i++)
        ones[i] = 1;
    for (size_t i = 0; i < cuts.rows; i++) {
        const double *expected = matrix_row(&cuts, i);
        long found = kde_minima(points.values, expected[0] > 0 ? weights.values : ones,
                                points.rows, expected[1], got, &err);
        ck_assert_int_ge(found, 0);
        assert_row(&cuts, i, 2, got, (size_t)found);
        some += (size_t)found;
    }
    ck_assert_uint_gt(some, 6);
    matrix_finish(&table);
    matrix_finish(&cuts);
    matrix_finish(&points);
    matrix_finish(&weights);
}
END_TEST

START_TEST(splits)
{
    struct matrix values = golden_read("split_values.csv"),
                  ends = golden_read("split_ends.csv");
    for (size_t i = 0; i < values.rows; i++) {
        size_t got[ROOM];
        size_t found = sieve_split(matrix_row(&values, i), count_row(&values, i, 0), got);
        assert_row(&ends, i, 0, got, found);
    }
    matrix_finish(&values);
    matrix_finish(&ends);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {minima, splits};
    return RUN_TESTS("golden density", tests);
}
