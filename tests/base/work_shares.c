/* Threads claim every piece of work once, their own shares first. */
#include "traces/base/threads/work_shares.h"
#include "tests/suite.h"

#define PIECES  150
#define THREADS 5
#define ROUNDS  2000

START_TEST(shares_are_all)
{
    for (uint32_t threads = 1; threads < 70; threads++) {
        uint32_t at = 0;
        for (uint32_t i = 0; i < threads; i++) {
            struct thread_pool_thread self = {i, threads};
            ck_assert_uint_eq(work_shares_first(self, PIECES), at);
            at = work_shares_end(self, PIECES);
        }
        ck_assert_uint_eq(at, PIECES);
    }
}
END_TEST

/* 10 pieces, 3 threads: 0 to 2, 3 to 5, 6 to 9. The second one takes its own, and then those
 * that stand behind others' first ones, the nearest in front of its own first. */
START_TEST(own_share_first)
{
    static const uint32_t order[] = {3, 4, 5, 2, 1, 0, 9, 8, 7, 6};
    const struct thread_pool_thread self = {1, 3};
    struct work_shares claims;
    uint32_t piece;
    ck_assert(work_shares_init(&claims, 10));
    ck_assert(!work_shares_left(&claims) && !work_shares_any(&claims, self, &piece));
    work_shares_open(&claims);
    for (uint32_t i = 0; i < 10; i++) {
        ck_assert(work_shares_any(&claims, self, &piece));
        ck_assert_uint_eq(piece, order[i]);
        ck_assert_int_eq(work_shares_own(&claims, self, &piece), i < 2);
        i += i < 2;
    }
    ck_assert(!work_shares_left(&claims) && !work_shares_any(&claims, self, &piece));
    work_shares_finish(&claims);
}
END_TEST

struct count {
    struct work_shares claims;
    uint32_t claimed[PIECES]; /* not atomic: each has one thread a round */
};

static void claim_all(void *data, struct thread_pool_thread self)
{
    struct count *count = data;
    uint32_t piece;
    ck_assert(self.number < self.threads && self.threads == THREADS);
    while (work_shares_any(&count->claims, self, &piece))
        count->claimed[piece]++;
}

/* More threads than many machines have cores, so that they sleep and are woken, too. */
START_TEST(each_piece_once)
{
    struct thread_pool *pool = thread_pool_create(THREADS);
    struct count count = {0};
    ck_assert(pool != NULL && work_shares_init(&count.claims, PIECES));
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        work_shares_open(&count.claims);
        thread_pool_run(pool, claim_all, &count);
        for (uint32_t i = 0; i < PIECES; i++)
            ck_assert_uint_eq(count.claimed[i], round);
    }
    work_shares_finish(&count.claims);
    thread_pool_destroy(pool);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {shares_are_all, own_share_first, each_piece_once};
    return suite_run_tests("claims", tests, 3, NULL, 0, 0);
}
