#define _GNU_SOURCE /* asprintf */
#include "tools/study/study_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/progress/progress_line.h"
#include "traces/base/draft.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"
#include "traces/base/visible.h"

#define LATENCY "gpgpu_kernel_launch_latency=0"

/* The request for a run, with what it points to. */
struct study_request {
    struct run_request request;
    const char **configs, **sets;
    char *states; /* NULL: none are given */
};

/* DIR/runs/NAME, which the caller frees; characters such as colons are replaced. NULL without
 * memory. */
static char *folder_of(const struct study_options *options, const char *name)
{
    char *folder;
    if (asprintf(&folder, "%s/runs/%s", options->output, name) < 0)
        return NULL;
    for (char *c = folder + strlen(options->output) + 6; *c != '\0'; c++)
        if (strchr(":+/ ", *c) != NULL)
            *c = '-';
    return folder;
}

char *study_run_states(const struct study_options *options, const struct study_run *run)
{
    char *states = NULL, *folder = NULL;
    int length;
    if (options->states != NULL)
        length = run->card > 0 ? asprintf(&states, "%s.%zu", options->states, run->card)
                               : asprintf(&states, "%s", options->states);
    else if ((folder = folder_of(options, study_run_name(run))) != NULL)
        length = asprintf(&states, "%s.states", folder);
    else
        return NULL;
    free(folder);
    return length >= 0 ? states : NULL;
}

static int study_request_init(struct study_request *of, const struct study_options *options,
                              const struct study_run *run, struct error *err)
{
    size_t configs = options->config_count, sets = 0;
    *of = (struct study_request){
        .configs = calloc(configs + 1, sizeof *of->configs),
        .sets = calloc(1 + options->set_count + STUDY_RUN_SETS, sizeof *of->sets),
    };
    if (of->configs == NULL || of->sets == NULL)
        return error_no_memory(err);
    if (options->states != NULL && study_takes_states(run->policy) &&
        (of->states = study_run_states(options, run)) == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < configs; i++)
        of->configs[i] = options->configs[i];
    if (run->config != NULL)
        of->configs[configs++] = run->config;
    of->sets[sets++] = LATENCY;
    for (size_t i = 0; i < options->set_count; i++)
        of->sets[sets++] = options->sets[i];
    for (size_t i = 0; i < STUDY_RUN_SETS && run->sets[i] != NULL; i++)
        of->sets[sets++] = run->sets[i];
    of->request = (struct run_request){
        .target = options->operands[0],
        .plan = run->plan,
        .configs = of->configs,
        .config_count = configs,
        .sets = of->sets,
        .set_count = sets,
        .flush = run->flush != NULL ? run->flush : options->flush,
        .warm = run->policy,
        .states = of->states,
        .intra = run->intra,
        .launches = options->launches,
        .checkpoint = 60,
        .jobs = options->jobs,
        .threads = options->threads,
        .catch_signals = true,
    };
    return 0;
}

static void study_request_finish(struct study_request *of)
{
    free(of->configs);
    free(of->sets);
    free(of->states);
}

struct sim_config *study_run_config(const struct study_options *options,
                                    const struct study_run *run, struct error *err)
{
    struct study_request of;
    struct sim_config *config = NULL;
    if (study_request_init(&of, options, run, err) == 0)
        config = run_config(&of.request, NULL, err);
    study_request_finish(&of);
    return config;
}

/* ---- runs that are others ---------------------------------------------- */

/* The text of the configuration of RUN, which the caller frees; NULL on error. */
static char *print_config(const struct study_options *options, const struct study_run *run)
{
    struct error ignored = {0};
    struct sim_config *config = study_run_config(options, run, &ignored);
    struct draft draft = {0};
    if (config != NULL && draft_begin(&draft)) {
        sim_config_print(config, draft.out);
        draft_end(&draft);
    }
    sim_config_destroy(config);
    return draft.text;
}

/* Whether the study has made, or begun, a run called NAME. */
static bool is_there(const struct study_options *options, const char *name)
{
    char *folder = folder_of(options, name);
    bool there = folder != NULL && access(folder, F_OK) == 0;
    free(folder);
    return there;
}

struct study_run study_run_plain(const struct study_options *options,
                                 const struct study_run *run)
{
    const struct study_run plain = {
        .policy = run->policy,
        .serves = run->serves != NULL ? run->serves : run->name,
    };
    if (!is_there(options, run->policy))
        return *run;
    char *own = print_config(options, run), *other = print_config(options, &plain);
    bool same = own != NULL && other != NULL && strcmp(own, other) == 0;
    free(own);
    free(other);
    return same ? plain : *run;
}

/* ---- running ----------------------------------------------------------- */

const char *study_run_name(const struct study_run *run)
{
    return run->name != NULL ? run->name : run->policy;
}

void study_run_tell(const struct study_options *options, const struct study_run *run,
                    const struct study_run_count *count)
{
    const char *name = study_run_name(run);
    if (options->quiet)
        return;
    fprintf(stderr, "hearth: run %zu of %zu: ", count->done + 1, count->all);
    if (run->serves != NULL && strcmp(run->serves, name) != 0) {
        visible_print(run->serves, stderr);
        fputs(", the same as ", stderr);
    }
    visible_print(name, stderr);
    putc('\n', stderr);
}

int study_stopped(const struct study_run_count *count, struct error *err)
{
    if (stop_signal() == 0)
        return 0;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0,
              "stopped by %s after %zu of %zu runs; the same command continues", stop_name(),
              count->done, count->all);
    return stop_code();
}

/* The line of a run among those of its study. */
struct study_progress {
    struct progress_hook line;
    const struct study_run_count *count;
    double begun; /* on the clock of host_seconds() */
};

/* The following runs are expected to take what those before took, or else this one. */
static void tell(void *data, const struct progress_now *now)
{
    const struct study_progress *progress = data;
    const struct study_run_count *count = progress->count;
    if (now == NULL) {
        progress->line.take(progress->line.data, NULL);
        return;
    }
    struct progress_now among = *now;
    double own = host_seconds() - progress->begun + now->left;
    double each = count->timed > 0 ? count->seconds / (double)count->timed : own;
    size_t more = count->all > count->done ? count->all - count->done - 1 : 0;
    among.among = true;
    among.all_left = now->left < 0 ? -1 : now->left + each * (double)more;
    progress->line.take(progress->line.data, &among);
}

/* Executes REQUEST, resuming it if possible. */
static int execute(struct run_request *request, bool redone, const struct run_hooks *hooks,
                   struct results *results, struct error *err)
{
    request->resume = true;
    int code = run_execute(request, hooks, results, err);
    /* Results of another plan; any other usage error will be reported again at once. */
    if (code < 0 && err->kind == ERROR_USAGE && redone) {
        results_finish(results);
        *err = (struct error){0};
        request->resume = false;
        code = run_execute(request, hooks, results, err);
    }
    return code;
}

/* Executes REQUEST for RUN, and adds its time to COUNT. */
static int execute_timed(const struct study_options *options, const struct study_run *run,
                         struct run_request *request, struct study_run_count *count,
                         struct results *results, struct error *err)
{
    struct study_progress progress = {progress_line(options->quiet), count, host_seconds()};
    const struct run_hooks hooks = {&progress, progress.line.take != NULL ? tell : NULL, NULL,
                                    NULL};
    int code = execute(request, run->redone, &hooks, results, err);
    if (code == 0 && !results->complete) {
        count->timed++;
        count->seconds += host_seconds() - progress.begun;
    }
    return code;
}

int study_run_execute(const struct study_options *options, const struct study_run *run,
                      struct study_run_count *count, struct results *results, struct error *err)
{
    char *folder = folder_of(options, study_run_name(run));
    struct study_request of = {0};
    *results = (struct results){0};
    int code =
        folder == NULL ? error_no_memory(err) : study_request_init(&of, options, run, err);
    if (code == 0) {
        of.request.output = folder;
        code = execute_timed(options, run, &of.request, count, results, err);
    }
    if (results->report != NULL)
        fputs(results->report, stderr);
    if (code == 0 && results->complete) {
        results_finish(results);
        code = results_read(results, folder, err);
    }
    study_request_finish(&of);
    free(folder);
    return code;
}
