#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "sampling/math/matrix.h"

#define SLOT_FREE UINT32_MAX

/* Finds the slot of a row: the one that holds an equal row, or a free one. */
static uint32_t *find(uint32_t *slots, size_t mask, const struct distinct *distinct,
                      const struct matrix *rows, const double *row)
{
    size_t bytes = rows->columns * sizeof *row;
    for (size_t i = (size_t)XXH3_64bits(row, bytes) & mask;; i = (i + 1) & mask) {
        uint32_t at = slots[i];
        if (at == SLOT_FREE || memcmp(matrix_row(rows, distinct->first[at]), row, bytes) == 0)
            return &slots[i];
    }
}

static void clear_signs(const struct matrix *rows)
{
    for (size_t i = 0; i < rows->rows * rows->columns; i++)
        rows->values[i] += 0.0; /* -0 + 0 is 0 */
}

int distinct_init(struct distinct *distinct, const struct matrix *rows)
{
    size_t slot_count = 16;
    while (slot_count < 2 * rows->rows)
        slot_count *= 2;
    *distinct = (struct distinct){
        .of = calloc(rows->rows + 1, sizeof *distinct->of),
        .first = calloc(rows->rows + 1, sizeof *distinct->first),
        .weight = calloc(rows->rows + 1, sizeof *distinct->weight),
    };
    uint32_t *slots = malloc(slot_count * sizeof *slots);
    if (distinct->of == NULL || distinct->first == NULL || distinct->weight == NULL ||
        slots == NULL) {
        free(slots);
        distinct_finish(distinct);
        return -1;
    }
    memset(slots, 0xff, slot_count * sizeof *slots);
    clear_signs(rows);
    for (size_t i = 0; i < rows->rows; i++) {
        uint32_t *slot = find(slots, slot_count - 1, distinct, rows, matrix_row(rows, i));
        if (*slot == SLOT_FREE) {
            distinct->first[distinct->count] = (uint32_t)i;
            *slot = (uint32_t)distinct->count++;
        }
        distinct->of[i] = *slot;
        distinct->weight[*slot] += 1;
    }
    free(slots);
    return 0;
}

void distinct_finish(struct distinct *distinct)
{
    free(distinct->of);
    free(distinct->first);
    free(distinct->weight);
    *distinct = (struct distinct){0};
}

int distinct_rows(const struct distinct *distinct, const struct matrix *rows,
                  struct matrix *out)
{
    if (matrix_init(out, distinct->count, rows->columns) != 0)
        return -1;
    for (size_t i = 0; i < distinct->count; i++)
        memcpy(matrix_row(out, i), matrix_row(rows, distinct->first[i]),
               rows->columns * sizeof *out->values);
    return 0;
}
