#include "sim/core/pool.h"

#include <stdlib.h>
#include <string.h>

#define FIRST 256

bool pool_grow(void **items, uint32_t *count, uint16_t *free, size_t size, size_t link)
{
    uint32_t room = *count != 0 ? 2 * *count : FIRST;
    if (room > POOL_NONE)
        room = POOL_NONE;
    if (room == *count)
        return false;
    char *grown = realloc(*items, room * size);
    if (grown == NULL)
        return false;
    for (uint32_t i = *count; i < room; i++) {
        uint16_t next = (uint16_t)(i + 1 < room ? i + 1 : POOL_NONE);
        memcpy(grown + i * size + link, &next, sizeof next);
    }
    *free = (uint16_t)*count;
    *items = grown;
    *count = room;
    return true;
}
