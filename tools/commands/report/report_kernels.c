/* Tables of kernels: time and what limits it, and memory. */
#include <math.h>

#include "tools/commands/report/report.h"
#include "tools/report/page.h"
#include "tools/report/report_table.h"

#define ROWS 500 /* of a table, at most */

static const struct report_table_column time_columns[] = {
    {"kernel", "", "the full name is shown over the short one"},
    {"launches", "", "measured"},
    {"time", "µs", "of all launches"},
    {"share", "%", "of the time of all kernels", true},
    {"mean", "µs", "time of a launch"},
    {"IPC", "thread inst./cycle", "of all SMs"},
    {"issue", "%", "warp instructions, of what all schedulers can issue", true},
    {"L1", "%", "bytes of L1 accesses, of what its banks can deliver", true},
    {"L2", "%", "bytes of L2 accesses, of what its slices can deliver", true},
    {"DRAM", "%", "bytes that DRAM moved, of what its pins can move", true},
    {"occupancy", "%", "resident warps, of those that fit on an active SM", true},
    {"lanes", "threads/inst.", "active lanes of an instruction"},
    {"speed-up", "×", "over the baseline"},
};

static const char *name_in_full(const void *data, size_t row)
{
    const struct report *report = data;
    return report->run->kernels[row].full;
}

static void add_times(struct report_table *sheet, const struct report *report,
                      const struct view_kernel *kernel)
{
    const struct view_sum *sum = &kernel->sum;
    double us = 1e6 * view_seconds(report->run, (double)sum->cycles);
    report_table_text(sheet, kernel->brief);
    report_table_count(sheet, sum->launches);
    report_table_number(sheet, us, 2);
    report_table_number(
        sheet, report_table_percent((double)sum->cycles, (double)report->run->sum.cycles), 1);
    report_table_number(sheet, us / (double)sum->launches, 2);
    report_table_number(sheet, (double)sum->counters.thread_insts / (double)sum->cycles, 1);
    report_table_number(sheet, report_issue_percent(report, sum), 1);
    report_table_number(sheet, report_percent(report, sum, SIM_DERIVED_l1d_bandwidth_use), 1);
    report_table_number(sheet, report_percent(report, sum, SIM_DERIVED_l2_bandwidth_use), 1);
    report_table_number(sheet, report_percent(report, sum, SIM_DERIVED_dram_bandwidth_use), 1);
    report_table_number(sheet, report_percent(report, sum, SIM_DERIVED_occupancy), 1);
    report_table_number(sheet, view_ratio(report->run, sum, SIM_DERIVED_threads_per_inst), 1);
    if (report->against != NULL) {
        const struct compared_kernel *found = comparison_kernel(report->against, kernel->name);
        report_table_number(sheet, found != NULL ? found->speedup : NAN, 3);
    }
}

static int finish(struct report_table *sheet, const struct report *report, struct error *err)
{
    int result = sheet->failed ? error_no_memory(err) : 0;
    if (result == 0)
        report_table_write_html(sheet, report->out, ROWS);
    report_table_finish(sheet);
    return result;
}

int report_kernels(const struct report *report, struct error *err)
{
    struct report_table sheet = {.name = "kernels",
                                 REPORT_TABLE_OF(time_columns),
                                 .hover = name_in_full,
                                 .data = report};
    sheet.width -= report->against == NULL;
    for (size_t i = 0; i < report->run->kernel_count; i++)
        add_times(&sheet, report, &report->run->kernels[i]);
    return finish(&sheet, report, err);
}

/* ---- memory ---- */

static const struct report_table_column memory_columns[] = {
    {"kernel", "", "the full name is shown over the short one"},
    {"L1 accesses", "sectors", "loads and stores, global and local"},
    {"L1 hits", "%", "of these", true},
    {"L2 reads", "sectors", "with atomics"},
    {"L2 hits", "%", "of these", true},
    {"L2 writes", "sectors", ""},
    {"L2 rate", "GB/s", "reads, writes and atomics"},
    {"DRAM reads", "MB", ""},
    {"DRAM writes", "MB", ""},
    {"DRAM rate", "GB/s", "both, with the gaps before launches"},
    {"row hits", "%", "DRAM requests whose row was open", true},
};

static void add_memory(struct report_table *sheet, const struct report *report,
                       const struct view_kernel *kernel)
{
    const struct view_sum *sum = &kernel->sum;
    const struct sim_counters *c = &sum->counters;
    report_table_text(sheet, kernel->brief);
    report_table_count(sheet, c->l1d_accesses);
    report_table_number(sheet, report_percent(report, sum, SIM_DERIVED_l1d_hit_rate), 1);
    report_table_count(sheet, c->l2_reads);
    report_table_number(sheet, report_percent(report, sum, SIM_DERIVED_l2_read_hit_rate), 1);
    report_table_count(sheet, c->l2_writes);
    report_table_number(sheet, view_ratio(report->run, sum, SIM_DERIVED_l2_bandwidth), 1);
    report_table_number(sheet, 1e-6 * (double)c->dram_read_bytes, 3);
    report_table_number(sheet, 1e-6 * (double)c->dram_write_bytes, 3);
    report_table_number(sheet, view_ratio(report->run, sum, SIM_DERIVED_dram_bandwidth), 1);
    report_table_number(sheet, report_percent(report, sum, SIM_DERIVED_dram_row_hit_rate), 1);
}

int report_memory(const struct report *report, struct error *err)
{
    struct report_table sheet = {.name = "kernels",
                                 REPORT_TABLE_OF(memory_columns),
                                 .hover = name_in_full,
                                 .data = report};
    for (size_t i = 0; i < report->run->kernel_count; i++)
        add_memory(&sheet, report, &report->run->kernels[i]);
    return finish(&sheet, report, err);
}
