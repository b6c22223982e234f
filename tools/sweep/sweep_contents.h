/* What a workload contains, as a digest of its files. */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_CONTENTS_H
#define HEARTH_TOOLS_SWEEP_SWEEP_CONTENTS_H

#include <stdbool.h>

#include "tools/run/plan/digest.h"
#include "traces/base/error.h"

struct sweep_contents {
    char digest[DIGEST_TEXT]; /* of the list, and of the bytes of all traces and of their
                                 machine code */
    bool packed;              /* it is one packed file */
};

/* Digests the workload at PATH. The digest is kept in the folder STORE/contents under the
 * names, sizes and times of the files, and taken from there if these are the same. Returns 0,
 * or -1 with ERR filled. */
int sweep_contents_read(struct sweep_contents *contents, const char *path, const char *store,
                        struct error *err);

#endif
