/* A stream of text lines: of a file, compressed or not, of memory, or of
 * whatever makes text on the way. */
#ifndef HEARTH_TRACES_TEXT_SOURCE_H
#define HEARTH_TRACES_TEXT_SOURCE_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "traces/base/bytes.h"
#include "traces/base/error.h"

/* Longer lines are refused: the longest that the tracers write is below 2 KiB,
 * and without a limit a hostile file could fill the memory. */
#define SOURCE_LINE_MAX 65536
/* Bytes after the last line that may be read, though not interpreted:
 * scanners compare eight bytes at a time. */
#define SOURCE_PADDING 16

struct source;
struct trace_reader;

/* What makes the text, in `source->stream`. */
struct source_ops {
    /* Sets *TEXT to the next SIZE bytes, at least one, which stay until the
     * next call. Returns 1, 0 at the end, -1 on error. */
    int (*read)(struct source *source, const void **text, size_t *size, struct error *err);
    /* Frees the stream, but not one of source_wrap(). NULL: nothing to do. */
    void (*close)(struct source *source);
};

struct source {
    char *name; /* for messages */
    const struct source_ops *ops;
    void *stream;
    bool wraps;           /* `stream` begins with the struct source that it reads */
    int fd;               /* of a file whose bytes these are; -1: there is none */
    const char *expected; /* what else than a trace the caller wants; NULL: a trace */
    const struct trace_reader *reader; /* that source_open() found */
    const char *chunk;                 /* text that was made but is not in the buffer yet */
    size_t chunk_size;
    char *buffer;
    size_t size;    /* of the buffer, padding excluded */
    char *at;       /* start of the current line */
    char *complete; /* end of the last complete line in the buffer */
    char *end;      /* end of what was read */
    long line;      /* number of the current line, from 1 */
    bool eof;
    bool moved;   /* the buffer no longer has the start of the text */
    bool unended; /* the last line has no newline of its own */
};

/* Opens the file PATH, which some reader recognises (traces/readers/reader.h): what it stands
 * for, as far as that is a stream of its own. Returns 0, or -1 with ERR filled and nothing to
 * finish. */
int source_open(struct source *source, const char *path, struct error *err);
/* The same for a file that holds EXPECTED, "a listing", and no trace: messages say so. */
int source_open_expected(struct source *source, const char *path, const char *expected,
                         struct error *err);
/* The same for a file that a list names. It must not be a pipe, as it may be read more than
 * once. If source_other_name() was opened instead, `name` is that file. */
int source_open_listed(struct source *source, const char *path, struct error *err);
/* OTHER: what stands in for a missing PATH, the file with or without the suffix of its
 * compression. False: nothing does. It needs no memory that could be short. */
bool source_other_name(const char *path, char other[PATH_MAX]);
/* Reads the lines of TEXT, which is copied and never compressed. */
int source_open_text(struct source *source, const char *name, const void *text, size_t size,
                     struct error *err);
/* Reads what OPS make in STREAM, which is taken over, also on error. */
int source_open_stream(struct source *source, const char *name, const struct source_ops *ops,
                       void *stream, struct error *err);
/* The same for bytes that some reader recognises, as those of a file do. On error there is
 * nothing to finish. */
int source_open_any(struct source *source, const char *name, const struct source_ops *ops,
                    void *stream, struct error *err);
/* Replaces SOURCE by what OPS make of it: in a stream of SIZE bytes, zeroed, that begins with
 * the struct source it reads, and is freed with it. Returns the stream; NULL on error, with
 * SOURCE finished. */
void *source_wrap(struct source *source, const struct source_ops *ops, size_t size,
                  struct error *err);
/* A zeroed source needs no finish, but may have one. */
void source_finish(struct source *source);

/* Makes at least SIZE bytes, fewer only at the end, available from `at` to
 * `end` without leaving the current line. SIZE is at most SOURCE_LINE_MAX. */
int source_peek(struct source *source, size_t size, struct error *err);

/* Goes back to the start of the text, if the buffer still has that. Returns whether it has. */
bool source_rewind(struct source *source);

/* The text from the current line on as it is, without regard to lines, chunk
 * by chunk; as source_ops.read(). */
int source_read(struct source *source, const void **text, size_t *size, struct error *err);

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

/* Goes on to the line that starts at NEXT, which is after a '\n'. */
static inline void source_advance(struct source *source, const char *next)
{
    source->at = (char *)next;
    source->line++;
}

/* Leaves the current line. */
void source_skip(struct source *source);
/* The length of the current line with its newline, if that is in the text. */
size_t source_line_length(const struct source *source);
/* Appends the current line to TEXT. More than SOURCE_KEEP_MAX bytes there are
 * an error: no trace has so many lines between instructions, and without a
 * limit a file of blank lines could fill the memory. */
int source_keep_line(const struct source *source, struct bytes *text, struct error *err);
#define SOURCE_KEEP_MAX ((size_t)16 << 20)

/* An error of the trace at AT in the current line (NULL: the line itself).
 * Returns -1. */
int source_error(const struct source *source, struct error *err, const char *at,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
int source_error_args(const struct source *source, struct error *err, const char *at,
                      const char *format, va_list args) __attribute__((format(printf, 4, 0)));

#endif
