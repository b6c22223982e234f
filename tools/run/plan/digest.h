/* Digests of workloads, equal if the lists and the sizes of the files are equal, and of files.
 */
#ifndef HEARTH_TOOLS_RUN_PLAN_DIGEST_H
#define HEARTH_TOOLS_RUN_PLAN_DIGEST_H

#include "traces/traces.h"

#define DIGEST_TEXT 17 /* sixteen hexadecimal digits and '\0' */

/* Digests the copies and the kernels of WORKLOAD: the names and sizes of the files (of packed
 * launches: their share of the file), not their contents. Other lines and the location of the
 * folder do not matter. Returns 0, or -1 with ERR filled. */
int digest_workload(const struct trace_workload *workload, char text[DIGEST_TEXT],
                    struct error *err);
/* Digests the bytes of the file at PATH. Returns false if it cannot be read. */
bool digest_file(const char *path, char text[DIGEST_TEXT]);

#endif
