#include "tools/run/traced.h"

#include <stdio.h>

struct trace_kernel_options traced_options(enum plan_mode mode)
{
    return (struct trace_kernel_options){
        .bare_shared = mode == PLAN_FUNCTIONAL,
        .rows = mode == PLAN_FUNCTIONAL,
        .between = mode == PLAN_FUNCTIONAL,
    };
}

struct trace_kernel *traced_open(const char *path, const struct trace_workload *workload,
                                 const struct sim *sim, enum plan_mode mode,
                                 struct trace_kernel_options options, struct error *err)
{
    options.memory_only = mode != PLAN_DETAILED;
    options.workload = workload;
    options.code = sim_wants_code(sim);
    if (options.code)
        options.extras = TRACE_EXTRA_NUMBERS | TRACE_EXTRA_ADDRESS;
    return trace_kernel_open(path, &options, err);
}

static void on_opcode(void *data, const char *opcode, uint64_t count)
{
    char text[128];
    snprintf(text, sizeof text, "opcode %s is unknown and classified by its name", opcode);
    notes_add(data, text, count);
}

static void on_missing(void *data, const char *opcode, const char *part)
{
    char text[192];
    snprintf(text, sizeof text, "opcode %s is not simulated in full: %s", opcode, part);
    notes_add(data, text, 1);
}

void traced_notes(struct notes *notes, const struct sim *sim, const struct trace_kernel *kernel,
                  const struct sim_counters *counters)
{
    const char *note = trace_kernel_note(kernel);
    if (note != NULL)
        notes_add(notes, note, 1);
    trace_kernel_unknown_opcodes(kernel, on_opcode, notes);
    sim_missing(sim, kernel, counters->unseen_copies != 0, on_missing, notes);
    if (counters->unknown_waits != 0)
        notes_add(
            notes,
            "barriers in shared memory of launches whose trace does not say enough of them: "
            "nobody waits there (unknown_waits in kernels.csv)",
            1);
}
