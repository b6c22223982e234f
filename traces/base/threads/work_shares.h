/* Pieces of work that threads claim, each for itself.
 *
 * Of COUNT pieces each thread has a share of its own, which it claims first: what a piece works
 * on then stays in the cache of one core of the host from one time to the next. A thread that
 * has done its share takes what others have left, from the end of their shares on, where they
 * come last. Only time depends on who does what. */
#ifndef HEARTH_TRACES_BASE_THREADS_WORK_SHARES_H
#define HEARTH_TRACES_BASE_THREADS_WORK_SHARES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "traces/base/serialize.h"
#include "traces/base/threads/thread_pool.h"

struct work_shares {
    uint32_t count;
    atomic_uint left;      /* pieces that nobody has claimed */
    atomic_uchar *claimed; /* of each piece: 0 or 1; owned */
};

/* All COUNT pieces are claimed. Returns false when memory is short. */
bool work_shares_init(struct work_shares *claims, uint32_t count);
void work_shares_finish(struct work_shares *claims);

/* All pieces are to be had, for threads that begin to look after this. */
void work_shares_open(struct work_shares *claims);

/* The first piece of a thread's share of COUNT; the last one is in front of the next thread's
 * first. With more threads than pieces, some have none. */
static inline uint32_t work_shares_first(struct thread_pool_thread self, uint32_t count)
{
    return (uint32_t)((uint64_t)self.number * count / self.threads);
}
static inline uint32_t work_shares_end(struct thread_pool_thread self, uint32_t count)
{
    return (uint32_t)((uint64_t)(self.number + 1) * count / self.threads);
}

/* True while some piece has not been claimed; another thread may claim it meanwhile. */
static inline bool work_shares_left(struct work_shares *claims)
{
    return atomic_load_explicit(&claims->left, memory_order_relaxed) != 0;
}

/* Claims a piece of SELF's share for it; false when none is left. */
bool work_shares_own(struct work_shares *claims, struct thread_pool_thread self,
                     uint32_t *piece);
/* The same of any share, SELF's first. */
bool work_shares_any(struct work_shares *claims, struct thread_pool_thread self,
                     uint32_t *piece);

/* For a simulator's image; no thread is at work. */
void work_shares_serialize(struct work_shares *claims, struct serializer *image);

#endif
