#include "sim/memory/line_cache.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/queue.h"

bool line_cache_init(struct line_cache *lines, uint32_t sets, uint32_t ways, uint32_t bytes)
{
    *lines = (struct line_cache){.sets = sets, .ways = ways, .bytes = bytes};
    lines->lines = calloc((size_t)sets * ways, sizeof *lines->lines);
    return lines->lines != NULL;
}

void line_cache_finish(struct line_cache *lines)
{
    free(lines->lines);
    memset(lines, 0, sizeof *lines);
}

void line_cache_clear(struct line_cache *lines)
{
    if (lines->lines != NULL)
        memset(lines->lines, 0, (size_t)lines->sets * lines->ways * sizeof *lines->lines);
    lines->uses = 0;
}

static struct cached_line *set_of(const struct line_cache *lines, uint64_t address)
{
    return &lines->lines[(address / lines->bytes & (lines->sets - 1)) * lines->ways];
}

static struct cached_line *find(const struct line_cache *lines, uint64_t address)
{
    uint64_t wanted = line_cache_address(lines, address);
    struct cached_line *set = set_of(lines, address);
    for (uint32_t way = 0; way < lines->ways; way++)
        if (set[way].address == wanted && set[way].used != 0)
            return &set[way];
    return NULL;
}

struct cached_line *line_cache_find(struct line_cache *lines, uint64_t address)
{
    struct cached_line *line = find(lines, address);
    if (line != NULL)
        line->used = ++lines->uses;
    return line;
}

bool line_cache_holds(const struct line_cache *lines, uint64_t address)
{
    return find(lines, address) != NULL;
}

uint64_t line_cache_ready(const struct line_cache *lines, uint64_t address)
{
    return find(lines, address)->ready;
}

void line_cache_came(struct line_cache *lines, uint64_t address, uint64_t ready)
{
    find(lines, address)->ready = ready;
}

void line_cache_put(struct line_cache *lines, uint64_t address, uint64_t ready)
{
    struct cached_line *oldest = set_of(lines, address);
    for (struct cached_line *line = oldest + 1, *end = oldest + lines->ways; line < end; line++)
        if (line->used < oldest->used)
            oldest = line;
    *oldest = (struct cached_line){line_cache_address(lines, address), ready, ++lines->uses};
}

static int by_use(const void *a, const void *b)
{
    const struct cached_line *const *one = a, *const *other = b;
    return (*one)->used < (*other)->used ? -1 : (*one)->used > (*other)->used;
}

size_t line_cache_list(const struct line_cache *lines, uint64_t *addresses)
{
    size_t count = 0, all = (size_t)lines->sets * lines->ways;
    const struct cached_line **held = malloc(all * sizeof *held);
    if (held == NULL)
        memory_short();
    for (size_t i = 0; i < all; i++)
        if (lines->lines[i].used != 0)
            held[count++] = &lines->lines[i];
    qsort(held, count, sizeof *held, by_use);
    for (size_t i = 0; i < count; i++)
        addresses[i] = held[i]->address;
    free(held);
    return count;
}
