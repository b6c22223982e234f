/* The blocks of a launch, cluster after cluster. Those of a cluster lie side by side in the
 * grid, but apart in the trace: what is read before its turn waits here. */
#ifndef HEARTH_SIM_CLUSTER_FEED_H
#define HEARTH_SIM_CLUSTER_FEED_H

#include <stdint.h>

#include "sim/block_reader.h"
#include "sim/core/hopper/cluster.h"

struct cluster_block {
    struct trace_block *trace;
    uint64_t order; /* in the trace */
};

struct cluster_feed {
    uint32_t shape[3];          /* blocks of a cluster */
    uint32_t clusters[3];       /* of the grid */
    uint32_t count;             /* blocks of a cluster */
    uint64_t next;              /* cluster, in the order of its first block */
    uint64_t read;              /* blocks of the trace */
    struct cluster_block *held; /* owned */
    uint32_t held_count, held_room;
};

/* Of a launch with HEADER, whose grid consists of clusters of SHAPE. */
void cluster_feed_init(struct cluster_feed *feed, const struct trace_header *header,
                       const uint32_t shape[3]);
/* Releases blocks that nobody took. */
void cluster_feed_finish(struct cluster_feed *feed);

/* Fills BLOCKS, by rank, with the next cluster's, which there is; the caller's from now on.
 * Returns 0, or -1 with ERR. */
int cluster_feed_take(struct cluster_feed *feed, struct block_reader *reader,
                      struct cluster_block blocks[CLUSTER_MOST], struct error *err);

#endif
