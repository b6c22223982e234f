/* The file "job" of a job's folder: the command that the job is. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/sweep/sweep_configs.h"
#include "tools/sweep/sweep_folder.h"
#include "tools/sweep/sweep_jobs.h"

static void write_arguments(FILE *out, const struct sweep_names *names, const char *option)
{
    for (size_t i = 0; i < names->count; i++)
        fprintf(out, "argument %s\nargument %s\n", option, names->items[i]);
}

static int write_card(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    struct sweep_names values = sweep_jobs_values(jobs, job->config);
    if (values.items == NULL)
        return -1;
    write_arguments(out, sweep_jobs_files(jobs, job->config), "-c");
    write_arguments(out, &values, "--set");
    free(values.items);
    return 0;
}

/* What the job reads: the output of another, or the workload. */
static void write_input(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    static const char *const outputs[] = {"workload.packed", "sample.plan", "warm.plan"};
    const struct sweep_job *needs = job->needs != SWEEP_NONE ? &jobs->items[job->needs] : NULL;
    unsigned variant = jobs->configs[job->config].variant;
    if (needs == NULL)
        fprintf(out, "argument %s\n", jobs->spec->workloads[job->workload].path);
    else if (needs->kind == SWEEP_WARM && variant > 0 && sweep_jobs_groups(jobs, needs))
        fprintf(out, "argument ../%s/%s.%u\n", needs->digest, outputs[needs->kind], variant);
    else
        fprintf(out, "argument ../%s/%s\n", needs->digest, outputs[needs->kind]);
}

static int write_sample(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    const struct sweep_method *method = &jobs->spec->methods[jobs->spec->ways[job->way].method];
    fprintf(out, "argument --method\nargument %s\n", method->method->name);
    for (size_t i = 0; i < method->options.count; i++)
        fprintf(out, "argument %s\n", method->options.items[i]);
    fputs("argument -f\nargument -q\nargument -o\nargument sample.plan\n", out);
    return sweep_jobs_follows_card(method) ? write_card(jobs, job, out) : 0;
}

/* The configurations of a group are files in the job's folder. */
static int write_config(const struct sweep_jobs *jobs, const struct sweep_job *job, unsigned v,
                        struct error *err)
{
    char name[24];
    struct output_file output = {0};
    const struct sweep_group *group = &jobs->groups[jobs->configs[job->config].group];
    snprintf(name, sizeof name, "%u.config", v);
    char *path = sweep_folder_path(jobs->store, job->digest, name);
    struct sim_config *config =
        path != NULL ? sweep_configs_make(jobs, group->configs[v], err) : NULL;
    int result = config != NULL ? sweep_folder_open(&output, path, err)
                 : path != NULL ? -1
                                : error_no_memory(err);
    if (result == 0) {
        sim_config_print(config, output.file);
        result = output_file_commit(&output, err);
    }
    output_file_finish(&output);
    sim_config_destroy(config);
    free(path);
    return result;
}

static int write_configs(const struct sweep_jobs *jobs, const struct sweep_job *job,
                         struct error *err)
{
    unsigned count = jobs->groups[jobs->configs[job->config].group].count;
    int result = 0;
    for (unsigned v = 0; v < count && result == 0; v++)
        result = write_config(jobs, job, v, err);
    return result;
}

static int write_group(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    unsigned count = jobs->groups[jobs->configs[job->config].group].count;
    fputs("argument -c\nargument 0.config\n", out);
    for (unsigned v = 1; v < count; v++)
        fprintf(out, "argument --variant\nargument %u.config\n", v);
    return 0;
}

static int write_warm(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    const struct sweep_way *way = &jobs->spec->ways[job->way];
    if (way->saved)
        fputs("argument --now\n", out);
    fprintf(out, "argument --warm\nargument %s\n", way->warm);
    fputs("argument -f\nargument -q\nargument -o\nargument warm.plan\n", out);
    return sweep_jobs_groups(jobs, job) ? write_group(jobs, job, out)
                                        : write_card(jobs, job, out);
}

static int write_run(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    const struct sweep_way *way = &jobs->spec->ways[job->way];
    if (way->warm != NULL && !way->planned)
        fprintf(out, "argument --warm\nargument %s\n", way->warm);
    fputs("argument --resume\nargument -q\nargument -o\nargument results\n", out);
    return write_card(jobs, job, out);
}

/* What the rows of a segment depend on, besides the segment. */
static int write_split(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    struct digest_text digest;
    char text[DIGEST_TEXT];
    if (!sweep_jobs_splits(jobs, job))
        return 0;
    if (!digest_text_begin(&digest))
        return -1;
    fprintf(digest.out, HEARTH_VERSION " %s %s %s\n", jobs->build,
            jobs->workloads[job->workload].contents.digest, jobs->configs[job->config].digest);
    if (!digest_text_end(&digest, text))
        return -1;
    fprintf(out, "split %s\n", text);
    return 0;
}

static int write_job(const struct sweep_jobs *jobs, const struct sweep_job *job, FILE *out)
{
    static const char *const commands[] = {"trace\nargument convert", "sample", "warm", "run"};
    fprintf(out, "hearth-job 1\nkind %s\n", sweep_kind_names[job->kind]);
    if (job->needs != SWEEP_NONE)
        fprintf(out, "needs %s\n", jobs->items[job->needs].digest);
    if (write_split(jobs, job, out) != 0)
        return -1;
    fprintf(out, "argument %s\n", commands[job->kind]);
    write_input(jobs, job, out);
    switch (job->kind) {
    case SWEEP_PACK:
        fputs("argument --to\nargument packed\nargument -f\nargument -o\n"
              "argument workload.packed\n",
              out);
        return 0;
    case SWEEP_SAMPLE:
        return write_sample(jobs, job, out);
    case SWEEP_WARM:
        return write_warm(jobs, job, out);
    default:
        return write_run(jobs, job, out);
    }
}

int sweep_jobs_write(const struct sweep_jobs *jobs, const struct sweep_job *job,
                     struct error *err)
{
    struct output_file output = {0};
    char *path = sweep_folder_path(jobs->store, job->digest, "job");
    if (path == NULL)
        return error_no_memory(err);
    bool groups = job->kind == SWEEP_WARM && sweep_jobs_groups(jobs, job);
    int result = groups ? write_configs(jobs, job, err) : 0;
    if (result == 0)
        result = sweep_folder_open(&output, path, err);
    if (result == 0 && write_job(jobs, job, output.file) != 0)
        result = error_no_memory(err);
    if (result == 0)
        result = output_file_commit(&output, err);
    output_file_finish(&output);
    free(path);
    return result;
}
