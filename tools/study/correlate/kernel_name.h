/* Names of kernels as traces have them (mangled) and as profilers print them. */
#ifndef HEARTH_TOOLS_STUDY_CORRELATE_KERNEL_NAME_H
#define HEARTH_TOOLS_STUDY_CORRELATE_KERNEL_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The function's own name in NAME, without namespaces, template arguments and parameters:
 * "reduce" of "_Z6reduceIfLj256EEvPKT_", "void ns::reduce<float>(const float *)" and "reduce".
 * *LENGTH characters from the result on, a part of NAME. */
const char *kernel_name_identifier(const char *name, size_t *length);
/* Whether both may name the same kernel: the same text; or the same identifier, if only one of
 * them is mangled, or only one has parameters. */
bool kernel_name_same(const char *a, const char *b);

#endif
