#define _GNU_SOURCE /* memrchr, rawmemchr */
#include "traces/text/source.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/text/tracez.h"

/* Large enough that moving the rest of a line to the front is rare. */
#define BUFFER_SIZE (4 * SOURCE_LINE_MAX)
#define BLOCK_SIZE  65536

static int allocate(struct source *source, const char *name, size_t size, struct error *err)
{
    *source = (struct source){.size = size, .line_max = SOURCE_LINE_MAX};
    source->name = strdup(name);
    source->buffer = calloc(1, source->size + 1 + SOURCE_PADDING);
    if (source->name == NULL || source->buffer == NULL) {
        error_no_memory_for(err, ERROR_TRACE, name);
        source_finish(source);
        return -1;
    }
    source->at = source->complete = source->end = source->buffer;
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

int source_open_text(struct source *source, const char *name, const void *text, size_t size,
                     struct error *err)
{
    if (allocate(source, name, size, err) != 0)
        return -1;
    if (size > 0)
        memcpy(source->buffer, text, size);
    source->end = source->buffer + size;
    find_complete(source, source->buffer);
    source->eof = true;
    return 0;
}

void source_finish(struct source *source)
{
    if (source->ops != NULL && source->ops->close != NULL)
        source->ops->close(source);
    free(source->buffer);
    free(source->name);
    *source = (struct source){0};
}

/* ---- files ------------------------------------------------------------- */

/* One filter at a time instead of "all": some of those start programs. */
static struct archive *new_archive(void)
{
    struct archive *archive = archive_read_new();
    if (archive == NULL)
        return NULL;
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_lzma(archive);
    archive_read_support_filter_lz4(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    return archive;
}

static int archive_failed(const struct source *source, struct error *err)
{
    const char *why = source->stream != NULL ? archive_error_string(source->stream) : NULL;
    return error_set(err, ERROR_TRACE, source->name, source->line > 1 ? source->line : 0, 0,
                     "cannot read on: %s", why ? why : "corrupt or truncated data");
}

static int read_archive(struct source *source, const void **text, size_t *size,
                        struct error *err)
{
    int rc;
    la_int64_t offset;
    do
        rc = archive_read_data_block(source->stream, text, size, &offset);
    while (rc == ARCHIVE_OK && *size == 0);
    if (rc == ARCHIVE_EOF)
        return 0;
    return rc == ARCHIVE_OK ? 1 : archive_failed(source, err);
}

static void close_archive(struct source *source)
{
    archive_read_free(source->stream);
}

static const struct source_ops archive_ops = {read_archive, close_archive};

/* Steps over the header of the only entry that the raw format makes. */
static int start(struct source *source, int opened, struct error *err)
{
    struct archive_entry *entry;
    int rc = opened;
    if (rc == ARCHIVE_OK)
        rc = archive_read_next_header(source->stream, &entry);
    if (rc == ARCHIVE_EOF)
        source->eof = true; /* an empty file */
    else if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) {
        archive_failed(source, err);
        source_finish(source);
        return -1;
    }
    return 0;
}

int source_open(struct source *source, const char *path, struct error *err)
{
    struct stat status;
    *source = (struct source){0};
    if (stat(path, &status) != 0)
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot open: %s", strerror(errno));
    if (S_ISDIR(status.st_mode))
        return error_set(err, ERROR_TRACE, path, 0, 0, "a file is expected, this is a folder");
    int fd = S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0 && tracez_is(fd))
        return tracez_open(source, fd, path, err);
    if (fd >= 0)
        close(fd);
    if (source_open_stream(source, path, &archive_ops, new_archive(), err) != 0)
        return -1;
    if (source->stream == NULL)
        return start(source, ARCHIVE_FATAL, err);
    return start(source, archive_read_open_filename(source->stream, path, BLOCK_SIZE), err);
}

int source_open_memory(struct source *source, const char *name, const void *text, size_t size,
                       struct error *err)
{
    if (source_open_stream(source, name, &archive_ops, new_archive(), err) != 0)
        return -1;
    if (source->stream == NULL)
        return start(source, ARCHIVE_FATAL, err);
    return start(source, archive_read_open_memory(source->stream, text, size), err);
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
    n = n < source->line_max ? n : source->line_max;
    if (n > 0)
        memcpy(from, source->chunk, n);
    source->chunk += n;
    source->chunk_size -= n;
    source->end += n;
    find_complete(source, from);
    return 0;
}

/* Moves what was not left to the front of the buffer. */
static void move_to_front(struct source *source)
{
    size_t rest = (size_t)(source->end - source->at);
    memmove(source->buffer, source->at, rest);
    source->complete -= source->at - source->buffer;
    source->at = source->buffer;
    source->end = source->buffer + rest;
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
    memset(larger + used, 0, 2 * source->size + 1 + SOURCE_PADDING - used);
    source->size *= 2;
    source->buffer = source->at = source->complete = larger;
    source->end = larger + used;
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
        if ((size_t)(end - source->at) > source->line_max)
            return source_error(source, err, NULL, "a line is longer than %zu bytes",
                                source->line_max);
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
