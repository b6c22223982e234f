/* Reads results that an earlier process wrote. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/results/results.h"
#include "traces/base/csv/csv_table.h"
#include "traces/base/files/path_guess.h"
#include "traces/base/files/paths.h"
#include "traces/base/number.h"

/* Columns of kernels.csv that a row needs in addition to the counters. The first ones are
 * whole numbers. */
enum { LAUNCH, STREAM, START, END, GAP, PRIMED, RESTORED, NUMBERS };
enum { SEGMENT = NUMBERS, KERNEL, GRID, BLOCK, ROLE, MODE, CORRECTED, OWN };

static const struct own_column {
    const char *name;
    size_t offset; /* of a number in struct row */
} own[OWN] = {
    [LAUNCH] = {"launch", offsetof(struct row, launch)},
    [STREAM] = {"stream", offsetof(struct row, stream)},
    [START] = {"start_cycle", offsetof(struct row, result.start_cycle)},
    [END] = {"end_cycle", offsetof(struct row, result.end_cycle)},
    [GAP] = {"gap_cycles", offsetof(struct row, result.gap_cycles)},
    [PRIMED] = {"primed_warp_insts", offsetof(struct row, primed)},
    [RESTORED] = {"restored_sectors", offsetof(struct row, result.restored_sectors)},
    [SEGMENT] = {"segment", 0},
    [KERNEL] = {"kernel", 0},
    [GRID] = {"grid", 0},
    [BLOCK] = {"block", 0},
    [ROLE] = {"role", 0},
    [MODE] = {"mode", 0},
    [CORRECTED] = {"cycles_corrected", 0},
};

/* Those of a method that sampled inside the launch; all or none are there. */
enum { INTRA, CHECK, SIMULATED, BLOCKS, CYCLES, BAR, STABILITY, INSIDE };

static const char *const inside[INSIDE] = {
    [INTRA] = "intra",
    [CHECK] = "intra_check",
    [SIMULATED] = "simulated_warp_insts",
    [BLOCKS] = "simulated_blocks",
    [CYCLES] = "simulated_cycles",
    [BAR] = "intra_bar",
    [STABILITY] = "intra_stability",
};

/* A kernels.csv and its current row. Columns are numbered: those above, then the counters. */
struct reading {
    struct csv_table table;
    char *path;
    size_t *places; /* for each column: its place in the file */
    size_t inside[INSIDE];
    bool has_inside;
    size_t row;
    struct error *err;
};

static const char *name_of(size_t column)
{
    return column < OWN ? own[column].name : sim_counter_table[column - OWN].name;
}

static const char *text_of(const struct reading *reading, size_t column)
{
    return csv_table_text(&reading->table, reading->row, reading->places[column]);
}

static int wrong_text(const struct reading *reading, const char *name, const char *text)
{
    return error_set(reading->err, ERROR_TRACE, reading->path, (long)reading->row + 2, 0,
                     "%s=\"%.60s\": not what a run writes", name, text);
}

static int wrong(const struct reading *reading, size_t column)
{
    return wrong_text(reading, name_of(column), text_of(reading, column));
}

static int missing(const struct reading *reading, const char *name)
{
    return error_set(reading->err, ERROR_TRACE, reading->path, 1, 0,
                     "no column %s: not what a run writes", name);
}

static int find_inside(struct reading *reading)
{
    for (size_t i = 0; i < INSIDE; i++) {
        reading->inside[i] = csv_table_find(&reading->table, inside[i]);
        bool there = reading->inside[i] != reading->table.columns;
        if (i == INTRA)
            reading->has_inside = there;
        else if (reading->has_inside && !there)
            return missing(reading, inside[i]);
    }
    return 0;
}

static int find_columns(struct reading *reading)
{
    size_t count = OWN + sim_counter_count;
    reading->places = calloc(count, sizeof *reading->places);
    if (reading->places == NULL)
        return error_no_memory(reading->err);
    for (size_t i = 0; i < count; i++) {
        reading->places[i] = csv_table_find(&reading->table, name_of(i));
        if (reading->places[i] == reading->table.columns)
            return missing(reading, name_of(i));
    }
    return find_inside(reading);
}

static int read_size(const struct reading *reading, size_t column, uint32_t size[3])
{
    return sscanf(text_of(reading, column), "%ux%ux%u", &size[0], &size[1], &size[2]) == 3
               ? 0
               : wrong(reading, column);
}

/* The index of the cell in the NULL-terminated NAMES, or -1 with an error. */
static int read_name(const struct reading *reading, size_t column, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], text_of(reading, column)) == 0)
            return i;
    return wrong(reading, column);
}

static int read_numbers(const struct reading *reading, struct row *row)
{
    for (size_t i = 0; i < OWN + sim_counter_count; i++) {
        uint64_t number;
        if (i >= NUMBERS && i < OWN)
            continue;
        if (number_count(text_of(reading, i), UINT64_MAX, &number) != NUMBER_OK)
            return wrong(reading, i);
        if (i < NUMBERS)
            *(uint64_t *)((char *)row + own[i].offset) = number;
        else
            sim_counter_set(&row->result.counters, i - OWN, number);
    }
    return 0;
}

/* What a method made of the launch, if one sampled inside it. */
static int read_outcome(const struct reading *reading, struct row *row)
{
    const char *text[INSIDE];
    uint64_t *const counts[INSIDE] = {[SIMULATED] = &row->outcome.warp_insts,
                                      [BLOCKS] = &row->outcome.blocks,
                                      [CYCLES] = &row->outcome.cycles};
    double *const ratios[INSIDE] = {
        [BAR] = &row->outcome.bar, [STABILITY] = &row->outcome.stability};
    for (size_t i = 0; i < INSIDE && reading->has_inside; i++)
        text[i] = csv_table_text(&reading->table, reading->row, reading->inside[i]);
    if (!reading->has_inside || text[INTRA][0] == '\0')
        return 0;
    row->intra = intra_find(text[INTRA]);
    row->outcome.check = intra_check_find(text[CHECK]);
    if (row->intra == NULL)
        return wrong_text(reading, inside[INTRA], text[INTRA]);
    if (row->outcome.check == INTRA_CHECKS)
        return wrong_text(reading, inside[CHECK], text[CHECK]);
    for (size_t i = 0; i < INSIDE; i++) {
        if (ratios[i] != NULL)
            *ratios[i] = NAN;
        if (counts[i] != NULL ? number_count(text[i], UINT64_MAX, counts[i]) != NUMBER_OK
                              : ratios[i] != NULL && text[i][0] != '\0' &&
                                    !number_decimal(text[i], 0, HUGE_VAL, ratios[i]))
            return wrong_text(reading, inside[i], text[i]);
    }
    return 0;
}

static int read_row(const struct reading *reading, struct results *results)
{
    struct trace_header header = {.name = (char *)text_of(reading, KERNEL)};
    int role = read_name(reading, ROLE, plan_role_names);
    int mode = read_name(reading, MODE, plan_mode_names);
    const char *corrected = text_of(reading, CORRECTED);
    if (role < 0 || mode < 0 || read_size(reading, GRID, header.grid) != 0 ||
        read_size(reading, BLOCK, header.block) != 0)
        return -1;
    struct row row;
    const struct row_segment segment = {text_of(reading, SEGMENT), 0};
    if (rows_begin(&results->rows, &row, &header, segment, reading->err) != 0)
        return -1;
    row.role = (enum plan_role)role;
    row.mode = (enum plan_mode)mode;
    row.corrected = corrected[0] != '\0';
    row.correction.cycles = strtod(corrected, NULL);
    row.result.peaks = sim_peaks_of(results->config);
    row.resumed = true;
    if (read_numbers(reading, &row) != 0 || read_outcome(reading, &row) != 0)
        return -1;
    results->intra |= row.intra != NULL;
    return rows_add(&results->rows, &row, reading->err);
}

static int read_rows(struct results *results, const char *folder, struct error *err)
{
    struct reading reading = {.path = paths_join(folder, "kernels.csv"), .err = err};
    if (reading.path == NULL)
        return error_no_memory(err);
    int result = csv_table_read(&reading.table, reading.path, err);
    if (result == 0)
        result = find_columns(&reading);
    for (; reading.row < reading.table.rows && result == 0; reading.row++)
        result = read_row(&reading, results);
    csv_table_finish(&reading.table);
    free(reading.places);
    free(reading.path);
    return result;
}

static int read_config(struct results *results, const char *folder, struct error *err)
{
    char *path = paths_join(folder, "config.out");
    if (path == NULL)
        return error_no_memory(err);
    const char *source = path;
    if (access(path, F_OK) != 0) {
        path_guess_fail(path, folder, "not a results folder of hearth run", err);
        free(path);
        return -1;
    }
    results->config = sim_config_create(&source, 1, NULL, 0, NULL, NULL, err);
    free(path);
    return results->config != NULL ? 0 : -1;
}

/* Reads the numbers of run.json, each of which has a line; NaN if they are missing. */
static int read_seconds(struct results *results, const char *folder, struct error *err)
{
    char line[4096];
    FILE *in = paths_open(folder, "run.json", "r");
    if (in == NULL && errno == ENOMEM)
        return error_no_memory_for(err, ERROR_TRACE, folder);
    results->warm_seconds = results->measure_seconds = NAN;
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, " \"warm_seconds\": %lf", &results->warm_seconds) != 1)
            sscanf(line, " \"measure_seconds\": %lf", &results->measure_seconds);
    if (in != NULL)
        fclose(in);
    return 0;
}

int results_read(struct results *results, const char *folder, struct error *err)
{
    *results = (struct results){.complete = true, .store = row_store_create(err)};
    results->rows.store = results->store;
    if (results->store == NULL || read_config(results, folder, err) != 0 ||
        read_rows(results, folder, err) != 0)
        return -1;
    return read_seconds(results, folder, err);
}
