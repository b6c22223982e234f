#include "traces/base/csv/csv_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER (64u << 10)
/* Longer rows are not from a CSV, but for example from a binary file. */
#define MOST_RAW (16u << 20)

/* CR is a blank: it is dropped at the end of a line, and does not end a line by itself. */
static int is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int is_end(unsigned char c)
{
    return c == '\n';
}

int csv_file_init(struct csv_file *csv, FILE *in, const char *name, struct error *err)
{
    *csv = (struct csv_file){.name = name, .in = in, .line = 1, .buffer = malloc(BUFFER)};
    if (csv->buffer == NULL || csv_init(&csv->parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return error_no_memory_for(err, ERROR_TRACE, name);
    csv_set_space_func(&csv->parser, is_blank);
    csv_set_term_func(&csv->parser, is_end);
    return 0;
}

void csv_file_finish(struct csv_file *csv)
{
    if (csv->buffer != NULL)
        csv_free(&csv->parser);
    free(csv->buffer);
    free(csv->raw);
    free(csv->text);
    free(csv->fields);
    *csv = (struct csv_file){0};
}

/* ---- places ------------------------------------------------------------ */

/* Line and column of byte AT of the row. */
static void place(const struct csv_file *csv, size_t at, long *line, int *column)
{
    size_t start = 0;
    *line = csv->raw_line;
    for (size_t i = 0; i < at; i++)
        if (csv->raw[i] == '\n') {
            start = i + 1;
            ++*line;
        }
    *column = at - start < INT32_MAX ? (int)(at - start) + 1 : 0;
}

/* Where FIELD begins in the row. */
static size_t find_field(const struct csv_file *csv, size_t field)
{
    bool quoted = false;
    size_t at = 0;
    for (; at < csv->raw_length && field > 0; at++) {
        quoted ^= csv->raw[at] == '"';
        field -= !quoted && csv->raw[at] == (char)csv->parser.delim_char;
    }
    while (at < csv->raw_length && csv->raw[at] == ' ')
        at++;
    /* The position after the last field is the end of the line, not the next line. */
    return at > 0 && at == csv->raw_length && csv->raw[at - 1] == '\n' ? at - 1 : at;
}

int csv_file_fail(const struct csv_file *csv, size_t field, struct error *err,
                  const char *format, ...)
{
    long line;
    int column;
    va_list args;
    place(csv, find_field(csv, field), &line, &column);
    va_start(args, format);
    error_set_args(err, ERROR_TRACE, csv->name, line, column, format, args);
    va_end(args);
    return -1;
}

/* ---- parsing ----------------------------------------------------------- */

static void end_field(void *text, size_t length, void *data)
{
    struct csv_file *csv = data;
    if (csv->failed)
        return;
    if (csv->count == csv->field_capacity) {
        size_t capacity = 2 * csv->field_capacity + 64;
        size_t *more = reallocarray(csv->fields, capacity, sizeof *more);
        csv->failed = more == NULL;
        if (csv->failed)
            return;
        csv->fields = more;
        csv->field_capacity = capacity;
    }
    if (csv->text_capacity - csv->text_length < length + 1) {
        size_t capacity = 2 * csv->text_capacity + length + 1024;
        char *more = realloc(csv->text, capacity);
        csv->failed = more == NULL;
        if (csv->failed)
            return;
        csv->text = more;
        csv->text_capacity = capacity;
    }
    csv->fields[csv->count++] = csv->text_length;
    if (length > 0)
        memcpy(csv->text + csv->text_length, text, length);
    csv->text[csv->text_length + length] = '\0';
    csv->text_length += length + 1;
}

static void end_row(int c, void *data)
{
    struct csv_file *csv = data;
    csv->complete = true;
}

/* Keeps LENGTH bytes of the row, for the positions in messages. */
static int keep(struct csv_file *csv, const char *bytes, size_t length, struct error *err)
{
    if (csv->raw_length + length > MOST_RAW)
        return error_set(err, ERROR_TRACE, csv->name, csv->raw_line, 0,
                         "a row of more than %u MiB: not a CSV", MOST_RAW >> 20);
    if (csv->raw_capacity - csv->raw_length < length) {
        size_t capacity = 2 * csv->raw_capacity + length;
        char *more = realloc(csv->raw, capacity);
        if (more == NULL)
            return error_no_memory_for(err, ERROR_TRACE, csv->name);
        csv->raw = more;
        csv->raw_capacity = capacity;
    }
    memcpy(csv->raw + csv->raw_length, bytes, length);
    csv->raw_length += length;
    return 0;
}

/* Passes LENGTH bytes, in which at most one row ends, to the parser. */
static int parse(struct csv_file *csv, const char *bytes, size_t length, struct error *err)
{
    long line;
    int column;
    size_t before = csv->raw_length;
    const char *nul = memchr(bytes, '\0', length);
    if (keep(csv, bytes, length, err) != 0)
        return -1;
    if (nul != NULL) {
        place(csv, before + (size_t)(nul - bytes), &line, &column);
        return error_set(err, ERROR_TRACE, csv->name, line, column, "a zero byte: not a CSV");
    }
    size_t parsed = csv_parse(&csv->parser, bytes, length, end_field, end_row, csv);
    if (csv->failed || (parsed != length && csv_error(&csv->parser) != CSV_EPARSE))
        return error_no_memory_for(err, ERROR_TRACE, csv->name);
    if (parsed == length)
        return 0;
    place(csv, before + parsed, &line, &column);
    return error_set(err, ERROR_TRACE, csv->name, line, column,
                     "a quote inside a field, or text after a closing quote");
}

/* ---- reading ----------------------------------------------------------- */

/* Reads more if the buffer is empty. */
static int fill(struct csv_file *csv, struct error *err)
{
    if (csv->at < csv->end || csv->last)
        return 0;
    csv->at = 0;
    csv->end = fread(csv->buffer, 1, BUFFER, csv->in);
    csv->last = csv->end == 0;
    if (ferror(csv->in))
        return error_set(err, ERROR_TRACE, csv->name, 0, 0, "cannot read: %s", strerror(errno));
    return 0;
}

/* Looks at the first bytes of the file: skips a byte-order mark, finds out what separates
 * fields. */
static void begin(struct csv_file *csv)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (csv->end >= 3 && memcmp(csv->buffer, mark, 3) == 0)
        csv->at = 3;
    for (size_t i = csv->at; i < csv->end && csv->buffer[i] != ','; i++)
        if (csv->buffer[i] == '\n') {
            if (csv->buffer[csv->at] != '=')
                break;
        } else if (csv->buffer[i] == '\t') {
            csv_set_delim(&csv->parser, '\t');
            break;
        }
    csv->begun = true;
}

/* The last row of a file without a newline at its end. */
static int end_file(struct csv_file *csv, struct error *err)
{
    csv->complete = false;
    if (csv_fini(&csv->parser, end_field, end_row, csv) != 0 && !csv->failed)
        return error_set(err, ERROR_TRACE, csv->name, csv->raw_line, 0,
                         "the file ends inside quotes that this row opens");
    if (csv->failed)
        return error_no_memory_for(err, ERROR_TRACE, csv->name);
    return csv->complete ? 1 : 0;
}

/* Reads up to the end of a line or of the buffer. */
static int read_piece(struct csv_file *csv, struct error *err)
{
    const char *bytes = csv->buffer + csv->at;
    const char *newline = memchr(bytes, '\n', csv->end - csv->at);
    size_t length = newline != NULL ? (size_t)(newline - bytes) + 1 : csv->end - csv->at;
    csv->at += length;
    csv->line += newline != NULL;
    return parse(csv, bytes, length, err);
}

/* Skips a line. Returns 0 or -1. */
static int skip_line(struct csv_file *csv, struct error *err)
{
    while (csv->at < csv->end && csv->buffer[csv->at] != '\n') {
        csv->at++;
        if (fill(csv, err) != 0)
            return -1;
    }
    csv->line += csv->at < csv->end;
    csv->at += csv->at < csv->end;
    return 0;
}

/* Whether the row so far is an empty line, which the parser skips. */
static bool is_empty_line(const struct csv_file *csv)
{
    size_t i = 0;
    while (i < csv->raw_length && is_blank((unsigned char)csv->raw[i]))
        i++;
    return i + 1 == csv->raw_length && csv->raw[i] == '\n';
}

int csv_file_next(struct csv_file *csv, struct error *err)
{
    csv->count = csv->text_length = csv->raw_length = 0;
    csv->complete = false;
    csv->raw_line = csv->line;
    while (!csv->complete) {
        if (fill(csv, err) != 0)
            return -1;
        if (csv->last)
            return end_file(csv, err);
        if (!csv->begun)
            begin(csv);
        if (csv->raw_length == 0 && csv->at < csv->end && csv->buffer[csv->at] == '=') {
            if (skip_line(csv, err) != 0)
                return -1;
            csv->raw_line = csv->line;
            continue;
        }
        if (csv->at < csv->end && read_piece(csv, err) != 0)
            return -1;
        if (!csv->complete && is_empty_line(csv)) {
            csv->raw_length = 0;
            csv->raw_line = csv->line;
        }
    }
    return 1;
}
