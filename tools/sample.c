/* hearth sample: which launches stand for all. */
#include <string.h>

#include "tools/command.h"
#include "tools/outputs.h"
#include "tools/sample_options.h"
#include "tools/sample_plan.h"
#include "tools/sample_table.h"

enum { STRATA, TRACE_LIST, PLAN };

static int open_output(struct outputs *outputs, int which, const char *path, bool replace,
                       struct error *err)
{
    if (path == NULL)
        return 0;
    if (strcmp(path, "-") != 0)
        return outputs_open(outputs, which, path, strlen(path), "", replace, err);
    outputs->files[which].file = stdout;
    return 0;
}

/* Opens what was asked for, the plan last: it is there when the others are. */
static int open_outputs(struct outputs *outputs, const struct sample_arguments *arguments,
                        struct error *err)
{
    bool replace = arguments->force;
    if (open_output(outputs, STRATA, arguments->strata, replace, err) != 0 ||
        open_output(outputs, TRACE_LIST, arguments->trace_list, replace, err) != 0)
        return -1;
    return open_output(outputs, PLAN, arguments->output, replace, err);
}

static int write_outputs(struct outputs *outputs, const struct sample_arguments *arguments,
                         const struct sample_source *source, const struct sampling *selection,
                         struct error *err)
{
    const struct output *files = outputs->files;
    if (files[STRATA].file != NULL &&
        sample_table_write(selection, files[STRATA].file, err) != 0)
        return -1;
    if (files[TRACE_LIST].file != NULL &&
        sample_plan_write_list(selection, files[TRACE_LIST].file, err) != 0)
        return -1;
    if (sample_plan_write(selection, &arguments->options, source, files[PLAN].file, err) != 0)
        return -1;
    return outputs_commit(outputs, err);
}

/* Whether an output takes standard output, so that nothing else goes there. */
static bool takes_stdout(const struct outputs *outputs)
{
    for (int i = 0; i < OUTPUTS; i++)
        if (outputs->files[i].file == stdout)
            return true;
    return false;
}

static int choose(const struct sample_arguments *arguments, struct outputs *outputs,
                  struct sample_source *source, struct error *err)
{
    struct sampling_options options = arguments->options;
    options.bbv = source->bbv;
    options.bbv_name = source->bbv_name;
    struct sampling *selection =
        sampling_select(source->profile, arguments->method, &options, err);
    if (selection == NULL)
        return -1;
    bool silent = arguments->quiet || takes_stdout(outputs);
    int rc = write_outputs(outputs, arguments, source, selection, err);
    if (rc == 0 && !arguments->quiet && selection->note != NULL)
        fprintf(stderr, "hearth: note: %s\n", selection->note);
    if (rc == 0 && !arguments->quiet && source->workload == NULL)
        fputs(
            "hearth: note: no --workload: the plan has the names of Accel-Sim's tracer and no "
            "copies; it belongs into the folder of the traces\n",
            stderr);
    if (rc == 0 && !silent)
        sample_table_summary(selection, &arguments->options, stdout);
    sampling_destroy(selection);
    return rc;
}

int command_sample(int argc, char **argv, struct error *err)
{
    struct sample_arguments arguments;
    struct sample_source source = {0};
    struct outputs outputs = {0};
    int rc = sample_options_parse(&arguments, argc, argv, err);
    if (rc == 0 && !arguments.shown) {
        rc = open_outputs(&outputs, &arguments, err);
        if (rc == 0)
            rc = sample_source_init(&source, &arguments.request, err);
        if (rc == 0)
            rc = choose(&arguments, &outputs, &source, err);
    }
    sample_source_finish(&source);
    outputs_finish(&outputs);
    return rc;
}
