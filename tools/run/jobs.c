#include "tools/run/jobs.h"

#include <pthread.h>
#include <stdlib.h>

#include "traces/base/threads/host_cores.h"

unsigned jobs_share(unsigned count, const struct sim_config *config)
{
    uint64_t sms = sim_config_sms(config);
    unsigned share = host_cores_usable() / count;
    if (share > sms)
        share = (unsigned)sms;
    return share > 0 ? share : 1;
}

int jobs_init(struct jobs *jobs, unsigned count, unsigned threads,
              const struct sim_config *config, struct error *err)
{
    *jobs = (struct jobs){.sims = calloc(count, sizeof(struct sim *))};
    if (jobs->sims == NULL)
        return error_no_memory(err);
    for (; jobs->count < count; jobs->count++) {
        struct sim *sim = jobs->sims[jobs->count] = sim_create(config, err);
        if (sim == NULL || sim_set_threads(sim, threads, err) != 0) {
            sim_destroy(sim);
            jobs_finish(jobs);
            return -1;
        }
    }
    return 0;
}

void jobs_finish(struct jobs *jobs)
{
    for (unsigned i = 0; i < jobs->count; i++)
        sim_destroy(jobs->sims[i]);
    free(jobs->sims);
    *jobs = (struct jobs){0};
}

/* The segments that no worker has taken yet. */
struct job_queue {
    struct execution *execution;
    atomic_size_t next;
};

struct worker {
    struct job_queue *line;
    struct sim *sim;
    bool used; /* the simulator is no longer fresh */
    pthread_t thread;
};

static void take(struct worker *worker, size_t number)
{
    struct job_queue *line = worker->line;
    execute(line->execution, &line->execution->segments->items[number], worker->sim,
            worker->used);
    worker->used = true;
}

/* Takes segments until there are none left. */
static void *work(void *data)
{
    struct worker *worker = data;
    struct job_queue *line = worker->line;
    size_t taken;
    while ((taken = atomic_fetch_add(&line->next, 1)) < line->execution->segments->count)
        take(worker, taken);
    return NULL;
}

void jobs_run(struct jobs *jobs, struct execution *execution)
{
    struct job_queue line = {.execution = execution};
    struct worker first = {.line = &line, .sim = jobs->sims[0]};
    struct worker *others = calloc(jobs->count, sizeof *others);
    unsigned started = 0;
    while (line.next < execution->segments->serial)
        take(&first, line.next++);
    /* If threads or memory run short, fewer workers do all the work. */
    for (; others != NULL && started + 1 < jobs->count; started++) {
        others[started] = (struct worker){.line = &line, .sim = jobs->sims[started + 1]};
        if (pthread_create(&others[started].thread, NULL, work, &others[started]) != 0)
            break;
    }
    work(&first);
    for (unsigned i = 0; i < started; i++)
        pthread_join(others[i].thread, NULL);
    free(others);
}
