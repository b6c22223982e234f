#include "traces/footprint/table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 12 /* slots, as a power of two */
/* Slots in use at most: 3 of 4. */
#define FULL(slots) ((slots) / 4 * 3)
/* Groups have 32-bit numbers: 2 TiB of lines. */
#define MAX_GROUPS (UINT32_MAX - 1)

static int make_slots(struct line_table *table, unsigned bits)
{
    struct line_slot *slots = calloc((size_t)1 << bits, sizeof *slots);
    if (slots == NULL)
        return -1;
    free(table->slots);
    table->slots = slots;
    table->mask = ((size_t)1 << bits) - 1;
    table->shift = 64 - (bits - SLOT_RUN_BITS);
    for (size_t i = 0; i < table->count; i++) {
        uint64_t group = line_table_group(table, i)->number;
        size_t at = line_table_slot(table, group);
        while (slots[at].group != 0)
            at = (at + 1) & table->mask;
        slots[at] = (struct line_slot){(uint32_t)i + 1, (uint32_t)group};
    }
    return 0;
}

int line_table_init(struct line_table *table, bool bytes)
{
    *table = (struct line_table){.has_bytes = bytes};
    return make_slots(table, FIRST_BITS);
}

void line_table_finish(struct line_table *table)
{
    for (size_t i = 0; i < table->chunk_count; i++) {
        free(table->chunks[i]);
        if (table->has_bytes)
            free(table->bytes[i]);
    }
    free(table->slots);
    free(table->chunks);
    free(table->bytes);
    *table = (struct line_table){0};
}

static bool add_chunk(struct line_table *table)
{
    size_t count = table->chunk_count + 1, groups = (size_t)1 << CHUNK_BITS;
    struct line_group **chunks = reallocarray(table->chunks, count, sizeof *chunks);
    if (chunks == NULL)
        return false;
    table->chunks = chunks;
    struct line_bytes **bytes = reallocarray(table->bytes, count, sizeof *bytes);
    if (bytes == NULL)
        return false;
    table->bytes = bytes;
    chunks[count - 1] = calloc(groups, sizeof **chunks);
    bytes[count - 1] = table->has_bytes ? calloc(groups * GROUP_LINES, sizeof **bytes) : NULL;
    if (chunks[count - 1] == NULL || (table->has_bytes && bytes[count - 1] == NULL)) {
        free(chunks[count - 1]);
        free(bytes[count - 1]);
        return false;
    }
    table->chunk_count = count;
    return true;
}

int line_table_reserve(struct line_table *table, size_t more)
{
    size_t count = table->count + more;
    if (count > MAX_GROUPS)
        return -1;
    while (table->chunk_count << CHUNK_BITS < count)
        if (!add_chunk(table))
            return -1;
    unsigned bits = (unsigned)__builtin_ctzll(table->mask + 1);
    if (count <= FULL(table->mask + 1))
        return 0;
    while (count > FULL((size_t)1 << bits))
        bits++;
    return make_slots(table, bits);
}

size_t line_table_memory(const struct line_table *table)
{
    size_t group =
        sizeof **table->chunks + (table->has_bytes ? GROUP_LINES * sizeof **table->bytes : 0);
    return (table->mask + 1) * sizeof *table->slots +
           (table->chunk_count << CHUNK_BITS) * group;
}
