/* Private to rows: a row as bytes, as it is stored in a row store. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROWS_ROW_RECORD_H
#define HEARTH_TOOLS_RUN_RESULTS_ROWS_ROW_RECORD_H

#include "tools/run/results/row.h"
#include "traces/base/bytes.h"

/* Appends ROW to BYTES, with its intervals, stacks, parts and notes. Of its texts only the
 * pointers are stored. Without memory BYTES fail. */
void row_record_write(struct bytes *bytes, const struct row *row);
/* Fills ROW from the SIZE bytes at DATA, which row_record_write() made. The caller finishes it.
 * Returns false without memory; ROW is then empty. */
bool row_record_read(struct row *row, const uint8_t *data, size_t size);

#endif
