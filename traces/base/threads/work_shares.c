#include "traces/base/threads/work_shares.h"

#include <stdlib.h>

#include "traces/base/prefetch.h"

bool work_shares_init(struct work_shares *shares, uint32_t count)
{
    shares->count = count;
    atomic_init(&shares->left, 0);
    shares->claimed = prefetch_alloc(count, sizeof *shares->claimed);
    for (uint32_t i = 0; shares->claimed != NULL && i < count; i++)
        atomic_init(&shares->claimed[i], 1);
    return shares->claimed != NULL;
}

void work_shares_finish(struct work_shares *shares)
{
    free(shares->claimed);
    shares->claimed = NULL;
}

void work_shares_open(struct work_shares *shares)
{
    for (uint32_t i = 0; i < shares->count; i++)
        atomic_store_explicit(&shares->claimed[i], 0, memory_order_relaxed);
    atomic_store_explicit(&shares->left, shares->count, memory_order_relaxed);
}

/* Reads before it writes: threads that only read can then share the cache line. */
static bool claim(struct work_shares *shares, uint32_t piece)
{
    if (atomic_load_explicit(&shares->claimed[piece], memory_order_relaxed) != 0 ||
        atomic_exchange_explicit(&shares->claimed[piece], 1, memory_order_relaxed) != 0)
        return false;
    atomic_fetch_sub_explicit(&shares->left, 1, memory_order_relaxed);
    return true;
}

bool work_shares_own(struct work_shares *shares, struct thread_pool_thread self,
                     uint32_t *piece)
{
    uint32_t end = work_shares_end(self, shares->count);
    if (!work_shares_left(shares))
        return false;
    for (uint32_t i = work_shares_first(self, shares->count); i < end; i++) {
        *piece = i;
        if (claim(shares, i))
            return true;
    }
    return false;
}

bool work_shares_any(struct work_shares *shares, struct thread_pool_thread self,
                     uint32_t *piece)
{
    uint32_t first = work_shares_first(self, shares->count);
    if (work_shares_own(shares, self, piece))
        return true;
    for (uint32_t i = 1; work_shares_left(shares) && i <= shares->count; i++) {
        *piece = (first + shares->count - i) % shares->count;
        if (claim(shares, *piece))
            return true;
    }
    return false;
}

void work_shares_serialize(struct work_shares *shares, struct serializer *image)
{
    uint32_t left = atomic_load(&shares->left);
    serialize_bytes(image, &left, sizeof left);
    atomic_store(&shares->left, left);
    serialize_bytes(image, shares->claimed, shares->count * sizeof *shares->claimed);
}
