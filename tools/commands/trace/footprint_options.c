#include "tools/commands/trace/footprint_options.h"

#include "tools/commands/trace/trace.h"

#define AT(member) CLI_AT(struct footprint_options, member)

static const struct cli_option table[] = {
    {'o', "output", "FILE.csv",
     "write a CSV row a launch to FILE.csv, and to FILE.sources.csv whom "
     "its sectors come from",
     CLI_TEXT, AT(output)},
    {0, "launches", "LIST",
     "show these launches, as 1,5-9; what stands before them is read too", CLI_RANGES,
     AT(launches)},
    {0, "l2", "MIB",
     "size of the cache for the column \"back\"; an RTX 3070's L2 has 4; "
     "0: no limit",
     CLI_DECIMAL, AT(l2), 0, 1 << 20, .initial = "4"},
    {0, "percentile", "P", "share of reused sectors that \"back\" launches cover", CLI_DECIMAL,
     AT(limits.percentile), 0, 100, .above = true, .initial = "99"},
    {0, "resident", "BLOCKS",
     "thread blocks on the GPU at a time, which share local memory with those "
     "that come after them",
     CLI_WHOLE, AT(resident), .otherwise = "all of a launch"},
    {'f', "force", NULL, "replace an output that exists", CLI_FLAG, AT(force)},
    {'q', "quiet", NULL, "no table", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth trace footprint",
    "WORKLOAD [-o FILE.csv] [OPTION]...",
    "Counts the 128-byte lines, 32-byte sectors and addresses of global and local\n"
    "memory that each launch touches; the share of its addresses that the next and the\n"
    "previous launch touch (forward and backward reuse); and which launch or copy\n"
    "touched its sectors last: the one before (last), others (older), copies, or nobody\n"
    "(new). \"back\" is how many launches before it bring what a cache can hold of that.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

int footprint_options_parse(struct footprint_options *options, int argc, char **argv,
                            struct error *err)
{
    char **operands;
    *options = (struct footprint_options){.limits.copies_fill = true};
    int result = cli_read(&command, argc, argv, options, &operands, err);
    if (result != 0)
        return result;
    options->limits.capacity = (uint64_t)(options->l2 * (1 << 20) / TRACE_LINE_BYTES);
    if (options->l2 > 0 && options->limits.capacity == 0)
        options->limits.capacity = 1;
    options->workload = operands[0];
    return 0;
}

void footprint_options_finish(struct footprint_options *options)
{
    cli_finish(&command, options);
}
