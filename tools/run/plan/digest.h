/* A workload's digest: equal for equal lists of files of equal sizes. */
#ifndef HEARTH_TOOLS_RUN_PLAN_DIGEST_H
#define HEARTH_TOOLS_RUN_PLAN_DIGEST_H

#include "traces/traces.h"

#define DIGEST_TEXT 17 /* sixteen hexadecimal digits and the end */

/* Digests the copies and the kernels of WORKLOAD: names and the sizes of the
 * files (of packed launches their share of the file), not what is in them. Other lines and
 * where the folder is do not matter. Returns 0, or -1 with ERR filled. */
int digest_workload(const struct trace_workload *workload, char text[DIGEST_TEXT],
                    struct error *err);

#endif
