/* The tables of hearth study cold-start: launches cold and warm. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/cold_start/cold_start.h"
#include "tools/study/thresholds.h"

static const struct run_measures *cold_measures(const struct cold_start *cold)
{
    return cold->runs[0].measures; /* "none" */
}

static struct pair pair_of(const struct cold_start *cold, size_t i)
{
    return (struct pair){
        .insts = cold->full->launches[i].thread_insts,
        .cold = run_measures_ipc(cold_measures(cold), i),
        .warm = run_measures_ipc(cold->full, i),
    };
}

/* ---- by launch --------------------------------------------------------- */

static const struct report_table_column launch_columns[] = {
    {"launch", "", "number in the workload"},
    {"kernel", "", ""},
    {"grid", "blocks", ""},
    {"thread_insts", "", ""},
    {"cycles_cold", "cycles", "with empty caches"},
    {"cycles_warm", "cycles", "after all earlier launches, in detail"},
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

/* The footprint of launch NUMBER, searched from *FROM on, since footprints and launches have
 * the same order; NULL: there is none. *FROM becomes the next one. */
static const struct cold_start_footprint *find_footprint(const struct cold_start *cold,
                                                         uint64_t number, size_t *from)
{
    for (size_t i = *from; i < cold->footprint_count; i++)
        if (cold->footprints[i].launch == number) {
            *from = i + 1;
            return &cold->footprints[i];
        }
    return NULL;
}

static void add_footprint(struct report_table *sheet, const struct cold_start_footprint *foot)
{
    char lines[24] = "";
    if (foot != NULL)
        snprintf(lines, sizeof lines, "%" PRIu64, foot->lines);
    report_table_text(sheet, lines);
    report_table_text(sheet, foot != NULL ? foot->forward : "");
    report_table_text(sheet, foot != NULL ? foot->backward : "");
}

static void add_launch(const struct cold_start *cold, struct report_table *sheet, size_t i,
                       size_t *from)
{
    const struct run_measure *none = &cold_measures(cold)->launches[i];
    const struct run_measure *full = &cold->full->launches[i];
    struct pair pair = pair_of(cold, i);
    char grid[40];
    snprintf(grid, sizeof grid, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, full->grid[0],
             full->grid[1], full->grid[2]);
    report_table_count(sheet, full->launch);
    report_table_text(sheet, full->kernel);
    report_table_text(sheet, grid);
    report_table_number(sheet, full->thread_insts, 0);
    report_table_number(sheet, none->cycles, 0);
    report_table_number(sheet, full->cycles, 0);
    report_table_number(sheet, pair.cold, 3);
    report_table_number(sheet, pair.warm, 3);
    report_table_number(sheet, pair_difference(&pair), 2);
    report_table_number(sheet, cold->noise[i], 2);
    add_footprint(sheet, find_footprint(cold, full->launch, from));
    report_table_number(sheet, none->dirty, 0);
    report_table_number(sheet, full->dirty, 0);
}

static void fill_launches(const struct cold_start *cold, struct report_table *sheet)
{
    size_t foot = 0;
    *sheet = (struct report_table){.name = "launches",
                                   .title = "Every launch, cold and warm",
                                   .note = "Warm: after all earlier launches, in detail.",
                                   REPORT_TABLE_OF(launch_columns)};
    for (size_t i = 0; i < cold->full->count; i++)
        add_launch(cold, sheet, i, &foot);
}

/* ---- by kernel --------------------------------------------------------- */

static const struct report_table_column kernel_columns[] = {
    {"kernel", "", ""},
    {"launches", "", ""},
    {"weight", "% of insts", "share of all thread instructions"},
    {"cycles_cold", "cycles", "sum, with empty caches"},
    {"cycles_warm", "cycles", "sum, after all earlier launches"},
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
    size_t launches, known; /* those with a backward reuse */
    double insts, cycles[2], reads[2], hits[2], dirty[2], backward;
};

static void add_up(struct by_kernel *sum, const struct run_measures *measures, size_t i,
                   int which)
{
    sum->cycles[which] += measures->launches[i].cycles;
    sum->reads[which] += measures->launches[i].l2_reads;
    sum->hits[which] += measures->launches[i].l2_read_hits;
    sum->dirty[which] += measures->launches[i].dirty;
}

static void write_kernel(struct report_table *sheet, const struct by_kernel *sum, double insts)
{
    report_table_text(sheet, sum->name);
    report_table_count(sheet, sum->launches);
    report_table_number(sheet, report_table_percent(sum->insts, insts), 2);
    report_table_number(sheet, sum->cycles[0], 0);
    report_table_number(sheet, sum->cycles[1], 0);
    report_table_number(
        sheet, report_table_percent(sum->cycles[0] - sum->cycles[1], sum->cycles[1]), 2);
    report_table_number(sheet, report_table_percent(sum->hits[0], sum->reads[0]), 2);
    report_table_number(sheet, report_table_percent(sum->hits[1], sum->reads[1]), 2);
    report_table_number(sheet, sum->known > 0 ? sum->backward / (double)sum->known : NAN, 4);
    report_table_number(sheet, sum->dirty[0], 0);
    report_table_number(sheet, sum->dirty[1], 0);
}

static struct by_kernel *find_kernel(struct by_kernel *sums, size_t *count, const char *name)
{
    for (size_t k = 0; k < *count; k++)
        if (strcmp(sums[k].name, name) == 0)
            return &sums[k];
    sums[*count].name = name;
    return &sums[(*count)++];
}

/* The share of the launch's addresses that the previous launch touched; NaN if unknown. */
static double backward_of(const struct cold_start_footprint *foot)
{
    return foot != NULL && foot->backward[0] != '\0' ? strtod(foot->backward, NULL) : NAN;
}

static int fill_kernels(const struct cold_start *cold, struct report_table *sheet)
{
    double insts = 0;
    size_t kernels = 0, foot = 0;
    *sheet = (struct report_table){.name = "by_kernel",
                                   .title = "Every kernel, cold and warm",
                                   REPORT_TABLE_OF(kernel_columns)};
    struct by_kernel *sums = calloc(cold->full->count + 1, sizeof *sums);
    if (sums == NULL)
        return -1;
    for (size_t i = 0; i < cold->full->count; i++) {
        struct by_kernel *sum = find_kernel(sums, &kernels, cold->full->launches[i].kernel);
        double backward =
            backward_of(find_footprint(cold, cold->full->launches[i].launch, &foot));
        sum->launches++;
        sum->insts += cold->full->launches[i].thread_insts;
        insts += cold->full->launches[i].thread_insts;
        add_up(sum, cold_measures(cold), i, 0);
        add_up(sum, cold->full, i, 1);
        sum->known += !isnan(backward);
        sum->backward += isnan(backward) ? 0 : backward;
    }
    for (size_t k = 0; k < kernels; k++)
        write_kernel(sheet, &sums[k], insts);
    free(sums);
    return 0;
}

/* ---- thresholds -------------------------------------------------------- */

static int fill_thresholds(const struct cold_start *cold, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "thresholds",
        .title = "How much of the workload cold caches change",
        .note = "Launches whose IPC differs, cold against warm, by so much or more, and their "
                "share of all thread instructions (figure 5.2 of the thesis)."};
    struct pair *pairs = calloc(cold->full->count + 1, sizeof *pairs);
    if (pairs == NULL)
        return -1;
    for (size_t i = 0; i < cold->full->count; i++)
        pairs[i] = pair_of(cold, i);
    thresholds_fill(sheet, pairs, cold->full->count);
    free(pairs);
    return 0;
}

int cold_start_make_sheets(const struct cold_start *cold,
                           struct report_table sheets[COLD_START_SHEETS])
{
    memset(sheets, 0, COLD_START_SHEETS * sizeof *sheets);
    fill_launches(cold, &sheets[COLD_START_BY_LAUNCH]);
    cold_start_fill_accuracy(cold, &sheets[COLD_START_ACCURACY]);
    cold_start_fill_flushes(cold, &sheets[COLD_START_FLUSH]);
    bool good = fill_kernels(cold, &sheets[COLD_START_BY_KERNEL]) == 0 &&
                fill_thresholds(cold, &sheets[COLD_START_THRESHOLDS]) == 0 &&
                cold_start_fill_reach(cold, &sheets[COLD_START_REACH]) == 0 &&
                cold_start_fill_policies(cold, &sheets[COLD_START_POLICY]) == 0 &&
                cold_start_fill_bias(cold, &sheets[COLD_START_BIAS]) == 0 &&
                cold_start_fill_latency(cold, &sheets[COLD_START_POLICY_5000]) == 0;
    return good ? 0 : -1;
}
