/* The tables of hearth study cold-start: launches cold and warm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/cold_start/cold_start.h"
#include "tools/study/thresholds.h"

static const struct series *cold_series(const struct cold *cold)
{
    return &cold->runs[0].series; /* "none" */
}

static struct pair pair_of(const struct cold *cold, size_t i)
{
    return (struct pair){
        .insts = cold->full.insts[i],
        .cold = series_ipc(cold_series(cold), i),
        .warm = series_ipc(&cold->full, i),
    };
}

/* ---- by launch --------------------------------------------------------- */

static const struct sheet_column launch_columns[] = {
    {"launch", "", "number in the workload"},
    {"kernel", "", ""},
    {"grid", "blocks", ""},
    {"thread_insts", "", ""},
    {"cycles_cold", "cycles", "with empty caches"},
    {"cycles_warm", "cycles", "behind all launches before it, in detail"},
    {"ipc_cold", "insts/cycle", "thread instructions"},
    {"ipc_warm", "insts/cycle", "thread instructions"},
    {"difference", "%", "IPC cold against warm: negative where cold is slower"},
    {"noise", "%", "spread of IPC over starting phases"},
    {"lines", "128 B lines", "that it touches"},
    {"forward", "share", "of its addresses, those that the next launch touches"},
    {"backward", "share", "of its addresses, those that the launch before touched"},
    {"dirty_cold", "lines", "dirty L2 lines that it evicted, cold"},
    {"dirty_warm", "lines", "the same, warm"},
};

/* The row of the footprint table for the launch NUMBER, from row FROM on; its rows and the
 * launches come in the same order. */
static size_t find_footprint(const struct frame *footprint, const char *number, size_t from)
{
    for (size_t r = from; r < footprint->rows; r++)
        if (strcmp(frame_text(footprint, r, COLD_FOOT_LAUNCH), number) == 0)
            return r;
    return footprint->rows;
}

static void add_footprint(struct sheet *sheet, const struct frame *footprint, size_t row)
{
    for (size_t c = COLD_FOOT_LINES; c <= COLD_FOOT_BACKWARD; c++)
        sheet_text(sheet, row < footprint->rows ? frame_text(footprint, row, c) : "");
}

static void add_launch(const struct cold *cold, struct sheet *sheet, size_t i, size_t *foot)
{
    const struct series *none = cold_series(cold), *full = &cold->full;
    struct pair pair = pair_of(cold, i);
    const char *number = series_text(full, i, SERIES_LAUNCH);
    size_t row = find_footprint(&cold->footprint, number, *foot);
    if (row < cold->footprint.rows)
        *foot = row + 1;
    sheet_text(sheet, number);
    sheet_text(sheet, series_text(full, i, SERIES_KERNEL));
    sheet_text(sheet, series_text(full, i, SERIES_GRID));
    sheet_number(sheet, full->insts[i], 0);
    sheet_number(sheet, none->cycles[i], 0);
    sheet_number(sheet, full->cycles[i], 0);
    sheet_number(sheet, pair.cold, 3);
    sheet_number(sheet, pair.warm, 3);
    sheet_number(sheet, pair_difference(&pair), 2);
    sheet_number(sheet, cold->noise[i], 2);
    add_footprint(sheet, &cold->footprint, row);
    sheet_text(sheet, series_text(none, i, SERIES_DIRTY));
    sheet_text(sheet, series_text(full, i, SERIES_DIRTY));
}

static void fill_launches(const struct cold *cold, struct sheet *sheet)
{
    size_t foot = 0;
    *sheet = (struct sheet){.name = "launches",
                            .title = "Every launch, cold and warm",
                            .note = "Warm is behind all launches before it, in detail.",
                            SHEET_OF(launch_columns)};
    for (size_t i = 0; i < cold->full.count; i++)
        add_launch(cold, sheet, i, &foot);
}

/* ---- by kernel --------------------------------------------------------- */

static const struct sheet_column kernel_columns[] = {
    {"kernel", "", ""},
    {"launches", "", ""},
    {"weight", "% of insts", "share of all thread instructions"},
    {"cycles_cold", "cycles", "sum, with empty caches"},
    {"cycles_warm", "cycles", "sum, behind what came before"},
    {"change", "%", "cycles cold against warm: positive where cold is slower"},
    {"l2_hits_cold", "% of reads", ""},
    {"l2_hits_warm", "% of reads", ""},
    {"backward", "share", "mean share of a launch's addresses that the one before touched"},
    {"dirty_cold", "lines", "dirty L2 lines evicted, cold"},
    {"dirty_warm", "lines", "the same, warm"},
};

/* Sums over the launches of a kernel. */
struct by_kernel {
    const char *name;
    size_t launches, known; /* with a backward reuse */
    double insts, cycles[2], reads[2], hits[2], dirty[2], backward;
};

static void add_up(struct by_kernel *sum, const struct series *series, size_t i, int which)
{
    sum->cycles[which] += series->cycles[i];
    sum->reads[which] += series_number(series, i, SERIES_L2_READS);
    sum->hits[which] += series_number(series, i, SERIES_L2_READ_HITS);
    sum->dirty[which] += series_number(series, i, SERIES_DIRTY);
}

static void write_kernel(struct sheet *sheet, const struct by_kernel *sum, double insts)
{
    sheet_text(sheet, sum->name);
    sheet_count(sheet, sum->launches);
    sheet_number(sheet, sheet_percent(sum->insts, insts), 2);
    sheet_number(sheet, sum->cycles[0], 0);
    sheet_number(sheet, sum->cycles[1], 0);
    sheet_number(sheet, sheet_percent(sum->cycles[0] - sum->cycles[1], sum->cycles[1]), 2);
    sheet_number(sheet, sheet_percent(sum->hits[0], sum->reads[0]), 2);
    sheet_number(sheet, sheet_percent(sum->hits[1], sum->reads[1]), 2);
    sheet_number(sheet, sum->known > 0 ? sum->backward / (double)sum->known : NAN, 4);
    sheet_number(sheet, sum->dirty[0], 0);
    sheet_number(sheet, sum->dirty[1], 0);
}

static struct by_kernel *find_kernel(struct by_kernel *sums, size_t *count, const char *name)
{
    for (size_t k = 0; k < *count; k++)
        if (strcmp(sums[k].name, name) == 0)
            return &sums[k];
    sums[*count].name = name;
    return &sums[(*count)++];
}

/* As add_launch() does, row by row. */
static double backward_of(const struct cold *cold, size_t i, size_t *foot)
{
    const struct frame *footprint = &cold->footprint;
    size_t row = find_footprint(footprint, series_text(&cold->full, i, SERIES_LAUNCH), *foot);
    if (row == footprint->rows)
        return NAN;
    *foot = row + 1;
    return frame_number(footprint, row, COLD_FOOT_BACKWARD);
}

static int fill_kernels(const struct cold *cold, struct sheet *sheet)
{
    double insts = 0;
    size_t kernels = 0, foot = 0;
    *sheet = (struct sheet){
        .name = "by_kernel", .title = "Every kernel, cold and warm", SHEET_OF(kernel_columns)};
    struct by_kernel *sums = calloc(cold->full.count + 1, sizeof *sums);
    if (sums == NULL)
        return -1;
    for (size_t i = 0; i < cold->full.count; i++) {
        struct by_kernel *sum =
            find_kernel(sums, &kernels, series_text(&cold->full, i, SERIES_KERNEL));
        double backward = backward_of(cold, i, &foot);
        sum->launches++;
        sum->insts += cold->full.insts[i];
        insts += cold->full.insts[i];
        add_up(sum, cold_series(cold), i, 0);
        add_up(sum, &cold->full, i, 1);
        sum->known += !isnan(backward);
        sum->backward += isnan(backward) ? 0 : backward;
    }
    for (size_t k = 0; k < kernels; k++)
        write_kernel(sheet, &sums[k], insts);
    free(sums);
    return 0;
}

/* ---- thresholds -------------------------------------------------------- */

static int fill_thresholds(const struct cold *cold, struct sheet *sheet)
{
    *sheet = (struct sheet){
        .name = "thresholds",
        .title = "How much of the workload cold caches change",
        .note = "Launches whose IPC differs, cold against warm, by so much or more, and their "
                "share of all thread instructions (figure 5.2 of the thesis)."};
    struct pair *pairs = calloc(cold->full.count + 1, sizeof *pairs);
    if (pairs == NULL)
        return -1;
    for (size_t i = 0; i < cold->full.count; i++)
        pairs[i] = pair_of(cold, i);
    thresholds_fill(sheet, pairs, cold->full.count);
    free(pairs);
    return 0;
}

int cold_make_sheets(const struct cold *cold, struct sheet sheets[COLD_SHEETS])
{
    memset(sheets, 0, COLD_SHEETS * sizeof *sheets);
    fill_launches(cold, &sheets[COLD_BY_LAUNCH]);
    cold_fill_accuracy(cold, &sheets[COLD_ACCURACY]);
    cold_fill_flushes(cold, &sheets[COLD_FLUSH]);
    bool good = fill_kernels(cold, &sheets[COLD_BY_KERNEL]) == 0 &&
                fill_thresholds(cold, &sheets[COLD_THRESHOLDS]) == 0 &&
                cold_fill_reach(cold, &sheets[COLD_REACH]) == 0 &&
                cold_fill_policies(cold, &sheets[COLD_POLICY]) == 0 &&
                cold_fill_latency(cold, &sheets[COLD_POLICY_5000]) == 0;
    return good ? 0 : -1;
}
