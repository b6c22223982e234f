/* Workloads as one packed file. */
#include <stdlib.h>
#include <string.h>

#include "traces/packed/output.h"
#include "traces/packed/text/pack_text.h"
#include "traces/write/writer.h"

struct packed_file_writer {
    struct trace_writer writer;
    struct packed_output file;
};

static int write_line(struct trace_writer *writer, const char *text, struct error *err)
{
    struct packed_file_writer *output = (struct packed_file_writer *)writer;
    return packed_writer_line(output->file.writer, text, strlen(text), err);
}

static int write_launch(struct trace_writer *writer, const char *name, struct text *text,
                        struct error *err)
{
    struct packed_file_writer *output = (struct packed_file_writer *)writer;
    struct text_source lines;
    struct error inner = {0}, outer = {0};
    int rc = text_source_init(&lines, text, &inner);
    if (rc == 0) {
        rc = pack_text(output->file.writer, name, &lines.source, &outer);
        text_source_finish(&lines);
    }
    if (rc != 0) { /* what the text says is the cause of what its reader says */
        const struct error *first = inner.kind != ERROR_NONE ? &inner : &outer;
        error_set(err, first->kind, NULL, 0, 0, "%s", first->text);
    }
    return rc;
}

static int end(struct trace_writer *writer, struct error *err)
{
    return packed_output_end(&((struct packed_file_writer *)writer)->file, err);
}

static void destroy(struct trace_writer *writer)
{
    packed_output_finish(&((struct packed_file_writer *)writer)->file);
    free(writer);
}

struct trace_writer *writer_create_packed(const char *path,
                                          const struct trace_writer_options *options,
                                          struct error *err)
{
    static const struct writer_ops ops = {write_line, write_launch, end, destroy};
    struct packed_file_writer *output = calloc(1, sizeof *output);
    if (output == NULL || writer_init(&output->writer, &ops, path, options, err) != 0) {
        free(output);
        error_no_memory_for(err, ERROR_OUTPUT, path);
        return NULL;
    }
    if (packed_output_init(&output->file, path, options, err) == 0)
        return &output->writer;
    trace_writer_destroy(&output->writer);
    return NULL;
}
