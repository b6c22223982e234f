/* hearth trace convert: text to packed and back. */
#include <string.h>
#include <unistd.h>

#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {TRACE_OUTPUT, TRACE_TO,     TRACE_LEVEL,
                                          TRACE_EACH,   TRACE_MEMORY, TRACE_FORCE};

static const struct cli_command command = {
    "hearth trace convert",
    "WORKLOAD -o PATH [OPTION]...",
    "Packs a workload of text (a folder with kernelslist.g, a list or one trace file)\n"
    "into one file, or writes the text of a packed one to a folder, equal to the line.\n"
    "Raw traces are grouped. \"-\" reads a packed workload from standard input.",
    table,
    sizeof table / sizeof table[0],
};

static int convert_stream(const struct trace_output_options *options, struct error *err)
{
    size_t launches;
    bool whole;
    struct trace_writer *writer = trace_output_open(options, false, err);
    if (writer == NULL)
        return -1;
    int rc =
        trace_writer_stream(writer, STDIN_FILENO, "standard input", &launches, &whole, err);
    if (rc == 0)
        rc = trace_writer_end(writer, err);
    if (rc == 0 && !whole)
        fprintf(stderr,
                "hearth: note: the packed workload was not written to its end; it has %zu "
                "whole launches\n",
                launches);
    trace_writer_destroy(writer);
    return rc;
}

static int convert(const struct trace_output_options *options, struct error *err)
{
    if (strcmp(options->source, "-") == 0)
        return convert_stream(options, err);
    struct trace_workload *workload = trace_open(options->source, err);
    if (workload == NULL)
        return -1;
    const struct trace_copy all = {0};
    int rc = trace_output_copy(options, workload, &all, workload->store == NULL, err);
    trace_workload_destroy(workload);
    return rc;
}

int trace_convert(int argc, char **argv, struct error *err)
{
    struct trace_output_options options;
    int rc = trace_output_parse(&options, &command, argc, argv, err);
    if (rc == 0 && !options.done)
        rc = convert(&options, err);
    trace_output_finish(&options);
    return rc;
}
