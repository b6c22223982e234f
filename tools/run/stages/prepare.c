#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/corrections.h"
#include "tools/run/execute.h"
#include "tools/run/intra_plan.h"
#include "tools/run/plan/warm_plan.h"
#include "tools/run/split/segment_rows.h"
#include "tools/run/stages/stages.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

/* Lists the workload or plan and the configurations. */
static int name_reads(struct run *run, struct error *err)
{
    const struct run_request *request = run->request;
    size_t count = request->config_count;
    run->names = calloc(1 + count, sizeof *run->names);
    if (run->names == NULL)
        return error_no_memory(err);
    run->names[0] = request->plan != NULL ? request->plan->path : request->target;
    if (count > 0)
        memcpy(run->names + 1, request->configs, count * sizeof *run->names);
    run->reads = (struct input_guard){.names = run->names, .count = 1 + count};
    return 0;
}

/* Limits count over the plan in its order: with a limit, it is not known when a segment must
 * stop before the earlier ones are done. */
static unsigned choose_jobs(const struct run *run, unsigned jobs)
{
    const struct run_limits limits = run_limits_of(&run->results->config->options);
    size_t segments = run->segments.count > 0 ? run->segments.count : 1;
    bool in_order =
        run_limits_any(&limits) || run->request->events != NULL || run->request->warps;
    if (in_order || segments < jobs)
        return in_order ? 1 : (unsigned)segments;
    return jobs;
}

static int make_jobs(struct run *run, struct error *err)
{
    unsigned wanted = run->request->jobs > 0 ? run->request->jobs : 1;
    unsigned jobs = choose_jobs(run, wanted), threads = run->request->threads;
    if (jobs < wanted) {
        char text[128];
        snprintf(text, sizeof text, "--jobs %u: %u at a time, %s", wanted, jobs,
                 jobs == run->segments.count ? "the plan has no more segments"
                                             : "as limits count over the plan in its order");
        notes_add(&run->results->notes, text, 1);
    }
    run->threads = threads > 0 ? threads : jobs_share(jobs, run->results->config);
    return jobs_init(&run->jobs, jobs, run->threads, run->results->config, err);
}

/* PATH with SUFFIX, absolute, as plans name folders of states. NULL with ERR filled. */
static char *states_folder(const char *path, const char *suffix, struct error *err)
{
    char *states = NULL, *here = path[0] == '/' ? strdup("") : getcwd(NULL, 0);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (here == NULL)
        error_set(err, ERROR_OUTPUT, path, 0, 0, "no working folder: %s", strerror(errno));
    else if (asprintf(&states, "%s%s%.*s%s", here, here[0] != '\0' ? "/" : "", (int)length,
                      path, suffix) < 0) {
        states = NULL;
        error_no_memory(err);
    }
    free(here);
    return states;
}

/* Replaces the plan by the one that --warm requests. Returns 0, -1, or the exit code if a
 * signal stopped it. */
static int warm_input(struct run *run, struct error *err)
{
    const struct run_request *request = run->request;
    bool given = request->states != NULL;
    const char *beside = given ? request->states : request->output;
    char *states = beside != NULL ? states_folder(beside, given ? "" : ".states", err) : NULL;
    if (states == NULL && beside != NULL)
        return -1;
    struct warm_variant variant = {run->results->config, states, states, NULL};
    const struct warm_plan warm = {.policy = request->warm,
                                   .variants = &variant,
                                   .count = 1,
                                   .progress = run_progress(run),
                                   .given = given};
    double started = host_seconds();
    int result = warm_plan_make(&warm, &run->input, err);
    run->results->warm_seconds = host_seconds() - started;
    free(states);
    return result == 0 ? input_replace(&run->input, variant.plan, err) : result;
}

static int take_input(struct run *run, struct error *err)
{
    const struct run_request *request = run->request;
    bool chosen = request->launches != NULL;
    if (chosen &&
        ranges_init(&run->launches, request->launches, "--launches", NULL, 0, err) != 0)
        return -1;
    if (input_init(&run->input, request->target, request->plan, request->allow_outside,
                   chosen ? &run->launches : NULL, &run->results->notes, err) < 0)
        return -1;
    if (request->catch_signals)
        stop_init(); /* before anything is written */
    if (request->states != NULL && request->warm == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--states needs --warm nsl");
    int code = request->warm != NULL ? warm_input(run, err) : 0;
    if (code != 0 || request->intra == NULL)
        return code;
    struct plan *plan = input_own_plan(&run->input);
    return plan != NULL ? intra_plan_apply(plan, request->intra, err)
                        : error_set(err, ERROR_USAGE, NULL, 0, 0,
                                    "intra: a plan in memory says it itself");
}

int run_prepare(struct run *run, struct error *err)
{
    run->results->store = run->results->rows.store = row_store_create(err);
    if (run->results->store == NULL)
        return -1;
    run->results->config = run_config(run->request, &run->results->notes, err);
    if (run->results->config == NULL || name_reads(run, err) < 0 ||
        run_check_streams(run, err) < 0 || run_take_events(run, err) < 0 ||
        run_check_split(run, err) < 0)
        return -1;
    int code = take_input(run, err);
    if (code != 0)
        return code;
    if (run->request->segments != NULL &&
        segment_rows_choose(&run->input, run->request->segments, err) != 0)
        return -1;
    const char *overlap = run_overlap(run);
    if (run_check_overlap(run, overlap, err) < 0 ||
        execute_check(run->input.plan, run->input.skip, overlap, run->request->allow_outside,
                      &run->reads, err) < 0 ||
        corrections_check(&run->input, overlap, err) < 0 ||
        intra_plan_check(run->input.plan, run->input.skip, overlap, run->request->intervals,
                         corrections_of(run->input.plan) != NULL, err) < 0 ||
        segments_init(&run->segments, run->input.plan, run->input.skip, run->results->store,
                      err) < 0)
        return -1;
    if (make_jobs(run, err) < 0 || run_open_results(run, err) < 0)
        return -1;
    const struct journal_run about = run_about(run);
    return run->request->join == NULL || run->results->complete
               ? 0
               : segment_rows_read(&run->segments, &about, run->request->join, err);
}
