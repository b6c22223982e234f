/* Errors of warm-up with their sign: how far a policy is off on average, and whether that is
 * more than chance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/student.h"
#include "tools/study/cold_start/cold_start.h"

double cold_start_error(const struct run_measures *full, const struct run_measures *measures,
                        size_t index)
{
    /* by IPC, since prime:P measures only a part of the launch */
    return 100 * (run_measures_ipc(full, index) / run_measures_ipc(measures, index) - 1);
}

struct cold_start_bias cold_start_bias(const struct run_measures *full,
                                       const struct run_measures *measures,
                                       const size_t *kernels, size_t kernel)
{
    double sum = 0, squares = 0;
    struct cold_start_bias bias = {0, 0, NAN, NAN};
    for (size_t i = 0; i < measures->count; i++)
        if (kernels == NULL || kernels[i] == kernel) {
            double error = cold_start_error(full, measures, i);
            bias.launches++;
            bias.exact += measures->launches[i].cycles == full->launches[i].cycles;
            sum += error;
            squares += error * error;
        }
    double count = (double)bias.launches;
    if (bias.launches > 0)
        bias.mean = sum / count;
    if (bias.launches > 1)
        bias.standard_error = sqrt(fmax(0, squares - sum * sum / count) / (count - 1) / count);
    return bias;
}

/* ---- table ------------------------------------------------------------- */

static const struct report_table_column columns[] = {
    {"policy", "", ""},
    {"kernel", "", ""},
    {"launches", "", ""},
    {"error", "%", "mean error of a launch's cycles, with its sign"},
    {"standard_error", "%", "of that mean"},
    {"deviations", "", "the error over its standard error"},
    {"p", "",
     "probability of as many deviations or more without bias: Student's t, launches - 1"},
    {"in_phase_error", "%", "the same when all launches start in one phase"},
    {"in_phase_standard_error", "%", ""},
    {"in_phase_deviations", "", ""},
    {"in_phase_p", "", ""},
    {"p_of_2", "", "probability of two deviations or more without bias, with as many launches"},
    {"in_phase_exact", "", "launches with the same cycles as in full then"},
};

static void add_bias(struct report_table *sheet, const struct cold_start_bias *bias)
{
    double deviations =
        bias->standard_error > 0 ? bias->mean / bias->standard_error : (double)NAN;
    report_table_number(sheet, bias->mean, 2);
    report_table_number(sheet, bias->standard_error, 2);
    report_table_number(sheet, deviations, 2);
    report_table_number(sheet, student_beyond(fabs(deviations), (double)bias->launches - 1), 4);
}

static void add_row(const struct cold_start *cold, struct report_table *sheet,
                    const struct cold_start_run *run, const size_t *kernels, size_t first)
{
    const struct cold_start_bias bias =
        cold_start_bias(cold->full, run->measures, kernels, first);
    const struct cold_start_bias in_phase =
        cold_start_bias(cold->full_in_phase, run->in_phase, kernels, first);
    report_table_text(sheet, run->policy);
    report_table_text(sheet, cold->full->launches[first].kernel);
    report_table_count(sheet, bias.launches);
    add_bias(sheet, &bias);
    add_bias(sheet, &in_phase);
    report_table_number(
        sheet, bias.launches > 1 ? student_beyond(2, (double)bias.launches - 1) : NAN, 4);
    report_table_number(sheet, in_phase.launches > 0 ? (double)in_phase.exact : NAN, 0);
}

/* For each launch, the first launch of its kernel; NULL without memory. */
static size_t *find_kernels(const struct run_measures *full)
{
    size_t *kernels = calloc(full->count + 1, sizeof *kernels);
    for (size_t i = 0; i < full->count && kernels != NULL; i++)
        while (kernels[i] < i &&
               (kernels[kernels[i]] != kernels[i] ||
                strcmp(full->launches[kernels[i]].kernel, full->launches[i].kernel) != 0))
            kernels[i]++;
    return kernels;
}

int cold_start_fill_bias(const struct cold_start *cold, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "bias",
        .title = "Errors of policies by kernel, with their sign",
        .note =
            "Launches of a kernel are not independent, so the standard errors are a guide. "
            "Of many kernels, some are beyond two standard errors by chance: as many as the "
            "sum of p_of_2 over those that are not exact.",
        REPORT_TABLE_OF(columns)};
    size_t *kernels = find_kernels(cold->full);
    if (kernels == NULL)
        return -1;
    for (size_t p = 0; p < cold->run_count; p++)
        for (size_t i = 0; i < cold->full->count; i++)
            if (kernels[i] == i)
                add_row(cold, sheet, &cold->runs[p], kernels, i);
    free(kernels);
    return 0;
}
