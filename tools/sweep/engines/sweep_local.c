/* The engine local: processes on this machine, as many as cores and memory allow. */
#define _GNU_SOURCE /* sigtimedwait */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/sweep/engines/sweep_engine.h"
#include "tools/sweep/work/sweep_split.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

#define TRIES     3     /* of a job whose process dies without a message */
#define GUESS_MIB 256.0 /* of a job before one of its workload is finished */

struct pool {
    const struct sweep_request *request;
    struct sweep_todo *todo;
    char *program;
    unsigned processes, running;
    double memory, taken; /* MiB: of all; of those that run */
    struct slot {
        pid_t pid; /* 0: free */
        uint32_t job;
        bool shares; /* only segments of the job, which another process executes */
        double mib;
    } * slots;
    uint32_t *queue; /* jobs that can be executed, in order; each job is in it once */
    size_t head, tail;
    uint32_t *children, *siblings; /* of each job: the first that needs it; the next one */
    uint8_t *tries;
    bool *alone;   /* of each job: its segments are not shared (any more) */
    double shared; /* when segments are next looked for */
    sigset_t mask; /* of children */
    bool shown, told;
};

/* ---- memory ---- */

/* The memory that is available, in MiB; 0: unknown. */
static double available_mib(void)
{
    char line[128];
    double kib = 0;
    FILE *in = fopen("/proc/meminfo", "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1)
            break;
    if (in != NULL)
        fclose(in);
    return kib / 1024;
}

static double guess_mib(const struct pool *pool, uint32_t job)
{
    double mib = sweep_todo_mib(pool->todo, job);
    return mib > 0 ? mib : GUESS_MIB;
}

/* Whether JOB may run beside those that run already; one always may. */
static bool fits(const struct pool *pool, uint32_t job)
{
    return pool->running < pool->processes &&
           (pool->running == 0 || pool->memory == 0 ||
            pool->taken + guess_mib(pool, job) <= pool->memory);
}

/* ---- the queue ---- */

static bool is_left(const struct pool *pool, uint32_t job)
{
    return job != SWEEP_NONE && pool->todo->states[job] == SWEEP_WAITING;
}

static void fill_queue(struct pool *pool)
{
    const struct sweep_jobs *jobs = pool->todo->jobs;
    memset(pool->children, 0xff, jobs->count * sizeof *pool->children); /* SWEEP_NONE */
    for (uint32_t i = (uint32_t)jobs->count; i-- > 0;)
        if (is_left(pool, i) && is_left(pool, jobs->items[i].needs)) {
            pool->siblings[i] = pool->children[jobs->items[i].needs];
            pool->children[jobs->items[i].needs] = i;
        }
    for (uint32_t i = 0; i < jobs->count; i++)
        if (is_left(pool, i) && !is_left(pool, jobs->items[i].needs))
            pool->queue[pool->tail++] = i;
}

/* ---- processes ---- */

static void become_job(const struct pool *pool, const char *folder, bool shares, pid_t parent)
{
    char threads[16];
    char *messages;
    snprintf(threads, sizeof threads, "%u", pool->request->threads);
    setpgid(0, 0); /* signals of the terminal reach only the sweep, which passes them on */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, &pool->mask, NULL);
    if (getppid() != parent || asprintf(&messages, "%s/messages", folder) < 0)
        _exit(127);
    int out = open(messages, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (out >= 0) {
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
    }
    execl(pool->program, "hearth", "sweep", "--job", folder, "--threads", threads,
          shares ? "--share" : (char *)NULL, (char *)NULL);
    _exit(127);
}

static int start(struct pool *pool, uint32_t job, bool shares, struct error *err)
{
    const struct sweep_jobs *jobs = pool->todo->jobs;
    struct slot *slot = pool->slots;
    while (slot->pid != 0)
        slot++;
    char *folder = sweep_folder_path(jobs->store, jobs->items[job].digest, ".");
    if (folder == NULL)
        return error_no_memory(err);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become_job(pool, folder, shares, parent);
    free(folder);
    if (pid < 0)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "cannot start a process: %s",
                         strerror(errno));
    *slot = (struct slot){pid, job, shares, guess_mib(pool, job)};
    pool->taken += slot->mib;
    pool->running++;
    return 0;
}

/* The process of a job ended without a message: the job is done again, or fails. */
static int lose(struct pool *pool, uint32_t job, int status, struct error *err)
{
    char text[128];
    if (++pool->tries[job] < TRIES) {
        pool->queue[--pool->head] = job;
        return 0;
    }
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "ended by signal %d (%s), %d times", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), TRIES);
    else
        snprintf(text, sizeof text, "ended with exit code %d without a message, %d times",
                 WEXITSTATUS(status), TRIES);
    return sweep_todo_fail(pool->todo, job, text, err);
}

static int end(struct pool *pool, struct slot *slot, int status, struct error *err)
{
    uint32_t job = slot->job;
    pool->taken -= slot->mib;
    pool->running--;
    slot->pid = 0;
    if (slot->shares) {
        pool->alone[job] |= status != 0;
        return 0;
    }
    enum sweep_state state = sweep_todo_look(pool->todo, job);
    if (state == SWEEP_WAITING && stop_signal() == 0 && lose(pool, job, status, err) != 0)
        return -1;
    if (pool->todo->states[job] == SWEEP_WAITING)
        return 0;
    for (uint32_t child = pool->children[job]; child != SWEEP_NONE;
         child = pool->siblings[child])
        pool->queue[pool->tail++] = child;
    return 0;
}

static int take_ended(struct pool *pool, struct error *err)
{
    for (unsigned i = 0; i < pool->processes; i++) {
        int status;
        struct slot *slot = &pool->slots[i];
        if (slot->pid != 0 && waitpid(slot->pid, &status, WNOHANG) == slot->pid &&
            end(pool, slot, status, err) != 0)
            return -1;
    }
    return 0;
}

static void signal_all(const struct pool *pool)
{
    for (unsigned i = 0; i < pool->processes; i++)
        if (pool->slots[i].pid != 0)
            kill(pool->slots[i].pid, SIGTERM);
}

/* ---- segments ---- */

/* Between two looks for segments, of which a run may have thousands: at least so many seconds,
 * and so many times what a look takes. */
#define SHARE_SECONDS 0.5
#define SHARE_TIMES   100

/* A running job with segments that nobody executes; SWEEP_NONE. */
static uint32_t find_shared(const struct pool *pool)
{
    const struct sweep_jobs *jobs = pool->todo->jobs;
    for (unsigned i = 0; i < pool->processes; i++) {
        const struct slot *slot = &pool->slots[i];
        if (slot->pid != 0 && !slot->shares && !pool->alone[slot->job] &&
            sweep_jobs_splits(jobs, &jobs->items[slot->job]) && fits(pool, slot->job) &&
            sweep_split_look(jobs->store, jobs->items[slot->job].digest).waiting > 0)
            return slot->job;
    }
    return SWEEP_NONE;
}

/* Without other jobs, free cores share the segments of those that run. */
static int share(struct pool *pool, struct error *err)
{
    if (pool->head < pool->tail || pool->running == pool->processes || stop_signal() != 0 ||
        host_seconds() < pool->shared)
        return 0;
    double began = host_seconds();
    uint32_t job = find_shared(pool);
    if (job != SWEEP_NONE)
        return start(pool, job, true, err);
    double took = SHARE_TIMES * (host_seconds() - began);
    pool->shared = began + (took > SHARE_SECONDS ? took : SHARE_SECONDS);
    return 0;
}

/* ---- the loop ---- */

static void show(struct pool *pool)
{
    char left[SWEEP_TODO_TEXT];
    const struct sweep_todo *todo = pool->todo;
    if (!pool->shown)
        return;
    fprintf(stderr, "\r\033[K%zu of %zu jobs, %u running, %zu failed, time left %s", todo->done,
            todo->jobs->count, pool->running, todo->failed,
            sweep_todo_time(sweep_todo_seconds(todo, pool->processes, NULL), left));
    pool->told = true;
}

/* Waits until a process ends, a signal comes, or a while. */
static void wait_a_while(void)
{
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigtimedwait(&ended, NULL, &(struct timespec){.tv_nsec = 200000000});
}

static int loop(struct pool *pool, struct error *err)
{
    bool stopping = false;
    int result = 0;
    double shown = host_seconds();
    while (pool->running > 0 ||
           (pool->head < pool->tail && stop_signal() == 0 && result == 0)) {
        while (result == 0 && stop_signal() == 0 && pool->head < pool->tail &&
               fits(pool, pool->queue[pool->head]))
            result = start(pool, pool->queue[pool->head++], false, err);
        if (result == 0)
            result = share(pool, err);
        if ((stop_signal() != 0 || result != 0) && !stopping) {
            stopping = true;
            signal_all(pool);
        }
        wait_a_while();
        if (take_ended(pool, err) != 0)
            result = -1;
        if (host_seconds() - shown > 0.2) {
            shown = host_seconds();
            show(pool);
        }
    }
    if (pool->told)
        fputs("\r\033[K", stderr);
    return result;
}

static int init(struct pool *pool, struct error *err)
{
    size_t count = pool->todo->jobs->count + 1;
    pool->program = sweep_engine_program(err);
    pool->slots = calloc(pool->processes, sizeof *pool->slots);
    pool->queue = calloc(count, sizeof *pool->queue);
    pool->children = calloc(count, sizeof *pool->children);
    pool->siblings = calloc(count, sizeof *pool->siblings);
    pool->tries = calloc(count, sizeof *pool->tries);
    pool->alone = calloc(count, sizeof *pool->alone);
    if (pool->program == NULL)
        return -1;
    return pool->slots != NULL && pool->queue != NULL && pool->children != NULL &&
                   pool->siblings != NULL && pool->tries != NULL && pool->alone != NULL
               ? 0
               : error_no_memory(err);
}

int sweep_local_run(const struct sweep_request *request, struct sweep_todo *todo,
                    struct error *err)
{
    struct pool pool = {.request = request,
                        .todo = todo,
                        .processes = sweep_engine_processes(request),
                        .memory = request->memory > 0 ? request->memory : available_mib(),
                        .shown = !request->quiet && isatty(STDERR_FILENO)};
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, &pool.mask);
    int result = init(&pool, err);
    if (result == 0) {
        fill_queue(&pool);
        result = loop(&pool, err);
    }
    sigprocmask(SIG_SETMASK, &pool.mask, NULL);
    free(pool.program);
    free(pool.slots);
    free(pool.queue);
    free(pool.children);
    free(pool.siblings);
    free(pool.tries);
    free(pool.alone);
    return result == 0 && stop_signal() != 0 ? stop_code() : result;
}
