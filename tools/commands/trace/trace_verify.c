/* hearth trace verify: finds errors in a workload. */
#include <inttypes.h>

#include "tools/commands/trace/trace.h"

struct verify_options {
    bool quiet;
};

static const struct cli_option table[] = {
    {'q', "quiet", NULL, "only errors: no notes, no summary", CLI_FLAG,
     CLI_AT(struct verify_options, quiet)},
};

static const struct cli_command command = {
    "hearth trace verify",
    "WORKLOAD [OPTION]...",
    "Reads all of a workload and prints a line for each thing that breaks readers\n"
    "(wrong counts, missing blocks and ends, damaged sections, malformed lines of the\n"
    "list ...) or is worth a note (unknown opcodes, repeated ids, lanes that go on after\n"
    "EXIT). Exit code 3 if there is any error.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

static void print_finding(void *data, const struct trace_finding *finding)
{
    const struct verify_options *options = data;
    if (finding->error || !options->quiet)
        puts(finding->text);
}

static int verify(void *data, char **operands, struct error *err)
{
    const struct verify_options *options = data;
    struct trace_verify verify = {.found = print_finding, .data = data};
    if (trace_verify_workload(operands[0], &verify, err) != 0)
        return -1;
    if (!options->quiet)
        printf("%s: %" PRIu64 " launches, %" PRIu64 " thread blocks, %" PRIu64
               " warp instructions: %" PRIu64 " errors, %" PRIu64 " notes\n",
               operands[0], verify.launches, verify.blocks, verify.records, verify.errors,
               verify.notes);
    return verify.errors > 0 ? ERROR_TRACE : 0;
}

int trace_verify(int argc, char **argv, struct error *err)
{
    struct verify_options options = {0};
    return cli_run(&command, argc, argv, &options, verify, err);
}
