#include "sim/memory/place.h"

uint32_t place_worked_out(const struct place_map *map, uint64_t line)
{
    uint64_t inside = address_in_slice(map->address, tags_line_address(map->tags, line));
    return address_slice(map->address, line) << 16 | tags_set(map->tags, inside);
}

void place_init(struct place_map *map, const struct address_spec *address,
                const struct tags *tags)
{
    uint32_t channels = address->channels;
    map->address = address;
    map->tags = tags;
    /* Remainders are not made of parities. */
    map->linear = (channels & (channels - 1)) == 0;
    for (int i = 0; i < PLACE_BYTES; i++) {
        uint32_t *parts = map->parts[i];
        parts[0] = 0;
        for (uint32_t byte = 1; byte < 256; byte++) {
            uint32_t rest = byte & (byte - 1);
            uint64_t line = (uint64_t)(byte ^ rest) << (PLACE_LINE + 8 * i);
            parts[byte] =
                parts[rest] ^ (rest != 0 ? parts[byte ^ rest] : place_worked_out(map, line));
        }
    }
}
