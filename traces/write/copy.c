/* Whole workloads, or some launches of them, to a writer. */
#define _GNU_SOURCE /* asprintf, rawmemchr */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/packed/store.h"
#include "traces/text/scan.h"
#include "traces/workload/workload_files.h"
#include "traces/write/writer.h"

struct copy_pass {
    struct trace_writer *writer;
    const struct trace_workload *workload;
    const struct trace_copy *what;
    struct trace_kernel_options options;
    size_t command;  /* the next one */
    size_t position; /* launches so far */
    bool has_code;   /* of some functions */
};

static const char *const suffixes[] = {".xz", ".gz", ".zst", ".bz2"};

/* LINE with the name that a trace gets as grouped text: "kernel-1.trace" and
 * "kernel-1.tracez" become "kernel-1.traceg". The caller frees it. */
static char *grouped_name(const char *line)
{
    size_t end = strlen(line);
    while (end > 0 && scan_is_blank(line[end - 1]))
        end--;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (end > n && strncmp(line + end - n, suffixes[i], n) == 0) {
            end -= n;
            break;
        }
    }
    char *name;
    bool raw = end > 6 && strncmp(line + end - 6, ".trace", 6) == 0;
    bool packed = end > 7 && strncmp(line + end - 7, ".tracez", 7) == 0;
    if (asprintf(&name, "%.*s%s%s", (int)(end - packed), line, raw || packed ? "g" : "",
                 line + end) < 0)
        return NULL;
    return name;
}

/* The name of a memory-only trace. */
static char *memory_name(const struct copy_pass *copy, const struct trace_command *command)
{
    char *name;
    uint64_t number = copy->position;
    struct trace_kernel *kernel =
        trace_workload_kernel(copy->workload, command->text, &copy->options, NULL);
    if (kernel != NULL && trace_kernel_header(kernel)->has_id && !copy->what->by_position)
        number = trace_kernel_header(kernel)->id;
    trace_kernel_close(kernel);
    if (asprintf(&name, "kernel-mem-%" PRIu64 ".traceg", number) < 0)
        return NULL;
    return name;
}

/* Adds the code of the launch that comes next as NAME. */
static int copy_function(struct copy_pass *copy, const struct trace_command *command,
                         const char *name, struct error *err)
{
    const struct trace_annotation *annotation = copy->what->annotation;
    const struct trace_function *function =
        annotation != NULL ? trace_annotation_function(annotation, copy->position) : NULL;
    if (function != NULL)
        return trace_writer_function(copy->writer, name, function, err);
    if (!copy->has_code)
        return 0;
    const struct trace_kernel_options options = {.code = true};
    struct trace_kernel *kernel =
        trace_workload_kernel(copy->workload, command->text, &options, err);
    if (kernel == NULL)
        return -1;
    int rc = 0;
    if (trace_kernel_function(kernel) != NULL)
        rc = trace_writer_function(copy->writer, name, trace_kernel_function(kernel), err);
    trace_kernel_close(kernel);
    return rc;
}

static int copy_launch(struct copy_pass *copy, const struct trace_command *command,
                       const char *line, struct error *err)
{
    copy->position++;
    if (copy->what->keep != NULL &&
        !copy->what->keep(copy->what->data, copy->position, command))
        return 0;
    if (copy->what->before != NULL &&
        copy->what->before(copy->what->before_data, copy->writer, command, err) != 0)
        return -1;
    char *name = copy->what->memory_only
                     ? memory_name(copy, command)
                     : grouped_name(command->kernel.listed ? command->kernel.listed : line);
    char *path = trace_workload_path(copy->workload, command->text);
    int rc = name != NULL && path != NULL
                 ? copy_function(copy, command, name, err)
                 : error_no_memory_for(err, ERROR_TRACE, command->text);
    if (rc == 0)
        rc = trace_writer_launch(copy->writer, name, path, &copy->options, err);
    free(name);
    free(path);
    return rc;
}

static int copy_line(struct copy_pass *copy, long number, const char *line, struct error *err)
{
    const struct trace_workload *workload = copy->workload;
    if (copy->command < workload->count && workload->commands[copy->command].line == number) {
        const struct trace_command *command = &workload->commands[copy->command++];
        if (command->kind == TRACE_KERNEL)
            return copy_launch(copy, command, line, err);
    }
    return trace_writer_line(copy->writer, line, err);
}

static int copy_list(struct copy_pass *copy, struct source *source, struct error *err)
{
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        char *end = rawmemchr(source->at, '\n');
        long number = source->line;
        *end = '\0';
        rc = copy_line(copy, number, source->at, err);
        source_advance(source, end + 1);
        if (rc != 0)
            break;
    }
    return rc;
}

int trace_writer_workload(struct trace_writer *writer, const struct trace_workload *workload,
                          const struct trace_copy *what, struct error *err)
{
    static const struct trace_copy all = {0};
    struct copy_pass copy = {
        .writer = writer, .workload = workload, .what = what ? what : &all};
    struct source source;
    copy.options = (struct trace_kernel_options){.memory_budget = copy.what->memory_budget,
                                                 .memory_only = copy.what->memory_only,
                                                 .workload = workload};
    uint32_t functions;
    if (trace_workload_functions(workload, &functions, err) != 0)
        return -1;
    copy.has_code = functions > 0;
    if (workload->list == NULL && workload->store == NULL)
        return workload->count == 0 ? 0
                                    : copy_launch(&copy, &workload->commands[0],
                                                  workload->commands[0].text, err);
    int rc = workload->store != NULL
                 ? source_open_text(&source, workload->path, workload->store->list.data,
                                    workload->store->list.size, err)
                 : workload_source(workload, workload->list, &source, err);
    if (rc != 0)
        return rc;
    rc = copy_list(&copy, &source, err);
    source_finish(&source);
    return rc;
}
