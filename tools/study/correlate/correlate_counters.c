/* Compares the counters that both hardware and the model have. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/correlate/correlate.h"

struct hardware_counter {
    const char *metric, *value, *differs;
};

static const struct hardware_counter counters[] = {
#define HARDWARE_COUNTER(metric, value, differs) {metric, #value, differs},
#include "tools/study/correlate/hardware_counters.def"
#undef HARDWARE_COUNTER
};
#define COUNTERS (sizeof counters / sizeof counters[0])

/* What the model has for each metric. */
static void get_values(const struct sim_counters *c, double values[COUNTERS])
{
    const uint64_t all[COUNTERS] = {
#define HARDWARE_COUNTER(metric, value, differs) value,
#include "tools/study/correlate/hardware_counters.def"
#undef HARDWARE_COUNTER
    };
    for (size_t i = 0; i < COUNTERS; i++)
        values[i] = (double)all[i];
}

static const struct report_table_column columns[] = {
    {"program", "", ""},
    {"counter", "", "as Nsight Compute calls it"},
    {"launches", "", "for which both are known"},
    {"measured", "", "sum"},
    {"simulated", "", "sum"},
    {"sum_error", "%", "simulated over measured sum"},
    {"error", "%", "mean of absolute errors of launches where it is not 0"},
    {"rank", "", "correlation of ranks"},
    {"simulated_as", "", "the model's counters"},
    {"differs", "", "in meaning"},
};

/* Where the measured counters are: a table, and the row of each measured launch. */
struct counter_source {
    const struct csv_table *table;
    size_t program, launch; /* columns, if it is another table than that of the cycles */
    bool separate;
};

static bool is_row_of(const struct counter_source *source, size_t row,
                      const struct correlate_program *program,
                      const struct measured_launch *launch)
{
    return measured_number(source->table, row, source->launch) == (double)launch->launch &&
           (source->program == source->table->columns ||
            strcmp(csv_table_text(source->table, row, source->program), program->name) == 0);
}

/* The row of LAUNCH, a launch of PROGRAM; SIZE_MAX if there is none. It is looked for from
 * *NEXT on, which becomes the row after it: both tables usually have the same order. */
static size_t row_of(const struct counter_source *source,
                     const struct correlate_program *program,
                     const struct measured_launch *launch, size_t *next)
{
    if (!source->separate)
        return launch->row;
    for (size_t i = 0, rows = source->table->rows; i < rows; i++) {
        size_t row = (*next + i) % rows;
        if (is_row_of(source, row, program, launch)) {
            *next = row + 1;
            return row;
        }
    }
    return SIZE_MAX;
}

static struct counter_source find_source(const struct correlate *correlate)
{
    const struct csv_table *other = &correlate->counters;
    if (correlate->counters_path == NULL)
        return (struct counter_source){.table = &correlate->measured.table};
    return (struct counter_source){.table = other,
                                   .program = csv_table_find(other, "app"),
                                   .launch = csv_table_find(other, "launch"),
                                   .separate = true};
}

struct series {
    struct error_pair *pairs; /* of launches where the measured value is above 0 */
    size_t count, launches;
    double measured, simulated;
};

static void take_series(struct series *series, const struct counter_source *source,
                        size_t column, size_t counter, const struct correlate_program *program,
                        const size_t *rows)
{
    for (size_t i = 0; i < program->pairs.count; i++) {
        const struct row *row = program->pairs.items[i].row;
        double values[COUNTERS];
        if (row == NULL || rows[i] == SIZE_MAX)
            continue;
        double measured = measured_number(source->table, rows[i], column);
        if (isnan(measured))
            continue;
        get_values(&row->result.counters, values);
        series->launches++;
        series->measured += measured;
        series->simulated += values[counter];
        if (measured > 0)
            series->pairs[series->count++] = (struct error_pair){measured, values[counter]};
    }
}

/* How the model's counters are called in results: VALUE without what C needs around them. */
static void add_value(struct report_table *sheet, const char *value)
{
    char text[256];
    size_t length = 0;
    for (; *value != '\0' && length + 1 < sizeof text; value++)
        if (strncmp(value, "c->", 3) == 0)
            value += 2;
        else
            text[length++] = *value;
    text[length] = '\0';
    report_table_text(sheet, text);
}

static int add_counter(struct report_table *sheet, const struct correlate_program *program,
                       size_t counter, const struct series *series)
{
    struct error_stats stats;
    if (series->launches == 0)
        return 0;
    if (error_stats_of(&stats, series->pairs, series->count) != 0)
        return -1;
    report_table_text(sheet, program->name);
    report_table_text(sheet, counters[counter].metric);
    report_table_count(sheet, series->launches);
    report_table_number(sheet, series->measured, 0);
    report_table_number(sheet, series->simulated, 0);
    report_table_number(
        sheet, report_table_percent(series->simulated - series->measured, series->measured), 2);
    report_table_number(sheet, 100 * stats.mean, 2);
    report_table_number(sheet, stats.rank, 4);
    add_value(sheet, counters[counter].value);
    report_table_text(sheet, counters[counter].differs);
    return 0;
}

static int fill_program(struct report_table *sheet, const struct counter_source *source,
                        const struct correlate_program *program)
{
    struct series series = {.pairs = calloc(program->pairs.count + 1, sizeof *series.pairs)};
    size_t *rows = calloc(program->pairs.count + 1, sizeof *rows), next = 0;
    bool good = series.pairs != NULL && rows != NULL;
    for (size_t i = 0; i < program->pairs.count && good; i++) {
        const struct measured_launch *measured = program->pairs.items[i].measured;
        rows[i] = measured != NULL ? row_of(source, program, measured, &next) : SIZE_MAX;
    }
    for (size_t i = 0; i < COUNTERS && good; i++) {
        size_t column = csv_table_find(source->table, counters[i].metric);
        series = (struct series){.pairs = series.pairs};
        if (column < source->table->columns)
            take_series(&series, source, column, i, program, rows);
        good = add_counter(sheet, program, i, &series) == 0;
    }
    free(series.pairs);
    free(rows);
    return good ? 0 : -1;
}

int correlate_fill_counters(const struct correlate *correlate, struct report_table *sheet,
                            struct error *err)
{
    const struct counter_source source = find_source(correlate);
    *sheet = (struct report_table){.name = "counters",
                                   .title = "Counters",
                                   .note = "Sums over the launches of a program.",
                                   REPORT_TABLE_OF(columns)};
    for (size_t i = 0; i < correlate->program_count; i++)
        if (fill_program(sheet, &source, &correlate->programs[i]) != 0)
            return error_no_memory(err);
    return 0;
}
