#define _GNU_SOURCE /* asprintf */
#include "tracer/folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int make_folder(const char *path, struct error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
}

/* Puts WHERE/NAME into the folder's place, and makes it. */
static int enter(char **folder, const char *where, const char *name, struct error *err)
{
    char *path;
    if (asprintf(&path, "%s%s%s", where, *name != '\0' ? "/" : "", name) < 0)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    free(*folder);
    *folder = path;
    return make_folder(path, err);
}

/* The first run<N> that is not there is this process's. */
static int enter_run(char **folder, struct error *err)
{
    for (unsigned n = 0;; n++) {
        char *path;
        if (asprintf(&path, "%s/run%u", *folder, n) < 0)
            return error_no_memory_for(err, ERROR_OUTPUT, NULL);
        if (mkdir(path, 0777) == 0) {
            free(*folder);
            *folder = path;
            return 0;
        }
        int rc = errno == EEXIST
                     ? 0
                     : error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
        free(path);
        if (rc != 0)
            return rc;
    }
}

int folders_make(char **folder, const struct tracer_options *options, struct error *err)
{
    const char *given = options->folder;
    int rc = 0;
    if (*folder != NULL)
        return 0;
    if (given != NULL)
        rc = enter(folder, given, "", err);
    if (rc == 0 && (given == NULL || !options->user_folders))
        rc = enter(folder, given != NULL ? given : ".", "traces", err);
    return rc == 0 && options->multi_process ? enter_run(folder, err) : rc;
}
