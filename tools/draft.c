#define _GNU_SOURCE /* asprintf */
#include "tools/draft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int draft_init(struct draft *draft, const char *path, bool replace, struct error *err)
{
    *draft = (struct draft){.path = strdup(path)};
    if (draft->path == NULL || asprintf(&draft->part, "%s.part", path) < 0) {
        draft->part = NULL;
        return error_set(err, ERROR_OUTPUT, path, 0, 0, "out of memory");
    }
    if (!replace && access(path, F_OK) == 0)
        return error_set(err, ERROR_OUTPUT, path, 0, 0, "it exists already; -f replaces it");
    draft->file = fopen(draft->part, "w");
    if (draft->file == NULL)
        return error_set(err, ERROR_OUTPUT, draft->part, 0, 0, "cannot create: %s",
                         strerror(errno));
    return 0;
}

int draft_commit(struct draft *draft, struct error *err)
{
    bool bad = ferror(draft->file) != 0;
    bad |= fclose(draft->file) != 0;
    draft->file = NULL;
    if (!bad && rename(draft->part, draft->path) == 0)
        return 0;
    error_set(err, ERROR_OUTPUT, draft->path, 0, 0, "cannot write: %s", strerror(errno));
    unlink(draft->part);
    return -1;
}

void draft_finish(struct draft *draft)
{
    if (draft->file != NULL) {
        fclose(draft->file);
        unlink(draft->part);
    }
    free(draft->path);
    free(draft->part);
    *draft = (struct draft){0};
}
