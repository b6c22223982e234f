/* Performance and memory in the course of the run, from intervals.csv. */
#include <math.h>
#include <stdlib.h>

#include "tools/commands/report/report.h"
#include "tools/report/chart.h"
#include "tools/view/interval_view.h"

#define HEIGHT 150

/* A chart's lines: values of each stretch. */
struct interval_lines {
    const char *title, *label;
    const char *names[2];
    size_t count;
    double (*value)(const struct report *report, const double *sums, size_t line);
};

static double ipc_of(const struct report *report, const double *sums, size_t line)
{
    return sums[INTERVAL_THREAD_INSTS] / sums[INTERVAL_CYCLES];
}

static double hits_of(const struct report *report, const double *sums, size_t line)
{
    return line == 0 ? 100 * sums[INTERVAL_L1_HITS] / sums[INTERVAL_L1_ACCESSES]
                     : 100 * sums[INTERVAL_L2_READ_HITS] / sums[INTERVAL_L2_READS];
}

static double dram_of(const struct report *report, const double *sums, size_t line)
{
    double bytes = sums[line == 0 ? INTERVAL_DRAM_READ_BYTES : INTERVAL_DRAM_WRITE_BYTES];
    return 100 * bytes / (report->run->peaks.dram_bytes * sums[INTERVAL_CYCLES]);
}

static const struct interval_lines charts[] = {
    {"Thread instructions a cycle", "", {"all SMs"}, 1, ipc_of},
    {"Hits of L1 accesses and of L2 reads", "%", {"L1", "L2"}, 2, hits_of},
    {"DRAM bandwidth used", "%", {"reads", "writes"}, 2, dram_of},
};

static void write_lines(const struct report *report, const struct interval_view *view,
                        const struct interval_lines *lines)
{
    const char *unit_name;
    double end = view_seconds(report->run, (double)report->run->elapsed);
    double unit = report_time_unit(end, &unit_name);
    double x[INTERVAL_VIEW_BINS], y[2][INTERVAL_VIEW_BINS], most = 0;
    for (size_t bin = 0; bin < INTERVAL_VIEW_BINS; bin++) {
        x[bin] = ((double)bin + 0.5) / INTERVAL_VIEW_BINS * end / unit;
        for (size_t line = 0; line < lines->count; line++) {
            y[line][bin] = lines->value(report, view->sums[bin], line);
            if (isfinite(y[line][bin]))
                most = fmax(most, y[line][bin]);
        }
    }
    struct chart chart = {.title = lines->title,
                          .x_label = unit_name,
                          .y_label = lines->label,
                          .height = HEIGHT,
                          .y = axis_linear(0, most > 0 ? most : 1)};
    chart.x = (struct axis){0, end / unit, false};
    if (lines->count > 1)
        chart.legend = (struct svg_legend){lines->names, lines->count, NULL};
    fputs("<figure>", report->out);
    chart_begin(report->out, SVG_PAGE, &chart);
    for (size_t line = 0; line < lines->count; line++)
        chart_line(report->out, &chart, x, y[line], INTERVAL_VIEW_BINS,
                   line == 0 ? "s0" : "s1");
    chart_end(report->out, SVG_PAGE);
    fputs("</figure>\n", report->out);
}

int report_intervals(const struct report *report, struct error *err)
{
    struct interval_view *view = calloc(1, sizeof *view);
    if (view == NULL)
        return error_no_memory(err);
    int result = interval_view_read(view, report->run, err);
    if (result == 0 && (view->rows == 0 || report->run->elapsed == 0))
        result = 1;
    for (size_t i = 0; result == 0 && i < sizeof charts / sizeof *charts; i++)
        write_lines(report, view, &charts[i]);
    free(view);
    return result;
}
