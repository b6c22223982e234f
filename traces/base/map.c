#include "traces/base/map.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64

void map_finish(struct map *map)
{
    free(map->slots);
    *map = (struct map){0};
}

static struct map_slot *find(const struct map *map, uint64_t key)
{
    uint32_t at = (uint32_t)key & map->mask;
    while (map->slots[at].value != MAP_NONE && map->slots[at].key != key)
        at = (at + 1) & map->mask;
    return &map->slots[at];
}

uint32_t map_get(const struct map *map, uint64_t key)
{
    return map->slots == NULL ? MAP_NONE : find(map, key)->value;
}

static bool grow(struct map *map)
{
    size_t count = map->slots == NULL ? FIRST_SLOTS : 2 * ((size_t)map->mask + 1);
    if (count > UINT32_MAX / 2)
        return false;
    struct map larger = {.mask = (uint32_t)(count - 1), .count = map->count};
    larger.slots = malloc(count * sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    memset(larger.slots, 0xff, count * sizeof *larger.slots);
    for (size_t i = 0; map->slots != NULL && i <= map->mask; i++)
        if (map->slots[i].value != MAP_NONE)
            *find(&larger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = larger;
    return true;
}

bool map_set(struct map *map, uint64_t key, uint32_t value)
{
    if ((map->slots == NULL || map->count > map->mask / 2) && !grow(map))
        return false;
    struct map_slot *slot = find(map, key);
    map->count += slot->value == MAP_NONE;
    *slot = (struct map_slot){key, value};
    return true;
}
