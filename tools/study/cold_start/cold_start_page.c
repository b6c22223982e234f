/* The files of hearth study cold-start. */
#include <math.h>
#include <string.h>

#include "tools/report/page.h"
#include "tools/study/cold_start/cold_start.h"
#include "tools/study/study_page.h"
#include "tools/study/thresholds.h"

#define ROWS 200 /* rows of a table that the page shows */
#define FAR  10  /* percent */

/* Columns of the sheets in tools/study/cold_start/cold_start_tables.c. */
static const struct {
    enum cold_sheet sheet;
    struct plot plot;
} charts[] = {
    {COLD_START_THRESHOLDS,
     {.name = "thresholds",
      .kind = PLOT_BARS,
      .title = "Share of instructions in launches that cold caches change",
      .x_label = "difference of IPC, at least (%)",
      .y_label = "instructions (%)",
      .y = {4, 6},
      .names = thresholds_names,
      .drops_zeros = true}},
    {COLD_START_BY_LAUNCH,
     {.name = "launches",
      .kind = PLOT_LINES,
      .title = "IPC cold against warm",
      .x_label = "launch",
      .y_label = "difference (%)",
      .y = {8}}},
    {COLD_START_REACH,
     {.name = "reach",
      .kind = PLOT_LINES,
      .title = "Accuracy by launches replayed",
      .x_label = "launches back",
      .y_label = "accuracy (%)",
      .y = {1, 2, 4, 5},
      .names = (const char *const[]){"memory, worst launch", "memory, median",
                                     "functional, worst launch", "functional, median"}}},
    {COLD_START_POLICY,
     {.name = "policies",
      .kind = PLOT_BOXES,
      .title = "Accuracy of launches by policy: min, quartiles, median, max",
      .x_label = "",
      .y_label = "accuracy (%)",
      .y = {1, 2, 3, 4, 5}}},
};
#define CHARTS (sizeof charts / sizeof charts[0])

/* Chart I with its table. */
static struct plot plot_of(size_t i, const struct report_table sheets[COLD_START_SHEETS])
{
    struct plot plot = charts[i].plot;
    plot.sheet = &sheets[charts[i].sheet];
    return plot;
}

static int draw(struct cold_start *cold, const struct report_table sheets[COLD_START_SHEETS],
                struct error *err)
{
    for (size_t i = 0; i < CHARTS; i++) {
        struct plot plot = plot_of(i, sheets);
        if (report_table_rows(plot.sheet) > 0 &&
            study_files_plot(&cold->files, &plot, err) != 0)
            return -1;
    }
    return 0;
}

static void show(const struct report_table sheets[COLD_START_SHEETS], enum cold_sheet which,
                 FILE *page)
{
    struct plot plot = {0};
    for (size_t i = 0; i < CHARTS; i++)
        if (charts[i].sheet == which)
            plot = plot_of(i, sheets);
    study_files_show_sheet(&sheets[which], plot.sheet != NULL ? &plot : NULL, ROWS, page);
}

/* ---- conclusion ---- */

static double error_of_total(const struct cold_start *cold, const struct run_measures *measures)
{
    double warm = RUN_MEASURES_SUM(cold->full, simulated);
    return report_table_percent(RUN_MEASURES_SUM(measures, cycles) - warm, warm);
}

/* The policy with the smallest error of the total, other than "none"; NULL: there is none. */
static const struct cold_start_run *nearest(const struct cold_start *cold)
{
    const struct cold_start_run *found = NULL;
    for (size_t i = 1; i < cold->run_count; i++)
        if (strcmp(cold->runs[i].policy, "full") != 0 &&
            (found == NULL || fabs(error_of_total(cold, cold->runs[i].measures)) <
                                  fabs(error_of_total(cold, found->measures))))
            found = &cold->runs[i];
    return found;
}

static void conclude(const struct cold_start *cold, struct study_conclusion *conclusion)
{
    const struct run_measures *none = cold->runs[0].measures;
    size_t far = 0, size = sizeof conclusion->sentences[0];
    for (size_t i = 0; i < none->count; i++)
        far += fabs(cold_start_error(cold->full, none, i)) >= FAR;
    snprintf(
        conclusion->sentences[0], size,
        "Cold caches change the total of %zu launches by %+.2f %%: from %.0f cycles, in the "
        "state that earlier launches leave, to %.0f with empty caches before each.",
        cold->full->count, error_of_total(cold, none), RUN_MEASURES_SUM(cold->full, simulated),
        RUN_MEASURES_SUM(none, simulated));
    snprintf(conclusion->sentences[1], size,
             "%zu launches (%.0f %%) change by %d %% of their cycles or more.", far,
             report_table_percent((double)far, (double)none->count), FAR);
    const struct cold_start_run *run = nearest(cold);
    if (run != NULL)
        snprintf(
            conclusion->sentences[2], size,
            "Of the warm-up policies, %s comes nearest to the total of the full run: %+.2f "
            "%%.",
            run->policy, error_of_total(cold, run->measures));
}

static int write_page(struct cold_start *cold,
                      const struct report_table sheets[COLD_START_SHEETS], struct error *err)
{
    FILE *page = study_files_open(&cold->files, "index.html", err);
    if (page == NULL)
        return -1;
    struct study_conclusion conclusion = {0};
    conclude(cold, &conclusion);
    study_page_begin(page, "Cold start", &conclusion, &cold->options, NULL);
    page_paragraph(page,
                   "What is warmed is L1 and L2; TLBs are not modelled. Every table is a "
                   "CSV file of the same name next to this page; all of them together are "
                   "study.json; the runs are in runs/. The thesis is " THRESHOLDS_THESIS ".");
    static const enum cold_sheet order[] = {COLD_START_THRESHOLDS, COLD_START_BY_KERNEL,
                                            COLD_START_POLICY,     COLD_START_BIAS,
                                            COLD_START_REACH,      COLD_START_FLUSH,
                                            COLD_START_BY_LAUNCH,  COLD_START_POLICY_5000};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        show(sheets, order[i], page);
    page_end(page);
    return study_files_close(&cold->files, err);
}

static int write_json(struct cold_start *cold,
                      const struct report_table sheets[COLD_START_SHEETS], struct error *err)
{
    struct json json;
    FILE *out = study_files_open(&cold->files, "study.json", err);
    if (out == NULL)
        return -1;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "study", "cold-start");
    json_text(&json, "workload", cold->options.operands[0]);
    for (size_t i = 0; i < COLD_START_SHEETS; i++)
        report_table_write_json(&sheets[i], &json);
    json_close(&json, '}');
    putc('\n', out);
    return study_files_close(&cold->files, err);
}

int cold_start_write(struct cold_start *cold, struct report_table sheets[COLD_START_SHEETS],
                     struct error *err)
{
    for (size_t i = 0; i < COLD_START_SHEETS; i++)
        if (study_files_sheet(&cold->files, &sheets[i], err) != 0)
            return -1;
    if (draw(cold, sheets, err) != 0 || write_json(cold, sheets, err) != 0)
        return -1;
    return write_page(cold, sheets, err);
}
