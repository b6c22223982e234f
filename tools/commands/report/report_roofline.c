/* Kernels against what arithmetic and the levels of memory allow. */
#include <stdlib.h>

#include "tools/commands/report/report.h"
#include "tools/report/page.h"
#include "tools/report/roofline.h"

#define TIP   160
#define LANES 32

enum { DRAM, L2, L1, LEVELS };

/* Bytes that the level moved. */
static double bytes_of(const struct sim_counters *c, int level)
{
    if (level == DRAM)
        return (double)(c->dram_read_bytes + c->dram_write_bytes);
    return 32.0 * (double)(level == L2 ? c->l2_reads + c->l2_writes : c->l1d_accesses);
}

static void add_points(const struct report *report, struct roofline_point *points,
                       char (*tips)[TIP])
{
    static const char *const names[LEVELS] = {"DRAM", "L2", "L1"};
    const struct run_view *run = report->run;
    for (size_t i = 0; i < run->kernel_count * LEVELS; i++) {
        const struct view_kernel *kernel = &run->kernels[i / LEVELS];
        int level = (int)(i % LEVELS);
        double insts = (double)kernel->sum.counters.thread_insts,
               bytes = bytes_of(&kernel->sum.counters, level),
               seconds = view_seconds(run, (double)kernel->sum.cycles);
        if (bytes <= 0 || seconds <= 0)
            continue;
        snprintf(tips[i], TIP, "%s, %s: %.3g instructions a byte, %.3g G a second",
                 kernel->brief, names[level], insts / bytes, 1e-9 * insts / seconds);
        points[i] = (struct roofline_point){
            insts / bytes, insts / seconds, tips[i],
            (double)kernel->sum.cycles / (double)run->sum.cycles, level};
    }
}

int report_roofline(const struct report *report, struct error *err)
{
    const struct sim_peaks *peaks = &report->run->peaks;
    size_t count = report->run->kernel_count * LEVELS;
    struct roofline_point *points = calloc(count + 1, sizeof *points);
    char(*tips)[TIP] = calloc(count + 1, sizeof *tips);
    bool good = points != NULL && tips != NULL;
    struct roofline roofline = {.title = "Kernels at each level of memory",
                                .x_label = "thread instructions for a byte",
                                .y_label = "thread instructions a second",
                                .peak = LANES * peaks->schedulers * peaks->core_hz,
                                .points = points,
                                .count = count,
                                .roofs = {{"DRAM", peaks->dram_bytes * peaks->core_hz},
                                          {"L2", peaks->l2_bytes * peaks->core_hz},
                                          {"L1", peaks->l1_bytes * peaks->core_hz}}};
    if (good) {
        add_points(report, points, tips);
        page_paragraph(report->out, "A circle for each kernel and level; its area is the "
                                    "kernel's share of the time.");
        fputs("<figure>", report->out);
        roofline_write(&roofline, SVG_PAGE, report->out);
        fputs("</figure>\n", report->out);
    }
    free(points);
    free(tips);
    return good ? 0 : error_no_memory(err);
}
