/* Errors as values. Libraries fill one of these and return -1; only main() prints the text and
 * exits. */
#ifndef HEARTH_TRACES_BASE_ERROR_H
#define HEARTH_TRACES_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/* What went wrong; the value is the exit code of the process. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_SIMULATION = 1, /* deadlock, broken invariant */
    ERROR_USAGE = 2,      /* command line, configuration, plan */
    ERROR_TRACE = 3,      /* unreadable or corrupt trace */
    ERROR_OUTPUT = 4,     /* a result could not be written */
};

/* Room for a path and a sentence; longer texts are cut off. */
#define ERROR_TEXT 1024

struct error {
    enum error_kind kind;  /* ERROR_NONE: no error */
    char text[ERROR_TEXT]; /* "file:line:column: what was expected", one line without control
                              characters */
    bool no_memory;        /* made by error_no_memory() or error_no_memory_for() */
};

/* Fills ERR, unless it already holds an error: the first cause is kept. FILE may be NULL; LINE
 * and COLUMN count from 1, and 0 leaves them out. ERR may be NULL. Always returns -1, so that a
 * caller can `return error_set(...)`. */
int error_set(struct error *err, enum error_kind kind, const char *file, long line, int column,
              const char *format, ...) __attribute__((format(printf, 6, 7)));
int error_set_args(struct error *err, enum error_kind kind, const char *file, long line,
                   int column, const char *format, va_list args)
    __attribute__((format(printf, 6, 0)));

/* error_set() with "out of memory". The kind is ERROR_SIMULATION; or KIND, with the FILE that
 * was being read or written (NULL: none). Always returns -1. */
int error_no_memory(struct error *err);
int error_no_memory_for(struct error *err, enum error_kind kind, const char *file);

/* Fills ERR with FROM, which holds an error, unless it already holds one. Always returns -1. */
int error_pass(struct error *err, const struct error *from);

/* error_set() with ERROR_TRACE, for data that could not be decoded; with "out of memory" if
 * errno is ENOMEM. Decoders that do not report which of the two it was start with errno 0. */
int error_undecoded(struct error *err, const char *file, long line, int column,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
