#include "tools/view/interval_view.h"

#include <math.h>

#include "tools/view/results_csv.h"

enum { STEP, BEGIN, END, OWN };

static const char *const names[OWN + INTERVAL_COUNTS] = {
    [STEP] = "step",
    [BEGIN] = "begin_cycle",
    [END] = "end_cycle",
    [OWN + INTERVAL_CYCLES] = "cycles",
    [OWN + INTERVAL_THREAD_INSTS] = "thread_insts",
    [OWN + INTERVAL_L1_ACCESSES] = "l1d_accesses",
    [OWN + INTERVAL_L1_HITS] = "l1d_hits",
    [OWN + INTERVAL_L2_READS] = "l2_reads",
    [OWN + INTERVAL_L2_READ_HITS] = "l2_read_hits",
    [OWN + INTERVAL_DRAM_READ_BYTES] = "dram_read_bytes",
    [OWN + INTERVAL_DRAM_WRITE_BYTES] = "dram_write_bytes"};

static int find_columns(const struct results_csv *table, size_t *columns, struct error *err)
{
    for (int i = 0; i < OWN + INTERVAL_COUNTS; i++) {
        columns[i] = results_csv_find(table, names[i]);
        if (columns[i] == table->columns)
            return error_set(err, ERROR_TRACE, table->path, 1, 0,
                             "no column %s: not what a run writes", names[i]);
    }
    return 0;
}

/* Spreads VALUES, from the cycle BEGIN of the run to END, over the stretches. */
static void spread(struct interval_view *view, double begin, double end, const uint64_t *values)
{
    size_t bin = (size_t)fmax(0, begin / view->bin_cycles);
    for (; bin < INTERVAL_VIEW_BINS && (double)bin * view->bin_cycles < end; bin++) {
        double from = fmax(begin, (double)bin * view->bin_cycles),
               to = fmin(end, (double)(bin + 1) * view->bin_cycles);
        for (int i = 0; i < INTERVAL_COUNTS && to > from; i++)
            view->sums[bin][i] += (double)values[i] * (to - from) / (end - begin);
    }
}

static int read_rows(struct interval_view *view, const struct run_view *run,
                     struct results_csv *table, struct error *err)
{
    size_t columns[OWN + INTERVAL_COUNTS];
    uint64_t values[OWN + INTERVAL_COUNTS];
    int found = find_columns(table, columns, err);
    while (found == 0 && (found = results_csv_next(table, err)) == 1) {
        for (int i = 0; i < OWN + INTERVAL_COUNTS; i++)
            if (results_csv_count(table, columns[i], &values[i], err) != 0)
                return -1;
        const struct view_launch *launch = run_view_step(run, values[STEP]);
        found = 0;
        if (launch == NULL || values[END] <= values[BEGIN])
            continue;
        view->rows++;
        spread(view, (double)(launch->start + values[BEGIN]),
               (double)(launch->start + values[END]), values + OWN);
    }
    return found;
}

int interval_view_read(struct interval_view *view, const struct run_view *run,
                       struct error *err)
{
    struct results_csv table;
    *view = (struct interval_view){.bin_cycles =
                                       fmax(1, (double)run->elapsed) / INTERVAL_VIEW_BINS};
    int found = results_csv_open(&table, run->folder, "intervals.csv", true, err);
    if (found == 1)
        found = read_rows(view, run, &table, err);
    results_csv_finish(&table);
    return found;
}
