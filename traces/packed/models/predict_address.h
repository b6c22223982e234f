/* The addresses of one record, foreseen from the visits of its instruction. */
#ifndef HEARTH_TRACES_PACKED_MODELS_PREDICT_ADDRESS_H
#define HEARTH_TRACES_PACKED_MODELS_PREDICT_ADDRESS_H

#include "traces/packed/models/memory.h"

/* First addresses of an instruction's visits in one warp. */
struct predict_address {
    uint64_t *items;
    uint32_t count, capacity;
};

/* What is known of an instruction. */
struct memory_inst {
    uint64_t first, stride, step; /* of the last visit; `step`: from the visit before it */
    uint8_t form;                 /* what last predicted its addresses */
    bool seen;
    uint32_t warp_stamp, block_stamp;   /* of the last visit */
    struct predict_address now, before; /* in this warp; in the one that came before */
    /* First visits of the warps of this block and of the previous block. */
    uint64_t starts[32], starts_before[32];
    uint32_t started, started_before; /* which of them are set: a bit a warp */
    uint8_t last_warp;
    uint64_t warp_distance, block_distance;
    /* Addresses may follow from those of another instruction, lane by lane. */
    uint32_t target;
    int8_t shift;
    uint64_t offset;
    uint64_t shadow; /* distance from the previous record */
    /* The last address of each lane in this warp. */
    uint32_t lanes_set;
    bool lanes_linear; /* all of them from these two, `lanes` is not filled */
    uint64_t lanes_first, lanes_stride;
    uint64_t lanes[32];
};

void predict_address_finish(struct memory_inst *inst);

/* Codes the addresses of a record of memory instruction INST with MASK, not 0. */
void predict_address_write(struct memory *memory, struct coder *flow, uint32_t inst,
                           uint32_t mask, struct piece *piece, struct piece_access *access);
void predict_address_read(struct memory *memory, struct coder *flow, uint32_t inst,
                          uint32_t mask, struct piece *piece, struct piece_access *access);

#endif
