#include "traces/traces.h"

#define SECTOR_BITS 5

/* Adds the sectors of one lane. The lane before is the likeliest to have had
 * them, so the search goes backwards. */
static unsigned add(uint64_t *sectors, unsigned count, uint64_t first, uint64_t last)
{
    for (uint64_t sector = first; sector <= last; sector++) {
        unsigned i = count;
        while (i > 0 && sectors[i - 1] != sector)
            i--;
        if (i == 0 && count < TRACE_MAX_SECTORS)
            sectors[count++] = sector;
    }
    return count;
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
    unsigned count = 0, lanes = (unsigned)__builtin_popcount(record->mask);
    uint64_t end = inst->width > 0 ? inst->width - 1u : 0;
    if (record->mode == TRACE_ADDRESS_NONE)
        return 0;
    if (record->mode == TRACE_ADDRESS_LIST) {
        for (unsigned i = 0; i < lanes; i++)
            count =
                add(sectors, count, words[i] >> SECTOR_BITS, (words[i] + end) >> SECTOR_BITS);
        return count;
    }
    if (words[1] <= UINT64_C(1) << SECTOR_BITS && words[1] > 0)
        return add_range(sectors, words[0] >> SECTOR_BITS,
                         (words[0] + (lanes - 1) * words[1] + end) >> SECTOR_BITS);
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t address = words[0] + i * words[1];
        count = add(sectors, count, address >> SECTOR_BITS, (address + end) >> SECTOR_BITS);
    }
    return count;
}
