#define _GNU_SOURCE /* asprintf */
#include "tools/run/sample/sample_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/notes.h"
#include "tools/run/sample/workload_profile.h"

static int open_workload(struct sample_source *source, const char *path, bool quiet,
                         struct error *err)
{
    source->workload = launches_open(&source->launches, path, err);
    if (source->workload == NULL)
        return -1;
    if (!quiet)
        workload_profile_note(source->workload, &source->launches);
    return 0;
}

/* Profiles the workload; its basic blocks go to a temporary file. */
static int measure(struct sample_source *source, const struct sample_request *request,
                   struct error *err)
{
    struct profile_companions companions = {0};
    if (request->counts) {
        source->profile = workload_profile_counts(source->workload, &source->launches, err);
        return source->profile != NULL ? 0 : -1;
    }
    if (request->needs_bbv && source->bbv == NULL) {
        source->bbv = tmpfile();
        if (source->bbv == NULL)
            return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "cannot make a temporary file: %s",
                             strerror(errno));
        companions.bbv = source->bbv;
        source->bbv_name = strdup("basic blocks");
        if (source->bbv_name == NULL)
            return error_no_memory(err);
    }
    source->profile =
        workload_profile(source->workload, &source->launches, NULL, &companions, err);
    return source->profile != NULL ? 0 : -1;
}

static int open_bbv(struct sample_source *source, const char *path, bool must,
                    struct error *err)
{
    source->bbv = fopen(path, "r");
    if (source->bbv == NULL)
        return must || errno == ENOMEM
                   ? error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno))
                   : 0;
    source->bbv_name = strdup(path);
    return source->bbv_name != NULL ? 0 : error_no_memory(err);
}

/* Finds the companion of a profile, if it exists. */
static int find_bbv(struct sample_source *source, const char *profile, struct error *err)
{
    char *path;
    size_t stem = strlen(profile) - strlen(".csv");
    if (asprintf(&path, "%.*s.bbv.csv", (int)stem, profile) < 0)
        return error_no_memory(err);
    int rc = open_bbv(source, path, false, err);
    free(path);
    return rc;
}

static int read_profile(struct sample_source *source, const struct sample_request *request,
                        struct error *err)
{
    source->profile = profile_open(request->source, err);
    if (source->profile == NULL)
        return -1;
    if (source->profile->note != NULL && !request->quiet)
        notes_say("%s", source->profile->note);
    return source->bbv == NULL ? find_bbv(source, request->source, err) : 0;
}

int sample_source_init(struct sample_source *source, const struct sample_request *request,
                       struct error *err)
{
    bool table = profile_is_table(request->source);
    const char *workload = table ? request->workload : request->source;
    *source = (struct sample_source){0};
    if (request->bbv != NULL && open_bbv(source, request->bbv, true, err) != 0)
        return -1;
    if (workload != NULL && open_workload(source, workload, request->quiet, err) != 0)
        return -1;
    int rc = table ? read_profile(source, request, err) : measure(source, request, err);
    if (rc == 0 && request->cycles != NULL)
        rc = workload_profile_cycles(source->profile, request->cycles, request->quiet, err);
    return rc;
}

void sample_source_finish(struct sample_source *source)
{
    launches_finish(&source->launches);
    trace_workload_destroy(source->workload);
    profile_destroy(source->profile);
    if (source->bbv != NULL)
        fclose(source->bbv);
    free(source->bbv_name);
    *source = (struct sample_source){0};
}
