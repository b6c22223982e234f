/* Tables of struct trace_between: made of instructions, and as the text that headers of traces
 * have (docs/file-formats.md). */
#ifndef HEARTH_TRACES_BETWEEN_BETWEEN_H
#define HEARTH_TRACES_BETWEEN_BETWEEN_H

#include "traces/base/bytes.h"
#include "traces/traces.h"

/* How its line in a header begins. */
#define BETWEEN_KEY "-code between = "
/* Bytes of text at most: it is to fit into a line with its key. */
#define BETWEEN_MOST_TEXT 65000

/* Zeroed: empty. */
struct between {
    struct trace_between *items; /* by ascending PC, each once */
    size_t count;
};

void between_finish(struct between *between);

/* Makes the table of COUNT different INSTS, which are sorted by PC. What does not fit into
 * BETWEEN_MOST_TEXT is left out. Returns false when memory ran out. */
bool between_make(struct between *between, const struct trace_inst **insts, size_t count);

/* The table as text, on the heap. NULL when memory ran out. */
char *between_text(const struct between *between);
/* Reads such text at AT, which ends where no entry goes on, or with blanks before the end of
 * the line, into BETWEEN, which is empty. Blanks are not read. Returns its end, or NULL: it
 * makes no sense, or (with errno) memory ran out. */
const char *between_read(struct between *between, const char *at);

/* The item at PC; NULL: there is none. */
const struct trace_between *between_find(const struct between *between, uint32_t pc);

#endif
