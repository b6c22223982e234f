/* The first lines of a run: what it is, its most important numbers, and how near it comes to
 * what the configuration allows. */
#include <math.h>
#include <string.h>

#include "tools/commands/report/report.h"
#include "tools/report/bands.h"
#include "tools/report/page.h"
#include "tools/view/gpu_title.h"

#define LINE    200
#define UNKNOWN "unknown"

size_t report_shown_kernels(const struct report *report)
{
    size_t count = report->run->kernel_count;
    return count < REPORT_KERNELS ? count : REPORT_KERNELS;
}

double report_percent(const struct report *report, const struct view_sum *sum,
                      enum sim_derived_index index)
{
    return 100 * view_ratio(report->run, sum, index);
}

double report_issue_percent(const struct report *report, const struct view_sum *sum)
{
    double slots = (double)report->run->peaks.schedulers * (double)sum->cycles;
    return slots > 0 ? 100 * (double)sum->counters.warp_insts / slots : NAN;
}

/* ---- facts ---- */

static void write_card(const struct report *report)
{
    const struct run_facts *facts = &report->run->facts;
    char text[GPU_TITLE];
    const char *named = facts->configurations;
    page_fact(report->out, "configuration", named[0] != '\0' ? named : "rtx3070");
    page_fact(report->out, "options", facts->settings);
    page_fact(report->out, "simulated GPU", gpu_title(report->run->config, text));
}

void report_facts(const struct report *report)
{
    const struct run_facts *facts = &report->run->facts;
    char text[LINE] = "";
    page_facts_begin(report->out);
    page_fact(report->out, "workload", facts->workload);
    write_card(report);
    page_fact(report->out, "command", facts->command);
    snprintf(text, sizeof text, "Hearth %s", facts->version);
    page_fact(report->out, "version", facts->version[0] != '\0' ? text : UNKNOWN);
    snprintf(text, sizeof text, "%s%s", facts->date[0] != '\0' ? facts->date : UNKNOWN,
             facts->bare ? ", of kernels.csv" : "");
    page_fact(report->out, "date", text);
    if (facts->bare)
        page_fact(report->out, "unknown", "workload, command and host: there is no run.json");
    if (isfinite(facts->wall_seconds)) {
        snprintf(text, sizeof text, "%.1f s on %s", facts->wall_seconds, facts->host);
        page_fact(report->out, "simulated in", text);
    }
    page_fact(report->out, "results", report->run->folder);
    page_facts_end(report->out);
    if (facts->partial)
        page_paragraph(report->out, "PARTIAL: the run stopped before its end (%s).",
                       facts->stop_reason[0] != '\0' ? facts->stop_reason : UNKNOWN);
}

/* ---- tiles ---- */

double report_time_unit(double seconds, const char **name)
{
    *name = seconds >= 1 ? "s" : seconds >= 1e-3 ? "ms" : "µs";
    return seconds >= 1 ? 1 : seconds >= 1e-3 ? 1e-3 : 1e-6;
}

static const char *time_text(double seconds, char text[LINE])
{
    const char *name;
    double unit = report_time_unit(seconds, &name);
    snprintf(text, LINE, "%.*f %s", seconds / unit < 10 ? 3 : 1, seconds / unit, name);
    return text;
}

static void write_time(const struct report *report)
{
    const struct comparison *against = report->against;
    char value[LINE], note[LINE] = "";
    const char *class = "";
    if (against != NULL && isfinite(against->speedup)) {
        snprintf(note, sizeof note, "%.3f× the baseline", against->speedup);
        class = against->speedup > 1.0005 ? "good" : against->speedup < 0.9995 ? "bad" : "";
    }
    double seconds = view_seconds(report->run, (double)report->run->sum.cycles);
    page_tile(report->out, "time of launches", time_text(seconds, value), note, class);
    if (isfinite(report->run->facts.whole_cycles)) {
        double whole = report->run->facts.whole_cycles;
        snprintf(note, sizeof note, "± %.2g %%",
                 100 * report->run->facts.whole_cycles_error / whole);
        page_tile(report->out, "application, estimated",
                  time_text(view_seconds(report->run, whole), value),
                  isfinite(report->run->facts.whole_cycles_error) ? note : "", "");
    }
}

static void write_ratio(const struct report *report, const char *name,
                        enum sim_derived_index index)
{
    char value[LINE] = "none", note[LINE] = "";
    double percent = report_percent(report, &report->run->sum, index);
    if (isfinite(percent))
        snprintf(value, sizeof value, "%.1f %%", percent);
    if (report->against != NULL) {
        const struct compared_counter *change =
            comparison_counter(report->against, sim_derived_table[index].name);
        snprintf(note, sizeof note, "%+.1f points", change != NULL ? change->change : 0);
    }
    page_tile(report->out, name, value, note, "");
}

/* How much was simulated, if a method sampled inside launches. */
static void write_inside(const struct report *report)
{
    const struct run_view *run = report->run;
    char value[LINE], note[LINE];
    if (run->inside_count + run->refused_count == 0)
        return;
    double part = (double)run->simulated / (double)run->sum.counters.warp_insts;
    snprintf(value, sizeof value, "%.3g %%", 100 * part);
    snprintf(note, sizeof note, "sampled inside %zu launches; %zu refused, in full",
             run->inside_count, run->refused_count);
    page_tile(report->out, "instructions simulated", value, note, "");
}

void report_tiles(const struct report *report)
{
    const struct run_view *run = report->run;
    char value[LINE], note[LINE] = "";
    page_tiles_begin(report->out);
    write_time(report);
    snprintf(value, sizeof value, "%zu", run->launch_count);
    if (run->warm_count > 0)
        snprintf(note, sizeof note, "and %zu to warm caches", run->warm_count);
    page_tile(report->out, "measured launches", value, note, "");
    write_inside(report);
    snprintf(value, sizeof value, "%zu", run->kernel_count);
    page_tile(report->out, "kernels", value, "", "");
    double ipc = (double)run->sum.counters.thread_insts / (double)run->sum.cycles;
    snprintf(value, sizeof value, "%.1f", ipc);
    page_tile(report->out, "thread instructions a cycle", value, "", "");
    write_ratio(report, "L1 hits", SIM_DERIVED_l1d_hit_rate);
    write_ratio(report, "L2 read hits", SIM_DERIVED_l2_read_hit_rate);
    write_ratio(report, "DRAM bandwidth used", SIM_DERIVED_dram_bandwidth_use);
    write_ratio(report, "occupancy", SIM_DERIVED_occupancy);
    page_tiles_end(report->out);
}

/* ---- speed of light ---- */

int report_speed_of_light(const struct report *report, struct error *err)
{
    static const char *const part = "used";
    static const struct {
        const char *name;
        enum sim_derived_index index; /* SIM_DERIVED_COUNT: issue */
    } lights[] = {{"instructions issued, of what all schedulers can issue", SIM_DERIVED_COUNT},
                  {"L1 bandwidth", SIM_DERIVED_l1d_bandwidth_use},
                  {"L2 bandwidth", SIM_DERIVED_l2_bandwidth_use},
                  {"DRAM bandwidth", SIM_DERIVED_dram_bandwidth_use},
                  {"SMs with work", SIM_DERIVED_sm_active},
                  {"occupancy of these SMs", SIM_DERIVED_occupancy}};
    enum { COUNT = sizeof lights / sizeof *lights };
    struct band_row rows[COUNT] = {0};
    double values[COUNT];
    char notes[COUNT][LINE];
    for (int i = 0; i < COUNT; i++) {
        values[i] = lights[i].index == SIM_DERIVED_COUNT
                        ? report_issue_percent(report, &report->run->sum)
                        : report_percent(report, &report->run->sum, lights[i].index);
        values[i] = isfinite(values[i]) ? values[i] : 0;
        snprintf(notes[i], LINE, "%.1f %%", values[i]);
        rows[i] = (struct band_row){lights[i].name, notes[i], NULL};
    }
    const struct stacked_bars bars = {.title = "Used, of what the configuration allows",
                                      .rows = rows,
                                      .count = COUNT,
                                      .parts = {&part, 1, NULL},
                                      .values = values,
                                      .whole = 100,
                                      .unit = ""};
    fputs("<figure>", report->out);
    stacked_bars_write(&bars, SVG_PAGE, report->out);
    fputs("</figure>\n", report->out);
    return 0;
}
