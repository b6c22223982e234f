#include "traces/base/threads/work_shares.h"

#include <stdlib.h>

#include "traces/base/prefetch.h"

bool claims_init(struct claims *claims, uint32_t count)
{
    claims->count = count;
    atomic_init(&claims->left, 0);
    claims->claimed = near_alloc(count, sizeof *claims->claimed);
    for (uint32_t i = 0; claims->claimed != NULL && i < count; i++)
        atomic_init(&claims->claimed[i], 1);
    return claims->claimed != NULL;
}

void claims_finish(struct claims *claims)
{
    free(claims->claimed);
    claims->claimed = NULL;
}

void claims_open(struct claims *claims)
{
    for (uint32_t i = 0; i < claims->count; i++)
        atomic_store_explicit(&claims->claimed[i], 0, memory_order_relaxed);
    atomic_store_explicit(&claims->left, claims->count, memory_order_relaxed);
}

/* Looks before it writes: the line stays with whoever else only looks. */
static bool claim(struct claims *claims, uint32_t piece)
{
    if (atomic_load_explicit(&claims->claimed[piece], memory_order_relaxed) != 0 ||
        atomic_exchange_explicit(&claims->claimed[piece], 1, memory_order_relaxed) != 0)
        return false;
    atomic_fetch_sub_explicit(&claims->left, 1, memory_order_relaxed);
    return true;
}

bool claims_own(struct claims *claims, struct pool_thread self, uint32_t *piece)
{
    uint32_t end = claims_end(self, claims->count);
    if (!claims_left(claims))
        return false;
    for (uint32_t i = claims_first(self, claims->count); i < end; i++) {
        *piece = i;
        if (claim(claims, i))
            return true;
    }
    return false;
}

bool claims_any(struct claims *claims, struct pool_thread self, uint32_t *piece)
{
    uint32_t first = claims_first(self, claims->count);
    if (claims_own(claims, self, piece))
        return true;
    for (uint32_t i = 1; claims_left(claims) && i <= claims->count; i++) {
        *piece = (first + claims->count - i) % claims->count;
        if (claim(claims, *piece))
            return true;
    }
    return false;
}

void claims_image(struct claims *claims, struct image *image)
{
    uint32_t left = atomic_load(&claims->left);
    image_bytes(image, &left, sizeof left);
    atomic_store(&claims->left, left);
    image_bytes(image, claims->claimed, claims->count * sizeof *claims->claimed);
}
