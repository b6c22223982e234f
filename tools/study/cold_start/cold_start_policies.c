/* The tables of hearth study cold-start that compare warm-up policies and flushes. */
#include <math.h>
#include <stdlib.h>

#include "tools/study/cold_start/cold_start.h"
#include "tools/study/spread.h"

/* ---- accuracy ---------------------------------------------------------- */

static int spread_accuracy(const struct run_measures *full, const struct run_measures *measures,
                           double latency, struct spread *spread)
{
    double *values = calloc(measures->count + 1, sizeof *values);
    if (values == NULL)
        return -1;
    for (size_t i = 0; i < measures->count; i++)
        values[i] = cold_start_accuracy(full, measures, i, latency);
    int result = spread_of(spread, values, measures->count);
    free(values);
    return result;
}

static const struct report_table_column reach_columns[] = {
    {"back", "launches", "that are replayed before each measured one"},
    {"memory_min", "%", "accuracy with memory:K"},
    {"memory_median", "%", ""},
    {"memory_mean", "%", ""},
    {"functional_min", "%", "accuracy with functional:K"},
    {"functional_median", "%", ""},
    {"functional_mean", "%", ""},
};

int cold_start_fill_reach(const struct cold_start *cold, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "reach",
        .title = "Accuracy by how many launches are replayed",
        .note = "memory replays their memory instructions with timing, functional without "
                "(figures 6.2 and 6.3 of the thesis, over all launches).",
        REPORT_TABLE_OF(reach_columns)};
    for (size_t k = 0; k < cold->reach_count; k++) {
        const struct run_measures *measures[] = {cold->memory[k], cold->functional[k]};
        report_table_count(sheet, cold->reaches[k]);
        for (int which = 0; which < 2; which++) {
            struct spread spread;
            if (spread_accuracy(cold->full, measures[which], 0, &spread) != 0)
                return -1;
            report_table_number(sheet, spread.min, 2);
            report_table_number(sheet, spread.median, 2);
            report_table_number(sheet, spread.mean, 2);
        }
    }
    return 0;
}

static const struct report_table_column policy_columns[] = {
    {"policy", "", ""},
    {"min", "%", "accuracy of the worst launch"},
    {"first_quartile", "%", ""},
    {"median", "%", ""},
    {"third_quartile", "%", ""},
    {"max", "%", ""},
    {"mean", "%", ""},
    {"deviation", "%", "standard deviation"},
    {"launches", "", ""},
    {"total_error", "%", "of the sum of cycles, against full"},
    {"mean_error", "%", "of a launch's cycles, with its sign"},
    {"standard_error", "%", "of that mean"},
    {"warm_sectors", "sectors", "L1 and L2 accesses of warm-up, and sectors restored"},
    {"warm_seconds", "s", "that warm-up took"},
    {"share_of_full", "%", "warm-up's seconds against those of the full run"},
    {"in_phase_min", "%", "accuracy of the worst launch when all start in one phase"},
    {"in_phase_median", "%", "of the launches' accuracy then"},
    {"in_phase_mean", "%", ""},
    {"in_phase_error", "%", "mean error of a launch's cycles then, with its sign"},
    {"in_phase_standard_error", "%", "of that mean"},
    {"in_phase_exact", "", "launches with the same cycles as in full then"},
};

static void add_spread(struct report_table *sheet, const struct spread *spread)
{
    report_table_number(sheet, spread->min, 2);
    report_table_number(sheet, spread->first, 2);
    report_table_number(sheet, spread->median, 2);
    report_table_number(sheet, spread->third, 2);
    report_table_number(sheet, spread->max, 2);
    report_table_number(sheet, spread->mean, 2);
    report_table_number(sheet, spread->deviation, 2);
}

/* The cycles of all instructions at the measured IPC; with prime:P that is the IPC of a part
 * of each launch. */
static double total_cycles(const struct cold_start *cold, const struct run_measures *measures)
{
    double sum = 0;
    for (size_t i = 0; i < measures->count; i++)
        sum += cold->full->launches[i].thread_insts / run_measures_ipc(measures, i);
    return sum;
}

/* Adds empty cells for a run that has no twin in phase. */
static int add_in_phase(const struct cold_start *cold, struct report_table *sheet,
                        const struct run_measures *measures)
{
    struct spread spread = {.min = NAN, .median = NAN, .mean = NAN};
    const struct run_measures *full = cold->full_in_phase;
    if (measures->count != 0 && spread_accuracy(full, measures, 0, &spread) != 0)
        return -1;
    const struct cold_start_bias bias = cold_start_bias(full, measures, NULL, SIZE_MAX);
    report_table_number(sheet, spread.min, 2);
    report_table_number(sheet, spread.median, 2);
    report_table_number(sheet, spread.mean, 2);
    report_table_number(sheet, bias.mean, 2);
    report_table_number(sheet, bias.standard_error, 2);
    report_table_number(sheet, measures->count == 0 ? NAN : (double)bias.exact, 0);
    return 0;
}

static int add_policy(const struct cold_start *cold, struct report_table *sheet,
                      const struct cold_start_run *run)
{
    struct spread spread;
    const struct run_measures *measures = run->measures, *full = cold->full;
    double golden = total_cycles(cold, full);
    if (spread_accuracy(full, measures, 0, &spread) != 0)
        return -1;
    const struct cold_start_bias bias = cold_start_bias(full, measures, NULL, SIZE_MAX);
    report_table_text(sheet, run->policy);
    add_spread(sheet, &spread);
    report_table_count(sheet, measures->count);
    report_table_number(sheet,
                        report_table_percent(total_cycles(cold, measures) - golden, golden), 2);
    report_table_number(sheet, bias.mean, 2);
    report_table_number(sheet, bias.standard_error, 2);
    report_table_number(sheet, measures->warm_sectors, 0);
    report_table_number(sheet, measures->warm_seconds, 2);
    report_table_number(
        sheet, report_table_percent(measures->warm_seconds, cold->full->measure_seconds), 1);
    return add_in_phase(cold, sheet, run->in_phase);
}

int cold_start_fill_policies(const struct cold_start *cold, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "policies",
        .title = "Warm-up policies",
        .note =
            "Accuracy of a launch is 1 - |IPC - IPC of full| / IPC of full, without launch "
            "latency (table 6.8 of the thesis). In phase: in both runs launches start with "
            "memory at rest and clocks, turns and DRAM rows alike, so that errors after "
            "warm-up are those of the caches' contents; prime:P and corrections have errors "
            "of their own. Errors of cycles have their sign: many launches that err in the "
            "same direction are a bias, and the table of biases has it for each kernel. "
            "Seconds are those of the process that simulated; a resumed run has only its "
            "own.",
        REPORT_TABLE_OF(policy_columns)};
    for (size_t p = 0; p < cold->run_count; p++)
        if (add_policy(cold, sheet, &cold->runs[p]) != 0)
            return -1;
    return 0;
}

/* The launch latency of the thesis's runs, and of the bundled configurations. */
#define LATENCY 5000

int cold_start_fill_latency(const struct cold_start *cold, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "policies_5000",
        .title = "The same with a launch latency of 5,000 cycles",
        .note =
            "Only for comparison with the thesis, whose runs had it: 5,000 cycles are added "
            "to each launch's. They hide what cold caches cost short launches.",
        .columns = policy_columns,
        .width = 8};
    for (size_t p = 0; p < cold->run_count; p++) {
        struct spread spread;
        if (spread_accuracy(cold->full, cold->runs[p].measures, LATENCY, &spread) != 0)
            return -1;
        report_table_text(sheet, cold->runs[p].policy);
        add_spread(sheet, &spread);
    }
    return 0;
}

static const struct report_table_column accuracy_columns[] = {
    {"launch", "", ""},
    {"policy", "", ""},
    {"cycles", "cycles", ""},
    {"ipc", "insts/cycle", "thread instructions"},
    {"accuracy", "%", ""},
    {"error", "%", "of cycles, with its sign"},
    {"in_phase", "%", "accuracy when all launches start in one phase"},
    {"in_phase_error", "%", "error of cycles then, with its sign"},
};

static void add_launches(const struct cold_start *cold, struct report_table *sheet,
                         const struct cold_start_run *run)
{
    const struct run_measures *measures = run->measures, *in_phase = run->in_phase;
    const struct run_measures *full = cold->full, *twin = cold->full_in_phase;
    for (size_t i = 0; i < measures->count; i++) {
        report_table_count(sheet, measures->launches[i].launch);
        report_table_text(sheet, run->policy);
        report_table_number(sheet, measures->launches[i].cycles, 0);
        report_table_number(sheet, run_measures_ipc(measures, i), 3);
        report_table_number(sheet, cold_start_accuracy(full, measures, i, 0), 2);
        report_table_number(sheet, cold_start_error(full, measures, i), 2);
        bool twins = in_phase->count > 0;
        report_table_number(sheet, twins ? cold_start_accuracy(twin, in_phase, i, 0) : NAN, 2);
        report_table_number(sheet, twins ? cold_start_error(twin, in_phase, i) : NAN, 2);
    }
}

void cold_start_fill_accuracy(const struct cold_start *cold, struct report_table *sheet)
{
    *sheet = (struct report_table){.name = "accuracy",
                                   .title = "Accuracy of every launch with every policy",
                                   REPORT_TABLE_OF(accuracy_columns)};
    for (size_t p = 0; p < cold->run_count; p++)
        add_launches(cold, sheet, &cold->runs[p]);
}

/* ---- flushes ----------------------------------------------------------- */

static const struct report_table_column flush_columns[] = {
    {"mode", "", "caches flushed before each launch; + copies: copies fill L2"},
    {"cycles", "cycles", "of all measured launches"},
    {"change", "%", "against --flush none with the same copies"},
    {"l2_hits", "% of reads", ""},
    {"dram_reads", "sectors", ""},
    {"dram_writes", "sectors", ""},
    {"dirty", "lines", "dirty L2 lines evicted while launches ran"},
    {"slower", "", "launches that take longer than with --flush none, by 1 % or more"},
    {"faster", "", "launches that take less, by 1 % or more"},
};

static size_t count_changed(const struct run_measures *measures,
                            const struct run_measures *base, int sign)
{
    size_t count = 0;
    for (size_t i = 0; i < measures->count && i < base->count; i++)
        count += sign * (measures->launches[i].cycles - base->launches[i].cycles) >=
                 0.01 * base->launches[i].cycles;
    return count;
}

static void add_flush(struct report_table *sheet, const struct run_measures *measures,
                      const struct run_measures *base, const char *name)
{
    double cycles = RUN_MEASURES_SUM(measures, simulated),
           before = RUN_MEASURES_SUM(base, simulated);
    report_table_text(sheet, name);
    report_table_number(sheet, cycles, 0);
    report_table_number(sheet, report_table_percent(cycles - before, before), 2);
    report_table_number(sheet,
                        report_table_percent(RUN_MEASURES_SUM(measures, l2_read_hits),
                                             RUN_MEASURES_SUM(measures, l2_reads)),
                        2);
    report_table_number(sheet, RUN_MEASURES_SUM(measures, dram_reads), 0);
    report_table_number(sheet, RUN_MEASURES_SUM(measures, dram_writes), 0);
    report_table_number(sheet, RUN_MEASURES_SUM(measures, dirty), 0);
    report_table_count(sheet, count_changed(measures, base, 1));
    report_table_count(sheet, count_changed(measures, base, -1));
}

void cold_start_fill_flushes(const struct cold_start *cold, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "flushes",
        .title = "Caches flushed before each launch, or not",
        .note = "L1 and L2 apart, with copies from the host that fill L2 and without. A flush "
                "writes dirty lines back; the time of that is charged to no launch.",
        REPORT_TABLE_OF(flush_columns)};
    for (size_t i = 0; i < COLD_START_FLUSHES && !cold->no_flush_modes; i++) {
        char name[32];
        size_t half = COLD_START_FLUSHES / 2;
        snprintf(name, sizeof name, "%s%s", cold_flush_names[i % half],
                 i < half ? "" : " + copies");
        add_flush(sheet, cold->flushes[i], cold->flushes[i < half ? 0 : half], name);
    }
}
