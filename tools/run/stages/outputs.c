#define _GNU_SOURCE /* asprintf */
#include <stdlib.h>
#include <string.h>

#include "tools/run/corrections.h"
#include "tools/run/results/results_writer.h"
#include "tools/run/split/segment_rows.h"
#include "tools/run/stages/stages.h"
#include "traces/base/files/stale_folders.h"

struct journal_run run_about(const struct run *run)
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
    const struct journal_run about = run_about(run);
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

int run_open_results(struct run *run, struct error *err)
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

int run_write_segments(struct run *run, struct error *err)
{
    const struct journal_run about = run_about(run);
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

int run_write_results(struct run *run, struct error *err)
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

void run_note_rest(struct run *run)
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
