/* Pieces of work that threads claim.
 *
 * Each thread has a share of the pieces and claims those first, so that the data of a piece
 * stays in the cache of one core of the host. A thread that has finished its share takes pieces
 * that others have left, from the end of their shares, which they reach last. Which thread does
 * what only changes how long it takes. */
#ifndef HEARTH_TRACES_BASE_THREADS_WORK_SHARES_H
#define HEARTH_TRACES_BASE_THREADS_WORK_SHARES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "traces/base/serialize.h"
#include "traces/base/threads/thread_pool.h"

struct work_shares {
    uint32_t count;
    atomic_uint left;    /* pieces that no thread has claimed */
    atomic_ullong *free; /* a bit for each of those; owned */
};

/* All COUNT pieces count as claimed. Returns false if memory is short. */
bool work_shares_init(struct work_shares *shares, uint32_t count);
void work_shares_finish(struct work_shares *shares);

/* Makes all pieces free, for threads that look after this call. */
void work_shares_open(struct work_shares *shares);

/* The first piece of a thread's share of COUNT pieces, and the piece after its last one. With
 * more threads than pieces, some shares are empty. */
static inline uint32_t work_shares_first(struct thread_pool_thread self, uint32_t count)
{
    return (uint32_t)((uint64_t)self.number * count / self.threads);
}
static inline uint32_t work_shares_end(struct thread_pool_thread self, uint32_t count)
{
    return (uint32_t)((uint64_t)(self.number + 1) * count / self.threads);
}

/* Whether a piece is free; another thread may claim it meanwhile. */
static inline bool work_shares_left(struct work_shares *shares)
{
    return atomic_load_explicit(&shares->left, memory_order_relaxed) != 0;
}

/* Claims a piece of SELF's share; false if none is left. */
bool work_shares_own(struct work_shares *shares, struct thread_pool_thread self,
                     uint32_t *piece);
/* Claims a piece of any share, SELF's own first. */
bool work_shares_any(struct work_shares *shares, struct thread_pool_thread self,
                     uint32_t *piece);

/* For the image of a simulator, while no thread works. */
void work_shares_serialize(struct work_shares *shares, struct serializer *image);

#endif
