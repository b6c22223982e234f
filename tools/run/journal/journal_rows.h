/* Reads rows of finished launches, the lines of journals and of files of segments, into the
 * segments of a run. */
#ifndef HEARTH_TOOLS_RUN_JOURNAL_JOURNAL_ROWS_H
#define HEARTH_TOOLS_RUN_JOURNAL_JOURNAL_ROWS_H

#include "tools/run/journal/journal.h"
#include "tools/run/journal/journal_line.h"

/* The caller sets the first three members; all others are zero. */
struct journal_rows {
    const struct journal_run *run;
    struct segments *segments;
    struct error *err;
    size_t rows; /* that were taken */
    bool failed; /* a row could not be stored: `err` is filled */
    /* Private: of the next row, as its members of these names. */
    struct notes notes;
    struct intervals intervals;
    struct stacks stacks;
    struct row_parts parts;
};

/* Takes LINE. Returns false for one that this plan cannot have. A row that is already there is
 * ignored. */
bool journal_rows_take(struct journal_rows *reader, const struct journal_line *line);
/* All lines were taken: segments without remaining launches are done. */
void journal_rows_end(struct journal_rows *reader);

#endif
