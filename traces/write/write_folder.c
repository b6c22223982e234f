/* Workloads as a folder: a list and a file of grouped text for each launch. */
#define _GNU_SOURCE /* asprintf */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/text/scan.h"
#include "traces/write/writer.h"

struct folder_output {
    struct trace_writer writer;
    FILE *list;
    char *list_part, *list_path;
};

static int failed(const char *path, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s", strerror(errno));
}

static int write_line(struct trace_writer *writer, const char *text, struct error *err)
{
    struct folder_output *output = (struct folder_output *)writer;
    return fprintf(output->list, "%s\n", text) < 0 ? failed(output->list_part, err) : 0;
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

static void add_filter(struct archive *archive, const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        size_t n = strlen(filters[i].suffix);
        if (length > n && strcmp(path + length - n, filters[i].suffix) == 0)
            filters[i].add(archive);
    }
}

static struct archive *open_archive(const char *path, struct error *err)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    if (archive != NULL && entry != NULL) {
        archive_write_set_format_raw(archive);
        add_filter(archive, path);
        archive_write_set_bytes_in_last_block(archive, 1);
        archive_entry_set_filetype(entry, AE_IFREG);
        if (archive_write_open_filename(archive, path) == ARCHIVE_OK &&
            archive_write_header(archive, entry) == ARCHIVE_OK) {
            archive_entry_free(entry);
            return archive;
        }
    }
    error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s",
              archive != NULL ? archive_error_string(archive) : "out of memory");
    archive_entry_free(entry);
    if (archive != NULL)
        archive_write_free(archive);
    return NULL;
}

static int copy_text(struct archive *archive, const char *path, struct text *text,
                     struct error *err)
{
    const void *data;
    size_t size;
    int rc;
    while ((rc = text_read(text, &data, &size, err)) == 1) {
        for (const char *at = data; size > 0;) {
            la_ssize_t n = archive_write_data(archive, at, size);
            if (n <= 0)
                return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s",
                                 archive_error_string(archive));
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

static int make_parents(char *path, size_t from, struct error *err)
{
    for (char *slash = strchr(path + from, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int rc = mkdir(path, 0777) != 0 && errno != EEXIST ? failed(path, err) : 0;
        *slash = '/';
        if (rc != 0)
            return rc;
    }
    return 0;
}

static int write_file(const char *path, struct text *text, struct error *err)
{
    struct archive *archive = open_archive(path, err);
    if (archive == NULL)
        return -1;
    int rc = copy_text(archive, path, text, err);
    if (archive_write_close(archive) != ARCHIVE_OK && rc == 0)
        rc = error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s",
                       archive_error_string(archive));
    archive_write_free(archive);
    if (rc != 0)
        unlink(path);
    return rc;
}

static int write_launch(struct trace_writer *writer, const char *name, struct text *text,
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
    else if (trace_same_file(path, text->name))
        rc = error_set(err, ERROR_USAGE, path, 0, 0,
                       "this file is read, too: the output needs another name");
    if (rc == 0)
        rc = make_parents(path, strlen(writer->path) + 1, err);
    if (rc == 0)
        rc = write_file(path, text, err);
    free(path);
    return rc == 0 ? write_line(writer, name, err) : rc;
}

/* ---- all --------------------------------------------------------------- */

static int end(struct trace_writer *writer, struct error *err)
{
    struct folder_output *output = (struct folder_output *)writer;
    FILE *list = output->list;
    output->list = NULL;
    if (fclose(list) != 0 || rename(output->list_part, output->list_path) != 0)
        return failed(output->list_path, err);
    return 0;
}

static void destroy(struct trace_writer *writer)
{
    struct folder_output *output = (struct folder_output *)writer;
    if (output->list != NULL) {
        fclose(output->list);
        unlink(output->list_part);
    }
    free(output->list_part);
    free(output->list_path);
    free(output);
}

static int open_output(struct folder_output *output, struct error *err)
{
    char *path = output->writer.path;
    if (asprintf(&output->list_path, "%s/kernelslist.g", path) < 0)
        output->list_path = NULL;
    if (asprintf(&output->list_part, "%s/kernelslist.g.part", path) < 0)
        output->list_part = NULL;
    if (output->list_path == NULL || output->list_part == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    if (make_parents(path, 1, err) != 0)
        return -1;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return failed(path, err);
    if (trace_output_check(output->list_path, output->writer.options.replace, err) != 0)
        return -1;
    output->list = fopen(output->list_part, "w");
    return output->list != NULL ? 0 : failed(output->list_part, err);
}

struct trace_writer *writer_create_folder(const char *path,
                                          const struct trace_writer_options *options,
                                          struct error *err)
{
    static const struct writer_ops ops = {write_line, write_launch, end, destroy};
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
