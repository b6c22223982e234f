/* hearth trace synth: makes a synthetic workload. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/cli.h"
#include "tools/commands/command.h"
#include "tools/commands/trace/trace.h"
#include "traces/traces.h"

enum {
    OPTION_SCALE = CLI_OWN,
    OPTION_SEED,
    OPTION_ARCH,
    OPTION_TO,
    OPTION_LEVEL,
    OPTION_ZSTD,
    OPTION_DRY,
    OPTION_LIST
};

static const struct cli_option table[] = {
    {'o', "output", "PATH",
     "folder for kernelslist.g and a trace a launch, where kernelslist.g is\n"
     "written last; or a packed file, \"-\" for standard output"},
    {OPTION_TO, "to", "FORM", "text, a folder (the default), or packed, a file"},
    {OPTION_LEVEL, "level", "N", "of compression in packed files, 1 to 22 (default 19)"},
    {'f', "force", NULL, "replace a packed file that exists"},
    {OPTION_SCALE, "scale", "F", "size of the problem, 0.001 to 1000 (default: 1)"},
    {OPTION_SEED, "seed", "N", "of the data: graphs, matrices, samples (default: 1)"},
    {OPTION_ARCH, "arch", "SM", "sm_70, sm_75, sm_80, sm_86 or sm_90 (default: sm_86)"},
    {OPTION_ZSTD, "zstd", NULL, "compress the traces of a folder (.traceg.zst)"},
    {OPTION_DRY, "dry-run", NULL, "write nothing, only count"},
    {OPTION_LIST, "list", NULL, "print the workloads and what they are"},
    {'q', "quiet", NULL, "print nothing"},
};

static const struct cli_command command = {
    "hearth trace synth",
    "NAME -o PATH [--to packed] [--scale F] [--seed N] [--arch SM] [OPTION]...\n"
    "NAME --dry-run [--scale F] [--seed N] [--arch SM]\n"
    "--list",
    "Makes a workload that no GPU ran: code of the shape that nvcc makes of such\n"
    "kernels, and the addresses of the algorithm on generated data. The same\n"
    "arguments give the same bytes.",
    table,
    sizeof table / sizeof table[0],
};

struct synth_arguments {
    struct command_common common;
    struct trace_synth_options options;
    struct trace_writer_options packed; /* where `to_packed` */
    bool to_packed, zstd, dry, list;
};

static int read_scale(struct synth_arguments *arguments, const char *value, struct error *err)
{
    char *end;
    arguments->options.scale = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(arguments->options.scale))
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--scale \"%s\": expected a number",
                         value);
    return 0;
}

static int read_seed(struct synth_arguments *arguments, const char *value, struct error *err)
{
    char *end;
    errno = 0;
    arguments->options.seed = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--seed \"%s\": expected a number from 0 to 18446744073709551615",
                         value);
    return 0;
}

static int read_form(struct synth_arguments *arguments, const char *value, struct error *err)
{
    arguments->to_packed = strcmp(value, "packed") == 0;
    if (!arguments->to_packed && strcmp(value, "text") != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--to %s: expected packed or text",
                         value);
    return 0;
}

static int read_level(struct synth_arguments *arguments, const char *value, struct error *err)
{
    char *end;
    long level = strtol(value, &end, 10);
    if (end == value || *end != '\0' || level < 1 || level > 22)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--level %s: expected a number from 1 to 22", value);
    arguments->packed.level = (int)level;
    return 0;
}

static int take(struct synth_arguments *arguments, int id, const char *value, struct error *err)
{
    if (command_take(&command, &arguments->common, id, value))
        return 0;
    switch (id) {
    case OPTION_SCALE:
        return read_scale(arguments, value, err);
    case OPTION_SEED:
        return read_seed(arguments, value, err);
    case OPTION_ARCH:
        arguments->options.arch = value;
        return 0;
    case OPTION_TO:
        return read_form(arguments, value, err);
    case OPTION_LEVEL:
        return read_level(arguments, value, err);
    case OPTION_ZSTD:
        arguments->zstd = true;
        return 0;
    case OPTION_DRY:
        arguments->dry = true;
        return 0;
    case OPTION_LIST:
        arguments->list = true;
        return 0;
    default:
        return -1;
    }
}

static int list(void)
{
    const char *name, *description;
    for (size_t i = 0; (name = trace_synth_name(i, &description)) != NULL; i++)
        printf("%-20s %s\n", name, description);
    return 0;
}

static void print_counts(const struct trace_sink_counts *counts, FILE *out)
{
    fprintf(out,
            "launches       %" PRIu64 " of %" PRIu64 " kernels\n"
            "warp insts     %" PRIu64 "\n"
            "thread insts   %" PRIu64 "\n"
            "copies         %" PRIu64 ", %.3f MiB\n"
            "footprint      %.3f MiB\n",
            counts->launches, counts->kernels, counts->warp_insts, counts->thread_insts,
            counts->copies, (double)counts->copy_bytes / (1 << 20),
            (double)counts->footprint / (1 << 20));
}

static struct trace_sink *create_sink(const struct synth_arguments *arguments,
                                      struct error *err)
{
    struct trace_writer_options packed = arguments->packed;
    packed.replace = arguments->common.force;
    if (arguments->to_packed)
        return trace_packed_sink_create(arguments->common.output, NULL, &packed, err);
    const struct trace_text_options text = {.compression =
                                                arguments->zstd ? TRACE_ZST : TRACE_PLAIN};
    return trace_text_sink_create(arguments->common.output, &text, err);
}

/* Makes the workload NAME; what writes, if anything, behind what counts. */
static int make(const struct synth_arguments *arguments, const char *name, struct error *err)
{
    struct trace_sink_counts counts;
    struct trace_sink *output = NULL, *count = NULL;
    int rc = -1;
    if (!arguments->dry) {
        output = create_sink(arguments, err);
        if (output == NULL)
            goto out;
    }
    count = trace_count_sink_create(&counts, output, err);
    if (count == NULL)
        goto out;
    rc = trace_synth(name, &arguments->options, count, err);
    if (rc == 0 && !arguments->common.quiet)
        print_counts(&counts, arguments->to_packed && strcmp(arguments->common.output, "-") == 0
                                  ? stderr
                                  : stdout);
out:
    trace_sink_destroy(count);
    trace_sink_destroy(output);
    return rc;
}

static int check(const struct synth_arguments *arguments, char **operands, struct error *err)
{
    if (operands[0] == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "trace synth: no workload; see hearth trace synth --help, or --list");
    if (operands[1] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "trace synth: one workload at a time, not \"%s\" too", operands[1]);
    if (arguments->common.output == NULL && !arguments->dry)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "trace synth: -o PATH or --dry-run is needed");
    if (arguments->to_packed && arguments->zstd)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "trace synth: --zstd is for folders; --to packed has --level");
    return 0;
}

int command_trace_synth(int argc, char **argv, struct error *err)
{
    struct synth_arguments arguments = {.options = {.scale = 1, .seed = 1, .arch = "sm_86"}};
    const char *value;
    int id;
    cli_begin();
    while ((id = cli_next(&command, argc, argv, &value, err)) >= 0)
        if (take(&arguments, id, value, err) != 0 || arguments.common.shown)
            return arguments.common.shown ? 0 : -1;
    if (arguments.list)
        return list();
    if (check(&arguments, argv + optind, err) != 0)
        return -1;
    return make(&arguments, argv[optind], err);
}
