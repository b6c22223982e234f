/* hearth trace synth: makes a synthetic workload. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/commands/trace/trace.h"
#include "traces/synth/synth_workloads.h"
#include "traces/traces.h"

struct synth_arguments {
    const char *output;
    struct trace_synth_options options;
    const char **parameters;
    size_t parameter_count;
    const char *to; /* "packed" or "text" */
    int level;
    bool force, zstd, dry, quiet;
};

static void list_parameters(const char *workload)
{
    const char *name, *description;
    uint32_t initial, least, most;
    for (size_t i = 0; (name = trace_synth_parameter(workload, i, &description, &initial,
                                                     &least, &most)) != NULL;
         i++)
        printf("    %-16s %s (%" PRIu32 " to %" PRIu32 "; default: %" PRIu32 ")\n", name,
               description, least, most, initial);
}

static int list(char **operands, struct error *err)
{
    const char *name, *description;
    for (size_t i = 0; (name = trace_synth_name(i, &description)) != NULL; i++) {
        printf("%-20s %s\n", name, description);
        list_parameters(name);
    }
    return 0;
}

static void list_names(FILE *out)
{
    const char *name, *description;
    for (size_t i = 0; (name = trace_synth_name(i, &description)) != NULL; i++)
        fprintf(out, "\n%s: %s", name, description);
}

static void list_parameter_names(FILE *out)
{
    const char *workload, *name, *description;
    uint32_t initial, least, most;
    for (size_t w = 0; (workload = trace_synth_name(w, &description)) != NULL; w++)
        for (size_t i = 0; (name = trace_synth_parameter(workload, i, &description, &initial,
                                                         &least, &most)) != NULL;
             i++)
            fprintf(out, "\n%s=: of %s, %s", name, workload, description);
}

#define AT(member) CLI_AT(struct synth_arguments, member)

static const struct cli_option table[] = {
    {'o', "output", "PATH",
     "folder for kernelslist.g and a trace per launch; kernelslist.g is "
     "written last; or a packed file, \"-\" for standard output",
     CLI_TEXT, AT(output)},
    {0, "to", "FORM", "packed, a file, or text, a folder", CLI_CHOICE, AT(to),
     .choices = trace_form_names, .initial = "text"},
    {0, "level", "N", "of compression in packed files", CLI_WHOLE, AT(level), 1, 22,
     .initial = "19"},
    {'f', "force", NULL, "replace a packed file that exists", CLI_FLAG, AT(force)},
    {0, "scale", "F", "size of the problem", CLI_DECIMAL, AT(options.scale), 0.001, 1000,
     .initial = "1"},
    {0, "seed", "N", "of the data: graphs, matrices, samples", CLI_WHOLE, AT(options.seed),
     .initial = "1"},
    {0, "arch", "SM",
     "sm_70, sm_75, sm_80, sm_86 or sm_90; default: sm_86, or sm_90 for workloads that need it",
     CLI_TEXT, AT(options.arch)},
    {0, "parameter", "NAME=VALUE", "of the workload, as --list shows them; may be repeated",
     CLI_LIST, CLI_LIST_AT(struct synth_arguments, parameters, parameter_count),
     .values = list_parameter_names},
    {0, "zstd", NULL, "compress the traces of a folder (.traceg.zst)", CLI_FLAG, AT(zstd)},
    {0, "dry-run", NULL, "write nothing, only count", CLI_FLAG, AT(dry)},
    {0, "list", NULL, "print the workloads and what they are", CLI_SHOW, .show = list},
    {'q', "quiet", NULL, "print nothing", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth trace synth",
    "NAME -o PATH [--to packed] [--scale F] [--seed N] [--arch SM] [OPTION]...\n"
    "NAME --dry-run [--scale F] [--seed N] [--arch SM] [OPTION]...\n"
    "--list",
    "Makes a workload that no GPU ran: code of the shape that nvcc makes of such\n"
    "kernels, and the addresses of the algorithm on generated data. The same\n"
    "arguments give the same bytes.",
    table,
    sizeof table / sizeof table[0],
    .values = list_names,
};

static bool is_packed(const struct synth_arguments *arguments)
{
    return strcmp(arguments->to, "packed") == 0;
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

/* CODE: of a folder, set where the sink has it. */
static struct trace_sink *create_sink(const struct synth_arguments *arguments,
                                      struct trace_code_file **code, struct error *err)
{
    const struct trace_writer_options packed = {.level = arguments->level,
                                                .replace = arguments->force};
    if (is_packed(arguments))
        return trace_packed_sink_create(arguments->output, NULL, &packed, err);
    *code = trace_code_file_create(arguments->output, err);
    if (*code == NULL)
        return NULL;
    const struct trace_text_options text = {
        .compression = arguments->zstd ? TRACE_ZST : TRACE_PLAIN, .code = *code};
    return trace_text_sink_create(arguments->output, &text, err);
}

/* Makes the workload NAME; the sink that writes, if any, receives from the one that counts. */
static int make(const struct synth_arguments *arguments, const char *name, struct error *err)
{
    struct trace_sink_counts counts;
    struct trace_sink *output = NULL, *count = NULL;
    struct trace_code_file *code = NULL;
    int rc = -1;
    if (!arguments->dry) {
        output = create_sink(arguments, &code, err);
        if (output == NULL)
            goto out;
    }
    count = trace_count_sink_create(&counts, output, err);
    if (count == NULL)
        goto out;
    struct trace_synth_options options = arguments->options;
    options.parameters = arguments->parameters;
    options.parameter_count = arguments->parameter_count;
    rc = trace_synth(name, &options, count, err);
    if (rc == 0 && !arguments->quiet)
        print_counts(&counts, is_packed(arguments) && strcmp(arguments->output, "-") == 0
                                  ? stderr
                                  : stdout);
out:
    trace_sink_destroy(count);
    trace_sink_destroy(output);
    trace_code_file_destroy(code);
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
    if (arguments->output == NULL && !arguments->dry)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "trace synth: -o PATH or --dry-run is needed");
    if (!is_packed(arguments) && !arguments->dry && strcmp(arguments->output, "-") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: text is written to a folder, not to standard output");
    if (is_packed(arguments) && arguments->zstd)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "trace synth: --zstd is for folders; --to packed has --level");
    return 0;
}

static int check_and_make(void *data, char **operands, struct error *err)
{
    return check(data, operands, err) != 0 ? -1 : make(data, operands[0], err);
}

int command_trace_synth(int argc, char **argv, struct error *err)
{
    struct synth_arguments arguments = {0};
    return cli_run(&command, argc, argv, &arguments, check_and_make, err);
}
