/* The engine list: a command for each job, for GNU parallel or any scheduler. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/sweep/engines/sweep_engine.h"
#include "traces/base/files/paths.h"

static void write_command(const struct sweep_request *request, const struct sweep_job *job,
                          const char *program, const char *store, bool share, FILE *out)
{
    sweep_engine_write_word(out, program);
    fputs(" sweep --job ", out);
    sweep_engine_write_word(out, store);
    fprintf(out, "/%s%s --threads %u\n", job->digest, share ? " --share" : "",
            request->threads);
}

/* The commands of jobs at LEVEL; SHARE: of those that only share the segments of runs. */
static void write_level(const struct sweep_request *request, const struct sweep_todo *todo,
                        const char *program, uint8_t level, bool share, FILE *out)
{
    const struct sweep_jobs *jobs = todo->jobs;
    for (size_t i = 0; i < jobs->count; i++)
        if (todo->states[i] == SWEEP_WAITING && jobs->items[i].level == level &&
            (!share || sweep_jobs_splits(jobs, &jobs->items[i])))
            write_command(request, &jobs->items[i], program, jobs->store, share, out);
}

/* Jobs that others need come first. */
static int write_commands(const struct sweep_request *request, const struct sweep_todo *todo,
                          FILE *out, struct error *err)
{
    char *program = sweep_engine_program(err);
    if (program == NULL)
        return -1;
    for (uint8_t level = 0; level < SWEEP_KINDS; level++)
        for (unsigned worker = 0; worker < request->workers; worker++)
            write_level(request, todo, program, level, worker > 0, out);
    free(program);
    return 0;
}

int sweep_list_run(const struct sweep_request *request, struct sweep_todo *todo,
                   struct error *err)
{
    struct output_file output = {0};
    char *path = paths_join(request->output, "commands");
    if (path == NULL)
        return error_no_memory(err);
    int result = sweep_folder_open(&output, path, err);
    if (result == 0)
        result = write_commands(request, todo, output.file, err);
    if (result == 0)
        result = output_file_commit(&output, err);
    output_file_finish(&output);
    if (result == 0 && !request->quiet && todo->left > 0)
        printf("%s: %zu commands; those of earlier lines are needed by later ones, which "
               "execute them if they have to\n",
               path, todo->left);
    free(path);
    return result;
}
