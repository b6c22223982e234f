/* Workloads as one packed file. */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/packed/exact.h"
#include "traces/writer.h"

struct packed_output {
    struct trace_writer writer;
    struct packed_writer *packed;
    FILE *file;
    char *part; /* where it is written; NULL for standard output */
};

static int write_line(struct trace_writer *writer, const char *text, struct error *err)
{
    struct packed_output *output = (struct packed_output *)writer;
    return packed_writer_line(output->packed, text, strlen(text), err);
}

static int write_launch(struct trace_writer *writer, const char *name, struct text *text,
                        struct error *err)
{
    struct packed_output *output = (struct packed_output *)writer;
    struct text_source lines;
    struct error inner = {0}, outer = {0};
    int rc = text_source_init(&lines, text, &inner);
    if (rc == 0) {
        rc = exact_pack(output->packed, name, &lines.source, &outer);
        text_source_finish(&lines);
    }
    if (rc != 0) { /* what the text says is the cause of what its reader says */
        const struct error *first = inner.kind != ERROR_NONE ? &inner : &outer;
        error_set(err, first->kind, NULL, 0, 0, "%s", first->text);
    }
    return rc;
}

static int failed(const struct packed_output *output, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, output->writer.path, 0, 0, "cannot write: %s",
                     strerror(errno));
}

static int end(struct trace_writer *writer, struct error *err)
{
    struct packed_output *output = (struct packed_output *)writer;
    if (packed_writer_end(output->packed, err) != 0)
        return -1;
    if (output->part == NULL)
        return 0;
    FILE *file = output->file;
    output->file = NULL;
    if (fclose(file) != 0 || rename(output->part, writer->path) != 0)
        return failed(output, err);
    return 0;
}

static void destroy(struct trace_writer *writer)
{
    struct packed_output *output = (struct packed_output *)writer;
    packed_writer_destroy(output->packed);
    if (output->part != NULL && output->file != NULL) {
        fclose(output->file);
        unlink(output->part); /* only what is killed leaves it */
    }
    free(output->part);
    free(output);
}

static int open_output(struct packed_output *output, struct error *err)
{
    const char *path = output->writer.path;
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return 0;
    }
    if (!output->writer.options.replace && access(path, F_OK) == 0)
        return error_set(err, ERROR_OUTPUT, path, 0, 0, "it exists already");
    if (asprintf(&output->part, "%s.part", path) < 0) {
        output->part = NULL;
        return error_set(err, ERROR_OUTPUT, path, 0, 0, "out of memory");
    }
    output->file = fopen(output->part, "wb");
    return output->file != NULL ? 0 : failed(output, err);
}

struct trace_writer *writer_create_packed(const char *path,
                                          const struct trace_writer_options *options,
                                          struct error *err)
{
    static const struct writer_ops ops = {write_line, write_launch, end, destroy};
    struct packed_output *output = calloc(1, sizeof *output);
    if (output == NULL || writer_init(&output->writer, &ops, path, options, err) != 0) {
        free(output);
        error_set(err, ERROR_OUTPUT, path, 0, 0, "out of memory");
        return NULL;
    }
    const struct packed_writer_options packed = {.level = options->level,
                                                 .launch_groups = options->launch_groups};
    if (open_output(output, err) == 0)
        output->packed = packed_writer_create(output->file, path, &packed, err);
    if (output->packed != NULL)
        return &output->writer;
    trace_writer_destroy(&output->writer);
    return NULL;
}
