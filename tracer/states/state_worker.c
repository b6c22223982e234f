#define _GNU_SOURCE /* asprintf, open_memstream */
#include "tracer/states/state_worker.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/files/output_file.h"
#include "traces/base/files/paths.h"
#include "warmup/state_pass.h"

#define WAITING_MOST 8 /* launches whose traces wait in files */

struct state_job {
    struct state_job *next;
    struct state_launch launch; /* without a path: a copy */
    uint64_t address, bytes;
    bool on_device;
};

struct state_worker {
    struct warmup_state_spec spec;
    struct warmup_state_pass *pass;
    char *folders[STATE_CONFIGS_MOST];
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t given, done;
    struct state_job *first, **end; /* to be done */
    struct state_job *now;          /* being done; the thread's */
    unsigned waiting;               /* launches among them */
    bool started, stopping, failed, told;
    struct error error;
};

static void free_job(struct state_job *job)
{
    if (job->launch.path != NULL)
        unlink(job->launch.path);
    free(job->launch.path);
    free(job);
}

/* ---- states ------------------------------------------------------------ */

/* Unbuffered: nothing is left that a child of the process could write once more. */
static int write_file(const char *path, const char *data, size_t size, struct error *err)
{
    struct output_file output = {0};
    if (output_file_open(&output, path, NULL, true, err) != 0)
        return -1;
    setvbuf(output.file, NULL, _IONBF, 0);
    int rc =
        fwrite(data, 1, size, output.file) == size
            ? output_file_commit(&output, err)
            : error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s", strerror(errno));
    output_file_finish(&output);
    return rc;
}

static int take_state(void *data, struct sim *sim, const struct sim_needs *needs, size_t config,
                      size_t position, struct error *err)
{
    const struct state_worker *worker = data;
    char *path, *text = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s/launch-%" PRIu64 ".l2", worker->folders[config],
                 worker->now->launch.id) < 0)
        return error_no_memory(err);
    FILE *out = open_memstream(&text, &size);
    int rc = out == NULL     ? error_no_memory(err)
             : needs != NULL ? sim_save_needed(sim, needs, out, path, err)
                             : sim_save(sim, out, path, err);
    if (out != NULL && fclose(out) != 0 && rc == 0)
        rc = error_no_memory(err);
    if (rc == 0)
        rc = write_file(path, text, size, err);
    free(text);
    free(path);
    return rc;
}

/* ---- launches ---------------------------------------------------------- */

static struct trace_kernel *open_launch(void *data, struct error *err)
{
    const struct trace_kernel_options options = {
        .memory_only = true, .bare_shared = true, .between = true};
    const struct state_worker *worker = data;
    const struct state_launch *launch = &worker->now->launch;
    char *path;
    if (asprintf(&path, "%s/kernel-mem-%" PRIu64, launch->path, launch->id) < 0) {
        error_no_memory(err);
        return NULL;
    }
    struct trace_kernel *kernel = trace_kernel_open_packed(path, &options, err);
    free(path);
    return kernel;
}

static int read_lines(void *data, struct trace_reuse *reuse, struct error *err)
{
    struct trace_footprint ignored;
    struct trace_kernel *kernel = open_launch(data, err);
    int rc = kernel != NULL ? trace_reuse_launch(reuse, kernel, NULL, &ignored, err) : -1;
    trace_kernel_close(kernel);
    return rc;
}

static bool goes_on(void *data, const struct sim_progress *now)
{
    struct state_worker *worker = data;
    pthread_mutex_lock(&worker->lock);
    bool on = !worker->stopping;
    pthread_mutex_unlock(&worker->lock);
    return on;
}

static int carry_out(struct state_worker *worker, struct error *err)
{
    const struct state_job *job = worker->now;
    if (job->launch.path == NULL) {
        warmup_state_pass_copy(worker->pass, job->address, job->bytes, job->on_device);
        return 0;
    }
    const struct warmup_state_launch launch = {
        .open = open_launch,
        .read = read_lines,
        .progress = goes_on,
        .data = worker,
        .save = job->launch.save,
        .execute = job->launch.execute,
    };
    return warmup_state_pass_launch(worker->pass, &launch, err);
}

/* ---- the thread -------------------------------------------------------- */

/* Takes the next job out. Called with the lock. */
static struct state_job *next_job(struct state_worker *worker)
{
    while (worker->first == NULL && !worker->stopping)
        pthread_cond_wait(&worker->given, &worker->lock);
    struct state_job *job = worker->stopping ? NULL : worker->first;
    if (job == NULL)
        return NULL;
    worker->first = job->next;
    if (worker->first == NULL)
        worker->end = &worker->first;
    return job;
}

static void *run(void *data)
{
    struct state_worker *worker = data;
    pthread_mutex_lock(&worker->lock);
    while ((worker->now = next_job(worker)) != NULL) {
        struct error err = {0};
        bool skip = worker->failed;
        pthread_mutex_unlock(&worker->lock);
        int rc = skip ? 0 : carry_out(worker, &err);
        bool launch = worker->now->launch.path != NULL;
        free_job(worker->now);
        pthread_mutex_lock(&worker->lock);
        worker->now = NULL;
        worker->waiting -= launch;
        if (rc < 0) {
            worker->failed = true;
            worker->error = err;
        }
        pthread_cond_broadcast(&worker->done);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

/* The application's signals are not for this thread. */
static int start(struct state_worker *worker, struct error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&worker->thread, NULL, run, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    worker->started = rc == 0;
    return rc == 0 ? 0
                   : error_set(err, ERROR_OUTPUT, NULL, 0, 0, "no thread for states: %s",
                               strerror(rc));
}

static int make_folders(struct state_worker *worker, const char *folders, struct error *err)
{
    for (size_t c = 0; c < worker->spec.count; c++) {
        char suffix[24] = "";
        if (c > 0)
            snprintf(suffix, sizeof suffix, ".%zu", c);
        if (asprintf(&worker->folders[c], "%s%s", folders, suffix) < 0) {
            worker->folders[c] = NULL;
            return error_no_memory(err);
        }
        if (paths_make_folder(worker->folders[c], err) != 0)
            return -1;
    }
    return 0;
}

struct state_worker *state_worker_create(const struct state_configs *configs,
                                         const char *folders, struct error *err)
{
    struct state_worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) {
        error_no_memory(err);
        return NULL;
    }
    worker->spec = (struct warmup_state_spec){
        .configs = (const struct sim_config *const *)configs->items,
        .count = configs->count,
        .needed = true,
        .take = take_state,
        .data = worker,
    };
    worker->end = &worker->first;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->given, NULL);
    pthread_cond_init(&worker->done, NULL);
    worker->pass = warmup_state_pass_create(&worker->spec, err);
    if (worker->pass != NULL && make_folders(worker, folders, err) == 0 &&
        start(worker, err) == 0)
        return worker;
    state_worker_destroy(worker);
    return NULL;
}

void state_worker_destroy(struct state_worker *worker)
{
    if (worker == NULL)
        return;
    pthread_mutex_lock(&worker->lock);
    worker->stopping = true;
    pthread_cond_signal(&worker->given);
    pthread_mutex_unlock(&worker->lock);
    if (worker->started)
        pthread_join(worker->thread, NULL);
    for (struct state_job *next, *job = worker->first; job != NULL; job = next) {
        next = job->next;
        free_job(job);
    }
    for (size_t c = 0; c < worker->spec.count; c++)
        free(worker->folders[c]);
    warmup_state_pass_destroy(worker->pass);
    pthread_cond_destroy(&worker->given);
    pthread_cond_destroy(&worker->done);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

/* ---- what is given to it ----------------------------------------------- */

static int give(struct state_worker *worker, const struct state_job *from, struct error *err)
{
    struct state_job *job = malloc(sizeof *job);
    if (job == NULL)
        return error_no_memory(err);
    *job = *from;
    pthread_mutex_lock(&worker->lock);
    while (worker->waiting >= WAITING_MOST)
        pthread_cond_wait(&worker->done, &worker->lock);
    worker->waiting += job->launch.path != NULL;
    *worker->end = job;
    worker->end = &job->next;
    pthread_cond_signal(&worker->given);
    pthread_mutex_unlock(&worker->lock);
    return 0;
}

int state_worker_copy(struct state_worker *worker, uint64_t address, uint64_t bytes,
                      bool on_device, struct error *err)
{
    const struct state_job job = {.address = address, .bytes = bytes, .on_device = on_device};
    return give(worker, &job, err);
}

int state_worker_launch(struct state_worker *worker, const struct state_launch *launch,
                        struct error *err)
{
    int rc = give(worker, &(struct state_job){.launch = *launch}, err);
    if (rc != 0) {
        unlink(launch->path);
        free(launch->path);
    }
    return rc;
}

void state_worker_wait(struct state_worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->first != NULL || worker->now != NULL)
        pthread_cond_wait(&worker->done, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
}

bool state_worker_failed(struct state_worker *worker, struct error *err)
{
    pthread_mutex_lock(&worker->lock);
    bool failed = worker->failed;
    if (failed && !worker->told)
        *err = worker->error;
    worker->told |= failed;
    pthread_mutex_unlock(&worker->lock);
    return failed;
}
