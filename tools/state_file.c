#include "tools/state_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/traces.h"

static int fail(enum error_kind kind, const char *path, struct error *err)
{
    return error_set(err, kind, path, 0, 0, "%s", strerror(errno));
}

/* The folders above PATH; what cannot be made is found when the file is opened. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

static int save(struct sim *sim, const struct sim_needs *needs, const char *part,
                const char *path, struct error *err)
{
    if (trace_output_check(path, true, err) != 0)
        return -1;
    FILE *out = fopen(part, "wb");
    if (out == NULL)
        return fail(ERROR_OUTPUT, path, err);
    int result = needs != NULL ? sim_save_needed(sim, needs, out, path, err)
                               : sim_save(sim, out, path, err);
    if (fclose(out) != 0 && result == 0)
        result = fail(ERROR_OUTPUT, path, err);
    if (result == 0 && rename(part, path) < 0)
        result = fail(ERROR_OUTPUT, path, err);
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
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    snprintf(part, room, "%s.part-%ld", path, (long)getpid());
    make_folders(part);
    int result = save(sim, needs, part, path, err);
    free(part);
    return result;
}

int state_file_restore(struct sim *sim, const char *path, struct error *err)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL && errno == ENOENT)
        return error_set(err, ERROR_TRACE, path, 0, 0,
                         "there is no such file: the plan restores a state that nobody saved");
    if (in == NULL)
        return fail(ERROR_TRACE, path, err);
    int result = sim_restore(sim, in, path, err);
    fclose(in);
    return result;
}
