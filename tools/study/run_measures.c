#include "tools/study/run_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct run_measures run_measures_none;

double run_measures_corrected(const struct row *row)
{
    return row->corrected && row->correction.cycles > 0 ? floor(row->correction.cycles + 0.5)
                                                        : 0;
}

static int take(struct run_measures *measures, const struct row *row, struct error *err)
{
    const struct sim_counters *c = &row->result.counters;
    double corrected = run_measures_corrected(row);
    double cycles = (double)(row->result.end_cycle - row->result.start_cycle);
    struct run_measure *measure = &measures->launches[measures->count++];
    *measure = (struct run_measure){
        .launch = row->launch,
        .kernel = strdup(row->kernel),
        .grid = {row->grid[0], row->grid[1], row->grid[2]},
        .cycles = corrected > 0 ? corrected : cycles,
        .simulated = cycles,
        .thread_insts = (double)c->thread_insts,
        .warp_insts = (double)c->warp_insts,
        .l2_reads = (double)c->l2_reads,
        .l2_read_hits = (double)c->l2_read_hits,
        .dram_reads = (double)c->dram_reads,
        .dram_writes = (double)c->dram_writes,
        .dirty = (double)c->l2_evictions_dirty,
        .intra = row->intra,
        .outcome = row->outcome,
        .simulated_insts = (double)row_simulated_insts(row),
    };
    return measure->kernel != NULL ? 0 : error_no_memory(err);
}

int run_measures_init(struct run_measures *measures, const struct results *results,
                      struct error *err)
{
    *measures = (struct run_measures){
        .launches = calloc(results->rows.count + 1, sizeof *measures->launches),
        .warm_seconds = results->warm_seconds,
        .measure_seconds = results->measure_seconds,
    };
    int result = measures->launches != NULL ? 0 : error_no_memory(err);
    struct rows_pass pass = {.rows = &results->rows};
    for (const struct row *row; result == 0 && (row = rows_next(&pass)) != NULL;) {
        const struct sim_counters *c = &row->result.counters;
        measures->warm_sectors += (double)row->result.restored_sectors;
        if (row->role == PLAN_WARM)
            measures->warm_sectors += (double)(c->l1d_accesses + c->l2_reads + c->l2_writes);
        else
            result = take(measures, row, err);
    }
    rows_leave(&pass);
    return result == 0 ? row_store_check(results->store, err) : result;
}

void run_measures_finish(struct run_measures *measures)
{
    for (size_t i = 0; i < measures->count; i++)
        free(measures->launches[i].kernel);
    free(measures->launches);
    *measures = (struct run_measures){0};
}

double run_measures_ipc(const struct run_measures *measures, size_t index)
{
    return measures->launches[index].thread_insts / measures->launches[index].cycles;
}

double run_measures_sum(const struct run_measures *measures, size_t offset)
{
    double sum = 0;
    for (size_t i = 0; i < measures->count; i++)
        sum += *(const double *)((const char *)&measures->launches[i] + offset);
    return sum;
}
