#include "traces/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* snprintf() that appends at *USED and never writes past SIZE. */
__attribute__((format(printf, 4, 0))) static void append(char *text, size_t size, size_t *used,
                                                         const char *format, va_list args)
{
    if (*used >= size - 1)
        return;
    int n = vsnprintf(text + *used, size - *used, format, args);
    if (n > 0)
        *used += (size_t)n < size - *used ? (size_t)n : size - *used - 1;
}

__attribute__((format(printf, 4, 5))) static void
append_format(char *text, size_t size, size_t *used, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(text, size, used, format, args);
    va_end(args);
}

int error_set_args(struct error *err, enum error_kind kind, const char *file, long line,
                   int column, const char *format, va_list args)
{
    if (err == NULL || err->kind != ERROR_NONE)
        return -1;
    err->kind = kind;
    size_t used = 0;
    if (file != NULL) {
        append_format(err->text, sizeof err->text, &used, "%s:", file);
        if (line > 0)
            append_format(err->text, sizeof err->text, &used, "%ld:", line);
        if (line > 0 && column > 0)
            append_format(err->text, sizeof err->text, &used, "%d:", column);
        append_format(err->text, sizeof err->text, &used, " ");
    }
    append(err->text, sizeof err->text, &used, format, args);
    return -1;
}

int error_set(struct error *err, enum error_kind kind, const char *file, long line, int column,
              const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_args(err, kind, file, line, column, format, args);
    va_end(args);
    return -1;
}

int error_undecoded(struct error *err, const char *file, long line, int column,
                    const char *format, ...)
{
    if (errno == ENOMEM)
        return error_no_memory_for(err, ERROR_TRACE, file);
    va_list args;
    va_start(args, format);
    error_set_args(err, ERROR_TRACE, file, line, column, format, args);
    va_end(args);
    return -1;
}

int error_pass(struct error *err, const struct error *from)
{
    if (err != NULL && err->kind == ERROR_NONE)
        *err = *from;
    return -1;
}

int error_no_memory_for(struct error *err, enum error_kind kind, const char *file)
{
    if (err != NULL && err->kind == ERROR_NONE)
        err->no_memory = true;
    return error_set(err, kind, file, 0, 0, "out of memory");
}

int error_no_memory(struct error *err)
{
    return error_no_memory_for(err, ERROR_SIMULATION, NULL);
}
