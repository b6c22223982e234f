#include "tools/commands/diff/diff_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/report_table.h"
#include "traces/base/draft.h"

#define NUMBER 24
#define VALUE  28
#define BEFORE 6 /* letters of a long value before what differs */
#define MORE   80
#define OWN    3 /* columns before those of runs, at most */

/* A table whose last columns are those of runs. */
struct run_table {
    struct report_table_column columns[OWN + DIFF_OTHERS + 1];
    struct report_table sheet;
};

/* Shows SHEET and what was left out of it, if it has rows, and frees it. */
static int show(struct report_table *sheet, const char *more, const struct diff_sink *sink,
                struct error *err)
{
    int result = sheet->failed ? error_no_memory(err) : 0;
    if (result == 0 && (report_table_rows(sheet) > 0 || more[0] != '\0'))
        sink->show(sink->data, sheet, more);
    report_table_finish(sheet);
    return result;
}

/* The table with the columns NAMES (COUNT of them), the base's if FROM is 0, and the others'.
 */
static void begin(struct run_table *table, const struct diff_runs *runs, const char *title,
                  const char *const names[], size_t count, size_t from)
{
    *table = (struct run_table){
        .sheet = {.name = "diff", .title = title, .columns = table->columns}};
    for (size_t i = 0; i < count; i++)
        table->columns[table->sheet.width++] = (struct report_table_column){names[i], "", ""};
    for (size_t i = from; i <= runs->count; i++)
        table->columns[table->sheet.width++] =
            (struct report_table_column){runs->labels[i], "", ""};
}

/* ---- runs ---- */

static const struct report_table_column run_columns[] = {
    {"run", "", ""},
    {"launches", "", ""},
    {"compared", "", "launches that both have"},
    {"base_ms", "", "time of these launches in the base"},
    {"ms", "", "their time in this run"},
    {"speedup", "", "of this time"},
    {"by_kernel", "", "geometric mean of the speed-ups of kernels"},
    {"by_launch", "", "geometric mean of the speed-ups of launches"},
    {"application", "", "speed-up of the whole application, as samples estimate it"},
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

static int make_runs(const struct diff_runs *runs, const struct diff_sink *sink,
                     struct error *err)
{
    struct report_table sheet = {.name = "runs", REPORT_TABLE_OF(run_columns)};
    char title[160];
    bool application = false;
    for (size_t i = 0; i < runs->count; i++)
        application |= isfinite(application_of(&runs->comparisons[i]));
    snprintf(title, sizeof title, "Speed-up over %.100s, which has %zu launches",
             runs->labels[0], runs->base.launch_count);
    sheet.title = title;
    sheet.width -= !application;
    for (size_t i = 0; i < runs->count; i++)
        add_run(&sheet, runs, i, application);
    return show(&sheet, "", sink, err);
}

/* ---- options ---- */

/* How long the values of an option are the same in all runs. */
static size_t same_length(const struct diff_runs *runs, const struct sim_option_info *option)
{
    char numbers[2][NUMBER];
    const char *base = sim_config_value(runs->base.config, option, numbers[0], NUMBER);
    size_t same = strlen(base);
    for (size_t i = 0; i < runs->count; i++) {
        const char *value =
            sim_config_value(runs->others[i].config, option, numbers[1], NUMBER);
        size_t at = 0;
        while (at < same && value[at] == base[at])
            at++;
        same = at;
    }
    return same;
}

/* Adds the value of an option; of a long one a part, from shortly before SAME on: there the
 * runs differ. */
static void add_value(struct report_table *sheet, const struct run_view *run,
                      const struct sim_option_info *option, size_t same)
{
    char number[NUMBER], text[VALUE];
    const char *value = sim_config_value(run->config, option, number, sizeof number);
    size_t skipped = same > BEFORE && strlen(value) >= VALUE ? same - BEFORE : 0;
    int length = snprintf(text, sizeof text, "%s%s", skipped > 0 ? "..." : "", value + skipped);
    if (length >= VALUE)
        strcpy(text + VALUE - 4, "...");
    report_table_text(sheet, text);
}

static int make_options(const struct diff_runs *runs, uint64_t most,
                        const struct diff_sink *sink, struct error *err)
{
    static const char *const names[] = {"option"};
    char more[MORE] = "";
    size_t count = 0;
    struct run_table table;
    begin(&table, runs, "Options that differ", names, 1, 0);
    for (size_t o = 0; o < SIM_OPTION_COUNT; o++) {
        const struct sim_option_info *option = &sim_option_table[o];
        if (!diff_runs_differ(runs, option))
            continue;
        if (most > 0 && ++count > most)
            continue;
        report_table_text(&table.sheet, option->name);
        size_t same = same_length(runs, option);
        for (size_t i = 0; i <= runs->count; i++)
            add_value(&table.sheet, i == 0 ? &runs->base : &runs->others[i - 1], option, same);
    }
    if (most > 0 && count > most)
        snprintf(more, sizeof more, "%zu more options: --options 0", count - (size_t)most);
    return show(&table.sheet, more, sink, err);
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

static const char *name_in_full(const void *data, size_t row)
{
    const struct diff_runs *runs = data;
    return runs->base.kernels[row].full;
}

static int make_kernels(const struct diff_runs *runs, uint64_t most,
                        const struct diff_sink *sink, struct error *err)
{
    static const char *const names[] = {"kernel", "launches", "base_ms"};
    char more[MORE] = "";
    size_t count = runs->base.kernel_count, shown = most > 0 && most < count ? most : count;
    struct run_table table;
    begin(&table, runs,
          shown < count ? "Kernels with the most time: speed-up" : "Kernels: speed-up", names,
          3, 1);
    table.sheet.hover = name_in_full;
    table.sheet.data = runs;
    for (size_t i = 0; i < shown; i++)
        add_kernel(&table.sheet, runs, &runs->base.kernels[i]);
    if (shown < count)
        snprintf(more, sizeof more, "%zu more kernels: --kernels 0", count - shown);
    return show(&table.sheet, more, sink, err);
}

/* ---- counters ---- */

struct changed_counter {
    const struct compared_counter *counter;
    double most;  /* of its changes, unless the base has none */
    bool in_base; /* the base counted it */
    bool single;  /* it is only in the base, or not in the base */
};

static int by_most(const void *a, const void *b)
{
    const struct changed_counter *x = a, *y = b;
    if (x->single != y->single)
        return x->single - y->single;
    if (x->single && x->in_base != y->in_base)
        return x->in_base - y->in_base;
    if (!x->single && x->most != y->most)
        return x->most < y->most ? 1 : -1;
    return strcmp(x->counter->name, y->counter->name);
}

static struct changed_counter look_at(const struct diff_runs *runs,
                                      const struct compared_counter *counter)
{
    struct changed_counter changed = {counter, 0, counter->ratio || counter->values[0] > 0,
                                      !counter->ratio};
    for (size_t i = 0; i < runs->count; i++) {
        const struct compared_counter *found =
            comparison_counter(&runs->comparisons[i], counter->name);
        if (found != NULL && isfinite(found->change))
            changed.most = fmax(changed.most, fabs(found->change));
        changed.single &= found != NULL ? compared_counter_is_single(found) : !changed.in_base;
    }
    return changed;
}

/* Counters, or ratios, that changed in any comparison, largest changes first, then those that
 * are not in the base and those that are only there; to be freed. NULL if memory is short. */
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
                found[(*count)++] = look_at(runs, counter);
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

#define NAMED 6 /* counters of one run */

/* Prints "BEFORE: A, B, C and 4 others" of the COUNT counters FOUND that are single and
 * IN_BASE or not; ALL: with all names. Nothing if there are none. */
static void print_single(const char *before, const struct changed_counter *found, size_t count,
                         bool in_base, bool all, FILE *out)
{
    size_t named = 0, others = 0;
    for (size_t i = 0; i < count; i++) {
        if (!found[i].single || found[i].in_base != in_base)
            continue;
        if (named == NAMED && !all)
            others++;
        else
            fprintf(out, "%s%s", named++ == 0 ? before : ", ", found[i].counter->name);
    }
    if (others > 0)
        fprintf(out, " and %zu other%s", others, others > 1 ? "s" : "");
}

/* What is not in the table: more than MOST of the first CHANGED of the COUNT counters FOUND,
 * and those after them, which are single. */
static void print_rest(const struct diff_runs *runs, const struct changed_counter *found,
                       size_t count, size_t changed, uint64_t most, FILE *out)
{
    const bool cut = most > 0 && changed > most,
               new = changed < count && !found[changed].in_base;
    char before[2][160];
    if (cut)
        fprintf(out, "%zu more: --counters 0", changed - (size_t)most);
    snprintf(before[0], sizeof before[0], "%s%s%.100s: ", cut ? ". " : "",
             runs->count == 1 ? "Only in " : "Not in ", runs->labels[runs->count == 1]);
    snprintf(before[1], sizeof before[1], "%sOnly in %.100s: ", cut || new ? ". " : "",
             runs->labels[0]);
    for (int base = 0; base < 2; base++)
        print_single(before[base], found + changed, count - changed, base, most == 0, out);
}

static int make_counters(const struct diff_runs *runs, bool ratios, uint64_t most,
                         const struct diff_sink *sink, struct error *err)
{
    static const char *const names[] = {"counter", "base"};
    static const char *const ratio_names[] = {"ratio", "base"};
    size_t count, changed = 0;
    struct draft rest;
    struct changed_counter *found = rank(runs, ratios, &count);
    struct run_table table;
    if (found == NULL || !draft_begin(&rest)) {
        free(found);
        return error_no_memory(err);
    }
    while (changed < count && !found[changed].single)
        changed++;
    begin(&table, runs,
          ratios ? "Ratios that changed most: percentage points"
                 : "Counters that changed most: percent",
          ratios ? ratio_names : names, 2, 1);
    for (size_t i = 0; i < changed && (most == 0 || i < most); i++) {
        const struct compared_counter *counter = found[i].counter;
        report_table_text(&table.sheet, counter->name);
        report_table_number(&table.sheet, counter->values[0], ratios ? 4 : 0);
        for (size_t r = 0; r < runs->count; r++)
            add_change(&table.sheet, comparison_counter(&runs->comparisons[r], counter->name));
    }
    print_rest(runs, found, count, changed, most, rest.out);
    free(found);
    table.sheet.failed |= !draft_end(&rest);
    int result = show(&table.sheet, rest.text != NULL ? rest.text : "", sink, err);
    free(rest.text);
    return result;
}

int diff_tables_make(const struct diff_runs *runs, const struct diff_limits *limits,
                     const struct diff_sink *sink, struct error *err)
{
    if (make_runs(runs, sink, err) != 0 ||
        make_options(runs, limits->options, sink, err) != 0 ||
        make_kernels(runs, limits->kernels, sink, err) != 0 ||
        make_counters(runs, false, limits->counters, sink, err) != 0)
        return -1;
    return make_counters(runs, true, limits->counters, sink, err);
}
