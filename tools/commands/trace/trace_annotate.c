/* hearth trace annotate: adds the code of functions, and what must have been written. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/commands/trace/trace.h"
#include "tools/commands/trace/unwritten.h"
#include "traces/base/visible.h"

struct annotate {
    struct trace_output_options output; /* first: the shared options are stored there */
    const char **files;
    size_t file_count;
    bool no_written, all_lanes, quiet;
};

static const struct cli_option table[] = {
    TRACE_OUTPUT,
    {0, "code", "FILE",
     "a listing of cuobjdump -sass or nvdisasm -hex, which may be compressed, or a cubin; for "
     "several files give the option several times",
     CLI_LIST, CLI_LIST_AT(struct annotate, files, file_count), .required = true},
    {0, "no-written", NULL, "add no lines \"# written\"", CLI_FLAG,
     CLI_AT(struct annotate, no_written)},
    {0, "all-lanes", NULL, "keep lanes of LDGSTS that copy nothing", CLI_FLAG,
     CLI_AT(struct annotate, all_lanes)},
    TRACE_TO("that of the workload"),
    TRACE_LEVEL,
    TRACE_EACH,
    TRACE_MEMORY,
    TRACE_FORCE,
    {'q', "quiet", NULL, "print only kernels that get no code", CLI_FLAG,
     CLI_AT(struct annotate, quiet)},
};

static const struct cli_command command = {
    "hearth trace annotate",
    "WORKLOAD --code FILE... -o PATH [OPTION]...",
    "Adds the machine code of kernels to a workload. A launch gets the code of a\n"
    "function only if that has, at each traced PC, an instruction with the traced opcode\n"
    "and destination. Prints a line for each kernel.\n"
    "If the workload begins with launch 1, also adds a line \"# written\" to its list for\n"
    "memory that a launch reads and no launch or copy before it has touched: something\n"
    "wrote it that the trace does not show. Calibrated cards then find it in L2.\n"
    "But an LDGSTS that copies only where a predicate holds does not read such memory:\n"
    "these lanes are left out of its mask.\n"
    "Exit code 0: all launches got code. 3: only some did, and PATH is written; or none\n"
    "did, or a file cannot be read, and nothing is written.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

/* Standard output may be where the packed file goes. */
static FILE *messages(const struct annotate *options)
{
    return strcmp(options->output.output, "-") == 0 ? stderr : stdout;
}

static void print_row(const struct trace_annotation_row *row, FILE *out)
{
    visible_print(row->name, out);
    fprintf(out, ": %" PRIu64 " of %" PRIu64 " launches, %" PRIu64 " instructions",
            row->with_code, row->launches, row->insts);
    if (row->functions > 1)
        fprintf(out, " of %u functions", row->functions);
    if (row->unnamed > 0)
        fprintf(out, ", %" PRIu64 " of them with an unknown opcode", row->unnamed);
    if (row->wrong != NULL) {
        fputs("; ", out);
        visible_print(row->wrong, out);
    }
    putc('\n', out);
}

/* Prints what was found. Returns how many launches get code; *ALL: each. */
static uint64_t print(const struct annotate *options, const struct trace_annotation *annotation,
                      bool *all)
{
    FILE *out = messages(options);
    size_t count, named = 0;
    const struct trace_annotation_row *rows = trace_annotation_rows(annotation, &count);
    uint64_t launches = 0, with_code = 0, insts = 0;
    for (size_t i = 0; i < count; i++) {
        if (!options->quiet || rows[i].wrong != NULL)
            print_row(&rows[i], out);
        launches += rows[i].launches;
        with_code += rows[i].with_code;
        insts += rows[i].insts;
        named += rows[i].wrong == NULL;
    }
    if (!options->quiet)
        fprintf(out,
                "%s: code for %" PRIu64 " of %" PRIu64 " launches, %zu of %zu kernels, %" PRIu64
                " traced instructions\n",
                options->output.source, with_code, launches, named, count, insts);
    *all = with_code == launches;
    return with_code;
}

static void print_unwritten(const struct annotate *options, const struct unwritten *unwritten)
{
    if (options->quiet)
        return;
    if (unwritten->idle_launches != 0)
        fprintf(messages(options),
                "%s: in %" PRIu64 " launches %" PRIu64
                " lanes of LDGSTS copied nothing, as nothing had written what they name; they "
                "are left out\n",
                options->output.source, unwritten->idle_launches, unwritten->idle_lanes);
    if (unwritten->launches != 0)
        fprintf(messages(options),
                "%s: %" PRIu64 " launches read %" PRIu64
                " sectors that nothing in the list had written; now lines \"# written\" do\n",
                options->output.source, unwritten->launches, unwritten->sectors);
}

/* Writes what WHAT says of WORKLOAD, and what must have been written. */
static int write_workload(const struct annotate *options, struct trace_writer *writer,
                          const struct trace_workload *workload, const struct trace_copy *what,
                          struct error *err)
{
    struct unwritten unwritten = {0};
    struct trace_copy copy = *what;
    int rc = 0;
    if (!options->no_written || !options->all_lanes) {
        copy.before = unwritten_before;
        copy.before_data = &unwritten;
        rc = unwritten_init(&unwritten, workload, err);
        unwritten.lines = !options->no_written;
        if (!options->all_lanes)
            unwritten.annotation = what->annotation;
    }
    if (rc == 0)
        rc = trace_writer_workload(writer, workload, &copy, err);
    if (rc == 0)
        print_unwritten(options, &unwritten);
    unwritten_finish(&unwritten);
    return rc;
}

/* Writes WORKLOAD with what the files have. *ALL: each launch gets code. */
static int write_annotated(const struct annotate *options, struct trace_writer *writer,
                           const struct trace_workload *workload, bool *all, struct error *err)
{
    struct trace_annotation *annotation =
        trace_annotate(workload, options->output.reads, options->output.read_count, err);
    if (annotation == NULL)
        return -1;
    const struct trace_copy what = {.annotation = annotation,
                                    .memory_budget = trace_output_memory(&options->output)};
    int rc = 0;
    if (print(options, annotation, all) == 0)
        rc = error_set(err, ERROR_TRACE, options->output.source, 0, 0,
                       "no file has code that fits one of its launches");
    if (rc == 0)
        rc = write_workload(options, writer, workload, &what, err);
    if (rc == 0)
        rc = trace_writer_end(writer, err);
    trace_annotation_destroy(annotation);
    return rc;
}

static int annotate_workload(const struct annotate *options,
                             const struct trace_workload *workload, struct error *err)
{
    bool all = false;
    struct trace_writer *writer =
        trace_output_open(&options->output, workload->store != NULL, err);
    int rc = writer != NULL ? write_annotated(options, writer, workload, &all, err) : -1;
    trace_writer_destroy(writer);
    return rc == 0 && !all ? ERROR_TRACE : rc;
}

static int annotate(void *data, char **operands, struct error *err)
{
    struct annotate *options = data;
    struct trace_workload *workload = launches_open(NULL, operands[0], err);
    options->output.source = operands[0];
    options->output.reads = (const char *const *)options->files;
    options->output.read_count = options->file_count;
    if (workload == NULL)
        return -1;
    int rc = annotate_workload(options, workload, err);
    trace_workload_destroy(workload);
    return rc;
}

int command_trace_annotate(int argc, char **argv, struct error *err)
{
    struct annotate options = {0};
    return cli_run(&command, argc, argv, &options, annotate, err);
}
