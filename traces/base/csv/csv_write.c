/* Fields as they are written. A file of its own: the tracer's library writes tables and reads
 * none, so it needs no parser. */
#include <stdlib.h>
#include <string.h>

#include "traces/base/csv/csv_file.h"
#include "traces/base/text/utf8.h"

bool csv_file_is_formula(const char *text)
{
    char *end;
    if (text[0] == '\0' || text[1] == '\0' || strchr("=+-@\t\r", text[0]) == NULL)
        return false;
    strtod(text, &end);
    return *end != '\0';
}

/* Whoever reads a table decodes it, and stops at the first byte that is no UTF-8. */
static void write_character(FILE *out, const char *text, size_t length)
{
    char escape[UTF8_ESCAPE];
    if (length == 0)
        utf8_escape(*text, escape);
    fwrite(length == 0 ? escape : text, 1, length == 0 ? UTF8_ESCAPE - 1 : length, out);
}

void csv_file_write_quoted(FILE *out, const char *text)
{
    fputs(csv_file_is_formula(text) ? "\"'" : "\"", out);
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        length = utf8_length(text);
        if (*text == '"')
            putc('"', out);
        write_character(out, text, length);
    }
    putc('"', out);
}

void csv_file_write_field(FILE *out, const char *text)
{
    size_t length = strlen(text);
    if (strpbrk(text, ",\"\r\n\t") != NULL || text[0] == ' ' || csv_file_is_formula(text) ||
        !utf8_is_valid(text) || (length > 0 && text[length - 1] == ' '))
        csv_file_write_quoted(out, text);
    else
        fputs(text, out);
}
