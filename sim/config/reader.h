/* Option files as tokens: white-space separated, '#' comments to the end of
 * the line anywhere; a token that opens with '"' runs to the word that ends
 * with '"', over line ends, its words joined by one blank. */
#ifndef HEARTH_SIM_CONFIG_READER_H
#define HEARTH_SIM_CONFIG_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"

struct config_reader {
    const char *file; /* for messages */
    const char *text;
    size_t size, at;
    long line;
    int column;
    char *token; /* of the last reader_next(), without its quotes */
    bool quoted;
    long token_line; /* of its first character behind the quote */
    int token_column;
};

/* TEXT and FILE must outlive the reader. */
int reader_init(struct config_reader *reader, const char *file, const char *text, size_t size,
                struct error *err);
void reader_finish(struct config_reader *reader);

/* Returns 1 with the next token, 0 at the end, -1 on error. */
int reader_next(struct config_reader *reader, struct error *err);

#endif
