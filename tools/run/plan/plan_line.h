/* A line of a plan that starts with "!": a word and key=value pairs. */
#ifndef HEARTH_TOOLS_RUN_PLAN_PLAN_LINE_H
#define HEARTH_TOOLS_RUN_PLAN_PLAN_LINE_H

#include <stddef.h>
#include <stdio.h>

#include "traces/base/error.h"

#define PLAN_LINE_PAIRS 32

struct plan_line {
    const char *word; /* without the "!" */
    struct plan_pair {
        const char *key, *value;
        int column; /* of the key, from 1 */
    } pairs[PLAN_LINE_PAIRS];
    size_t count;
    const char *file; /* for messages; not owned */
    long number;
    char *buffer; /* the pointers point into it */
};

/* Splits TEXT. Returns 0, or -1 with ERR filled (ERROR_USAGE, with line and
 * column). FILE must outlive LINE. */
int plan_line_init(struct plan_line *line, const char *text, const char *file, long number,
                   struct error *err);
void plan_line_finish(struct plan_line *line);

/* The value of KEY, or NULL. */
const char *plan_line_get(const struct plan_line *line, const char *key);

/* Writes ` key=value` so that it can be read back: quoted if necessary. */
void plan_line_write_pair(FILE *out, const char *key, const char *value);

#endif
