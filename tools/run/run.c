#define _GNU_SOURCE /* asprintf */
#include "tools/run/run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/corrections.h"
#include "tools/run/execute.h"
#include "tools/run/intra_plan.h"
#include "tools/run/jobs.h"
#include "tools/run/journal/identity.h"
#include "tools/run/journal/journal.h"
#include "tools/run/plan/input.h"
#include "tools/run/plan/warm_plan.h"
#include "tools/run/results/results_writer.h"
#include "tools/run/split/segment_rows.h"
#include "traces/base/files/stale_folders.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"
#include "traces/base/ranges.h"

#define CONFIG_NOTE 200 /* bytes of a note that are shown */

/* The state of a run. */
struct run {
    const struct run_request *request;
    const struct run_hooks *hooks;
    struct results *results;
    const char **names; /* of inputs */
    struct input_guard reads;
    struct ranges launches;
    struct input input;
    struct segments segments;
    struct jobs jobs;
    unsigned threads; /* per job */
    struct output_folder folder;
    struct event_file events; /* of the request's `events` */
    FILE *warps;              /* warps.csv, while it is written; NULL: none */
    char date[32];            /* of the start */
    struct identity identity;
    struct journal journal;
    size_t planned;   /* launches */
    size_t told;      /* rows that hooks have received */
    bool uncorrected; /* a signal came before corrections were applied */
};

/* ---- configuration ----------------------------------------------------- */

/* Files made for another simulator have a hundred options without effect here: such a long
 * list is not shown with every run. */
static void on_config_note(void *data, const char *text)
{
    notes_add(data,
              strlen(text) <= CONFIG_NOTE
                  ? text
                  : "many options of the configuration have no effect in this model; "
                    "hearth config check names those of a file",
              1);
}

/* The two settings that --flush LEVELS stands for. */
static int flush_sets(const char *levels, const char *sets[2], struct error *err)
{
    unsigned i = 0;
    while (plan_level_names[i] != NULL && strcmp(plan_level_names[i], levels) != 0)
        i++;
    if (plan_level_names[i] == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--flush %s: expected none, l1, l2 or all", levels);
    sets[0] = i & PLAN_L1 ? "gpgpu_flush_l1_cache=1" : "gpgpu_flush_l1_cache=0";
    sets[1] = i & PLAN_L2 ? "gpgpu_flush_l2_cache=1" : "gpgpu_flush_l2_cache=0";
    return 0;
}

struct sim_config *run_config(const struct run_request *request, struct notes *notes,
                              struct error *err)
{
    static const char *const standard[] = {"rtx3070"};
    struct sim_config *config = NULL;
    bool named = request->config_count > 0;
    size_t count = request->set_count;
    const char **sets = calloc(count + 2, sizeof *sets);
    if (sets == NULL) {
        error_no_memory(err);
        return NULL;
    }
    if (count > 0)
        memcpy(sets, request->sets, count * sizeof *sets);
    if (request->flush == NULL || flush_sets(request->flush, sets + count, err) == 0)
        config = sim_config_create(named ? request->configs : standard,
                                   named ? (unsigned)request->config_count : 1, sets,
                                   (unsigned)count + (request->flush != NULL ? 2 : 0),
                                   notes != NULL ? on_config_note : NULL, notes, err);
    free(sets);
    return config;
}

/* ---- preparation ------------------------------------------------------- */

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

/* Whether programmatic launches of the workload may overlap the one before them. */
static bool has_followers(const struct run *run)
{
    const struct trace_workload *workload = input_workload(&run->input);
    return workload != NULL && trace_workload_programmatic(workload) &&
           sim_overlaps_followers(run->results->config);
}

/* The option that lets launches overlap; NULL: none does. */
static const char *overlaps(const struct run *run)
{
    if (run->results->config->options.gpgpu_concurrent_kernel_sm)
        return "gpgpu_concurrent_kernel_sm";
    return has_followers(run) ? "hearth_programmatic" : NULL;
}

/* Rejects what launches cannot have that overlap, by option OVERLAP, which may be NULL. */
static int check_overlap(const struct run *run, const char *overlap, struct error *err)
{
    const struct sim_options *options = &run->results->config->options;
    if (overlap == NULL)
        return 0;
    if (options->gpgpu_flush_l2_cache)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "launches that overlap (%s) cannot have L2 flushed before each: use "
                         "--flush l1 or none, and !flush in a plan",
                         overlap);
    if (run->request->intervals != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--intervals: launches that overlap (%s) have no series", overlap);
    if (run->request->events != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--trace-events: not of launches that overlap (%s)", overlap);
    if (run->request->warps)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--warps: not of launches that overlap (%s)", overlap);
    return 0;
}

/* The same before the workload is read. */
static int check_streams(const struct run *run, struct error *err)
{
    bool overlap = run->results->config->options.gpgpu_concurrent_kernel_sm;
    return check_overlap(run, overlap ? "gpgpu_concurrent_kernel_sm" : NULL, err);
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

static struct journal_run about_run(const struct run *run)
{
    return (struct journal_run){
        .identity = &run->identity,
        .plan = run->input.plan,
        .skip = run->input.skip,
        .peaks = sim_peaks_of(run->results->config),
    };
}

static int take_journal(struct run *run, struct error *err)
{
    const struct output_folder *folder = &run->folder;
    double period = run->request->checkpoint;
    const struct journal_run about = about_run(run);
    if (folder->adopted)
        return journal_resume(&run->journal, folder->temporary, period, &about, &run->segments,
                              err);
    journal_create(&run->journal, folder->temporary, period, &run->identity);
    if (run->request->resume)
        notes_add(&run->results->notes, "--resume: nothing is left of an earlier run", 1);
    return 0;
}

/* How the existing results differ from those of this run; NULL: they do not, or there are
 * none. */
static const char *compare_results(struct run *run)
{
    struct identity found;
    bool partial;
    if (!identity_of_results(&found, run->request->output, &partial))
        return NULL;
    const char *other = identity_differs(&found, &run->identity);
    run->results->complete = other == NULL && !partial;
    if (run->results->complete)
        identity_settle(&run->identity, run->request->output);
    if (partial && other != NULL && strcmp(other, "plan") == 0)
        return NULL; /* the plan is what was executed of it */
    return other;
}

bool run_is_limited(const struct sim_config *config)
{
    const struct run_limits limits = run_limits_of(&config->options);
    return run_limits_any(&limits);
}

/* Rows of segments serve only whole segments that do not depend on others. */
static int check_split(const struct run *run, struct error *err)
{
    const struct run_request *request = run->request;
    const char *option = request->segments != NULL ? "--segments" : "--join";
    if (request->segments == NULL && request->join == NULL)
        return 0;
    if (request->output == NULL || request->launches != NULL || request->events != NULL ||
        request->warps || (request->segments != NULL && request->join != NULL))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: not with --launches, --trace-events, --warps or %s", option,
                         request->segments != NULL ? "--join" : "--segments");
    if (run_is_limited(run->results->config))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: limits count over the plan in its order", option);
    return 0;
}

/* Reads the request's `events`, and checks its `warps`. */
static int take_events(struct run *run, struct error *err)
{
    const struct run_request *request = run->request;
    if (request->warps && request->resume)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--warps: not with --resume, which may find launches finished");
    if (request->events == NULL)
        return 0;
    if (request->resume)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--trace-events: not with --resume, which may find the launch "
                         "finished");
    return event_spec_parse(request->events, sim_config_sms(run->results->config),
                            &run->events.spec, err);
}

/* Opens the files of what is watched. */
static int open_watched(struct run *run, struct error *err)
{
    if (run->request->events != NULL &&
        (run->events.out = output_folder_open(&run->folder, "events.json", err)) == NULL)
        return -1;
    if (!run->request->warps)
        return 0;
    run->warps = output_folder_open(&run->folder, "warps.csv", err);
    if (run->warps == NULL)
        return -1;
    fputs("launch,block,sm,issue,retire\n", run->warps);
    return 0;
}

/* Says that results of something else will be replaced. */
static void note_replaced(struct run *run)
{
    char text[4096];
    if (!identity_has_other_workload(&run->identity, run->request->output))
        return;
    snprintf(text, sizeof text, "the results in %.3900s were those of another workload",
             run->request->output);
    notes_add(&run->results->notes, text, 1);
}

/* Opens the folder of the results, and finds what an earlier run left to resume: complete
 * results, a journal, or nothing. */
static int open_results(struct run *run, struct error *err)
{
    const char *output = run->request->output, *other = NULL;
    if (output == NULL)
        return 0;
    if (identity_init(&run->identity, run->input.digest, input_listed_digest(&run->input),
                      run->input.plan, run->input.skip, run->results->config, output, err) < 0)
        return -1;
    run->identity.intervals = run->request->intervals;
    if (run->request->resume)
        other = compare_results(run);
    if (run->results->complete) {
        stale_folders_clean(output);
        return 0;
    }
    if (results_writer_check(output, &run->reads, err) < 0 ||
        output_folder_init(&run->folder, output, run->request->resume ? JOURNAL_FILE : NULL,
                           err) < 0 ||
        row_store_set_folder(run->results->store, run->folder.temporary, err) < 0)
        return -1;
    if (other != NULL && !run->folder.adopted)
        return error_set(err, ERROR_USAGE, output, 0, 0,
                         "the results have another %s: name another folder, or remove this one",
                         other);
    if (!run->request->resume)
        note_replaced(run);
    if (run->request->events == NULL && !run->request->warps)
        return take_journal(run, err);
    return open_watched(run, err); /* without a journal: it is not resumed */
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

static struct progress_hook progress_of(const struct run *run)
{
    return (struct progress_hook){run->hooks->progress, run->hooks->data};
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
                                   .progress = progress_of(run),
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

/* Returns 0, -1, or the exit code if a signal stopped it. */
static int prepare(struct run *run, struct error *err)
{
    run->results->store = run->results->rows.store = row_store_create(err);
    if (run->results->store == NULL)
        return -1;
    run->results->config = run_config(run->request, &run->results->notes, err);
    if (run->results->config == NULL || name_reads(run, err) < 0 ||
        check_streams(run, err) < 0 || take_events(run, err) < 0 || check_split(run, err) < 0)
        return -1;
    int code = take_input(run, err);
    if (code != 0)
        return code;
    if (run->request->segments != NULL &&
        segment_rows_choose(&run->input, run->request->segments, err) != 0)
        return -1;
    const char *overlap = overlaps(run);
    if (check_overlap(run, overlap, err) < 0 ||
        execute_check(run->input.plan, run->input.skip, overlap, run->request->allow_outside,
                      &run->reads, err) < 0 ||
        corrections_check(&run->input, overlap, err) < 0 ||
        intra_plan_check(run->input.plan, run->input.skip, overlap, run->request->intervals,
                         corrections_of(run->input.plan) != NULL, err) < 0 ||
        segments_init(&run->segments, run->input.plan, run->input.skip, run->results->store,
                      err) < 0)
        return -1;
    if (make_jobs(run, err) < 0 || open_results(run, err) < 0)
        return -1;
    const struct journal_run about = about_run(run);
    return run->request->join == NULL || run->results->complete
               ? 0
               : segment_rows_read(&run->segments, &about, run->request->join, err);
}

/* ---- simulation -------------------------------------------------------- */

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
        .followers = has_followers(run),
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
    progress_init(&progress, progress_of(run), run->planned, warps);
    jobs_run(&run->jobs, &execution);
    progress_finish(&progress);
}

/* ---- results ----------------------------------------------------------- */

/* Returns as corrections_apply() does. */
static int correct(struct run *run, struct error *err)
{
    struct results *results = run->results;
    const struct correction_kind *kind = corrections_of(run->input.plan);
    if (kind == NULL)
        return 0;
    double started = host_seconds();
    int result = corrections_apply(kind, &run->input, results->config, progress_of(run),
                                   &results->rows, err);
    results->warm_seconds += host_seconds() - started;
    return result;
}

/* Leaves out of plan.out what was not executed. */
static void skip_undone(struct run *run)
{
    for (size_t s = 0; s < run->segments.count; s++)
        for (size_t i = run->segments.items[s].done; i < segment_end(&run->segments.items[s]);
             i++)
            run->input.skip[i] = true;
}

/* Counts the copies to the device that were executed. */
static void count_copies(struct run *run)
{
    const struct plan *plan = run->input.plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (item->kind != PLAN_COPY || item->copy.to_host || run->input.skip[i])
            continue;
        run->results->copies++;
        run->results->copied_bytes += item->copy.bytes;
    }
}

/* Sums up what the results as a whole say of the rows. */
static void sum_rows(struct results *results)
{
    struct rows_pass pass = {.rows = &results->rows};
    for (struct row *row; (row = rows_next(&pass)) != NULL;) {
        *(row->role == PLAN_WARM ? &results->warm_seconds : &results->measure_seconds) +=
            row->seconds;
        if (row->resumed)
            results->resumed++;
        else
            results->warp_insts += row_simulated_insts(row);
        results->intra |= row->intra != NULL;
        notes_move(&results->notes, &row->notes);
    }
}

/* Takes the rows from the segments and sums them up. A signal that arrives now becomes the
 * reason why the run stopped. */
static int collect(struct run *run, struct error *err)
{
    struct results *results = run->results;
    const struct segment_failure *failed = segments_failed(&run->segments);
    results->stop_reason = segments_stop_reason(&run->segments);
    if (failed != NULL && failed->report != NULL &&
        (results->report = strdup(failed->report)) == NULL)
        return error_no_memory(err);
    skip_undone(run);
    count_copies(run);
    if (segments_collect(&run->segments, &results->rows, err) < 0)
        return -1;
    sum_rows(results);
    int corrected = correct(run, err);
    if (corrected < 0)
        return -1;
    run->uncorrected = corrected > 0;
    if (run->uncorrected && failed == NULL)
        results->stop_reason = stop_name();
    totals_init(&results->totals, &results->rows);
    const struct extrapolated_plan plan = {run->input.plan, run->input.skip, run->input.part};
    if (extrapolated_init(&results->extrapolated, &results->rows, &plan, results->config,
                          err) != 0)
        return -1;
    results->warm_seconds = round(1000 * results->warm_seconds) / 1000;
    results->measure_seconds = round(1000 * results->measure_seconds) / 1000;
    return row_store_check(results->store, err);
}

/* A launch that was not reached leaves an error, unless another one has stopped the run. */
static int close_events(struct run *run, struct error *err)
{
    FILE *out = run->events.out;
    run->events.out = NULL;
    if (out != NULL && !run->events.written)
        fputs("{\"traceEvents\": []}\n", out);
    if (out != NULL && output_folder_close(&run->folder, out, err) < 0)
        return -1;
    if (out != NULL && !run->events.written && strcmp(run->results->stop_reason, "end") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--trace-events: no launch %llu was measured in detail",
                         (unsigned long long)run->events.spec.launch);
    return 0;
}

static int close_warps(struct run *run, struct error *err)
{
    FILE *out = run->warps;
    run->warps = NULL;
    return out != NULL ? output_folder_close(&run->folder, out, err) : 0;
}

/* Writes the rows of the chosen segments, if all came to their end. */
static int write_segments(struct run *run, struct error *err)
{
    const struct journal_run about = about_run(run);
    if (strcmp(segments_stop_reason(&run->segments), "end") != 0)
        return 0;
    FILE *out = output_folder_open(&run->folder, SEGMENT_ROWS, err);
    if (out == NULL)
        return -1;
    int result = segment_rows_write(&run->segments, &about, out, err);
    if (output_folder_close(&run->folder, out, result == 0 ? err : &(struct error){0}) < 0)
        result = -1;
    return result == 0 ? output_folder_commit(&run->folder, SEGMENT_ROWS,
                                              (const char *const[]){NULL}, err)
                       : -1;
}

static int write_results(struct run *run, struct error *err)
{
    const struct results_about about = {
        .request = run->request,
        .plan = run->input.plan,
        .skip = run->input.skip,
        .identity = &run->identity,
        .digest = run->input.digest,
        .listed = input_listed_digest(&run->input),
        .date = run->date,
        .correction = corrections_of(run->input.plan),
        .jobs = run->jobs.count,
        .threads = run->threads,
    };
    if (close_events(run, err) < 0 || close_warps(run, err) < 0)
        return -1;
    return results_writer_write(&run->folder, run->results, &about, err);
}

/* Whether REASON is the option whose limit was reached. */
static bool is_limit(const char *reason)
{
    return strncmp(reason, "gpgpu_", 6) == 0;
}

/* Names the folder that stays beside the results. */
static void note_rest(struct run *run)
{
    char *text;
    if (asprintf(
            &text,
            "the same command with --resume continues from here, with what %s keeps for it",
            run->folder.temporary) < 0)
        return;
    notes_add(&run->results->notes, text, 1);
    free(text);
}

static void add_notes(struct run *run)
{
    struct results *results = run->results;
    char text[128];
    if (run->folder.keep)
        note_rest(run);
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
    if (split && write_segments(run, &unwritten) < 0)
        return tell_unwritten(run, &unwritten, err);
    int collected = collect(run, &unwritten);
    if (collected == 0 && is_rejected(run)) {
        results->stop_reason = NULL;
        return tell_stop(run, err);
    }
    bool writes = run->request->output != NULL && !split;
    if (collected < 0 || (writes && write_results(run, &unwritten) < 0))
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
    int code = prepare(&run, err);
    if (code == 0 && !results->complete)
        code = carry_out(&run, err);
    finish(&run);
    return code;
}
