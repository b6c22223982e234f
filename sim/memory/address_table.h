/* The same mapping from tables: the L2 slice and the set in it, and the bank and row of DRAM.
 * If the number of channels is a power of two, each bit of these is a parity of address bits,
 * so they can be looked up in one table for each byte of the line number. */
#ifndef HEARTH_SIM_MEMORY_ADDRESS_TABLE_H
#define HEARTH_SIM_MEMORY_ADDRESS_TABLE_H

#include "sim/memory/address.h"
#include "sim/memory/tags.h"

#define ADDRESS_TABLE_LINE 7     /* log2 of the bytes of a line */
#define ADDRESS_TABLE_SETS 65536 /* most sets of a slice */
#define ADDRESS_TABLE_BYTES                                                                    \
    5 /* of the line number that the tables cover: addresses below 2^47 */

/* A 32-bit number for each line. */
struct address_table {
    bool linear; /* each bit is a parity of bits of the line number */
    uint32_t parts[ADDRESS_TABLE_BYTES][256]; /* to be combined with exclusive or */
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

/* The same as address_table_of() and address_table_bank(), computed without tables, in the
 * tables' format. */
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

/* Returns the slice of ADDRESS; *SET becomes the set of its line in that slice. */
static inline uint32_t address_table_of(const struct address_table_map *map, uint64_t address,
                                        uint32_t *set)
{
    uint32_t place = address_table_is_known(&map->sets, address)
                         ? address_table_look_up(&map->sets, address)
                         : address_table_set_worked_out(map, address);
    *set = place & UINT16_MAX;
    return place >> 16;
}

/* Returns the bank of ADDRESS in its channel; *ROW becomes its row. */
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
