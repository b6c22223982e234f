#include "traces/write/sink_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define BUFFER_SIZE (1u << 18)
#define LEVEL       3

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
    memcpy(file->buffer + file->used, data, size);
    file->used += size;
    return 0;
}

/* ---- xz, by libarchive ------------------------------------------------- */

static int xz_failed(struct sink_file *file, struct error *err)
{
    const char *text = file->xz != NULL ? archive_error_string(file->xz) : NULL;
    return error_set(err, ERROR_OUTPUT, file->output.path, 0, 0, "%s",
                     text != NULL ? text : "cannot be compressed by xz");
}

static int open_xz(struct sink_file *file, struct error *err)
{
    struct archive_entry *entry = archive_entry_new();
    file->xz = archive_write_new();
    int rc = -1;
    if (file->xz != NULL && entry != NULL) {
        archive_entry_set_filetype(entry, AE_IFREG);
        if (archive_write_add_filter_xz(file->xz) == ARCHIVE_OK &&
            archive_write_set_filter_option(file->xz, "xz", "compression-level", "1") ==
                ARCHIVE_OK &&
            archive_write_set_format_raw(file->xz) == ARCHIVE_OK &&
            archive_write_set_bytes_in_last_block(file->xz, 1) == ARCHIVE_OK &&
            archive_write_open_fd(file->xz, file->fd) == ARCHIVE_OK &&
            archive_write_header(file->xz, entry) == ARCHIVE_OK)
            rc = 0;
    }
    archive_entry_free(entry);
    return rc == 0 ? 0 : xz_failed(file, err);
}

static int put_xz(struct sink_file *file, const char *data, size_t size, struct error *err)
{
    while (size > 0) {
        la_ssize_t n = archive_write_data(file->xz, data, size);
        if (n <= 0)
            return xz_failed(file, err);
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

static void free_xz(struct sink_file *file)
{
    if (file->xz != NULL)
        archive_write_free(file->xz);
    file->xz = NULL;
}

/* ---- all --------------------------------------------------------------- */

static void drop(struct sink_file *file)
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
    file->used = 0;
    if (file->zstd != NULL)
        ZSTD_CCtx_reset(file->zstd, ZSTD_reset_session_only);
    int rc = direct ? open_direct(file, path, err)
                    : output_file_open(&file->output, path, NULL, true, err);
    file->fd = rc == 0 ? fileno(file->output.file) : -1;
    if (rc == 0 && file->compression == TRACE_XZ)
        rc = open_xz(file, err);
    if (rc != 0)
        drop(file);
    return rc;
}

int sink_file_put(struct sink_file *file, const void *data, size_t size, struct error *err)
{
    switch (file->compression) {
    case TRACE_ZST:
        return compress(file, data, size, ZSTD_e_continue, err);
    case TRACE_XZ:
        return put_xz(file, data, size, err);
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
        return archive_write_close(file->xz) == ARCHIVE_OK ? 0 : xz_failed(file, err);
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
    drop(file);
    return rc;
}

void sink_file_finish(struct sink_file *file)
{
    drop(file);
    ZSTD_freeCCtx(file->zstd);
    free(file->buffer);
    *file = (struct sink_file){0};
}
