#include "tools/commands/trace/unwritten.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SECTOR 32 /* bytes */

/* Whether lanes of the instruction at PC may copy nothing. */
static bool may_be_idle(void *data, uint32_t pc)
{
    const struct unwritten *unwritten = data;
    const struct trace_code *code =
        unwritten->function != NULL ? trace_function_code(unwritten->function, pc) : NULL;
    return code != NULL && trace_code_copies_if(*code);
}

int unwritten_init(struct unwritten *unwritten, const struct trace_workload *workload,
                   struct error *err)
{
    *unwritten = (struct unwritten){.workload = workload};
    unwritten->reuse = trace_reuse_create(
        &(struct trace_reuse_options){
            .unwritten = true, .unsure = may_be_idle, .unsure_data = unwritten},
        err);
    return unwritten->reuse != NULL ? 0 : -1;
}

void unwritten_finish(struct unwritten *unwritten)
{
    trace_reuse_destroy(unwritten->reuse);
}

/* Finds the code of the launch that is read next. */
static void find_function(struct unwritten *unwritten)
{
    unwritten->function = NULL;
    if (unwritten->annotation == NULL)
        return;
    if (!unwritten->hidden)
        unwritten->function =
            trace_annotation_function(unwritten->annotation, unwritten->position);
    unwritten->hidden |=
        trace_annotation_hides_stores(unwritten->annotation, unwritten->position);
}

/* Whether LINE, which is no command, says that something was written, but not where. */
static bool hides_writes(const char *line)
{
    enum trace_note_kind kind = trace_note_kind(line);
    return kind == TRACE_NOTE_MANAGED || kind == TRACE_NOTE_COPY || kind == TRACE_NOTE_SET;
}

static int read_kernel(struct unwritten *unwritten, struct trace_kernel *kernel,
                       struct error *err)
{
    struct trace_footprint ignored;
    const struct trace_header *header = trace_kernel_header(kernel);
    unwritten->position++;
    unwritten->gap = !header->has_id || header->id != unwritten->position;
    if (unwritten->gap)
        return 0;
    find_function(unwritten);
    return trace_reuse_launch(unwritten->reuse, kernel, NULL, &ignored, err);
}

static int read_launch(struct unwritten *unwritten, const struct trace_command *command,
                       struct error *err)
{
    const struct trace_kernel_options options = {.memory_only = true};
    struct trace_kernel *kernel =
        trace_workload_kernel(unwritten->workload, command->text, &options, err);
    int rc = kernel != NULL ? read_kernel(unwritten, kernel, err) : -1;
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
        else if (now->kind == TRACE_NOTE)
            unwritten->hidden |= hides_writes(now->text);
        if (rc != 0)
            return -1;
    } while (now != command);
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static bool is_idle(void *data, uint32_t pc, uint64_t address)
{
    struct unwritten *unwritten = data;
    uint64_t sector = address / SECTOR;
    bool idle =
        may_be_idle(unwritten, pc) && bsearch(&sector, unwritten->idle, unwritten->idle_count,
                                              sizeof sector, by_number) != NULL;
    unwritten->idle_lanes += idle;
    return idle;
}

/* Has the lanes taken out that access only what nobody has written. */
static void leave_out(struct unwritten *unwritten, struct trace_writer *writer)
{
    unwritten->idle = trace_reuse_unsure(unwritten->reuse, &unwritten->idle_count);
    if (unwritten->idle_count == 0)
        return;
    unwritten->idle_launches++;
    trace_writer_idle(writer, &(struct trace_idle_lanes){is_idle, unwritten});
}

int unwritten_before(void *data, struct trace_writer *writer,
                     const struct trace_command *command, struct error *err)
{
    struct unwritten *unwritten = data;
    if (!unwritten->gap && read_until(unwritten, command, err) != 0)
        return -1;
    if (unwritten->gap)
        return 0;
    leave_out(unwritten, writer);
    size_t count;
    const uint64_t *sectors = trace_reuse_unwritten(unwritten->reuse, &count);
    count = unwritten->lines ? count : 0;
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
