#include "sampling/intra/photon/types.h"

uint64_t photon_types_hash(uint64_t hash, const struct trace_record *at,
                           const struct trace_record *end)
{
    for (; at < end; at++) {
        uint64_t mixed = ((uint64_t)at->inst + 1) * UINT64_C(0x9e3779b97f4a7c15);
        hash += mixed ^ mixed >> 29;
    }
    return hash;
}

void photon_types_add(struct photon_types *types, uint64_t hash)
{
    size_t i = 0;
    while (i < PHOTON_TYPES && types->types[i].warps != 0 && types->types[i].hash != hash)
        i++;
    types->warps++;
    if (i == PHOTON_TYPES)
        return;
    types->types[i].hash = hash;
    types->types[i].warps++;
}

double photon_types_most(const struct photon_types *types)
{
    uint64_t most = 0;
    for (size_t i = 0; i < PHOTON_TYPES; i++)
        if (types->types[i].warps > most)
            most = types->types[i].warps;
    return types->warps > 0 ? (double)most / (double)types->warps : 0;
}
