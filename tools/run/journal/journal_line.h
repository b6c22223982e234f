/* The lines of a journal; see journal.h. */
#ifndef HEARTH_TOOLS_RUN_JOURNAL_JOURNAL_LINE_H
#define HEARTH_TOOLS_RUN_JOURNAL_JOURNAL_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/run/results/row.h"

/* Removes the digest from the end of LINE, with its newline. Returns false if the line is
 * incomplete. */
bool journal_line_check(char *line);
/* Writes TEXT, without a newline, as a line. */
void journal_line_write(FILE *out, const char *text);

/* Writes the notes, intervals, CPI stacks and parts of ROW, then ROW. Returns false without
 * memory. */
bool journal_line_write_row(FILE *out, const struct row *row, size_t item);

/* The contents of a line. */
struct journal_line {
    enum { JOURNAL_NOTE, JOURNAL_INTERVAL, JOURNAL_STACK, JOURNAL_PART, JOURNAL_ROW } kind;
    uint64_t item;
    struct interval interval;
    struct sim_cpi stack;
    struct row_parts_item part;
    uint64_t count;             /* of a note */
    const char *text;           /* of a note; in the line */
    struct trace_header header; /* of a row: name (in the line), grid, block, stream */
    uint64_t launch;
    struct sim_result result;
    uint64_t primed;              /* of a row */
    struct intra_outcome outcome; /* likewise */
};

/* Reads LINE, which has been checked. Returns false if it is invalid. */
bool journal_line_read(struct journal_line *read, char *line);

#endif
