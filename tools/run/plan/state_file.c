#define _GNU_SOURCE /* asprintf */
#include "tools/run/plan/state_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/base/files/output_file.h"

static int cannot_write(const char *path, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s", strerror(errno));
}

/* Whether the file at PATH, if there is one, is a state: no other file is replaced by one. */
static int check_replaced(const char *path, struct error *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return errno == ENOENT ? 0 : cannot_write(path, err);
    bool saved = sim_is_saved(file);
    fclose(file);
    return saved ? 0
                 : error_set(err, ERROR_OUTPUT, path, 0, 0,
                             "this file is not a state of L2: it is not replaced");
}

int state_file_check(const char *path, struct error *err)
{
    struct stat status;
    char *folder = strdup(path);
    if (folder == NULL)
        return error_no_memory(err);
    /* The name of a state is absolute, or begins with the plan's folder. */
    char *slash = strrchr(folder, '/');
    if (slash != NULL && slash > folder)
        *slash = '\0';
    int result = slash == NULL || stat(folder, &status) == 0 ? 0 : cannot_write(path, err);
    free(folder);
    if (result == 0)
        result = output_file_check(path, true, err);
    return result == 0 ? check_replaced(path, err) : result;
}

int state_file_save(struct sim *sim, const struct sim_needs *needs, const char *path,
                    struct error *err)
{
    /* Other processes may write the same state. */
    struct output_file output = {0};
    char *part;
    if (asprintf(&part, "%s.part-%ld", path, (long)getpid()) < 0)
        return error_no_memory(err);
    int result = state_file_check(path, err);
    if (result == 0)
        result = output_file_open(&output, path, part, true, err);
    if (result == 0)
        result = needs != NULL ? sim_save_needed(sim, needs, output.file, path, err)
                               : sim_save(sim, output.file, path, err);
    if (result == 0)
        result = output_file_commit(&output, err);
    output_file_finish(&output);
    free(part);
    return result;
}

int state_file_restore(struct sim *sim, const char *path, struct error *err)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    if (there && !S_ISREG(status.st_mode)) /* not even opened: opening a pipe might block */
        return error_set(err, ERROR_TRACE, path, 0, 0,
                         "is no file: states are read from files");
    FILE *in = fopen(path, "rb");
    if (in == NULL && errno == ENOENT)
        return error_set(
            err, ERROR_TRACE, path, 0, 0,
            "there is no such state: states of a plan lie in PLAN.states beside it; "
            "copy them with it, or make both again with hearth warm");
    if (in == NULL)
        return error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
    int result = sim_restore(sim, in, path, err);
    fclose(in);
    return result;
}
