#include "tools/study/correlate/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "tools/study/correlate/kernel_name.h"

#define LOOK_AHEAD 1000 /* launches that may be passed over at a place */

/* Both lists, and how far each of them is paired. */
struct pairer {
    const struct measured_launch **measured;
    const struct row *rows;
    size_t measured_count, row_count;
    size_t at_measured, at_row;
};

static bool same(const struct pairer *pairer, size_t measured, size_t row)
{
    const struct measured_launch *a = pairer->measured[measured];
    const struct row *b = &pairer->rows[row];
    if (a->grid[0] != 0 && memcmp(a->grid, b->grid, sizeof a->grid) != 0)
        return false;
    return kernel_name_same(a->kernel, b->kernel);
}

/* How many launches to pass over in each list until they agree, *BY_ROW of the rows and the
 * result of the measured ones; all that are left if they never do. */
static size_t pass_over(const struct pairer *pairer, size_t *by_row)
{
    size_t rows = pairer->row_count - pairer->at_row;
    size_t measured = pairer->measured_count - pairer->at_measured;
    for (size_t sum = 0; sum < LOOK_AHEAD && sum < rows + measured; sum++)
        for (*by_row = 0; *by_row <= sum; (*by_row)++)
            if (*by_row < rows && sum - *by_row < measured &&
                same(pairer, pairer->at_measured + sum - *by_row, pairer->at_row + *by_row))
                return sum - *by_row;
    *by_row = rows;
    return measured;
}

static void pair_all(struct pairing *pairing, struct pairer *pairer)
{
    while (pairer->at_measured < pairer->measured_count || pairer->at_row < pairer->row_count) {
        size_t by_row, by_measured = pass_over(pairer, &by_row);
        for (; by_measured > 0; by_measured--)
            pairing->items[pairing->count++].measured = pairer->measured[pairer->at_measured++];
        for (; by_row > 0; by_row--)
            pairing->items[pairing->count++].row = &pairer->rows[pairer->at_row++];
        if (pairer->at_measured == pairer->measured_count ||
            pairer->at_row == pairer->row_count)
            continue;
        pairing->items[pairing->count++] = (struct pairing_item){
            pairer->measured[pairer->at_measured++], &pairer->rows[pairer->at_row++]};
        pairing->matched++;
    }
}

/* Copies the measured rows. Returns 0, or -1 with ERR filled. */
static int take_rows(struct pairing *pairing, const struct rows *rows, struct error *err)
{
    struct rows_pass pass = {.rows = rows};
    for (struct row *row; (row = rows_next(&pass)) != NULL;) {
        if (row->role != PLAN_MEASURE)
            continue;
        pairing->rows[pairing->row_count++] = *row;
        *row = (struct row){0}; /* the copy owns what it points to */
    }
    return rows->store != NULL ? row_store_check(rows->store, err) : 0;
}

static void take_measured(struct pairer *pairer, const struct measured *measured,
                          const char *program, const struct ranges *chosen)
{
    for (size_t i = 0; i < measured->count; i++)
        if (measured_of_program(&measured->launches[i], program) &&
            (chosen->count == 0 || ranges_contain(chosen, measured->launches[i].launch)))
            pairer->measured[pairer->measured_count++] = &measured->launches[i];
}

int pairing_init(struct pairing *pairing, const struct measured *measured, const char *program,
                 const struct ranges *chosen, const struct rows *rows, struct error *err)
{
    *pairing = (struct pairing){
        .items = calloc(measured->count + rows->count + 1, sizeof *pairing->items),
        .rows = calloc(rows->count + 1, sizeof *pairing->rows),
    };
    struct pairer pairer = {
        .measured = calloc(measured->count + 1, sizeof *pairer.measured),
        .rows = pairing->rows,
    };
    int result = -1;
    if (pairer.measured == NULL || pairing->rows == NULL || pairing->items == NULL)
        error_no_memory(err);
    else
        result = take_rows(pairing, rows, err);
    if (result == 0) {
        pairer.row_count = pairing->row_count;
        take_measured(&pairer, measured, program, chosen);
        pair_all(pairing, &pairer);
    }
    free(pairer.measured);
    return result;
}

void pairing_finish(struct pairing *pairing)
{
    for (size_t i = 0; i < pairing->row_count; i++)
        row_finish(&pairing->rows[i]);
    free(pairing->rows);
    free(pairing->items);
    *pairing = (struct pairing){0};
}
