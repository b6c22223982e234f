#include "sim/config/reader.h"

#include <stdlib.h>

int reader_init(struct config_reader *reader, const char *file, const char *text, size_t size,
                struct error *err)
{
    *reader = (struct config_reader){
        .file = file, .text = text, .size = size, .line = 1, .column = 1};
    /* No token is longer than the text that contains it. */
    reader->token = malloc(size + 1);
    if (reader->token == NULL)
        return error_no_memory(err);
    return 0;
}

void reader_finish(struct config_reader *reader)
{
    free(reader->token);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void advance(struct config_reader *reader)
{
    if (reader->text[reader->at++] == '\n') {
        reader->line++;
        reader->column = 1;
    } else {
        reader->column++;
    }
}

/* Goes to the next word. False at the end. */
static bool skip_space(struct config_reader *reader)
{
    bool comment = false;
    for (; reader->at < reader->size; advance(reader)) {
        char c = reader->text[reader->at];
        if (c == '\n')
            comment = false;
        else if (c == '#')
            comment = true;
        if (!comment && !is_space(c))
            return true;
    }
    return false;
}

/* Appends the current word to the token. */
static int read_word(struct config_reader *reader, size_t *length, struct error *err)
{
    for (; reader->at < reader->size; advance(reader)) {
        char c = reader->text[reader->at];
        if (is_space(c) || c == '#')
            break;
        if ((unsigned char)c < ' ' || c == 0x7f)
            return error_set(err, ERROR_USAGE, reader->file, reader->line, reader->column,
                             "expected text; got byte 0x%02x", (unsigned char)c);
        reader->token[(*length)++] = c;
    }
    reader->token[*length] = '\0';
    return 0;
}

/* Reads the rest of a token that begins with '"'. */
static int read_quoted(struct config_reader *reader, struct error *err)
{
    size_t length = 0;
    for (bool first = true; first || skip_space(reader); first = false) {
        size_t start = length;
        if (!first)
            reader->token[length++] = ' ';
        if (read_word(reader, &length, err) < 0)
            return -1;
        if (length > start && reader->token[length - 1] == '"') {
            reader->token[length - 1] = '\0';
            return 1;
        }
    }
    return error_set(err, ERROR_USAGE, reader->file, reader->token_line,
                     reader->token_column - 1,
                     "expected a closing '\"'; got the end of the file");
}

int reader_next(struct config_reader *reader, struct error *err)
{
    size_t length = 0;
    if (!skip_space(reader))
        return 0;
    reader->quoted = reader->text[reader->at] == '"';
    if (reader->quoted)
        advance(reader);
    reader->token_line = reader->line;
    reader->token_column = reader->column;
    if (reader->quoted)
        return read_quoted(reader, err);
    return read_word(reader, &length, err) < 0 ? -1 : 1;
}
