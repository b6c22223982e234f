/* Where addresses live: the L2 slice and the set in it, and the bank and row of DRAM. All of
 * these are parities of address bits wherever channels are a power of two, so that a table for
 * each byte of a line's number gives them. */
#ifndef HEARTH_SIM_MEMORY_ADDRESS_TABLE_H
#define HEARTH_SIM_MEMORY_ADDRESS_TABLE_H

#include "sim/memory/address.h"
#include "sim/memory/tags.h"

#define ADDRESS_TABLE_LINE  7     /* log2 of the bytes of a line */
#define ADDRESS_TABLE_SETS  65536 /* that a slice may have */
#define ADDRESS_TABLE_BYTES 5     /* of its number that the tables know: addresses below 2^47 */

/* A number of 32 bits for each line. */
struct address_table {
    bool linear; /* each bit is a parity of bits of the line's number */
    uint32_t parts[ADDRESS_TABLE_BYTES][256]; /* to be combined by exclusive or */
};

struct address_table_map {
    const struct address_spec *address;
    struct tags_spec l2;        /* of a slice */
    bool whole;                 /* all bytes of a line are in one set */
    struct address_table sets;  /* slice << 16 | set */
    struct address_table banks; /* row << 8 | bank */
};

/* ADDRESS must outlive MAP. */
void address_table_init(struct address_table_map *map, const struct address_spec *address,
                        const struct tags_spec *l2);

/* The same as below without the tables, as these have them. */
uint32_t address_table_set_worked_out(const struct address_table_map *map, uint64_t address);
uint32_t address_table_bank_worked_out(const struct address_table_map *map, uint64_t address);

static inline bool address_table_is_known(const struct address_table *table, uint64_t address)
{
    return __builtin_expect(
        table->linear && address >> ADDRESS_TABLE_LINE >> (8 * ADDRESS_TABLE_BYTES) == 0, 1);
}

static inline uint32_t address_table_look_up(const struct address_table *table,
                                             uint64_t address)
{
    uint32_t place = 0;
    for (int i = 0; i < ADDRESS_TABLE_BYTES; i++)
        place ^= table->parts[i][address >> (ADDRESS_TABLE_LINE + 8 * i) & 255];
    return place;
}

/* The slice of ADDRESS, and the *SET there of its line. */
static inline uint32_t address_table_of(const struct address_table_map *map, uint64_t address,
                                        uint32_t *set)
{
    uint32_t place = address_table_is_known(&map->sets, address)
                         ? address_table_look_up(&map->sets, address)
                         : address_table_set_worked_out(map, address);
    *set = place & UINT16_MAX;
    return place >> 16;
}

/* The bank of ADDRESS in its channel, and the *ROW there. */
static inline uint32_t address_table_bank(const struct address_table_map *map, uint64_t address,
                                          uint32_t *row)
{
    if (!address_table_is_known(&map->banks, address)) {
        *row = address_row(map->address, address);
        return address_bank(map->address, address);
    }
    uint32_t place = address_table_look_up(&map->banks, address);
    *row = place >> 8;
    return place & UINT8_MAX;
}

#endif
