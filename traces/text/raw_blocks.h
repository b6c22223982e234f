/* The thread blocks of a raw trace, by order of first appearance. */
#ifndef HEARTH_TRACES_TEXT_RAW_BLOCKS_H
#define HEARTH_TRACES_TEXT_RAW_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct raw_blocks {
    uint64_t *ids;  /* linear number in the grid, by order */
    uint32_t *half; /* by order: one bit a warp, half of an LDGSTS has been seen */
    uint32_t count, capacity;
    uint32_t *slots; /* open addressing by id; UINT32_MAX = free */
    uint32_t slot_mask;
};

int raw_blocks_init(struct raw_blocks *blocks);
void raw_blocks_finish(struct raw_blocks *blocks);
/* The order number of block ID, a new one if needed; UINT32_MAX when memory
 * ran out. */
uint32_t raw_blocks_order(struct raw_blocks *blocks, uint64_t id);

#endif
