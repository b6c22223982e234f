/* hearth trace memonly: what touches memory. */
#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {
    TRACE_OUTPUT,
    {TRACE_OPTION_TO, "to", "FORM", "packed or text (default: text)"},
    {TRACE_OPTION_LAUNCHES, "launches", "LIST", "only these launches, as 1,5-9"},
    TRACE_LEVEL,
    TRACE_EACH,
    TRACE_MEMORY,
    TRACE_FORCE,
};

static const struct cli_command command = {
    "hearth trace memonly",
    "WORKLOAD -o PATH [OPTION]...",
    "Writes the launches of a workload as kernel-mem-<id>.traceg, with only the\n"
    "instructions that touch memory (global, local, shared, generic, atomic) and EXIT:\n"
    "the memory-only traces of the thesis on cold starts.",
    table,
    sizeof table / sizeof table[0],
};

static int memonly(const struct trace_output_options *options, struct error *err)
{
    struct trace_workload *workload = trace_open(options->source, err);
    if (workload == NULL)
        return -1;
    const struct trace_copy memory = {.memory_only = true};
    int rc = trace_output_copy(options, workload, &memory, false, err);
    trace_workload_destroy(workload);
    return rc;
}

int trace_memonly(int argc, char **argv, struct error *err)
{
    struct trace_output_options options;
    int rc = trace_output_parse(&options, &command, argc, argv, err);
    if (rc == 0 && !options.done)
        rc = memonly(&options, err);
    trace_output_finish(&options);
    return rc;
}
