#include "tools/run/sample/workload_profile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/run/notes.h"
#include "traces/base/process/stop.h"

static int add_launch(struct profile *profile, const struct trace_workload *workload,
                      const char *name, uint64_t number,
                      const struct profile_companions *companions, struct error *err)
{
    struct trace_kernel *kernel = trace_workload_kernel(workload, name, NULL, err);
    if (kernel == NULL)
        return -1;
    int rc = profile_add_trace(profile, kernel, number, companions, err);
    trace_kernel_close(kernel);
    return rc;
}

static int add_launches(struct profile *profile, const struct trace_workload *workload,
                        const struct launches *launches, const struct ranges *chosen,
                        const struct profile_companions *companions, struct error *err)
{
    size_t position = 0;
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *line = &workload->commands[i];
        if (line->kind != TRACE_KERNEL)
            continue;
        uint64_t number = launches_number(launches, line->text, ++position);
        if (chosen != NULL && !ranges_contain(chosen, number))
            continue;
        if (stop_signal() != 0)
            return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                             "stopped by %s after profiles of %zu launches", stop_name(),
                             profile->count);
        if (add_launch(profile, workload, line->text, number, companions, err) != 0)
            return -1;
    }
    if (profile->count == 0)
        return error_set(err, ERROR_TRACE, workload->path, 0, 0, "no launch to profile");
    return 0;
}

struct profile *workload_profile(const struct trace_workload *workload,
                                 const struct launches *launches, const struct ranges *chosen,
                                 const struct profile_companions *companions, struct error *err)
{
    struct profile *profile = profile_create(workload->path, err);
    int rc = profile != NULL ? 0 : -1;
    if (rc == 0 && companions != NULL)
        rc = profile_begin_companions(companions, err);
    if (rc == 0)
        rc = add_launches(profile, workload, launches, chosen, companions, err);
    if (rc == 0)
        return profile;
    profile_destroy(profile);
    return NULL;
}

void workload_profile_note(const struct trace_workload *workload,
                           const struct launches *launches)
{
    if (launches->by_position)
        notes_say("%s: kernel ids are missing or repeat: launches go by their position",
                  workload->path);
}

int workload_profile_cycles(struct profile *profile, const char *given, bool quiet,
                            struct error *err)
{
    struct stat status;
    char *path = malloc(strlen(given) + sizeof "/kernels.csv");
    if (path == NULL)
        return error_no_memory(err);
    bool folder = stat(given, &status) == 0 && S_ISDIR(status.st_mode);
    sprintf(path, "%s%s", given, folder ? "/kernels.csv" : "");
    long filled = profile_fill_cycles(profile, path, err);
    if (filled >= 0 && (size_t)filled < profile->count && !quiet)
        notes_say("%s has cycles of %ld of %zu launches", path, filled, profile->count);
    free(path);
    return filled >= 0 ? 0 : -1;
}
