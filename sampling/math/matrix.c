#include "sampling/math/matrix.h"

#include <stdlib.h>

int matrix_init(struct matrix *matrix, size_t rows, size_t columns)
{
    *matrix = (struct matrix){.rows = rows, .columns = columns};
    /* Never asks for size 0, for which calloc() may return NULL. */
    if (columns > 0 && rows > SIZE_MAX / columns)
        return -1;
    matrix->values = calloc(rows * columns + 1, sizeof *matrix->values);
    return matrix->values != NULL ? 0 : -1;
}

void matrix_finish(struct matrix *matrix)
{
    free(matrix->values);
    *matrix = (struct matrix){0};
}
