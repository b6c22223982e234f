/* Rows of finished launches, in order. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROWS_H
#define HEARTH_TOOLS_RUN_RESULTS_ROWS_H

#include "tools/run/results/row.h"

/* A zeroed struct is empty. */
struct rows {
    struct row *items;
    size_t count;
};

void rows_finish(struct rows *rows);

/* Adds a row that the caller fills; the pointer is valid until the next call. Returns NULL
 * with ERR filled. */
struct row *rows_add(struct rows *rows, const struct trace_header *header, const char *segment,
                     struct error *err);
/* Removes the last row. */
void rows_drop(struct rows *rows);
/* Moves all rows of FROM to the end of ROWS. Returns 0, or -1 with ERR filled and nothing
 * moved. */
int rows_append(struct rows *rows, struct rows *from, struct error *err);

#endif
