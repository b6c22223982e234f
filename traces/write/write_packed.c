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

static int write_launch(struct trace_writer *writer, const char *name, struct source *text,
                        struct error *err)
{
    struct packed_file_writer *output = (struct packed_file_writer *)writer;
    return pack_text(output->file.writer, name, text, err);
}

static int write_code(struct trace_writer *writer, const void *text, size_t size,
                      struct error *err)
{
    struct packed_file_writer *output = (struct packed_file_writer *)writer;
    return packed_writer_functions(output->file.writer, text, size, err);
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
    static const struct writer_ops ops = {write_line, write_launch, write_code, end, destroy};
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
