/* What the subcommands of hearth trace that write share. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/trace/trace.h"
#include "tools/run/input_guard.h"
#include "tools/run/plan/launches.h"

#define MIB            ((size_t)1 << 20)
#define DEFAULT_MEMORY (256 * MIB)
/* Of --memory, what the reader's own tables and buffers may take. */
#define OTHER_MEMORY_SHARE 8

struct trace_workload *trace_open(const char *path, struct error *err)
{
    struct trace_workload *workload = trace_workload_open(path, err);
    if (workload != NULL && workload->note != NULL)
        fprintf(stderr, "hearth: note: %s\n", workload->note);
    return workload;
}

/* ---- options ----------------------------------------------------------- */

static int parse_number(const char *option, const char *value, long least, long most,
                        long *number, struct error *err)
{
    char *end;
    *number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || *number < least || *number > most)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s %s: expected a number from %ld to %ld", option, value, least,
                         most);
    return 0;
}

static int parse_option(struct trace_output_options *options, int id, const char *value,
                        struct error *err)
{
    long number;
    if (id == 'o') {
        options->output = value;
    } else if (id == 'f') {
        options->force = true;
    } else if (id == TRACE_OPTION_EACH) {
        options->launch_groups = true;
    } else if (id == TRACE_OPTION_TO) {
        options->to = value;
        if (strcmp(value, "packed") != 0 && strcmp(value, "text") != 0)
            return error_set(err, ERROR_USAGE, NULL, 0, 0, "--to %s: expected packed or text",
                             value);
    } else if (id == TRACE_OPTION_LEVEL) {
        if (parse_number("--level", value, 1, 22, &number, err) < 0)
            return -1;
        options->level = (int)number;
    } else if (id == TRACE_OPTION_MEMORY) {
        if (parse_number("--memory", value, 16, 65536, &number, err) < 0)
            return -1;
        options->memory = (size_t)number * MIB;
    } else if (id == TRACE_OPTION_LAUNCHES) {
        ranges_finish(&options->launches);
        options->choose = true;
        return ranges_init(&options->launches, value, "--launches", NULL, 0, err);
    }
    return 0;
}

static int take_operands(struct trace_output_options *options,
                         const struct cli_command *command, char **operands, struct error *err)
{
    if (operands[0] == NULL || operands[1] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s takes one workload; see %s --help",
                         command->name, command->name);
    if (options->output == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s: no output; give one with -o",
                         command->name);
    options->source = operands[0];
    return 0;
}

int trace_output_parse(struct trace_output_options *options, const struct cli_command *command,
                       int argc, char **argv, struct error *err)
{
    const char *value;
    int id;
    *options = (struct trace_output_options){.memory = DEFAULT_MEMORY};
    cli_begin();
    while ((id = cli_next(command, argc, argv, &value, err)) >= 0) {
        options->done = command_show(command, id);
        if (options->done)
            return 0;
        if (id == '?' || parse_option(options, id, value, err) < 0)
            return -1;
    }
    return take_operands(options, command, argv + optind, err);
}

void trace_output_finish(struct trace_output_options *options)
{
    ranges_finish(&options->launches);
}

/* Neither the packed file or the folder's list nor what these are called until they are
 * complete is read; traces in folders are looked at as they are written. */
static int check_reads(const struct trace_output_options *options, bool packed,
                       struct error *err)
{
    static const char *const suffixes[2][2] = {{"/kernelslist.g", "/kernelslist.g.part"},
                                               {"", ".part"}};
    struct input_guard reads = {.names = &options->source, .count = 1};
    int result = 0;
    for (int i = 0; i < 2 && result == 0; i++) {
        char name[4096];
        if (snprintf(name, sizeof name, "%s%s", options->output, suffixes[packed][i]) <
            (int)sizeof name)
            result = input_guard_check(&reads, name, err);
    }
    input_guard_finish(&reads);
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
    if (strcmp(options->output, "-") != 0 && check_reads(options, packed, err) != 0)
        return NULL;
    return trace_writer_create(options->output, &writer, err);
}

/* ---- copying ----------------------------------------------------------- */

/* The launches that --launches names. */
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

int trace_check_ranges(const struct ranges *ranges, const struct launches *launches,
                       const char *path, struct error *err)
{
    for (size_t i = 0; i < ranges->count; i++) {
        const struct ranges one = {&ranges->items[i], 1};
        size_t k = 0;
        while (k < launches->count &&
               !ranges_contain(&one, launches_number(launches, launches->items[k].name,
                                                     launches->items[k].position)))
            k++;
        if (k == launches->count)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "--launches: %s has no launch from %" PRIu64 " to %" PRIu64, path,
                             ranges->items[i].first, ranges->items[i].last);
    }
    return 0;
}

static int copy(const struct trace_output_options *options,
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

int trace_output_copy(const struct trace_output_options *options,
                      const struct trace_workload *workload, const struct trace_copy *what,
                      bool packed, struct error *err)
{
    struct launches launches;
    struct trace_copy some = *what;
    if (launches_init(&launches, workload, err) < 0)
        return -1;
    struct launch_filter chosen = {&options->launches, &launches};
    some.by_position = launches.by_position;
    some.memory_budget = options->memory - options->memory / OTHER_MEMORY_SHARE;
    int rc = 0;
    if (options->choose) {
        some.keep = is_chosen;
        some.data = &chosen;
        rc = trace_check_ranges(&options->launches, &launches, options->source, err);
    }
    if (rc == 0)
        rc = copy(options, workload, &some, packed, err);
    launches_finish(&launches);
    return rc;
}
