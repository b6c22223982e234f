/* Workloads as a folder: a list and a file of grouped text for each launch. */
#define _GNU_SOURCE /* asprintf */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/files/output_file.h"
#include "traces/base/files/paths.h"
#include "traces/text/scan.h"
#include "traces/write/writer.h"

struct folder_output {
    struct trace_writer writer;
    struct output_file list;
    struct bytes code; /* of FUNCTIONS_FILE */
    bool made;         /* the folder was not there before */
};

static int failed(const char *path, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s", strerror(errno));
}

static int write_line(struct trace_writer *writer, const char *text, struct error *err)
{
    struct folder_output *output = (struct folder_output *)writer;
    return fprintf(output->list.file, "%s\n", text) < 0 ? failed(output->list.path, err) : 0;
}

/* ---- launches ---------------------------------------------------------- */

/* How a file is compressed by its name. */
static const struct {
    const char *suffix;
    int (*add)(struct archive *archive);
} filters[] = {
    {".xz", archive_write_add_filter_xz},
    {".gz", archive_write_add_filter_gzip},
    {".bz2", archive_write_add_filter_bzip2},
    {".zst", archive_write_add_filter_zstd},
};

static bool add_filter(struct archive *archive, const char *path)
{
    size_t length = strlen(path);
    bool good = true;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        size_t n = strlen(filters[i].suffix);
        if (length > n && strcmp(path + length - n, filters[i].suffix) == 0)
            good &= filters[i].add(archive) != ARCHIVE_FATAL; /* a warning: by a program */
    }
    return good;
}

/* libarchive's own text does not say why a write failed, and it has none without memory. */
static int archive_failed(const char *path, struct archive *archive, struct error *err)
{
    const char *why = archive_error_string(archive);
    int cause = why != NULL ? archive_errno(archive) : ENOMEM;
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s",
                     cause > 0 ? strerror(cause) : why);
}

static struct archive *open_archive(const struct output_file *output, struct error *err)
{
    const char *path = output->path;
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    bool ready = archive != NULL && entry != NULL &&
                 archive_write_set_format_raw(archive) == ARCHIVE_OK &&
                 add_filter(archive, path) &&
                 archive_write_set_bytes_in_last_block(archive, 1) == ARCHIVE_OK;
    if (ready) {
        archive_entry_set_filetype(entry, AE_IFREG);
        if (archive_write_open_fd(archive, fileno(output->file)) == ARCHIVE_OK &&
            archive_write_header(archive, entry) == ARCHIVE_OK) {
            archive_entry_free(entry);
            return archive;
        }
        archive_failed(path, archive, err);
    } else {
        error_no_memory_for(err, ERROR_OUTPUT, path); /* they fail for nothing else */
    }
    archive_entry_free(entry);
    if (archive != NULL)
        archive_write_free(archive);
    return NULL;
}

static int copy_text(struct archive *archive, const char *path, struct source *text,
                     struct error *err)
{
    const void *data;
    size_t size;
    int rc;
    while ((rc = source_read(text, &data, &size, err)) == 1) {
        for (const char *at = data; size > 0;) {
            la_ssize_t n = archive_write_data(archive, at, size);
            if (n <= 0)
                return archive_failed(path, archive, err);
            at += n;
            size -= (size_t)n;
        }
    }
    return rc;
}

/* Whether NAME stays inside the folder. */
static bool is_inside(const char *name)
{
    if (*name == '/' || *name == '\0')
        return false;
    for (const char *at = name; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return false;
    }
    return true;
}

static int write_file(const char *path, struct source *text, struct error *err)
{
    struct output_file output = {0};
    if (output_file_open(&output, path, NULL, true, err) != 0)
        return -1;
    struct archive *archive = open_archive(&output, err);
    int rc = archive != NULL ? copy_text(archive, path, text, err) : -1;
    if (archive != NULL && archive_write_close(archive) != ARCHIVE_OK && rc == 0)
        rc = archive_failed(path, archive, err);
    archive_write_free(archive);
    if (rc == 0)
        rc = output_file_commit(&output, err);
    output_file_finish(&output);
    return rc;
}

static int write_launch(struct trace_writer *writer, const char *name, struct source *text,
                        struct error *err)
{
    char *path;
    int length = (int)strlen(name);
    while (length > 0 && scan_is_blank(name[length - 1]))
        length--;
    if (asprintf(&path, "%s/%.*s", writer->path, length, name) < 0)
        return error_no_memory_for(err, ERROR_OUTPUT, writer->path);
    int rc = 0;
    if (!is_inside(path + strlen(writer->path) + 1))
        rc = error_set(err, ERROR_OUTPUT, writer->path, 0, 0,
                       "\"%s\" would be written outside of the folder", name);
    else if (paths_same_file(path, text->name))
        rc = error_set(err, ERROR_USAGE, path, 0, 0,
                       "this file is also read: the output needs another name");
    if (rc == 0)
        rc = paths_make_parent(path, err);
    if (rc == 0)
        rc = write_file(path, text, err);
    free(path);
    return rc == 0 ? write_line(writer, name, err) : rc;
}

/* ---- all --------------------------------------------------------------- */

static int write_code(struct trace_writer *writer, const void *text, size_t size,
                      struct error *err)
{
    struct bytes *code = &((struct folder_output *)writer)->code;
    if (code->size == 0)
        functions_print_head(code);
    bytes_put(code, text, size);
    return code->failed ? error_no_memory_for(err, ERROR_OUTPUT, writer->path) : 0;
}

static int commit_code(const char *path, const struct bytes *code, struct error *err)
{
    struct output_file file = {0};
    if (output_file_open(&file, path, NULL, true, err) != 0)
        return -1;
    int rc = fwrite(code->data, 1, code->size, file.file) == code->size ? 0 : failed(path, err);
    if (rc == 0)
        rc = output_file_commit(&file, err);
    output_file_finish(&file);
    return rc;
}

/* Writes the code, or removes that of a workload that is replaced. */
static int end_code(const struct folder_output *output, struct error *err)
{
    char *path = paths_join(output->writer.path, FUNCTIONS_FILE);
    if (path == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, output->writer.path);
    int rc = 0;
    if (output->code.size > 0)
        rc = commit_code(path, &output->code, err);
    else if (output->writer.options.replace)
        unlink(path);
    free(path);
    return rc;
}

static int end(struct trace_writer *writer, struct error *err)
{
    struct folder_output *output = (struct folder_output *)writer;
    return end_code(output, err) == 0 ? output_file_commit(&output->list, err) : -1;
}

static void destroy(struct trace_writer *writer)
{
    struct folder_output *output = (struct folder_output *)writer;
    output_file_finish(&output->list);
    bytes_finish(&output->code);
    if (output->made)
        rmdir(output->writer.path); /* if nothing was written */
    free(output);
}

static int open_output(struct folder_output *output, struct error *err)
{
    const struct trace_writer *writer = &output->writer;
    char *path;
    if (strcmp(writer->path, "-") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: text is written to a folder, not to standard output");
    output->made = access(writer->path, F_OK) != 0;
    if (paths_make_folder(writer->path, err) != 0)
        return -1;
    if ((path = paths_join(writer->path, "kernelslist.g")) == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, writer->path);
    int rc = output_file_open(&output->list, path, NULL, writer->options.replace, err);
    free(path);
    return rc;
}

struct trace_writer *writer_create_folder(const char *path,
                                          const struct trace_writer_options *options,
                                          struct error *err)
{
    static const struct writer_ops ops = {write_line, write_launch, write_code, end, destroy};
    struct folder_output *output = calloc(1, sizeof *output);
    if (output == NULL || writer_init(&output->writer, &ops, path, options, err) != 0) {
        free(output);
        error_no_memory_for(err, ERROR_OUTPUT, path);
        return NULL;
    }
    if (open_output(output, err) == 0)
        return &output->writer;
    trace_writer_destroy(&output->writer);
    return NULL;
}
