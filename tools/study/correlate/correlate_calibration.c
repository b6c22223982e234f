/* --calibration: rows that isolate one mechanism each, and slopes between two lengths of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/correlate/correlate.h"
#include "tools/study/correlate/parameters.h"
#include "tools/study/spread.h"

static const struct report_table_column mechanism_columns[] = {
    {"mechanism", "", ""},
    {"rows", "", ""},
    {"median", "%", "of absolute errors"},
    {"within_10", "%", "of the rows"},
    {"within_15", "%", "of the rows"},
    {"worst", "%", "absolute error"},
    {"worst_row", "", ""},
};
static const struct report_table_column row_columns[] = {
    {"launch", "", ""},
    {"label", "", ""},
    {"mechanism", "", ""},
    {"parameters", "", ""},
    {"measured", "cycles", ""},
    {"measured_2", "cycles", "a second run"},
    {"simulated", "cycles", ""},
    {"error", "%", "0 between the two runs, otherwise against the nearer"},
};
static const struct report_table_column slope_columns[] = {
    {"mechanism", "", ""},
    {"from", "", "label"},
    {"to", "", "label"},
    {"measured", "cycles", "for each unit of work"},
    {"simulated", "cycles", "for each unit of work"},
    {"error", "%", ""},
};

/* A row of the calibration table that was simulated. */
struct row_pair {
    uint64_t launch;
    const char *label, *mechanism, *parameters;
    double work, first, second, simulated;
    double error; /* a part of 1; NaN: not simulated */
};

struct calibration {
    const struct csv_table *table;
    size_t label, mechanism, parameters, work, second; /* columns */
    struct row_pair *rows;
    size_t count;
};

static double row_error(const struct row_pair *row)
{
    double least = fmin(row->first, row->second), most = fmax(row->first, row->second);
    if (row->simulated >= least && row->simulated <= most)
        return 0;
    return row->simulated / (row->simulated < least ? least : most) - 1;
}

static void take_rows(struct calibration *calibration, const struct correlate_program *program)
{
    const struct csv_table *table = calibration->table;
    for (size_t i = 0; i < program->pairs.count; i++) {
        const struct pairing_item *item = &program->pairs.items[i];
        if (item->measured == NULL || !(item->measured->cycles > 0))
            continue;
        size_t at = item->measured->row;
        double second = measured_number(table, at, calibration->second);
        struct row_pair row = {
            .launch = item->measured->launch,
            .label = csv_table_text(table, at, calibration->label),
            .mechanism = csv_table_text(table, at, calibration->mechanism),
            .parameters = csv_table_text(table, at, calibration->parameters),
            .work = measured_number(table, at, calibration->work),
            .first = item->measured->cycles,
            .second = second > 0 ? second : item->measured->cycles,
            .simulated = correlate_cycles(program, item->row),
        };
        row.error = row_error(&row);
        calibration->rows[calibration->count++] = row;
    }
}

static int find_columns(struct calibration *calibration, const struct measured *measured,
                        struct error *err)
{
    static const char *const names[] = {"label", "mechanism", "parameters", "work"};
    size_t *const columns[] = {&calibration->label, &calibration->mechanism,
                               &calibration->parameters, &calibration->work};
    char second[128];
    snprintf(second, sizeof second, "%s_2", measured->metric);
    calibration->table = &measured->table;
    calibration->second = csv_table_find(&measured->table, second);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *columns[i] = csv_table_find(&measured->table, names[i]);
        if (*columns[i] == measured->table.columns)
            return error_set(err, ERROR_TRACE, measured->path, 1, 0,
                             "--calibration: there is no column %s", names[i]);
    }
    return 0;
}

/* ---- tables ------------------------------------------------------------ */

static void fill_rows(const struct calibration *calibration, struct report_table *sheet)
{
    for (size_t i = 0; i < calibration->count; i++) {
        const struct row_pair *row = &calibration->rows[i];
        report_table_count(sheet, row->launch);
        report_table_text(sheet, row->label);
        report_table_text(sheet, row->mechanism);
        report_table_text(sheet, row->parameters);
        report_table_number(sheet, row->first, 0);
        report_table_number(sheet, row->second, 0);
        report_table_number(sheet, row->simulated, 0);
        report_table_number(sheet, 100 * row->error, 2);
    }
}

/* The rows of one mechanism; or all rows that count, which `app` and `warm` rows do not. */
struct row_group {
    double *sizes; /* of errors; a missing row counts 1 */
    size_t count, within_10, within_15;
    double worst;
    const char *worst_label;
};

static void add_to_group(struct row_group *group, const struct row_pair *row)
{
    double size = isnan(row->error) ? 1 : fabs(row->error);
    group->sizes[group->count++] = size;
    group->within_10 += size <= 0.10;
    group->within_15 += size <= 0.15;
    if (group->worst_label == NULL || size > group->worst) {
        group->worst = size;
        group->worst_label = row->label;
    }
}

/* Returns 0, or -1 without memory. */
static int add_group(struct report_table *sheet, const char *name,
                     const struct row_group *group)
{
    struct spread spread;
    if (group->count == 0)
        return 0;
    if (spread_of(&spread, group->sizes, group->count) != 0)
        return -1;
    report_table_text(sheet, name);
    report_table_count(sheet, group->count);
    report_table_number(sheet, 100 * spread.median, 2);
    report_table_number(
        sheet, report_table_percent((double)group->within_10, (double)group->count), 1);
    report_table_number(
        sheet, report_table_percent((double)group->within_15, (double)group->count), 1);
    report_table_number(sheet, 100 * group->worst, 2);
    report_table_text(sheet, group->worst_label);
    return 0;
}

static bool is_judged(const struct row_pair *row)
{
    return strcmp(row->mechanism, "app") != 0 && strcmp(row->mechanism, "warm") != 0;
}

static int fill_mechanisms(const struct calibration *calibration, struct report_table *sheet)
{
    double *sizes = calloc(2 * calibration->count + 1, sizeof *sizes);
    if (sizes == NULL)
        return -1;
    struct row_group all = {.sizes = sizes + calibration->count};
    int result = 0;
    for (size_t i = 0; i < calibration->count && result == 0; i++) {
        const struct row_pair *row = &calibration->rows[i];
        struct row_group group = {.sizes = sizes};
        bool first = true;
        if (is_judged(row))
            add_to_group(&all, row);
        for (size_t k = 0; k < i; k++)
            first &= strcmp(calibration->rows[k].mechanism, row->mechanism) != 0;
        for (size_t k = i; k < calibration->count && first; k++)
            if (strcmp(calibration->rows[k].mechanism, row->mechanism) == 0)
                add_to_group(&group, &calibration->rows[k]);
        result = add_group(sheet, row->mechanism, &group);
    }
    if (result == 0)
        result = add_group(sheet, "all but app and warm", &all);
    free(sizes);
    return result;
}

/* ---- slopes ------------------------------------------------------------ */

/* Whether B does the same as A, only more of it. */
static bool is_longer(const struct row_pair *a, const struct row_pair *b)
{
    return b->work > a->work && a->work > 0 && strcmp(a->mechanism, b->mechanism) == 0 &&
           parameters_differ_by(a->parameters, b->parameters, b->work / a->work);
}

static void fill_slopes(const struct calibration *calibration, struct report_table *sheet)
{
    for (size_t i = 0; i < calibration->count; i++)
        for (size_t k = 0; k < calibration->count; k++) {
            const struct row_pair *a = &calibration->rows[i], *b = &calibration->rows[k];
            if (!is_judged(a) || !is_longer(a, b))
                continue;
            double work = b->work - a->work;
            struct error_pair slope = {(b->first - a->first) / work,
                                       (b->simulated - a->simulated) / work};
            report_table_text(sheet, a->mechanism);
            report_table_text(sheet, a->label);
            report_table_text(sheet, b->label);
            report_table_number(sheet, slope.measured, 4);
            report_table_number(sheet, slope.simulated, 4);
            report_table_number(sheet, 100 * error_of(&slope), 2);
        }
}

int correlate_check_calibration(const struct measured *measured, struct error *err)
{
    struct calibration ignored;
    return find_columns(&ignored, measured, err);
}

int correlate_fill_calibration(const struct correlate *correlate,
                               struct report_table sheets[CORRELATE_SHEETS], struct error *err)
{
    struct calibration calibration = {
        .rows = calloc(correlate->measured.count * correlate->program_count + 1,
                       sizeof *calibration.rows)};
    int result = calibration.rows == NULL
                     ? error_no_memory(err)
                     : find_columns(&calibration, &correlate->measured, err);
    sheets[CORRELATE_MECHANISMS] = (struct report_table){
        .name = "mechanisms", .title = "Mechanisms", REPORT_TABLE_OF(mechanism_columns)};
    sheets[CORRELATE_ROWS] = (struct report_table){
        .name = "rows", .title = "Calibration rows", REPORT_TABLE_OF(row_columns)};
    sheets[CORRELATE_SLOPES] = (struct report_table){
        .name = "slopes",
        .title = "Slopes",
        .note = "Two rows whose parameters differ only by what is proportional to their work.",
        REPORT_TABLE_OF(slope_columns)};
    for (size_t i = 0; i < correlate->program_count && result == 0; i++)
        take_rows(&calibration, &correlate->programs[i]);
    if (result == 0) {
        fill_rows(&calibration, &sheets[CORRELATE_ROWS]);
        fill_slopes(&calibration, &sheets[CORRELATE_SLOPES]);
        if (fill_mechanisms(&calibration, &sheets[CORRELATE_MECHANISMS]) != 0)
            result = error_no_memory(err);
    }
    free(calibration.rows);
    return result;
}
