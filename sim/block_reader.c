#include "sim/block_reader.h"

#include <stdlib.h>

struct block_reader *block_reader_create(struct trace_kernel *kernel,
                                         const struct sim_config *config)
{
    const uint32_t *grid = trace_kernel_header(kernel)->grid;
    struct block_reader *feed = malloc(sizeof *feed);
    if (feed == NULL)
        return NULL;
    *feed = (struct block_reader){
        .kernel = kernel, .config = config, .left = (uint64_t)grid[0] * grid[1] * grid[2]};
    pthread_mutex_init(&feed->mutex, NULL);
    return feed;
}

void block_reader_destroy(struct block_reader *feed)
{
    if (feed == NULL)
        return;
    for (; feed->count != 0; feed->count--)
        trace_block_release(feed->ring[feed->head++ % BLOCK_READER_MAX]);
    inst_table_finish(&feed->insts);
    pthread_mutex_destroy(&feed->mutex);
    free(feed);
}

/* Reads the next block of the trace; NULL with feed->error. */
static struct trace_block *read_block(struct block_reader *feed)
{
    struct trace_block *block;
    if (feed->error.kind != ERROR_NONE)
        return NULL;
    int got = trace_kernel_next_block(feed->kernel, &block, &feed->error);
    if (got == 0)
        error_set(&feed->error, ERROR_TRACE, NULL, 0, 0, "the trace ends before its grid");
    if (got <= 0)
        return NULL;
    feed->left -= feed->left != 0;
    if (!feed->begun)
        tensor_maps_learn(&feed->maps, feed->kernel, block);
    feed->begun = true;
    bool added = inst_table_update(&feed->insts, feed->kernel, feed->config);
    if (added && feed->insts.refused == NULL)
        return block;
    trace_block_release(block);
    if (!added)
        error_no_memory(&feed->error);
    else
        error_set(&feed->error, ERROR_TRACE, NULL, 0, 0,
                  "opcode %s: the time of sparse products is not known; with "
                  "-hearth_wgmma_rate 0 they take their issue slot only",
                  feed->insts.refused);
    return NULL;
}

struct trace_block *block_reader_take(struct block_reader *feed, struct error *err)
{
    struct trace_block *block;
    pthread_mutex_lock(&feed->mutex);
    if (feed->count != 0) {
        block = feed->ring[feed->head++ % BLOCK_READER_MAX];
        feed->bytes -= block->bytes;
        feed->count--;
    } else if ((block = read_block(feed)) == NULL) {
        *err = feed->error;
    }
    pthread_mutex_unlock(&feed->mutex);
    return block;
}

void block_reader_stop(struct block_reader *feed)
{
    pthread_mutex_lock(&feed->mutex);
    feed->left = 0;
    pthread_mutex_unlock(&feed->mutex);
}

bool block_reader_read_ahead(struct block_reader *feed, uint32_t target)
{
    struct trace_block *block = NULL;
    if (target > BLOCK_READER_MAX)
        target = BLOCK_READER_MAX;
    if (feed->count >= target || pthread_mutex_trylock(&feed->mutex) != 0)
        return false;
    if (feed->count < target && feed->bytes < BLOCK_READER_BYTES && feed->left != 0)
        block = read_block(feed);
    if (block != NULL) {
        feed->ring[(feed->head + feed->count) % BLOCK_READER_MAX] = block;
        feed->bytes += block->bytes;
        feed->count++;
    }
    pthread_mutex_unlock(&feed->mutex);
    return block != NULL;
}
