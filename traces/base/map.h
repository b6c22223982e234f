/* A hash map from 64-bit keys, which are hashes themselves, to numbers. */
#ifndef HEARTH_TRACES_BASE_MAP_H
#define HEARTH_TRACES_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_slot {
    uint64_t key;
    uint32_t value; /* MAP_NONE: free */
};

/* Zeroed: empty. */
struct map {
    struct map_slot *slots; /* open addressing */
    uint32_t mask, count;
};

void map_finish(struct map *map);
/* The value of KEY, or MAP_NONE. */
uint32_t map_get(const struct map *map, uint64_t key);
/* Sets the value of KEY. Returns false if memory is short. */
bool map_set(struct map *map, uint64_t key, uint32_t value);

/* Makes a key out of two numbers. */
static inline uint64_t map_key(uint64_t a, uint64_t b)
{
    uint64_t key = (a + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 29 ^ b) * UINT64_C(0x94d049bb133111eb);
    return key ^ key >> 32;
}

#endif
