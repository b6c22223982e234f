#include "tools/study/thresholds.h"

#include <math.h>

static const struct report_table_column columns[] = {
    {"threshold", "%", "difference of IPC cold against warm, at least"},
    {"launches", "", "launches whose IPC differs so much"},
    {"weight", "% of insts", "their share of all instructions"},
    {"slower", "", "of these, launches that are slower cold"},
    {"slower_weight", "% of insts", "their share of all instructions"},
    {"faster", "", "of these, launches that are faster cold"},
    {"faster_weight", "% of insts", "their share of all instructions"},
};

const char *const thresholds_names[2] = {"slower when cold", "faster when cold"};

static const struct report_table_column compared_columns[] = {
    {"threshold", "%", "difference of IPC cold against warm, at least"},
    {"measured_launches", "", "launches whose measured IPC differs so much"},
    {"measured_weight", "% of insts", "their share of all instructions"},
    {"measured_faster", "", "of these, launches that are faster cold"},
    {"simulated_launches", "", "launches whose simulated IPC differs so much"},
    {"simulated_weight", "% of insts", "their share of all instructions"},
    {"simulated_faster", "", "of these, launches that are faster cold"},
    {"both", "", "launches for which both do"},
};

double pair_difference(const struct pair *pair)
{
    return 100 * (pair->cold - pair->warm) / pair->warm;
}

/* Launches that differ by THRESHOLD percent or more in direction SIGN. */
struct threshold_part {
    size_t launches;
    double insts;
};

static struct threshold_part sum_up(const struct pair *pairs, size_t count, double threshold,
                                    int sign)
{
    struct threshold_part part = {0};
    for (size_t i = 0; i < count; i++)
        if (sign * pair_difference(&pairs[i]) >= threshold) {
            part.launches++;
            part.insts += pairs[i].insts;
        }
    return part;
}

static void add(struct report_table *sheet, size_t launches, double insts, double all)
{
    report_table_count(sheet, launches);
    report_table_number(sheet, all > 0 ? 100 * insts / all : NAN, 2);
}

static double sum_insts(const struct pair *pairs, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += pairs[i].insts;
    return all;
}

void thresholds_fill(struct report_table *sheet, const struct pair *pairs, size_t count)
{
    double all = sum_insts(pairs, count);
    sheet->columns = columns;
    sheet->width = sizeof columns / sizeof columns[0];
    for (int threshold = 5; threshold <= 20; threshold += 5) {
        struct threshold_part slower = sum_up(pairs, count, threshold, -1);
        struct threshold_part faster = sum_up(pairs, count, threshold, 1);
        report_table_count(sheet, (uint64_t)threshold);
        add(sheet, slower.launches + faster.launches, slower.insts + faster.insts, all);
        add(sheet, slower.launches, slower.insts, all);
        add(sheet, faster.launches, faster.insts, all);
    }
}

/* Launches, their weight, and how many of them are faster cold. */
static void add_side(struct report_table *sheet, const struct pair *pairs, size_t count,
                     double threshold)
{
    struct threshold_part slower = sum_up(pairs, count, threshold, -1);
    struct threshold_part faster = sum_up(pairs, count, threshold, 1);
    add(sheet, slower.launches + faster.launches, slower.insts + faster.insts,
        sum_insts(pairs, count));
    report_table_count(sheet, faster.launches);
}

void thresholds_compare(struct report_table *sheet, const struct pair *measured,
                        const struct pair *simulated, size_t count)
{
    sheet->columns = compared_columns;
    sheet->width = sizeof compared_columns / sizeof compared_columns[0];
    for (int threshold = 5; threshold <= 20; threshold += 5) {
        size_t both = 0;
        for (size_t i = 0; i < count; i++)
            both += fabs(pair_difference(&measured[i])) >= threshold &&
                    fabs(pair_difference(&simulated[i])) >= threshold;
        report_table_count(sheet, (uint64_t)threshold);
        add_side(sheet, measured, count, threshold);
        add_side(sheet, simulated, count, threshold);
        report_table_count(sheet, both);
    }
}
