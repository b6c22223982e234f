/* hearth trace cut: some launches of a workload. */
#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {
    TRACE_LAUNCHES(true), TRACE_OUTPUT, TRACE_TO("as the workload is"),
    TRACE_LEVEL,          TRACE_EACH,   TRACE_MEMORY,
    TRACE_FORCE,          TRACE_QUIET};

static const struct cli_command command = {
    "hearth trace cut",
    "WORKLOAD --launches LIST -o PATH [OPTION]...",
    "Writes a workload with some of the launches of another; copies and all other\n"
    "lines of the list are kept.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

static int cut(void *data, char **operands, struct error *err)
{
    return trace_output_copy(data, operands[0], &(struct trace_copy){0}, TRACE_FORM_SAME, err);
}

int trace_cut(int argc, char **argv, struct error *err)
{
    struct trace_output_options options = {0};
    return cli_run(&command, argc, argv, &options, cut, err);
}
