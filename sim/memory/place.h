/* Where 128-byte lines live, looked up: the L2 slice and the set in it are parities of address
 * bits wherever channels are a power of two, so that a table for each byte of the line's number
 * gives both. */
#ifndef HEARTH_SIM_MEMORY_PLACE_H
#define HEARTH_SIM_MEMORY_PLACE_H

#include "sim/memory/address.h"
#include "sim/memory/tags.h"

#define PLACE_LINE  7 /* log2 of the bytes of a line */
#define PLACE_BYTES 5 /* of its number that the tables know: addresses below 2^47 */

struct place_map {
    const struct address_spec *address;
    const struct tags *tags; /* of any slice: their shape is looked at */
    bool linear;
    uint32_t parts[PLACE_BYTES][256]; /* slice << 16 | set, to be combined by exclusive or */
};

/* Both must outlive MAP. */
void place_init(struct place_map *map, const struct address_spec *address,
                const struct tags *tags);

/* Slice and set without the tables, as slice << 16 | set. */
uint32_t place_worked_out(const struct place_map *map, uint64_t line);

/* The slice of the line at address LINE, and its *SET there. */
static inline uint32_t place_of(const struct place_map *map, uint64_t line, uint32_t *set)
{
    uint64_t number = line >> PLACE_LINE;
    uint32_t place = 0;
    if (__builtin_expect(map->linear && number >> (8 * PLACE_BYTES) == 0, 1)) {
        for (int i = 0; i < PLACE_BYTES; i++)
            place ^= map->parts[i][number >> (8 * i) & 255];
    } else {
        place = place_worked_out(map, line);
    }
    *set = place & UINT16_MAX;
    return place >> 16;
}

#endif
