/* The tables of errors: by launch, kernel and program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/correlate/correlate.h"
#include "tools/study/spread.h"

static const struct report_table_column summary_columns[] = {
    {"figure", "", ""}, {"value", "", ""}, {"unit", "", ""}};
static const struct report_table_column program_columns[] = {
    {"program", "", ""},
    {"launches", "", "measured ones whose instructions are those of the trace"},
    {"missing", "", "of them not simulated: each counts 100 %"},
    {"error", "%", "mean of absolute errors"},
    {"bias", "%", "mean of signed errors"},
    {"sum", "%", "sum of simulated over sum of measured cycles"},
    {"median", "%", "of absolute errors"},
    {"p90", "%", "of absolute errors"},
    {"worst", "%", "absolute error"},
    {"pearson", "", "correlation of cycles"},
    {"rank", "", "correlation of ranks"},
    {"varies", "",
     "launches whose instructions differ from the trace's: not in the columns before"},
    {"varies_error", "%", "mean of their absolute errors"},
};
static const struct report_table_column kernel_columns[] = {
    {"program", "", ""},
    {"kernel", "", ""},
    {"launches", "", "measured ones whose instructions are those of the trace"},
    {"missing", "", ""},
    {"error", "%", "mean of absolute errors"},
    {"bias", "%", "mean of signed errors"},
    {"sum", "%", "sum of simulated over sum of measured cycles"},
    {"median", "%", "of absolute errors"},
    {"p90", "%", "of absolute errors"},
    {"worst", "%", "absolute error"},
    {"pearson", "", "correlation of cycles"},
    {"rank", "", "correlation of ranks"},
    {"measured_cycles", "cycles", "sum"},
};
static const struct report_table_column launch_columns[] = {
    {"program", "", ""},
    {"launch", "", "number in the measured table"},
    {"simulated_launch", "", "number in the workload; empty: missing"},
    {"kernel", "", ""},
    {"grid", "blocks", ""},
    {"measured", "cycles", ""},
    {"simulated", "cycles", ""},
    {"error", "%", ""},
    {"varies", "", "1: its instructions are not those of the trace"},
};
static const struct report_table_column unmatched_columns[] = {
    {"program", "", ""},
    {"side", "", "measured or simulated"},
    {"launch", "", ""},
    {"kernel", "", ""}};

void correlate_add_figure(struct report_table *summary, const char *figure, double value,
                          int digits, const char *unit)
{
    if (summary->columns == NULL)
        *summary = (struct report_table){
            .name = "summary", .title = "In short", REPORT_TABLE_OF(summary_columns)};
    report_table_text(summary, figure);
    report_table_number(summary, value, digits);
    report_table_text(summary, unit);
}

double correlate_cycles(const struct correlate_program *program, const struct row *row)
{
    if (row == NULL)
        return NAN;
    return (double)(row->result.end_cycle - row->result.start_cycle) + program->extra;
}

static double percent(double part)
{
    return 100 * part;
}

/* ---- pairs ------------------------------------------------------------- */

static struct error_pair pair_of(const struct correlate_program *program,
                                 const struct pairing_item *item)
{
    return (struct error_pair){item->measured->cycles, correlate_cycles(program, item->row)};
}

/* The pairs of PROGRAM that VARY, or do not, of KERNEL (NULL: of all). Returns how many. */
static size_t take_pairs(const struct correlate_program *program, const char *kernel, bool vary,
                         struct error_pair *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < program->pairs.count; i++) {
        const struct pairing_item *item = &program->pairs.items[i];
        if (item->measured == NULL || item->measured->varies != vary ||
            !(item->measured->cycles > 0) ||
            (kernel != NULL && strcmp(item->measured->kernel, kernel) != 0))
            continue;
        pairs[count++] = pair_of(program, item);
    }
    return count;
}

/* ---- rows -------------------------------------------------------------- */

static void add_unmatched(struct report_table *sheet, const struct correlate_program *program,
                          const struct pairing_item *item)
{
    report_table_text(sheet, program->name);
    report_table_text(sheet, item->measured != NULL ? "measured" : "simulated");
    report_table_count(sheet,
                       item->measured != NULL ? item->measured->launch : item->row->launch);
    report_table_text(sheet,
                      item->measured != NULL ? item->measured->kernel : item->row->kernel);
}

static void add_launch(struct report_table *sheet, const struct correlate_program *program,
                       const struct pairing_item *item)
{
    const struct measured_launch *measured = item->measured;
    const struct error_pair pair = pair_of(program, item);
    char grid[40];
    snprintf(grid, sizeof grid, "%ux%ux%u", measured->grid[0], measured->grid[1],
             measured->grid[2]);
    report_table_text(sheet, program->name);
    report_table_count(sheet, measured->launch);
    if (item->row != NULL)
        report_table_count(sheet, item->row->launch);
    else
        report_table_text(sheet, "");
    report_table_text(sheet, measured->kernel);
    report_table_text(sheet, measured->grid[0] != 0 ? grid : "");
    report_table_number(sheet, measured->cycles, 0);
    report_table_number(sheet, pair.simulated, 0);
    report_table_number(sheet, percent(error_of(&pair)), 2);
    report_table_count(sheet, measured->varies);
}

static void add_launches(struct report_table sheets[CORRELATE_SHEETS],
                         const struct correlate_program *program)
{
    for (size_t i = 0; i < program->pairs.count; i++) {
        const struct pairing_item *item = &program->pairs.items[i];
        if (item->measured != NULL)
            add_launch(&sheets[CORRELATE_LAUNCHES], program, item);
        if (item->measured == NULL || item->row == NULL)
            add_unmatched(&sheets[CORRELATE_UNMATCHED], program, item);
    }
}

/* The columns from `launches` to `rank`. */
static void add_stats(struct report_table *sheet, const struct error_stats *stats)
{
    const double errors[] = {stats->mean,   stats->bias, stats->sum,
                             stats->median, stats->p90,  stats->worst};
    report_table_count(sheet, stats->count);
    report_table_count(sheet, stats->missing);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        report_table_number(sheet, percent(errors[i]), 2);
    report_table_number(sheet, stats->pearson, 4);
    report_table_number(sheet, stats->rank, 4);
}

static int add_program(struct report_table *sheet, const struct correlate_program *program,
                       struct error_pair *pairs, double *error)
{
    struct error_stats stats, varying;
    if (error_stats_of(&stats, pairs, take_pairs(program, NULL, false, pairs)) != 0 ||
        error_stats_of(&varying, pairs, take_pairs(program, NULL, true, pairs)) != 0)
        return -1;
    report_table_text(sheet, program->name);
    add_stats(sheet, &stats);
    report_table_count(sheet, varying.count);
    report_table_number(sheet, percent(varying.mean), 2);
    *error = stats.mean;
    return 0;
}

/* Whether item INDEX is the first of its kernel. */
static bool is_first(const struct pairing *pairs, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (pairs->items[i].measured != NULL &&
            strcmp(pairs->items[i].measured->kernel, pairs->items[index].measured->kernel) == 0)
            return false;
    return true;
}

static int add_kernels(struct report_table *sheet, const struct correlate_program *program,
                       struct error_pair *pairs)
{
    struct error_stats stats;
    for (size_t i = 0; i < program->pairs.count; i++) {
        const struct measured_launch *measured = program->pairs.items[i].measured;
        if (measured == NULL || !is_first(&program->pairs, i))
            continue;
        size_t count = take_pairs(program, measured->kernel, false, pairs);
        double cycles = 0;
        for (size_t k = 0; k < count; k++)
            cycles += pairs[k].measured;
        if (error_stats_of(&stats, pairs, count) != 0)
            return -1;
        report_table_text(sheet, program->name);
        report_table_text(sheet, measured->kernel);
        add_stats(sheet, &stats);
        report_table_number(sheet, cycles, 0);
    }
    return 0;
}

/* ---- all --------------------------------------------------------------- */

static void begin_sheets(struct report_table sheets[CORRELATE_SHEETS])
{
    sheets[CORRELATE_PROGRAMS] = (struct report_table){
        .name = "programs",
        .title = "Programs",
        .note =
            "The error of a launch is simulated / measured - 1. The error of the set is the "
            "mean over programs.",
        REPORT_TABLE_OF(program_columns)};
    sheets[CORRELATE_KERNELS] = (struct report_table){
        .name = "kernels", .title = "Kernels", REPORT_TABLE_OF(kernel_columns)};
    sheets[CORRELATE_LAUNCHES] = (struct report_table){
        .name = "launches", .title = "Launches", REPORT_TABLE_OF(launch_columns)};
    sheets[CORRELATE_UNMATCHED] =
        (struct report_table){.name = "unmatched",
                              .title = "Launches without a partner",
                              .note = "Launches are matched by order, kernel and grid.",
                              REPORT_TABLE_OF(unmatched_columns)};
}

/* ERRORS: of each program, NaN for one of which only launches that vary were measured. */
static int summarize(struct report_table *summary, const double *errors, size_t count)
{
    struct spread spread;
    if (spread_of(&spread, errors, count) != 0)
        return -1;
    correlate_add_figure(summary, "programs", (double)spread.count, 0, "");
    correlate_add_figure(summary, "error, mean of programs", percent(spread.mean), 2, "%");
    correlate_add_figure(summary, "error, median program", percent(spread.median), 2, "%");
    correlate_add_figure(summary, "error, worst program", percent(spread.max), 2, "%");
    return 0;
}

int correlate_fill_errors(const struct correlate *correlate,
                          struct report_table sheets[CORRELATE_SHEETS], struct error *err)
{
    struct error_pair *pairs = calloc(correlate->measured.count + 1, sizeof *pairs);
    double *errors = calloc(correlate->program_count, sizeof *errors);
    bool good = pairs != NULL && errors != NULL;
    begin_sheets(sheets);
    for (size_t i = 0; i < correlate->program_count && good; i++) {
        const struct correlate_program *program = &correlate->programs[i];
        add_launches(sheets, program);
        good = add_program(&sheets[CORRELATE_PROGRAMS], program, pairs, &errors[i]) == 0 &&
               add_kernels(&sheets[CORRELATE_KERNELS], program, pairs) == 0;
    }
    good = good && summarize(&sheets[CORRELATE_SUMMARY], errors, correlate->program_count) == 0;
    free(pairs);
    free(errors);
    return good ? 0 : error_no_memory(err);
}
