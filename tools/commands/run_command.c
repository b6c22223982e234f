/* hearth run: carries out a workload or a plan and writes the results. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands/command.h"
#include "tools/commands/run_options.h"
#include "tools/run/execute.h"
#include "tools/run/files/stale_folders.h"
#include "tools/run/heap.h"
#include "tools/run/host.h"
#include "tools/run/jobs.h"
#include "tools/run/journal/identity.h"
#include "tools/run/journal/journal.h"
#include "tools/run/plan/input.h"
#include "tools/run/plan/warm_plan.h"
#include "tools/run/results/corrections.h"
#include "tools/run/results/summary.h"
#include "tools/run/stop.h"

#define CONFIG_NOTE 200 /* bytes that are shown */

/* Everything that a run holds. */
struct run {
    struct run_options options;
    const char **arguments; /* the command line, NULL-ended */
    struct sim_config *config;
    const char **names; /* of what is read */
    struct input_guard reads;
    struct input input;
    struct segments segments;
    struct jobs jobs;
    unsigned threads; /* of each job */
    struct results results;
    struct identity identity;
    struct journal journal;
    double warm_seconds; /* that the plan of --warm took */
    bool complete;       /* the results are there already */
    bool uncorrected;    /* a signal came before corrections were made */
    struct notes notes;
    struct accel_sim text;
};

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

/* The workload or plan, and configurations. */
static int name_reads(struct run *run, struct error *err)
{
    const struct run_options *options = &run->options;
    run->names = calloc(1 + options->config_count, sizeof *run->names);
    if (run->names == NULL)
        return error_no_memory(err);
    run->names[0] = options->target;
    memcpy(run->names + 1, options->configs, options->config_count * sizeof *run->names);
    run->reads = (struct input_guard){.names = run->names, .count = 1 + options->config_count};
    return 0;
}

/* What launches that run at once cannot have. */
static int check_overlap(const struct run *run, struct error *err)
{
    const struct sim_options *options = &run->config->options;
    if (!options->gpgpu_concurrent_kernel_sm)
        return 0;
    if (options->gpgpu_flush_l2_cache)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "launches that overlap (gpgpu_concurrent_kernel_sm) cannot have L2 "
                         "flushed in front of each: use --flush l1 or none, and !flush in a "
                         "plan");
    if (run->options.intervals != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--intervals: launches that overlap (gpgpu_concurrent_kernel_sm) have "
                         "no series");
    return 0;
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
    if (jobs_init(&run->jobs, jobs, run->threads, run->config, err) != 0)
        return -1;
    const struct correction_kind *kind = corrections_of(run->input.plan);
    return kind != NULL && kind->ideal_l2 ? jobs_ideal_l2(&run->jobs, err) : 0;
}

static int take_journal(struct run *run, struct error *err)
{
    const struct output_folder *folder = &run->results.folder;
    double period = run->options.checkpoint;
    const struct journal_run about = {
        .identity = &run->identity,
        .plan = run->input.plan,
        .skip = run->input.skip,
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
    if (run->complete)
        identity_settle(&run->identity, run->options.output);
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
    if (identity_init(&run->identity, run->input.digest, input_listed_digest(&run->input),
                      run->input.plan, run->input.skip, run->config, options->output, err) < 0)
        return -1;
    run->identity.intervals = options->intervals;
    if (options->resume)
        other = compare_results(run);
    if (run->complete) {
        stale_folders_clean(options->output);
        return 0;
    }
    if (results_check(options->output, &run->reads, err) < 0 ||
        results_init(&run->results, options->output, options->resume ? JOURNAL_FILE : NULL,
                     err) < 0)
        return -1;
    if (other != NULL && !run->results.folder.adopted)
        return error_set(err, ERROR_USAGE, options->output, 0, 0,
                         "the results are of another %s; run without --resume to replace them",
                         other);
    return take_journal(run, err);
}

/* Makes the plan that --warm asks for. States that it saves go to a folder beside the results.
 * Returns 0, -1, or the exit code when a signal stopped it. */
static int warm_input(struct run *run, struct error *err)
{
    const struct run_options *options = &run->options;
    char *states = NULL, *text = NULL, *folder = NULL;
    size_t size, length = strlen(options->output);
    while (length > 1 && options->output[length - 1] == '/')
        length--;
    if (options->output[0] != '/' && (folder = getcwd(NULL, 0)) == NULL)
        return error_set(err, ERROR_OUTPUT, options->output, 0, 0, "no working folder");
    FILE *out = open_memstream(&text, &size);
    int result = -1;
    if (out == NULL || asprintf(&states, "%s%s%.*s.states", folder != NULL ? folder : "",
                                folder != NULL ? "/" : "", (int)length, options->output) < 0) {
        states = NULL;
        error_no_memory(err);
    } else {
        const struct warm_variant variant = {run->config, states, states, out};
        const struct warm_plan warm = {options->warm, &variant, 1, options->quiet};
        double started = host_seconds();
        result = warm_plan_write(&warm, &run->input, err);
        run->warm_seconds = host_seconds() - started;
    }
    if (out != NULL && fclose(out) != 0 && result == 0)
        result = error_no_memory(err);
    if (result == 0)
        result = input_replace(&run->input, text, size, options->warm, err);
    free(text);
    free(states);
    free(folder);
    return result;
}

static int take_input(struct run *run, struct error *err)
{
    const struct run_options *options = &run->options;
    if (input_init(&run->input, options->target, options->choose ? &options->launches : NULL,
                   &run->notes, err) < 0)
        return -1;
    stop_init(); /* before anything is written */
    return options->warm != NULL ? warm_input(run, err) : 0;
}

/* Returns 0, -1, or the exit code when a signal stopped it. */
static int prepare(struct run *run, struct error *err)
{
    heap_use_huge_pages();
    if (name_reads(run, err) < 0 || make_config(run, err) < 0 || check_overlap(run, err) < 0)
        return -1;
    int code = take_input(run, err);
    if (code != 0)
        return code;
    if (execute_check(run->input.plan, run->input.skip,
                      run->config->options.gpgpu_concurrent_kernel_sm, &run->reads, err) < 0 ||
        corrections_check(&run->input, run->config->options.gpgpu_concurrent_kernel_sm, err) <
            0 ||
        segments_init(&run->segments, run->input.plan, run->input.skip, err) < 0)
        return -1;
    if (make_jobs(run, err) < 0)
        return -1;
    return open_results(run, err);
}

static unsigned flush_levels(const struct sim_config *config)
{
    return (config->options.gpgpu_flush_l1_cache ? (unsigned)SIM_L1 : 0) |
           (config->options.gpgpu_flush_l2_cache ? (unsigned)SIM_L2 : 0);
}

/* As corrections_apply(). */
static int correct(struct run *run, struct error *err)
{
    const struct correction_kind *kind = corrections_of(run->input.plan);
    if (kind == NULL)
        return 0;
    double started = host_seconds();
    int result = corrections_apply(kind, &run->input, run->config, run->options.quiet,
                                   &run->results.rows, err);
    run->results.warm_seconds += host_seconds() - started;
    return result;
}

static int write_results(struct run *run, const char *stop_reason, const char *report,
                         struct error *err)
{
    const struct results_about about = {
        .plan = run->input.plan,
        .skip = run->input.skip,
        .part = run->input.part,
        .identity = &run->identity,
        .config = run->config,
        .digest = run->input.digest,
        .listed = input_listed_digest(&run->input),
        .arguments = run->arguments,
        .stop_reason = stop_reason,
        .report = report,
        .correction = corrections_of(run->input.plan),
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
        .plan = run->input.plan,
        .skip = run->input.skip,
        .launches = &run->input.launches,
        .workload = input_workload(&run->input),
        .flush = flush_levels(run->config),
        .overlap = run->config->options.gpgpu_concurrent_kernel_sm,
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
            run->input.skip[i] = true;
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
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s after %zu of %zu launches%s",
              reason, run->results.rows.count, launches,
              run->uncorrected ? ", before they were corrected" : "");
    return stop_code();
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

/* Writes what was simulated. *REASON is why that stopped; a signal that comes now takes its
 * place. */
static int conclude(struct run *run, const char **reason, struct error *err)
{
    const struct segment *failed = segments_failed(&run->segments);
    const char *report = failed != NULL && failed->report != NULL ? failed->report : "";
    run->results.folder.keep = run->journal.rows > 0;
    fputs(report, stderr);
    skip_undone(run);
    run->results.warm_seconds = run->warm_seconds;
    if (segments_collect(&run->segments, &run->results.rows, &run->notes, err) < 0)
        return -1;
    int corrected = correct(run, err);
    if (corrected < 0)
        return -1;
    run->uncorrected = corrected > 0;
    if (run->uncorrected && failed == NULL)
        *reason = stop_name();
    return write_results(run, *reason, report, err);
}

/* Simulates and writes. Returns the exit code. */
static int carry_out(struct run *run, struct error *err)
{
    size_t launches;
    uint64_t warps;
    input_count(&run->input, &launches, &warps);
    simulate(run, launches, warps);
    const char *reason = segments_stop_reason(&run->segments);
    struct error unwritten = {0};
    if (conclude(run, &reason, &unwritten) < 0) {
        if (segments_failed(&run->segments) != NULL) /* both are worth knowing; the first cause
                                                        decides the exit code */
            fprintf(stderr, "hearth: %s\n", unwritten.text);
        return error_set(err, unwritten.kind, NULL, 0, 0, "%s", unwritten.text);
    }
    if (strcmp(reason, "end") == 0 || strncmp(reason, "gpgpu_", 6) == 0)
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
    notes_finish(&run->notes);
    input_finish(&run->input);
    input_guard_finish(&run->reads);
    free(run->names);
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
        return error_no_memory(err);
    for (int i = 0; i < argc; i++)
        run.arguments[i] = argv[i];
    if (run_options_init(&run.options, argc, argv, err) < 0)
        code = -1;
    else if (!run.options.done)
        code = prepare(&run, err);
    if (code == 0 && !run.options.done)
        code = run.complete ? tell_complete(&run) : carry_out(&run, err);
    finish(&run);
    return code;
}
