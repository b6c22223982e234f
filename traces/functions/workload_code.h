/* Where workloads have the code of their functions. */
#ifndef HEARTH_TRACES_FUNCTIONS_WORKLOAD_CODE_H
#define HEARTH_TRACES_FUNCTIONS_WORKLOAD_CODE_H

#include "traces/functions/functions_cache.h"

struct trace_kernel;
struct trace_workload;

/* The functions of WORKLOAD, none if it has no code. NULL on error. */
const struct functions *workload_code_get(const struct trace_workload *workload,
                                          struct error *err);

/* Finds the function of KERNEL, whose trace is PATH, in WORKLOAD (NULL: beside PATH). Returns
 * 0, also if there is none, or -1. */
int workload_code_find(struct trace_kernel *kernel, const char *path,
                       const struct trace_workload *workload, struct error *err);

#endif
