#define _GNU_SOURCE /* asprintf */
#include "tools/study/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/prime.h"
#include "tools/study/csv_table.h"

/* Columns of the frame; the counters follow. */
enum { ROLE, GRID, CYCLES, CORRECTED, GAP, PRIMED, COUNTERS };
static const char *const own[COUNTERS] = {
    "role", "grid", "cycles", "cycles_corrected", "gap_cycles", "primed_warp_insts"};

/* 0 where there is none. */
static double number(const struct csv_table *frame, size_t row, size_t column)
{
    double value = csv_table_number(frame, row, column);
    return value > 0 && value < 0x1p63 ? value : 0;
}

static uint64_t blocks_of(const struct csv_table *frame, size_t row)
{
    unsigned grid[3] = {0};
    sscanf(csv_table_text(frame, row, GRID), "%ux%ux%u", &grid[0], &grid[1], &grid[2]);
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

static int take(struct measured *measured, const struct csv_table *frame, size_t row,
                const struct sim_config *config, const char *path, struct error *err)
{
    struct extrapolation_launch *launch = &measured->launches[measured->count];
    double corrected = csv_table_number(frame, row, CORRECTED);
    double primed = number(frame, row, PRIMED);
    launch->cycles = csv_table_number(frame, row, CYCLES);
    if (!(launch->cycles >= 0 && launch->cycles < 0x1p63))
        return error_set(err, ERROR_TRACE, path, (long)row + 2, 0,
                         "a measured launch without a number of cycles");
    if (corrected > 0)
        launch->cycles = corrected;
    launch->gap = number(frame, row, GAP);
    struct sim_counters *counters = &measured->counters[measured->count];
    for (size_t i = 0; i < sim_counter_count; i++)
        sim_counter_set(counters, i, (uint64_t)number(frame, row, COUNTERS + i));
    double insts = (double)counters->warp_insts;
    launch->counters = counters;
    launch->part = primed > 0 && insts > 0 ? (primed + insts) / insts : 1;
    launch->cycles = prime_cycles(launch->cycles, launch->part,
                                  prime_latency(config, blocks_of(frame, row)));
    measured->count++;
    return 0;
}

static int read_launches(struct measured *measured, const struct sim_config *config,
                         const char *path, struct error *err)
{
    struct csv_table frame = {0};
    const char **names = calloc(COUNTERS + sim_counter_count + 1, sizeof *names);
    if (names == NULL)
        return error_no_memory(err);
    memcpy(names, own, sizeof own);
    for (size_t i = 0; i < sim_counter_count; i++)
        names[COUNTERS + i] = sim_counter_table[i].name;
    int rc = csv_table_read(&frame, path, names, err);
    free(names);
    measured->launches = calloc(frame.rows + 1, sizeof *measured->launches);
    measured->counters = calloc(frame.rows + 1, sizeof *measured->counters);
    if (rc == 0 && (measured->launches == NULL || measured->counters == NULL))
        rc = error_no_memory(err);
    for (size_t row = 0; row < frame.rows && rc == 0; row++)
        if (strcmp(csv_table_text(&frame, row, ROLE), "warm") != 0)
            rc = take(measured, &frame, row, config, path, err);
    csv_table_finish(&frame);
    return rc;
}

int measured_read(struct measured *measured, const char *folder, struct error *err)
{
    char *csv = NULL, *path = NULL;
    struct sim_config *config = NULL;
    *measured = (struct measured){0};
    int rc = asprintf(&csv, "%s/kernels.csv", folder) < 0 ||
                     asprintf(&path, "%s/config.out", folder) < 0
                 ? error_no_memory(err)
                 : 0;
    if (rc == 0) {
        const char *source = path;
        config = sim_config_create(&source, 1, NULL, 0, NULL, NULL, err);
        rc = config != NULL ? 0 : -1;
    }
    if (rc == 0) {
        measured->peaks = sim_peaks_of(config);
        rc = read_launches(measured, config, csv, err);
    }
    sim_config_destroy(config);
    free(csv);
    free(path);
    return rc;
}

void measured_finish(struct measured *measured)
{
    free(measured->launches);
    free(measured->counters);
    *measured = (struct measured){0};
}
