/* Any bytes are a list of copies and launches or an error with a place. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "traces/traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct trace_workload *workload =
        trace_workload_parse("list", ".", (const char *)data, size, &err);
    if ((workload == NULL) != (err.kind == ERROR_TRACE))
        abort();
    for (size_t i = 0; workload != NULL && i < workload->count; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->text == NULL || strlen(command->text) == 0 || command->line < 1)
            abort();
        if (command->kind == TRACE_COPY_DEVICE &&
            (!trace_command_writes(command) ||
             command->copy.bytes > UINT64_MAX - command->copy.address))
            abort();
        const char *expected;
        if (trace_note_wrong(command->text, &expected) != NULL &&
            command->kind == TRACE_COPY_DEVICE)
            abort();
    }
    trace_workload_destroy(workload);
    return 0;
}
