#include "traces/base/threads/work_shares.h"

#include <stdlib.h>

#include "traces/base/prefetch.h"

bool work_shares_init(struct work_shares *claims, uint32_t count)
{
    claims->count = count;
    atomic_init(&claims->left, 0);
    claims->claimed = prefetch_alloc(count, sizeof *claims->claimed);
    for (uint32_t i = 0; claims->claimed != NULL && i < count; i++)
        atomic_init(&claims->claimed[i], 1);
    return claims->claimed != NULL;
}

void work_shares_finish(struct work_shares *claims)
{
    free(claims->claimed);
    claims->claimed = NULL;
}

void work_shares_open(struct work_shares *claims)
{
    for (uint32_t i = 0; i < claims->count; i++)
        atomic_store_explicit(&claims->claimed[i], 0, memory_order_relaxed);
    atomic_store_explicit(&claims->left, claims->count, memory_order_relaxed);
}

/* Looks before it writes: the line stays with whoever else only looks. */
static bool claim(struct work_shares *claims, uint32_t piece)
{
    if (atomic_load_explicit(&claims->claimed[piece], memory_order_relaxed) != 0 ||
        atomic_exchange_explicit(&claims->claimed[piece], 1, memory_order_relaxed) != 0)
        return false;
    atomic_fetch_sub_explicit(&claims->left, 1, memory_order_relaxed);
    return true;
}

bool work_shares_own(struct work_shares *claims, struct thread_pool_thread self,
                     uint32_t *piece)
{
    uint32_t end = work_shares_end(self, claims->count);
    if (!work_shares_left(claims))
        return false;
    for (uint32_t i = work_shares_first(self, claims->count); i < end; i++) {
        *piece = i;
        if (claim(claims, i))
            return true;
    }
    return false;
}

bool work_shares_any(struct work_shares *claims, struct thread_pool_thread self,
                     uint32_t *piece)
{
    uint32_t first = work_shares_first(self, claims->count);
    if (work_shares_own(claims, self, piece))
        return true;
    for (uint32_t i = 1; work_shares_left(claims) && i <= claims->count; i++) {
        *piece = (first + claims->count - i) % claims->count;
        if (claim(claims, *piece))
            return true;
    }
    return false;
}

void work_shares_serialize(struct work_shares *claims, struct serializer *image)
{
    uint32_t left = atomic_load(&claims->left);
    serialize_bytes(image, &left, sizeof left);
    atomic_store(&claims->left, left);
    serialize_bytes(image, claims->claimed, claims->count * sizeof *claims->claimed);
}
