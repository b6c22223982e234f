#include "sim/memory/lines.h"

#include <stdlib.h>
#include <string.h>

bool lines_init(struct lines *lines, uint32_t sets, uint32_t ways, uint32_t bytes)
{
    *lines = (struct lines){.sets = sets, .ways = ways, .bytes = bytes};
    lines->lines = calloc((size_t)sets * ways, sizeof *lines->lines);
    return lines->lines != NULL;
}

void lines_finish(struct lines *lines)
{
    free(lines->lines);
    memset(lines, 0, sizeof *lines);
}

void lines_clear(struct lines *lines)
{
    if (lines->lines != NULL)
        memset(lines->lines, 0, (size_t)lines->sets * lines->ways * sizeof *lines->lines);
    lines->uses = 0;
}

static struct line *set_of(const struct lines *lines, uint64_t address)
{
    return &lines->lines[(address / lines->bytes & (lines->sets - 1)) * lines->ways];
}

struct line *lines_find(struct lines *lines, uint64_t address)
{
    uint64_t wanted = lines_address(lines, address);
    struct line *set = set_of(lines, address);
    for (uint32_t way = 0; way < lines->ways; way++) {
        if (set[way].used != 0 && set[way].address == wanted) {
            set[way].used = ++lines->uses;
            return &set[way];
        }
    }
    return NULL;
}

void lines_put(struct lines *lines, uint64_t address, uint64_t ready)
{
    struct line *oldest = set_of(lines, address);
    for (struct line *line = oldest + 1, *end = oldest + lines->ways; line < end; line++)
        if (line->used < oldest->used)
            oldest = line;
    *oldest = (struct line){lines_address(lines, address), ready, ++lines->uses};
}
