#include "tools/commands/report/report_page.h"

#include <string.h>

#include "tools/commands/diff/diff_tables.h"
#include "tools/commands/report/report.h"
#include "tools/report/page.h"

#define ID     32
#define TITLE  300
#define FIRST  40 /* kernels, and counters, of a comparison */
#define ABSENT "<p class=m>Not counted: hearth run %s counts it.</p>\n"

/* Parts of the page about a run, in their order. */
static const struct section {
    const char *id, *title;
    const char *option; /* of hearth run, that counts what it shows; NULL: always counted */
    int (*write[3])(const struct report *report, struct error *err);
} sections[] = {
    {"light", "Speed of light", NULL, {report_speed_of_light}},
    {"kernels", "Kernels", NULL, {report_kernels}},
    {"cpi", "CPI stacks", "--cpi-stack", {report_cpi}},
    {"time", "Timeline", NULL, {report_timeline}},
    {"roofline", "Roofline", NULL, {report_roofline}},
    {"memory", "Caches and DRAM", NULL, {report_found, report_memory}},
    {"intervals", "Intervals", "--intervals N", {report_intervals}},
    {"parts", "SMs, slices and channels", "--parts", {report_parts}},
    {"activity", "Activity and energy", "--activity", {report_activity}},
    {"launches", "Launches", NULL, {report_launches}},
};
#define SECTIONS (sizeof sections / sizeof *sections)

/* The id of a section in run INDEX: the first run's are plain. */
static const char *id_of(const char *name, size_t index, char id[ID])
{
    if (index == 0)
        snprintf(id, ID, "%s", name);
    else
        snprintf(id, ID, "%s-%zu", name, index + 1);
    return id;
}

static bool is_counted(const struct report *report, const struct section *section)
{
    return strcmp(section->id, "cpi") != 0 || report->run->sum.counters.cpi_issued > 0;
}

/* A run among others has its label in all its headings. */
static int write_section(const struct report *report, const struct section *section,
                         size_t index, bool alone, struct error *err)
{
    char id[ID], title[TITLE];
    int result = is_counted(report, section) ? 0 : 1;
    snprintf(title, sizeof title, alone ? "%s" : "%s: %.250s", section->title, report->label);
    page_section(report->out, id_of(section->id, index, id), title);
    for (size_t i = 0; i < 3 && section->write[i] != NULL && result == 0; i++)
        result = section->write[i](report, err);
    if (result == 1)
        fprintf(report->out, ABSENT, section->option);
    return result < 0 ? -1 : 0;
}

static void write_link(FILE *out, const char *id, const char *text)
{
    fprintf(out, "<a href=\"#%s\">", id);
    page_escape(out, text);
    fputs("</a>\n", out);
}

static void write_section_links(size_t index, FILE *out)
{
    char id[ID];
    for (size_t i = 0; i < SECTIONS; i++)
        write_link(out, id_of(sections[i].id, index, id), sections[i].title);
}

static int write_run(const struct report *report, size_t index, bool alone, struct error *err)
{
    char id[ID], title[TITLE];
    int result = 0;
    snprintf(title, sizeof title, "Run %.250s", report->label);
    if (!alone) {
        page_section(report->out, id_of("run", index, id), title);
        fputs("<nav>\n", report->out);
        write_section_links(index, report->out);
        fputs("</nav>\n", report->out);
    }
    report_facts(report);
    report_tiles(report);
    if (report->run->launch_count == 0)
        return error_set(err, ERROR_TRACE, report->run->folder, 0, 0,
                         "it has no measured launch");
    for (size_t i = 0; i < SECTIONS && result == 0; i++)
        result = write_section(report, &sections[i], index, alone, err);
    return result;
}

/* ---- comparison ---- */

static void show(void *data, const struct report_table *sheet, const char *more)
{
    FILE *out = data;
    bool fold = report_table_rows(sheet) > FIRST; /* options of different cards */
    page_subheading(out, sheet->title);
    if (fold)
        fprintf(out, "<details><summary>%zu rows</summary>\n", report_table_rows(sheet));
    report_table_write_html(sheet, out, 1000);
    if (fold)
        fputs("</details>\n", out);
    if (more[0] != '\0')
        page_paragraph(out, "%s (hearth diff)", more);
}

static int write_comparison(const struct diff_runs *runs, FILE *out, struct error *err)
{
    const struct diff_limits limits = {FIRST, FIRST, 0};
    const struct diff_sink sink = {show, out};
    char remark[DIFF_RUNS_REMARK];
    page_section(out, "comparison", "Comparison");
    page_paragraph(out, "The base is %s. Times are compared, of launches that both runs have.",
                   runs->base.folder);
    for (size_t i = 0; i <= runs->count; i++) {
        diff_runs_remark(runs, i, remark);
        if (remark[0] != '\0')
            page_paragraph(out, "%s", remark);
    }
    return diff_tables_make(runs, &limits, &sink, err);
}

/* ---- page ---- */

/* Of several runs, each has links to its parts. */
static void write_links(const struct diff_runs *runs, bool show_base, FILE *out)
{
    char id[ID];
    size_t first = show_base ? 0 : 1;
    fputs("<nav>\n", out);
    if (runs->count > 0)
        write_link(out, "comparison", "Comparison");
    for (size_t i = first; i <= runs->count && runs->count > first; i++)
        write_link(out, id_of("run", i - first, id), runs->labels[i]);
    if (runs->count == first)
        write_section_links(0, out);
    fputs("</nav>\n", out);
}

/* "a, b against base". What does not fit is left out. */
static void write_title(const struct diff_runs *runs, size_t first, char title[TITLE])
{
    size_t length = 0;
    title[0] = '\0';
    for (size_t i = first; i <= runs->count && length < TITLE; i++)
        length += (size_t)snprintf(title + length, TITLE - length, "%s%s",
                                   i > first ? ", " : "", runs->labels[i]);
    if (first > 0 && length < TITLE)
        snprintf(title + length, TITLE - length, " against %s", runs->labels[0]);
}

int report_page_write(const struct diff_runs *runs, bool show_base, FILE *out,
                      struct error *err)
{
    char title[TITLE];
    size_t first = show_base ? 0 : 1;
    int result = 0;
    write_title(runs, first, title);
    page_begin(out, title);
    write_links(runs, show_base, out);
    if (runs->count > 1)
        result = write_comparison(runs, out, err);
    for (size_t i = first; i <= runs->count && result == 0; i++) {
        const struct report report = {
            .run = i == 0 ? &runs->base : &runs->others[i - 1],
            .against = i == 0 || runs->comparisons[i - 1].launches == 0
                           ? NULL
                           : &runs->comparisons[i - 1],
            .label = runs->labels[i],
            .out = out,
        };
        result = write_run(&report, i - first, runs->count == first, err);
    }
    if (result == 0 && runs->count == 1)
        result = write_comparison(runs, out, err);
    page_end(out);
    return result;
}
