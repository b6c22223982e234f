#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/work/sweep_split.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tools/run/split/segment_digests.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/stop.h"

struct split {
    struct work_folder *run;
    const char *store; /* the folder above the run's */
    size_t count;
    struct split_segment {
        char digest[DIGEST_TEXT]; /* name of its folder in the store */
    } * segments;
};

/* ---- names ---- */

static bool name_segment(struct split *split, const struct segment_digest *segment)
{
    struct digest_text digest;
    if (!digest_text_begin(&digest))
        return false;
    fprintf(digest.out, "segment %s %s\n", split->run->text->split, segment->text);
    return digest_text_end(&digest, split->segments[split->count++].digest);
}

static int name_segments(struct split *split, const struct segment_digests *digests,
                         struct error *err)
{
    split->segments = calloc(digests->count, sizeof *split->segments);
    bool good = split->segments != NULL;
    for (size_t s = 0; s < digests->count && good; s++)
        good = name_segment(split, &digests->items[s]);
    return good ? 0 : error_no_memory(err);
}

/* Finds the segments of the run's plan; none if it is executed as a whole. */
static int find_segments(struct split *split, struct error *err)
{
    struct segment_digests digests = {0};
    const struct job_text *text = split->run->text;
    struct plan *plan = text->count > 1 ? plan_open(text->arguments[1], err) : NULL;
    if (plan == NULL)
        return text->count > 1 ? -1 : 0;
    int result = segment_digests_init(&digests, plan, err);
    if (result == 0 && digests.apart && digests.count > 1)
        result = name_segments(split, &digests, err);
    segment_digests_finish(&digests);
    plan_destroy(plan);
    return result;
}

/* ---- files ---- */

static int write_list(const struct split *split, struct error *err)
{
    struct output_file output = {0};
    if (access(SWEEP_SEGMENTS, F_OK) == 0)
        return 0;
    if (sweep_folder_open(&output, SWEEP_SEGMENTS, err) != 0)
        return -1;
    for (size_t s = 0; s < split->count; s++)
        fprintf(output.file, "../%s/results\n", split->segments[s].digest);
    int result = output_file_commit(&output, err);
    output_file_finish(&output);
    return result;
}

/* The command of a segment is that of the run, for one segment. */
static int write_job(const struct split *split, size_t segment, struct error *err)
{
    struct output_file output = {0};
    const struct job_text *text = split->run->text;
    const char *digest = split->segments[segment].digest;
    char *path = sweep_folder_path(split->store, digest, "job");
    int result = path != NULL ? 0 : error_no_memory(err);
    if (result == 0 && access(path, F_OK) != 0) {
        result = sweep_folder_open(&output, path, err);
        if (result == 0) {
            fprintf(output.file, "hearth-job 1\nkind segment\nneeds %s\n", text->needs);
            for (size_t i = 0; i < text->count; i++)
                fprintf(output.file, "argument %s\n", text->arguments[i]);
            fprintf(output.file, "argument --segments\nargument %zu\n", segment + 1);
            result = output_file_commit(&output, err);
        }
        output_file_finish(&output);
    }
    free(path);
    return result;
}

/* ---- execution ---- */

/* Executes a segment, if it is not done. */
static int work_segment(const struct split *split, size_t segment, bool wait, struct error *err)
{
    struct job_text text = {0};
    const char *digest = split->segments[segment].digest;
    if (sweep_folder_has(split->store, digest, "done"))
        return 0;
    int code = write_job(split, segment, err);
    char *folder = code == 0 ? sweep_folder_path(split->store, digest, ".") : NULL;
    if (code == 0)
        code = folder != NULL ? job_text_read(&text, folder, err) : error_no_memory(err);
    const struct work_folder job = {split->run->work, folder, &text, wait, {0}};
    if (code == 0)
        code = work_folder_run(&job, err);
    job_text_finish(&text);
    free(folder);
    return code;
}

/* Executes segments in the order of the plan, up to the first one that has failed: that is the
 * same one whoever executes them. */
static int work_segments(const struct split *split, bool wait, struct error *err)
{
    int code = 0;
    for (size_t s = 0; s < split->count && (code == 0 || code == WORK_LOCKED); s++)
        code = stop_signal() != 0 ? stop_code() : work_segment(split, s, wait, err);
    return code == WORK_LOCKED ? 0 : code;
}

static void add_costs(const struct split *split)
{
    struct sweep_cost *sum = &split->run->before;
    for (size_t s = 0; s < split->count; s++) {
        struct sweep_cost cost = sweep_folder_cost(split->store, split->segments[s].digest);
        sum->seconds += cost.seconds;
        sum->mib = cost.mib > sum->mib ? cost.mib : sum->mib;
    }
}

/* A segment that failed is the failure of the run. */
static int fail(const struct work_folder *run, const struct error *wrong, struct error *err)
{
    if (sweep_folder_write_failed(".", (int)wrong->kind, wrong->text, err) != 0)
        return -1;
    return error_pass(err, wrong);
}

static int work_all(struct split *split, struct error *err)
{
    struct error wrong = {0};
    struct work_folder *run = split->run;
    int code = write_list(split, err);
    if (code != 0)
        return code;
    code = work_segments(split, false, &wrong);
    if (!run->work->share && (code == 0 || code == -1))
        code = work_segments(split, true, &wrong);
    if (work_folder_enter(run->folder, err) != 0)
        return -1;
    if (code > 0) {
        work_folder_log("stopped", code);
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s", stop_name()), code;
    }
    if (run->work->share)
        return 0;
    if (code != 0)
        return fail(run, &wrong, err);
    add_costs(split);
    return job_text_add(run->text, "--join") && job_text_add(run->text, SWEEP_SEGMENTS)
               ? 0
               : error_no_memory(err);
}

/* Tells others, as long as the descriptor is open, that a process works on the run. */
static int hold_workers(void)
{
    int workers = open("workers", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    while (workers >= 0 && flock(workers, LOCK_SH) != 0 && errno == EINTR)
        continue;
    return workers;
}

int sweep_split_run(struct work_folder *run, struct error *err)
{
    struct split split = {.run = run};
    char *above = NULL;
    if (access("done", F_OK) == 0 || access("failed", F_OK) == 0)
        return 0;
    if (asprintf(&above, "%s/..", run->folder) < 0)
        return error_no_memory(err);
    split.store = above;
    stop_init();
    int workers = hold_workers();
    int code = find_segments(&split, err);
    if (code == 0 && split.count > 0)
        code = work_all(&split, err);
    if (workers >= 0)
        close(workers);
    free(split.segments);
    free(above);
    return code;
}

/* ---- looking ---- */

/* Calls TAKE for each segment of a run. */
static void each(const char *store, const char *digest, void *data,
                 void (*take)(void *data, const char *store, const char *segment))
{
    char segment[DIGEST_TEXT];
    char *path = sweep_folder_path(store, digest, SWEEP_SEGMENTS);
    FILE *in = path != NULL ? fopen(path, "r") : NULL;
    while (in != NULL && fscanf(in, " ../%16[0-9a-f]/results", segment) == 1)
        take(data, store, segment);
    if (in != NULL)
        fclose(in);
    free(path);
}

struct split_looking {
    struct sweep_split_state state;
    bool failed;
};

static void look_at(void *data, const char *store, const char *segment)
{
    struct split_looking *looking = data;
    enum sweep_state state = sweep_folder_state(store, segment, true);
    looking->state.count++;
    if (state == SWEEP_DONE) {
        looking->state.done++;
        looking->state.seconds += sweep_folder_cost(store, segment).seconds;
    }
    looking->state.waiting += state == SWEEP_WAITING;
    looking->failed |= state == SWEEP_FAILED;
}

struct sweep_split_state sweep_split_look(const char *store, const char *digest)
{
    struct split_looking looking = {0};
    each(store, digest, &looking, look_at);
    looking.state.working = sweep_folder_is_locked(store, digest, "workers");
    if (looking.failed)
        looking.state.waiting = 0;
    return looking.state;
}

static void forget(void *data, const char *store, const char *segment)
{
    sweep_folder_forget(store, segment);
}

void sweep_split_forget(const char *store, const char *digest)
{
    each(store, digest, NULL, forget);
}
