/* The files of the study: tables as CSV and JSON, and the page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/stats/counters.h"
#include "tools/report/kernel_title.h"
#include "tools/report/page.h"
#include "tools/report/scatter.h"
#include "tools/study/correlate/correlate.h"
#include "tools/study/study_page.h"
#include "tools/view/gpu_title.h"

#define ROWS       100 /* of a table in the page */
#define WORST      20  /* launches that are shown with their stacks */
#define STACK_TEXT 160
#define CLASSES    4 /* of a stack that are named */

static const struct report_table_column worst_columns[] = {
    {"program", "", ""},
    {"launch", "", ""},
    {"kernel", "", ""},
    {"measured", "cycles", ""},
    {"simulated", "cycles", ""},
    {"error", "%", ""},
    {"scheduler_cycles", "", "largest classes of the CPI stack"},
};

/* A pair, and where it is from. */
struct spot {
    const struct correlate_program *program;
    const struct pairing_item *item;
    double simulated, error;
};

/* Those that are matched. Returns how many. */
static size_t take_spots(const struct correlate *correlate, struct spot *spots)
{
    size_t count = 0;
    for (size_t p = 0; p < correlate->program_count; p++) {
        const struct correlate_program *program = &correlate->programs[p];
        for (size_t i = 0; i < program->pairs.count; i++) {
            const struct pairing_item *item = &program->pairs.items[i];
            if (item->measured == NULL || item->row == NULL || !(item->measured->cycles > 0))
                continue;
            const struct error_pair pair = {item->measured->cycles,
                                            correlate_cycles(program, item->row)};
            spots[count++] = (struct spot){program, item, pair.simulated, error_of(&pair)};
        }
    }
    return count;
}

/* ---- worst launches ---------------------------------------------------- */

static int by_error(const void *a, const void *b)
{
    double x = fabs(((const struct spot *)a)->error), y = fabs(((const struct spot *)b)->error);
    return x < y ? 1 : -(x > y);
}

static bool is_class(size_t counter)
{
    return strncmp(sim_counter_table[counter].name, "cpi_", 4) == 0;
}

/* The largest class of C below MOST cycles; the number of counters if there is none. */
static size_t largest_below(const struct sim_counters *c, uint64_t most)
{
    size_t found = sim_counter_count;
    for (size_t i = 0; i < sim_counter_count; i++)
        if (is_class(i) && sim_counter_get(c, i) < most &&
            (found == sim_counter_count || sim_counter_get(c, i) > sim_counter_get(c, found)))
            found = i;
    return found;
}

static void name_classes(const struct sim_counters *c, char out[STACK_TEXT])
{
    uint64_t all = 0, most = UINT64_MAX;
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sim_counter_count; i++)
        all += is_class(i) ? sim_counter_get(c, i) : 0;
    for (int n = 0; n < CLASSES && all > 0 && length < STACK_TEXT; n++) {
        size_t counter = largest_below(c, most);
        if (counter == sim_counter_count || sim_counter_get(c, counter) == 0)
            return;
        most = sim_counter_get(c, counter);
        length += (size_t)snprintf(out + length, STACK_TEXT - length, "%s%s %.0f %%",
                                   n > 0 ? ", " : "", sim_counter_table[counter].name + 4,
                                   100 * (double)most / (double)all);
    }
}

static void write_worst(struct spot *spots, size_t count, FILE *page)
{
    struct report_table sheet = {.name = "worst", REPORT_TABLE_OF(worst_columns)};
    qsort(spots, count, sizeof *spots, by_error);
    for (size_t i = 0; i < count && i < WORST; i++) {
        const struct spot *spot = &spots[i];
        char stack[STACK_TEXT];
        name_classes(&spot->item->row->result.counters, stack);
        report_table_text(&sheet, spot->program->name);
        report_table_count(&sheet, spot->item->measured->launch);
        report_table_text(&sheet, spot->item->measured->kernel);
        report_table_number(&sheet, spot->item->measured->cycles, 0);
        report_table_number(&sheet, spot->simulated, 0);
        report_table_number(&sheet, 100 * spot->error, 1);
        report_table_text(&sheet, stack);
    }
    page_heading(page, "Launches with the largest errors");
    report_table_write_html(&sheet, page, WORST);
    report_table_finish(&sheet);
}

/* ---- charts ------------------------------------------------------------ */

/* What a point of the scatter is called, and how many cycles its kernel took. */
struct names {
    const struct spot *spot;
    char kernel[KERNEL_TITLE_BRIEF + 1], label[512];
    double weight;
};

static void name_spot(const struct spot *spot, struct names *names)
{
    const struct measured_launch *measured = spot->item->measured;
    char full[256];
    names->spot = spot;
    names->weight = measured->cycles;
    kernel_title_copy(measured->kernel, true, names->kernel, sizeof names->kernel);
    kernel_title_copy(measured->kernel, false, full, sizeof full);
    snprintf(names->label, sizeof names->label,
             "%.100s launch %lu: %.0f cycles measured, %.0f simulated, %s", spot->program->name,
             (unsigned long)measured->launch, measured->cycles, spot->simulated, full);
}

static int by_kernel(const void *a, const void *b)
{
    return strcmp(((const struct names *)a)->kernel, ((const struct names *)b)->kernel);
}

static int by_weight(const void *a, const void *b)
{
    double x = ((const struct names *)a)->weight, y = ((const struct names *)b)->weight;
    return x < y ? 1 : x > y ? -1 : by_kernel(a, b);
}

/* Kernels that took most come first: they have colours of their own. */
static void weigh(struct names *names, size_t count)
{
    qsort(names, count, sizeof *names, by_kernel);
    for (size_t first = 0, next; first < count; first = next) {
        double sum = 0;
        for (next = first; next < count && by_kernel(&names[first], &names[next]) == 0; next++)
            sum += names[next].weight;
        for (size_t i = first; i < next; i++)
            names[i].weight = sum;
    }
    qsort(names, count, sizeof *names, by_weight);
}

/* Coloured by kernel or by program. */
static void write_scatter(const struct names *names, size_t count, bool kernels,
                          struct scatter_point *points, FILE *page)
{
    for (size_t i = 0; i < count; i++) {
        const struct spot *spot = names[i].spot;
        points[i] =
            (struct scatter_point){.x = spot->item->measured->cycles,
                                   .y = spot->simulated,
                                   .group = kernels ? names[i].kernel : spot->program->name,
                                   .label = names[i].label};
    }
    scatter_write(&(struct scatter){.title = kernels ? "Cycles of each launch, by kernel"
                                                     : "Cycles of each launch, by program",
                                    .x_label = "measured",
                                    .y_label = "simulated",
                                    .points = points,
                                    .count = count},
                  page);
}

static int write_scatters(const struct correlate *correlate, const struct spot *spots,
                          size_t count, FILE *page)
{
    struct scatter_point *points = calloc(count + 1, sizeof *points);
    struct names *names = calloc(count + 1, sizeof *names);
    bool good = points != NULL && names != NULL;
    for (size_t i = 0; i < count && good; i++)
        name_spot(&spots[i], &names[i]);
    if (good && correlate->program_count > 1)
        write_scatter(names, count, false, points, page);
    if (good) {
        weigh(names, count);
        write_scatter(names, count, true, points, page);
    }
    free(points);
    free(names);
    return good ? 0 : -1;
}

static int write_histogram(const struct spot *spots, size_t count, FILE *page)
{
    double *errors = calloc(count + 1, sizeof *errors);
    for (size_t i = 0; i < count && errors != NULL; i++)
        errors[i] = 100 * spots[i].error;
    if (errors != NULL)
        histogram_write(
            &(struct histogram_chart){.title = "Errors of launches",
                                      .x_label = "simulated over measured cycles - 1 (%)",
                                      .values = errors,
                                      .count = count,
                                      .least = -100,
                                      .most = 100,
                                      .bins = 40},
            page);
    free(errors);
    return errors != NULL ? 0 : -1;
}

/* ---- files ------------------------------------------------------------- */

static void conclude(const struct correlate *correlate, const struct spot *spots, size_t count,
                     struct study_conclusion *conclusion)
{
    double absolute = 0, measured = 0, simulated = 0;
    const struct spot *worst = spots;
    size_t size = sizeof conclusion->sentences[0];
    for (size_t i = 0; i < count; i++) {
        absolute += fabs(spots[i].error) / (double)count;
        measured += spots[i].item->measured->cycles;
        simulated += spots[i].simulated;
        worst = fabs(spots[i].error) > fabs(worst->error) ? &spots[i] : worst;
    }
    if (count == 0) {
        snprintf(conclusion->sentences[0], size, "No launch is both measured and simulated.");
        return;
    }
    snprintf(
        conclusion->sentences[0], size,
        "The simulated cycles of %zu launches of %zu program%s are %.1f %% from the measured "
        "ones, in the mean over launches.",
        count, correlate->program_count, correlate->program_count == 1 ? "" : "s",
        100 * absolute);
    double sum = report_table_percent(simulated - measured, measured);
    snprintf(conclusion->sentences[1], size, "The sum of all cycles is %.1f %% too %s.",
             fabs(sum), sum < 0 ? "low" : "high");
    snprintf(conclusion->sentences[2], size,
             "Farthest is launch %lu of %.100s: %.0f cycles are measured, %.0f simulated "
             "(%+.0f %%).",
             (unsigned long)worst->item->measured->launch, worst->program->name,
             worst->item->measured->cycles, worst->simulated, 100 * worst->error);
}

static void write_head(const struct correlate *correlate, const struct spot *spots,
                       size_t count, const struct report_table *summary, FILE *page)
{
    struct study_conclusion conclusion = {0};
    const struct sim_config *config = correlate->programs[0].results.config;
    char gpu[GPU_TITLE] = "";
    conclude(correlate, spots, count, &conclusion);
    study_page_begin(page, "Simulation against hardware", &conclusion, &correlate->options,
                     config != NULL ? gpu_title(config, gpu) : gpu);
    page_paragraph(page, "Measured: %s, column %s. Simulated: cycles %s the launch latency.",
                   correlate->hardware, correlate->measured.metric,
                   correlate->with_launch ? "with" : "without");
    study_files_show_sheet(summary, NULL, ROWS, page);
}

static void write_sheets(const struct correlate *correlate,
                         const struct report_table sheets[CORRELATE_SHEETS], FILE *page)
{
    for (size_t i = CORRELATE_SUMMARY + 1; i < CORRELATE_SHEETS; i++)
        if (sheets[i].name != NULL)
            study_files_show_sheet(&sheets[i], NULL, ROWS, page);
}

static int write_page(struct correlate *correlate,
                      const struct report_table sheets[CORRELATE_SHEETS], struct error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < correlate->program_count; i++)
        most += correlate->programs[i].pairs.matched;
    struct spot *spots = calloc(most + 1, sizeof *spots);
    FILE *page = spots != NULL ? study_files_open(&correlate->files, "index.html", err) : NULL;
    int result = spots == NULL ? error_no_memory(err) : page == NULL ? -1 : 0;
    if (result == 0) {
        size_t count = take_spots(correlate, spots);
        write_head(correlate, spots, count, &sheets[CORRELATE_SUMMARY], page);
        if (write_scatters(correlate, spots, count, page) != 0 ||
            write_histogram(spots, count, page) != 0)
            result = error_no_memory(err);
        write_worst(spots, count, page); /* before the sheets: that of launches is long */
        write_sheets(correlate, sheets, page);
        page_end(page);
    }
    free(spots);
    return result == 0 ? study_files_close(&correlate->files, err) : -1;
}

static int write_json(struct correlate *correlate,
                      const struct report_table sheets[CORRELATE_SHEETS], struct error *err)
{
    struct json json;
    FILE *out = study_files_open(&correlate->files, "study.json", err);
    if (out == NULL)
        return -1;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "study", "correlate");
    json_text(&json, "hardware", correlate->hardware);
    json_text(&json, "metric", correlate->measured.metric);
    json_count(&json, "placements", correlate->options.placements);
    for (size_t i = 0; i < CORRELATE_SHEETS; i++)
        if (sheets[i].name != NULL)
            report_table_write_json(&sheets[i], &json);
    json_close(&json, '}');
    putc('\n', out);
    return study_files_close(&correlate->files, err);
}

int correlate_write(struct correlate *correlate, struct report_table sheets[CORRELATE_SHEETS],
                    struct error *err)
{
    for (size_t i = 0; i < CORRELATE_SHEETS; i++)
        if (sheets[i].name != NULL &&
            study_files_sheet(&correlate->files, &sheets[i], err) != 0)
            return -1;
    return write_json(correlate, sheets, err) != 0 ? -1 : write_page(correlate, sheets, err);
}
