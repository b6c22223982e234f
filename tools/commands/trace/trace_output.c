/* Shared by the subcommands of hearth trace that write a workload. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/trace/trace.h"
#include "tools/run/input_guard.h"
#include "tools/run/plan/launches.h"

/* Part of --memory that the reader's tables and buffers may take. */
#define OTHER_MEMORY_SHARE 8

const char *const trace_form_names[] = {"packed", "text", NULL};

/* Checks that neither the packed file, nor the folder's list, nor their temporary files are
 * among READS; traces in folders are checked when they are written. */
static int check_reads(const struct trace_output_options *options, struct input_guard *reads,
                       bool packed, struct error *err)
{
    static const char *const suffixes[2][2] = {{"/kernelslist.g", "/kernelslist.g.part"},
                                               {"", ".part"}};
    int result = 0;
    for (int i = 0; i < 2 && result == 0; i++) {
        char name[4096];
        if (snprintf(name, sizeof name, "%s%s", options->output, suffixes[packed][i]) <
            (int)sizeof name)
            result = input_guard_check(reads, name, err);
    }
    return result;
}

static int check_output(const struct trace_output_options *options, bool packed,
                        struct error *err)
{
    struct input_guard guards[] = {{.names = &options->source, .count = 1},
                                   {.names = options->reads, .count = options->read_count}};
    int result = 0;
    for (int i = 0; i < 2; i++) {
        if (result == 0)
            result = check_reads(options, &guards[i], packed, err);
        input_guard_finish(&guards[i]);
    }
    return result;
}

struct trace_writer *trace_output_open(const struct trace_output_options *options, bool packed,
                                       struct error *err)
{
    if (options->to != NULL)
        packed = strcmp(options->to, "packed") == 0;
    const struct trace_writer_options writer = {
        .output = packed ? TRACE_OUTPUT_PACKED : TRACE_OUTPUT_FOLDER,
        .level = options->level,
        .launch_groups = options->launch_groups,
        .replace = options->force,
    };
    if (strcmp(options->output, "-") != 0 && check_output(options, packed, err) != 0)
        return NULL;
    return trace_writer_create(options->output, &writer, err);
}

size_t trace_output_memory(const struct trace_output_options *options)
{
    size_t memory = options->memory << 20;
    return memory - memory / OTHER_MEMORY_SHARE;
}

/* ---- copying ----------------------------------------------------------- */

/* The launches of --launches. */
struct launch_filter {
    const struct ranges *ranges;
    const struct launches *launches;
};

static bool is_chosen(void *data, size_t position, const struct trace_command *command)
{
    const struct launch_filter *chosen = data;
    return ranges_contain(chosen->ranges,
                          launches_number(chosen->launches, command->text, position));
}

static int write_copy(const struct trace_output_options *options,
                      const struct trace_workload *workload, const struct trace_copy *what,
                      bool packed, struct error *err)
{
    struct trace_writer *writer = trace_output_open(options, packed, err);
    if (writer == NULL)
        return -1;
    int rc = trace_writer_workload(writer, workload, what, err);
    if (rc == 0)
        rc = trace_writer_end(writer, err);
    trace_writer_destroy(writer);
    return rc;
}

static int copy(const struct trace_output_options *options,
                const struct trace_workload *workload, const struct trace_copy *what,
                bool packed, struct error *err)
{
    struct launches launches;
    struct trace_copy some = *what;
    if (launches_init(&launches, workload, err) < 0)
        return -1;
    struct launch_filter chosen = {&options->launches, &launches};
    some.by_position = launches.by_position;
    some.memory_budget = trace_output_memory(options);
    int rc = 0;
    if (options->launches.count > 0) {
        some.keep = is_chosen;
        some.data = &chosen;
        rc = launches_check_ranges(&launches, &options->launches, options->source, err);
    }
    if (rc == 0)
        rc = write_copy(options, workload, &some, packed, err);
    launches_finish(&launches);
    return rc;
}

int trace_output_copy(struct trace_output_options *options, const char *source,
                      const struct trace_copy *what, enum trace_form form, struct error *err)
{
    options->source = source;
    struct trace_workload *workload =
        options->quiet ? trace_workload_open(source, err) : launches_open(NULL, source, err);
    if (workload == NULL)
        return -1;
    bool is_packed = workload->store != NULL;
    bool packed = form == TRACE_FORM_SAME ? is_packed : form == TRACE_FORM_OTHER && !is_packed;
    int rc = copy(options, workload, what, packed, err);
    trace_workload_destroy(workload);
    return rc;
}
