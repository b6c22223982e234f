#define _GNU_SOURCE /* asprintf */
#include "tools/study/run_measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [RUN_MEASURES_LAUNCH] = "launch",
    [RUN_MEASURES_KERNEL] = "kernel",
    [RUN_MEASURES_GRID] = "grid",
    [RUN_MEASURES_ROLE] = "role",
    [RUN_MEASURES_CYCLES] = "cycles",
    [RUN_MEASURES_WARP_INSTS] = "warp_insts",
    [RUN_MEASURES_THREAD_INSTS] = "thread_insts",
    [RUN_MEASURES_L1_ACCESSES] = "l1d_accesses",
    [RUN_MEASURES_L2_READS] = "l2_reads",
    [RUN_MEASURES_L2_READ_HITS] = "l2_read_hits",
    [RUN_MEASURES_L2_WRITES] = "l2_writes",
    [RUN_MEASURES_DRAM_READS] = "dram_reads",
    [RUN_MEASURES_DRAM_WRITES] = "dram_writes",
    [RUN_MEASURES_DIRTY] = "l2_evictions_dirty",
    [RUN_MEASURES_CORRECTED] = "cycles_corrected",
    [RUN_MEASURES_RESTORED] = "restored_sectors",
    [RUN_MEASURES_COLUMNS] = NULL,
};

static void take_row(struct run_measures *series, size_t row)
{
    const struct csv_table *frame = &series->frame;
    double restored = csv_table_number(frame, row, RUN_MEASURES_RESTORED);
    if (!isnan(restored))
        series->warm_sectors += restored;
    if (strcmp(csv_table_text(frame, row, RUN_MEASURES_ROLE), "warm") == 0) {
        series->warm_sectors += csv_table_number(frame, row, RUN_MEASURES_L1_ACCESSES) +
                                csv_table_number(frame, row, RUN_MEASURES_L2_READS) +
                                csv_table_number(frame, row, RUN_MEASURES_L2_WRITES);
        return;
    }
    double corrected = csv_table_number(frame, row, RUN_MEASURES_CORRECTED);
    series->rows[series->count] = row;
    series->cycles[series->count] =
        isnan(corrected) ? csv_table_number(frame, row, RUN_MEASURES_CYCLES) : corrected;
    series->insts[series->count] = csv_table_number(frame, row, RUN_MEASURES_THREAD_INSTS);
    series->count++;
}

/* The number behind "NAME": in the text of run.json; NaN if there is none. */
static double find_number(FILE *in, const char *name)
{
    char line[4096], key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    rewind(in);
    while (fgets(line, sizeof line, in) != NULL) {
        const char *found = strstr(line, key);
        if (found != NULL)
            return strtod(found + strlen(key), NULL);
    }
    return NAN;
}

static int read_costs(struct run_measures *series, const char *folder, struct error *err)
{
    char *path;
    series->warm_seconds = series->measure_seconds = NAN;
    if (asprintf(&path, "%s/run.json", folder) < 0)
        return error_no_memory(err);
    FILE *in = fopen(path, "r");
    free(path);
    if (in == NULL)
        return 0;
    series->warm_seconds = find_number(in, "warm_seconds");
    series->measure_seconds = find_number(in, "measure_seconds");
    fclose(in);
    return 0;
}

int run_measures_read(struct run_measures *series, const char *folder, struct error *err)
{
    char *path;
    *series = (struct run_measures){0};
    if (asprintf(&path, "%s/kernels.csv", folder) < 0)
        return error_no_memory(err);
    int result = csv_table_read(&series->frame, path, names, err);
    free(path);
    if (result != 0)
        return result;
    size_t rows = series->frame.rows;
    series->rows = calloc(rows + 1, sizeof *series->rows);
    series->cycles = calloc(rows + 1, sizeof *series->cycles);
    series->insts = calloc(rows + 1, sizeof *series->insts);
    if (series->rows == NULL || series->cycles == NULL || series->insts == NULL)
        return error_no_memory(err);
    for (size_t r = 0; r < rows; r++)
        take_row(series, r);
    return read_costs(series, folder, err);
}

void run_measures_finish(struct run_measures *series)
{
    csv_table_finish(&series->frame);
    free(series->rows);
    free(series->cycles);
    free(series->insts);
    *series = (struct run_measures){0};
}

double run_measures_number(const struct run_measures *series, size_t index,
                           enum series_column column)
{
    return csv_table_number(&series->frame, series->rows[index], column);
}

const char *run_measures_text(const struct run_measures *series, size_t index,
                              enum series_column column)
{
    return csv_table_text(&series->frame, series->rows[index], column);
}

double run_measures_ipc(const struct run_measures *series, size_t index)
{
    return series->insts[index] / series->cycles[index];
}

double run_measures_sum(const struct run_measures *series, enum series_column column)
{
    double sum = 0;
    for (size_t i = 0; i < series->count; i++)
        sum += run_measures_number(series, i, column);
    return sum;
}
