/* Golden results: tables of numbers that golden.py made. */
#ifndef HEARTH_TESTS_SAMPLING_GOLDEN_H
#define HEARTH_TESTS_SAMPLING_GOLDEN_H

#include <check.h>
#include <stddef.h>

#include "sampling/math/matrix.h"
#include "tests/suite.h"

/* The table NAME of golden/; fails the test if there is none. */
struct matrix golden_read(const char *name);
/* Columns FROM to FROM + COUNT - 1 of TABLE as a matrix of its own. */
struct matrix golden_columns(const struct matrix *table, size_t from, size_t count);
/* That two tables have the same size and numbers within TOLERANCE. */
void golden_assert_near(const struct matrix *got, const struct matrix *expected,
                        double tolerance);

#endif
