#include "tools/commands/trace/footprint_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>

#include "tools/commands/command.h"
#include "tools/commands/trace/trace.h"

/* The L2 of the RTX 3070, the default configuration. */
#define DEFAULT_L2_MIB     4
#define DEFAULT_PERCENTILE 99

enum { OPTION_L2 = CLI_OWN, OPTION_PERCENTILE, OPTION_RESIDENT, OPTION_LAUNCHES };

static const struct cli_option table[] = {
    {'o', "output", "FILE.csv",
     "write a CSV row a launch to FILE.csv, and to FILE.sources.csv whom\n"
     "its sectors come from"},
    {OPTION_LAUNCHES, "launches", "LIST",
     "show these launches, as 1,5-9; what stands before them is read too"},
    {OPTION_L2, "l2", "MIB",
     "size of the cache for the column \"back\" (default: 4, an RTX 3070's\n"
     "L2; 0: no limit)"},
    {OPTION_PERCENTILE, "percentile", "P",
     "share of reused sectors that \"back\" launches cover (default: 99)"},
    {OPTION_RESIDENT, "resident", "BLOCKS",
     "thread blocks on the GPU at a time, which share local memory with those\n"
     "that come after them (default: all of a launch)"},
    TRACE_FORCE,
    {'q', "quiet", NULL, "no table"},
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
};

static int read_number(const char *option, const char *value, double most, double *number,
                       struct error *err)
{
    char *end;
    *number = strtod(value, &end);
    if (end != value && *end == '\0' && isfinite(*number) && *number >= 0 && *number <= most)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "%s \"%s\": expected a number from 0 to %.0f", option, value, most);
}

static int read_l2(struct footprint_options *options, const char *value, struct error *err)
{
    double mib;
    if (read_number("--l2", value, 1 << 20, &mib, err) < 0)
        return -1;
    options->limits.capacity = (uint64_t)(mib * (1 << 20) / TRACE_LINE_BYTES);
    if (mib > 0 && options->limits.capacity == 0)
        options->limits.capacity = 1;
    return 0;
}

static int read_percentile(struct footprint_options *options, const char *value,
                           struct error *err)
{
    struct error ignored = {0};
    double *percentile = &options->limits.percentile;
    if (read_number("--percentile", value, 100, percentile, &ignored) < 0 || *percentile == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--percentile \"%s\": expected a number above 0, at most 100", value);
    return 0;
}

static int read_resident(struct footprint_options *options, const char *value,
                         struct error *err)
{
    char *end;
    errno = 0;
    options->resident = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--resident \"%s\": expected a whole number", value);
    return 0;
}

static int take(struct footprint_options *options, int id, const char *value, struct error *err)
{
    if (command_take(&command, &options->common, id, value))
        return 0;
    switch (id) {
    case OPTION_L2:
        return read_l2(options, value, err);
    case OPTION_PERCENTILE:
        return read_percentile(options, value, err);
    case OPTION_RESIDENT:
        return read_resident(options, value, err);
    case OPTION_LAUNCHES:
        ranges_finish(&options->ranges);
        options->choose = true;
        return ranges_init(&options->ranges, value, "--launches", NULL, 0, err);
    default:
        return -1;
    }
}

int footprint_options_parse(struct footprint_options *options, int argc, char **argv,
                            struct error *err)
{
    const char *value;
    int id;
    *options = (struct footprint_options){
        .limits = {.percentile = DEFAULT_PERCENTILE,
                   .capacity = ((uint64_t)DEFAULT_L2_MIB << 20) / TRACE_LINE_BYTES,
                   .copies_fill = true},
    };
    cli_begin();
    while ((id = cli_next(&command, argc, argv, &value, err)) >= 0)
        if (take(options, id, value, err) != 0 || options->common.shown)
            return options->common.shown ? 0 : -1;
    if (argv[optind] == NULL || argv[optind + 1] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "trace footprint takes one workload; see hearth trace footprint "
                         "--help");
    options->workload = argv[optind];
    return 0;
}

void footprint_options_finish(struct footprint_options *options)
{
    ranges_finish(&options->ranges);
}
