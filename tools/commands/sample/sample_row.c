#include "tools/commands/sample/sample_row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "traces/base/csv/csv_file.h"

/* ---- CSV ----------------------------------------------------------------- */

void sample_row_csv_header(FILE *out)
{
    fputs("profile,method,seed", out);
    for (int i = 0; i < SAMPLING_OPTIONS; i++)
        fprintf(out, ",%s", sampling_option((enum sampling_option_id)i)->name);
    fputs(",launches,strata,representatives,cycles,predicted,error,bar,speedup_cycles,"
          "speedup_insts,cycles_cov,tier1,tier2,tier3,note\n",
          out);
}

static void write_number(double value, FILE *out)
{
    putc(',', out);
    if (isfinite(value))
        fprintf(out, "%.10g", value);
}

static void write_options(const struct sample_row *row, FILE *out)
{
    char text[SAMPLING_VALUE_TEXT];
    for (int i = 0; i < SAMPLING_OPTIONS; i++) {
        putc(',', out);
        if (!(row->method->options & SAMPLING_BIT(i)))
            continue;
        sampling_option_get(row->options, (enum sampling_option_id)i, text);
        fputs(text, out);
    }
}

static void write_evaluation(const struct sample_row *row, FILE *out)
{
    const struct sampling_evaluation *evaluation = &row->evaluation;
    const double numbers[] = {evaluation->cycles,         evaluation->predicted,
                              evaluation->error,          evaluation->bar,
                              evaluation->speedup_cycles, evaluation->speedup_insts,
                              evaluation->cycles_cov};
    fprintf(out, ",%zu,%zu", row->selection->count, row->selection->rep_count);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_number(numbers[i], out);
    for (int i = 1; i < 4; i++)
        if (evaluation->tiers[0] == row->launches)
            putc(',', out);
        else
            fprintf(out, ",%zu", evaluation->tiers[i]);
}

void sample_row_csv(const struct sample_row *row, FILE *out)
{
    csv_file_write_field(out, row->profile);
    fprintf(out, ",%s,%" PRIu64, row->method->name, row->options->seed);
    write_options(row, out);
    fprintf(out, ",%zu", row->launches);
    if (row->selection != NULL)
        write_evaluation(row, out);
    else
        fputs(",,,,,,,,,,,,", out);
    putc(',', out);
    if (row->note != NULL)
        csv_file_write_field(out, row->note);
    putc('\n', out);
}

/* ---- a table ------------------------------------------------------------- */

void sample_row_text_header(FILE *out)
{
    fputs("method          options                        strata   reps  error %  bar %   "
          "speed-up   by insts    CoV  tiers 1/2/3 %\n",
          out);
}

/* Prints the options that were given, as key=value. */
static void print_options(const struct sample_row *row, FILE *out)
{
    char text[128] = "", value[SAMPLING_VALUE_TEXT];
    for (int i = 0; i < SAMPLING_OPTIONS; i++) {
        size_t used = strlen(text);
        if (!(row->options->given & SAMPLING_BIT(i)))
            continue;
        sampling_option_get(row->options, (enum sampling_option_id)i, value);
        snprintf(text + used, sizeof text - used, "%s=%s ",
                 sampling_option((enum sampling_option_id)i)->name, value);
    }
    if (row->options->seed != 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "seed=%" PRIu64,
                 row->options->seed);
    fprintf(out, "%-15s %-30s", row->method->name, text);
}

/* A number that is unknown is a dash. */
static void print_number(double value, int width, int digits, FILE *out)
{
    if (isfinite(value))
        fprintf(out, " %*.*f", width, digits, value);
    else
        fprintf(out, " %*s", width, "-");
}

void sample_row_text(const struct sample_row *row, FILE *out)
{
    const struct sampling_evaluation *evaluation = &row->evaluation;
    print_options(row, out);
    if (row->selection == NULL) {
        fprintf(out, " - %s\n", row->note);
        return;
    }
    fprintf(out, " %6zu %6zu", row->selection->count, row->selection->rep_count);
    print_number(100 * evaluation->error, 8, 3, out);
    print_number(100 * evaluation->bar, 6, 2, out);
    print_number(evaluation->speedup_cycles, 10, 2, out);
    print_number(evaluation->speedup_insts, 10, 2, out);
    print_number(evaluation->cycles_cov, 6, 3, out);
    double all = (double)row->launches / 100;
    if (evaluation->tiers[0] == 0)
        fprintf(out, "  %.1f/%.1f/%.1f", (double)evaluation->tiers[1] / all,
                (double)evaluation->tiers[2] / all, (double)evaluation->tiers[3] / all);
    putc('\n', out);
}
