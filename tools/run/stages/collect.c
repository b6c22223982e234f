#include <math.h>
#include <string.h>

#include "tools/run/corrections.h"
#include "tools/run/stages/stages.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

/* Returns as corrections_apply() does. */
static int correct(struct run *run, struct error *err)
{
    struct results *results = run->results;
    const struct correction_kind *kind = corrections_of(run->input.plan);
    if (kind == NULL)
        return 0;
    double started = host_seconds();
    int result = corrections_apply(kind, &run->input, results->config, run_progress(run),
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

/* Counts the copies to the device and on it that were executed. */
static void count_copies(struct run *run)
{
    const struct plan *plan = run->input.plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (item->kind != PLAN_COPY || item->copy.to_host || run->input.skip[i])
            continue;
        struct copies_run *copies = &run->results->copies[item->copy.on_device];
        copies->count++;
        copies->bytes += item->copy.bytes;
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

int run_collect(struct run *run, struct error *err)
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
