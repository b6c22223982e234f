#include "traces/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "traces/base/visible.h"

int error_set_args(struct error *err, enum error_kind kind, const char *file, long line,
                   int column, const char *format, va_list args)
{
    char text[ERROR_TEXT], place[2 * 24] = "";
    if (err == NULL || err->kind != ERROR_NONE)
        return -1;
    err->kind = kind;
    if (line > 0 && column > 0)
        snprintf(place, sizeof place, "%ld:%d:", line, column);
    else if (line > 0)
        snprintf(place, sizeof place, "%ld:", line);
    size_t used = 0;
    if (file != NULL)
        used = (size_t)snprintf(text, sizeof text, "%s:%s ", file, place);
    if (used < sizeof text)
        vsnprintf(text + used, sizeof text - used, format, args);
    visible_copy(err->text, sizeof err->text, text);
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
