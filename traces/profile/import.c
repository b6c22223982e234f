/* Puts launches together from what other programs write. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"
#include "traces/profile/format.h"

size_t import_find(const struct import *import, const char *name)
{
    size_t i = 0;
    while (i < import->source_count && strcmp(import->sources[i].name, name) != 0)
        i++;
    return i;
}

void import_begin(struct import *import, const struct csv_file *csv)
{
    import->row = (struct profile_row){.line = (uint32_t)csv_file_line(csv)};
    import->known = 0;
    memset(import->counts, 0, sizeof import->counts);
    memset(import->rank, 0, sizeof import->rank);
}

static void set_extra(struct import *import, unsigned column, uint64_t count)
{
    import->counts[column - PROFILE_COLUMNS] = count;
    import->known |= UINT64_C(1) << (column - PROFILE_COLUMNS);
}

static bool knows_extra(const struct import *import, unsigned column)
{
    return (import->known >> (column - PROFILE_COLUMNS) & 1) != 0;
}

static uint64_t extra(const struct import *import, unsigned column)
{
    return import->counts[column - PROFILE_COLUMNS];
}

/* ---- fields ------------------------------------------------------------ */

static int fail(const struct profile_source *source, const struct csv_file *csv, size_t field,
                enum number_kind kind, struct error *err)
{
    static const char *const expected[] = {
        [NUMBER_WRONG] = "a number from 0 is expected",
        [NUMBER_FRACTION] = "a whole number is expected",
        [NUMBER_LARGE] = "it is too large",
    };
    return csv_file_fail(csv, field, err, "%s \"%.40s\": %s", source->name,
                         csv_file_field(csv, field), expected[kind]);
}

/* "(64, 1, 1)" */
static int take_triple(struct import *import, const struct profile_source *source,
                       const struct csv_file *csv, size_t field, struct error *err)
{
    unsigned first = source->column == SOURCE_GRID ? PROFILE_GRID_X : PROFILE_BLOCK_X;
    unsigned long sizes[3];
    char end;
    if (sscanf(csv_file_field(csv, field), "(%9lu,%9lu,%9lu%c", &sizes[0], &sizes[1], &sizes[2],
               &end) != 4 ||
        end != ')')
        return csv_file_fail(csv, field, err, "%s \"%.40s\": (x, y, z) is expected",
                             source->name, csv_file_field(csv, field));
    for (unsigned i = 0; i < 3; i++) {
        column_set_count(&import->row, (enum profile_column)(first + i), sizes[i]);
        import->rank[first + i] = import->rank[source->column];
    }
    return 0;
}

/* "kernel-5.trace", "kernel-5-ctx_0x55.trace.xz" */
static int take_trace(struct import *import, const struct csv_file *csv, size_t field,
                      struct error *err)
{
    const char *text = csv_file_field(csv, field);
    const char *digits = text + 7;
    uint64_t launch;
    if (strncmp(text, "kernel-", 7) != 0 || !number_next(&digits, UINT64_MAX, &launch))
        return csv_file_fail(
            csv, field, err,
            "kernel id \"%.40s\": the name of a trace, kernel-N..., is expected", text);
    column_set_count(&import->row, PROFILE_LAUNCH, launch);
    return 0;
}

static int take_name(struct import *import, const char *name, struct error *err)
{
    uint32_t kernel = profile_kernel(import->profile, name, err);
    column_set_count(&import->row, PROFILE_KERNEL, kernel);
    return kernel != UINT32_MAX ? 0 : -1;
}

/* A name without the number after it, which stands between OPEN and CLOSE:
 * "name--4", "name [12]". */
static int take_numbered_name(struct import *import, const char *text, const char *open,
                              const char *close, struct error *err)
{
    size_t length = strlen(text), end = strlen(close), start = strlen(open);
    size_t at = length >= end && strcmp(text + length - end, close) == 0 ? length - end : 0;
    size_t digits = at;
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9')
        digits--;
    if (digits == at || digits <= start || strncmp(text + digits - start, open, start) != 0)
        return take_name(import, text, err);
    char *name = strndup(text, digits - start);
    int rc = name != NULL ? take_name(import, name, err)
                          : error_no_memory_for(err, ERROR_TRACE, NULL);
    free(name);
    return rc;
}

static int take_number(struct import *import, const struct profile_source *source,
                       const struct csv_file *csv, size_t field, const char *unit,
                       struct error *err)
{
    const char *text = csv_file_field(csv, field);
    enum number_kind kind;
    enum profile_column column = (enum profile_column)source->column;
    bool own = source->column < PROFILE_COLUMNS;
    double factor = number_unit(unit, column == PROFILE_TIME_NS), real;
    uint64_t count;
    if (factor == 0)
        return csv_file_fail(csv, field, err, "%s is in \"%.20s\": %s is expected",
                             source->name, unit,
                             column == PROFILE_TIME_NS ? "a unit of time" : "a count");
    if (own && profile_column_info(column)->type == PROFILE_REAL) {
        kind = number_grouped_real(text, factor, &real);
        if (kind == NUMBER_OK)
            column_set_real(&import->row, column, real);
    } else {
        kind =
            number_grouped_count(text, factor, own ? column_most(column) : UINT64_MAX, &count);
        if (kind == NUMBER_OK && own)
            column_set_count(&import->row, column, count);
        else if (kind == NUMBER_OK)
            set_extra(import, source->column, count);
    }
    return kind == NUMBER_OK ? 0 : fail(source, csv, field, kind, err);
}

int import_take(struct import *import, size_t index, const struct csv_file *csv, size_t field,
                const char *unit, struct error *err)
{
    const struct profile_source *source = &import->sources[index];
    const char *text = csv_file_field(csv, field);
    unsigned char *rank = &import->rank[source->column];
    if (number_is_absent(text) || (*rank != 0 && *rank <= index))
        return 0;
    *rank = (unsigned char)(index + 1);
    switch (source->column) {
    case PROFILE_KERNEL:
        return take_name(import, text, err);
    case SOURCE_KERNEL_REPEAT:
        return take_numbered_name(import, text, "--", "", err);
    case SOURCE_KERNEL_ID:
        return take_numbered_name(import, text, " [", "]", err);
    case SOURCE_GRID:
    case SOURCE_BLOCK:
        return take_triple(import, source, csv, field, err);
    case SOURCE_TRACE:
        return take_trace(import, csv, field, err);
    default:
        return take_number(import, source, csv, field, unit, err);
    }
}

/* ---- launches ---------------------------------------------------------- */

/* A grid or block of which only the size is known: all of it along x. */
static void complete_dims(struct profile_row *row, enum profile_column x)
{
    if (profile_knows(row, x) && !profile_knows(row, x + 1) && !profile_knows(row, x + 2)) {
        column_set_count(row, x + 1, 1);
        column_set_count(row, x + 2, 1);
    }
}

/* Adds the extra source EXTRA to COLUMN; false if the sum does not fit. */
static bool add_extra(struct import *import, enum profile_column column, unsigned source)
{
    struct profile_row *row = &import->row;
    uint64_t sum;
    if (!profile_knows(row, column) || !knows_extra(import, source))
        return true;
    if (__builtin_add_overflow(column_count(row, column), extra(import, source), &sum) ||
        sum > column_most(column))
        return false;
    column_set_count(row, column, sum);
    return true;
}

/* Sectors of all global and local accesses, if none of the kinds is unknown.
 * A launch without atomics has no sectors of them, whether they were counted
 * or not. */
static void complete_requests(struct import *import)
{
    static const uint64_t loads = PROFILE_BIT(PROFILE_GLD_SECTORS) |
                                  PROFILE_BIT(PROFILE_GST_SECTORS) |
                                  PROFILE_BIT(PROFILE_LLD_SECTORS);
    struct profile_row *row = &import->row;
    bool atomics =
        (knows_extra(import, SOURCE_ATOM_SECTORS) && knows_extra(import, SOURCE_RED_SECTORS)) ||
        (profile_knows(row, PROFILE_GATOM_INSTS) && row->gatom_insts == 0);
    if (profile_knows(row, PROFILE_MEM_REQUESTS) || (row->known & loads) != loads ||
        !knows_extra(import, SOURCE_LST_SECTORS) || !atomics)
        return;
    column_set_count(row, PROFILE_MEM_REQUESTS,
                     row->gld_sectors + row->gst_sectors + row->lld_sectors +
                         extra(import, SOURCE_LST_SECTORS) +
                         extra(import, SOURCE_ATOM_SECTORS) +
                         extra(import, SOURCE_RED_SECTORS));
}

static void complete(struct import *import)
{
    struct profile_row *row = &import->row;
    complete_dims(row, PROFILE_GRID_X);
    complete_dims(row, PROFILE_BLOCK_X);
    if (!profile_knows(row, PROFILE_DIVERGENCE) && profile_knows(row, PROFILE_THREAD_INSTS) &&
        profile_knows(row, PROFILE_WARP_INSTS) && row->warp_insts > 0)
        column_set_real(row, PROFILE_DIVERGENCE,
                        (double)row->thread_insts / (double)row->warp_insts);
    complete_requests(import);
    if (!profile_knows(row, PROFILE_LAUNCH))
        column_set_count(row, PROFILE_LAUNCH,
                         knows_extra(import, SOURCE_ID) ? extra(import, SOURCE_ID) + 1
                                                        : import->launches);
}

int import_end(struct import *import, const struct csv_file *csv, struct error *err)
{
    import->launches++;
    if (!profile_knows(&import->row, PROFILE_KERNEL))
        return csv_file_fail(csv, 0, err, "the launch has no kernel name");
    if (!add_extra(import, PROFILE_SHMEM, SOURCE_DYNAMIC_SHMEM) ||
        !add_extra(import, PROFILE_GATOM_INSTS, SOURCE_RED_INSTS))
        return csv_file_fail(csv, 0, err, "a sum of two counts is too large");
    complete(import);
    return profile_add(import->profile, &import->row, err);
}
