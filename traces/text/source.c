#define _GNU_SOURCE /* memrchr */
#include "traces/text/source.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
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

static char *last_newline(char *from, char *to)
{
    return to > from ? memrchr(from, '\n', (size_t)(to - from)) : NULL;
}

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

static int archive_failed(struct source *source, struct error *err)
{
    const char *why = source->archive ? archive_error_string(source->archive) : NULL;
    return error_set(err, ERROR_TRACE, source->name, source->line > 1 ? source->line : 0, 0,
                     "cannot read on: %s", why ? why : "corrupt or truncated data");
}

/* Steps over the header of the only entry that the raw format makes. */
static int start(struct source *source, int opened, struct error *err)
{
    struct archive_entry *entry;
    int rc = opened;
    if (rc == ARCHIVE_OK)
        rc = archive_read_next_header(source->archive, &entry);
    if (rc == ARCHIVE_EOF)
        source->eof = true; /* an empty file */
    else if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) {
        archive_failed(source, err);
        source_finish(source);
        return -1;
    }
    return 0;
}

static int start_tracez(struct source *source, int fd, struct error *err)
{
    source->tracez = tracez_open(fd, source->name, err);
    if (source->tracez == NULL)
        source_finish(source);
    return source->tracez != NULL ? 0 : -1;
}

int source_open(struct source *source, const char *path, struct error *err)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        *source = (struct source){0};
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot open: %s", strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        *source = (struct source){0};
        return error_set(err, ERROR_TRACE, path, 0, 0, "a file is expected, this is a folder");
    }
    if (allocate(source, path, BUFFER_SIZE, err) != 0)
        return -1;
    int fd = S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0 && tracez_is(fd))
        return start_tracez(source, fd, err);
    if (fd >= 0)
        close(fd);
    source->archive = new_archive();
    if (source->archive == NULL)
        return start(source, ARCHIVE_FATAL, err);
    return start(source, archive_read_open_filename(source->archive, path, BLOCK_SIZE), err);
}

int source_open_memory(struct source *source, const char *name, const void *text, size_t size,
                       struct error *err)
{
    if (allocate(source, name, BUFFER_SIZE, err) != 0)
        return -1;
    source->archive = new_archive();
    if (source->archive == NULL)
        return start(source, ARCHIVE_FATAL, err);
    return start(source, archive_read_open_memory(source->archive, text, size), err);
}

int source_open_text(struct source *source, const char *name, const void *text, size_t size,
                     struct error *err)
{
    if (allocate(source, name, size, err) != 0)
        return -1;
    if (size > 0)
        memcpy(source->buffer, text, size);
    source->end = source->buffer + size;
    char *newline = last_newline(source->buffer, source->end);
    source->complete = newline != NULL ? newline + 1 : source->buffer;
    source->eof = true;
    return 0;
}

static la_ssize_t read_callback(struct archive *archive, void *data, const void **text)
{
    struct source *source = data;
    long n = source->read(source->data, text);
    if (n < 0)
        archive_set_error(archive, EIO, "the text could not be made");
    return n;
}

int source_open_callback(struct source *source, const char *name,
                         long (*read)(void *data, const void **text), void *data,
                         struct error *err)
{
    if (allocate(source, name, BUFFER_SIZE, err) != 0)
        return -1;
    source->read = read;
    source->data = data;
    source->archive = new_archive();
    if (source->archive == NULL)
        return start(source, ARCHIVE_FATAL, err);
    return start(source, archive_read_open(source->archive, source, NULL, read_callback, NULL),
                 err);
}

void source_finish(struct source *source)
{
    if (source->archive != NULL)
        archive_read_free(source->archive);
    tracez_close(source->tracez);
    free(source->buffer);
    free(source->name);
    *source = (struct source){0};
}

long source_read(struct source *source, void *data, size_t size, struct error *err)
{
    if (source->eof)
        return 0;
    if (source->tracez != NULL)
        return tracez_read(source->tracez, data, size, err);
    la_ssize_t n = archive_read_data(source->archive, data, size);
    return n < 0 ? archive_failed(source, err) : (long)n;
}

/* Appends to the buffer; sets `eof` when there is no more. */
static int read_more(struct source *source, struct error *err)
{
    size_t room = source->size - (size_t)(source->end - source->buffer);
    long n = source_read(source, source->end, room, err);
    if (n < 0)
        return -1;
    if (n == 0)
        source->eof = true;
    source->end += n;
    return 0;
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
    size_t rest = (size_t)(source->end - source->at);
    memmove(source->buffer, source->at, rest);
    source->at = source->complete = source->buffer;
    source->end = source->buffer + rest;
    for (;;) {
        if (source->eof) {
            if (source->end == source->at)
                return 0;
            *source->end++ = '\n'; /* the room for it is beyond `size` */
            source->unended = true;
            source->complete = source->end;
            return 1;
        }
        char *before = source->end;
        if (read_more(source, err) != 0)
            return -1;
        char *newline = last_newline(before, source->end);
        if (newline != NULL) {
            source->complete = newline + 1;
            return 1;
        }
        if ((size_t)(source->end - source->at) > source->line_max)
            return source_error(source, err, NULL, "a line is longer than %zu bytes",
                                source->line_max);
        if (grow(source, err) != 0)
            return -1;
    }
}

void source_skip(struct source *source)
{
    size_t left = (size_t)(source->complete - source->at);
    source_advance(source, (char *)memchr(source->at, '\n', left) + 1);
}

int source_error(const struct source *source, struct error *err, const char *at,
                 const char *format, ...)
{
    char text[ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int column = at == NULL ? 0 : (int)(at - source->at) + 1;
    return error_set(err, ERROR_TRACE, source->name, source->line, column, "%s", text);
}
