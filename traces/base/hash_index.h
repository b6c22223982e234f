/* A hash table from keys to small numbers, in buckets of one cache line of the host each. It
 * holds the numbers and parts of the keys' hashes; the user keeps the keys and compares them.
 *
 * A number whose bucket is full goes into the next bucket with room, and each bucket that it
 * passes counts it: a search continues after a bucket that numbers have passed. So nothing ever
 * moves, and most searches read one line, without a branch for each entry. */
#ifndef HEARTH_TRACES_BASE_HASH_INDEX_H
#define HEARTH_TRACES_BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define HASH_INDEX_NONE UINT32_MAX
/* 32-bit words of a bucket: entries, and the count of numbers that passed it. */
#define HASH_INDEX_SLOTS 16
/* Mask of the entries. */
#define HASH_INDEX_PLACES ((1u << (HASH_INDEX_SLOTS - 1)) - 1)

struct hash_index_bucket {
    _Alignas(64) uint32_t entry[HASH_INDEX_SLOTS - 1]; /* 0: empty */
    uint32_t passed; /* numbers that went on to the next bucket */
};

struct hash_index {
    struct hash_index_bucket *buckets;
    uint32_t mask; /* the number of buckets, a power of two, minus one */
    uint8_t
        number; /* how many bits of an entry are its number; the others are bits of its hash */
};

/* A search in progress. */
struct hash_index_search {
    uint32_t bucket, home, want;
    uint32_t found; /* mask of the entries of the bucket that match and are not yet returned */
};

static inline void hash_index_clear(struct hash_index *index)
{
    memset(index->buckets, 0, ((size_t)index->mask + 1) * sizeof *index->buckets);
}

/* For at most COUNT numbers at a time, each below END, at most 2^30. There is room for twice as
 * many, so that few buckets are ever full. Returns false if memory is short. */
static inline bool hash_index_init(struct hash_index *index, size_t count, size_t end)
{
    size_t buckets = 1;
    while (buckets * HASH_INDEX_SLOTS < 2 * count)
        buckets *= 2;
    for (index->number = 1; end > (size_t)1 << index->number;)
        index->number++;
    index->buckets =
        aligned_alloc(_Alignof(struct hash_index_bucket), buckets * sizeof *index->buckets);
    index->mask = (uint32_t)buckets - 1;
    if (index->buckets != NULL)
        hash_index_clear(index);
    return index->buckets != NULL;
}

static inline void hash_index_finish(struct hash_index *index)
{
    free(index->buckets);
    index->buckets = NULL;
}

static inline uint64_t hash_index_hash(uint64_t key)
{
    return key * 0x9e3779b97f4a7c15ull;
}

/* The bucket where the search for HASH begins. */
static inline uint32_t hash_index_home(const struct hash_index *index, uint64_t hash)
{
    return (uint32_t)(hash >> 40) & index->mask;
}

/* Prefetches that bucket. */
static inline void hash_index_prefetch(const struct hash_index *index, uint64_t hash)
{
    __builtin_prefetch(&index->buckets[hash_index_home(index, hash)]);
}

/* The entry of NUMBER with HASH; never 0, which is an empty entry. */
static inline uint32_t hash_index_entry(const struct hash_index *index, uint64_t hash,
                                        uint32_t number)
{
    return 1u << 31 | (uint32_t)(hash >> 20) << index->number | number;
}

/* A mask of the entries of BUCKET that equal WANT in the bits of MASK. */
static inline uint32_t hash_index_compare(const struct hash_index_bucket *bucket, uint32_t want,
                                          uint32_t mask)
{
#ifdef __AVX2__
    const __m256i *words = (const __m256i *)(const void *)bucket;
    __m256i wanted = _mm256_set1_epi32((int)(want & mask)), in = _mm256_set1_epi32((int)mask);
    __m256i low = _mm256_cmpeq_epi32(_mm256_and_si256(words[0], in), wanted);
    __m256i high = _mm256_cmpeq_epi32(_mm256_and_si256(words[1], in), wanted);
    uint32_t found = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(low)) |
                     (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << 8;
    return found & HASH_INDEX_PLACES;
#else
    uint32_t found = 0;
    for (uint32_t i = 0; i < HASH_INDEX_SLOTS - 1; i++)
        found |= (uint32_t)((bucket->entry[i] & mask) == (want & mask)) << i;
    return found;
#endif
}

/* The mask of the bits of an entry that are not its number. */
static inline uint32_t hash_index_known(const struct hash_index *index)
{
    return ~0u << index->number;
}

static inline struct hash_index_search hash_index_begin(const struct hash_index *index,
                                                        uint64_t hash)
{
    struct hash_index_search search = {.bucket = hash_index_home(index, hash),
                                       .home = hash_index_home(index, hash),
                                       .want = hash_index_entry(index, hash, 0)};
    search.found = hash_index_compare(&index->buckets[search.bucket], search.want,
                                      hash_index_known(index));
    return search;
}

/* The next number whose key may be the one that SEARCH looks for; HASH_INDEX_NONE after the
 * last. */
static inline uint32_t hash_index_next(const struct hash_index *index,
                                       struct hash_index_search *search)
{
    while (search->found == 0) {
        if (index->buckets[search->bucket].passed == 0)
            return HASH_INDEX_NONE;
        search->bucket = (search->bucket + 1) & index->mask;
        if (search->bucket == search->home) /* numbers have passed every one of few buckets */
            return HASH_INDEX_NONE;
        search->found = hash_index_compare(&index->buckets[search->bucket], search->want,
                                           hash_index_known(index));
    }
    uint32_t at = (uint32_t)__builtin_ctz(search->found);
    search->found &= search->found - 1;
    return index->buckets[search->bucket].entry[at] & ~hash_index_known(index);
}

/* Adds NUMBER, which must not be there yet with HASH. */
static inline void hash_index_add(struct hash_index *index, uint64_t hash, uint32_t number)
{
    uint32_t at = hash_index_home(index, hash), empty;
    while ((empty = hash_index_compare(&index->buckets[at], 0, ~0u)) == 0) {
        index->buckets[at].passed++;
        at = (at + 1) & index->mask;
    }
    index->buckets[at].entry[__builtin_ctz(empty)] = hash_index_entry(index, hash, number);
}

/* Empties the bucket where the search for HASH begins, and those that its entries went on to.
 * Called for all hashes that were added, in any order, it empties the whole table. */
static inline void hash_index_empty(struct hash_index *index, uint64_t hash)
{
    uint32_t at = hash_index_home(index, hash);
    bool more = true;
    for (; more; at = (at + 1) & index->mask) {
        more = index->buckets[at].passed != 0;
        index->buckets[at] = (struct hash_index_bucket){.passed = 0};
    }
}

/* Removes NUMBER, which was added with HASH. */
static inline void hash_index_remove(struct hash_index *index, uint64_t hash, uint32_t number)
{
    uint32_t at = hash_index_home(index, hash), entry = hash_index_entry(index, hash, number),
             found;
    while ((found = hash_index_compare(&index->buckets[at], entry, ~0u)) == 0) {
        index->buckets[at].passed--;
        at = (at + 1) & index->mask;
    }
    index->buckets[at].entry[__builtin_ctz(found)] = 0;
}

#endif
