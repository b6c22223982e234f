#include "sampling/math/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Cells use at most this many features, since each cell has 3^n - 1 neighbours. Fewer features
 * only make parts larger. */
#define CELL_FEATURES 4
/* Cells are slightly larger than necessary, since divisions round. */
#define MARGIN (1 + 1e-9)
#define NONE   UINT32_MAX

/* ---- cells ------------------------------------------------------------- */

int cells_init(struct distinct *cells, struct matrix *places, const struct matrix *rows,
               size_t columns, double edge)
{
    if (matrix_init(places, rows->rows, columns) != 0)
        return -1;
    for (size_t i = 0; i < rows->rows; i++)
        for (size_t c = 0; c < columns; c++)
            matrix_row(places, i)[c] = floor(matrix_row(rows, i)[c] / edge);
    if (distinct_init(cells, places) == 0)
        return 0;
    matrix_finish(places);
    return -1;
}

/* Looks up cells by their place. */
struct lookup {
    const struct distinct *cells;
    const struct matrix *places;
    uint32_t *slots;
    size_t mask;
};

static uint32_t *find(const struct lookup *lookup, const double *place)
{
    size_t bytes = lookup->places->columns * sizeof *place;
    for (size_t i = (size_t)XXH3_64bits(place, bytes) & lookup->mask;;
         i = (i + 1) & lookup->mask) {
        uint32_t *slot = &lookup->slots[i];
        if (*slot == NONE ||
            memcmp(matrix_row(lookup->places, lookup->cells->first[*slot]), place, bytes) == 0)
            return slot;
    }
}

static int lookup_init(struct lookup *lookup, const struct distinct *cells,
                       const struct matrix *places)
{
    size_t count = 16;
    while (count < 2 * cells->count)
        count *= 2;
    *lookup = (struct lookup){cells, places, malloc(count * sizeof *lookup->slots), count - 1};
    if (lookup->slots == NULL)
        return -1;
    memset(lookup->slots, 0xff, count * sizeof *lookup->slots);
    for (size_t i = 0; i < cells->count; i++)
        *find(lookup, matrix_row(places, cells->first[i])) = (uint32_t)i;
    return 0;
}

/* ---- connected cells --------------------------------------------------- */

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static void unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = root_of(parents, a);
    b = root_of(parents, b);
    parents[a > b ? a : b] = a < b ? a : b;
}

static void unite_neighbours(uint32_t *parents, const struct lookup *lookup, uint32_t cell)
{
    size_t n = lookup->places->columns;
    const double *at = matrix_row(lookup->places, lookup->cells->first[cell]);
    unsigned count = 1;
    for (size_t c = 0; c < n; c++)
        count *= 3;
    for (unsigned i = 0; i < count / 2; i++) { /* the other neighbours find this cell */
        double place[CELL_FEATURES];
        unsigned digits = i;
        for (size_t c = 0; c < n; c++, digits /= 3)
            place[c] = at[c] + (double)(digits % 3) - 1;
        uint32_t other = *find(lookup, place);
        if (other != NONE)
            unite(parents, cell, other);
    }
}

static uint32_t *connect(const struct distinct *cells, const struct matrix *places)
{
    struct lookup lookup;
    uint32_t *parents = malloc((cells->count + 1) * sizeof *parents);
    if (parents == NULL || lookup_init(&lookup, cells, places) != 0) {
        free(parents);
        return NULL;
    }
    for (uint32_t i = 0; i < cells->count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i < cells->count; i++)
        unite_neighbours(parents, &lookup, i);
    free(lookup.slots);
    return parents;
}

/* ---- parts ------------------------------------------------------------- */

/* Sorts rows by the part of their cell: first counts, then places. */
static int gather(struct parts *parts, const struct distinct *cells, uint32_t *parents,
                  size_t rows)
{
    uint32_t *number = malloc((cells->count + 1) * sizeof *number);
    parts->rows = malloc((rows + 1) * sizeof *parts->rows);
    parts->starts = calloc(cells->count + 2, sizeof *parts->starts);
    if (number == NULL || parts->rows == NULL || parts->starts == NULL) {
        free(number);
        return -1;
    }
    for (uint32_t i = 0; i < cells->count; i++) {
        uint32_t root = root_of(parents, i); /* at most i */
        number[i] = root == i ? (uint32_t)parts->count++ : number[root];
    }
    for (size_t i = 0; i < rows; i++)
        parts->starts[number[cells->of[i]] + 1]++;
    for (size_t p = 0; p < parts->count; p++)
        parts->starts[p + 1] += parts->starts[p];
    for (size_t i = 0; i < rows; i++)
        parts->rows[parts->starts[number[cells->of[i]]]++] = (uint32_t)i;
    memmove(parts->starts + 1, parts->starts, parts->count * sizeof *parts->starts);
    parts->starts[0] = 0;
    free(number);
    return 0;
}

int parts_init(struct parts *parts, const struct matrix *rows, double reach)
{
    struct distinct cells;
    struct matrix places;
    size_t columns = rows->columns < CELL_FEATURES ? rows->columns : CELL_FEATURES;
    *parts = (struct parts){0};
    if (cells_init(&cells, &places, rows, columns, reach * MARGIN) != 0)
        return -1;
    uint32_t *parents = connect(&cells, &places);
    int status = parents != NULL ? gather(parts, &cells, parents, rows->rows) : -1;
    free(parents);
    distinct_finish(&cells);
    matrix_finish(&places);
    if (status != 0)
        parts_finish(parts);
    return status;
}

void parts_finish(struct parts *parts)
{
    free(parts->rows);
    free(parts->starts);
    *parts = (struct parts){0};
}
