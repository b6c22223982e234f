#include "traces/footprint/partly.h"

#include <stdlib.h>

#define FIRST_SLOTS 1024 /* a power of two */

void partly_finish(struct partly *parts)
{
    free(parts->slots);
    *parts = (struct partly){0};
}

static struct partly_line *probe(const struct partly *parts, uint64_t line)
{
    size_t at = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 20) & parts->mask;
    while (parts->slots[at].line != 0 && parts->slots[at].line != line + 1)
        at = (at + 1) & parts->mask;
    return &parts->slots[at];
}

static int grow(struct partly *parts)
{
    size_t count = parts->slots == NULL ? FIRST_SLOTS : 2 * (parts->mask + 1);
    struct partly more = {calloc(count, sizeof *more.slots), count - 1, parts->count};
    if (more.slots == NULL)
        return -1;
    for (size_t i = 0; parts->slots != NULL && i <= parts->mask; i++)
        if (parts->slots[i].line != 0)
            *probe(&more, parts->slots[i].line - 1) = parts->slots[i];
    free(parts->slots);
    *parts = more;
    return 0;
}

struct partly_line *partly_find(struct partly *parts, uint64_t line)
{
    if ((parts->slots == NULL || parts->count > parts->mask / 2) && grow(parts) != 0)
        return NULL;
    struct partly_line *part = probe(parts, line);
    parts->count += part->line == 0;
    part->line = line + 1;
    return part;
}

void partly_write(struct partly_sector *sector, uint32_t epoch, uint32_t bytes)
{
    sector->bytes |= bytes;
    if (sector->bytes != UINT32_MAX)
        return;
    /* Whole by what was written since then; what this launch wrote may be enough the next time.
     */
    sector->whole = sector->since;
    sector->since = epoch;
    sector->bytes = bytes == UINT32_MAX ? 0 : bytes;
}
