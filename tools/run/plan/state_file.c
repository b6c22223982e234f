#include "tools/run/plan/state_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/traces.h"

static int cannot_write(const char *path, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s", strerror(errno));
}

int state_file_check(const char *path, struct error *err)
{
    struct stat status;
    char *folder = strdup(path);
    if (folder == NULL)
        return error_no_memory(err);
    /* The name of a state is absolute, or has the plan's folder in front. */
    char *slash = strrchr(folder, '/');
    if (slash != NULL && slash > folder)
        *slash = '\0';
    int result = slash == NULL || stat(folder, &status) == 0 ? 0 : cannot_write(path, err);
    free(folder);
    return result == 0 ? trace_output_check(path, true, err) : result;
}

static int save(struct sim *sim, const struct sim_needs *needs, const char *part,
                const char *path, struct error *err)
{
    if (trace_output_check(path, true, err) != 0)
        return -1;
    FILE *out = fopen(part, "wb");
    if (out == NULL)
        return cannot_write(path, err);
    int result = needs != NULL ? sim_save_needed(sim, needs, out, path, err)
                               : sim_save(sim, out, path, err);
    if (fclose(out) != 0 && result == 0)
        result = cannot_write(path, err);
    if (result == 0 && rename(part, path) < 0)
        result = cannot_write(path, err);
    if (result != 0)
        unlink(part);
    return result;
}

int state_file_save(struct sim *sim, const struct sim_needs *needs, const char *path,
                    struct error *err)
{
    size_t room = strlen(path) + 32;
    char *part = malloc(room);
    if (part == NULL)
        return error_no_memory(err);
    snprintf(part, room, "%s.part-%ld", path, (long)getpid());
    int result = save(sim, needs, part, path, err);
    free(part);
    return result;
}

int state_file_restore(struct sim *sim, const char *path, struct error *err)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    if (there && !S_ISREG(status.st_mode)) /* not even opened: a pipe might never be */
        return error_set(err, ERROR_TRACE, path, 0, 0,
                         "is no file: states are read from files");
    FILE *in = fopen(path, "rb");
    if (in == NULL && errno == ENOENT)
        return error_set(err, ERROR_TRACE, path, 0, 0,
                         "there is no such file: the plan restores a state that nobody saved");
    if (in == NULL)
        return error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
    int result = sim_restore(sim, in, path, err);
    fclose(in);
    return result;
}
