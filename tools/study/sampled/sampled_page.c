/* The files of hearth study sampled: tables, the chart and the page. */
#include <math.h>

#include "tools/report/page.h"
#include "tools/study/sampled/sampled.h"
#include "tools/study/study_page.h"

/* ---- the chart --------------------------------------------------------- */

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

/* ---- the page ---------------------------------------------------------- */

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
    const struct sampling_estimate *full = study->full[0].values;
    double whole =
        sampled_error_of(plan->cells[0][study->variants[p].whole].values, full, "cycles");
    return (struct sampled_error){
        plan, study->variants[p].name, sampled_error_of(cell->values, full, "cycles"),
        whole - sampled_error_of(plan->warm[0], full, "cycles"),
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
             sampled_value(full, "cycles"), 1e3 * sampled_value(full, "seconds"));
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
        sampled_value(full, "warp_insts"), sampled_value(full, "ipc"), sampled_hit_rate(full),
        sampled_value(full, "dram_bytes"));
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
    json_number(&json, "cycles", sampled_value(study->full[0].values, "cycles"), 0);
    json_number(&json, "warp_insts", sampled_value(study->full[0].values, "warp_insts"), 0);
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
