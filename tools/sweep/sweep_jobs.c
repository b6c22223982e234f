#include "tools/sweep/sweep_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sweep/sweep_configs.h"
#include "traces/base/bytes.h"

const char *const sweep_kind_names[SWEEP_KINDS] = {"pack", "sample", "warm", "run"};

/* ---- workloads ---- */

static int read_workload(struct sweep_jobs *jobs, size_t index, struct error *err)
{
    struct error wrong = {0};
    struct sweep_of_workload *of = &jobs->workloads[index];
    if (sweep_contents_read(&of->contents, jobs->spec->workloads[index].path, jobs->store,
                            &wrong) == 0)
        return 0;
    if (wrong.kind == ERROR_OUTPUT)
        return error_pass(err, &wrong);
    of->error = strdup(wrong.text);
    return of->error != NULL ? 0 : error_no_memory(err);
}

/* ---- jobs ---- */

bool sweep_jobs_splits(const struct sweep_jobs *jobs, const struct sweep_job *job)
{
    return job->kind == SWEEP_RUN && job->needs != SWEEP_NONE &&
           jobs->items[job->needs].kind == SWEEP_WARM && !jobs->configs[job->config].limited;
}

bool sweep_jobs_groups(const struct sweep_jobs *jobs, const struct sweep_job *job)
{
    return jobs->spec->ways[job->way].saved &&
           jobs->groups[jobs->configs[job->config].group].count > 1;
}

bool sweep_jobs_follows_card(const struct sweep_method *method)
{
    return (method->method->options & SAMPLING_BIT(SAMPLING_CORES)) != 0;
}

/* The states of all configurations for which one pass makes them. */
static void describe_group(const struct sweep_jobs *jobs, const struct sweep_job *job,
                           FILE *out)
{
    const struct sweep_group *group = &jobs->groups[jobs->configs[job->config].group];
    for (unsigned v = 0; v < group->count; v++)
        fprintf(out, "configuration %s\n", jobs->configs[group->configs[v]].states);
}

/* The plan that JOB reads, whichever pass made it. */
static void describe_plan(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    const struct sweep_job *needs = job->needs != SWEEP_NONE ? &jobs->items[job->needs] : NULL;
    if (needs == NULL || needs->kind == SWEEP_PACK)
        return;
    if (needs->kind == SWEEP_WARM) {
        fprintf(out, "states %s\n", jobs->configs[job->config].states);
        needs = &jobs->items[needs->needs];
    }
    fprintf(out, "plan %s\n", needs->digest);
}

static void describe(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    const struct sweep_way *way = &jobs->spec->ways[job->way];
    bool follows = job->kind == SWEEP_RUN || (job->kind == SWEEP_WARM && way->timed);
    fprintf(out, "%s " HEARTH_VERSION " %s %s\n", sweep_kind_names[job->kind], jobs->build,
            jobs->workloads[job->workload].contents.digest);
    if (job->kind == SWEEP_SAMPLE) {
        fprintf(out, "method %s\n", jobs->spec->methods[way->method].name);
        follows = sweep_jobs_follows_card(&jobs->spec->methods[way->method]);
    } else
        describe_plan(jobs, job, out);
    if (job->kind >= SWEEP_WARM)
        fprintf(out, "warm %s\n", way->warm != NULL ? way->warm : "");
    if (follows)
        fprintf(out, "configuration %s\n", jobs->configs[job->config].digest);
    else if (job->kind == SWEEP_WARM && sweep_jobs_groups(jobs, job))
        describe_group(jobs, job, out);
    else if (job->kind == SWEEP_WARM)
        fprintf(out, "configuration %s\n", jobs->configs[job->config].states);
}

/* Adds JOB, unless it is there. Its index, or SWEEP_NONE with ERR filled. */
static uint32_t add_job(struct sweep_jobs *jobs, struct sweep_job job, struct error *err)
{
    struct digest_text digest;
    bool good = digest_text_begin(&digest);
    if (good) {
        describe(jobs, &job, digest.out);
        good = digest_text_end(&digest, job.digest);
    }
    uint64_t key = strtoull(job.digest, NULL, 16);
    uint32_t place = good ? map_get(&jobs->places, key) : MAP_NONE;
    if (place != MAP_NONE)
        return place;
    job.level = job.needs != SWEEP_NONE ? (uint8_t)(jobs->items[job.needs].level + 1) : 0;
    if (!good || !array_room(&jobs->items, jobs->count, sizeof *jobs->items) ||
        !map_set(&jobs->places, key, (uint32_t)jobs->count)) {
        error_no_memory(err);
        return SWEEP_NONE;
    }
    jobs->items[jobs->count] = job;
    return (uint32_t)jobs->count++;
}

/* Adds the run of a cell, and before it what it needs. */
static uint32_t add_cell(struct sweep_jobs *jobs, struct sweep_job job, struct error *err)
{
    const struct sweep_way *way = &jobs->spec->ways[job.way];
    static const enum sweep_kind order[] = {SWEEP_PACK, SWEEP_SAMPLE, SWEEP_WARM, SWEEP_RUN};
    bool sampled = jobs->spec->methods[way->method].method != NULL;
    const bool needed[SWEEP_KINDS] = {!jobs->workloads[job.workload].contents.packed, sampled,
                                      sampled && way->planned, true};
    job.needs = SWEEP_NONE;
    for (size_t i = 0; i < SWEEP_KINDS; i++) {
        if (!needed[order[i]])
            continue;
        job.kind = (uint8_t)order[i];
        job.needs = add_job(jobs, job, err);
        if (job.needs == SWEEP_NONE)
            break;
    }
    return job.needs;
}

static int add_cells(struct sweep_jobs *jobs, struct error *err)
{
    size_t ways = jobs->spec->way_count;
    for (size_t cell = 0; cell < jobs->cell_count; cell++) {
        const struct sweep_job job = {
            .workload = (uint32_t)(cell / ways / jobs->config_count),
            .config = (uint32_t)(cell / ways % jobs->config_count),
            .way = (uint32_t)(cell % ways),
        };
        bool valid = jobs->workloads[job.workload].error == NULL &&
                     jobs->configs[job.config].error == NULL;
        jobs->cells[cell] = valid ? add_cell(jobs, job, err) : SWEEP_NONE;
        if (valid && jobs->cells[cell] == SWEEP_NONE)
            return -1;
    }
    return 0;
}

int sweep_jobs_init(struct sweep_jobs *jobs, const struct sweep_spec *spec, const char *store,
                    struct error *err)
{
    *jobs = (struct sweep_jobs){.spec = spec, .store = store};
    build_id(jobs->build);
    jobs->config_count = spec->card_count * sweep_spec_points(spec);
    jobs->cell_count = spec->workload_count * jobs->config_count * spec->way_count;
    jobs->workloads = calloc(spec->workload_count, sizeof *jobs->workloads);
    jobs->configs = calloc(jobs->config_count, sizeof *jobs->configs);
    jobs->cells = calloc(jobs->cell_count, sizeof *jobs->cells);
    if (jobs->workloads == NULL || jobs->configs == NULL || jobs->cells == NULL)
        return error_no_memory(err);
    int result = 0;
    for (size_t w = 0; w < spec->workload_count && result == 0; w++)
        result = read_workload(jobs, w, err);
    if (result == 0)
        result = sweep_configs_init(jobs, err);
    return result == 0 ? add_cells(jobs, err) : -1;
}

void sweep_jobs_finish(struct sweep_jobs *jobs)
{
    for (size_t w = 0; jobs->workloads != NULL && w < jobs->spec->workload_count; w++)
        free(jobs->workloads[w].error);
    for (size_t c = 0; jobs->configs != NULL && c < jobs->config_count; c++)
        free(jobs->configs[c].error);
    free(jobs->workloads);
    free(jobs->configs);
    free(jobs->groups);
    free(jobs->cells);
    free(jobs->items);
    map_finish(&jobs->places);
}

const char *sweep_jobs_error(const struct sweep_jobs *jobs, size_t cell)
{
    size_t config = cell / jobs->spec->way_count % jobs->config_count;
    const char *workload =
        jobs->workloads[cell / jobs->spec->way_count / jobs->config_count].error;
    return workload != NULL ? workload : jobs->configs[config].error;
}
