#include "tools/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/execute.h"
#include "tools/run/stages/stages.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

static void on_launched(void *data, const struct row *row)
{
    struct run *run = data;
    run->told++;
    run->hooks->launched(run->hooks->data, row);
}

static void simulate(struct run *run)
{
    struct progress progress;
    uint64_t warps;
    const struct sim_config *config = run->results->config;
    bool tells = run->hooks->launched != NULL && run->jobs.count == 1;
    struct execution execution = {
        .plan = run->input.plan,
        .skip = run->input.skip,
        .segments = &run->segments,
        .launches = &run->input.launches,
        .workload = input_workload(&run->input),
        .overlap = config->options.gpgpu_concurrent_kernel_sm,
        .followers = run_has_followers(run),
        .flush_l1 = config->options.gpgpu_flush_l1_cache,
        .limits = run_limits_of(&config->options),
        .progress = &progress,
        .intervals = run->request->intervals,
        .intra_profile = run->request->intra_profile,
        .warps = run->warps,
        .events = run->events.out != NULL ? &run->events : NULL,
        .launched = tells ? on_launched : NULL,
        .data = run,
        .journal = run->request->output != NULL && run->events.out == NULL && run->warps == NULL
                       ? &run->journal
                       : NULL,
    };
    input_count(&run->input, &run->planned, &warps);
    if (run->hooks->begun != NULL)
        run->hooks->begun(run->hooks->data);
    progress_init(&progress, run_progress(run), run->planned, warps);
    jobs_run(&run->jobs, &execution);
    progress_finish(&progress);
}

/* Whether REASON is the option whose limit was reached. */
static bool is_limit(const char *reason)
{
    return strncmp(reason, "gpgpu_", 6) == 0;
}

static void add_notes(struct run *run)
{
    struct results *results = run->results;
    char text[128];
    if (run->folder.keep)
        run_note_rest(run);
    if (!is_limit(results->stop_reason))
        return;
    snprintf(text, sizeof text, "stopped by %s after %zu of %zu launches", results->stop_reason,
             results->rows.count, run->planned);
    notes_add(&results->notes, text, 1);
}

/* Whether the configuration or the plan is wrong for the first launch: there are no results. */
static bool is_rejected(const struct run *run)
{
    const struct segment_failure *failed = segments_failed(&run->segments);
    return failed != NULL && failed->error.kind == ERROR_USAGE && run->results->rows.count == 0;
}

/* Reports that a run stopped before its end. Returns the exit code. */
static int tell_stop(const struct run *run, struct error *err)
{
    const char *reason = run->results->stop_reason;
    const struct segment_failure *failed = segments_failed(&run->segments);
    if (failed != NULL)
        return error_pass(err, &failed->error);
    if (strncmp(reason, "SIG", 3) != 0)
        return 0;
    error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s after %zu of %zu launches%s",
              reason, run->results->rows.count, run->planned,
              run->uncorrected ? ", before they were corrected" : "");
    return stop_code();
}

/* The first cause decides the exit code; both are reported. */
static int tell_unwritten(const struct run *run, const struct error *unwritten,
                          struct error *err)
{
    const struct segment_failure *failed = segments_failed(&run->segments);
    run->results->stop_reason = NULL;
    if (failed == NULL)
        return error_pass(err, unwritten);
    return error_set(err, failed->error.kind, NULL, 0, 0, "%s; then %s", failed->error.text,
                     unwritten->text);
}

/* Tells of the rows that were not told of during the simulation. */
static void tell_rest(struct run *run)
{
    struct rows_pass pass = {.rows = &run->results->rows, .next = run->told};
    for (const struct row *row;
         run->hooks->launched != NULL && (row = rows_next(&pass)) != NULL;)
        on_launched(run, row);
}

/* Simulates and writes. Returns the exit code. */
static int carry_out(struct run *run, struct error *err)
{
    struct results *results = run->results;
    struct error unwritten = {0};
    results->started = host_seconds();
    results->cpu_started = host_cpu_seconds();
    host_date(run->date, sizeof run->date);
    simulate(run);
    run->folder.keep = run->journal.rows > 0;
    bool split = run->request->segments != NULL;
    if (split && run_write_segments(run, &unwritten) < 0)
        return tell_unwritten(run, &unwritten, err);
    int collected = run_collect(run, &unwritten);
    if (collected == 0 && is_rejected(run)) {
        results->stop_reason = NULL;
        return tell_stop(run, err);
    }
    bool writes = run->request->output != NULL && !split;
    if (collected < 0 || (writes && run_write_results(run, &unwritten) < 0))
        return tell_unwritten(run, &unwritten, err);
    if (strcmp(results->stop_reason, "end") == 0 || is_limit(results->stop_reason))
        run->folder.keep = false;
    add_notes(run);
    tell_rest(run);
    return tell_stop(run, err);
}

static void finish(struct run *run)
{
    journal_finish(&run->journal);
    if (run->events.out != NULL)
        fclose(run->events.out);
    if (run->warps != NULL)
        fclose(run->warps);
    event_file_finish(&run->events);
    output_folder_finish(&run->folder);
    segments_finish(&run->segments);
    jobs_finish(&run->jobs);
    input_finish(&run->input);
    ranges_finish(&run->launches);
    input_guard_finish(&run->reads);
    free(run->names);
}

int run_execute(const struct run_request *request, const struct run_hooks *hooks,
                struct results *results, struct error *err)
{
    static const struct run_hooks none;
    struct run run = {
        .request = request, .hooks = hooks != NULL ? hooks : &none, .results = results};
    *results = (struct results){0};
    int code = run_prepare(&run, err);
    if (code == 0 && !results->complete)
        code = carry_out(&run, err);
    finish(&run);
    return code;
}
