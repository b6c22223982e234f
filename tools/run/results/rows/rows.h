/* Rows of finished launches, in order. They are in a row store, and are read one at a time. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROWS_ROWS_H
#define HEARTH_TOOLS_RUN_RESULTS_ROWS_ROWS_H

#include "tools/run/results/row.h"
#include "tools/run/results/rows/row_store.h"

#define ROWS_FEW 2 /* a power of two */

/* Empty if only `store` is set; without rows, that may be NULL. */
struct rows {
    struct row_store *store; /* not owned; it may have rows of others, too */
    size_t count;
    union {
        uint64_t few[ROWS_FEW]; /* private: the places of so many rows */
        uint64_t *places;       /* private: of more. Owned */
    };
};

/* Forgets the rows. */
void rows_finish(struct rows *rows);

/* Begins a row for a launch: see row_init(). Its texts become those of the store. Returns 0, or
 * -1 with ERR filled. */
int rows_begin(const struct rows *rows, struct row *row, const struct trace_header *header,
               struct row_segment segment, struct error *err);
/* Stores a copy of ROW after the last one, or replaces row I by one. Returns 0, or -1 with ERR
 * filled. */
int rows_add(struct rows *rows, const struct row *row, struct error *err);
int rows_replace(struct rows *rows, size_t i, const struct row *row, struct error *err);
/* Drops all but the first COUNT rows. */
void rows_cut(struct rows *rows, size_t count);
/* Moves all rows of PARTS parts, each with the same store, to ROWS, which is empty; PART
 * returns part I. Returns 0, or -1 with ERR filled and nothing moved. */
int rows_join(struct rows *rows, size_t parts, struct rows *(*part)(void *data, size_t i),
              void *data, struct error *err);

/* Fills ROW with row I; the caller finishes it (row_finish()). Its `step` is I + 1. Returns
 * false if it cannot be read; row_store_check() gives the reason. */
bool rows_read(const struct rows *rows, size_t i, struct row *row);

/* All rows, in order:
 *
 *     struct rows_pass pass = {.rows = rows};
 *     for (const struct row *row; (row = rows_next(&pass)) != NULL;)
 *
 * A pass ends before a row that cannot be read. One that is left earlier needs rows_leave(). */
struct rows_pass {
    const struct rows *rows;
    size_t next;    /* index of the next row */
    struct row row; /* private: the last one */
};
struct row *rows_next(struct rows_pass *pass);
void rows_leave(struct rows_pass *pass);

#endif
