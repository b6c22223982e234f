/* The homogeneous regions of a launch ("TBPoint", section IV-B): runs of epochs, which are as
 * many blocks as the GPU holds at once, with about the same stall probability. Private to
 * sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_TBPOINT_REGIONS_H
#define HEARTH_SAMPLING_INTRA_TBPOINT_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_NONE UINT32_MAX

/* What is known of a block before it runs. It does not depend on the GPU: another occupancy
 * only needs other epochs of the same blocks. */
struct region_block {
    double requests; /* to memory, in sectors */
    double insts;    /* warp instructions */
};

struct region_rules {
    uint64_t epoch;   /* blocks, at least 1 */
    double distance;  /* the widest cluster of stall probabilities, over their mean */
    double variation; /* the greatest CoV of requests or instructions in an epoch */
};

struct regions {
    uint32_t *of; /* the region of each epoch; REGION_NONE: in none. Owned */
    double *p;    /* the stall probability of each epoch; owned */
    size_t epochs;
    uint64_t epoch;
};

/* Makes regions of COUNT blocks, at least one, by their numbers. Returns false when
 * memory is short. */
bool regions_init(struct regions *regions, const struct region_block *blocks, uint64_t count,
                  const struct region_rules *rules);
void regions_finish(struct regions *regions);
/* The region of a block. */
uint32_t regions_of(const struct regions *regions, uint64_t block);

#endif
