/* One instruction line of a trace. */
#ifndef HEARTH_TRACES_TEXT_LINE_H
#define HEARTH_TRACES_TEXT_LINE_H

#include "traces/insts.h"
#include "traces/text/source.h"

/* Address words that a line needs at most. */
#define LINE_MAX_WORDS 32

/* Before the value of a register, behind the immediate. */
#define LINE_VALUE '='
/* Before a mask of 8 digits, lower case, at the end of a line: the lanes that were active. */
#define LINE_ACTIVE '@'

struct line_reader {
    struct insts *insts;
    uint32_t version;   /* of the tracer, x 10 */
    bool ids;           /* ids in front, which are passed over */
    bool lineinfo;      /* then a source line */
    bool all_addresses; /* of memory operands, where the instruction itself accesses nothing */
    /* After a failure: where, and what was expected there; NULL: memory was short. */
    const char *failed_at, *expected;
};

/* The first version whose lines have what only clusters of thread blocks,
 * groups of matrix instructions and tensor memory accesses need. */
#define LINE_CLUSTERS 60

struct line {
    struct trace_record record; /* `address` is not set */
    uint32_t words;             /* address words of the record */
};

/* Reads the ids that a line of a raw trace starts with: those of the thread block
 * (x, y, z) and the warp; from LINE_CLUSTERS on seven more, which are skipped.
 * Returns the end of the ids and the blanks after them, or NULL with failed_at set. */
const char *line_read_ids(struct line_reader *reader, const char *at, uint32_t ids[static 4]);

/* Reads the line at AT, which ends with '\n'. PREVIOUS is the instruction
 * that the same warp executed before, or INSTS_NONE: a hint. The addresses go
 * to WORDS. Returns the start of the next line, or NULL with failed_at set. */
const char *line_read(struct line_reader *reader, const char *at, uint32_t previous,
                      struct line *line, uint64_t words[static LINE_MAX_WORDS]);

/* The error for the current line of SOURCE, which line_read() did not
 * understand. Returns -1. */
int line_error(const struct line_reader *reader, const struct source *source,
               struct error *err);

#endif
