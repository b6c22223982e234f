/* hearth diff: compares two results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/report/report_table.h"
#include "traces/base/csv/csv_table.h"
#include "traces/base/number.h"

#define PATH 4096

/* An option about a column. */
struct rule {
    const char *name; /* ends at `length`; "": all columns */
    size_t length;
    double percent; /* negative: the column is ignored */
};

struct diff {
    struct rule *rules;
    size_t rule_count;
    char *const *folders;
    struct csv_table frames[2];
    size_t *rows[2]; /* for each of the two: its rows that are compared */
    size_t pairs;
    bool measured, quiet;
    struct report_table sheet;
};

static int read_tolerance(void *data, const char *value, struct error *err);
static int read_ignore(void *data, const char *value, struct error *err);

static const struct cli_option table[] = {
    {0, "tolerance", "[NAME=]PERCENT",
     "ignore differences of up to PERCENT, in one column or in all; may be "
     "given several times, the last one for a column applies",
     CLI_READ, .read = read_tolerance, .otherwise = "0"},
    {0, "ignore", "NAME", "ignore a column; may be given several times", CLI_READ,
     .read = read_ignore},
    {0, "measured", NULL,
     "compare only the measured launches that both have, by their numbers: "
     "a sample with the full run. Steps, segments, the cycles in which "
     "launches start and end, the gaps before them and restored sectors "
     "are ignored",
     CLI_FLAG, CLI_AT(struct diff, measured)},
    {'q', "quiet", NULL, "only the exit code", CLI_FLAG, CLI_AT(struct diff, quiet)},
};

static const struct cli_command command = {
    "hearth diff",
    "RESULTS RESULTS [OPTION]...",
    "Compares the kernels.csv of two results of hearth run, row by row. Prints each column\n"
    "that differs, in how many rows, and where most. Exit code 1 if anything differs.",
    table,
    sizeof table / sizeof table[0],
    "two folders of results",
    2,
};

static int add_rule(struct diff *diff, struct rule rule, struct error *err)
{
    struct rule *rules = realloc(diff->rules, (diff->rule_count + 1) * sizeof *rules);
    if (rules == NULL)
        return error_no_memory(err);
    diff->rules = rules;
    rules[diff->rule_count++] = rule;
    return 0;
}

static int read_tolerance(void *data, const char *value, struct error *err)
{
    const char *equals = strrchr(value, '='), *number = equals != NULL ? equals + 1 : value;
    struct rule rule = {value, equals != NULL ? (size_t)(equals - value) : 0, 0};
    if (number_real(number, &rule.percent) != NUMBER_OK)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--tolerance \"%s\": expected a percentage from 0", value);
    if (equals == value)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--tolerance \"%s\": expected a column before the =", value);
    return add_rule(data, rule, err);
}

static int read_ignore(void *data, const char *value, struct error *err)
{
    if (value[0] == '\0')
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--ignore \"\": expected a column");
    return add_rule(data, (struct rule){value, strlen(value), -1}, err);
}

static bool is_of(const struct rule *rule, const char *name)
{
    return strlen(name) == rule->length && strncmp(name, rule->name, rule->length) == 0;
}

/* Negative: the column is ignored. */
static double tolerance_of(const struct diff *diff, const char *name)
{
    static const char *const places[] = {"step",      "segment",    "start_cycle",
                                         "end_cycle", "gap_cycles", "restored_sectors"};
    double percent = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (diff->measured && strcmp(name, places[i]) == 0)
            return -1;
    for (size_t i = 0; i < diff->rule_count; i++) {
        const struct rule *rule = &diff->rules[i];
        if (rule->length == 0 || is_of(rule, name))
            percent = percent < 0 && rule->length == 0 ? percent : rule->percent;
    }
    return percent;
}

/* ---- comparing --------------------------------------------------------- */

static const struct report_table_column columns[] = {
    {"column", "", ""}, {"rows", "", "that differ"},  {"most", "%", "greatest difference"},
    {"launch", "", ""}, {"first", "", "value there"}, {"second", "", "value there"},
};

static void begin_sheet(struct report_table *sheet)
{
    *sheet =
        (struct report_table){.name = "diff", .title = "Differences", REPORT_TABLE_OF(columns)};
}

/* ---- which rows -------------------------------------------------------- */

/* The columns that identify the launch of a row. */
struct row_key {
    size_t launch, role;
};

static struct row_key key_of(const struct csv_table *frame)
{
    return (struct row_key){csv_table_find(frame, "launch"), csv_table_find(frame, "role")};
}

static bool is_measured(const struct csv_table *frame, const struct row_key *key, size_t row)
{
    return key->role == frame->columns ||
           strcmp(csv_table_text(frame, row, key->role), "measure") == 0;
}

/* The measured row of FRAME with launch NUMBER, searched from FROM on; the number of rows if
 * there is none. */
static size_t find_row(const struct csv_table *frame, const struct row_key *key,
                       const char *number, size_t from)
{
    for (size_t i = 0; i < frame->rows; i++) {
        size_t row = (from + i) % frame->rows;
        if (is_measured(frame, key, row) &&
            strcmp(csv_table_text(frame, row, key->launch), number) == 0)
            return row;
    }
    return frame->rows;
}

static void pair_measured(struct diff *diff)
{
    const struct csv_table *a = &diff->frames[0], *b = &diff->frames[1];
    const struct row_key of_a = key_of(a), of_b = key_of(b);
    size_t from = 0;
    if (of_a.launch == a->columns || of_b.launch == b->columns)
        return;
    for (size_t r = 0; r < a->rows; r++) {
        size_t other = is_measured(a, &of_a, r)
                           ? find_row(b, &of_b, csv_table_text(a, r, of_a.launch), from)
                           : b->rows;
        if (other == b->rows)
            continue;
        diff->rows[0][diff->pairs] = r;
        diff->rows[1][diff->pairs++] = other;
        from = other + 1;
    }
}

static int pair_rows(struct diff *diff, struct error *err)
{
    for (int i = 0; i < 2; i++) {
        diff->rows[i] = calloc(diff->frames[0].rows + 1, sizeof *diff->rows[i]);
        if (diff->rows[i] == NULL)
            return error_no_memory(err);
    }
    if (diff->measured) {
        pair_measured(diff);
        return 0;
    }
    while (diff->pairs < diff->frames[0].rows && diff->pairs < diff->frames[1].rows) {
        diff->rows[0][diff->pairs] = diff->rows[1][diff->pairs] = diff->pairs;
        diff->pairs++;
    }
    return 0;
}

/* ---- columns ----------------------------------------------------------- */

/* In percent of the larger one; infinite if a value is not a number. */
static double difference(const struct diff *diff, size_t pair, size_t ca, size_t cb)
{
    const struct csv_table *a = &diff->frames[0], *b = &diff->frames[1];
    size_t ra = diff->rows[0][pair], rb = diff->rows[1][pair];
    if (strcmp(csv_table_text(a, ra, ca), csv_table_text(b, rb, cb)) == 0)
        return 0;
    double x = csv_table_number(a, ra, ca), y = csv_table_number(b, rb, cb);
    if (!isfinite(x) || !isfinite(y))
        return INFINITY;
    double larger = fmax(fabs(x), fabs(y));
    return larger > 0 ? 100 * fabs(x - y) / larger : 0;
}

static void add_line(struct report_table *sheet, const char *name, size_t rows, double most,
                     const char *const where[3])
{
    report_table_text(sheet, name);
    report_table_count(sheet, rows);
    report_table_number(sheet, most, 3);
    for (int i = 0; i < 3; i++)
        report_table_text(sheet, where[i]);
}

static void compare_column(struct diff *diff, size_t ca, size_t cb, double tolerance)
{
    const struct csv_table *a = &diff->frames[0], *b = &diff->frames[1];
    size_t rows = 0, at = 0;
    double most = -1;
    for (size_t pair = 0; pair < diff->pairs; pair++) {
        double off = difference(diff, pair, ca, cb);
        if (off <= tolerance)
            continue;
        rows++;
        if (off > most) {
            most = off;
            at = pair;
        }
    }
    if (rows == 0)
        return;
    size_t ra = diff->rows[0][at], rb = diff->rows[1][at], launch = csv_table_find(a, "launch");
    const char *where[3] = {launch < a->columns ? csv_table_text(a, ra, launch) : "",
                            csv_table_text(a, ra, ca), csv_table_text(b, rb, cb)};
    add_line(&diff->sheet, a->names[ca], rows, most, where);
}

/* Adds a column that only FRAME has. */
static void add_single(struct diff *diff, const struct csv_table *frame, size_t c)
{
    bool first = frame == &diff->frames[0];
    const char *where[3] = {"", first ? "there" : "absent", first ? "absent" : "there"};
    add_line(&diff->sheet, frame->names[c], frame->rows, NAN, where);
}

static void compare(struct diff *diff)
{
    struct csv_table *a = &diff->frames[0], *b = &diff->frames[1];
    begin_sheet(&diff->sheet);
    for (size_t c = 0; c < a->columns; c++) {
        double tolerance = tolerance_of(diff, a->names[c]);
        size_t other = csv_table_find(b, a->names[c]);
        if (tolerance < 0)
            continue;
        if (other < b->columns)
            compare_column(diff, c, other, tolerance);
        else
            add_single(diff, a, c);
    }
    for (size_t c = 0; c < b->columns; c++)
        if (csv_table_find(a, b->names[c]) == a->columns &&
            tolerance_of(diff, b->names[c]) >= 0)
            add_single(diff, b, c);
}

/* Checks that a name identifies one column. */
static int check_names(const struct diff *diff, int which, const char *path, struct error *err)
{
    const struct csv_table *frame = &diff->frames[which];
    for (size_t c = 0; c < frame->columns; c++)
        if (csv_table_find(frame, frame->names[c]) != c)
            return error_set(err, ERROR_TRACE, path, 1, 0, "two columns are called \"%s\"",
                             frame->names[c]);
    return 0;
}

/* Checks that the columns on the command line exist. */
static int check_rules(const struct diff *diff, struct error *err)
{
    for (size_t i = 0; i < diff->rule_count; i++) {
        const struct rule *rule = &diff->rules[i];
        bool found = rule->length == 0;
        for (int f = 0; f < 2; f++)
            for (size_t c = 0; c < diff->frames[f].columns && !found; c++)
                found = is_of(rule, diff->frames[f].names[c]);
        if (!found)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "%s: neither of the two results has a column \"%.*s\"",
                             rule->percent < 0 ? "--ignore" : "--tolerance", (int)rule->length,
                             rule->name);
    }
    return 0;
}

static int read_all(struct diff *diff, struct error *err)
{
    for (int i = 0; i < 2; i++) {
        char path[PATH];
        if (snprintf(path, sizeof path, "%s/kernels.csv", diff->folders[i]) >= PATH)
            return error_set(err, ERROR_TRACE, diff->folders[i], 0, 0, "the name is too long");
        if (csv_table_read(&diff->frames[i], path, err) != 0 ||
            check_names(diff, i, path, err) != 0)
            return -1;
    }
    return check_rules(diff, err);
}

/* Returns the exit code. */
static int report(struct diff *diff, struct error *err)
{
    size_t rows[2] = {diff->frames[0].rows, diff->frames[1].rows};
    if (pair_rows(diff, err) != 0)
        return -1;
    if (diff->measured && diff->pairs == 0 && rows[0] + rows[1] > 0)
        return error_set(err, ERROR_TRACE, diff->folders[0], 0, 0, "no row of it is in %s",
                         diff->folders[1]);
    compare(diff);
    if (diff->sheet.failed)
        return error_no_memory(err);
    bool longer = rows[0] != rows[1] && !diff->measured;
    bool same = !longer && report_table_rows(&diff->sheet) == 0;
    if (diff->quiet)
        return same ? 0 : 1;
    if (longer)
        printf("rows: %zu and %zu\n", rows[0], rows[1]);
    if (report_table_rows(&diff->sheet) > 0)
        report_table_write_text(&diff->sheet, stdout);
    return same ? 0 : 1;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct diff *diff = data;
    diff->folders = operands;
    return read_all(diff, err) != 0 ? -1 : report(diff, err);
}

int command_diff(int argc, char **argv, struct error *err)
{
    struct diff diff = {0};
    int code = cli_run(&command, argc, argv, &diff, carry_out, err);
    report_table_finish(&diff.sheet);
    free(diff.rows[0]);
    free(diff.rows[1]);
    csv_table_finish(&diff.frames[0]);
    csv_table_finish(&diff.frames[1]);
    free(diff.rules);
    return code;
}
