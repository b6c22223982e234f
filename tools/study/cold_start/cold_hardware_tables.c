/* The tables of hearth study cold-start --hardware. */
#include <math.h>
#include <stdlib.h>

#include "tools/study/cold_start/cold_hardware.h"
#include "tools/study/correlate/cold_pairs.h"
#include "tools/study/correlate/error_stats.h"
#include "tools/study/thresholds.h"

/* Launches whose measured penalty is at least that many percent stand apart: below it, the
 * measured penalty of many launches is no larger than its error. */
#define CLEAR 5

static struct error_pair penalties_of(const struct cold_launch *launch)
{
    return (struct error_pair){cold_penalty(launch->measured->cold, launch->measured->cycles),
                               cold_penalty(launch->cold, launch->warm)};
}

/* ---- launches ---------------------------------------------------------- */

static const struct report_table_column launch_columns[] = {
    {"program", "", ""},
    {"launch", "", "number in the measured table"},
    {"kernel", "", ""},
    {"thread_insts", "", ""},
    {"measured_warm", "cycles", ""},
    {"measured_cold", "cycles", "with caches flushed before each launch"},
    {"measured_penalty", "%", "cold over warm"},
    {"simulated_warm", "cycles", ""},
    {"simulated_cold", "cycles", ""},
    {"simulated_penalty", "%", "cold over warm"},
    {"difference", "points", "simulated minus measured penalty"},
    {"unknown_sectors", "sectors",
     "that it reads, and that nothing in the trace has touched before, but for lines # "
     "written"},
};

static void fill_launches(const struct cold_hardware *hardware, struct report_table *sheet)
{
    *sheet = (struct report_table){.name = "launches",
                                   .title = "Every launch, measured and simulated",
                                   .note = "Without launches whose instructions differ from "
                                           "the trace's (column varies).",
                                   REPORT_TABLE_OF(launch_columns)};
    for (size_t i = 0; i < hardware->count; i++) {
        const struct cold_launch *launch = &hardware->launches[i];
        struct error_pair pair = penalties_of(launch);
        report_table_text(sheet, hardware->programs[launch->program]);
        report_table_count(sheet, launch->measured->launch);
        report_table_text(sheet, launch->measured->kernel);
        report_table_number(sheet, launch->thread_insts, 0);
        report_table_number(sheet, launch->measured->cycles, 0);
        report_table_number(sheet, launch->measured->cold, 0);
        report_table_number(sheet, pair.measured, 2);
        report_table_number(sheet, launch->warm, 0);
        report_table_number(sheet, launch->cold, 0);
        report_table_number(sheet, pair.simulated, 2);
        report_table_number(sheet, pair.simulated - pair.measured, 2);
        report_table_count(sheet, launch->unknown);
    }
}

/* ---- correlations ------------------------------------------------------ */

/* Launches of PROGRAM (SIZE_MAX: of all) with a measured penalty of at least LEAST percent,
 * KNOWN: only those that read nothing unknown. */
struct cold_choice {
    size_t program;
    double least;
    bool known;
};

static bool is_chosen(const struct cold_choice *choice, const struct cold_launch *launch)
{
    return (choice->program == SIZE_MAX || launch->program == choice->program) &&
           penalties_of(launch).measured >= choice->least &&
           !(choice->known && launch->unknown != 0);
}

/* The penalties of the launches of CHOICE. Returns how many. */
static size_t select_pairs(const struct cold_hardware *hardware,
                           const struct cold_choice *choice, struct error_pair *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < hardware->count; i++)
        if (is_chosen(choice, &hardware->launches[i]))
            pairs[count++] = penalties_of(&hardware->launches[i]);
    return count;
}

static const struct report_table_column correlation_columns[] = {
    {"launches_of", "",
     "all of them, those with a measured penalty of 5 % or more, and of these those without "
     "unknown_sectors"},
    {"launches", "", ""},
    {"measured_penalty", "%", "mean"},
    {"simulated_penalty", "%", "mean"},
    {"absolute_difference", "points", "mean"},
    {"pearson", "", "correlation of the penalties"},
    {"rank", "", "correlation of their ranks (Spearman)"},
};

static int add_correlation(const struct cold_hardware *hardware, struct report_table *sheet,
                           const char *name, const struct cold_choice *choice)
{
    struct error_stats stats;
    double measured = 0, simulated = 0, off = 0;
    struct error_pair *pairs = calloc(hardware->count + 1, sizeof *pairs);
    size_t count = pairs != NULL ? select_pairs(hardware, choice, pairs) : 0;
    if (pairs == NULL || error_stats_of(&stats, pairs, count) != 0) {
        free(pairs);
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        measured += pairs[i].measured;
        simulated += pairs[i].simulated;
        off += fabs(pairs[i].simulated - pairs[i].measured);
    }
    free(pairs);
    report_table_text(sheet, name);
    report_table_count(sheet, count);
    report_table_number(sheet, count > 0 ? measured / (double)count : NAN, 2);
    report_table_number(sheet, count > 0 ? simulated / (double)count : NAN, 2);
    report_table_number(sheet, count > 0 ? off / (double)count : NAN, 2);
    report_table_number(sheet, stats.pearson, 3);
    report_table_number(sheet, stats.rank, 3);
    return 0;
}

static const struct {
    const char *name;
    struct cold_choice choice;
} correlations[] = {
    {"all", {SIZE_MAX, -INFINITY, false}},
    {"penalty of 5 % or more", {SIZE_MAX, CLEAR, false}},
    {"of these, nothing unknown read", {SIZE_MAX, CLEAR, true}},
};

static int fill_correlation(const struct cold_hardware *hardware, struct report_table *sheet)
{
    int result = 0;
    *sheet = (struct report_table){
        .name = "correlation",
        .title = "What cold caches cost, measured and simulated",
        .note = "The penalty of a launch is its cycles with caches flushed before each launch "
                "over those in the application, minus 1. What a launch reads is unknown if "
                "nothing in the trace has touched it before: a copy on the device may have "
                "left it in L2.",
        REPORT_TABLE_OF(correlation_columns)};
    for (size_t i = 0; i < sizeof correlations / sizeof correlations[0] && result == 0; i++)
        result =
            add_correlation(hardware, sheet, correlations[i].name, &correlations[i].choice);
    return result;
}

/* ---- programs ---------------------------------------------------------- */

static const struct report_table_column program_columns[] = {
    {"program", "", ""},
    {"launches", "", ""},
    {"measured_warm", "cycles", "sum"},
    {"measured_cold", "cycles", "sum"},
    {"measured_penalty", "%", "cold over warm sum"},
    {"simulated_warm", "cycles", "sum"},
    {"simulated_cold", "cycles", "sum"},
    {"simulated_penalty", "%", "cold over warm sum"},
    {"difference", "points", "simulated minus measured penalty"},
    {"pearson", "", "correlation of the launches' penalties"},
    {"rank", "", "correlation of their ranks"},
};

/* MEASURED, COLD and so on summed over the launches of PROGRAM. */
struct program_sums {
    double measured_warm, measured_cold, warm, cold;
};

static struct program_sums sum_up(const struct cold_hardware *hardware, size_t program)
{
    struct program_sums sums = {0};
    for (size_t i = 0; i < hardware->count; i++) {
        const struct cold_launch *launch = &hardware->launches[i];
        if (launch->program != program)
            continue;
        sums.measured_warm += launch->measured->cycles;
        sums.measured_cold += launch->measured->cold;
        sums.warm += launch->warm;
        sums.cold += launch->cold;
    }
    return sums;
}

static int add_program(const struct cold_hardware *hardware, struct report_table *sheet,
                       size_t program, struct error_pair *pairs)
{
    struct error_stats stats;
    const struct program_sums sums = sum_up(hardware, program);
    double measured = cold_penalty(sums.measured_cold, sums.measured_warm);
    double simulated = cold_penalty(sums.cold, sums.warm);
    const struct cold_choice choice = {program, -INFINITY, false};
    size_t count = select_pairs(hardware, &choice, pairs);
    if (error_stats_of(&stats, pairs, count) != 0)
        return -1;
    report_table_text(sheet, hardware->programs[program]);
    report_table_count(sheet, count);
    report_table_number(sheet, sums.measured_warm, 0);
    report_table_number(sheet, sums.measured_cold, 0);
    report_table_number(sheet, measured, 2);
    report_table_number(sheet, sums.warm, 0);
    report_table_number(sheet, sums.cold, 0);
    report_table_number(sheet, simulated, 2);
    report_table_number(sheet, simulated - measured, 2);
    report_table_number(sheet, stats.pearson, 3);
    report_table_number(sheet, stats.rank, 3);
    return 0;
}

static int fill_programs(const struct cold_hardware *hardware, struct report_table *sheet)
{
    *sheet = (struct report_table){.name = "programs",
                                   .title = "Every program, measured and simulated",
                                   REPORT_TABLE_OF(program_columns)};
    struct error_pair *pairs = calloc(hardware->count + 1, sizeof *pairs);
    int result = pairs != NULL ? 0 : -1;
    for (size_t i = 0; i < hardware->program_count && result == 0; i++)
        result = add_program(hardware, sheet, i, pairs);
    free(pairs);
    return result;
}

/* ---- thresholds -------------------------------------------------------- */

static int fill_thresholds(const struct cold_hardware *hardware, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "thresholds",
        .title = "How much of the launches cold caches change, measured and simulated",
        .note = "Launches whose IPC differs, cold against warm, by so much or more, and their "
                "share of all thread instructions (figures 4.2, 4.3 and 5.2 of the thesis)."};
    struct pair *measured = calloc(hardware->count + 1, sizeof *measured);
    struct pair *simulated = calloc(hardware->count + 1, sizeof *simulated);
    bool good = measured != NULL && simulated != NULL;
    for (size_t i = 0; i < hardware->count && good; i++) {
        const struct cold_launch *launch = &hardware->launches[i];
        double insts = launch->thread_insts;
        measured[i] = (struct pair){insts, insts / launch->measured->cold,
                                    insts / launch->measured->cycles};
        simulated[i] = (struct pair){insts, insts / launch->cold, insts / launch->warm};
    }
    if (good)
        thresholds_compare(sheet, measured, simulated, hardware->count);
    free(measured);
    free(simulated);
    return good ? 0 : -1;
}

int cold_hardware_fill(const struct cold_hardware *hardware,
                       struct report_table sheets[COLD_HARDWARE_SHEETS])
{
    fill_launches(hardware, &sheets[COLD_HARDWARE_LAUNCHES]);
    return fill_correlation(hardware, &sheets[COLD_HARDWARE_CORRELATION]) == 0 &&
                   fill_programs(hardware, &sheets[COLD_HARDWARE_PROGRAMS]) == 0 &&
                   fill_thresholds(hardware, &sheets[COLD_HARDWARE_THRESHOLDS]) == 0
               ? 0
               : -1;
}
