#include "sampling/input.h"

#include <stdlib.h>

void sampling_tables_finish(struct sampling_tables *tables)
{
    free(tables->insts);
    free(tables->times);
    free(tables->by_kernel);
    free(tables->first);
    *tables = (struct sampling_tables){0};
}

/* A or B, whichever every row has; PROFILE_COLUMNS if neither. */
static enum profile_column either(const struct profile *profile, enum profile_column a,
                                  enum profile_column b)
{
    uint64_t known = profile_known(profile);
    if (known & PROFILE_BIT(a))
        return a;
    return known & PROFILE_BIT(b) ? b : PROFILE_COLUMNS;
}

static int missing(const struct sampling_input *input, const char *columns,
                   enum profile_column a, enum profile_column b, struct error *err)
{
    const struct profile *profile = input->profile;
    size_t i = 0;
    while (i + 1 < profile->count &&
           (profile_knows(&profile->rows[i], a) || profile_knows(&profile->rows[i], b)))
        i++;
    return error_set(err, ERROR_USAGE, profile->path, profile->rows[i].line, 0,
                     "%s needs %s of every launch; launch %llu has none%s", input->method,
                     columns, (unsigned long long)profile->rows[i].launch,
                     a == PROFILE_TIME_NS ? "; --cycles takes them from a run" : "");
}

static double *read_column(const struct profile *profile, enum profile_column column,
                           struct error *err)
{
    double *values = malloc(profile->count * sizeof *values);
    if (values == NULL)
        error_no_memory(err);
    for (size_t i = 0; values != NULL && i < profile->count; i++)
        values[i] = profile_number(&profile->rows[i], column);
    return values;
}

/* Checks that no launch has 0 in a column that METHOD divides by. */
static int check_positive(const struct sampling_input *input, const double *values,
                          const char *what, struct error *err)
{
    const struct profile *profile = input->profile;
    for (size_t i = 0; i < profile->count; i++)
        if (!(values[i] > 0))
            return error_set(err, ERROR_TRACE, profile->path, profile->rows[i].line, 0,
                             "launch %llu has 0 %s; %s needs more",
                             (unsigned long long)profile->rows[i].launch, what, input->method);
    return 0;
}

static int read_insts(struct sampling_input *input, struct sampling_tables *tables,
                      const struct sampling_method *method, struct error *err)
{
    bool needed = method->needs & SAMPLING_NEED_INSTS;
    enum profile_column column =
        either(input->profile, PROFILE_WARP_INSTS, PROFILE_THREAD_INSTS);
    if (column == PROFILE_COLUMNS && needed)
        return missing(input, "warp_insts or thread_insts", PROFILE_WARP_INSTS,
                       PROFILE_THREAD_INSTS, err);
    if (column == PROFILE_COLUMNS)
        return 0;
    input->unit = column == PROFILE_WARP_INSTS ? SAMPLING_WARP_INSTS : SAMPLING_THREAD_INSTS;
    input->insts = tables->insts = read_column(input->profile, column, err);
    if (tables->insts == NULL)
        return -1;
    bool looked_at = needed || (method->columns & PROFILE_BIT(column));
    return looked_at
               ? check_positive(input, tables->insts, sampling_unit_name(input->unit), err)
               : 0;
}

#define MOST_TIME 1e15 /* cycles or ns of a launch: squares of such times can be summed up */

static int check_times(const struct sampling_input *input, const double *times,
                       const char *unit, struct error *err)
{
    for (size_t i = 0; i < input->profile->count; i++)
        if (times[i] > MOST_TIME)
            return error_set(err, ERROR_USAGE, input->profile->path, 0, 0,
                             "launch %lu took %g %s: more than %g are not a launch's time",
                             (unsigned long)input->profile->rows[i].launch, times[i], unit,
                             MOST_TIME);
    return 0;
}

static int read_times(struct sampling_input *input, struct sampling_tables *tables, bool needed,
                      struct error *err)
{
    enum profile_column column = either(input->profile, PROFILE_TIME_NS, PROFILE_CYCLES);
    if (column == PROFILE_COLUMNS)
        return needed
                   ? missing(input, "time_ns or cycles", PROFILE_TIME_NS, PROFILE_CYCLES, err)
                   : 0;
    input->times = tables->times = read_column(input->profile, column, err);
    if (tables->times == NULL)
        return -1;
    const char *unit = column == PROFILE_TIME_NS ? "ns" : "cycles";
    if (check_times(input, tables->times, unit, err) != 0)
        return -1;
    return needed ? check_positive(input, tables->times, unit, err) : 0;
}

/* Sorts rows by kernel and keeps their order within each: first counts, then places. */
static int group_by_kernel(struct sampling_input *input, struct sampling_tables *tables,
                           struct error *err)
{
    const struct profile *profile = input->profile;
    size_t *first = calloc(profile->kernel_count + 2, sizeof *first);
    size_t *rows = malloc((profile->count + 1) * sizeof *rows);
    input->first = tables->first = first;
    input->by_kernel = tables->by_kernel = rows;
    if (first == NULL || rows == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < profile->count; i++)
        first[profile->rows[i].kernel + 2]++;
    for (size_t k = 2; k < profile->kernel_count + 2; k++)
        first[k] += first[k - 1];
    for (size_t i = 0; i < profile->count; i++)
        rows[first[profile->rows[i].kernel + 1]++] = i;
    input->groups = profile->kernel_count;
    return 0;
}

/* A row, to be sorted by kernel and grid. */
struct gridded_row {
    const struct profile_row *row;
    size_t index;
};

static int compare_kind(const struct profile_row *a, const struct profile_row *b)
{
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (a->grid[i] != b->grid[i])
            return a->grid[i] < b->grid[i] ? -1 : 1;
    return 0;
}

static int compare_rows(const void *a, const void *b)
{
    const struct gridded_row *x = a, *y = b;
    int kind = compare_kind(x->row, y->row);
    return kind != 0 ? kind : x->index < y->index ? -1 : x->index > y->index;
}

/* The same by kernel and grid. */
static int group_by_grid(struct sampling_input *input, struct sampling_tables *tables,
                         struct error *err)
{
    const struct profile *profile = input->profile;
    struct gridded_row *sorted = calloc(profile->count, sizeof *sorted);
    size_t *first = calloc(profile->count + 1, sizeof *first);
    size_t *rows = malloc(profile->count * sizeof *rows);
    input->first = tables->first = first;
    input->by_kernel = tables->by_kernel = rows;
    if (sorted == NULL || first == NULL || rows == NULL) {
        free(sorted);
        return error_no_memory(err);
    }
    for (size_t i = 0; i < profile->count; i++)
        sorted[i] = (struct gridded_row){&profile->rows[i], i};
    qsort(sorted, profile->count, sizeof *sorted, compare_rows);
    for (size_t i = 0; i < profile->count; i++) {
        rows[i] = sorted[i].index;
        if (i == 0 || compare_kind(sorted[i - 1].row, sorted[i].row) != 0)
            first[input->groups++] = i;
    }
    first[input->groups] = profile->count;
    free(sorted);
    return 0;
}

int sampling_input_init(struct sampling_input *input, struct sampling_tables *tables,
                        const struct profile *profile, const struct sampling_method *method,
                        const struct sampling_options *options, struct error *err)
{
    *input =
        (struct sampling_input){.profile = profile, .options = options, .method = method->name};
    if (profile->count == 0)
        return error_set(err, ERROR_TRACE, profile->path, 0, 0, "no launches to choose from");
    if (sampling_check_options(method, options, err) != 0 ||
        profile_require(profile, method->columns, method->name, err) != 0)
        return -1;
    if ((method->needs & SAMPLING_NEED_BBV) && options->bbv == NULL)
        return error_set(
            err, ERROR_USAGE, profile->path, 0, 0,
            "%s needs the basic blocks of the launches; give their file with --bbv",
            method->name);
    if (read_insts(input, tables, method, err) != 0 ||
        read_times(input, tables, method->needs & SAMPLING_NEED_TIME, err) != 0)
        return -1;
    return method->needs & SAMPLING_NEED_GRIDS ? group_by_grid(input, tables, err)
                                               : group_by_kernel(input, tables, err);
}
