/* Bars of parts, one for each kernel: CPI stacks, and what accesses to caches found. */
#include <stdlib.h>

#include "sim/stats/cpi.h"
#include "tools/commands/report/report.h"
#include "tools/report/bands.h"

#define NOTE 32

/* What a part is, from the counters of a kernel. */
typedef void find_parts(const struct sim_counters *counters, double *parts);

struct stack_kind {
    const char *title;
    const char *const *names;
    const unsigned char *colours;
    size_t count;
    find_parts *find;
};

/* Writes the bars of all kernels together and of those with the most time. */
static int write_stacks(const struct report *report, const struct stack_kind *kind,
                        struct error *err)
{
    struct band_row rows[REPORT_KERNELS + 1] = {{"all kernels", "share of the time", NULL}};
    char notes[REPORT_KERNELS][NOTE];
    size_t count = report_shown_kernels(report) + 1;
    double *values = calloc(count * kind->count, sizeof *values);
    if (values == NULL)
        return error_no_memory(err);
    kind->find(&report->run->sum.counters, values);
    for (size_t i = 1; i < count; i++) {
        const struct view_kernel *kernel = &report->run->kernels[i - 1];
        snprintf(notes[i - 1], NOTE, "%.1f %%",
                 100 * (double)kernel->sum.cycles / (double)report->run->sum.cycles);
        rows[i] = (struct band_row){kernel->brief, notes[i - 1], kernel->full};
        kind->find(&kernel->sum.counters, values + i * kind->count);
    }
    const struct stacked_bars bars = {.title = kind->title,
                                      .rows = rows,
                                      .count = count,
                                      .parts = {kind->names, kind->count, kind->colours},
                                      .values = values,
                                      .unit = ""};
    fputs("<figure>", report->out);
    stacked_bars_write(&bars, SVG_PAGE, report->out);
    fputs("</figure>\n", report->out);
    free(values);
    return 0;
}

/* ---- CPI stacks ---- */

static void find_cpi(const struct sim_counters *c, double *parts)
{
#define CPI(name, description) parts[SIM_CPI_##name] = (double)c->cpi_##name;
#include "sim/stats/cpi.def"
#undef CPI
}

int report_cpi(const struct report *report, struct error *err)
{
    static const unsigned char colours[SIM_CPI_COUNT] = {
        [SIM_CPI_issued] = 2,    [SIM_CPI_scoreboard_memory] = 0,
        [SIM_CPI_barrier] = 3,   [SIM_CPI_scoreboard_compute] = 4,
        [SIM_CPI_unit_busy] = 1, [SIM_CPI_operand_collection] = 5,
        [SIM_CPI_fetch] = 6,     [SIM_CPI_no_warp] = 7,
        [SIM_CPI_drain] = 8,     [SIM_CPI_launch] = 9};
    const struct stack_kind kind = {"What the warp schedulers did, in parts of all cycles",
                                    sim_cpi_names, colours, SIM_CPI_COUNT, find_cpi};
    return write_stacks(report, &kind, err);
}

/* ---- caches ---- */

static const char *const found_names[] = {"hit", "already on its way", "missed"};
static const unsigned char found_colours[] = {2, 3, 1};

static void find_l1(const struct sim_counters *c, double *parts)
{
    parts[0] = (double)c->l1d_hits;
    parts[1] = (double)c->l1d_pending_hits;
    parts[2] = (double)c->l1d_misses;
}

static void find_l2(const struct sim_counters *c, double *parts)
{
    parts[0] = (double)c->l2_read_hits;
    parts[1] = (double)c->l2_read_pending_hits;
    parts[2] = (double)c->l2_read_misses;
}

int report_found(const struct report *report, struct error *err)
{
    const struct stack_kind kinds[] = {
        {"L1: what accesses found", found_names, found_colours, 3, find_l1},
        {"L2: what reads found", found_names, found_colours, 3, find_l2}};
    fputs("<div class=two>", report->out);
    int result = write_stacks(report, &kinds[0], err);
    if (result == 0)
        result = write_stacks(report, &kinds[1], err);
    fputs("</div>\n", report->out);
    return result;
}
