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

void thresholds_fill(struct report_table *sheet, const struct pair *pairs, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += pairs[i].insts;
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
