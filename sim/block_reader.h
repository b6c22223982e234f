/* The blocks of a launch in the order of its trace, read ahead of the block scheduler by
 * whatever thread has nothing better to do. */
#ifndef HEARTH_SIM_BLOCK_READER_H
#define HEARTH_SIM_BLOCK_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/core/hopper/tensor_maps.h"
#include "sim/core/inst.h"
#include "traces/traces.h"

#define BLOCK_READER_AHEAD 64                /* blocks that wait for the launch that runs */
#define BLOCK_READER_MAX   1024              /* and for the one after it */
#define BLOCK_READER_BYTES ((size_t)8 << 20) /* memory above which no more are read ahead */

struct block_reader {
    struct trace_kernel *kernel;
    const struct sim_config *config;
    struct inst_table insts; /* of all blocks read so far; grows in place */
    struct tensor_maps maps; /* found in the first block */
    bool begun;              /* that has been read */
    uint64_t left;           /* blocks of the grid not read yet */
    struct trace_block *ring[BLOCK_READER_MAX];
    uint32_t head;
    _Atomic uint32_t count; /* of blocks that wait */
    size_t bytes;           /* that they hold */
    struct error
        error; /* what ended the reading; returned once the blocks read before it are taken */
    pthread_mutex_t mutex; /* guards all above */
};

/* Of all blocks of KERNEL, none of which has been read. KERNEL and CONFIG must outlive it. NULL
 * when memory is short. */
struct block_reader *block_reader_create(struct trace_kernel *kernel,
                                         const struct sim_config *config);
/* Releases blocks that nobody took. Accepts NULL. */
void block_reader_destroy(struct block_reader *feed);

/* The next block, the caller's from now on; NULL with ERR filled when the trace has none or
 * cannot be read. One thread at a time. */
struct trace_block *block_reader_take(struct block_reader *feed, struct error *err);

/* Reads no further block. */
void block_reader_stop(struct block_reader *feed);

/* Reads one block ahead, unless TARGET wait already, the memory is used up, another thread
 * reads, or there is nothing to read: false then. */
bool block_reader_read_ahead(struct block_reader *feed, uint32_t target);

#endif
