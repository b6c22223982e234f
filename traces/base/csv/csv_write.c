/* Fields as they are written. A file of its own: the tracer's library writes tables and reads
 * none, so it needs no parser. */
#include <stdlib.h>
#include <string.h>

#include "traces/base/csv/csv_file.h"

bool csv_file_is_formula(const char *text)
{
    char *end;
    if (text[0] == '\0' || text[1] == '\0' || strchr("=+-@\t\r", text[0]) == NULL)
        return false;
    strtod(text, &end);
    return *end != '\0';
}

void csv_file_write_quoted(FILE *out, const char *text)
{
    fputs(csv_file_is_formula(text) ? "\"'" : "\"", out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

void csv_file_write_field(FILE *out, const char *text)
{
    size_t length = strlen(text);
    if (strpbrk(text, ",\"\r\n\t") != NULL || text[0] == ' ' || csv_file_is_formula(text) ||
        (length > 0 && text[length - 1] == ' '))
        csv_file_write_quoted(out, text);
    else
        fputs(text, out);
}
