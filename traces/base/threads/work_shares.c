#include "traces/base/threads/work_shares.h"

#include <stdlib.h>

#include "traces/base/prefetch.h"

static uint32_t words(const struct work_shares *shares)
{
    return (shares->count + 63) / 64;
}

bool work_shares_init(struct work_shares *shares, uint32_t count)
{
    shares->count = count;
    atomic_init(&shares->left, 0);
    shares->free = prefetch_alloc(words(shares), sizeof *shares->free);
    for (uint32_t i = 0; shares->free != NULL && i < words(shares); i++)
        atomic_init(&shares->free[i], 0);
    return shares->free != NULL;
}

void work_shares_finish(struct work_shares *shares)
{
    free(shares->free);
    shares->free = NULL;
}

void work_shares_open(struct work_shares *shares)
{
    for (uint32_t i = 0; i < words(shares); i++) {
        uint32_t rest = shares->count - 64 * i;
        atomic_store_explicit(&shares->free[i], rest < 64 ? (1ull << rest) - 1 : ~0ull,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&shares->left, shares->count, memory_order_relaxed);
}

/* The free pieces of word I that are from FROM to END - 1. */
static uint64_t free_of(const struct work_shares *shares, uint32_t i, uint32_t from,
                        uint32_t end)
{
    uint64_t bits = atomic_load_explicit(&shares->free[i], memory_order_relaxed);
    if (from > 64 * i)
        bits &= ~0ull << from % 64;
    if (end < 64 * (i + 1))
        bits &= (1ull << end % 64) - 1;
    return bits;
}

static bool claim(struct work_shares *shares, uint32_t piece)
{
    uint64_t bit = 1ull << piece % 64;
    if (!(atomic_fetch_and_explicit(&shares->free[piece / 64], ~bit, memory_order_relaxed) &
          bit))
        return false;
    atomic_fetch_sub_explicit(&shares->left, 1, memory_order_relaxed);
    return true;
}

/* Claims the first free piece from FROM to END - 1. It reads before it writes: threads that
 * only read can then share the cache line. */
static bool claim_first(struct work_shares *shares, uint32_t from, uint32_t end,
                        uint32_t *piece)
{
    for (uint32_t i = from / 64; 64 * i < end; i++)
        for (uint64_t bits; (bits = free_of(shares, i, from, end)) != 0;) {
            *piece = 64 * i + (uint32_t)__builtin_ctzll(bits);
            if (claim(shares, *piece))
                return true;
        }
    return false;
}

/* The same of the last one. */
static bool claim_last(struct work_shares *shares, uint32_t from, uint32_t end, uint32_t *piece)
{
    for (uint32_t i = (end + 63) / 64; i-- > from / 64;)
        for (uint64_t bits; (bits = free_of(shares, i, from, end)) != 0;) {
            *piece = 64 * i + 63 - (uint32_t)__builtin_clzll(bits);
            if (claim(shares, *piece))
                return true;
        }
    return false;
}

bool work_shares_own(struct work_shares *shares, struct thread_pool_thread self,
                     uint32_t *piece)
{
    return work_shares_left(shares) &&
           claim_first(shares, work_shares_first(self, shares->count),
                       work_shares_end(self, shares->count), piece);
}

bool work_shares_any(struct work_shares *shares, struct thread_pool_thread self,
                     uint32_t *piece)
{
    uint32_t first = work_shares_first(self, shares->count);
    if (work_shares_own(shares, self, piece))
        return true;
    return work_shares_left(shares) && (claim_last(shares, 0, first, piece) ||
                                        claim_last(shares, first, shares->count, piece));
}

void work_shares_serialize(struct work_shares *shares, struct serializer *image)
{
    uint32_t left = atomic_load(&shares->left);
    serialize_bytes(image, &left, sizeof left);
    atomic_store(&shares->left, left);
    serialize_bytes(image, shares->free, words(shares) * sizeof *shares->free);
}
