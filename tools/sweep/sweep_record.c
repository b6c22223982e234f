#include "tools/sweep/sweep_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sweep/sweep_folder.h"
#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"

#define NAME "sweep.jobs"

/* Runs that could not become jobs, such as those of a workload that is not there. */
static size_t count_jobless(const struct sweep_jobs *jobs)
{
    size_t count = 0;
    for (size_t cell = 0; cell < jobs->cell_count; cell++)
        count += jobs->cells[cell] == SWEEP_NONE;
    return count;
}

int sweep_record_write(const struct sweep_request *request, const struct sweep_jobs *jobs,
                       unsigned processes, struct error *err)
{
    struct output_file output = {0};
    char *path = paths_join(request->output, NAME);
    if (path == NULL)
        return error_no_memory(err);
    int result = sweep_folder_open(&output, path, err);
    free(path);
    if (result != 0)
        return -1;
    fprintf(output.file, "hearth-sweep 1\nstore %s\nengine %s\nprocesses %u\nworkloads %zu\n",
            jobs->store, request->engine, processes, jobs->spec->workload_count);
    for (size_t i = 0; i < jobs->count; i++) {
        const struct sweep_job *job = &jobs->items[i];
        fprintf(output.file, "%s %u %" PRIu32 " %" PRId64 "\n", job->digest, job->kind,
                job->workload, job->needs != SWEEP_NONE ? (int64_t)job->needs : -1);
    }
    fprintf(output.file, "runs %zu %zu\n", jobs->cell_count, count_jobless(jobs));
    result = output_file_commit(&output, err);
    output_file_finish(&output);
    return result;
}

static bool read_job(struct sweep_record *record, const char *line)
{
    struct sweep_jobs *jobs = &record->jobs;
    struct sweep_job job = {0};
    unsigned kind;
    int64_t needs;
    if (sscanf(line, "runs %zu %zu\n", &record->runs, &record->jobless) == 2)
        return true; /* not there in files of earlier versions */
    if (sscanf(line, "%16[0-9a-f] %u %" SCNu32 " %" SCNd64, job.digest, &kind, &job.workload,
               &needs) != 4 ||
        kind >= SWEEP_KINDS || job.workload >= record->spec.workload_count ||
        needs >= (int64_t)jobs->count)
        return false;
    job.kind = (uint8_t)kind;
    job.needs = needs >= 0 ? (uint32_t)needs : SWEEP_NONE;
    if (!array_room(&jobs->items, jobs->count, sizeof job) ||
        !array_room(&jobs->cells, jobs->cell_count, sizeof *jobs->cells))
        return false;
    if (kind == SWEEP_RUN)
        jobs->cells[jobs->cell_count++] = (uint32_t)jobs->count;
    jobs->items[jobs->count++] = job;
    return true;
}

/* Takes the value of "KEY value" in LINE. */
static char *take_value(const char *line, const char *key)
{
    size_t length = strlen(key);
    bool is = strncmp(line, key, length) == 0 && line[length] == ' ';
    return is ? strndup(line + length + 1, strcspn(line + length + 1, "\n")) : NULL;
}

static bool read_head(struct sweep_record *record, FILE *in, char **line, size_t *room)
{
    if (getline(line, room, in) < 0 || strcmp(*line, "hearth-sweep 1\n") != 0)
        return false;
    if (getline(line, room, in) >= 0)
        record->store = take_value(*line, "store");
    if (getline(line, room, in) >= 0)
        record->engine = take_value(*line, "engine");
    return record->store != NULL && record->engine != NULL &&
           fscanf(in, "processes %u\nworkloads %zu\n", &record->processes,
                  &record->spec.workload_count) == 2;
}

int sweep_record_read(struct sweep_record *record, const char *output, struct error *err)
{
    char *line = NULL;
    size_t room = 0;
    *record = (struct sweep_record){0};
    FILE *in = paths_open(output, NAME, "r");
    if (in == NULL)
        return error_set(err, ERROR_USAGE, output, 0, 0, "no sweep is there (" NAME "): %s",
                         strerror(errno));
    errno = 0;
    bool good = read_head(record, in, &line, &room);
    while (good && getline(&line, &room, in) >= 0)
        good = read_job(record, line);
    bool short_of_memory = errno == ENOMEM;
    record->jobs.spec = &record->spec;
    record->jobs.store = record->store;
    free(line);
    fclose(in);
    if (short_of_memory)
        return error_no_memory_for(err, ERROR_USAGE, output);
    return good ? 0
                : error_set(err, ERROR_USAGE, output, 0, 0, NAME " is not the file of a sweep");
}

void sweep_record_finish(struct sweep_record *record)
{
    free(record->store);
    free(record->engine);
    free(record->jobs.items);
    free(record->jobs.cells);
}
