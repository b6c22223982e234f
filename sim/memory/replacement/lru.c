/* The least recently used line goes first. */
#include "sim/memory/tags.h"

static void used(struct tags *tags, uint32_t set, uint32_t line, uint64_t now)
{
    tags->lines[line].last = now;
    tags_move_last(tags, set, line);
}

const struct cache_replacement cache_replacement_lru = {
    .policy = {"L", NULL, "LRU: the least recently used line goes first"},
    .in_order = true,
    .compact = true,
    .used = used,
    .victim = tags_first,
};
