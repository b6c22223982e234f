#include "tools/commands/trace/unwritten.h"

#include <inttypes.h>
#include <stdio.h>

#define SECTOR 32 /* bytes */

int unwritten_is_whole(const struct trace_workload *workload, struct error *err)
{
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        struct trace_kernel *kernel =
            trace_workload_kernel(workload, workload->commands[i].text, NULL, err);
        if (kernel == NULL)
            return -1;
        const struct trace_header *header = trace_kernel_header(kernel);
        bool first = header->has_id && header->id == 1;
        trace_kernel_close(kernel);
        return first;
    }
    return false;
}

int unwritten_init(struct unwritten *unwritten, const struct trace_workload *workload,
                   struct error *err)
{
    *unwritten = (struct unwritten){.workload = workload};
    unwritten->reuse =
        trace_reuse_create(&(struct trace_reuse_options){.unwritten = true}, err);
    return unwritten->reuse != NULL ? 0 : -1;
}

void unwritten_finish(struct unwritten *unwritten)
{
    trace_reuse_destroy(unwritten->reuse);
}

static int read_launch(struct unwritten *unwritten, const struct trace_command *command,
                       struct error *err)
{
    struct trace_footprint ignored;
    const struct trace_kernel_options options = {.memory_only = true};
    struct trace_kernel *kernel =
        trace_workload_kernel(unwritten->workload, command->text, &options, err);
    int rc =
        kernel != NULL ? trace_reuse_launch(unwritten->reuse, kernel, NULL, &ignored, err) : -1;
    trace_kernel_close(kernel);
    return rc;
}

/* Reads up to COMMAND, a launch. */
static int read_until(struct unwritten *unwritten, const struct trace_command *command,
                      struct error *err)
{
    const struct trace_command *now;
    do {
        now = &unwritten->workload->commands[unwritten->next++];
        int rc = 0;
        if (trace_command_writes(now))
            rc = trace_reuse_copy(unwritten->reuse, now->copy.address, now->copy.bytes, err);
        else if (now->kind == TRACE_KERNEL)
            rc = read_launch(unwritten, now, err);
        if (rc != 0)
            return -1;
    } while (now != command);
    return 0;
}

int unwritten_before(void *data, struct trace_writer *writer,
                     const struct trace_command *command, struct error *err)
{
    struct unwritten *unwritten = data;
    if (read_until(unwritten, command, err) != 0)
        return -1;
    size_t count;
    const uint64_t *sectors = trace_reuse_unwritten(unwritten->reuse, &count);
    unwritten->launches += count != 0;
    unwritten->sectors += count;
    for (size_t i = 0, first; i < count;) {
        char line[64];
        for (first = i++; i < count && sectors[i] == sectors[i - 1] + 1;)
            i++;
        snprintf(line, sizeof line, "# written 0x%016" PRIx64 " %" PRIu64,
                 sectors[first] * SECTOR, (uint64_t)(i - first) * SECTOR);
        if (trace_writer_line(writer, line, err) != 0)
            return -1;
    }
    return 0;
}
