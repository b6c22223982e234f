#include "traces/profile/columns.h"

#include <math.h>
#include <string.h>

#define COLUMN(id, name, field, type, unit, description)                                       \
    {name, PROFILE_##type, unit, description},
static const struct profile_column_info infos[] = {
#include "traces/profile/columns.def"
};
#undef COLUMN

/* Where the fields are. */
#define COLUMN(id, name, field, type, unit, description)                                       \
    {offsetof(struct profile_row, field), sizeof(((struct profile_row *)0)->field)},
static const struct {
    size_t at, size;
} fields[] = {
#include "traces/profile/columns.def"
};
#undef COLUMN

const struct profile_column_info *profile_column_info(enum profile_column column)
{
    return &infos[column];
}

enum profile_column column_find(const char *name)
{
    unsigned i = 0;
    while (i < PROFILE_COLUMNS && strcmp(infos[i].name, name) != 0)
        i++;
    return (enum profile_column)i;
}

uint64_t column_most(enum profile_column column)
{
    return fields[column].size == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;
}

static void set(struct profile_row *row, enum profile_column column, const void *value)
{
    memcpy((char *)row + fields[column].at, value, fields[column].size);
    row->known |= PROFILE_BIT(column);
}

void column_set_count(struct profile_row *row, enum profile_column column, uint64_t value)
{
    uint32_t small = (uint32_t)value;
    if (fields[column].size == sizeof small)
        set(row, column, &small);
    else
        set(row, column, &value);
}

void column_set_real(struct profile_row *row, enum profile_column column, double value)
{
    set(row, column, &value);
}

uint64_t column_count(const struct profile_row *row, enum profile_column column)
{
    uint64_t value;
    uint32_t small;
    const char *at = (const char *)row + fields[column].at;
    if (fields[column].size == sizeof value) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    memcpy(&small, at, sizeof small);
    return small;
}

double column_real(const struct profile_row *row, enum profile_column column)
{
    double value;
    memcpy(&value, (const char *)row + fields[column].at, sizeof value);
    return value;
}

double profile_number(const struct profile_row *row, enum profile_column column)
{
    if (!profile_knows(row, column) || infos[column].type == PROFILE_TEXT)
        return NAN;
    return infos[column].type == PROFILE_REAL ? column_real(row, column)
                                              : (double)column_count(row, column);
}

static double product(const struct profile_row *row, uint64_t columns, const uint32_t dims[3])
{
    if ((row->known & columns) != columns)
        return NAN;
    return (double)dims[0] * dims[1] * dims[2];
}

double profile_blocks(const struct profile_row *row)
{
    return product(row, PROFILE_GRID, row->grid);
}

double profile_block_threads(const struct profile_row *row)
{
    return product(row, PROFILE_BLOCK, row->block);
}
