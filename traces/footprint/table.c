#include "traces/footprint/table.h"

#include <stdlib.h>

#define FIRST_BITS 12 /* slots, as a power of two */
/* Slots in use at most: 3 of 4. */
#define FULL(slots) ((slots) / 4 * 3)

static int make(struct line_table *table, unsigned bits, bool bytes)
{
    size_t slots = (size_t)1 << bits;
    *table = (struct line_table){
        .lines = calloc(slots, sizeof *table->lines),
        .bytes = bytes ? calloc(slots, sizeof *table->bytes) : NULL,
        .mask = slots - 1,
        .shift = 64 - (bits - TABLE_GROUP_BITS),
    };
    if (table->lines != NULL && (table->bytes != NULL || !bytes))
        return 0;
    line_table_finish(table);
    return -1;
}

int line_table_init(struct line_table *table, bool bytes)
{
    return make(table, FIRST_BITS, bytes);
}

void line_table_finish(struct line_table *table)
{
    free(table->lines);
    free(table->bytes);
    *table = (struct line_table){0};
}

static void move_all(struct line_table *to, const struct line_table *from)
{
    for (size_t i = 0; i <= from->mask; i++) {
        if (from->lines[i].key == 0)
            continue;
        size_t slot = line_table_find(to, from->lines[i].key - 1);
        to->lines[slot] = from->lines[i];
        if (to->bytes != NULL)
            to->bytes[slot] = from->bytes[i];
    }
}

int line_table_reserve(struct line_table *table, size_t more)
{
    if (table->count + more <= FULL(table->mask + 1))
        return 0;
    unsigned bits = (unsigned)__builtin_ctzll(table->mask + 1);
    while (table->count + more > FULL((size_t)1 << bits))
        bits++;
    struct line_table larger;
    if (make(&larger, bits, table->bytes != NULL) != 0)
        return -1;
    move_all(&larger, table);
    line_table_finish(table);
    *table = larger;
    return 0;
}

size_t line_table_memory(const struct line_table *table)
{
    size_t slot = sizeof *table->lines + (table->bytes != NULL ? sizeof *table->bytes : 0);
    return (table->mask + 1) * slot;
}
