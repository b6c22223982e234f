/* Tables of numbers: one row per observation, one column per feature. */
#ifndef HEARTH_SAMPLING_MATH_MATRIX_H
#define HEARTH_SAMPLING_MATH_MATRIX_H

#include <stddef.h>
#include <stdint.h>

struct matrix {
    double *values; /* row by row */
    size_t rows, columns;
};

/* All zero. Returns 0, or -1 when memory runs out. */
int matrix_init(struct matrix *matrix, size_t rows, size_t columns);
void matrix_finish(struct matrix *matrix);

static inline double *matrix_row(const struct matrix *matrix, size_t row)
{
    return matrix->values + row * matrix->columns;
}

/* Square of the Euclidean distance of two rows of COUNT numbers. */
static inline double square_distance(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Merges equal rows: later steps work on the distinct rows and how often each occurs. Since
 * launches repeat, there are few. */
struct distinct {
    uint32_t *of;    /* for each row: number of its distinct row, in order of first
                        occurrence */
    uint32_t *first; /* for each distinct row: the first row that is equal to it */
    double *weight;  /* how many rows are equal to it */
    size_t count;
};

/* Rows are equal if their bits are equal; -0 in ROWS becomes 0 first. At most 2^32 - 2 rows.
 * Returns 0, or -1 when memory runs out. */
int distinct_init(struct distinct *distinct, const struct matrix *rows);
void distinct_finish(struct distinct *distinct);
/* The distinct rows of ROWS as a new matrix. */
int distinct_rows(const struct distinct *distinct, const struct matrix *rows,
                  struct matrix *out);

#endif
