/* Names of kernels for readers. */
#ifndef HEARTH_TOOLS_REPORT_KERNEL_TITLE_H
#define HEARTH_TOOLS_REPORT_KERNEL_TITLE_H

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_TITLE_BRIEF 64 /* letters of a brief name, at most */

/* NAME, as traces have it, with types and parameters: "void reduce<float, 256u>(float const*)".
 * NAME itself if it is not mangled. To be freed; NULL if memory is short. */
char *kernel_title_full(const char *name);
/* FULL without what it returns, parameters, namespaces and the arguments of its arguments:
 * "reduce<float, 256u>"; the end of a long one is replaced by "...". To be freed; NULL if
 * memory is short. */
char *kernel_title_brief(const char *full);

/* Copies what readers see of NAME to TEXT of SIZE bytes: the brief name, or else the full one.
 * What does not fit is left out; NAME itself is copied if memory is short. */
void kernel_title_copy(const char *name, bool brief, char *text, size_t size);

#endif
