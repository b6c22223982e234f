/* The types of a launch's warps after "Photon" (Liu et al., section 3,
 * observations 4 and 5): warps that execute the same basic blocks equally
 * often are of one type. A basic block is known by the PC of its first
 * instruction and its length. */
#ifndef HEARTH_TRACES_PROFILE_WARP_TYPES_H
#define HEARTH_TRACES_PROFILE_WARP_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/base/error.h"

struct basic_block {
    uint32_t pc, insts;
    uint64_t count; /* in the current warp */
};

struct warp_type {
    uint64_t warps;
    uint64_t first; /* the lowest number of a warp of it */
    uint64_t hash;
    size_t at, length; /* its vector in `bytes`: (distance from the previous block, count) as
                          varints */
};

struct warp_types {
    struct basic_block *blocks;
    uint32_t block_count, block_capacity;
    uint32_t *block_slots; /* open addressing by (pc, insts) */
    uint32_t block_slot_count;
    uint32_t *touched; /* blocks of the current warp */
    uint32_t touched_count;
    struct warp_type *types;
    size_t type_count, type_capacity;
    uint32_t *type_slots;
    size_t type_slot_count;
    uint8_t *bytes;
    size_t byte_count, byte_capacity;
    bool failed; /* memory ran out; warp_types_end_warp() reports it */
};

void warp_types_init(struct warp_types *types);
void warp_types_finish(struct warp_types *types);

/* The current warp executed the block of INSTS instructions at PC. */
void warp_types_add(struct warp_types *types, uint32_t pc, uint32_t insts);
/* It is complete; NUMBER is its own. Returns -1 when memory ran out. */
int warp_types_end_warp(struct warp_types *types, uint64_t number);

/* Writes the rows of all types, those of most warps first, equal ones by their
 * first warp; blocks by PC, then length. Returns -1 when memory ran out. */
int warp_types_write(struct warp_types *types, uint64_t launch, FILE *out);

#endif
