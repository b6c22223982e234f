/* Classifiers: golden predictions, weights, and a hand-worked case. */
#include "sampling/math/classifiers/classifier.h"

#include <stdlib.h>

#include "tests/sampling/math/golden.h"

static const struct classifier_kind *const kinds[] = {&classifier_bayes, &classifier_sgd,
                                                      &classifier_mlp};

static uint32_t *classes_of(const struct matrix *table, size_t column)
{
    uint32_t *classes = calloc(table->rows, sizeof *classes);
    for (size_t i = 0; i < table->rows; i++)
        classes[i] = (uint32_t)matrix_row(table, i)[column];
    return classes;
}

/* How many of the golden predictions differ. */
static size_t count_wrong(size_t kind)
{
    struct matrix table = golden_read("classify_examples.csv"),
                  others = golden_read("classify_others.csv");
    struct matrix rows = golden_columns(&table, 0, 5), asked = golden_columns(&others, 0, 5);
    uint32_t *classes = classes_of(&table, 5), *expected = classes_of(&others, 5 + kind);
    struct examples examples = {&rows, NULL, classes, 5};
    struct classifier *classifier = kinds[kind]->train(&examples, 1);
    ck_assert_ptr_nonnull(classifier);
    size_t wrong = 0;
    for (size_t i = 0; i < asked.rows; i++)
        wrong += classifier_classify(classifier, matrix_row(&asked, i)) != expected[i];
    classifier_destroy(classifier);
    free(classes);
    free(expected);
    matrix_finish(&table);
    matrix_finish(&others);
    matrix_finish(&rows);
    matrix_finish(&asked);
    return wrong;
}

/* Bayes has no choice; the two others learn by chance, and may differ where
 * classes touch. */
START_TEST(golden)
{
    ck_assert_uint_eq(count_wrong(0), 0);
    ck_assert_uint_le(count_wrong(1), 3);
    ck_assert_uint_le(count_wrong(2), 3);
}
END_TEST

/* Two classes, on both sides of 0: every kind tells them apart; one class is
 * always right. */
START_TEST(two_sides)
{
    struct matrix rows = {.values = (double[]){-1, -0.8, 0.9, 1.1}, .rows = 4, .columns = 1};
    const uint32_t classes[] = {0, 0, 1, 1}, same[] = {0, 0, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        struct examples two = {&rows, NULL, classes, 2}, one = {&rows, NULL, same, 1};
        struct classifier *classifier = kinds[i]->train(&two, 7);
        const double left = -0.7, right = 0.6;
        ck_assert_uint_eq(classifier_classify(classifier, &left), 0);
        ck_assert_uint_eq(classifier_classify(classifier, &right), 1);
        classifier_destroy(classifier);
        classifier = kinds[i]->train(&one, 7);
        ck_assert_uint_eq(classifier_classify(classifier, &right), 0);
        classifier_destroy(classifier);
    }
}
END_TEST

/* The same features, 1 : 9: the likelier class, by weight alone. */
START_TEST(priors)
{
    struct matrix rows = {.values = (double[]){1, 1, 0, 0}, .rows = 4, .columns = 1};
    const uint32_t classes[] = {0, 1, 0, 1};
    const double weights[] = {1, 9, 1, 9}, reversed[] = {9, 1, 9, 1}, at = 0.5;
    struct examples examples = {&rows, weights, classes, 2};
    struct classifier *classifier = classifier_bayes.train(&examples, 1);
    ck_assert_uint_eq(classifier_classify(classifier, &at), 1);
    classifier_destroy(classifier);
    examples.weights = reversed;
    classifier = classifier_bayes.train(&examples, 1);
    ck_assert_uint_eq(classifier_classify(classifier, &at), 0);
    classifier_destroy(classifier);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {golden, two_sides, priors};
    return RUN_TESTS("classifiers", tests);
}
