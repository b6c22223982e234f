/* First in, first out: uses change nothing. */
#include "sim/memory/tags.h"

static void used(struct tags *tags, uint32_t set, uint32_t line, uint64_t now)
{
}

const struct cache_replacement cache_replacement_fifo = {
    .policy = {"F", NULL, "FIFO: the line that was placed first goes first"},
    .in_order = true,
    .used = used,
    .victim = tags_first,
};
