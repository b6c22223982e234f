/* hearth trace convert: text to packed and back. */
#include <string.h>
#include <unistd.h>

#include "tools/commands/trace/trace.h"
#include "tools/run/notes.h"

static const struct cli_option table[] = {TRACE_OUTPUT, TRACE_TO("the other form"),
                                          TRACE_LEVEL,  TRACE_EACH,
                                          TRACE_MEMORY, TRACE_FORCE,
                                          TRACE_QUIET};

static const struct cli_command command = {
    "hearth trace convert",
    "WORKLOAD -o PATH [OPTION]...",
    "Packs a text workload (a folder with kernelslist.g, a list or one trace file)\n"
    "into one file, or writes the text of a packed one to a folder, line by line the same.\n"
    "Raw traces are grouped. \"-\" reads a packed workload from standard input.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
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
    if (rc == 0 && !whole && !options->quiet)
        notes_say("the packed workload was not written to its end; it has %zu whole launches",
                  launches);
    trace_writer_destroy(writer);
    return rc;
}

static int convert(void *data, char **operands, struct error *err)
{
    if (strcmp(operands[0], "-") == 0)
        return convert_stream(data, err);
    return trace_output_copy(data, operands[0], &(struct trace_copy){0}, TRACE_FORM_OTHER, err);
}

int trace_convert(int argc, char **argv, struct error *err)
{
    struct trace_output_options options = {0};
    return cli_run(&command, argc, argv, &options, convert, err);
}
