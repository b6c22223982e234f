/* The hash from keys to numbers against a plain table. */
#include "tests/suite.h"

#include "traces/base/hash_index.h"

#define NUMBERS 64
#define KEYS    256

/* What the hash should hold: the key of each number, 0 if it is not in it. */
struct model {
    struct hash_index index;
    uint64_t key[NUMBERS];
    uint64_t (*hash)(uint64_t key);
};

static uint32_t find(const struct model *model, uint64_t key)
{
    struct hash_index_search search = hash_index_begin(&model->index, model->hash(key));
    uint32_t number;
    while ((number = hash_index_next(&model->index, &search)) != HASH_INDEX_NONE)
        if (model->key[number] == key)
            return number;
    return HASH_INDEX_NONE;
}

static uint32_t number_of(const struct model *model, uint64_t key)
{
    for (uint32_t number = 0; number < NUMBERS; number++)
        if (model->key[number] == key)
            return number;
    return HASH_INDEX_NONE;
}

static void check_all(const struct model *model)
{
    for (uint64_t key = 1; key <= KEYS; key++)
        ck_assert_uint_eq(find(model, key), number_of(model, key));
}

/* Adds and takes out in no order, from nearly empty to full. */
static void shuffle(struct model *model, uint32_t steps)
{
    uint32_t random = 1;
    for (uint32_t step = 0; step < steps; step++) {
        random = random * 1664525u + 1013904223u;
        uint32_t number = random >> 26;
        uint64_t key = 1 + (random >> 10) % KEYS;
        if (model->key[number] != 0) {
            hash_index_remove(&model->index, model->hash(model->key[number]), number);
            model->key[number] = 0;
        } else if (number_of(model, key) == HASH_INDEX_NONE) {
            model->key[number] = key;
            hash_index_add(&model->index, model->hash(key), number);
        }
        check_all(model);
    }
}

static uint64_t one_bucket(uint64_t key)
{
    return key << 20;
}

static uint64_t nothing_but_bucket(uint64_t key)
{
    return key << 40;
}

static uint64_t same(uint64_t key)
{
    (void)key;
    return 0;
}

static uint64_t (*const hashes[])(uint64_t) = {hash_index_hash, one_bucket, nothing_but_bucket,
                                               same};

START_TEST(what_was_added_is_found)
{
    struct model model = {.hash = hashes[_i]};
    ck_assert(hash_index_init(&model.index, NUMBERS, NUMBERS));
    shuffle(&model, 2000);
    hash_index_clear(&model.index);
    memset(model.key, 0, sizeof model.key);
    check_all(&model);
    hash_index_finish(&model.index);
}
END_TEST

/* Nothing is left, not even counts of those that passed: all fit again. */
START_TEST(emptied_one_by_one)
{
    struct model model = {.hash = hashes[_i]};
    ck_assert(hash_index_init(&model.index, NUMBERS, NUMBERS));
    shuffle(&model, 1000);
    for (uint32_t number = 0; number < NUMBERS; number++)
        if (model.key[number] != 0)
            hash_index_empty(&model.index, model.hash(model.key[number]));
    for (uint32_t b = 0; b <= model.index.mask; b++) {
        ck_assert_uint_eq(model.index.buckets[b].passed, 0);
        for (uint32_t i = 0; i < HASH_INDEX_SLOTS - 1; i++)
            ck_assert_uint_eq(model.index.buckets[b].entry[i], 0);
    }
    hash_index_finish(&model.index);
}
END_TEST

/* Numbers of the first bucket that passed on to the second, and of the second to the first: the
 * search for one that is not there ends. */
START_TEST(all_passed)
{
    struct hash_index index;
    const uint64_t first = 0, second = 1ull << 40;
    ck_assert(hash_index_init(&index, 16, 16));
    ck_assert_uint_eq(index.mask, 1);
    for (uint32_t n = 0; n < 16; n++)
        hash_index_add(&index, first, n);
    for (uint32_t n = 0; n < 15; n++)
        hash_index_remove(&index, first, n);
    for (uint32_t n = 0; n < 15; n++)
        hash_index_add(&index, second, n);
    ck_assert(index.buckets[0].passed != 0 && index.buckets[1].passed != 0);
    for (uint64_t home = 0; home < 2; home++) {
        struct hash_index_search search = hash_index_begin(&index, home << 40 | 5ull << 20);
        ck_assert_uint_eq(hash_index_next(&index, &search), HASH_INDEX_NONE);
    }
    hash_index_finish(&index);
}
END_TEST

/* Few numbers, many numbers: each comes back. */
START_TEST(of_any_size)
{
    const uint32_t counts[] = {1, 2, 7, 15, 16, 1000, 65536, 100000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct hash_index index;
        /* numbers up to three times as many as there are at a time */
        uint32_t step = 1 + c % 3, end = (counts[c] - 1) * step + 1;
        ck_assert(hash_index_init(&index, counts[c], end));
        for (uint32_t n = 0; n < end; n += step)
            hash_index_add(&index, hash_index_hash(n), n);
        for (uint32_t n = 0; n < end; n += step) {
            struct hash_index_search search = hash_index_begin(&index, hash_index_hash(n));
            uint32_t found;
            while ((found = hash_index_next(&index, &search)) != n)
                ck_assert_uint_ne(found, HASH_INDEX_NONE);
        }
        hash_index_finish(&index);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {all_passed, of_any_size};
    const TTest *const loops[] = {what_was_added_is_found, emptied_one_by_one};
    return RUN_LOOPS("index", tests, loops, sizeof hashes / sizeof hashes[0]);
}
