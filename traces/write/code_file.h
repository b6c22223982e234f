/* The code of text workloads as they are traced. */
#ifndef HEARTH_TRACES_WRITE_CODE_FILE_H
#define HEARTH_TRACES_WRITE_CODE_FILE_H

#include "traces/functions/functions.h"
#include "traces/sink.h"

/* Says that LAUNCH, a name in a list, executes FUNCTION. Returns 0, or -1 with ERR filled
 * (ERROR_OUTPUT) and nothing of it in the file. */
int code_file_add(struct trace_code_file *file, const struct trace_function *function,
                  const char *launch, struct error *err);

#endif
