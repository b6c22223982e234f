#include "sim/memory/address_table.h"

uint32_t address_table_set_worked_out(const struct address_table_map *map, uint64_t address)
{
    uint64_t line = address & ~(uint64_t)(map->l2.line_bytes - 1);
    uint32_t set = tags_set_of(&map->l2, address_in_slice(map->address, line));
    return address_slice(map->address, address) << 16 | set;
}

uint32_t address_table_bank_worked_out(const struct address_table_map *map, uint64_t address)
{
    return address_row(map->address, address) << 8 | address_bank(map->address, address);
}

static void fill(struct address_table *table, const struct address_table_map *map,
                 uint32_t (*worked_out)(const struct address_table_map *, uint64_t))
{
    for (int i = 0; i < ADDRESS_TABLE_BYTES; i++) {
        uint32_t *parts = table->parts[i];
        parts[0] = 0;
        for (uint32_t byte = 1; byte < 256; byte++) {
            uint32_t rest = byte & (byte - 1);
            uint64_t line = (uint64_t)(byte ^ rest) << (ADDRESS_TABLE_LINE + 8 * i);
            parts[byte] =
                parts[rest] ^ (rest != 0 ? parts[byte ^ rest] : worked_out(map, line));
        }
    }
}

/* Whether all bytes of a line map to the same place. */
static bool lines_are_whole(const struct address_table_map *map,
                            uint32_t (*worked_out)(const struct address_table_map *, uint64_t))
{
    for (uint64_t bit = 1; bit < 1u << ADDRESS_TABLE_LINE; bit <<= 1)
        if (worked_out(map, bit) != 0)
            return false;
    return true;
}

static bool has_wide_rows(const struct address_spec *address)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < address->row.runs; i++)
        bits += (uint32_t)__builtin_popcountll(address->row.run[i].mask);
    return bits > 24;
}

void address_table_init(struct address_table_map *map, const struct address_spec *address,
                        const struct tags_spec *l2)
{
    /* A remainder is not a parity of address bits. */
    bool parities = (address->channels & (address->channels - 1)) == 0;
    map->address = address;
    map->l2 = *l2;
    map->whole = lines_are_whole(map, address_table_set_worked_out);
    map->sets.linear = parities && map->whole;
    map->banks.linear = parities && !has_wide_rows(address) && address->banks <= 256 &&
                        lines_are_whole(map, address_table_bank_worked_out);
    fill(&map->sets, map, address_table_set_worked_out);
    fill(&map->banks, map, address_table_bank_worked_out);
}
