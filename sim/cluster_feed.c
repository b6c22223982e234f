#include "sim/cluster_feed.h"

#include <stdlib.h>

void cluster_feed_init(struct cluster_feed *feed, const struct trace_header *header,
                       const uint32_t shape[3])
{
    *feed = (struct cluster_feed){.count = shape[0] * shape[1] * shape[2]};
    for (int i = 0; i < 3; i++) {
        feed->shape[i] = shape[i];
        feed->clusters[i] = header->grid[i] / shape[i];
    }
}

void cluster_feed_finish(struct cluster_feed *feed)
{
    for (uint32_t i = 0; i < feed->held_count; i++)
        trace_block_release(feed->held[i].trace);
    free(feed->held);
}

static int hold(struct cluster_feed *feed, struct block_reader *reader, struct error *err)
{
    if (feed->held_count == feed->held_room) {
        uint32_t room = feed->held_room != 0 ? 2 * feed->held_room : CLUSTER_MOST;
        void *grown = realloc(feed->held, room * sizeof *feed->held);
        if (grown == NULL)
            return error_no_memory(err);
        feed->held = grown;
        feed->held_room = room;
    }
    struct trace_block *block = block_reader_take(reader, err);
    if (block == NULL)
        return -1;
    feed->held[feed->held_count++] = (struct cluster_block){block, feed->read++};
    return 0;
}

/* Takes the block at INDEX of the grid out of those that wait; false: it is not there yet. */
static bool find(struct cluster_feed *feed, const uint32_t index[3],
                 struct cluster_block *block)
{
    for (uint32_t i = 0; i < feed->held_count; i++) {
        const uint32_t *at = feed->held[i].trace->index;
        if (at[0] != index[0] || at[1] != index[1] || at[2] != index[2])
            continue;
        *block = feed->held[i];
        feed->held[i] = feed->held[--feed->held_count];
        return true;
    }
    return false;
}

int cluster_feed_take(struct cluster_feed *feed, struct block_reader *reader,
                      struct cluster_block blocks[CLUSTER_MOST], struct error *err)
{
    const uint32_t *shape = feed->shape, *clusters = feed->clusters;
    uint64_t number = feed->next;
    uint32_t x = (uint32_t)(number % clusters[0]),
             y = (uint32_t)(number / clusters[0] % clusters[1]),
             z = (uint32_t)(number / clusters[0] / clusters[1]);
    for (uint32_t rank = 0; rank < feed->count; rank++) {
        const uint32_t index[3] = {x * shape[0] + rank % shape[0],
                                   y * shape[1] + rank / shape[0] % shape[1],
                                   z * shape[2] + rank / shape[0] / shape[1]};
        while (!find(feed, index, &blocks[rank]))
            if (hold(feed, reader, err) != 0) {
                while (rank-- != 0)
                    trace_block_release(blocks[rank].trace);
                return -1;
            }
    }
    feed->next++;
    return 0;
}
