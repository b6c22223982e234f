/* Cycles of a profile's launches from the results of a run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"
#include "traces/profile/format.h"

/* Columns of kernels.csv. */
enum { LAUNCH, KERNEL, ROLE, MODE, CYCLES, FIELDS };

struct filler {
    struct profile *profile;
    const struct profile_latency *latency;
    struct csv_file csv;
    size_t fields[FIELDS];
    size_t count;              /* fields of a row */
    struct profile_row **rows; /* sorted by launch */
    unsigned char *filled;     /* of each of these */
    long total;
};

static int compare_rows(const void *a, const void *b)
{
    const struct profile_row *x = *(struct profile_row *const *)a;
    const struct profile_row *y = *(struct profile_row *const *)b;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static int init(struct filler *filler, struct error *err)
{
    struct profile *profile = filler->profile;
    filler->rows = malloc((profile->count + 1) * sizeof *filler->rows);
    filler->filled = calloc(profile->count + 1, 1);
    if (filler->rows == NULL || filler->filled == NULL)
        return error_no_memory_for(err, ERROR_TRACE, profile->path);
    for (size_t i = 0; i < profile->count; i++)
        filler->rows[i] = &profile->rows[i];
    qsort(filler->rows, profile->count, sizeof *filler->rows, compare_rows);
    return 0;
}

static int read_header(struct filler *filler, struct error *err)
{
    static const char *const names[] = {"launch", "kernel", "role", "mode", "cycles"};
    struct csv_file *csv = &filler->csv;
    int rc = csv_file_next(csv, err);
    if (rc < 0)
        return -1;
    filler->count = csv->count;
    for (size_t i = 0; i < FIELDS; i++) {
        filler->fields[i] = format_find(csv, names[i]);
        if (filler->fields[i] == csv->count)
            return error_set(err, ERROR_TRACE, csv->name, 1, 0,
                             "not the kernels.csv of a run: there is no column %s", names[i]);
    }
    return 0;
}

/* The index of LAUNCH among the rows; the profile's count if it has none. */
static size_t find_row(const struct filler *filler, uint64_t launch)
{
    size_t low = 0, high = filler->profile->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (filler->rows[middle]->launch < launch)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < filler->profile->count && filler->rows[low]->launch == launch;
    return found ? low : filler->profile->count;
}

/* MEASURED, of the launch of ROW, without latency. That of blocks is left in where the profile
 * does not know their number. */
static double without_latency(const struct filler *filler, const struct profile_row *row,
                              double measured)
{
    const struct profile_latency *latency = filler->latency;
    double blocks = profile_blocks(row);
    double part = latency->launch + (blocks > 0 ? latency->block * blocks : 0);
    return part < measured ? measured - part : 0;
}

static int fill(struct filler *filler, size_t i, double measured, struct error *err)
{
    const struct csv_file *csv = &filler->csv;
    struct profile_row *row = filler->rows[i];
    double cycles = without_latency(filler, row, measured);
    const char *kernel = csv_file_field(csv, filler->fields[KERNEL]);
    if (strcmp(kernel, filler->profile->kernels[row->kernel]) != 0)
        return csv_file_fail(csv, filler->fields[KERNEL], err,
                             "launch %lu is kernel %.100s here, %.100s in the profile",
                             (unsigned long)row->launch, kernel,
                             filler->profile->kernels[row->kernel]);
    if (filler->filled[i] && row->cycles != cycles)
        return csv_file_fail(csv, filler->fields[CYCLES], err,
                             "launch %lu took %.15g cycles before, here %.15g",
                             (unsigned long)row->launch, row->cycles, cycles);
    filler->total += !filler->filled[i];
    filler->filled[i] = 1;
    column_set_real(row, PROFILE_CYCLES, cycles);
    return 0;
}

static int read_row(struct filler *filler, struct error *err)
{
    const struct csv_file *csv = &filler->csv;
    uint64_t launch;
    double cycles;
    if (format_check_length(csv, filler->count, err) != 0)
        return -1;
    if (strcmp(csv_file_field(csv, filler->fields[ROLE]), "measure") != 0 ||
        strcmp(csv_file_field(csv, filler->fields[MODE]), "detailed") != 0)
        return 0;
    if (number_count(csv_file_field(csv, filler->fields[LAUNCH]), UINT64_MAX, &launch) !=
        NUMBER_OK)
        return csv_file_fail(csv, filler->fields[LAUNCH], err, "a launch number is expected");
    if (number_real(csv_file_field(csv, filler->fields[CYCLES]), &cycles) != NUMBER_OK)
        return csv_file_fail(csv, filler->fields[CYCLES], err,
                             "a number of cycles is expected");
    size_t i = find_row(filler, launch);
    return i < filler->profile->count ? fill(filler, i, cycles, err) : 0;
}

long profile_fill_cycles(struct profile *profile, const char *path,
                         const struct profile_latency *latency, struct error *err)
{
    struct filler filler = {.profile = profile, .latency = latency};
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot read: %s", strerror(errno));
    int rc = init(&filler, err);
    if (rc == 0)
        rc = csv_file_init(&filler.csv, in, path, err);
    if (rc == 0)
        rc = read_header(&filler, err);
    while (rc == 0 && (rc = csv_file_next(&filler.csv, err)) == 1)
        rc = read_row(&filler, err);
    csv_file_finish(&filler.csv);
    free(filler.rows);
    free(filler.filled);
    fclose(in);
    return rc == 0 ? filler.total : -1;
}
