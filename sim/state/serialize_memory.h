/* The memory system's parts to and from an image, see traces/base/serialize.h. A part that
 * is loaded was made from the same configuration. */
#ifndef HEARTH_SIM_STATE_SERIALIZE_MEMORY_H
#define HEARTH_SIM_STATE_SERIALIZE_MEMORY_H

#include "sim/memory/partition.h"
#include "sim/memory/xbar.h"
#include "traces/base/serialize.h"

void queue_image(struct queue *queue, struct image *image);
void cache_image(struct cache *cache, struct image *image);
void partition_image(struct partition *partition, struct image *image);
void xbar_image(struct xbar *xbar, struct image *image);

#endif
