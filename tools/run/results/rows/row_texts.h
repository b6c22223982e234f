/* The values of a row as texts, made once for all files that have them: with very short
 * launches, a run spends much of its time on them. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROWS_ROW_TEXTS_H
#define HEARTH_TOOLS_RUN_RESULTS_ROWS_ROW_TEXTS_H

#include "tools/run/results/row.h"
#include "traces/base/json.h"

/* A value in its column. */
struct row_text {
    struct json_key key; /* the column's name */
    size_t name_length;
    enum value_kind kind;
    bool zero;        /* a number that is 0, or no value */
    const char *text; /* value_text(): the row's, or in `buffer` */
    size_t length;
    char buffer[32];
};

struct row_texts {
    struct row_text *items; /* one for each column. Owned */
    size_t count;
};

/* For the first COUNT columns. Returns 0, or -1 with ERR filled; row_texts_finish() either
 * way. */
int row_texts_init(struct row_texts *texts, size_t count, struct error *err);
/* Accepts a zeroed one. */
void row_texts_finish(struct row_texts *texts);
/* Makes the texts of ROW, which must outlive their use. */
void row_texts_fill(struct row_texts *texts, const struct row *row);

#endif
