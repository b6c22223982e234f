#include "traces/write/sink_file.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define BUFFER_SIZE (1u << 18)
#define LEVEL       3 /* of zstd */
#define XZ_PRESET   1

static int failed(const struct sink_file *file, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, file->output.path, 0, 0, "cannot write: %s",
                     strerror(errno));
}

const char *sink_file_suffix(enum trace_compression compression)
{
    static const char *const suffixes[] = {
        [TRACE_PLAIN] = "", [TRACE_ZST] = ".zst", [TRACE_XZ] = ".xz"};
    return suffixes[compression];
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

int sink_file_init(struct sink_file *file, enum trace_compression compression,
                   struct error *err)
{
    *file = (struct sink_file){
        .compression = compression, .size = BUFFER_SIZE, .buffer = malloc(BUFFER_SIZE)};
    if (file->buffer != NULL && (compression != TRACE_ZST || make_zstd(file)))
        return 0;
    sink_file_finish(file);
    return error_no_memory_for(err, ERROR_OUTPUT, NULL);
}

/* ---- writing ----------------------------------------------------------- */

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
            return error_set(err, ERROR_OUTPUT, file->output.path, 0, 0, "%s",
                             ZSTD_getErrorName(left));
        if (write_all(file, file->buffer, out.pos, err) != 0)
            return -1;
    } while (mode == ZSTD_e_end ? left > 0 : in.pos < in.size);
    return 0;
}

int sink_file_flush(struct sink_file *file, struct error *err)
{
    size_t used = file->used;
    file->used = 0;
    return write_all(file, file->buffer, used, err);
}

static int put_plain(struct sink_file *file, const void *data, size_t size, struct error *err)
{
    if (size > file->size - file->used && sink_file_flush(file, err) != 0)
        return -1;
    if (size > file->size)
        return write_all(file, data, size, err);
    if (size > 0) /* else there may be no data */
        memcpy(file->buffer + file->used, data, size);
    file->used += size;
    return 0;
}

/* ---- xz ---------------------------------------------------------------- */

static void free_xz(struct sink_file *file)
{
    if (file->xz != NULL)
        lzma_end(file->xz);
    free(file->xz);
    file->xz = NULL;
}

static int open_xz(struct sink_file *file, struct error *err)
{
    static const lzma_stream empty = LZMA_STREAM_INIT;
    file->xz = malloc(sizeof *file->xz);
    if (file->xz == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    *file->xz = empty;
    if (lzma_easy_encoder(file->xz, XZ_PRESET, LZMA_CHECK_CRC64) == LZMA_OK)
        return 0;
    return error_no_memory_for(err, ERROR_OUTPUT, NULL);
}

/* MODE is LZMA_RUN, or LZMA_FINISH behind the last bytes. */
static int put_xz(struct sink_file *file, const void *data, size_t size, lzma_action mode,
                  struct error *err)
{
    lzma_stream *xz = file->xz;
    lzma_ret rc = LZMA_OK;
    xz->next_in = data;
    xz->avail_in = size;
    while (mode == LZMA_FINISH ? rc != LZMA_STREAM_END : xz->avail_in > 0) {
        xz->next_out = (uint8_t *)file->buffer;
        xz->avail_out = file->size;
        rc = lzma_code(xz, mode);
        if (rc != LZMA_OK && rc != LZMA_STREAM_END)
            return error_set(err, ERROR_OUTPUT, file->output.path, 0, 0,
                             "cannot be compressed by xz");
        if (write_all(file, file->buffer, file->size - xz->avail_out, err) != 0)
            return -1;
    }
    return 0;
}

/* ---- all --------------------------------------------------------------- */

void sink_file_drop(struct sink_file *file)
{
    free_xz(file);
    output_file_finish(&file->output);
}

static int open_direct(struct sink_file *file, const char *path, struct error *err)
{
    file->output = (struct output_file){.path = strdup(path)};
    if (file->output.path == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    file->output.file = output_file_create(path);
    return file->output.file != NULL ? 0 : failed(file, err);
}

int sink_file_open(struct sink_file *file, const char *path, bool direct, struct error *err)
{
    sink_file_drop(file);
    file->used = 0;
    if (file->zstd != NULL)
        ZSTD_CCtx_reset(file->zstd, ZSTD_reset_session_only);
    int rc = direct ? open_direct(file, path, err)
                    : output_file_open(&file->output, path, NULL, true, err);
    file->fd = rc == 0 ? fileno(file->output.file) : -1;
    if (rc == 0 && file->compression == TRACE_XZ)
        rc = open_xz(file, err);
    if (rc != 0)
        sink_file_drop(file);
    return rc;
}

int sink_file_put(struct sink_file *file, const void *data, size_t size, struct error *err)
{
    switch (file->compression) {
    case TRACE_ZST:
        return compress(file, data, size, ZSTD_e_continue, err);
    case TRACE_XZ:
        return put_xz(file, data, size, LZMA_RUN, err);
    default:
        return put_plain(file, data, size, err);
    }
}

static int complete(struct sink_file *file, struct error *err)
{
    switch (file->compression) {
    case TRACE_ZST:
        return compress(file, NULL, 0, ZSTD_e_end, err);
    case TRACE_XZ:
        return put_xz(file, NULL, 0, LZMA_FINISH, err);
    default:
        return sink_file_flush(file, err);
    }
}

int sink_file_close(struct sink_file *file, struct error *err)
{
    int rc = complete(file, err);
    free_xz(file);
    if (rc == 0)
        rc = output_file_commit(&file->output, err);
    sink_file_drop(file);
    return rc;
}

void sink_file_finish(struct sink_file *file)
{
    sink_file_drop(file);
    ZSTD_freeCCtx(file->zstd);
    free(file->buffer);
    *file = (struct sink_file){0};
}
