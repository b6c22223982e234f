#define _GNU_SOURCE /* memrchr, rawmemchr */
#include "traces/text/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Large enough that moving the rest of a line to the front is rare. */
#define BUFFER_SIZE (4 * SOURCE_LINE_MAX)

/* What scanners may load after the text, and do not look at: the rest of the buffer is not
 * cleared, which would take long for many short files. */
static void pad(struct source *source)
{
    memset(source->end, 0, 1 + SOURCE_PADDING);
}

static int allocate(struct source *source, const char *name, size_t size, struct error *err)
{
    *source = (struct source){.size = size, .fd = -1};
    source->name = strdup(name);
    source->buffer = malloc(source->size + 1 + SOURCE_PADDING);
    if (source->name == NULL || source->buffer == NULL) {
        error_no_memory_for(err, ERROR_TRACE, name);
        source_finish(source);
        return -1;
    }
    source->at = source->complete = source->end = source->buffer;
    pad(source);
    source->line = 1;
    return 0;
}

static void find_complete(struct source *source, char *from)
{
    char *to = source->end;
    char *newline = to > from ? memrchr(from, '\n', (size_t)(to - from)) : NULL;
    if (newline != NULL)
        source->complete = newline + 1;
}

int source_open_stream(struct source *source, const char *name, const struct source_ops *ops,
                       void *stream, struct error *err)
{
    struct source local = {.ops = ops, .stream = stream};
    if (allocate(source, name, BUFFER_SIZE, err) != 0) {
        source_finish(&local);
        return -1;
    }
    source->ops = ops;
    source->stream = stream;
    return 0;
}

void *source_wrap(struct source *source, const struct source_ops *ops, size_t size,
                  struct error *err)
{
    struct source inner = *source, *stream = calloc(1, size);
    if (stream == NULL || allocate(source, inner.name, BUFFER_SIZE, err) != 0) {
        error_no_memory_for(err, ERROR_TRACE, inner.name);
        source_finish(&inner);
        free(stream);
        *source = (struct source){0};
        return NULL;
    }
    *stream = inner;
    source->expected = inner.expected;
    source->ops = ops;
    source->stream = stream;
    source->wraps = true;
    return stream;
}

int source_open_text(struct source *source, const char *name, const void *text, size_t size,
                     struct error *err)
{
    if (allocate(source, name, size, err) != 0)
        return -1;
    if (size > 0)
        memcpy(source->buffer, text, size);
    source->end = source->buffer + size;
    pad(source);
    find_complete(source, source->buffer);
    source->eof = true;
    return 0;
}

void source_finish(struct source *source)
{
    if (source->ops != NULL && source->ops->close != NULL)
        source->ops->close(source);
    if (source->wraps) {
        source_finish(source->stream);
        free(source->stream);
    }
    free(source->buffer);
    free(source->name);
    *source = (struct source){0};
}

/* ---- reading ----------------------------------------------------------- */

/* Makes sure that there is a chunk, or the end. */
static int next_chunk(struct source *source, struct error *err)
{
    const void *text;
    if (source->chunk_size > 0 || source->eof)
        return 0;
    int rc = source->ops->read(source, &text, &source->chunk_size, err);
    if (rc < 0)
        return -1;
    source->chunk = text;
    source->eof = rc == 0;
    if (source->eof)
        source->chunk_size = 0;
    return 0;
}

/* Appends to the buffer, which has room; sets `eof` when there is no more. So
 * little at a time that only its first line can be too long. */
static int read_more(struct source *source, struct error *err)
{
    if (next_chunk(source, err) != 0)
        return -1;
    char *from = source->end;
    size_t n = source->size - (size_t)(from - source->buffer);
    n = n < source->chunk_size ? n : source->chunk_size;
    n = n < SOURCE_LINE_MAX ? n : SOURCE_LINE_MAX;
    if (n > 0) {
        memcpy(from, source->chunk, n);
        source->chunk += n;
        source->chunk_size -= n;
    }
    source->end += n;
    pad(source);
    find_complete(source, from);
    return 0;
}

/* Moves what was not left to the front of the buffer. */
static void move_to_front(struct source *source)
{
    size_t rest = (size_t)(source->end - source->at);
    source->moved |= source->at > source->buffer;
    memmove(source->buffer, source->at, rest);
    source->complete -= source->at - source->buffer;
    source->at = source->buffer;
    source->end = source->buffer + rest;
    pad(source);
}

int source_peek(struct source *source, size_t size, struct error *err)
{
    if ((size_t)(source->end - source->at) < size)
        move_to_front(source);
    while ((size_t)(source->end - source->at) < size && !source->eof)
        if (read_more(source, err) != 0)
            return -1;
    return 0;
}

bool source_rewind(struct source *source)
{
    if (source->moved)
        return false;
    source->at = source->complete = source->buffer;
    source->line = 1;
    find_complete(source, source->buffer);
    return true;
}

int source_read(struct source *source, const void **text, size_t *size, struct error *err)
{
    if (source->at < source->end) {
        *text = source->at;
        *size = (size_t)(source->end - source->at);
        source->at = source->complete = source->end;
        return 1;
    }
    if (next_chunk(source, err) != 0)
        return -1;
    *text = source->chunk;
    *size = source->chunk_size;
    source->chunk_size = 0;
    return *size > 0;
}

/* Makes room for more of a line that fills half of the buffer. */
static int grow(struct source *source, struct error *err)
{
    size_t used = (size_t)(source->end - source->buffer);
    if (used < source->size / 2)
        return 0;
    char *larger = realloc(source->buffer, 2 * source->size + 1 + SOURCE_PADDING);
    if (larger == NULL)
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    source->size *= 2;
    source->buffer = source->at = source->complete = larger;
    source->end = larger + used;
    pad(source);
    return 0;
}

int source_refill(struct source *source, struct error *err)
{
    move_to_front(source);
    while (source->complete == source->at) {
        if (source->eof) {
            if (source->end == source->at)
                return 0;
            *source->end++ = '\n'; /* the room for it is beyond `size` */
            source->unended = true;
            source->complete = source->end;
            return 1;
        }
        if (read_more(source, err) != 0)
            return -1;
        bool whole = source->complete > source->at;
        const char *end = whole ? rawmemchr(source->at, '\n') : source->end;
        if ((size_t)(end - source->at) > SOURCE_LINE_MAX)
            return source_error(source, err, NULL, "a line is longer than %d bytes",
                                SOURCE_LINE_MAX);
        if (!whole && grow(source, err) != 0)
            return -1;
    }
    return 1;
}

void source_skip(struct source *source)
{
    source_advance(source, (char *)rawmemchr(source->at, '\n') + 1);
}

size_t source_line_length(const struct source *source)
{
    const char *end = (char *)rawmemchr(source->at, '\n') + 1;
    return (size_t)(end - source->at) - (source->unended && end == source->complete);
}

int source_keep_line(const struct source *source, struct bytes *text, struct error *err)
{
    bytes_put(text, source->at, source_line_length(source));
    if (text->failed)
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    if (text->size > SOURCE_KEEP_MAX)
        return source_error(source, err, NULL,
                            "more than %zu MiB of lines without an instruction",
                            SOURCE_KEEP_MAX >> 20);
    return 0;
}

int source_error_args(const struct source *source, struct error *err, const char *at,
                      const char *format, va_list args)
{
    int column = at == NULL ? 0 : (int)(at - source->at) + 1;
    return error_set_args(err, ERROR_TRACE, source->name, source->line, column, format, args);
}

int source_error(const struct source *source, struct error *err, const char *at,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    source_error_args(source, err, at, format, args);
    va_end(args);
    return -1;
}
