/* hearth run: carries out a workload or a plan and writes the results. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/digest.h"
#include "tools/execute.h"
#include "tools/identity.h"
#include "tools/jobs.h"
#include "tools/journal.h"
#include "tools/leftover.h"
#include "tools/run_options.h"
#include "tools/stop.h"
#include "tools/summary.h"

#define CONFIG_NOTE 200 /* bytes that are shown */

/* Everything that a run holds. */
struct run {
    struct run_options options;
    const char **arguments; /* the command line, NULL-ended */
    struct sim_config *config;
    struct plan *plan;
    struct trace_workload *workload; /* of a plan; NULL where its own lines serve */
    char digest[DIGEST_TEXT];
    struct launches launches;
    bool *skip; /* items of the plan that --launches leaves out */
    struct segments segments;
    struct jobs jobs;
    unsigned threads; /* of each job */
    struct results results;
    struct identity identity;
    struct journal journal;
    bool complete; /* the results are there already */
    struct notes notes;
    struct accel_sim text;
};

static const struct trace_workload *workload_of(const struct run *run)
{
    return run->workload != NULL ? run->workload : run->plan->lines;
}

/* A plan's names come from the list of its workload. That list may lack: a
 * folder of traces is enough for a plan. */
static int open_workload(struct run *run, struct error *err)
{
    const struct plan *plan = run->plan;
    if (plan->workload_line != 0 && access(plan->workload, F_OK) != 0)
        return error_set(err, ERROR_TRACE, plan->path, plan->workload_line, 0,
                         "!workload: %s: %s", plan->workload, strerror(errno));
    if (plan->written) {
        struct error no_list = {0};
        run->workload = trace_workload_open(plan->workload, &no_list);
    }
    if (digest_workload(workload_of(run), run->digest, err) < 0)
        return -1;
    if (plan->digest != NULL && strcmp(plan->digest, run->digest) != 0)
        return error_set(err, ERROR_USAGE, plan->path, plan->workload_line, 0,
                         "the plan is for a workload of digest %s, %s has %s", plan->digest,
                         plan->workload, run->digest);
    return 0;
}

/* A list with the first line of a plan where it has no effect. */
static void note_late(struct run *run)
{
    const struct plan *plan = run->plan;
    if (plan->late == 0)
        return;
    char text[512];
    snprintf(text, sizeof text,
             "%.300s: \"!plan 1\" in line %ld: counts only as the first line of a file that is "
             "named itself; lines that start with \"!\" are ignored",
             plan->path, plan->late);
    notes_add(&run->notes, text, 1);
}

static uint64_t number_of(const struct run *run, const struct plan_launch *launch)
{
    return launches_number(&run->launches, launch->name,
                           run->plan->written ? 0 : launch->position);
}

static bool has_launch_in(const struct run *run, struct range range)
{
    const struct ranges one = {&range, 1};
    for (size_t i = 0; i < run->plan->count; i++)
        if (run->plan->items[i].kind == PLAN_LAUNCH &&
            ranges_contain(&one, number_of(run, &run->plan->items[i].launch)))
            return true;
    return false;
}

/* Marks what --launches leaves out. Every range must name a launch. */
static int choose_launches(struct run *run, struct error *err)
{
    const struct ranges *ranges = &run->options.launches;
    for (size_t i = 0; i < ranges->count; i++)
        if (!has_launch_in(run, ranges->items[i]))
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "--launches: %s has no launch from %" PRIu64 " to %" PRIu64,
                             run->plan->path, ranges->items[i].first, ranges->items[i].last);
    for (size_t k = 0; k < run->plan->count; k++)
        run->skip[k] = run->plan->items[k].kind == PLAN_LAUNCH &&
                       !ranges_contain(ranges, number_of(run, &run->plan->items[k].launch));
    return 0;
}

/* Files made for another simulator have a hundred options without effect
 * here: a list that long is not shown at every run. */
static void on_config_note(void *data, const char *text)
{
    notes_add(data,
              strlen(text) <= CONFIG_NOTE
                  ? text
                  : "many options of the configuration have no effect in this model; "
                    "hearth config check names those of a file",
              1);
}

static int make_config(struct run *run, struct error *err)
{
    const struct run_options *options = &run->options;
    run->config =
        sim_config_create(options->configs, (unsigned)options->config_count, options->sets,
                          (unsigned)options->set_count, on_config_note, &run->notes, err);
    return run->config == NULL ? -1 : 0;
}

/* Limits count over the plan in its order: with one, the time when a segment
 * must stop is not known before those in front of it are done. */
static unsigned choose_jobs(const struct run *run)
{
    const struct limits limits = limits_of(&run->config->options);
    size_t segments = run->segments.count > 0 ? run->segments.count : 1;
    if (limits_any(&limits) || segments < run->options.jobs)
        return limits_any(&limits) ? 1 : (unsigned)segments;
    return run->options.jobs;
}

static int make_jobs(struct run *run, struct error *err)
{
    unsigned jobs = choose_jobs(run), threads = run->options.threads;
    if (jobs < run->options.jobs) {
        char text[128];
        snprintf(text, sizeof text, "--jobs %u: %u at a time, %s", run->options.jobs, jobs,
                 jobs == run->segments.count ? "the plan has no more segments"
                                             : "as limits count over the plan in its order");
        notes_add(&run->notes, text, 1);
    }
    run->threads = threads > 0 ? threads : jobs_share(jobs, run->config);
    return jobs_init(&run->jobs, jobs, run->threads, run->config, err);
}

/* What plan.out names as the digest. A workload without a list but the plan's
 * own lines has none, as plan.out need not hold all of these. */
static const char *listed_digest(const struct run *run)
{
    return run->plan->written && run->workload == NULL ? NULL : run->digest;
}

static int take_journal(struct run *run, struct error *err)
{
    const struct folder *folder = &run->results.folder;
    double period = run->options.checkpoint;
    const struct journal_run about = {
        .identity = &run->identity,
        .plan = run->plan,
        .skip = run->skip,
        .peaks = sim_peaks_of(run->config),
    };
    if (folder->adopted)
        return journal_resume(&run->journal, folder->temporary, period, &about, &run->segments,
                              err);
    journal_create(&run->journal, folder->temporary, period, &run->identity);
    if (run->options.resume)
        notes_add(&run->notes, "--resume: nothing is left of an earlier run", 1);
    return 0;
}

/* What makes results that are there others than those to come, NULL: nothing
 * or none. */
static const char *compare_results(struct run *run)
{
    struct identity found;
    bool partial;
    if (!identity_of_results(&found, run->options.output, &partial))
        return NULL;
    const char *other = identity_differs(&found, &run->identity);
    run->complete = other == NULL && !partial;
    if (partial && other != NULL && strcmp(other, "plan") == 0)
        return NULL; /* it is what was done of it */
    return other;
}

/* The folder of the results, and what an earlier run left for --resume: all,
 * a journal, or nothing. */
static int open_results(struct run *run, struct error *err)
{
    const struct run_options *options = &run->options;
    const char *other = NULL;
    if (identity_init(&run->identity, run->digest, listed_digest(run), run->plan, run->skip,
                      run->config, err) < 0)
        return -1;
    run->identity.intervals = options->intervals;
    if (options->resume)
        other = compare_results(run);
    if (run->complete) {
        leftover_clean(options->output);
        return 0;
    }
    if (results_init(&run->results, options->output, options->resume ? JOURNAL_FILE : NULL,
                     err) < 0)
        return -1;
    if (other != NULL && !run->results.folder.adopted)
        return error_set(err, ERROR_USAGE, options->output, 0, 0,
                         "the results are of another %s; run without --resume to replace them",
                         other);
    return take_journal(run, err);
}

static void note_workload(struct run *run)
{
    const struct trace_workload *workload = workload_of(run);
    if (workload->note != NULL)
        notes_add(&run->notes, workload->note, 1);
}

static int prepare(struct run *run, struct error *err)
{
    const struct run_options *options = &run->options;
    if (make_config(run, err) < 0)
        return -1;
    run->plan = plan_open(options->target, err);
    if (run->plan == NULL || open_workload(run, err) < 0)
        return -1;
    note_late(run);
    note_workload(run);
    run->skip = calloc(run->plan->count + 1, sizeof *run->skip);
    if (run->skip == NULL)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    if (launches_init(&run->launches, workload_of(run), err) < 0 ||
        (options->choose && choose_launches(run, err) < 0) ||
        execute_check(run->plan, run->skip, err) < 0 ||
        segments_init(&run->segments, run->plan, run->skip, err) < 0)
        return -1;
    if (run->launches.by_position)
        notes_add(&run->notes,
                  "kernel ids are missing or repeat: launches are numbered by "
                  "their position in the list",
                  1);
    if (make_jobs(run, err) < 0)
        return -1;
    stop_init(); /* before anything is written */
    return open_results(run, err);
}

/* How many launches, and of how many warps, the plan has left. */
static void count_work(const struct run *run, size_t *launches, uint64_t *warps)
{
    *launches = 0;
    *warps = 0;
    for (size_t i = 0; i < run->plan->count; i++) {
        if (run->plan->items[i].kind != PLAN_LAUNCH || run->skip[i])
            continue;
        const struct launch *known =
            launches_find(&run->launches, run->plan->items[i].launch.name);
        *launches += 1;
        *warps += known != NULL ? known->warps : 0;
    }
}

static unsigned flush_levels(const struct sim_config *config)
{
    return (config->options.gpgpu_flush_l1_cache ? (unsigned)SIM_L1 : 0) |
           (config->options.gpgpu_flush_l2_cache ? (unsigned)SIM_L2 : 0);
}

static int write_results(struct run *run, const char *stop_reason, const char *report,
                         struct error *err)
{
    const struct results_about about = {
        .plan = run->plan,
        .skip = run->skip,
        .config = run->config,
        .digest = run->digest,
        .listed = listed_digest(run),
        .arguments = run->arguments,
        .stop_reason = stop_reason,
        .report = report,
        .intervals = run->options.intervals,
        .partial = strcmp(stop_reason, "end") != 0,
        .jobs = run->jobs.count,
        .threads = run->threads,
    };
    return results_write(&run->results, &about, err);
}

static void note_limit(struct run *run, const char *option, size_t launches)
{
    char text[128];
    snprintf(text, sizeof text, "stopped by %s after %zu of %zu launches", option,
             run->results.rows.count, launches);
    notes_add(&run->notes, text, 1);
}

static void simulate(struct run *run, size_t launches, uint64_t warps)
{
    struct progress progress;
    struct execution execution = {
        .plan = run->plan,
        .skip = run->skip,
        .launches = &run->launches,
        .workload = workload_of(run),
        .flush = flush_levels(run->config),
        .limits = limits_of(&run->config->options),
        .progress = &progress,
        .intervals = run->options.intervals,
        .text = run->options.accel_sim && run->jobs.count == 1 ? &run->text : NULL,
        .journal = &run->journal,
    };
    if (run->options.accel_sim)
        accel_sim_init(&run->text, stdout);
    progress_init(&progress, run->options.quiet, launches, warps);
    jobs_run(&run->jobs, &execution, &run->segments);
    progress_finish(&progress);
}

/* What was not carried out is left out of plan.out. */
static void skip_undone(struct run *run)
{
    for (size_t s = 0; s < run->segments.count; s++)
        for (size_t i = run->segments.items[s].done; i < run->segments.items[s].end; i++)
            run->skip[i] = true;
}

/* What a run that stopped before its end says of it. Returns the exit code. */
static int tell_stop(const struct run *run, const char *reason, size_t launches,
                     struct error *err)
{
    const struct segment *failed = segments_failed(&run->segments);
    if (failed != NULL)
        return error_set(err, failed->error.kind, NULL, 0, 0, "%s", failed->error.text);
    if (strncmp(reason, "SIG", 3) != 0)
        return 0;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s after %zu of %zu launches",
              reason, run->results.rows.count, launches);
    return 128 + stop_signal();
}

/* What was not printed as launches ended. */
static void print_text(struct run *run, const char *reason)
{
    for (size_t i = run->text.launches; i < run->results.rows.count; i++)
        accel_sim_launch(&run->text, &run->results.rows.items[i]);
    if (strcmp(reason, "error") != 0 && strncmp(reason, "SIG", 3) != 0)
        accel_sim_end(&run->text);
}

static void print_all(struct run *run, const char *reason)
{
    if (!run->options.quiet)
        notes_print(&run->notes);
    if (run->options.accel_sim)
        print_text(run, reason);
    else if (!run->options.quiet)
        summary_print(&run->results, run->options.output);
}

/* Simulates and writes. Returns the exit code. */
static int carry_out(struct run *run, struct error *err)
{
    size_t launches;
    uint64_t warps;
    count_work(run, &launches, &warps);
    simulate(run, launches, warps);
    const char *reason = segments_stop_reason(&run->segments);
    const struct segment *failed = segments_failed(&run->segments);
    const char *report = failed != NULL && failed->report != NULL ? failed->report : "";
    bool whole = strcmp(reason, "end") == 0 || strncmp(reason, "gpgpu_", 6) == 0;
    run->results.folder.keep = run->journal.rows > 0;
    fputs(report, stderr);
    skip_undone(run);
    struct error unwritten = {0};
    if (segments_collect(&run->segments, &run->results.rows, &run->notes, &unwritten) < 0 ||
        write_results(run, reason, report, &unwritten) < 0) {
        if (failed != NULL) /* both are worth knowing; the first cause decides the exit code */
            fprintf(stderr, "hearth: %s\n", unwritten.text);
        return error_set(err, unwritten.kind, NULL, 0, 0, "%s", unwritten.text);
    }
    if (whole)
        run->results.folder.keep = false;
    if (run->results.folder.keep)
        notes_add(&run->notes, "the same command with --resume goes on from here", 1);
    if (strncmp(reason, "gpgpu_", 6) == 0)
        note_limit(run, reason, launches);
    print_all(run, reason);
    return strcmp(reason, "end") == 0 ? 0 : tell_stop(run, reason, launches, err);
}

static int tell_complete(const struct run *run)
{
    if (!run->options.quiet)
        fprintf(stderr, "hearth: note: --resume: the results in %s are complete\n",
                run->options.output);
    return 0;
}

static void finish(struct run *run)
{
    journal_finish(&run->journal);
    results_finish(&run->results);
    segments_finish(&run->segments);
    jobs_finish(&run->jobs);
    launches_finish(&run->launches);
    notes_finish(&run->notes);
    free(run->skip);
    trace_workload_destroy(run->workload);
    plan_destroy(run->plan);
    sim_config_destroy(run->config);
    run_options_finish(&run->options);
    free(run->arguments);
}

int command_run(int argc, char **argv, struct error *err)
{
    int code = 0;
    /* A copy: getopt_long() puts options in front of operands. */
    struct run run = {.arguments = calloc((size_t)argc + 1, sizeof *run.arguments)};
    if (run.arguments == NULL)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
    for (int i = 0; i < argc; i++)
        run.arguments[i] = argv[i];
    if (run_options_init(&run.options, argc, argv, err) < 0)
        code = -1;
    else if (!run.options.done)
        code = prepare(&run, err) < 0 ? -1
               : run.complete         ? tell_complete(&run)
                                      : carry_out(&run, err);
    finish(&run);
    return code;
}
