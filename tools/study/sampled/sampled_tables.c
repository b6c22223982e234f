/* The tables, the chart and the page of hearth study sampled. */
#include <math.h>
#include <string.h>

#include "tools/report/page.h"
#include "tools/study/sampled/sampled.h"
#include "tools/study/study_page.h"

static double change(double value, double golden)
{
    return report_table_percent(value - golden, golden);
}

static struct sampling_estimate of(const struct sampling_estimate *values, const char *name)
{
    return values[extrapolation_find(name)];
}

static double value(const struct sampling_estimate *values, const char *name)
{
    return of(values, name).value;
}

/* Of L2's reads, in percent; NaN without reads. */
static double hit_rate(const struct sampling_estimate *values)
{
    return value(values, "l2_reads") > 0 ? 100 * value(values, "l2_read_hit_rate") : NAN;
}

#define ROUNDING 1e-9 /* relative rounding error of sums in another order */

/* "yes", "no", or "" without an interval. There is also none if all launches are measured:
 * the only error is then cold start, which intervals do not include. */
static const char *inside(const struct sampled_plan *plan, struct sampling_estimate estimate,
                          double golden)
{
    if (isnan(estimate.error))
        return "";
    if (fabs(estimate.value - golden) <= estimate.error + ROUNDING * fabs(golden))
        return "yes";
    return plan->all ? "" : "no";
}

/* ---- results ----------------------------------------------------------- */

static const struct report_table_column result_columns[] = {
    {"method", "", ""},
    {"warm", "", "policy"},
    {"launches", "", "measured"},
    {"cycles", "cycles", "of the application, extrapolated"},
    {"seconds", "s", "of the application, extrapolated"},
    {"ipc", "", "thread instructions a cycle, extrapolated"},
    {"error", "%", "of the cycles, against the full run"},
    {"error_bar", "%", "half the interval of the cycles, of the full run's; empty: none"},
    {"inside", "",
     "whether the full run's cycles are inside the interval; empty: none, or all "
     "launches were measured and only cold start adds an error"},
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
    {"intra", "", "method that sampled inside launches; empty: they are whole"},
    {"intra_error", "%", "what it adds to the error"},
};

/* The columns about methods inside launches are the last ones; without any they are left
 * out. */
static size_t shown(const struct sampled *study, size_t columns, size_t inside)
{
    return study->intra_count > 1 ? columns : columns - inside;
}
#define SHOWN(study, array, inside)                                                            \
    .columns = array, .width = shown(study, sizeof array / sizeof array[0], inside)

static void add_intra(const struct sampled *study, size_t p, struct report_table *sheet)
{
    const char *intra = study->variants[p].intra;
    if (study->intra_count > 1)
        report_table_text(sheet, intra != NULL ? intra : "");
}

static void add_result(const struct sampled *study, const struct sampled_plan *plan, size_t p,
                       struct report_table *sheet)
{
    const struct sampled_cell *cell = &plan->cells[0][p];
    const struct sampling_estimate *here = cell->values, *full = study->full[0].values;
    struct sampling_estimate cycles = of(here, "cycles");
    double golden = value(full, "cycles");
    double error = change(cycles.value, golden);
    double sampling = change(value(plan->warm[0], "cycles"), golden);
    double whole =
        change(value(plan->cells[0][study->variants[p].whole].values, "cycles"), golden);
    double simulated = RUN_MEASURES_SUM(&cell->measures, simulated_insts);
    double seconds = cell->measures.warm_seconds + cell->measures.measure_seconds;
    report_table_text(sheet, plan->method.text);
    report_table_text(sheet, study->variants[p].policy);
    report_table_count(sheet, plan->count);
    report_table_number(sheet, cycles.value, 0);
    report_table_number(sheet, value(here, "seconds"), 9);
    report_table_number(sheet, value(here, "ipc"), 4);
    report_table_number(sheet, error, 2);
    report_table_number(sheet, report_table_percent(cycles.error, golden), 2);
    report_table_text(sheet, inside(plan, cycles, golden));
    report_table_number(sheet, sampling, 2);
    report_table_number(sheet, whole - sampling, 2);
    report_table_number(sheet, change(value(here, "ipc"), value(full, "ipc")), 2);
    report_table_number(sheet, hit_rate(here) - hit_rate(full), 2);
    report_table_number(sheet, change(value(here, "dram_bytes"), value(full, "dram_bytes")), 2);
    report_table_number(sheet, simulated > 0 ? value(full, "warp_insts") / simulated : NAN, 1);
    report_table_number(
        sheet, seconds > 0 ? study->full[0].measures.measure_seconds / seconds : NAN, 1);
    report_table_number(sheet, cell->measures.warm_seconds, 2);
    report_table_number(sheet, cell->measures.measure_seconds, 2);
    report_table_number(sheet, plan->seconds, 3);
    add_intra(study, p, sheet);
    if (study->intra_count > 1)
        report_table_number(sheet, error - whole, 2);
}

static void fill_results(const struct sampled *study, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "results",
        .title = "Samples against the full run",
        .note = "Cycles are the sum of scale x cycles over the measured launches. error = "
                "sampling_error + cold_error: the first is what remains when each measured "
                "launch takes as long as it did in the full run. An error bar only covers the "
                "random draw of launches, not cold start, nor sampling inside launches. "
                "statistics.csv has every counter and ratio.",
        SHOWN(study, result_columns, 2)};
    for (size_t m = 0; m < study->plan_count; m++)
        for (size_t p = 0; p < study->variant_count && study->plans[m].path != NULL; p++)
            add_result(study, &study->plans[m], p, sheet);
}

/* ---- errors, for the chart --------------------------------------------- */

static void fill_errors(struct sampled *study, struct report_table *sheet)
{
    struct report_table_column *error_columns = study->error_columns;
    error_columns[0] = (struct report_table_column){"method", "", ""};
    error_columns[1] =
        (struct report_table_column){"sampling", "%", "size of the error of sampling"};
    for (size_t p = 0; p < study->variant_count; p++)
        error_columns[p + 2] =
            (struct report_table_column){study->variants[p].name, "%", "size of the error"};
    *sheet = (struct report_table){.name = "errors",
                                   .title = "Size of the error of total cycles",
                                   .columns = error_columns,
                                   .width = study->variant_count + 2};
    for (size_t m = 0; m < study->plan_count; m++) {
        const struct sampled_plan *plan = &study->plans[m];
        if (plan->path == NULL)
            continue;
        double golden = value(study->full[0].values, "cycles");
        report_table_text(sheet, plan->method.text);
        report_table_number(sheet, fabs(change(value(plan->warm[0], "cycles"), golden)), 2);
        for (size_t p = 0; p < study->variant_count; p++)
            report_table_number(
                sheet, fabs(change(value(plan->cells[0][p].values, "cycles"), golden)), 2);
    }
}

/* ---- every statistic --------------------------------------------------- */

static const struct report_table_column statistic_columns[] = {
    {"method", "", ""},
    {"warm", "", "policy"},
    {"statistic", "", ""},
    {"kind", "", "additive: sum of scale x value; ratio: of such sums"},
    {"unit", "", ""},
    {"full", "", "of the full run"},
    {"extrapolated", "", ""},
    {"error", "%", "against the full run"},
    {"error_bar", "", "half the interval; empty: none"},
    {"inside", "", "whether the full run's value is inside the interval; empty as in results"},
    {"sampling_error", "%", "with each measured launch as the full run had it"},
    {"intra", "", "method that sampled inside launches; empty: they are whole"},
};

/* Adds a whole number with all its digits, other numbers with six. */
static void add_value(struct report_table *sheet, double number)
{
    char text[32] = "";
    bool whole = number == floor(number) && fabs(number) < 1e15;
    if (isfinite(number))
        snprintf(text, sizeof text, whole ? "%.0f" : "%.6g", number);
    report_table_text(sheet, text);
}

static void add_statistic(const struct sampled *study, const struct sampled_plan *plan,
                          size_t p, size_t index, struct report_table *sheet)
{
    struct row_column column = extrapolation_column(index);
    struct sampling_estimate here = plan->cells[0][p].values[index];
    double full = study->full[0].values[index].value, warm = plan->warm[0][index].value;
    if (full == 0 && here.value == 0 && warm == 0)
        return;
    report_table_text(sheet, plan->method.text);
    report_table_text(sheet, study->variants[p].policy);
    report_table_text(sheet, column.name);
    report_table_text(sheet, row_kind_name(column.kind));
    report_table_text(sheet, column.unit);
    add_value(sheet, full);
    add_value(sheet, here.value);
    report_table_number(sheet, change(here.value, full), 2);
    add_value(sheet, here.error);
    report_table_text(sheet, inside(plan, here, full));
    report_table_number(sheet, change(warm, full), 2);
    add_intra(study, p, sheet);
}

static void fill_statistics(const struct sampled *study, struct report_table *sheet)
{
    *sheet =
        (struct report_table){.name = "statistics",
                              .title = "Every statistic of the application",
                              .note = "Those that are 0 in the full run and in the sample are "
                                      "left out.",
                              SHOWN(study, statistic_columns, 1)};
    for (size_t m = 0; m < study->plan_count; m++)
        for (size_t p = 0; p < study->variant_count && study->plans[m].path != NULL; p++)
            for (size_t i = 0; i < extrapolation_count(); i++)
                add_statistic(study, &study->plans[m], p, i, sheet);
}

/* ---- cards ------------------------------------------------------------- */

static const struct report_table_column speedup_columns[] = {
    {"card", "", "against the first one"},
    {"method", "", ""},
    {"warm", "", "policy"},
    {"speedup", "times", "in seconds, of the full runs"},
    {"predicted", "times", "by the samples"},
    {"error", "%", ""},
    {"sampling_error", "%", "with each measured launch as the full runs had it"},
    {"intra", "", "method that sampled inside launches; empty: they are whole"},
};

static double seconds_ratio(const struct sampling_estimate *base,
                            const struct sampling_estimate *other)
{
    return value(base, "seconds") / value(other, "seconds");
}

static void add_speedup(const struct sampled *study, const struct sampled_plan *plan, size_t c,
                        size_t p, struct report_table *sheet)
{
    double truth = seconds_ratio(study->full[0].values, study->full[c].values);
    double predicted = seconds_ratio(plan->cells[0][p].values, plan->cells[c][p].values);
    double sampling = seconds_ratio(plan->warm[0], plan->warm[c]);
    report_table_text(sheet, study->configs[c]);
    report_table_text(sheet, plan->method.text);
    report_table_text(sheet, study->variants[p].policy);
    report_table_number(sheet, truth, 4);
    report_table_number(sheet, predicted, 4);
    report_table_number(sheet, change(predicted, truth), 2);
    report_table_number(sheet, change(sampling, truth), 2);
    add_intra(study, p, sheet);
}

static void fill_speedups(const struct sampled *study, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "speedups",
        .title = "Does the sample predict how much faster another card is?",
        .note = "Sieve's figure 9. The launches are chosen once, with the "
                "first card's cycles where a method looks at them.",
        SHOWN(study, speedup_columns, 1)};
    for (size_t c = 1; c < study->config_count; c++)
        for (size_t m = 0; m < study->plan_count; m++)
            for (size_t p = 0; p < study->variant_count && study->plans[m].path != NULL; p++)
                add_speedup(study, &study->plans[m], c, p, sheet);
}

static const struct report_table_column failed_columns[] = {{"method", "", ""},
                                                            {"why", "", ""}};

static void fill_failed(const struct sampled *study, struct report_table *sheet)
{
    *sheet = (struct report_table){.name = "left_out",
                                   .title = "Methods that could not be used",
                                   REPORT_TABLE_OF(failed_columns)};
    for (size_t m = 0; m < study->plan_count; m++) {
        if (study->plans[m].path != NULL)
            continue;
        report_table_text(sheet, study->plans[m].method.text);
        report_table_text(sheet, study->plans[m].error.text);
    }
}

void sampled_make_sheets(struct sampled *study, struct report_table sheets[SAMPLED_SHEETS])
{
    fill_results(study, &sheets[SAMPLED_RESULTS]);
    fill_errors(study, &sheets[SAMPLED_ERRORS]);
    fill_statistics(study, &sheets[SAMPLED_STATISTICS]);
    fill_speedups(study, &sheets[SAMPLED_SPEEDUPS]);
    sampled_fill_tracing(study, &sheets[SAMPLED_TRACING]);
    sampled_fill_launches(study, &sheets[SAMPLED_LAUNCHES]);
    fill_failed(study, &sheets[SAMPLED_FAILED]);
}

/* ---- files ------------------------------------------------------------- */

static struct plot make_plot(const struct sampled *study, const struct report_table *errors)
{
    struct plot plot = {.name = "errors",
                        .kind = PLOT_BARS,
                        .title = "Error of total cycles, only sampling and with each warm-up",
                        .x_label = "",
                        .y_label = "error (%)",
                        .sheet = errors};
    for (size_t p = 0; p <= study->variant_count && p < PLOT_SERIES; p++)
        plot.y[p] = (unsigned)p + 1;
    return plot;
}

/* ---- conclusion ---- */

/* A sample with a policy, and its errors of the total cycles in percent. */
struct sampled_error {
    const struct sampled_plan *plan;
    const char *policy;
    double error, cold, faster;
};

static struct sampled_error error_at(const struct sampled *study, size_t m, size_t p)
{
    const struct sampled_plan *plan = &study->plans[m];
    const struct sampled_cell *cell = &plan->cells[0][p];
    double golden = value(study->full[0].values, "cycles");
    double error = change(value(cell->values, "cycles"), golden);
    double whole =
        change(value(plan->cells[0][study->variants[p].whole].values, "cycles"), golden);
    return (struct sampled_error){
        plan, study->variants[p].name, error,
        whole - change(value(plan->warm[0], "cycles"), golden),
        study->full[0].measures.measure_seconds /
            (cell->measures.warm_seconds + cell->measures.measure_seconds)};
}

/* Finds the sample with the smallest error, and the one to which cold start adds most. */
static void find_ends(const struct sampled *study, struct sampled_error *least,
                      struct sampled_error *coldest)
{
    for (size_t m = 0; m < study->plan_count; m++)
        for (size_t p = 0; p < study->variant_count && study->plans[m].path != NULL; p++) {
            struct sampled_error at = error_at(study, m, p);
            if (least->plan == NULL || fabs(at.error) < fabs(least->error))
                *least = at;
            if (coldest->plan == NULL || fabs(at.cold) > fabs(coldest->cold))
                *coldest = at;
        }
}

static void conclude(const struct sampled *study, struct study_conclusion *conclusion)
{
    const struct sampling_estimate *full = study->full[0].values;
    struct sampled_error least = {0}, coldest = {0};
    size_t size = sizeof conclusion->sentences[0];
    find_ends(study, &least, &coldest);
    snprintf(conclusion->sentences[0], size,
             "In full, %zu launches take %.0f cycles (%.4g ms).", study->full[0].measures.count,
             value(full, "cycles"), 1e3 * value(full, "seconds"));
    if (least.plan == NULL)
        return;
    snprintf(
        conclusion->sentences[1], size,
        "%s with warm-up %s comes nearest: %+.2f %% from %zu launches, %.1f times as fast.",
        least.plan->method.text, least.policy, least.error, least.plan->count, least.faster);
    snprintf(conclusion->sentences[2], size,
             "The state that launches start in adds %+.2f points at most: to %s with warm-up "
             "%s.",
             coldest.cold, coldest.plan->method.text, coldest.policy);
}

static void write_summary(const struct sampled *study, FILE *page)
{
    const struct sampling_estimate *full = study->full[0].values;
    page_paragraph(
        page,
        "The full run: %.0f warp instructions, %.3f thread instructions a cycle, L2 "
        "read hits %.2f %%, %.0f bytes from and to DRAM. Every table is a CSV file of "
        "the same name next to this page; all of them together are study.json; plans "
        "are in plans/, runs in runs/.",
        value(full, "warp_insts"), value(full, "ipc"), hit_rate(full),
        value(full, "dram_bytes"));
}

static int write_page(struct sampled *study, const struct report_table sheets[SAMPLED_SHEETS],
                      struct error *err)
{
    static const struct {
        enum sampled_sheet sheet;
        size_t most; /* rows */
    } order[] = {{SAMPLED_RESULTS, 1000}, {SAMPLED_TRACING, 1000}, {SAMPLED_SPEEDUPS, 1000},
                 {SAMPLED_LAUNCHES, 200}, {SAMPLED_FAILED, 1000},  {SAMPLED_STATISTICS, 200}};
    FILE *page = study_files_open(&study->files, "index.html", err);
    if (page == NULL)
        return -1;
    struct study_conclusion conclusion = {0};
    conclude(study, &conclusion);
    study_page_begin(page, "Sampled against full", &conclusion, &study->options, NULL);
    write_summary(study, page);
    const struct plot plot = make_plot(study, &sheets[SAMPLED_ERRORS]);
    if (report_table_rows(plot.sheet) > 0)
        study_files_show_plot(&plot, page);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        study_files_show_sheet(&sheets[order[i].sheet], NULL, order[i].most, page);
    page_end(page);
    return study_files_close(&study->files, err);
}

static int write_json(struct sampled *study, const struct report_table sheets[SAMPLED_SHEETS],
                      struct error *err)
{
    struct json json;
    FILE *out = study_files_open(&study->files, "study.json", err);
    if (out == NULL)
        return -1;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "study", "sampled");
    json_text(&json, "workload", study->options.operands[0]);
    json_count(&json, "launches", study->full[0].measures.count);
    json_number(&json, "cycles", value(study->full[0].values, "cycles"), 0);
    json_number(&json, "warp_insts", value(study->full[0].values, "warp_insts"), 0);
    json_number(&json, "seconds", study->full[0].measures.measure_seconds, 3);
    for (size_t i = 0; i < SAMPLED_SHEETS; i++)
        report_table_write_json(&sheets[i], &json);
    json_close(&json, '}');
    putc('\n', out);
    return study_files_close(&study->files, err);
}

int sampled_write(struct sampled *study, struct report_table sheets[SAMPLED_SHEETS],
                  struct error *err)
{
    for (size_t i = 0; i < SAMPLED_SHEETS; i++)
        if ((i != SAMPLED_LAUNCHES || study->intra_count > 1) &&
            (i != SAMPLED_TRACING || study->tracing) &&
            study_files_sheet(&study->files, &sheets[i], err) != 0)
            return -1;
    const struct plot plot = make_plot(study, &sheets[SAMPLED_ERRORS]);
    if (report_table_rows(plot.sheet) > 0 && study_files_plot(&study->files, &plot, err) != 0)
        return -1;
    if (write_json(study, sheets, err) != 0)
        return -1;
    return write_page(study, sheets, err);
}
