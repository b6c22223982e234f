#include "tools/commands/sample/sample_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tools/run/sample/sample_plan.h"
#include "traces/base/csv/csv_file.h"

/* ---- a row a representative -------------------------------------------- */

/* Coefficient of variation (of the population) of a column over a stratum; NaN if the value of
 * a member is unknown, or the mean is 0. */
static double spread(const struct sampling *selection, const struct sampling_stratum *stratum,
                     enum profile_column column)
{
    const size_t *rows = selection->members + stratum->first;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < stratum->count; i++)
        sum += profile_number(&selection->profile->rows[rows[i]], column);
    double mean = sum / (double)stratum->count;
    for (size_t i = 0; i < stratum->count; i++) {
        double off = profile_number(&selection->profile->rows[rows[i]], column) - mean;
        squares += off * off;
    }
    return sqrt(squares / (double)stratum->count) / mean;
}

static enum profile_column inst_column(const struct sampling *selection)
{
    return selection->unit == SAMPLING_THREAD_INSTS ? PROFILE_THREAD_INSTS : PROFILE_WARP_INSTS;
}

/* A number with as many digits as necessary; nothing if it is unknown. */
static void write_number(double value, FILE *out)
{
    putc(',', out);
    if (isfinite(value) && value == floor(value) && fabs(value) < 1e15)
        fprintf(out, "%.0f", value);
    else if (isfinite(value))
        fprintf(out, "%.6g", value);
}

static size_t count_kernels(const struct sampling *selection,
                            const struct sampling_stratum *stratum, uint32_t *seen,
                            uint32_t tag)
{
    size_t count = 0;
    for (size_t i = 0; i < stratum->count; i++) {
        size_t row = selection->members[stratum->first + i];
        uint32_t *mark = &seen[selection->profile->rows[row].kernel];
        count += *mark != tag;
        *mark = tag;
    }
    return count;
}

static void write_rep(const struct sampling *selection, const struct sampling_stratum *stratum,
                      size_t number, size_t kernels, size_t rep, const double spreads[2],
                      FILE *out)
{
    const struct profile_row *row = &selection->profile->rows[selection->reps[rep]];
    double unknown = selection->insts > 0 ? 1 : NAN;
    fprintf(out, "%zu,", number);
    if (stratum->tier > 0)
        fprintf(out, "%u", stratum->tier);
    putc(',', out);
    csv_file_write_quoted(out, selection->profile->kernels[row->kernel]);
    fprintf(out, ",%zu,%zu", kernels, stratum->count);
    write_number(stratum->insts * unknown, out);
    write_number(stratum->insts / selection->insts, out);
    write_number(spreads[0], out);
    write_number(spreads[1], out);
    fprintf(out, ",%" PRIu64, row->launch);
    write_number(sampling_scale_of(selection, stratum, rep), out);
    write_number(profile_number(row, inst_column(selection)), out);
    write_number(profile_number(row, PROFILE_CYCLES), out);
    putc('\n', out);
}

int sample_table_write(const struct sampling *selection, FILE *out, struct error *err)
{
    uint32_t *seen = calloc(selection->profile->kernel_count, sizeof *seen);
    if (seen == NULL)
        return error_no_memory(err);
    fputs("stratum,tier,kernel,kernels,launches,insts,weight,insts_cov,cycles_cov,launch,scale,"
          "launch_insts,launch_cycles\n",
          out);
    for (size_t i = 0; i < selection->count; i++) {
        const struct sampling_stratum *stratum = &selection->strata[i];
        size_t kernels = count_kernels(selection, stratum, seen, (uint32_t)i + 1);
        double spreads[2] = {spread(selection, stratum, inst_column(selection)),
                             spread(selection, stratum, PROFILE_CYCLES)};
        for (size_t k = 0; k < stratum->reps; k++)
            write_rep(selection, stratum, i + 1, kernels, stratum->first_rep + k, spreads, out);
    }
    free(seen);
    return 0;
}

/* ---- a few lines -------------------------------------------------------- */

static void print_insts(const struct sampling *selection, FILE *out)
{
    double chosen = 0;
    for (size_t i = 0; i < selection->rep_count; i++)
        chosen += profile_number(&selection->profile->rows[selection->reps[i]],
                                 inst_column(selection));
    fprintf(out, "instructions     %.0f of %.0f %s, 1 of %.4g\n", chosen, selection->insts,
            sampling_unit_name(selection->unit), selection->insts / chosen);
}

void sample_table_summary(const struct sampling *selection,
                          const struct sampling_options *options, FILE *out)
{
    fputs("method          ", out);
    sample_plan_write_method(selection, options, out);
    fprintf(out,
            "\nlaunches         %zu of %zu kernels\nstrata           %zu\n"
            "representatives  %zu\n",
            selection->profile->count, selection->profile->kernel_count, selection->count,
            selection->rep_count);
    if (selection->insts > 0)
        print_insts(selection, out);
}
