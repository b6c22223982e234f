/* Threads that work together: whoever comes in time takes part, nobody is left behind. */
#include "traces/base/threads/thread_pool.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "tests/suite.h"

#define ROUNDS 20000
#define PIECES 5

struct work {
    atomic_uint left, done, inside;
    atomic_bool strange; /* a thread's number is none of the pool's */
    uint32_t threads;
    unsigned plain; /* written by whoever does the last piece, read by the caller */
};

static void take_pieces(void *data, struct thread_pool_thread self)
{
    struct work *work = data;
    atomic_fetch_add(&work->inside, 1);
    if (self.number >= self.threads || self.threads != work->threads)
        atomic_store(&work->strange, true);
    for (unsigned left = atomic_load(&work->left); left != 0;) {
        if (!atomic_compare_exchange_weak(&work->left, &left, left - 1))
            continue;
        if (atomic_fetch_add(&work->done, 1) == PIECES - 1)
            work->plain++;
        left = atomic_load(&work->left);
    }
    atomic_fetch_sub(&work->inside, 1);
}

/* Of the pools; some have more than machines have cores. */
static const uint32_t threads[] = {1, 2, 3, 16};

/* Rounds of next to nothing, with fewer and with more threads than cores: each returns when all
 * has been done, and with nobody inside. */
START_TEST(rounds_end)
{
    struct work work = {.threads = threads[_i]};
    struct thread_pool *pool = thread_pool_create(threads[_i]);
    ck_assert_ptr_nonnull(pool);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        atomic_store(&work.left, PIECES);
        atomic_store(&work.done, 0);
        thread_pool_run(pool, take_pieces, &work);
        ck_assert_uint_eq(atomic_load(&work.inside), 0);
        ck_assert_uint_eq(atomic_load(&work.done), PIECES);
        ck_assert_uint_eq(work.plain, round);
    }
    ck_assert(!atomic_load(&work.strange));
    thread_pool_destroy(pool);
}
END_TEST

/* Others are still at work when the caller has done its part. */
static void outlast(void *data, struct thread_pool_thread self)
{
    atomic_uint *inside = data;
    atomic_fetch_add(inside, 1);
    for (uint32_t i = 0; self.number != 0 && i < 200; i++)
        atomic_fetch_add(inside, 0);
    atomic_fetch_sub(inside, 1);
}

/* Nobody works on what the caller has freed. */
START_TEST(all_have_left)
{
    struct thread_pool *pool = thread_pool_create(threads[_i]);
    for (unsigned round = 0; round < ROUNDS; round++) {
        atomic_uint *inside = calloc(1, sizeof *inside);
        thread_pool_run(pool, outlast, inside);
        ck_assert_uint_eq(atomic_load(inside), 0);
        free(inside);
    }
    thread_pool_destroy(pool);
}
END_TEST

/* The caller's thread alone, where there is no pool. */
START_TEST(no_pool)
{
    struct work work = {.left = PIECES, .threads = 1};
    thread_pool_run(NULL, take_pieces, &work);
    ck_assert_uint_eq(work.plain, 1);
    thread_pool_destroy(NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {no_pool};
    const TTest *const loops[] = {rounds_end, all_have_left};
    return RUN_LOOPS("pool", tests, loops, sizeof threads / sizeof *threads);
}
