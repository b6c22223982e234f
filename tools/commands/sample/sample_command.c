/* hearth sample: chooses launches that represent all. */
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/sample/sample_estimate.h"
#include "tools/commands/sample/sample_evaluate.h"
#include "tools/commands/sample/sample_options.h"
#include "tools/commands/sample/sample_table.h"
#include "tools/run/input_guard.h"
#include "tools/run/notes.h"
#include "tools/run/sample/sample_plan.h"
#include "traces/base/files/output_files.h"

enum { STRATA, TRACE_LIST, PLAN };

static int open_output(struct output_files *outputs, int which, const char *path, bool replace,
                       struct error *err)
{
    return path == NULL ? 0 : output_files_open_one(outputs, which, path, replace, err);
}

/* Opens the outputs, the plan last: if it exists, so do the others. */
static int open_outputs(struct output_files *outputs, const struct sample_arguments *arguments,
                        struct error *err)
{
    bool replace = arguments->force;
    if (open_output(outputs, STRATA, arguments->strata, replace, err) != 0 ||
        open_output(outputs, TRACE_LIST, arguments->trace_list, replace, err) != 0)
        return -1;
    return open_output(outputs, PLAN, arguments->output, replace, err);
}

static int write_outputs(struct output_files *outputs, const struct sampling_options *options,
                         const struct sample_source *source, const struct sampling *selection,
                         const struct sample_warm *warm, struct error *err)
{
    const struct output_file *files = outputs->files;
    struct plan *plan;
    if (files[STRATA].file != NULL &&
        sample_table_write(selection, files[STRATA].file, err) != 0)
        return -1;
    if (files[TRACE_LIST].file != NULL &&
        sample_list_write(selection, warm, files[TRACE_LIST].file, err) != 0)
        return -1;
    plan = sample_plan_make(selection, options, source, "", err);
    if (plan == NULL)
        return -1;
    plan_write(plan, NULL, plan->digest, files[PLAN].file);
    plan_destroy(plan);
    return output_files_commit(outputs, err);
}

/* Whether an output is standard output, so that nothing else is printed there. */
static bool takes_stdout(const struct output_files *outputs)
{
    for (int i = 0; i < OUTPUT_FILES_MOST; i++)
        if (outputs->files[i].file == stdout)
            return true;
    return false;
}

static void print_notes(const struct sample_source *source, const struct sampling *selection)
{
    if (selection->note != NULL)
        notes_say("%s", selection->note);
    if (source->workload == NULL)
        notes_say(
            "no --workload: the plan has the names of Accel-Sim's tracer and no copies; it "
            "belongs into the folder of the traces");
}

static int write_selection(const struct sample_arguments *arguments,
                           struct output_files *outputs, const struct sampling_options *options,
                           const struct sample_source *source, const struct sampling *selection,
                           struct error *err)
{
    bool silent = arguments->request.quiet || takes_stdout(outputs);
    if (write_outputs(outputs, options, source, selection, &arguments->warm, err) != 0)
        return -1;
    if (!arguments->request.quiet)
        print_notes(source, selection);
    if (!silent)
        sample_table_summary(selection, options, stdout);
    return 0;
}

/* Sets the options that were given; each must have a single value. */
static int set_options(const struct sample_arguments *arguments,
                       struct sampling_options *options, struct error *err)
{
    sampling_options_init(options);
    for (int i = 0; i < SAMPLING_OPTIONS; i++)
        if (arguments->values[i] != NULL &&
            sampling_option_set(options, (enum sampling_option_id)i, arguments->values[i],
                                err) != 0)
            return -1;
    return arguments->seeds != NULL ? sample_options_seed(options, arguments->seeds, err) : 0;
}

static int choose(struct sample_arguments *arguments, struct input_guard *reads,
                  struct error *err)
{
    const struct sampling_method *method = sampling_find_method(arguments->methods, err);
    struct sampling_options options;
    struct sample_source source = {0};
    struct output_files outputs = {.check = input_guard_check, .data = reads};
    struct sampling *selection = NULL;
    if (method == NULL || set_options(arguments, &options, err) != 0 ||
        sample_options_card(&options, method, arguments, err) != 0)
        return -1;
    arguments->request.needs_bbv = method->needs & SAMPLING_NEED_BBV;
    int rc = open_outputs(&outputs, arguments, err);
    if (rc == 0)
        rc = sample_source_init(&source, &arguments->request, err);
    options.bbv = source.bbv;
    options.bbv_name = source.bbv_name;
    if (rc == 0)
        selection = sampling_select(source.profile, method, &options, err);
    if (selection != NULL && arguments->estimate != NULL &&
        sample_estimate(selection, arguments->estimate, err) != 0) {
        sampling_destroy(selection);
        selection = NULL;
    }
    rc = selection != NULL
             ? write_selection(arguments, &outputs, &options, &source, selection, err)
             : -1;
    sampling_destroy(selection);
    sample_source_finish(&source);
    output_files_finish(&outputs);
    return rc;
}

static int evaluate(const struct sample_arguments *arguments, struct input_guard *reads,
                    struct error *err)
{
    struct output_files outputs = {.check = input_guard_check, .data = reads};
    int rc = open_output(&outputs, PLAN, arguments->output, arguments->force, err);
    if (rc == 0)
        rc = sample_evaluate(arguments, outputs.files[PLAN].file, err);
    if (rc == 0 && arguments->output != NULL)
        rc = output_files_commit(&outputs, err);
    output_files_finish(&outputs);
    return rc;
}

static int carry_out(struct sample_arguments *arguments, size_t operands, struct error *err)
{
    const struct sample_request *request = &arguments->request;
    const char *const one[] = {request->source, request->workload, request->bbv,
                               request->cycles};
    struct input_guard reads = {.names = one, .count = sizeof one / sizeof *one};
    if (arguments->sources[1] != NULL) /* nothing else is read */
        reads = (struct input_guard){.names = (const char *const *)arguments->sources,
                                     .count = operands};
    int rc =
        arguments->evaluate ? evaluate(arguments, &reads, err) : choose(arguments, &reads, err);
    input_guard_finish(&reads);
    return rc;
}

int command_sample(int argc, char **argv, struct error *err)
{
    struct sample_arguments arguments;
    int rc = sample_options_parse(&arguments, argc, argv, err);
    if (rc == 0)
        rc = carry_out(&arguments, (size_t)(argv + argc - arguments.sources), err);
    sample_options_finish(&arguments);
    return rc == CLI_SHOWN ? 0 : rc;
}
