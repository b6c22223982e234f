/* The types of a launch's warps: two are of one if they execute the same instructions equally
 * often, as then their basic-block vectors are equal ("Photon", observation 4). Private to
 * sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_PHOTON_TYPES_H
#define HEARTH_SAMPLING_INTRA_PHOTON_TYPES_H

#include <stdint.h>

#include "traces/traces.h"

#define PHOTON_TYPES 64 /* that are told apart; other warps are of none of them */

/* A zeroed one has none. */
struct photon_types {
    struct {
        uint64_t hash, warps;
    } types[PHOTON_TYPES];
    uint64_t warps; /* in all */
};

/* Of a warp so far: the sum over its records, begun with the number of records. */
uint64_t photon_types_hash(uint64_t hash, const struct trace_record *at,
                           const struct trace_record *end);
/* Adds a warp. */
void photon_types_add(struct photon_types *types, uint64_t hash);
/* The share of the most frequent type in all warps; 0 without warps. */
double photon_types_most(const struct photon_types *types);

#endif
