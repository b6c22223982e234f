/* hearth trace memonly: what touches memory. */
#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {TRACE_OUTPUT, TRACE_TO("text"), TRACE_LAUNCHES(false),
                                          TRACE_LEVEL,  TRACE_EACH,       TRACE_MEMORY,
                                          TRACE_FORCE,  TRACE_QUIET};

static const struct cli_command command = {
    "hearth trace memonly",
    "WORKLOAD -o PATH [OPTION]...",
    "Writes the launches of a workload as kernel-mem-<id>.traceg, with only the\n"
    "instructions that touch memory (global, local, shared, generic, atomic) and EXIT:\n"
    "the memory-only traces of J. Sys's thesis on cold starts (Ghent University, 2024).",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

static int memonly(void *data, char **operands, struct error *err)
{
    return trace_output_copy(data, operands[0], &(struct trace_copy){.memory_only = true},
                             TRACE_FORM_TEXT, err);
}

int trace_memonly(int argc, char **argv, struct error *err)
{
    struct trace_output_options options = {0};
    return cli_run(&command, argc, argv, &options, memonly, err);
}
