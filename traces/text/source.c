#define _GNU_SOURCE /* asprintf, memrchr, rawmemchr */
#include "traces/text/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/readers/reader.h"
#include "traces/text/scan.h"

/* Large enough that moving the rest of a line to the front is rare. */
#define BUFFER_SIZE (4 * SOURCE_LINE_MAX)
#define BLOCK_SIZE  65536

static int allocate(struct source *source, const char *name, size_t size, struct error *err)
{
    *source = (struct source){.size = size, .fd = -1};
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

/* ---- files ------------------------------------------------------------- */

/* Bytes of a file, as they are. */
struct source_file {
    int fd;
    size_t ready; /* bytes that have been read, and not handed on */
    char bytes[BLOCK_SIZE];
};

static int cannot_read(const struct source *source, struct error *err)
{
    return error_set(err, ERROR_TRACE, source->name, source->line > 1 ? source->line : 0, 0,
                     "cannot read on: %s", strerror(errno));
}

static int read_file(struct source *source, const void **text, size_t *size, struct error *err)
{
    struct source_file *file = source->stream;
    ssize_t n = (ssize_t)file->ready;
    if (n == 0)
        do
            n = read(file->fd, file->bytes, sizeof file->bytes);
        while (n < 0 && errno == EINTR);
    file->ready = 0;
    if (n < 0)
        return cannot_read(source, err);
    *text = file->bytes;
    *size = (size_t)n;
    return n > 0;
}

/* A pipe whose writer has gone looks as one whose writer has not come yet, and would be waited
 * for without end: with a limit of PATIENCE tenths of a second. */
#define PATIENCE 50

static int wait_for_writer(struct source *source, struct error *err)
{
    struct source_file *file = source->stream;
    struct pollfd poll_file = {.fd = file->fd, .events = POLLIN};
    for (int i = 0; i < PATIENCE; i++) {
        if (poll(&poll_file, 1, 100) > 0)
            break; /* bytes, or a writer that has gone */
        ssize_t n = read(file->fd, file->bytes, sizeof file->bytes);
        file->ready = n > 0 ? (size_t)n : 0;
        if (n != 0)
            break; /* EAGAIN: a writer that has nothing yet */
        if (i == PATIENCE - 1)
            return error_set(err, ERROR_TRACE, source->name, 0, 0,
                             "nobody writes to this pipe; it can be read only once");
    }
    return fcntl(file->fd, F_SETFL, 0) == 0 ? 0 : cannot_read(source, err);
}

static void close_file(struct source *source)
{
    struct source_file *file = source->stream;
    close(file->fd);
    free(file);
}

/* Lists name files as the tracer wrote them, whoever packed or unpacked them since. */
char *source_other_name(const char *path)
{
    static const char *const suffixes[] = {".xz", ".gz", ".zst", ".bz2"};
    if (access(path, F_OK) == 0 || errno != ENOENT)
        return NULL;
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char *name;
        size_t n = strlen(suffixes[i]);
        bool has = length > n && strcmp(path + length - n, suffixes[i]) == 0;
        if (asprintf(&name, "%.*s%s", (int)(has ? length - n : length), path,
                     has ? "" : suffixes[i]) < 0)
            return NULL;
        if (access(name, F_OK) == 0)
            return name;
        free(name);
    }
    return NULL;
}

/* Opens a file whose bytes can be read. */
static int open_file(const char *path, bool listed, struct stat *status, struct error *err)
{
    if (stat(path, status) != 0)
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot open: %s", strerror(errno));
    mode_t mode = status->st_mode;
    if (!S_ISREG(mode) && (listed || !S_ISFIFO(mode)))
        return error_set(err, ERROR_TRACE, path, 0, 0, "a file is expected, this is a %s",
                         S_ISDIR(mode)    ? "folder"
                         : S_ISFIFO(mode) ? "pipe, which can be read only once"
                         : S_ISSOCK(mode) ? "socket"
                                          : "device");
    int fd = open(path, O_RDONLY | O_CLOEXEC | (S_ISFIFO(mode) ? O_NONBLOCK : 0));
    if (fd < 0)
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot open: %s", strerror(errno));
    return fd;
}

static int open_bytes(struct source *source, const char *path, bool listed, struct error *err)
{
    static const struct source_ops ops = {read_file, close_file};
    struct stat status;
    int fd = open_file(path, listed, &status, err);
    if (fd < 0)
        return -1;
    struct source_file *file = malloc(sizeof *file);
    if (file == NULL) {
        close(fd);
        return error_no_memory_for(err, ERROR_TRACE, path);
    }
    file->fd = fd;
    file->ready = 0;
    if (source_open_stream(source, path, &ops, file, err) != 0)
        return -1;
    if (S_ISREG(status.st_mode))
        source->fd = fd;
    else if (wait_for_writer(source, err) != 0) {
        source_finish(source);
        return -1;
    }
    return 0;
}

/* ---- readers ----------------------------------------------------------- */

/* Files that are compressed more often than this are refused. */
#define LAYERS_MOST 4

char reader_first(const struct source *source)
{
    const char *at = source->at;
    while (at < source->end && (scan_is_end(*at)))
        at++;
    return at < source->end ? *at : '\0';
}

static const struct trace_reader *find_reader(const struct source *source)
{
    for (const struct policy *const *policy = trace_readers; *policy != NULL; policy++) {
        const struct trace_reader *reader = (const struct trace_reader *)*policy;
        if (reader->probe(source))
            return reader;
    }
    return NULL;
}

static int not_recognised(const struct source *source, struct error *err)
{
    char names[POLICY_NAMES];
    if (reader_first(source) == '\0')
        return error_set(err, ERROR_TRACE, source->name, 0, 0,
                         "the file is empty: %s is expected",
                         source->expected != NULL
                             ? source->expected
                             : "a kernel trace, a list of launches or a packed workload");
    if (source->expected != NULL)
        return error_set(err, ERROR_TRACE, source->name, 0, 0,
                         "%s is expected: the file has other binary data", source->expected);
    return error_set(err, ERROR_TRACE, source->name, 0, 0,
                     "no reader recognises this file as %s",
                     policy_names(trace_readers, names, sizeof names));
}

/* Asks the readers until there is nothing more to unpack. On error SOURCE is finished. */
static int recognise(struct source *source, struct error *err)
{
    int rc = 0;
    for (int layer = 0; layer < LAYERS_MOST && rc == 0; layer++) {
        rc = source_peek(source, READER_PROBE, err);
        source->reader = rc == 0 ? find_reader(source) : NULL;
        if (rc == 0 && source->reader == NULL)
            rc = not_recognised(source, err);
        else if (rc == 0 && source->reader->seeks && source->fd < 0)
            rc = error_set(err, ERROR_TRACE, source->name, 0, 0,
                           "%s cannot be read from a pipe or compressed: write it to a file as "
                           "it is",
                           source->reader->policy.description);
        if (rc == 0 && source->reader->open == NULL)
            return 0;
        if (rc == 0 && source->reader->open(source, err) != 0)
            return -1;
    }
    if (rc == 0)
        error_set(err, ERROR_TRACE, source->name, 0, 0, "it is compressed more than %d times",
                  LAYERS_MOST - 1);
    source_finish(source);
    return -1;
}

static int open_path(struct source *source, const char *path, bool listed, const char *expected,
                     struct error *err)
{
    *source = (struct source){0};
    if (open_bytes(source, path, listed, err) != 0)
        return -1;
    source->expected = expected;
    return recognise(source, err);
}

int source_open(struct source *source, const char *path, struct error *err)
{
    return open_path(source, path, false, NULL, err);
}

int source_open_expected(struct source *source, const char *path, const char *expected,
                         struct error *err)
{
    return open_path(source, path, false, expected, err);
}

int source_open_listed(struct source *source, const char *path, struct error *err)
{
    char *other = source_other_name(path);
    int rc = open_path(source, other != NULL ? other : path, true, NULL, err);
    free(other);
    return rc;
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
    source->moved |= source->at > source->buffer;
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
