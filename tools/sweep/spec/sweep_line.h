/* A line of a sweep's specification: words separated by blanks. */
#ifndef HEARTH_TOOLS_SWEEP_SPEC_SWEEP_LINE_H
#define HEARTH_TOOLS_SWEEP_SPEC_SWEEP_LINE_H

#include <stddef.h>

#include "traces/base/error.h"

struct sweep_line {
    const char *file; /* for messages; not owned */
    long number;      /* from 1 */
    struct sweep_word {
        char *text; /* without quotes; in the buffer of the line */
        int column; /* from 1 */
    } * words;
    size_t count;
};

/* Splits BUFFER, a line without its newline, in place. "#" at the start of a word begins a
 * comment. A word may have a part in double quotes, in which \" and \\ stand for " and \.
 * Returns 0, or -1 with ERR filled (ERROR_USAGE); sweep_line_finish() either way. */
int sweep_line_init(struct sweep_line *line, char *buffer, const char *file, long number,
                    struct error *err);
void sweep_line_finish(struct sweep_line *line);

/* Reports an error at word WORD (ERROR_USAGE). Always -1. */
int sweep_line_fail(const struct sweep_line *line, size_t word, struct error *err,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
