/* Sources of files: what a file is, the readers say. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/base/files/path_guess.h"
#include "traces/readers/reader.h"
#include "traces/text/scan.h"
#include "traces/text/source.h"

#define BLOCK_SIZE 65536

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
bool source_other_name(const char *path, char other[PATH_MAX])
{
    static const char *const suffixes[] = {".xz", ".gz", ".zst", ".bz2"};
    if (access(path, F_OK) == 0 || errno != ENOENT)
        return false;
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        bool has = length > n && strcmp(path + length - n, suffixes[i]) == 0;
        int written = snprintf(other, PATH_MAX, "%.*s%s", (int)(has ? length - n : length),
                               path, has ? "" : suffixes[i]);
        if (written < PATH_MAX && access(other, F_OK) == 0)
            return true;
    }
    return false;
}

/* Opens a file whose bytes can be read. */
static int open_file(const char *path, bool listed, struct stat *status, struct error *err)
{
    if (stat(path, status) != 0)
        /* Files that a list names have neighbours with similar names. */
        return path_guess_fail(path, listed ? NULL : path, NULL, err);
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
    if (reader_first(source) == '\0' && source->end - source->at >= READER_PROBE)
        return error_set(err, ERROR_TRACE, source->name, 0, 0,
                         "the file begins with more than %d KiB of blank lines",
                         READER_PROBE / 1024);
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

int source_open_any(struct source *source, const char *name, const struct source_ops *ops,
                    void *stream, struct error *err)
{
    *source = (struct source){0};
    return source_open_stream(source, name, ops, stream, err) == 0 ? recognise(source, err)
                                                                   : -1;
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
    char other[PATH_MAX];
    return open_path(source, source_other_name(path, other) ? other : path, true, NULL, err);
}
