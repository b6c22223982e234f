#include "sim/core/code/code_place.h"

/* Functions begin at a multiple of this, in bytes, as on hardware. */
#define ALIGNMENT 128u

/* FNV-1a. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

uint64_t code_place_address(const char *name, uint64_t loaded)
{
    return loaded != 0 ? loaded : hash_of(name) & ~(uint64_t)(ALIGNMENT - 1);
}
