/* The engine slurm: job arrays, one for the jobs of each level, which wait for those of the
 * level before. Slurm decides what runs when and where, and requeues jobs of lost nodes. */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/sweep/engines/slurm_queue.h"
#include "tools/sweep/engines/sweep_engine.h"
#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

#define ROUNDS       3  /* in which a job may be lost before it fails */
#define LAST_SECONDS 60 /* before the time limit, in which a simulation saves its state */
#define SILENCES     20 /* questions in a row that Slurm does not answer before a wait ends */

struct slurm {
    const struct sweep_request *request;
    struct sweep_todo *todo;
    char *program, *folder; /* DIR/slurm */
    size_t most;            /* tasks of an array */
    uint64_t *arrays;       /* numbers of all that were submitted */
    size_t count, first;    /* of them; the first one of the level before */
    bool share;             /* the next array only shares segments of runs */
    FILE *record;           /* DIR/slurm/arrays: their numbers */
};

/* ---- what was submitted ---- */

static int add_array(struct slurm *slurm, uint64_t number, struct error *err)
{
    if (!array_room(&slurm->arrays, slurm->count, sizeof *slurm->arrays))
        return error_no_memory(err);
    slurm->arrays[slurm->count++] = number;
    return 0;
}

static int read_record(struct slurm *slurm, struct error *err)
{
    uint64_t number;
    int result = 0;
    slurm->record = paths_open(slurm->folder, "arrays", "a+");
    if (slurm->record == NULL)
        return error_set(err, ERROR_OUTPUT, slurm->folder, 0, 0, "arrays: %s", strerror(errno));
    rewind(slurm->record);
    while (result == 0 && fscanf(slurm->record, "%" SCNu64, &number) == 1)
        result = add_array(slurm, number, err);
    return result;
}

/* ---- scripts ---- */

/* The name of a file of array NUMBER of the sweep, to be freed. NULL without memory. */
static char *name_file(const struct slurm *slurm, size_t number, const char *suffix)
{
    char *path;
    return asprintf(&path, "%s/%zu.%s", slurm->folder, number, suffix) < 0 ? NULL : path;
}

static void write_dependency(const struct slurm *slurm, size_t before, FILE *out)
{
    if (slurm->first == before)
        return;
    fputs("#SBATCH --dependency=afterany", out);
    for (size_t i = slurm->first; i < before; i++)
        fprintf(out, ":%" PRIu64, slurm->arrays[i]);
    fputc('\n', out);
}

/* Task N executes the job in line N + 1 of LIST. */
static void write_script(const struct slurm *slurm, const char *list, size_t tasks,
                         size_t before, FILE *out)
{
    const struct sweep_request *request = slurm->request;
    fprintf(out, "#!/bin/sh\n#SBATCH --job-name=hearth-sweep\n#SBATCH --array=0-%zu",
            tasks - 1);
    if (request->processes > 0)
        fprintf(out, "%%%u", request->processes);
    fprintf(out,
            "\n#SBATCH --cpus-per-task=%u\n#SBATCH --requeue\n#SBATCH --output=/dev/null\n",
            request->threads);
    if (request->minutes > 0)
        fprintf(out, "#SBATCH --time=%u\n", request->minutes);
    if (request->minutes * 60 > 2 * LAST_SECONDS)
        fprintf(out, "#SBATCH --signal=B:TERM@%d\n", LAST_SECONDS);
    for (size_t i = 0; i < request->slurm_count; i++)
        fprintf(out, "#SBATCH %s\n", request->slurm[i]);
    write_dependency(slurm, before, out);
    fputs("folder=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" ", out);
    sweep_engine_write_word(out, list);
    fputs(")\nexec >>\"$folder/messages\" 2>&1\nexec ", out);
    sweep_engine_write_word(out, slurm->program);
    fprintf(out, " sweep --job \"$folder\"%s --threads %u\n", slurm->share ? " --share" : "",
            request->threads);
}

/* Whether job INDEX is one of the next arrays. */
static bool is_next(const struct slurm *slurm, uint8_t level, size_t index)
{
    const struct sweep_jobs *jobs = slurm->todo->jobs;
    const struct sweep_job *job = &jobs->items[index];
    return slurm->todo->states[index] == SWEEP_WAITING && job->level == level &&
           (!slurm->share || sweep_jobs_splits(jobs, job));
}

/* Writes the folders of jobs of LEVEL from *NEXT on, as many as an array may have. Returns how
 * many. */
static size_t write_list(const struct slurm *slurm, uint8_t level, size_t *next, FILE *out)
{
    const struct sweep_jobs *jobs = slurm->todo->jobs;
    size_t tasks = 0;
    for (; *next < jobs->count && tasks < slurm->most; ++*next)
        if (is_next(slurm, level, *next)) {
            fprintf(out, "%s/%s\n", jobs->store, jobs->items[*next].digest);
            tasks++;
        }
    return tasks;
}

static bool any_left(const struct slurm *slurm, uint8_t level, size_t next)
{
    size_t count = slurm->todo->jobs->count;
    while (next < count && !is_next(slurm, level, next))
        next++;
    return next < count;
}

/* Writes list and script of the next array. */
static int write_array(const struct slurm *slurm, const char *list, const char *script,
                       uint8_t level, size_t *next, size_t before, struct error *err)
{
    struct output_file listed = {0}, written = {0};
    int result = sweep_folder_open(&listed, list, err);
    if (result == 0)
        result = sweep_folder_open(&written, script, err);
    if (result == 0)
        write_script(slurm, list, write_list(slurm, level, next, listed.file), before,
                     written.file);
    if (result == 0)
        result = output_file_commit(&listed, err);
    if (result == 0)
        result = output_file_commit(&written, err);
    output_file_finish(&listed);
    output_file_finish(&written);
    return result;
}

static int submit_array(struct slurm *slurm, uint8_t level, size_t *next, size_t before,
                        struct error *err)
{
    uint64_t number;
    char *list = name_file(slurm, slurm->count, "jobs");
    char *script = name_file(slurm, slurm->count, "sh");
    int result = list != NULL && script != NULL
                     ? write_array(slurm, list, script, level, next, before, err)
                     : error_no_memory(err);
    if (result == 0)
        result = slurm_queue_submit(script, &number, err);
    if (result == 0) {
        fprintf(slurm->record, "%" PRIu64 "\n", number);
        fflush(slurm->record);
        result = add_array(slurm, number, err);
    }
    free(list);
    free(script);
    return result;
}

/* Submits the jobs of LEVEL that are left; the workers of the same runs after each other. */
static int submit_level(struct slurm *slurm, uint8_t level, struct error *err)
{
    size_t before = slurm->count;
    int result = 0;
    for (unsigned worker = 0; worker < slurm->request->workers && result == 0; worker++) {
        size_t next = 0;
        slurm->share = worker > 0;
        while (result == 0 && any_left(slurm, level, next))
            result = submit_array(slurm, level, &next, before, err);
    }
    return result;
}

/* Submits all jobs that are left. */
static int submit(struct slurm *slurm, struct error *err)
{
    int result = 0;
    slurm->first = slurm->count;
    for (uint8_t level = 0; level < SWEEP_KINDS && result == 0; level++) {
        size_t before = slurm->count;
        result = submit_level(slurm, level, err);
        if (slurm->count > before)
            slurm->first = before;
    }
    return result;
}

/* ---- waiting ---- */

static void look(struct slurm *slurm)
{
    for (uint32_t i = 0; i < slurm->todo->jobs->count; i++)
        if (slurm->todo->states[i] == SWEEP_WAITING)
            sweep_todo_look(slurm->todo, i);
}

static void show(const struct slurm *slurm)
{
    if (!slurm->request->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%zu of %zu jobs, %zu failed", slurm->todo->done,
                slurm->todo->jobs->count, slurm->todo->failed);
}

static int silent(struct error *err)
{
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                     "Slurm does not answer (squeue); the same command continues");
}

/* Waits until Slurm has none of the arrays any more. Returns 0, or -1 with ERR if it has not
 * answered for a while. */
static int wait_for_queue(struct slurm *slurm, struct error *err)
{
    double seconds = 0.2; /* between two questions, up to 10 */
    unsigned silences = 0;
    while (stop_signal() == 0) {
        enum slurm_queue_answer answer = slurm_queue_has(slurm->arrays, slurm->count);
        silences = answer == SLURM_QUEUE_SILENT ? silences + 1 : 0;
        if (silences == SILENCES)
            return silent(err);
        if (answer == SLURM_QUEUE_NONE)
            break;
        nanosleep(&(struct timespec){(time_t)seconds,
                                     (long)((seconds - (double)(time_t)seconds) * 1e9)},
                  NULL);
        seconds = seconds < 10 ? seconds * 1.2 : 10;
        look(slurm);
        show(slurm);
    }
    look(slurm);
    return 0;
}

/* Whether a job that is left was stopped at its time limit: it has come further. */
static bool any_stopped(const struct slurm *slurm)
{
    const struct sweep_jobs *jobs = slurm->todo->jobs;
    for (size_t i = 0; i < jobs->count; i++)
        if (slurm->todo->states[i] == SWEEP_WAITING &&
            sweep_folder_stopped(jobs->store, jobs->items[i].digest))
            return true;
    return false;
}

/* Jobs that Slurm lost again and again fail. */
static int give_up(struct slurm *slurm, struct error *err)
{
    char text[64];
    int result = 0;
    snprintf(text, sizeof text, "ended without a message, %d times", ROUNDS);
    for (uint32_t i = 0; i < slurm->todo->jobs->count && result == 0; i++)
        if (slurm->todo->states[i] == SWEEP_WAITING)
            result = sweep_todo_fail(slurm->todo, i, text, err);
    return result;
}

/* Submits and waits until nothing is left. Jobs that were lost are submitted again. */
static int work(struct slurm *slurm, struct error *err)
{
    int result = wait_for_queue(slurm, err);
    for (unsigned idle = 0; slurm->todo->left > 0 && stop_signal() == 0 && result == 0;) {
        size_t left = slurm->todo->left, arrays = slurm->count;
        struct error wrong = {0};
        /* Slurm may refuse a part of the jobs until others have ended. */
        if (submit(slurm, &wrong) != 0 && slurm->count == arrays)
            return error_pass(err, &wrong);
        if (wait_for_queue(slurm, err) != 0)
            return -1;
        idle = slurm->todo->left < left || any_stopped(slurm) ? 0 : idle + 1;
        if (idle == ROUNDS && stop_signal() == 0)
            result = give_up(slurm, err);
    }
    return result == 0 && stop_signal() != 0 ? stop_code() : result;
}

/* Submits, unless jobs of an earlier call are still in the queue. */
static int hand_on(struct slurm *slurm, struct error *err)
{
    enum slurm_queue_answer answer = slurm_queue_has(slurm->arrays, slurm->count);
    if (answer == SLURM_QUEUE_SILENT)
        return silent(err);
    if (answer == SLURM_QUEUE_SOME) {
        if (!slurm->request->quiet)
            puts("jobs of this sweep are in the queue; hearth sweep --status shows how far "
                 "they are");
        return 0;
    }
    look(slurm);
    size_t left = slurm->todo->left, before = slurm->count;
    int result = left > 0 ? submit(slurm, err) : 0;
    if (result == 0 && !slurm->request->quiet)
        printf("submitted %zu jobs in %zu arrays; the same command goes on when they are "
               "done\n",
               left, slurm->count - before);
    return result;
}

int sweep_slurm_run(const struct sweep_request *request, struct sweep_todo *todo,
                    struct error *err)
{
    struct slurm slurm = {.request = request, .todo = todo};
    char *folder = paths_join(request->output, "slurm");
    slurm.folder = folder != NULL ? paths_absolute(folder) : NULL;
    free(folder);
    int result =
        slurm.folder != NULL ? paths_make_folder(slurm.folder, err) : error_no_memory(err);
    if (result == 0)
        result = slurm_queue_array_size(&slurm.most, err);
    if (result == 0 && (slurm.program = sweep_engine_program(err)) == NULL)
        result = -1;
    if (result == 0)
        result = read_record(&slurm, err);
    if (result == 0)
        result = request->wait ? work(&slurm, err) : hand_on(&slurm, err);
    if (slurm.record != NULL)
        fclose(slurm.record);
    free(slurm.arrays);
    free(slurm.program);
    free(slurm.folder);
    return result;
}
