/* Splits option files into tokens. Tokens are separated by white space; a comment begins with
 * '#' and ends with its line. A token that begins with '"' ends with the next word that ends
 * with '"', also on a later line; its words are joined by single blanks. */
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
    long token_line; /* of its first character after the quote */
    int token_column;
};

/* TEXT and FILE must outlive the reader. */
int reader_init(struct config_reader *reader, const char *file, const char *text, size_t size,
                struct error *err);
void reader_finish(struct config_reader *reader);

/* Returns 1 with the next token, 0 at the end, -1 on error. */
int reader_next(struct config_reader *reader, struct error *err);

#endif
