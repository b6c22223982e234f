#include "sim/core/code/code_place.h"

/* Functions begin at a multiple of this, in bytes, as on hardware. */
#define ALIGNMENT 128u
/* This bit is in no address of data: GPUs that record traces have 49 bits of these. */
#define APART (UINT64_C(1) << 56)

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
    return loaded != 0 ? loaded : APART | (hash_of(name) & (APART - ALIGNMENT));
}
