/* A stream of text lines out of a file, compressed or not, or out of memory. */
#ifndef HEARTH_TRACES_TEXT_SOURCE_H
#define HEARTH_TRACES_TEXT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"

/* Lines up to this length are read, much longer ones refused: the longest
 * that the tracers write is below 2 KiB, and without a limit a hostile file
 * could fill the memory. */
#define SOURCE_LINE_MAX 65536
/* Bytes behind the last line that may be read, though not interpreted:
 * scanners compare eight bytes at a time. */
#define SOURCE_PADDING 16

struct source {
    char *name;
    struct archive *archive; /* or */
    struct tracez *tracez;
    long (*read)(void *data, const void **text); /* of source_open_callback() */
    void *data;
    char *buffer;
    size_t size;     /* of the buffer, padding excluded */
    size_t line_max; /* longer lines are refused: SOURCE_LINE_MAX, unless a reader that copes
                        with more sets it before the first line */
    char *at;        /* start of the current line */
    char *complete;  /* end of the last complete line in the buffer */
    char *end;       /* end of what was read */
    long line;       /* number of the current line, from 1 */
    bool eof;
    bool unended; /* the last line has no newline of its own */
};

/* Opens PATH for reading: plain text, gzip, bzip2, xz, lzma, lz4, zstd or the
 * text of a .tracez, by content. Returns 0, or -1 with ERR filled and nothing to finish. */
int source_open(struct source *source, const char *path, struct error *err);
/* Reads SIZE bytes at TEXT, which must outlive the source; NAME is for
 * messages. Compressed data is recognised here too. */
int source_open_memory(struct source *source, const char *name, const void *text, size_t size,
                       struct error *err);
/* Reads the lines of a short TEXT, which is copied and never compressed. */
int source_open_text(struct source *source, const char *name, const void *text, size_t size,
                     struct error *err);
/* Reads what READ gives: it sets *TEXT and returns how many bytes stand there
 * until the next call, 0 at the end, -1 on error with DATA's own error set:
 * then this fails too and the caller reports that one. */
int source_open_callback(struct source *source, const char *name,
                         long (*read)(void *data, const void **text), void *data,
                         struct error *err);
void source_finish(struct source *source);

/* Reads up to SIZE bytes into DATA that no line was read of: for who wants the
 * text as it is. Returns how many, 0 at the end, -1 on error. */
long source_read(struct source *source, void *data, size_t size, struct error *err);

/* Reads until the buffer holds a complete line at `at`; a last line without a
 * newline gets one. Returns 1, 0 at the end, -1 on error. */
int source_refill(struct source *source, struct error *err);

/* Makes sure that a complete line, ended by '\n', stands at `at`. Returns as
 * source_refill(). The line is left with source_skip(). */
static inline int source_line(struct source *source, struct error *err)
{
    if (__builtin_expect(source->at < source->complete, 1))
        return 1;
    return source_refill(source, err);
}

/* Goes on to the line that starts at NEXT, which is behind a '\n'. */
static inline void source_advance(struct source *source, const char *next)
{
    source->at = (char *)next;
    source->line++;
}

/* Leaves the current line. */
void source_skip(struct source *source);

/* An error of the trace at AT in the current line (NULL: the line itself).
 * Returns -1. */
int source_error(const struct source *source, struct error *err, const char *at,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
