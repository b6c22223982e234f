/* The last address of each lane at an instruction, and what follows from it. */
#ifndef HEARTH_TRACES_PACKED_MODELS_PREDICT_LANE_H
#define HEARTH_TRACES_PACKED_MODELS_PREDICT_LANE_H

#include "traces/packed/models/predict_address.h"

/* Fills INST->lanes where they are linear. */
void predict_lane_fill(struct memory_inst *inst);
/* Remembers the addresses of the lanes in MASK. */
void predict_lane_note(struct memory_inst *inst, uint32_t mask, const struct piece *piece,
                       const struct piece_access *access);
/* The addresses of the lanes in MASK that follow from those of TARGET: these
 * times 2^SHIFT plus OFFSET. */
void predict_lane_relate(struct memory_inst *target, int shift, uint64_t offset, uint32_t mask,
                         uint64_t addresses[static 32]);
/* Whether ADDRESSES, of the lanes in MASK, are these. */
bool predict_lane_is_related(struct memory_inst *target, int shift, uint64_t offset,
                             uint32_t mask, const uint64_t *addresses);

/* The form of numbers that keeps all distances between N ADDRESSES: bytes << 4 |
 * zero bits below. */
uint8_t predict_lane_list_form(const uint64_t *addresses, int n);

static inline uint64_t predict_lane_scaled(uint64_t address, int shift)
{
    return shift >= 0 ? address << shift : address >> -shift;
}

/* Whether TARGET knows the lanes of MASK in this warp. */
static inline bool predict_lane_known(const struct memory *memory,
                                      const struct memory_inst *target, uint32_t mask)
{
    return target->warp_stamp == memory->warp_stamp && (mask & ~target->lanes_set) == 0;
}

#endif
