/* What a launch loses when L1 and L2 are flushed before it, measured and simulated. */
#include <math.h>
#include <stdlib.h>

#include "tools/study/correlate/cold_pairs.h"
#include "tools/study/correlate/correlate.h"

/* Launches whose measured penalty is at least that many percent are ranked. */
#define RANKED 5

static const struct report_table_column columns[] = {
    {"program", "", ""},
    {"launches", "",
     "measured and simulated both warm and cold, with the trace's instructions"},
    {"measured_warm", "cycles", "sum"},
    {"measured_cold", "cycles", "sum"},
    {"measured_penalty", "%", "cold over warm sum"},
    {"simulated_warm", "cycles", "sum"},
    {"simulated_cold", "cycles", "sum"},
    {"simulated_penalty", "%", "cold over warm sum"},
    {"difference", "points", "simulated minus measured penalty"},
};

/* Penalties of launches, those that are ranked. */
struct penalties {
    struct error_pair *pairs;
    size_t count;
    double differences; /* absolute, of programs */
    size_t programs;
};

struct sums {
    size_t launches;
    double measured_warm, measured_cold, simulated_warm, simulated_cold;
};

static void add_pair(struct sums *sums, struct penalties *penalties,
                     const struct correlate_program *program, const struct cold_pair *pair)
{
    const struct measured_launch *measured = pair->measured;
    double warm = correlate_cycles(program, pair->warm);
    double cold = correlate_cycles(program, pair->cold);
    double penalty = cold_penalty(measured->cold, measured->cycles);
    sums->launches++;
    sums->measured_warm += measured->cycles;
    sums->measured_cold += measured->cold;
    sums->simulated_warm += warm;
    sums->simulated_cold += cold;
    if (penalty >= RANKED)
        penalties->pairs[penalties->count++] =
            (struct error_pair){penalty, cold_penalty(cold, warm)};
}

static void add_program(struct report_table *sheet, struct penalties *penalties,
                        const struct correlate_program *program)
{
    struct sums sums = {0};
    struct cold_pair pair;
    struct cold_pairs pairs = {.warm = &program->pairs, .cold = &program->cold_pairs};
    while (cold_pairs_next(&pairs, &pair))
        add_pair(&sums, penalties, program, &pair);
    if (sums.launches == 0)
        return;
    double measured = cold_penalty(sums.measured_cold, sums.measured_warm);
    double simulated = cold_penalty(sums.simulated_cold, sums.simulated_warm);
    penalties->differences += fabs(simulated - measured);
    penalties->programs++;
    report_table_text(sheet, program->name);
    report_table_count(sheet, sums.launches);
    report_table_number(sheet, sums.measured_warm, 0);
    report_table_number(sheet, sums.measured_cold, 0);
    report_table_number(sheet, measured, 1);
    report_table_number(sheet, sums.simulated_warm, 0);
    report_table_number(sheet, sums.simulated_cold, 0);
    report_table_number(sheet, simulated, 1);
    report_table_number(sheet, simulated - measured, 1);
}

int correlate_fill_cold(const struct correlate *correlate,
                        struct report_table sheets[CORRELATE_SHEETS], struct error *err)
{
    struct error_stats stats;
    struct report_table *sheet = &sheets[CORRELATE_COLD];
    struct penalties penalties = {
        .pairs = calloc(correlate->measured.count * correlate->program_count + 1,
                        sizeof *penalties.pairs)};
    *sheet = (struct report_table){.name = "cold",
                                   .title = "Cold caches",
                                   .note = "Each launch after a flush of L1 and L2, against "
                                           "the same launch in the application.",
                                   REPORT_TABLE_OF(columns)};
    bool good = penalties.pairs != NULL;
    for (size_t i = 0; i < correlate->program_count && good; i++)
        add_program(sheet, &penalties, &correlate->programs[i]);
    good = good && error_stats_of(&stats, penalties.pairs, penalties.count) == 0;
    free(penalties.pairs);
    if (!good)
        return error_no_memory(err);
    if (penalties.programs > 0) {
        correlate_add_figure(&sheets[CORRELATE_SUMMARY],
                             "cold over warm, mean absolute difference of programs",
                             penalties.differences / (double)penalties.programs, 1, "points");
        correlate_add_figure(
            &sheets[CORRELATE_SUMMARY],
            "cold over warm, rank correlation of launches that lose 5 % or more", stats.rank, 3,
            "");
    }
    return 0;
}
