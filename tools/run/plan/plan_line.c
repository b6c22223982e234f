#include "tools/run/plan/plan_line.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int expected(const struct plan_line *line, const char *at, const char *what,
                    struct error *err)
{
    return error_set(err, ERROR_USAGE, line->file, line->number, (int)(at - line->buffer) + 1,
                     "expected %s", what);
}

static char *skip_blanks(char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Reads a quoted value in place: the text can only get shorter. Returns what follows the
 * closing quote, or NULL if there is none. */
static char *read_quoted(char *at, char **value)
{
    char *to = *value = ++at;
    for (; *at != '"'; at++) {
        bool escaped = *at == '\\' && (at[1] == '"' || at[1] == '\\' || at[1] == 'n');
        at += escaped;
        if (*at == '\0')
            return NULL;
        *to++ = escaped && *at == 'n' ? '\n' : *at;
    }
    *to = '\0';
    return at + 1;
}

/* Reads key=value at AT, which is not a blank. Returns what follows, or NULL. */
static char *read_pair(struct plan_line *line, char *at, struct error *err)
{
    if (line->count == PLAN_LINE_PAIRS) {
        expected(line, at, "fewer key=value pairs", err);
        return NULL;
    }
    char *key = at, *end, *value;
    while (is_name(*at))
        at++;
    if (at == key || *at != '=') {
        expected(line, at, "key=value", err);
        return NULL;
    }
    char *equals = at++;
    if (*at == '"') {
        end = read_quoted(at, &value);
        if (end == NULL) {
            expected(line, at, "a closing quote", err);
            return NULL;
        }
    } else {
        value = at;
        end = at + strcspn(at, " \t\r");
    }
    if (*end != '\0' && strchr(" \t\r", *end) == NULL) {
        expected(line, end, "a blank after the value", err);
        return NULL;
    }
    char *next = *end == '\0' ? end : end + 1;
    *equals = *end = '\0';
    if (plan_line_get(line, key) != NULL) {
        expected(line, key, "each key once", err);
        return NULL;
    }
    line->pairs[line->count++] = (struct plan_pair){key, value, (int)(key - line->buffer) + 1};
    return next;
}

int plan_line_init(struct plan_line *line, const char *text, const char *file, long number,
                   struct error *err)
{
    *line = (struct plan_line){.file = file, .number = number, .buffer = strdup(text)};
    if (line->buffer == NULL)
        return error_no_memory(err);
    char *at = line->buffer + 1, *end = at;
    while (is_name(*end))
        end++;
    if (end == at || (*end != '\0' && strchr(" \t\r", *end) == NULL)) {
        expected(line, end, "a word after \"!\"", err);
        goto fail;
    }
    line->word = at;
    at = *end == '\0' ? end : end + 1;
    *end = '\0';
    for (at = skip_blanks(at); *at != '\0'; at = skip_blanks(at)) {
        at = read_pair(line, at, err);
        if (at == NULL)
            goto fail;
    }
    return 0;
fail:
    plan_line_finish(line);
    return -1;
}

void plan_line_finish(struct plan_line *line)
{
    free(line->buffer);
    *line = (struct plan_line){0};
}

const char *plan_line_get(const struct plan_line *line, const char *key)
{
    for (size_t i = 0; i < line->count; i++)
        if (strcmp(line->pairs[i].key, key) == 0)
            return line->pairs[i].value;
    return NULL;
}

void plan_line_write_pair(FILE *out, const char *key, const char *value)
{
    fprintf(out, " %s=", key);
    if (value[0] != '\0' && value[strcspn(value, " \t\r\n\"\\")] == '\0') {
        fputs(value, out);
        return;
    }
    putc('"', out);
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\' || *value == '\n')
            putc('\\', out);
        putc(*value == '\n' ? 'n' : *value, out);
    }
    putc('"', out);
}
