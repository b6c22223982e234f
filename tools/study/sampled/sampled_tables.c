/* The tables of hearth study sampled. */
#include <math.h>

#include "tools/study/sampled/sampled.h"

double sampled_value(const struct sampling_estimate *values, const char *name)
{
    return values[extrapolation_find(name)].value;
}

double sampled_hit_rate(const struct sampling_estimate *values)
{
    return sampled_value(values, "l2_reads") > 0
               ? 100 * sampled_value(values, "l2_read_hit_rate")
               : NAN;
}

static double change(double value, double golden)
{
    return report_table_percent(value - golden, golden);
}

double sampled_error_of(const struct sampling_estimate *values,
                        const struct sampling_estimate *full, const char *name)
{
    return change(sampled_value(values, name), sampled_value(full, name));
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
    struct sampling_estimate cycles = here[extrapolation_find("cycles")];
    double golden = sampled_value(full, "cycles");
    double error = sampled_error_of(here, full, "cycles");
    double sampling = sampled_error_of(plan->warm[0], full, "cycles");
    double whole =
        sampled_error_of(plan->cells[0][study->variants[p].whole].values, full, "cycles");
    double simulated = RUN_MEASURES_SUM(&cell->measures, simulated_insts);
    double seconds = cell->measures.warm_seconds + cell->measures.measure_seconds;
    report_table_text(sheet, plan->method.text);
    report_table_text(sheet, study->variants[p].policy);
    report_table_count(sheet, plan->count);
    report_table_number(sheet, cycles.value, 0);
    report_table_number(sheet, sampled_value(here, "seconds"), 9);
    report_table_number(sheet, sampled_value(here, "ipc"), 4);
    report_table_number(sheet, error, 2);
    report_table_number(sheet, report_table_percent(cycles.error, golden), 2);
    report_table_text(sheet, inside(plan, cycles, golden));
    report_table_number(sheet, sampling, 2);
    report_table_number(sheet, whole - sampling, 2);
    report_table_number(sheet, sampled_error_of(here, full, "ipc"), 2);
    report_table_number(sheet, sampled_hit_rate(here) - sampled_hit_rate(full), 2);
    report_table_number(sheet, sampled_error_of(here, full, "dram_bytes"), 2);
    report_table_number(sheet,
                        simulated > 0 ? sampled_value(full, "warp_insts") / simulated : NAN, 1);
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
        const struct sampling_estimate *full = study->full[0].values;
        report_table_text(sheet, plan->method.text);
        report_table_number(sheet, fabs(sampled_error_of(plan->warm[0], full, "cycles")), 2);
        for (size_t p = 0; p < study->variant_count; p++)
            report_table_number(
                sheet, fabs(sampled_error_of(plan->cells[0][p].values, full, "cycles")), 2);
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
    return sampled_value(base, "seconds") / sampled_value(other, "seconds");
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
