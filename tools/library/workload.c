/* Workloads, for launches one by one. */
#include <stdlib.h>

#include "tools/library/inner.h"

static int prepare(struct hearth_workload *workload, const char *path, struct error *err)
{
    workload->traces = trace_workload_open(path, err);
    if (workload->traces == NULL)
        return -1;
    const size_t count = workload->traces->count;
    workload->positions = calloc(count + 1, sizeof *workload->positions);
    if (workload->positions == NULL)
        return error_no_memory(err);
    for (size_t i = 0, launches = 0; i < count; i++) {
        launches += workload->traces->commands[i].kind == TRACE_KERNEL;
        workload->positions[i] = launches;
    }
    return launches_init(&workload->launches, workload->traces, err);
}

struct hearth_workload *hearth_workload_open(const char *path, struct hearth_error *to)
{
    struct error err = {0};
    struct hearth_workload *workload = calloc(1, sizeof *workload);
    if (workload == NULL)
        error_no_memory(&err);
    else if (path == NULL)
        error_set(&err, ERROR_USAGE, NULL, 0, 0, "a workload is expected");
    else
        prepare(workload, path, &err);
    if (inner_report(to, &err) == HEARTH_OK)
        return workload;
    hearth_workload_close(workload);
    return NULL;
}

void hearth_workload_close(struct hearth_workload *workload)
{
    if (workload == NULL)
        return;
    launches_finish(&workload->launches);
    free(workload->positions);
    trace_workload_destroy(workload->traces);
    free(workload);
}

size_t hearth_items(const struct hearth_workload *workload)
{
    return workload->traces->count;
}

struct hearth_item hearth_item(const struct hearth_workload *workload, size_t index)
{
    const struct trace_command *command = &workload->traces->commands[index];
    struct hearth_item item = {.kind = HEARTH_OTHER, .text = command->text};
    if (trace_command_writes(command)) {
        item.kind = command->kind == TRACE_COPY_HTOD ? HEARTH_COPY : HEARTH_DEVICE_COPY;
        item.address = command->copy.address;
        item.bytes = command->copy.bytes;
    } else if (command->kind == TRACE_KERNEL) {
        item.kind = HEARTH_LAUNCH;
        item.number =
            launches_number(&workload->launches, command->text, workload->positions[index]);
    }
    return item;
}
