#include "traces/sink_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define BUFFER_SIZE (1u << 18)
#define LEVEL       3

static int failed(const struct sink_file *file, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, file->path, 0, 0, "%s", strerror(errno));
}

/* One worker always: the bytes must not depend on the number of threads. */
static bool make_zstd(struct sink_file *file)
{
    file->zstd = ZSTD_createCCtx();
    return file->zstd != NULL &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_compressionLevel, LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_checksumFlag, 1)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_nbWorkers, 1));
}

int sink_file_init(struct sink_file *file, bool compressed, struct error *err)
{
    *file = (struct sink_file){.size = BUFFER_SIZE, .buffer = malloc(BUFFER_SIZE)};
    if (file->buffer != NULL && (!compressed || make_zstd(file)))
        return 0;
    sink_file_finish(file);
    return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "out of memory");
}

int sink_file_open(struct sink_file *file, const char *path, struct error *err)
{
    file->used = 0;
    if (file->zstd != NULL)
        ZSTD_CCtx_reset(file->zstd, ZSTD_reset_session_only);
    file->path = strdup(path);
    if (file->path == NULL)
        return error_set(err, ERROR_OUTPUT, path, 0, 0, "out of memory");
    file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file->fd >= 0)
        return 0;
    failed(file, err);
    free(file->path);
    file->path = NULL;
    return -1;
}

static int write_all(struct sink_file *file, const char *data, size_t size, struct error *err)
{
    while (size > 0) {
        ssize_t n = write(file->fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(file, err);
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

static int compress(struct sink_file *file, const void *data, size_t size,
                    ZSTD_EndDirective mode, struct error *err)
{
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {file->buffer, file->size, 0};
        left = ZSTD_compressStream2(file->zstd, &out, &in, mode);
        if (ZSTD_isError(left))
            return error_set(err, ERROR_OUTPUT, file->path, 0, 0, "%s",
                             ZSTD_getErrorName(left));
        if (write_all(file, file->buffer, out.pos, err) != 0)
            return -1;
    } while (mode == ZSTD_e_end ? left > 0 : in.pos < in.size);
    return 0;
}

static int flush(struct sink_file *file, struct error *err)
{
    size_t used = file->used;
    file->used = 0;
    return write_all(file, file->buffer, used, err);
}

int sink_file_put(struct sink_file *file, const void *data, size_t size, struct error *err)
{
    if (file->zstd != NULL)
        return compress(file, data, size, ZSTD_e_continue, err);
    if (size > file->size - file->used && flush(file, err) != 0)
        return -1;
    if (size > file->size)
        return write_all(file, data, size, err);
    memcpy(file->buffer + file->used, data, size);
    file->used += size;
    return 0;
}

int sink_file_close(struct sink_file *file, struct error *err)
{
    int rc = file->zstd != NULL ? compress(file, NULL, 0, ZSTD_e_end, err) : flush(file, err);
    if (close(file->fd) != 0 && rc == 0)
        rc = failed(file, err);
    free(file->path);
    file->path = NULL;
    return rc;
}

void sink_file_finish(struct sink_file *file)
{
    if (file->path != NULL)
        close(file->fd);
    ZSTD_freeCCtx(file->zstd);
    free(file->buffer);
    free(file->path);
    *file = (struct sink_file){0};
}
