/* Tables of other programs with a row a launch. */
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"
#include "traces/profile/format.h"

struct wide {
    struct import import;
    size_t count;    /* fields of a row */
    size_t *sources; /* of each field; source_count: none */
    char **units;    /* of each field; NULL: none */
    size_t kernel;   /* the field with the name */
    bool begun;      /* a launch was read: no row of units any more */
};

static void finish(struct wide *wide)
{
    for (size_t i = 0; wide->units != NULL && i < wide->count; i++)
        free(wide->units[i]);
    free(wide->units);
    free(wide->sources);
}

static int set_unit(struct wide *wide, size_t field, const char *unit, size_t length,
                    struct error *err)
{
    free(wide->units[field]);
    wide->units[field] = strndup(unit, length);
    return wide->units[field] != NULL
               ? 0
               : error_no_memory_for(err, ERROR_TRACE, wide->import.profile->path);
}

/* Finds what a column of the header is, and its unit if it stands with it:
 * "Duration (ns)". */
static int read_name(struct wide *wide, const char *name, size_t field, struct error *err)
{
    size_t length = strlen(name), start = length;
    wide->sources[field] = import_find(&wide->import, name);
    if (wide->sources[field] < wide->import.source_count || length == 0 ||
        name[length - 1] != ')')
        return 0;
    while (start > 0 && name[start] != '(')
        start--;
    if (start < 2 || name[start - 1] != ' ')
        return 0;
    char *plain = strndup(name, start - 1);
    if (plain == NULL ||
        set_unit(wide, field, name + start + 1, length - start - 2, err) != 0) {
        free(plain);
        return error_no_memory_for(err, ERROR_TRACE, wide->import.profile->path);
    }
    const char *unit = wide->units[field];
    if (number_unit(unit, true) != 0 || number_unit(unit, false) != 0)
        wide->sources[field] = import_find(&wide->import, plain);
    free(plain);
    return 0;
}

static bool is_kernel(const struct wide *wide, size_t field)
{
    size_t source = wide->sources[field];
    unsigned column =
        source < wide->import.source_count ? wide->import.sources[source].column : 0;
    return source < wide->import.source_count &&
           (column == PROFILE_KERNEL || column == SOURCE_KERNEL_REPEAT ||
            column == SOURCE_KERNEL_ID);
}

static int read_header(struct wide *wide, const struct csv_file *csv, struct error *err)
{
    wide->count = wide->kernel = csv->count;
    wide->sources = malloc((csv->count + 1) * sizeof *wide->sources);
    wide->units = calloc(csv->count + 1, sizeof *wide->units);
    if (wide->sources == NULL || wide->units == NULL)
        return error_no_memory_for(err, ERROR_TRACE, wide->import.profile->path);
    for (size_t i = 0; i < csv->count; i++) {
        const char *name = csv_file_field(csv, i);
        if (read_name(wide, name, i, err) != 0)
            return -1;
        for (size_t j = 0; j < i && wide->sources[i] < wide->import.source_count; j++)
            if (wide->sources[j] == wide->sources[i])
                return csv_file_fail(csv, i, err, "the header has column %s twice", name);
        if (is_kernel(wide, i) &&
            (wide->kernel == csv->count || wide->sources[i] < wide->sources[wide->kernel]))
            wide->kernel = i;
    }
    return 0;
}

static int read_units(struct wide *wide, const struct csv_file *csv, struct error *err)
{
    for (size_t i = 0; i < csv->count; i++) {
        const char *unit = csv_file_field(csv, i);
        if (unit[0] != '\0' && set_unit(wide, i, unit, strlen(unit), err) != 0)
            return -1;
    }
    wide->begun = true;
    return 0;
}

/* Copies and memsets of GPU traces. */
static bool is_copy(const char *name)
{
    return strncmp(name, "[CUDA mem", 9) == 0;
}

static int read_row(struct wide *wide, const struct csv_file *csv, struct error *err)
{
    if (format_check_length(csv, wide->count, err) != 0)
        return -1;
    const char *name = csv_file_field(csv, wide->kernel);
    if (name[0] == '\0' && !wide->begun)
        return read_units(wide, csv, err);
    wide->begun = true;
    if (is_copy(name))
        return 0;
    import_begin(&wide->import, csv);
    for (size_t i = 0; i < wide->count; i++)
        if (wide->sources[i] < wide->import.source_count &&
            import_take(&wide->import, wide->sources[i], csv, i,
                        wide->units[i] != NULL ? wide->units[i] : "", err) != 0)
            return -1;
    return import_end(&wide->import, csv, err);
}

int wide_read(struct profile *profile, struct csv_file *csv,
              const struct profile_source *sources, size_t count, struct error *err)
{
    struct wide wide = {
        .import = {.profile = profile, .sources = sources, .source_count = count}};
    int rc = read_header(&wide, csv, err);
    while (rc == 0 && (rc = csv_file_next(csv, err)) == 1)
        rc = read_row(&wide, csv, err);
    finish(&wide);
    return rc;
}
