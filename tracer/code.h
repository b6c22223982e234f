/* The code of functions that launches execute. */
#ifndef HEARTH_TRACER_CODE_H
#define HEARTH_TRACER_CODE_H

#include "traces/traces.h"

/* Zeroed at the start. */
struct traced_code {
    struct trace_function **items; /* by their number - 1 */
    uint32_t count;
};

void traced_code_finish(struct traced_code *code);

#endif
