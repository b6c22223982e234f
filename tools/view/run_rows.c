#include "tools/view/run_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAUNCH,
    CYCLES,
    START,
    KERNEL,
    REQUIRED,
    STEP = REQUIRED,
    STREAM,
    GAP,
    SEGMENT,
    GRID,
    BLOCK,
    ROLE,
    INTRA,
    CHECK,
    SIMULATED,
    OWN
};

static const char *const own_names[OWN] = {
    [LAUNCH] = "launch",     [CYCLES] = "cycles",
    [START] = "start_cycle", [KERNEL] = "kernel",
    [STEP] = "step",         [STREAM] = "stream",
    [GAP] = "gap_cycles",    [SEGMENT] = "segment",
    [GRID] = "grid",         [BLOCK] = "block",
    [ROLE] = "role",         [INTRA] = "intra",
    [CHECK] = "intra_check", [SIMULATED] = "simulated_warp_insts"};

int run_rows_open(struct run_rows *rows, const char *folder, struct error *err)
{
    *rows = (struct run_rows){.places = calloc(OWN + sim_counter_count, sizeof(size_t))};
    if (rows->places == NULL)
        return error_no_memory(err);
    if (results_csv_open(&rows->table, folder, "kernels.csv", false, err) < 0)
        return -1;
    for (size_t i = 0; i < OWN + sim_counter_count; i++) {
        const char *name = i < OWN ? own_names[i] : sim_counter_table[i - OWN].name;
        rows->places[i] = results_csv_find(&rows->table, name);
        if (i < REQUIRED && rows->places[i] == rows->table.columns)
            return error_set(err, ERROR_TRACE, rows->table.path, 1, 0,
                             "no column %s: not what a run writes", name);
    }
    return 0;
}

int run_rows_next(struct run_rows *rows, struct error *err)
{
    const size_t *places = rows->places;
    const struct results_csv *table = &rows->table;
    int found = results_csv_next(&rows->table, err);
    if (found != 1)
        return found;
    uint64_t *const numbers[] = {
        [LAUNCH] = &rows->launch,      [STEP] = &rows->step,     [CYCLES] = &rows->cycles,
        [START] = &rows->start,        [STREAM] = &rows->stream, [GAP] = &rows->gap,
        [SIMULATED] = &rows->simulated};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != NULL && results_csv_count(table, places[i], numbers[i], err) != 0)
            return -1;
    for (size_t i = 0; i < sim_counter_count; i++) {
        uint64_t value;
        if (results_csv_count(table, places[OWN + i], &value, err) != 0)
            return -1;
        sim_counter_set(&rows->counters, i, value);
    }
    rows->kernel = results_csv_text(table, places[KERNEL]);
    rows->segment = results_csv_text(table, places[SEGMENT]);
    rows->grid = results_csv_text(table, places[GRID]);
    rows->block = results_csv_text(table, places[BLOCK]);
    rows->intra = results_csv_text(table, places[INTRA]);
    rows->check = results_csv_text(table, places[CHECK]);
    rows->measured = strcmp(results_csv_text(table, places[ROLE]), "warm") != 0;
    return 1;
}

void run_rows_finish(struct run_rows *rows)
{
    results_csv_finish(&rows->table);
    free(rows->places);
    *rows = (struct run_rows){0};
}
