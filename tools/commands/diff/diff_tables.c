#include "tools/commands/diff/diff_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/report_table.h"

#define NUMBER 24
#define VALUE  28
#define OWN    3 /* columns before those of runs, at most */

/* A table whose last columns are those of runs. */
struct run_table {
    struct report_table_column columns[OWN + DIFF_OTHERS + 1];
    struct report_table sheet;
};

/* The table with the columns NAMES (COUNT of them), the base's if FROM is 0, and the others'.
 */
static void begin(struct run_table *table, const struct diff_runs *runs,
                  const char *const names[], size_t count, size_t from)
{
    *table = (struct run_table){.sheet = {.name = "diff", .columns = table->columns}};
    for (size_t i = 0; i < count; i++)
        table->columns[table->sheet.width++] = (struct report_table_column){names[i], "", ""};
    for (size_t i = from; i <= runs->count; i++)
        table->columns[table->sheet.width++] =
            (struct report_table_column){runs->labels[i], "", ""};
}

static int end(struct run_table *table, const char *title, FILE *out, struct error *err)
{
    int result = table->sheet.failed ? error_no_memory(err) : 0;
    if (result == 0 && report_table_rows(&table->sheet) > 0) {
        fprintf(out, "\n%s\n", title);
        report_table_write_text(&table->sheet, out);
    }
    report_table_finish(&table->sheet);
    return result;
}

/* ---- runs ---- */

static const struct report_table_column run_columns[] = {
    {"run", "", ""},     {"launches", "", ""}, {"compared", "", ""},
    {"base_ms", "", ""}, {"ms", "", ""},       {"speedup", "", ""},
    {"kernels", "", ""}, {"each", "", ""},     {"application", "", ""},
};

/* The speed-up of whole applications, as samples estimate them; NaN without an estimate. */
static double application_of(const struct comparison *c)
{
    return view_seconds(c->base, c->base->facts.whole_cycles) /
           view_seconds(c->other, c->other->facts.whole_cycles);
}

static void add_run(struct report_table *sheet, const struct diff_runs *runs, size_t i,
                    bool application)
{
    const struct comparison *c = &runs->comparisons[i];
    report_table_text(sheet, runs->labels[i + 1]);
    report_table_count(sheet, runs->others[i].launch_count);
    report_table_count(sheet, c->launches);
    report_table_number(sheet, 1e3 * c->seconds[0], 4);
    report_table_number(sheet, 1e3 * c->seconds[1], 4);
    report_table_number(sheet, c->speedup, 3);
    report_table_number(sheet, c->kernel_mean, 3);
    report_table_number(sheet, c->launch_mean, 3);
    if (application)
        report_table_number(sheet, application_of(c), 3);
}

static int write_runs(const struct diff_runs *runs, FILE *out, struct error *err)
{
    struct report_table sheet = {.name = "runs", REPORT_TABLE_OF(run_columns)};
    bool application = false;
    for (size_t i = 0; i < runs->count; i++)
        application |= isfinite(application_of(&runs->comparisons[i]));
    sheet.width -= !application;
    for (size_t i = 0; i < runs->count; i++)
        add_run(&sheet, runs, i, application);
    fprintf(out,
            "Speed-up over %s (%zu launches): of the total time, and as geometric mean of\n"
            "kernels and of each launch%s\n",
            runs->labels[0], runs->base.launch_count,
            application ? "; of the whole application, as samples estimate it" : "");
    report_table_write_text(&sheet, out);
    int result = sheet.failed ? error_no_memory(err) : 0;
    report_table_finish(&sheet);
    return result;
}

/* ---- options ---- */

/* Adds the value of an option, or the beginning of a long one. */
static void add_value(struct report_table *sheet, const struct run_view *run,
                      const struct sim_option_info *option)
{
    char number[NUMBER], text[VALUE];
    const char *value = sim_config_value(run->config, option, number, sizeof number);
    if (snprintf(text, sizeof text, "%s", value) >= VALUE)
        strcpy(text + VALUE - 4, "...");
    report_table_text(sheet, text);
}

static int write_options(const struct diff_runs *runs, uint64_t most, FILE *out,
                         struct error *err)
{
    static const char *const names[] = {"option"};
    size_t count = 0;
    struct run_table table;
    begin(&table, runs, names, 1, 0);
    for (size_t o = 0; o < SIM_OPTION_COUNT; o++) {
        const struct sim_option_info *option = &sim_option_table[o];
        if (!diff_runs_differ(runs, option))
            continue;
        if (most > 0 && ++count > most)
            continue;
        report_table_text(&table.sheet, option->name);
        for (size_t i = 0; i <= runs->count; i++)
            add_value(&table.sheet, i == 0 ? &runs->base : &runs->others[i - 1], option);
    }
    int result = end(&table, "Options that differ", out, err);
    if (result == 0 && count > most)
        fprintf(out, "%zu more options: --options 0\n", count - (size_t)most);
    return result;
}

/* ---- kernels ---- */

static void add_kernel(struct report_table *sheet, const struct diff_runs *runs,
                       const struct view_kernel *kernel)
{
    report_table_text(sheet, kernel->brief);
    report_table_count(sheet, kernel->sum.launches);
    report_table_number(sheet, 1e3 * view_seconds(&runs->base, (double)kernel->sum.cycles), 4);
    for (size_t i = 0; i < runs->count; i++) {
        const struct compared_kernel *found =
            comparison_kernel(&runs->comparisons[i], kernel->name);
        report_table_number(sheet, found != NULL ? found->speedup : NAN, 3);
    }
}

static int write_kernels(const struct diff_runs *runs, uint64_t most, FILE *out,
                         struct error *err)
{
    static const char *const names[] = {"kernel", "launches", "base_ms"};
    char title[80];
    size_t count = runs->base.kernel_count, shown = most > 0 && most < count ? most : count;
    struct run_table table;
    begin(&table, runs, names, 3, 1);
    for (size_t i = 0; i < shown; i++)
        add_kernel(&table.sheet, runs, &runs->base.kernels[i]);
    snprintf(title, sizeof title, "Kernels: speed-up%s",
             shown < count ? ", those with the most time" : "");
    int result = end(&table, title, out, err);
    if (result == 0 && shown < count)
        fprintf(out, "%zu more kernels: --kernels 0\n", count - shown);
    return result;
}

/* ---- counters ---- */

struct changed_counter {
    const struct compared_counter *counter;
    double most; /* of its changes */
};

static int by_most(const void *a, const void *b)
{
    const struct changed_counter *x = a, *y = b;
    if (x->most != y->most)
        return x->most < y->most ? 1 : -1;
    return strcmp(x->counter->name, y->counter->name);
}

/* Counters, or ratios, that changed in any comparison, largest changes first; to be freed. NULL
 * if memory is short. */
static struct changed_counter *rank(const struct diff_runs *runs, bool ratios, size_t *count)
{
    struct changed_counter *found =
        calloc(sim_counter_count + SIM_DERIVED_COUNT, sizeof *found);
    *count = 0;
    for (size_t i = 0; found != NULL && i < runs->count; i++)
        for (size_t c = 0; c < runs->comparisons[i].counter_count; c++) {
            const struct compared_counter *counter = &runs->comparisons[i].counters[c];
            size_t known = 0;
            while (known < *count && strcmp(found[known].counter->name, counter->name) != 0)
                known++;
            if (counter->ratio == ratios && known == *count)
                found[(*count)++] =
                    (struct changed_counter){counter, diff_runs_change(runs, counter->name)};
        }
    if (found != NULL)
        qsort(found, *count, sizeof *found, by_most);
    return found;
}

/* Adds a change: "+12.50"; "new" if the base has none. */
static void add_change(struct report_table *sheet, const struct compared_counter *counter)
{
    char text[32] = "";
    if (counter != NULL && isinf(counter->change))
        snprintf(text, sizeof text, "new");
    else if (counter != NULL)
        snprintf(text, sizeof text, "%+.2f", counter->change);
    report_table_text(sheet, text);
}

static int write_counters(const struct diff_runs *runs, bool ratios, uint64_t most, FILE *out,
                          struct error *err)
{
    static const char *const names[] = {"counter", "base"};
    static const char *const ratio_names[] = {"ratio", "base"};
    size_t count;
    struct changed_counter *found = rank(runs, ratios, &count);
    struct run_table table;
    if (found == NULL)
        return error_no_memory(err);
    begin(&table, runs, ratios ? ratio_names : names, 2, 1);
    for (size_t i = 0; i < count && (most == 0 || i < most); i++) {
        const struct compared_counter *counter = found[i].counter;
        report_table_text(&table.sheet, counter->name);
        report_table_number(&table.sheet, counter->values[0], ratios ? 4 : 0);
        for (size_t r = 0; r < runs->count; r++)
            add_change(&table.sheet, comparison_counter(&runs->comparisons[r], counter->name));
    }
    free(found);
    return end(&table,
               ratios ? "Ratios that changed most: percentage points"
                      : "Counters that changed most: percent",
               out, err);
}

int diff_tables_write_text(const struct diff_runs *runs, const struct diff_limits *limits,
                           FILE *out, struct error *err)
{
    if (write_runs(runs, out, err) != 0 ||
        write_options(runs, limits->options, out, err) != 0 ||
        write_kernels(runs, limits->kernels, out, err) != 0 ||
        write_counters(runs, false, limits->counters, out, err) != 0)
        return -1;
    return write_counters(runs, true, limits->counters, out, err);
}
