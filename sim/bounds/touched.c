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
    free(touched->sizes);
    free(touched->largest);
    free(touched->regions);
    memset(touched, 0, sizeof *touched);
}

/* ---- copies ---- */

/* Whether LINE was copied after launch number LAUNCH. */
static bool was_copied(const struct touched *touched, uint64_t line, uint32_t launch)
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
    return low < touched->range_count && touched->ranges[low].first <= last &&
           touched->ranges[low].launch >= launch;
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
    ranges[from] = (struct touched_range){address, last, touched->launch};
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

/* The sectors of LINE, whose entry FOUND an earlier launch left (or nobody), that may be in
 * L2. */
static uint8_t known_before(const struct touched *touched, const struct touched_sectors *found,
                            uint64_t line)
{
    const uint8_t all = (1u << SECTORS) - 1;
    if (touched->all_before || was_copied(touched, line, found->launch))
        return all;
    if (found->number == 0)
        return touched->unseen ? all : 0;
    if (touched->reach == 0)
        return found->before | found->any;
    /* Lines that other launches, the rest of that one and this one until now touched: each of
     * these numbers is of different lines. */
    uint32_t later = touched->largest[found->launch + 1];
    uint32_t rest = touched->sizes[found->launch] - found->order;
    uint32_t now = touched->sizes[touched->launch];
    bool gone = later > touched->reach || rest > touched->reach || now > touched->reach;
    return gone ? 0 : found->before | found->any;
}

/* ---- regions ---- */

/* The index of the first region from NUMBER on. */
static size_t find_region(const struct touched *touched, uint64_t number)
{
    size_t low = 0, high = touched->region_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (touched->regions[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert_region(struct touched *touched, size_t at, uint64_t number)
{
    if (touched->region_count == touched->region_capacity) {
        size_t capacity = 2 * touched->region_capacity + 64;
        struct touched_region *regions = realloc(touched->regions, capacity * sizeof *regions);
        if (regions == NULL)
            return false;
        touched->regions = regions;
        touched->region_capacity = capacity;
    }
    memmove(&touched->regions[at + 1], &touched->regions[at],
            (touched->region_count - at) * sizeof *touched->regions);
    touched->regions[at] = (struct touched_region){number, touched->launch};
    touched->region_count++;
    return true;
}

/* Notes the region of LINE. Returns false if memory is short. */
static bool note_region(struct touched *touched, uint64_t line)
{
    uint64_t number = line * LINE / touched->region_bytes;
    size_t at = touched->region_last;
    if (at >= touched->region_count || touched->regions[at].number != number) {
        at = find_region(touched, number);
        if ((at == touched->region_count || touched->regions[at].number != number) &&
            !insert_region(touched, at, number))
            return false;
        touched->region_last = at;
    }
    touched->translated |= touched->regions[at].launch != touched->launch;
    return true;
}

/* ---- accesses ---- */

/* LINE with the masks of this launch; NULL without memory. */
static struct touched_sectors *line_of(struct touched *touched, uint64_t line)
{
    if (2 * touched->count >= touched->capacity && !grow(touched))
        return NULL;
    struct touched_sectors *found = slot_of(touched->lines, touched->capacity, line + 1);
    if (found->number != 0 && found->launch == touched->launch)
        return found;
    if (touched->region_bytes != 0 && !note_region(touched, line))
        return NULL;
    touched->count += found->number == 0;
    *found = (struct touched_sectors){.number = line + 1,
                                      .launch = touched->launch,
                                      .before = known_before(touched, found, line)};
    touched->sizes[touched->launch]++;
    return found;
}

bool touched_next_launch(struct touched *touched)
{
    if (touched->launch + 2 > touched->size_capacity) {
        size_t capacity = 2 * touched->size_capacity + 64;
        uint32_t *sizes = realloc(touched->sizes, capacity * sizeof *sizes);
        uint32_t *largest = realloc(touched->largest, capacity * sizeof *largest);
        touched->sizes = sizes != NULL ? sizes : touched->sizes;
        touched->largest = largest != NULL ? largest : touched->largest;
        if (sizes == NULL || largest == NULL)
            return false;
        touched->size_capacity = capacity;
    }
    /* `largest` never rises from one launch to the next: most often only the last one changes.
     */
    uint32_t ended = touched->launch;
    for (uint32_t i = ended; i >= 1 && touched->largest[i] < touched->sizes[ended]; i--)
        touched->largest[i] = touched->sizes[ended];
    touched->launch++;
    touched->sizes[touched->launch] = touched->largest[touched->launch] = 0;
    touched->most_atomics = 0;
    touched->translated = touched->all_before;
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

/* WARP of BLOCK touches sector BIT of LINE, which L2 fetches with the sectors FETCHED. */
static void note_owner(struct touched_sectors *line, uint32_t block, uint32_t warp, uint8_t bit,
                       uint8_t fetched)
{
    bool same = line->block == block;
    line->here = same ? line->here : 0;
    line->in_warp = same && line->warp == warp ? line->in_warp : 0;
    line->block = block;
    line->warp = warp;
    uint8_t by_blocks = line->any & (uint8_t)~line->here;
    uint8_t by_warps = line->any & (uint8_t)~line->in_warp;
    line->blocks |= by_blocks & bit;
    line->warps |= by_warps & bit;
    line->l2_blocks |= (by_blocks & fetched) != 0 ? fetched : 0;
    line->l2_warps |= (by_warps & fetched) != 0 ? fetched : 0;
    line->here |= bit;
    line->in_warp |= bit;
}

bool touched_add(struct touched *touched, uint32_t block, uint32_t warp,
                 const uint64_t *sectors, unsigned count, bool reads, bool writes)
{
    for (unsigned i = 0; i < count; i++) {
        struct touched_sectors *line = line_of(touched, sectors[i] / SECTORS);
        if (line == NULL)
            return false;
        uint8_t bit = (uint8_t)(1u << sectors[i] % SECTORS);
        note_owner(line, block, warp, bit, blocks_with(bit, touched->fetch / 32));
        line->order = touched->sizes[touched->launch];
        if (!(line->any & bit)) {
            line->read_first |= reads ? bit : 0;
            line->loaded_first |= reads && !writes ? bit : 0;
        }
        line->any |= bit;
        line->read |= reads ? bit : 0;
        line->written |= writes ? bit : 0;
    }
    return true;
}

static uint64_t bits(uint8_t mask)
{
    return (uint64_t)__builtin_popcount(mask);
}

void touched_count(const struct touched *touched, struct touched_totals *totals)
{
    memset(totals, 0, sizeof *totals);
    for (size_t i = 0; i < touched->capacity; i++) {
        const struct touched_sectors *line = &touched->lines[i];
        if (line->number == 0 || line->launch != touched->launch)
            continue;
        uint8_t known = blocks_with(line->before, touched->fetch / 32);
        totals->read += bits(line->read);
        totals->written += bits(line->written);
        uint8_t alone = line->loaded_first & (uint8_t)~line->warps;
        totals->from_l2 += bits((line->read & (uint8_t)~line->written) | alone);
        totals->read_first += bits(line->read_first);
        totals->fetched += bits(line->read_first & (uint8_t)~known);
    }
}

/* Whether the first access of READER to sector BIT of LINE brings it to the SM. */
static bool comes_first(const struct touched_sectors *line, const struct touched_reader *reader,
                        uint8_t bit)
{
    return (reader->single || !(line->blocks & bit)) &&
           (!(line->written & bit) || !(line->warps & bit));
}

/* Whether L2 has nothing of the block of FETCHED sectors before READER's access. */
static bool is_cold(const struct touched_sectors *line, uint8_t fetched)
{
    return ((line->before | line->l2_blocks | line->seen) & fetched) == 0 &&
           (!(line->written & fetched) || !(line->l2_warps & fetched));
}

/* The cycle in which what L2 fetches with sector BIT of LINE can be in an SM if another block
 * asked DRAM for it when the launch began. Blocks that come later began to wait later. */
static uint64_t earliest(const struct touched_sectors *line,
                         const struct touched_reader *reader, uint8_t fetched)
{
    return reader->single && ((line->before | line->written) & fetched) == 0 ? reader->dram : 0;
}

/* READER's first access to sector NUMBER of LINE, as far as that is known. Returns whether it
 * is. */
static bool see_first(const struct touched *touched, const struct touched_reader *reader,
                      struct touched_sectors *line, unsigned number, bool store, uint64_t now)
{
    uint8_t bit = (uint8_t)(1u << number);
    if (line->reader != reader->block) {
        line->reader = reader->block;
        line->seen = 0;
    }
    if (line->seen & bit)
        return false;
    bool known = !store && comes_first(line, reader, bit);
    uint8_t fetched = blocks_with(bit, touched->fetch / 32);
    bool cold = known && is_cold(line, fetched);
    uint64_t there = known ? now + (cold ? reader->dram : reader->l2) : 0;
    uint64_t asked = store ? 0 : earliest(line, reader, fetched);
    there = there > asked ? there : asked;
    line->there[number] = (uint32_t)(there < UINT32_MAX ? there : UINT32_MAX);
    line->seen |= bit;
    return known;
}

uint64_t touched_arrival(struct touched *touched, const struct touched_reader *reader,
                         const uint64_t *sectors, unsigned count, bool store, uint64_t now)
{
    uint64_t last = 0;
    unsigned came = 0;
    for (unsigned i = 0; i < count; i++) {
        struct touched_sectors *line =
            slot_of(touched->lines, touched->capacity, sectors[i] / SECTORS + 1);
        unsigned number = sectors[i] % SECTORS;
        came += see_first(touched, reader, line, number, store, now);
        if (line->there[number] > last)
            last = line->there[number];
    }
    uint64_t in_turn = came > 0 ? now + reader->l2 + (came - 1) / reader->port : 0;
    return in_turn > last ? in_turn : last;
}

void touched_atomic(struct touched *touched, uint64_t sector, uint32_t parts)
{
    struct touched_sectors *line =
        slot_of(touched->lines, touched->capacity, sector / SECTORS + 1);
    uint32_t *sum = &line->atomics[sector % SECTORS];
    *sum = parts < UINT32_MAX - *sum ? *sum + parts : UINT32_MAX;
    if (*sum > touched->most_atomics)
        touched->most_atomics = *sum;
}
