/* The memory stream: which memory instructions a warp executed, their masks
 * and their addresses. Addresses are foreseen from the last visits of the same
 * instruction: in this warp, in the warp before, in the block before. */
#ifndef HEARTH_TRACES_PACKED_MODELS_MEMORY_H
#define HEARTH_TRACES_PACKED_MODELS_MEMORY_H

#include "traces/packed/models/predict_mask.h"
#include "traces/packed/models/warp_paths.h"
#include "traces/packed/piece.h"

#define MEMORY_RING 8

struct memory_inst;

/* The state of one part of a launch. */
struct memory {
    const struct code *code;
    uint32_t number; /* of the code in the group */
    struct warp_paths *paths;
    struct predict_mask masks;
    struct memory_inst *insts; /* one for each memory instruction */
    uint32_t count;            /* of those */
    /* Where the warp is. */
    uint32_t warp, warp_stamp, block_stamp;
    uint32_t ring[MEMORY_RING], ring_at; /* the last instructions, as numbers of `insts` */
    uint32_t ring_count;
    uint64_t last_first; /* of the record before with addresses */
    bool has_last;
    /* Paths. */
    uint32_t next_path;      /* the first that this part has not used */
    uint32_t last_path;      /* of the piece before */
    uint32_t warp_paths[32]; /* by warp: in the block before */
    bool failed;
};

/* NEXT_PATH is the first memory path that is defined for this part. */
void memory_init(struct memory *memory, const struct code *code, uint32_t number,
                 struct warp_paths *paths, uint32_t next_path);
/* Makes room for all instructions that the code has by now. Returns 0, or -1
 * when memory ran out. */
int memory_fit(struct memory *memory);
void memory_finish(struct memory *memory);

void memory_begin_block(struct memory *memory);
void memory_begin_warp(struct memory *memory, uint32_t warp);

/* Codes the memory records of a piece. Returns its memory path. */
uint32_t memory_write(struct memory *memory, struct coder *flow, struct piece *piece);
uint32_t memory_read(struct memory *memory, struct coder *flow, struct piece *piece);

#endif
