#include "tools/commands/diff/diff_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/report_table.h"
#include "traces/base/bytes.h"
#include "traces/base/csv/csv_table.h"
#include "traces/base/number.h"

#define PATH 4096

/* While two results are compared. */
struct check {
    const struct diff_check *options;
    char *const *folders;
    struct csv_table frames[2];
    size_t *rows[2]; /* for each of the two: its rows that are compared */
    size_t pairs;
    struct report_table sheet;
};

static int add_rule(struct diff_check *options, struct diff_rule rule, struct error *err)
{
    if (!array_room(&options->rules, options->rule_count, sizeof *options->rules))
        return error_no_memory(err);
    options->rules[options->rule_count++] = rule;
    return 0;
}

int diff_check_tolerance(struct diff_check *options, const char *value, struct error *err)
{
    const char *equals = strrchr(value, '='), *number = equals != NULL ? equals + 1 : value;
    struct diff_rule rule = {value, equals != NULL ? (size_t)(equals - value) : 0, 0};
    if (number_real(number, &rule.percent) != NUMBER_OK)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--tolerance \"%s\": expected a percentage from 0", value);
    if (equals == value)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--tolerance \"%s\": expected a column before the =", value);
    return add_rule(options, rule, err);
}

int diff_check_ignore(struct diff_check *options, const char *value, struct error *err)
{
    if (value[0] == '\0')
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--ignore \"\": expected a column");
    return add_rule(options, (struct diff_rule){value, strlen(value), -1}, err);
}

static bool is_of(const struct diff_rule *rule, const char *name)
{
    return strlen(name) == rule->length && strncmp(name, rule->name, rule->length) == 0;
}

/* Negative: the column is ignored. */
static double tolerance_of(const struct check *check, const char *name)
{
    static const char *const places[] = {"step",      "segment",    "start_cycle",
                                         "end_cycle", "gap_cycles", "restored_sectors"};
    double percent = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (check->options->measured && strcmp(name, places[i]) == 0)
            return -1;
    for (size_t i = 0; i < check->options->rule_count; i++) {
        const struct diff_rule *rule = &check->options->rules[i];
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

static void pair_measured(struct check *check)
{
    const struct csv_table *a = &check->frames[0], *b = &check->frames[1];
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
        check->rows[0][check->pairs] = r;
        check->rows[1][check->pairs++] = other;
        from = other + 1;
    }
}

static int pair_rows(struct check *check, struct error *err)
{
    for (int i = 0; i < 2; i++) {
        check->rows[i] = calloc(check->frames[0].rows + 1, sizeof *check->rows[i]);
        if (check->rows[i] == NULL)
            return error_no_memory(err);
    }
    if (check->options->measured) {
        pair_measured(check);
        return 0;
    }
    while (check->pairs < check->frames[0].rows && check->pairs < check->frames[1].rows) {
        check->rows[0][check->pairs] = check->rows[1][check->pairs] = check->pairs;
        check->pairs++;
    }
    return 0;
}

/* ---- columns ----------------------------------------------------------- */

/* In percent of the larger one; infinite if a value is not a number. */
static double difference(const struct check *check, size_t pair, size_t ca, size_t cb)
{
    const struct csv_table *a = &check->frames[0], *b = &check->frames[1];
    size_t ra = check->rows[0][pair], rb = check->rows[1][pair];
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

static void compare_column(struct check *check, size_t ca, size_t cb, double tolerance)
{
    const struct csv_table *a = &check->frames[0], *b = &check->frames[1];
    size_t rows = 0, at = 0;
    double most = -1;
    for (size_t pair = 0; pair < check->pairs; pair++) {
        double off = difference(check, pair, ca, cb);
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
    size_t ra = check->rows[0][at], rb = check->rows[1][at],
           launch = csv_table_find(a, "launch");
    const char *where[3] = {launch < a->columns ? csv_table_text(a, ra, launch) : "",
                            csv_table_text(a, ra, ca), csv_table_text(b, rb, cb)};
    add_line(&check->sheet, a->names[ca], rows, most, where);
}

/* Adds a column that only FRAME has. */
static void add_single(struct check *check, const struct csv_table *frame, size_t c)
{
    bool first = frame == &check->frames[0];
    const char *where[3] = {"", first ? "there" : "absent", first ? "absent" : "there"};
    add_line(&check->sheet, frame->names[c], frame->rows, NAN, where);
}

static void compare(struct check *check)
{
    struct csv_table *a = &check->frames[0], *b = &check->frames[1];
    begin_sheet(&check->sheet);
    for (size_t c = 0; c < a->columns; c++) {
        double tolerance = tolerance_of(check, a->names[c]);
        size_t other = csv_table_find(b, a->names[c]);
        if (tolerance < 0)
            continue;
        if (other < b->columns)
            compare_column(check, c, other, tolerance);
        else
            add_single(check, a, c);
    }
    for (size_t c = 0; c < b->columns; c++)
        if (csv_table_find(a, b->names[c]) == a->columns &&
            tolerance_of(check, b->names[c]) >= 0)
            add_single(check, b, c);
}

/* Checks that a name identifies one column. */
static int check_names(const struct check *check, int which, const char *path,
                       struct error *err)
{
    const struct csv_table *frame = &check->frames[which];
    for (size_t c = 0; c < frame->columns; c++)
        if (csv_table_find(frame, frame->names[c]) != c)
            return error_set(err, ERROR_TRACE, path, 1, 0, "two columns are called \"%s\"",
                             frame->names[c]);
    return 0;
}

/* Checks that the columns on the command line exist. */
static int check_rules(const struct check *check, struct error *err)
{
    for (size_t i = 0; i < check->options->rule_count; i++) {
        const struct diff_rule *rule = &check->options->rules[i];
        bool found = rule->length == 0;
        for (int f = 0; f < 2; f++)
            for (size_t c = 0; c < check->frames[f].columns && !found; c++)
                found = is_of(rule, check->frames[f].names[c]);
        if (!found)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "%s: neither of the two results has a column \"%.*s\"",
                             rule->percent < 0 ? "--ignore" : "--tolerance", (int)rule->length,
                             rule->name);
    }
    return 0;
}

static int read_all(struct check *check, struct error *err)
{
    for (int i = 0; i < 2; i++) {
        char path[PATH];
        if (snprintf(path, sizeof path, "%s/kernels.csv", check->folders[i]) >= PATH)
            return error_set(err, ERROR_TRACE, check->folders[i], 0, 0, "the name is too long");
        if (csv_table_read(&check->frames[i], path, err) != 0 ||
            check_names(check, i, path, err) != 0)
            return -1;
    }
    return check_rules(check, err);
}

/* Returns the exit code. */
static int report(struct check *check, struct error *err)
{
    size_t rows[2] = {check->frames[0].rows, check->frames[1].rows};
    if (pair_rows(check, err) != 0)
        return -1;
    if (check->options->measured && check->pairs == 0 && rows[0] + rows[1] > 0)
        return error_set(err, ERROR_TRACE, check->folders[0], 0, 0, "no row of it is in %s",
                         check->folders[1]);
    compare(check);
    if (check->sheet.failed)
        return error_no_memory(err);
    bool longer = rows[0] != rows[1] && !check->options->measured;
    bool same = !longer && report_table_rows(&check->sheet) == 0;
    if (check->options->quiet)
        return same ? 0 : 1;
    if (longer)
        printf("rows: %zu and %zu\n", rows[0], rows[1]);
    if (report_table_rows(&check->sheet) > 0)
        report_table_write_text(&check->sheet, stdout);
    return same ? 0 : 1;
}

int diff_check_run(const struct diff_check *options, char *const folders[2], struct error *err)
{
    struct check check = {.options = options, .folders = folders};
    int code = read_all(&check, err) != 0 ? -1 : report(&check, err);
    report_table_finish(&check.sheet);
    for (int i = 0; i < 2; i++) {
        free(check.rows[i]);
        csv_table_finish(&check.frames[i]);
    }
    return code;
}

void diff_check_finish(struct diff_check *options)
{
    free(options->rules);
}
