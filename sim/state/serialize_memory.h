/* The parts of the memory system to and from the image of a checkpoint (checkpoint.c, and
 * traces/base/serialize.h). A part that is loaded was made from the same configuration. */
#ifndef HEARTH_SIM_STATE_SERIALIZE_MEMORY_H
#define HEARTH_SIM_STATE_SERIALIZE_MEMORY_H

#include "sim/memory/network/code_shares.h"
#include "sim/memory/network/merges.h"
#include "sim/memory/page_walks.h"
#include "sim/memory/partition.h"
#include "sim/memory/xbar.h"
#include "traces/base/serialize.h"

void queue_serialize(struct queue *queue, struct serializer *image);
void cache_serialize(struct cache *cache, struct serializer *image);
void partition_serialize(struct partition *partition, struct serializer *image);
void code_shares_serialize(struct code_shares *shares, struct serializer *image);
void merges_serialize(struct merges *merges, struct serializer *image);
void page_walks_serialize(struct page_walks *walks, struct serializer *image);
void xbar_serialize(struct xbar *xbar, struct serializer *image);

#endif
