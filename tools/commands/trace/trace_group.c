/* hearth trace group: raw traces by thread block. */
#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {TRACE_OUTPUT, TRACE_TO("text"), TRACE_LEVEL,
                                          TRACE_EACH,   TRACE_MEMORY,     TRACE_FORCE,
                                          TRACE_QUIET};

static const struct cli_command command = {
    "hearth trace group",
    "WORKLOAD -o PATH [OPTION]...",
    "Groups the raw traces of a workload (a folder with kernelslist, a list or one\n"
    "trace file) by thread block and warp, as the tracer's post-processing does, in\n"
    "bounded memory. Traces that are grouped already are copied.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

static int group(void *data, char **operands, struct error *err)
{
    return trace_output_copy(data, operands[0], &(struct trace_copy){0}, TRACE_FORM_TEXT, err);
}

int trace_group(int argc, char **argv, struct error *err)
{
    struct trace_output_options options = {0};
    return cli_run(&command, argc, argv, &options, group, err);
}
