/* Where the rows of a run are. A run may have a million launches: only the last rows are in
 * memory, all earlier ones in a temporary file without a name. Several threads may use a store
 * at the same time. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROWS_ROW_STORE_H
#define HEARTH_TOOLS_RUN_RESULTS_ROWS_ROW_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/run/results/row.h"
#include "traces/base/error.h"

struct row_store;

/* Makes an empty store. NULL with ERR filled. */
struct row_store *row_store_create(struct error *err);
/* Accepts NULL. */
void row_store_destroy(struct row_store *store);
/* Chooses the folder of the temporary file: before rows are added. Otherwise it is in $TMPDIR,
 * or /tmp. Returns 0, or -1 with ERR filled. */
int row_store_set_folder(struct row_store *store, const char *folder, struct error *err);

/* A copy of TEXT that lasts as long as STORE; equal texts share one. For the texts of rows.
 * NULL with ERR filled. */
const char *row_store_text(struct row_store *store, const char *text, struct error *err);

/* The same for texts of which equal ones follow each other: less memory for many others. */
const char *row_store_recent_text(struct row_store *store, const char *text, struct error *err);

/* Stores a copy of ROW, whose texts are those of STORE, and sets *PLACE to where it is. Returns
 * 0, or -1 with ERR filled: memory is short, or the file cannot be written. */
int row_store_add(struct row_store *store, const struct row *row, uint64_t *place,
                  struct error *err);
/* Fills ROW with the one at PLACE; the caller finishes it. Quick for rows in the order in which
 * they were stored. Returns false if it cannot be read: row_store_check() gives the reason. */
bool row_store_read(struct row_store *store, uint64_t place, struct row *row);
/* Whether all rows could be read so far. Returns 0, or -1 with ERR filled with the first
 * failure. */
int row_store_check(struct row_store *store, struct error *err);

#endif
