/* hearth trace verify: what is wrong with a workload. */
#include <inttypes.h>

#include "tools/commands/trace/trace.h"

static const struct cli_option table[] = {
    {'q', "quiet", NULL, "only errors: no notes, no summary"},
};

static const struct cli_command command = {
    "hearth trace verify",
    "WORKLOAD [OPTION]...",
    "Reads all of a workload and prints a line for each thing that breaks readers\n"
    "(wrong counts, missing blocks and ends, damaged sections ...) or is worth a note\n"
    "(unknown opcodes, repeated ids, lanes that go on after EXIT). Exit code 3 if there\n"
    "is any error.",
    table,
    sizeof table / sizeof table[0],
};

static void print_finding(void *data, const struct trace_finding *finding)
{
    const bool *quiet = data;
    if (finding->error || !*quiet)
        puts(finding->text);
}

static int verify(const char *path, bool quiet, struct error *err)
{
    struct trace_verify verify = {.found = print_finding, .data = &quiet};
    if (trace_verify_workload(path, &verify, err) != 0)
        return -1;
    if (!quiet)
        printf("%s: %" PRIu64 " launches, %" PRIu64 " thread blocks, %" PRIu64
               " warp instructions: %" PRIu64 " errors, %" PRIu64 " notes\n",
               path, verify.launches, verify.blocks, verify.records, verify.errors,
               verify.notes);
    return verify.errors > 0 ? ERROR_TRACE : 0;
}

int trace_verify(int argc, char **argv, struct error *err)
{
    const char *path;
    bool quiet;
    if (trace_parse_one(&command, argc, argv, &path, &quiet, err) < 0)
        return -1;
    return path != NULL ? verify(path, quiet, err) : 0;
}
