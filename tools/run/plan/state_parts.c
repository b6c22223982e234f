#include "tools/run/plan/state_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/plan/state_file.h"
#include "traces/base/files/paths.h"

int state_parts_place(char path[PATH_MAX], const char *folder, size_t position,
                      struct error *err)
{
    return snprintf(path, PATH_MAX, "%s/launch-%zu.l2", folder, position) < PATH_MAX
               ? 0
               : error_set(err, ERROR_OUTPUT, folder, 0, 0, "%s", strerror(ENAMETOOLONG));
}

static int part_folder(char folder[PATH_MAX], const struct warm_variant *variant,
                       struct error *err)
{
    return snprintf(folder, PATH_MAX, "%s.part-%ld", variant->place, (long)getpid()) < PATH_MAX
               ? 0
               : error_set(err, ERROR_OUTPUT, variant->place, 0, 0, "%s",
                           strerror(ENAMETOOLONG));
}

int state_parts_path(char path[PATH_MAX], const struct warm_variant *variant, size_t launch,
                     struct error *err)
{
    char folder[PATH_MAX];
    return part_folder(folder, variant, err) == 0 ? state_parts_place(path, folder, launch, err)
                                                  : -1;
}

int state_parts_make(const struct warm_plan *warm, struct error *err)
{
    int result = 0;
    for (size_t v = 0; v < warm->count && result == 0; v++) {
        char folder[PATH_MAX];
        result = part_folder(folder, &warm->variants[v], err);
        if (result == 0)
            result = paths_make_folder(folder, err);
    }
    return result;
}

/* Moves a state to its place if KEEP, otherwise removes it; ignores one that was not made. */
static int settle_state(const char *from, const char *to, bool keep, struct error *err)
{
    if (!keep) {
        unlink(from);
        return 0;
    }
    if (access(from, F_OK) != 0)
        return 0; /* launches that restore the same state share one */
    if (state_file_check(to, err) == 0) {
        if (rename(from, to) == 0)
            return 0;
        error_set(err, ERROR_OUTPUT, to, 0, 0, "cannot write: %s", strerror(errno));
    }
    unlink(from);
    return -1;
}

static int settle_variant(const struct warm_variant *variant, const size_t *launches,
                          size_t count, bool keep, struct error *err)
{
    char folder[PATH_MAX], from[PATH_MAX], to[PATH_MAX];
    if (part_folder(folder, variant, err) != 0)
        return -1;
    int result = keep ? paths_make_folder(variant->place, err) : 0;
    for (size_t i = 0; i < count; i++)
        if (state_parts_place(from, folder, launches[i], err) != 0 ||
            state_parts_place(to, variant->place, launches[i], err) != 0 ||
            settle_state(from, to, keep && result == 0, err) != 0)
            result = -1;
    rmdir(folder);
    return result;
}

int state_parts_settle(const struct warm_plan *warm, const size_t *launches, size_t count,
                       bool keep, struct error *err)
{
    int result = 0;
    for (size_t v = 0; v < warm->count; v++)
        if (settle_variant(&warm->variants[v], launches, count, keep && result == 0, err) != 0)
            result = -1;
    return result;
}
