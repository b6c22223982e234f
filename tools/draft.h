/* A file that is complete or absent: written as PATH.part, which gets its name
 * at the end. */
#ifndef HEARTH_TOOLS_DRAFT_H
#define HEARTH_TOOLS_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

#include "traces/error.h"

struct draft {
    char *path, *part;
    FILE *file;
};

/* Begins PATH; with REPLACE one that exists may be there. Returns 0, or -1
 * with ERR filled (ERROR_OUTPUT). */
int draft_init(struct draft *draft, const char *path, bool replace, struct error *err);
/* Completes it. Returns 0, or -1 with ERR filled. */
int draft_commit(struct draft *draft, struct error *err);
/* Removes what was not completed. Accepts a zeroed draft. */
void draft_finish(struct draft *draft);

#endif
