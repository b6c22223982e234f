/* hearth trace group: raw traces by thread block. */
#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {
    TRACE_OUTPUT, {TRACE_OPTION_TO, "to", "FORM", "packed or text (default: text)"},
    TRACE_LEVEL,  TRACE_EACH,
    TRACE_MEMORY, TRACE_FORCE,
};

static const struct cli_command command = {
    "hearth trace group",
    "WORKLOAD -o PATH [OPTION]...",
    "Groups the raw traces of a workload (a folder with kernelslist, a list or one\n"
    "trace file) by thread block and warp, as the tracer's post-processing does, in\n"
    "bounded memory. Traces that are grouped already are copied.",
    table,
    sizeof table / sizeof table[0],
};

static int group(const struct trace_output_options *options, struct error *err)
{
    struct trace_workload *workload = trace_open(options->source, err);
    if (workload == NULL)
        return -1;
    const struct trace_copy all = {0};
    int rc = trace_output_copy(options, workload, &all, false, err);
    trace_workload_destroy(workload);
    return rc;
}

int trace_group(int argc, char **argv, struct error *err)
{
    struct trace_output_options options;
    int rc = trace_output_parse(&options, &command, argc, argv, err);
    if (rc == 0 && !options.done)
        rc = group(&options, err);
    trace_output_finish(&options);
    return rc;
}
