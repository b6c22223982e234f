/* What the traces of a workload contain beside its launches. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_INFO_CONTENTS_H
#define HEARTH_TOOLS_COMMANDS_TRACE_INFO_CONTENTS_H

#include "traces/traces.h"

struct info_contents {
    struct info_function {
        char *name;
        uint32_t insts;  /* of its code; 0: none */
        bool launched;   /* else only a note names it */
        bool predicates; /* the list has the predicates of its instructions */
        bool waits;      /* the list says which of its loops wait */
    } * functions;
    size_t count;
    struct info_versions {
        uint32_t *items; /* ascending */
        size_t count;
    } formats, gpus; /* of tracers x 10; of code: 90 = sm_90 */
};

void info_contents_finish(struct info_contents *contents);
/* Adds a launch, which was opened with its code. Returns 0, or -1 when memory ran out. */
int info_contents_add(struct info_contents *contents, const struct trace_kernel *kernel,
                      struct error *err);
/* Adds a line of the list that is neither a copy nor a launch. */
int info_contents_note(struct info_contents *contents, const char *line, struct error *err);
void info_contents_print(const struct info_contents *contents,
                         const struct trace_workload *workload);

#endif
