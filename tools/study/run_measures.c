#define _GNU_SOURCE /* asprintf */
#include "tools/study/run_measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [SERIES_LAUNCH] = "launch",
    [SERIES_KERNEL] = "kernel",
    [SERIES_GRID] = "grid",
    [SERIES_ROLE] = "role",
    [SERIES_CYCLES] = "cycles",
    [SERIES_WARP_INSTS] = "warp_insts",
    [SERIES_THREAD_INSTS] = "thread_insts",
    [SERIES_L1_ACCESSES] = "l1d_accesses",
    [SERIES_L2_READS] = "l2_reads",
    [SERIES_L2_READ_HITS] = "l2_read_hits",
    [SERIES_L2_WRITES] = "l2_writes",
    [SERIES_DRAM_READS] = "dram_reads",
    [SERIES_DRAM_WRITES] = "dram_writes",
    [SERIES_DIRTY] = "l2_evictions_dirty",
    [SERIES_CORRECTED] = "cycles_corrected",
    [SERIES_RESTORED] = "restored_sectors",
    [SERIES_COLUMNS] = NULL,
};

static int out_of_memory(struct error *err)
{
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
}

static void take_row(struct series *series, size_t row)
{
    const struct frame *frame = &series->frame;
    double restored = frame_number(frame, row, SERIES_RESTORED);
    if (!isnan(restored))
        series->warm_sectors += restored;
    if (strcmp(frame_text(frame, row, SERIES_ROLE), "warm") == 0) {
        series->warm_sectors += frame_number(frame, row, SERIES_L1_ACCESSES) +
                                frame_number(frame, row, SERIES_L2_READS) +
                                frame_number(frame, row, SERIES_L2_WRITES);
        return;
    }
    double corrected = frame_number(frame, row, SERIES_CORRECTED);
    series->rows[series->count] = row;
    series->cycles[series->count] =
        isnan(corrected) ? frame_number(frame, row, SERIES_CYCLES) : corrected;
    series->insts[series->count] = frame_number(frame, row, SERIES_THREAD_INSTS);
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

static int read_costs(struct series *series, const char *folder, struct error *err)
{
    char *path;
    series->warm_seconds = series->measure_seconds = NAN;
    if (asprintf(&path, "%s/run.json", folder) < 0)
        return out_of_memory(err);
    FILE *in = fopen(path, "r");
    free(path);
    if (in == NULL)
        return 0;
    series->warm_seconds = find_number(in, "warm_seconds");
    series->measure_seconds = find_number(in, "measure_seconds");
    fclose(in);
    return 0;
}

int series_read(struct series *series, const char *folder, struct error *err)
{
    char *path;
    *series = (struct series){0};
    if (asprintf(&path, "%s/kernels.csv", folder) < 0)
        return out_of_memory(err);
    int result = frame_read(&series->frame, path, names, err);
    free(path);
    if (result != 0)
        return result;
    size_t rows = series->frame.rows;
    series->rows = calloc(rows + 1, sizeof *series->rows);
    series->cycles = calloc(rows + 1, sizeof *series->cycles);
    series->insts = calloc(rows + 1, sizeof *series->insts);
    if (series->rows == NULL || series->cycles == NULL || series->insts == NULL)
        return out_of_memory(err);
    for (size_t r = 0; r < rows; r++)
        take_row(series, r);
    return read_costs(series, folder, err);
}

void series_finish(struct series *series)
{
    frame_finish(&series->frame);
    free(series->rows);
    free(series->cycles);
    free(series->insts);
    *series = (struct series){0};
}

double series_number(const struct series *series, size_t index, enum series_column column)
{
    return frame_number(&series->frame, series->rows[index], column);
}

const char *series_text(const struct series *series, size_t index, enum series_column column)
{
    return frame_text(&series->frame, series->rows[index], column);
}

double series_ipc(const struct series *series, size_t index)
{
    return series->insts[index] / series->cycles[index];
}

double series_sum(const struct series *series, enum series_column column)
{
    double sum = 0;
    for (size_t i = 0; i < series->count; i++)
        sum += series_number(series, i, column);
    return sum;
}
