/* The tables, the chart and the page of hearth study sampled. */
#include <math.h>
#include <string.h>

#include "tools/study/page.h"
#include "tools/study/sampled.h"

static double change(double value, double golden)
{
    return sheet_percent(value - golden, golden);
}

static double hit_rate(const struct sampled_total *total)
{
    return total->l2_reads > 0 ? 100 * total->l2_hits / total->l2_reads : NAN;
}

static double ipc(const struct sampled_total *total)
{
    return total->cycles > 0 ? total->thread_insts / total->cycles : NAN;
}

/* ---- results ----------------------------------------------------------- */

static const struct sheet_column result_columns[] = {
    {"method", "", ""},
    {"warm", "", "policy"},
    {"launches", "", "measured"},
    {"cycles", "cycles", "of the application, extrapolated"},
    {"error", "%", "of the cycles, against the full run"},
    {"sampling_error", "%", "with each measured launch as the full run had it"},
    {"cold_error", "%", "the rest: what cold start, or warm-up that is not exact, adds"},
    {"ipc_error", "%", "of thread instructions a cycle"},
    {"l2_hits_off", "points", "hit rate of L2's reads, against the full run"},
    {"dram_error", "%", "of DRAM sectors, read and written"},
    {"fewer_insts", "times", "warp instructions of the full run over those measured"},
    {"faster", "times", "seconds of the full run over warm-up and measuring"},
    {"warm_seconds", "s", ""},
    {"measure_seconds", "s", ""},
    {"choose_seconds", "s", "CPU time of choosing, without profiling"},
};

static void add_result(const struct sampled *study, const struct sampled_plan *plan, size_t p,
                       struct sheet *sheet)
{
    const struct sampled_cell *cell = &plan->cells[0][p];
    const struct sampled_total *total = &cell->total, *full = &study->totals[0];
    double error = change(total->cycles, full->cycles);
    double sampling = change(plan->warm[0].cycles, full->cycles);
    double seconds = cell->series.warm_seconds + cell->series.measure_seconds;
    sheet_text(sheet, plan->method);
    sheet_text(sheet, study->policy[p]);
    sheet_count(sheet, plan->count);
    sheet_number(sheet, total->cycles, 0);
    sheet_number(sheet, error, 2);
    sheet_number(sheet, sampling, 2);
    sheet_number(sheet, error - sampling, 2);
    sheet_number(sheet, change(ipc(total), ipc(full)), 2);
    sheet_number(sheet, hit_rate(total) - hit_rate(full), 2);
    sheet_number(sheet, change(total->dram, full->dram), 2);
    sheet_number(sheet, plan->warp_insts > 0 ? full->warp_insts / plan->warp_insts : NAN, 1);
    sheet_number(sheet, seconds > 0 ? study->full[0].measure_seconds / seconds : NAN, 1);
    sheet_number(sheet, cell->series.warm_seconds, 2);
    sheet_number(sheet, cell->series.measure_seconds, 2);
    sheet_number(sheet, plan->seconds, 3);
}

static void fill_results(const struct sampled *study, struct sheet *sheet)
{
    *sheet = (struct sheet){
        .name = "results",
        .title = "Samples against the full run",
        .note = "Cycles are the sum of scale x cycles over the measured launches. error = "
                "sampling_error + cold_error: the first is what remains when each measured "
                "launch takes as long as it did in the full run. No method here gives an "
                "interval for its sum; STEM chooses so that its bound holds.",
        SHEET_OF(result_columns)};
    for (size_t m = 0; m < study->plan_count; m++)
        for (size_t p = 0; p < study->policy_count && study->plans[m].path != NULL; p++)
            add_result(study, &study->plans[m], p, sheet);
}

/* ---- errors, for the chart --------------------------------------------- */

static void fill_errors(struct sampled *study, struct sheet *sheet)
{
    struct sheet_column *error_columns = study->error_columns;
    error_columns[0] = (struct sheet_column){"method", "", ""};
    error_columns[1] = (struct sheet_column){"sampling", "%", "size of the error of sampling"};
    for (size_t p = 0; p < study->policy_count; p++)
        error_columns[p + 2] =
            (struct sheet_column){study->policy[p], "%", "size of the error"};
    *sheet = (struct sheet){.name = "errors",
                            .title = "Size of the error of total cycles",
                            .columns = error_columns,
                            .width = study->policy_count + 2};
    for (size_t m = 0; m < study->plan_count; m++) {
        const struct sampled_plan *plan = &study->plans[m];
        if (plan->path == NULL)
            continue;
        double golden = study->totals[0].cycles;
        sheet_text(sheet, plan->method);
        sheet_number(sheet, fabs(change(plan->warm[0].cycles, golden)), 2);
        for (size_t p = 0; p < study->policy_count; p++)
            sheet_number(sheet, fabs(change(plan->cells[0][p].total.cycles, golden)), 2);
    }
}

/* ---- cards ------------------------------------------------------------- */

static const struct sheet_column speedup_columns[] = {
    {"card", "", "against the first one"},
    {"method", "", ""},
    {"warm", "", "policy"},
    {"speedup", "times", "in seconds, of the full runs"},
    {"predicted", "times", "by the samples"},
    {"error", "%", ""},
    {"sampling_error", "%", "with each measured launch as the full runs had it"},
};

static double seconds_ratio(const struct sampled *study, size_t c, double base, double other)
{
    return base / study->clock[0] / (other / study->clock[c]);
}

static void add_speedup(const struct sampled *study, const struct sampled_plan *plan, size_t c,
                        size_t p, struct sheet *sheet)
{
    double truth = seconds_ratio(study, c, study->totals[0].cycles, study->totals[c].cycles);
    double predicted =
        seconds_ratio(study, c, plan->cells[0][p].total.cycles, plan->cells[c][p].total.cycles);
    double sampling = seconds_ratio(study, c, plan->warm[0].cycles, plan->warm[c].cycles);
    sheet_text(sheet, study->configs[c]);
    sheet_text(sheet, plan->method);
    sheet_text(sheet, study->policy[p]);
    sheet_number(sheet, truth, 4);
    sheet_number(sheet, predicted, 4);
    sheet_number(sheet, change(predicted, truth), 2);
    sheet_number(sheet, change(sampling, truth), 2);
}

static void fill_speedups(const struct sampled *study, struct sheet *sheet)
{
    *sheet = (struct sheet){.name = "speedups",
                            .title = "Does the sample predict how much faster another card is?",
                            .note = "Sieve's figure 9. The launches are chosen once, with the "
                                    "first card's cycles where a method looks at them.",
                            SHEET_OF(speedup_columns)};
    for (size_t c = 1; c < study->config_count; c++)
        for (size_t m = 0; m < study->plan_count; m++)
            for (size_t p = 0; p < study->policy_count && study->plans[m].path != NULL; p++)
                add_speedup(study, &study->plans[m], c, p, sheet);
}

static const struct sheet_column failed_columns[] = {{"method", "", ""}, {"why", "", ""}};

static void fill_failed(const struct sampled *study, struct sheet *sheet)
{
    *sheet = (struct sheet){.name = "left_out",
                            .title = "Methods that could not be used",
                            SHEET_OF(failed_columns)};
    for (size_t m = 0; m < study->plan_count; m++) {
        if (study->plans[m].path != NULL)
            continue;
        sheet_text(sheet, study->plans[m].method);
        sheet_text(sheet, study->plans[m].error.text);
    }
}

void sampled_make_sheets(struct sampled *study, struct sheet sheets[SAMPLED_SHEETS])
{
    fill_results(study, &sheets[SAMPLED_RESULTS]);
    fill_errors(study, &sheets[SAMPLED_ERRORS]);
    fill_speedups(study, &sheets[SAMPLED_SPEEDUPS]);
    fill_failed(study, &sheets[SAMPLED_FAILED]);
}

/* ---- files ------------------------------------------------------------- */

static int draw(struct sampled *study, const struct sheet *errors, struct error *err)
{
    struct plot plot = {.name = "errors",
                        .kind = PLOT_BARS,
                        .title = "Error of total cycles, sampling alone and with each warm-up",
                        .x_label = "",
                        .y_label = "error (%)",
                        .sheet = errors};
    for (size_t p = 0; p <= study->policy_count && p < PLOT_SERIES; p++)
        plot.y[p] = (unsigned)p + 1;
    return sheet_rows(errors) > 0 ? files_plot(&study->files, &plot, err) : 0;
}

static void write_summary(const struct sampled *study, FILE *page)
{
    const struct sampled_total *full = &study->totals[0];
    page_paragraph(page,
                   "Workload %s: %zu launches, %.0f warp instructions, %.0f cycles in the full "
                   "run (%.3f thread instructions a cycle), L2 read hits %.2f %%, %.0f DRAM "
                   "sectors.",
                   study->options.operands[0], study->full[0].count, full->warp_insts,
                   full->cycles, ipc(full), hit_rate(full), full->dram);
    page_paragraph(page, "Every table is a CSV file of the same name beside this page, all of "
                         "them together study.json; plans are in plans/, runs in runs/.");
}

static int write_page(struct sampled *study, const struct sheet sheets[SAMPLED_SHEETS],
                      struct error *err)
{
    static const enum sampled_sheet order[] = {SAMPLED_RESULTS, SAMPLED_SPEEDUPS,
                                               SAMPLED_FAILED};
    FILE *page = files_open(&study->files, "index.html", err);
    if (page == NULL)
        return -1;
    page_begin(page, "Sampled against full");
    write_summary(study, page);
    files_show_plot(&study->files, "errors", page);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        files_show_sheet(&study->files, &sheets[order[i]], NULL, 1000, page);
    page_end(page);
    return files_close(&study->files, err);
}

static int write_json(struct sampled *study, const struct sheet sheets[SAMPLED_SHEETS],
                      struct error *err)
{
    struct json json;
    FILE *out = files_open(&study->files, "study.json", err);
    if (out == NULL)
        return -1;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "study", "sampled");
    json_text(&json, "workload", study->options.operands[0]);
    json_count(&json, "launches", study->full[0].count);
    json_number(&json, "cycles", study->totals[0].cycles, 0);
    json_number(&json, "warp_insts", study->totals[0].warp_insts, 0);
    json_number(&json, "seconds", study->full[0].measure_seconds, 3);
    for (size_t i = 0; i < SAMPLED_SHEETS; i++)
        sheet_write_json(&sheets[i], &json);
    json_close(&json, '}');
    putc('\n', out);
    return files_close(&study->files, err);
}

int sampled_write(struct sampled *study, struct sheet sheets[SAMPLED_SHEETS], struct error *err)
{
    for (size_t i = 0; i < SAMPLED_SHEETS; i++)
        if (files_sheet(&study->files, &sheets[i], err) != 0)
            return -1;
    if (draw(study, &sheets[SAMPLED_ERRORS], err) != 0 || write_json(study, sheets, err) != 0)
        return -1;
    return write_page(study, sheets, err);
}
