/* hearth trace cut: some launches of a workload. */
#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {
    {TRACE_OPTION_LAUNCHES, "launches", "LIST", "these launches, as 1,5-9"},
    TRACE_OUTPUT,
    {TRACE_OPTION_TO, "to", "FORM", "packed or text (default: as the workload is)"},
    TRACE_LEVEL,
    TRACE_EACH,
    TRACE_MEMORY,
    TRACE_FORCE,
};

static const struct cli_command command = {
    "hearth trace cut",
    "WORKLOAD --launches LIST -o PATH [OPTION]...",
    "Writes a workload with some of the launches of another; copies and all other\n"
    "lines of the list stay.",
    table,
    sizeof table / sizeof table[0],
};

static int cut(const struct trace_output_options *options, struct error *err)
{
    if (!options->choose)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "trace cut: no --launches");
    struct trace_workload *workload = trace_open(options->source, err);
    if (workload == NULL)
        return -1;
    const struct trace_copy all = {0};
    int rc = trace_output_copy(options, workload, &all, workload->store != NULL, err);
    trace_workload_destroy(workload);
    return rc;
}

int trace_cut(int argc, char **argv, struct error *err)
{
    struct trace_output_options options;
    int rc = trace_output_parse(&options, &command, argc, argv, err);
    if (rc == 0 && !options.done)
        rc = cut(&options, err);
    trace_output_finish(&options);
    return rc;
}
