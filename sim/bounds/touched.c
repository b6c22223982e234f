#include "sim/bounds/touched.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/hash_index.h"

#define FIRST_LINES 4096
#define LINE        128u
#define SECTORS     4

void touched_finish(struct touched *touched)
{
    free(touched->lines);
    free(touched->ranges);
    memset(touched, 0, sizeof *touched);
}

/* ---- copies ---- */

static bool was_copied(const struct touched *touched, uint64_t line)
{
    size_t low = 0, high = touched->range_count;
    uint64_t first = line * LINE, last = first + (LINE - 1);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (touched->ranges[middle].last < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < touched->range_count && touched->ranges[low].first <= last;
}

bool touched_copy(struct touched *touched, uint64_t address, uint64_t bytes)
{
    if (bytes == 0)
        return true;
    if (touched->range_count == touched->range_capacity) {
        size_t capacity = 2 * touched->range_capacity + 16;
        struct touched_range *ranges = realloc(touched->ranges, capacity * sizeof *ranges);
        if (ranges == NULL)
            return false;
        touched->ranges = ranges;
        touched->range_capacity = capacity;
    }
    uint64_t last = bytes - 1 > UINT64_MAX - address ? UINT64_MAX : address + bytes - 1;
    struct touched_range *ranges = touched->ranges;
    size_t from = 0, to;
    while (from < touched->range_count && ranges[from].last < address)
        from++;
    for (to = from; to < touched->range_count && ranges[to].first <= last; to++) {
        address = ranges[to].first < address ? ranges[to].first : address;
        last = ranges[to].last > last ? ranges[to].last : last;
    }
    memmove(&ranges[from + 1], &ranges[to], (touched->range_count - to) * sizeof *ranges);
    ranges[from] = (struct touched_range){address, last};
    touched->range_count = touched->range_count - (to - from) + 1;
    return true;
}

/* ---- lines ---- */

static struct touched_sectors *slot_of(struct touched_sectors *lines, size_t capacity,
                                       uint64_t number)
{
    size_t at = (size_t)(hash_index_hash(number) >> 20) & (capacity - 1);
    while (lines[at].number != 0 && lines[at].number != number)
        at = (at + 1) & (capacity - 1);
    return &lines[at];
}

static bool grow(struct touched *touched)
{
    size_t capacity = touched->capacity ? 2 * touched->capacity : FIRST_LINES;
    struct touched_sectors *lines = calloc(capacity, sizeof *lines);
    if (lines == NULL)
        return false;
    for (size_t i = 0; i < touched->capacity; i++)
        if (touched->lines[i].number != 0)
            *slot_of(lines, capacity, touched->lines[i].number) = touched->lines[i];
    free(touched->lines);
    touched->lines = lines;
    touched->capacity = capacity;
    return true;
}

/* LINE with the masks of this launch; NULL without memory. */
static struct touched_sectors *line_of(struct touched *touched, uint64_t line)
{
    if (2 * touched->count >= touched->capacity && !grow(touched))
        return NULL;
    struct touched_sectors *found = slot_of(touched->lines, touched->capacity, line + 1);
    if (found->number != 0 && found->launch == touched->launch)
        return found;
    touched->count += found->number == 0;
    uint8_t copied = touched->all_before || was_copied(touched, line) ? (1u << SECTORS) - 1 : 0;
    *found = (struct touched_sectors){.number = line + 1,
                                      .launch = touched->launch,
                                      .before = found->before | found->any | copied};
    return found;
}

void touched_next_launch(struct touched *touched)
{
    touched->launch++;
}

bool touched_add(struct touched *touched, const uint64_t *sectors, unsigned count, bool reads,
                 bool writes)
{
    for (unsigned i = 0; i < count; i++) {
        struct touched_sectors *line = line_of(touched, sectors[i] / SECTORS);
        if (line == NULL)
            return false;
        uint8_t bit = (uint8_t)(1u << sectors[i] % SECTORS);
        line->more |= line->any & bit;
        if (reads && !(line->any & bit))
            line->read_first |= bit;
        line->any |= bit;
        line->read |= reads ? bit : 0;
        line->written |= writes ? bit : 0;
    }
    return true;
}

/* The sectors of LINE that lie in a block with one of SECTORS; PER of them are a block. */
static uint8_t blocks_with(uint8_t sectors, uint32_t per)
{
    uint8_t block = (uint8_t)((1u << per) - 1), all = 0;
    for (uint32_t from = 0; from < SECTORS; from += per)
        if (sectors & block << from)
            all |= (uint8_t)(block << from);
    return all;
}

static uint64_t bits(uint8_t mask)
{
    return (uint64_t)__builtin_popcount(mask);
}

void touched_count(const struct touched *touched, uint32_t fetch, struct touched_totals *totals)
{
    memset(totals, 0, sizeof *totals);
    for (size_t i = 0; i < touched->capacity; i++) {
        const struct touched_sectors *line = &touched->lines[i];
        if (line->number == 0 || line->launch != touched->launch)
            continue;
        uint8_t known = blocks_with(line->before, fetch / 32);
        totals->read += bits(line->read);
        totals->written += bits(line->written);
        totals->read_only += bits(line->read & (uint8_t)~line->written);
        totals->read_first += bits(line->read_first);
        totals->fetched += bits(line->read_first & (uint8_t)~known);
    }
}

bool touched_alone(const struct touched *touched, const uint64_t *sectors, unsigned count,
                   uint32_t fetch, bool *cold)
{
    bool alone = false;
    *cold = false;
    for (unsigned i = 0; i < count; i++) {
        const struct touched_sectors *line =
            slot_of(touched->lines, touched->capacity, sectors[i] / SECTORS + 1);
        uint8_t bit = (uint8_t)(1u << sectors[i] % SECTORS), own = 0;
        if (line->more & bit)
            continue;
        alone = true;
        for (unsigned j = 0; j < count; j++)
            if (sectors[j] / SECTORS == sectors[i] / SECTORS)
                own |= (uint8_t)(1u << sectors[j] % SECTORS);
        uint8_t block = blocks_with(bit, fetch / 32);
        *cold |= ((line->before | line->more) & block) == 0 && (line->any & block & ~own) == 0;
    }
    return alone;
}
