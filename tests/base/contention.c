/* When the threads of a pool give way to other processes: times by hand. */
#include "traces/base/threads/contention.h"
#include "tests/suite.h"

#define MS 1000000u

/* A busy machine at time NOW: threads have waited for MORE ms since the last call. */
static bool alone_after(struct contention *contention, unsigned more, uint64_t now)
{
    atomic_fetch_add(&contention->lost, (uint64_t)more * MS);
    return contention_alone(contention, now * MS);
}

START_TEST(free_machine)
{
    struct contention contention = {0};
    for (uint64_t now = 1000; now < 3000; now += 20)
        ck_assert(!alone_after(&contention, 1, now)); /* 1 ms in a period of 20 */
}
END_TEST

START_TEST(gives_way)
{
    struct contention contention = {0};
    ck_assert(!alone_after(&contention, 0, 1000));
    ck_assert(!alone_after(&contention, 2, 1005));
    ck_assert(alone_after(&contention, 1, 1010)); /* 3 ms: for 50 ms */
    ck_assert(alone_after(&contention, 0, 1059));
    ck_assert(!alone_after(&contention, 0, 1060)); /* tries again */
}
END_TEST

START_TEST(longer_each_time)
{
    static const uint64_t times[] = {50, 200, 800, 3200, 12800, 12800};
    struct contention contention = {0};
    uint64_t now = 1000;
    for (uint32_t i = 0; i < sizeof times / sizeof *times; i++) {
        ck_assert(!alone_after(&contention, 0, now));
        ck_assert(alone_after(&contention, 3, now + 5));
        ck_assert(alone_after(&contention, 0, now + 5 + times[i] - 1));
        now += 5 + times[i];
    }
    /* 200 ms together went well: what comes then is a new case. */
    for (uint64_t end = now + 200; now < end; now += 10)
        ck_assert(!alone_after(&contention, 0, now));
    ck_assert(alone_after(&contention, 3, now));
    ck_assert(!alone_after(&contention, 0, now + 50));
}
END_TEST

/* Of the calling thread: looks at most every 2 ms, and never sees time run back. */
START_TEST(looks)
{
    struct contention contention = {0};
    struct contention_thread thread;
    contention_begin(&thread);
    contention_note(&contention, &thread, 10 * MS);
    ck_assert_uint_eq(atomic_load(&contention.lost), 0); /* since when is not known */
    ck_assert_uint_eq(thread.next, 12 * MS);
    ck_assert(thread.known == (thread.file >= 0));
    uint64_t before = thread.waited;
    contention_note(&contention, &thread, 11 * MS);
    ck_assert_uint_eq(thread.next, 12 * MS);
    contention_note(&contention, &thread, 12 * MS);
    ck_assert_uint_eq(atomic_load(&contention.lost), thread.waited - before);
    contention_end(&thread);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {free_machine, gives_way, longer_each_time, looks};
    return RUN_TESTS("contention", tests);
}
