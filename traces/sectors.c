#include "traces/address.h"
#include "traces/traces.h"

#define SECTOR_BITS 5

/* The sectors so far. Most lanes go up or down through memory, and need no
 * search: what lies outside of [low, high] is new. */
struct sectors {
    uint64_t *items;
    unsigned count;
    uint64_t low, high;
    uint64_t seen; /* bits of hashes: a sector whose bit is missing is new */
};

static inline uint64_t bit_of(uint64_t sector)
{
    return UINT64_C(1) << (sector * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

static bool has(const uint64_t *items, unsigned count, uint64_t sector)
{
    while (count > 0 && items[count - 1] != sector)
        count--;
    return count > 0;
}

static inline void start(struct sectors *sectors, uint64_t sector)
{
    sectors->items[0] = sectors->low = sectors->high = sector;
    sectors->seen = bit_of(sector);
    sectors->count = 1;
}

static inline void add(struct sectors *sectors, uint64_t sector)
{
    if (sector == sectors->items[sectors->count - 1])
        return;
    uint64_t bit = bit_of(sector);
    if (sector > sectors->high)
        sectors->high = sector;
    else if (sector < sectors->low)
        sectors->low = sector;
    else if (sectors->seen & bit && has(sectors->items, sectors->count, sector))
        return;
    sectors->seen |= bit;
    sectors->items[sectors->count++] = sector;
}

/* Adds the sectors, two at most, of the lane whose bytes are ADDRESS to
 * ADDRESS + END. */
static inline void add_lane(struct sectors *sectors, uint64_t address, uint64_t end)
{
    uint64_t first = address >> SECTOR_BITS, last = (address + end) >> SECTOR_BITS;
    add(sectors, first);
    if (last > first)
        add(sectors, last);
}

/* Ascending addresses without gaps of a sector: one range. */
static unsigned add_range(uint64_t *sectors, uint64_t first, uint64_t last)
{
    unsigned count = 0;
    for (uint64_t sector = first; sector <= last && count < TRACE_MAX_SECTORS; sector++)
        sectors[count++] = sector;
    return count;
}

unsigned trace_record_sectors(const struct trace_record *record, const struct trace_inst *inst,
                              const uint64_t *addresses,
                              uint64_t sectors[static TRACE_MAX_SECTORS])
{
    const uint64_t *words = addresses + record->address;
    unsigned lanes = (unsigned)__builtin_popcount(record->mask);
    uint64_t end = inst->width > 0 ? inst->width - 1u : 0;
    struct sectors all = {.items = sectors};
    if (record->mode == TRACE_ADDRESS_NONE || lanes == 0)
        return 0;
    if (record->mode != TRACE_ADDRESS_STRIDE) {
        uint64_t room[32];
        const uint64_t *list = address_lanes(record, words, room);
        start(&all, words[0] >> SECTOR_BITS);
        for (unsigned i = 0; i < lanes; i++)
            add_lane(&all, list[i], end);
        return all.count;
    }
    if (words[1] <= UINT64_C(1) << SECTOR_BITS && words[1] > 0)
        return add_range(sectors, words[0] >> SECTOR_BITS,
                         (words[0] + (lanes - 1) * words[1] + end) >> SECTOR_BITS);
    if (words[1] == 0)
        lanes = 1; /* all at one address */
    start(&all, words[0] >> SECTOR_BITS);
    for (unsigned i = 0; i < lanes; i++)
        add_lane(&all, words[0] + i * words[1], end);
    return all.count;
}
