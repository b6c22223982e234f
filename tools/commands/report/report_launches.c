/* All launches, as a table that the page's script shows a part of at a time. */
#include <math.h>
#include <stdlib.h>

#include "tools/commands/report/report.h"
#include "tools/report/page.h"

#define MOST 10000 /* rows: pages stay below 5 MB */

static const struct {
    const char *name, *unit, *about;
} columns[] = {
    {"launch", "", "number"},
    {"kernel", "", "the full name is shown over the short one"},
    {"stream", "", ""},
    {"grid", "blocks", ""},
    {"block", "threads", ""},
    {"start", "µs", "since the first launch"},
    {"time", "µs", ""},
    {"IPC", "thread inst./cycle", "of all SMs"},
    {"occupancy", "%", "resident warps, of those that fit on an active SM"},
    {"L1 hits", "%", ""},
    {"L2 hits", "%", "of reads"},
    {"DRAM", "%", "of its bandwidth"},
    {"speed-up", "×", "over the baseline"},
};

static void write_columns(const struct report *report)
{
    size_t count = sizeof columns / sizeof *columns - (report->against == NULL);
    fputs("{\"columns\":[", report->out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", report->out);
        page_json_text(report->out, columns[i].name);
        fputs(",\"unit\":", report->out);
        page_json_text(report->out, columns[i].unit);
        fputs(",\"about\":", report->out);
        page_json_text(report->out, columns[i].about);
        fputs(i == 1 ? ",\"kernel\":true}" : "}", report->out);
    }
    fputs("],\n\"kernels\":[", report->out);
    for (size_t i = 0; i < report->run->kernel_count; i++) {
        fputs(i > 0 ? ",\n[" : "[", report->out);
        page_json_text(report->out, report->run->kernels[i].brief);
        putc(',', report->out);
        page_json_text(report->out, report->run->kernels[i].full);
        putc(']', report->out);
    }
    fputs("],\n\"rows\":[", report->out);
}

static void write_number(FILE *out, double value, int digits)
{
    if (isfinite(value))
        fprintf(out, ",%.*f", digits, value);
    else
        fputs(",null", out);
}

static void write_speedup(const struct report *report, size_t i)
{
    const struct comparison *against = report->against;
    size_t pair = against->pairs[i];
    const struct view_launch *base = pair != SIZE_MAX ? &against->base->launches[pair] : NULL;
    write_number(report->out,
                 base != NULL
                     ? view_seconds(against->base, (double)base->cycles) /
                           view_seconds(report->run, (double)report->run->launches[i].cycles)
                     : NAN,
                 3);
}

static void write_launch(const struct report *report, size_t i)
{
    const struct run_view *run = report->run;
    const struct view_launch *launch = &run->launches[i];
    FILE *out = report->out;
    fprintf(out, "[%llu,%u,%llu,", (unsigned long long)launch->launch, launch->kernel,
            (unsigned long long)launch->stream);
    page_json_text(out, launch->grid);
    putc(',', out);
    page_json_text(out, launch->block);
    write_number(out, 1e6 * view_seconds(run, (double)launch->start), 2);
    write_number(out, 1e6 * view_seconds(run, (double)launch->cycles), 2);
    write_number(out, (double)launch->ipc, 1);
    write_number(out, 100 * (double)launch->occupancy, 1);
    write_number(out, 100 * (double)launch->l1_hits, 1);
    write_number(out, 100 * (double)launch->l2_hits, 1);
    write_number(out, 100 * (double)launch->dram_use, 1);
    if (report->against != NULL)
        write_speedup(report, i);
    putc(']', out);
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The cycles that the MOST longest launches have at least; *AT_LEAST is 0 if all are shown.
 * False if memory is short. */
static bool find_longest(const struct run_view *run, uint64_t *at_least)
{
    uint64_t *cycles = calloc(run->launch_count + 1, sizeof *cycles);
    *at_least = 0;
    if (cycles == NULL)
        return false;
    for (size_t i = 0; i < run->launch_count; i++)
        cycles[i] = run->launches[i].cycles;
    qsort(cycles, run->launch_count, sizeof *cycles, by_size);
    if (run->launch_count > MOST)
        *at_least = cycles[MOST - 1];
    free(cycles);
    return true;
}

int report_launches(const struct report *report, struct error *err)
{
    const struct run_view *run = report->run;
    uint64_t at_least;
    size_t shown = 0;
    if (!find_longest(run, &at_least))
        return error_no_memory(err);
    if (run->launch_count > MOST)
        page_paragraph(report->out, "The %d longest of %zu launches.", MOST, run->launch_count);
    fputs("<div class=long><noscript>kernels.csv has the launches.</noscript>"
          "<script type=\"application/json\">",
          report->out);
    write_columns(report);
    for (size_t i = 0; i < run->launch_count && shown < MOST; i++) {
        if (run->launches[i].cycles < at_least)
            continue;
        fputs(shown++ > 0 ? ",\n" : "", report->out);
        write_launch(report, i);
    }
    fputs("]}</script></div>\n", report->out);
    return 0;
}
