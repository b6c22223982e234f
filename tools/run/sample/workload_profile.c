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

/* What a profile is made of. */
struct profiling {
    struct profile *profile;
    const struct trace_workload *workload;
    const struct launches *launches;
    const struct ranges *chosen;                 /* NULL: all launches */
    const struct profile_companions *companions; /* NULL: none */
    bool counts;                                 /* only headers are read */
};

static int add_launch(const struct profiling *work, const char *name, uint64_t number,
                      struct error *err)
{
    struct trace_kernel *kernel = trace_workload_kernel(work->workload, name, NULL, err);
    if (kernel == NULL)
        return -1;
    int rc = work->counts
                 ? profile_add_counts(work->profile, kernel, number, err)
                 : profile_add_trace(work->profile, kernel, number, work->companions, err);
    trace_kernel_close(kernel);
    return rc;
}

static int add_launches(const struct profiling *work, struct error *err)
{
    const struct trace_workload *workload = work->workload;
    size_t position = 0;
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *line = &workload->commands[i];
        if (line->kind != TRACE_KERNEL)
            continue;
        uint64_t number = launches_number(work->launches, line->text, ++position);
        if (work->chosen != NULL && !ranges_contain(work->chosen, number))
            continue;
        if (stop_signal() != 0)
            return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                             "stopped by %s after profiles of %zu launches", stop_name(),
                             work->profile->count);
        if (add_launch(work, line->text, number, err) != 0)
            return -1;
    }
    if (work->profile->count == 0)
        return error_set(err, ERROR_TRACE, workload->path, 0, 0, "no launch to profile");
    return 0;
}

static struct profile *make(struct profiling *work, struct error *err)
{
    work->profile = profile_create(work->workload->path, err);
    int rc = work->profile != NULL ? 0 : -1;
    if (rc == 0 && work->companions != NULL)
        rc = profile_begin_companions(work->companions, err);
    if (rc == 0)
        rc = add_launches(work, err);
    if (rc == 0)
        return work->profile;
    profile_destroy(work->profile);
    return NULL;
}

struct profile *workload_profile(const struct trace_workload *workload,
                                 const struct launches *launches, const struct ranges *chosen,
                                 const struct profile_companions *companions, struct error *err)
{
    struct profiling work = {NULL, workload, launches, chosen, companions, false};
    return make(&work, err);
}

struct profile *workload_profile_counts(const struct trace_workload *workload,
                                        const struct launches *launches, struct error *err)
{
    struct profiling work = {NULL, workload, launches, NULL, NULL, true};
    return make(&work, err);
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
