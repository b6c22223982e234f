#include "tools/run/events/event_file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/stats/cpi.h"
#include "traces/base/bytes.h"
#include "traces/base/json.h"

#define BLOCKS   100 /* number of the row of block slot 0: after all warps */
#define REQUESTS 200 /* of requests that no warp has sent */

void event_file_take(struct event_file *file, const struct sim_event *event)
{
    if (array_room(&file->events, file->count, sizeof *file->events))
        file->events[file->count++] = *event;
    else
        file->failed = true;
}

static uint32_t row_of(const struct sim_event *event)
{
    if (event->kind == SIM_EVENT_BLOCK)
        return BLOCKS + event->warp;
    return event->warp == SIM_EVENT_NO_WARP ? REQUESTS : event->warp;
}

static const char *reason_of(const struct sim_event *event)
{
    return event->reason == SIM_EVENT_NOT_SELECTED ? "not_selected"
                                                   : sim_cpi_names[event->reason];
}

static void begin(struct json *json, const char *phase, const char *category, uint32_t row,
                  uint64_t cycle)
{
    json_open_line(json, NULL, '{');
    json_text(json, "ph", phase);
    json_text(json, "cat", category);
    json_count(json, "pid", 0);
    json_count(json, "tid", row);
    json_count(json, "ts", cycle);
}

/* ---- events ---- */

/* What has a beginning and an end, and overlaps with nothing in its row. */
static void write_whole(struct json *json, const struct sim_event *event, const char *category,
                        const char *name)
{
    begin(json, "X", category, row_of(event), event->begin);
    json_count(json, "dur", event->end - event->begin);
    json_text(json, "name", name);
    json_open(json, "args", '{');
    json_count(json, "block", event->block);
}

static void write_issue(struct json *json, const struct sim_event *event,
                        const struct trace_kernel *kernel)
{
    uint32_t count;
    char pc[24];
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    if (event->inst >= count)
        return;
    const struct trace_inst *inst = &insts[event->inst];
    write_whole(json, event, "issue", trace_kernel_opcode(kernel, inst));
    snprintf(pc, sizeof pc, "0x%x", inst->pc);
    json_text(json, "pc", pc);
    json_count(json, "lanes", (uint64_t)__builtin_popcount(event->mask));
    json_close(json, '}');
    json_close(json, '}');
}

/* Requests of a warp overlap: each has a number of its own. */
static void write_request(struct json *json, const struct sim_event *event, size_t number)
{
    static const char *const kinds[SIM_EVENT_KINDS] = {
        [SIM_EVENT_READ] = "read", [SIM_EVENT_WRITE] = "write", [SIM_EVENT_ATOMIC] = "atomic"};
    char name[32], address[32];
    if (event->warp == SIM_EVENT_NO_WARP)
        snprintf(name, sizeof name, "%s", kinds[event->kind]);
    else
        snprintf(name, sizeof name, "warp %u %s", event->warp, kinds[event->kind]);
    snprintf(address, sizeof address, "0x%" PRIx64, event->address);
    for (int end = 0; end < 2; end++) {
        begin(json, end ? "e" : "b", "memory", row_of(event), end ? event->end : event->begin);
        json_count(json, "id", number);
        json_text(json, "name", name);
        if (!end) {
            json_open(json, "args", '{');
            json_text(json, "address", address);
            json_close(json, '}');
        }
        json_close(json, '}');
    }
}

static void write_event(struct json *json, const struct sim_event *event, size_t number,
                        const struct trace_kernel *kernel)
{
    char name[40];
    if (event->kind == SIM_EVENT_ISSUE) {
        write_issue(json, event, kernel);
        return;
    }
    if (event->kind != SIM_EVENT_STALL && event->kind != SIM_EVENT_BLOCK) {
        write_request(json, event, number);
        return;
    }
    bool stall = event->kind == SIM_EVENT_STALL;
    snprintf(name, sizeof name, "block %" PRIu64, event->block);
    write_whole(json, event, stall ? "stall" : "block", stall ? reason_of(event) : name);
    json_close(json, '}');
    json_close(json, '}');
}

/* ---- rows ---- */

static void write_name(struct json *json, const char *what, uint32_t row, const char *name)
{
    json_open_line(json, NULL, '{');
    json_text(json, "ph", "M");
    json_count(json, "pid", 0);
    json_count(json, "tid", row);
    json_text(json, "name", what);
    json_open(json, "args", '{');
    json_text(json, "name", name);
    json_close(json, '}');
    json_close(json, '}');
}

static void write_names(struct json *json, const struct event_file *file)
{
    bool seen[REQUESTS + 1] = {false};
    char name[64];
    snprintf(name, sizeof name, "launch %" PRIu64 ", SM %u", file->spec.launch,
             file->spec.range.sm);
    write_name(json, "process_name", 0, name);
    for (size_t i = 0; i < file->count; i++) {
        const struct sim_event *event = &file->events[i];
        uint32_t row = row_of(event);
        if (seen[row] || (event->kind != SIM_EVENT_STALL && event->kind != SIM_EVENT_ISSUE &&
                          event->kind != SIM_EVENT_BLOCK))
            continue;
        seen[row] = true;
        if (event->kind == SIM_EVENT_BLOCK)
            snprintf(name, sizeof name, "block slot %u", event->warp);
        else
            snprintf(name, sizeof name, "warp %02u, scheduler %u", event->warp,
                     event->scheduler);
        write_name(json, "thread_name", row, name);
    }
}

int event_file_write(struct event_file *file, const struct trace_kernel *kernel,
                     struct error *err)
{
    struct json json;
    if (file->failed)
        return error_no_memory(err);
    json_init(&json, file->out);
    json_open(&json, NULL, '{');
    json_open_line(&json, "otherData", '{');
    json_text(&json, "kernel", trace_kernel_header(kernel)->name);
    json_count(&json, "launch", file->spec.launch);
    json_count(&json, "sm", file->spec.range.sm);
    json_text(&json, "time", "a microsecond is a core cycle since the launch began");
    json_close(&json, '}');
    json_open(&json, "traceEvents", '[');
    write_names(&json, file);
    for (size_t i = 0; i < file->count; i++)
        write_event(&json, &file->events[i], i, kernel);
    json_close(&json, ']');
    json_close(&json, '}');
    file->written = true;
    free(file->events);
    file->events = NULL;
    file->count = 0;
    return 0;
}

void event_file_finish(struct event_file *file)
{
    free(file->events);
}
