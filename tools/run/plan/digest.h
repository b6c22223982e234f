/* Digests of workloads, equal if the lists and the sizes of the files are equal, of texts, and
 * of files. */
#ifndef HEARTH_TOOLS_RUN_PLAN_DIGEST_H
#define HEARTH_TOOLS_RUN_PLAN_DIGEST_H

#include <stdio.h>

#include "traces/traces.h"

#define DIGEST_TEXT 17 /* sixteen hexadecimal digits and '\0' */

/* Digests the copies and the kernels of WORKLOAD: the names and sizes of the files (of packed
 * launches: their share of the file), not their contents. Other lines and the location of the
 * folder do not matter. Returns 0, or -1 with ERR filled. */
int digest_workload(const struct trace_workload *workload, char text[DIGEST_TEXT],
                    struct error *err);

/* The digest of a text that is written as a file is, and kept nowhere. */
struct digest_text {
    FILE *out;
    void *state; /* private */
};
/* False without memory: there is nothing to end then. */
bool digest_text_begin(struct digest_text *digest);
/* Closes `out`. Returns false if not all was written. */
bool digest_text_end(struct digest_text *digest, char text[DIGEST_TEXT]);

/* Digests the bytes of the file at PATH. Returns false if it cannot be read. */
bool digest_file(const char *path, char text[DIGEST_TEXT]);

#endif
