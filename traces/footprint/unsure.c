#include "traces/footprint/unsure.h"

#include <stdlib.h>

#include "traces/footprint/launch.h"
#include "traces/traces.h"

#define FIRST_SECTORS ((size_t)1 << 14)

void unsure_finish(struct unsure *unsure)
{
    free(unsure->sectors);
    *unsure = (struct unsure){0};
}

static bool is_touched(struct trace_reuse *reuse, uint64_t sector)
{
    uint64_t line = sector / LINE_SECTORS;
    const struct line_table *table = &reuse->table;
    const struct line_slot *slot = line_table_search(table, line >> GROUP_BITS);
    if (slot->group != 0) {
        const struct line_group *group = line_table_group(table, slot->group - 1);
        if (group->lines[line & (GROUP_LINES - 1)].last[sector % LINE_SECTORS] != 0)
            return true;
    }
    return copied_find(&reuse->copied, sector) != 0;
}

int unsure_order(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

void unsure_end(struct trace_reuse *reuse)
{
    struct unsure *unsure = &reuse->unsure;
    size_t kept = 0;
    if (unsure->count == 0)
        return;
    qsort(unsure->sectors, unsure->count, sizeof *unsure->sectors, unsure_order);
    for (size_t i = 0; i < unsure->count; i++) {
        uint64_t sector = unsure->sectors[i];
        if ((kept == 0 || unsure->sectors[kept - 1] != sector) && !is_touched(reuse, sector))
            unsure->sectors[kept++] = sector;
    }
    unsure->count = kept;
}

/* Makes room for one record. Blocks mostly access the same sectors: what there is several times
 * goes first. */
static bool make_room(struct trace_reuse *reuse)
{
    struct unsure *unsure = &reuse->unsure;
    if (unsure->count + TRACE_MAX_SECTORS <= unsure->capacity)
        return true;
    unsure_end(reuse);
    if (unsure->count <= unsure->capacity / 2 && unsure->capacity != 0)
        return true;
    size_t capacity = unsure->capacity == 0 ? FIRST_SECTORS : 2 * unsure->capacity;
    uint64_t *sectors = reallocarray(unsure->sectors, capacity, sizeof *sectors);
    if (sectors == NULL)
        return false;
    unsure->sectors = sectors;
    unsure->capacity = capacity;
    return true;
}

bool unsure_add(struct trace_reuse *reuse, const struct trace_record *record,
                const struct trace_inst *inst, const uint64_t *addresses)
{
    if (!make_room(reuse))
        return false;
    struct unsure *unsure = &reuse->unsure;
    uint64_t sectors[TRACE_MAX_SECTORS];
    unsigned count = trace_record_sectors(record, inst, addresses, sectors);
    for (unsigned i = 0; i < count; i++)
        if (!is_touched(reuse, sectors[i]))
            unsure->sectors[unsure->count++] = sectors[i];
    return true;
}
