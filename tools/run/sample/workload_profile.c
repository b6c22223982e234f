#define _GNU_SOURCE /* asprintf */
#include "tools/run/sample/workload_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/config.h"
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

/* The latency of launches in the run that wrote the kernels.csv of PATH, by the config.out
 * beside it; none if there is no such file. */
static int read_latency(const char *path, struct profile_latency *latency, struct error *err)
{
    char *file;
    const char *slash = strrchr(path, '/');
    *latency = (struct profile_latency){0};
    if (asprintf(&file, "%.*sconfig.out", slash != NULL ? (int)(slash + 1 - path) : 0, path) <
        0)
        return error_no_memory(err);
    const char *source = file;
    bool there = access(file, F_OK) == 0;
    struct sim_config *config =
        there ? sim_config_create(&source, 1, NULL, 0, NULL, NULL, err) : NULL;
    if (config != NULL) {
        latency->launch = config->options.gpgpu_kernel_launch_latency;
        latency->block = config->options.gpgpu_TB_launch_latency;
    }
    sim_config_destroy(config);
    free(file);
    return there && config == NULL ? -1 : 0;
}

static int fill_cycles(struct profile *profile, const char *path, bool quiet, struct error *err)
{
    struct profile_latency latency;
    if (read_latency(path, &latency, err) != 0)
        return -1;
    long filled = profile_fill_cycles(profile, path, &latency, err);
    if (filled < 0)
        return -1;
    if ((size_t)filled < profile->count && !quiet)
        notes_say("%s has cycles of %ld of %zu launches", path, filled, profile->count);
    if (latency.launch + latency.block > 0 && !quiet)
        notes_say("%s: without launch latency, %.0f cycles a launch and %.0f a thread block",
                  path, latency.launch, latency.block);
    return 0;
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
    int result = fill_cycles(profile, path, quiet, err);
    free(path);
    return result;
}
