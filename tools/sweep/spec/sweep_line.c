#include "tools/sweep/spec/sweep_line.h"

#include <stdbool.h>
#include <stdlib.h>

#include "traces/base/bytes.h"

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

/* Copies the word at *AT to *TO, without its quotes. Returns false if a quote is not closed. */
static bool take_word(char **at, char **to)
{
    bool quoted = false;
    for (; **at != '\0' && (quoted || !is_blank(**at)); ++*at) {
        if (**at == '"')
            quoted = !quoted;
        else if (quoted && **at == '\\' && ((*at)[1] == '"' || (*at)[1] == '\\'))
            *(*to)++ = *++*at;
        else
            *(*to)++ = **at;
    }
    return !quoted;
}

int sweep_line_init(struct sweep_line *line, char *buffer, const char *file, long number,
                    struct error *err)
{
    *line = (struct sweep_line){.file = file, .number = number};
    for (char *at = buffer;;) {
        while (is_blank(*at))
            at++;
        if (*at == '\0' || *at == '#')
            return 0;
        if (!array_room(&line->words, line->count, sizeof *line->words))
            return error_no_memory(err);
        char *to = at;
        line->words[line->count] = (struct sweep_word){at, (int)(at - buffer) + 1};
        if (!take_word(&at, &to))
            return error_set(err, ERROR_USAGE, file, number, line->words[line->count].column,
                             "the quote is not closed");
        line->count++;
        bool last = *at == '\0';
        *to = '\0';
        at += last ? 0 : 1;
    }
}

void sweep_line_finish(struct sweep_line *line)
{
    free(line->words);
    line->words = NULL;
}

int sweep_line_fail(const struct sweep_line *line, size_t word, struct error *err,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_args(err, ERROR_USAGE, line->file, line->number,
                   word < line->count ? line->words[word].column : 0, format, args);
    va_end(args);
    return -1;
}
