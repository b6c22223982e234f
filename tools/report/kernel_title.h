/* Names of kernels for readers. */
#ifndef HEARTH_TOOLS_REPORT_KERNEL_TITLE_H
#define HEARTH_TOOLS_REPORT_KERNEL_TITLE_H

#define KERNEL_TITLE_BRIEF 64 /* letters of a brief name, at most */

/* NAME, as traces have it, with types and parameters: "void reduce<float, 256u>(float const*)".
 * NAME itself if it is not mangled. To be freed; NULL if memory is short. */
char *kernel_title_full(const char *name);
/* FULL without what it returns, parameters, namespaces and the arguments of its arguments:
 * "reduce<float, 256u>"; the end of a long one is replaced by "...". To be freed; NULL if
 * memory is short. */
char *kernel_title_brief(const char *full);

#endif
