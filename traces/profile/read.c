/* Finds the format of a file and reads it. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "traces/profile/format.h"

static const struct format *const formats[] = {
    &format_profile,      &format_nsight_metrics, &format_nsight,
    &format_tracer_stats, &format_accel_sim,      &format_gpu_trace,
};
#define FORMATS (sizeof formats / sizeof *formats)

size_t format_find(const struct csv_file *csv, const char *name)
{
    size_t i = 0;
    while (i < csv->count && strcmp(csv_file_field(csv, i), name) != 0)
        i++;
    return i;
}

bool format_has(const struct csv_file *csv, const char *name)
{
    return format_find(csv, name) < csv->count;
}

int format_check_length(const struct csv_file *csv, size_t header, struct error *err)
{
    if (csv->count == header)
        return 0;
    return csv_file_fail(csv, csv->count < header ? csv->count : header, err,
                         "the row has %zu fields, the header has %zu", csv->count, header);
}

/* ---- checks across rows ------------------------------------------------ */

struct column_place {
    uint64_t launch;
    size_t row;
};

static int compare_places(const void *a, const void *b)
{
    const struct column_place *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* The first row, in the order of the file, whose launch an earlier row has. */
static int check_repeats(const struct profile *profile, struct error *err)
{
    struct column_place *places = malloc(profile->count * sizeof *places);
    size_t found = SIZE_MAX, first = 0;
    if (places == NULL)
        return error_no_memory_for(err, ERROR_TRACE, profile->path);
    for (size_t i = 0; i < profile->count; i++)
        places[i] = (struct column_place){profile->rows[i].launch, i};
    qsort(places, profile->count, sizeof *places, compare_places);
    for (size_t i = 1; i < profile->count; i++)
        if (places[i].launch == places[i - 1].launch && places[i].row < found) {
            found = places[i].row;
            first = places[i - 1].row;
        }
    free(places);
    if (found == SIZE_MAX)
        return 0;
    return error_set(err, ERROR_TRACE, profile->path, (long)profile->rows[found].line, 0,
                     "launch %lu is already in line %u",
                     (unsigned long)profile->rows[found].launch, profile->rows[first].line);
}

static int read_all(struct profile *profile, struct csv_file *csv, struct error *err)
{
    int rc = csv_file_next(csv, err);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return error_set(err, ERROR_TRACE, profile->path, 0, 0, "the file is empty");
    for (size_t i = 0; i < FORMATS; i++) {
        if (!formats[i]->probe(csv))
            continue;
        profile->format = formats[i]->name;
        if (formats[i]->read(profile, csv, err) != 0)
            return -1;
        if (profile->count == 0)
            return error_set(err, ERROR_TRACE, profile->path, 0, 0, "it holds no launch");
        return check_repeats(profile, err);
    }
    return csv_file_fail(csv, 0, err,
                         "not the header of a profile: columns launch and kernel are needed, "
                         "or those of a profiler that is known");
}

struct profile *profile_read(FILE *in, const char *name, struct error *err)
{
    struct csv_file csv;
    struct profile *profile = profile_create(name, err);
    if (profile == NULL)
        return NULL;
    int rc = csv_file_init(&csv, in, profile->path, err);
    if (rc == 0)
        rc = read_all(profile, &csv, err);
    csv_file_finish(&csv);
    if (rc != 0) {
        profile_destroy(profile);
        return NULL;
    }
    return profile;
}

bool profile_is_table(const char *path)
{
    static const char *const endings[] = {".csv", ".tsv"};
    size_t length = strlen(path);
    struct stat status;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > 4 && strcasecmp(path + length - 4, endings[i]) == 0)
            return stat(path, &status) != 0 || !S_ISDIR(status.st_mode);
    return false;
}

struct profile *profile_open(const char *path, struct error *err)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        error_set(err, ERROR_TRACE, path, 0, 0, "cannot read: %s", strerror(errno));
        return NULL;
    }
    struct profile *profile = profile_read(in, path, err);
    fclose(in);
    return profile;
}
