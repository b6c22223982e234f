/* Lower bounds: which access to a sector is known to come from where. */
#include "tests/suite.h"

#include "sim/bounds/touched.h"

#define L2   200
#define DRAM 500

static const struct touched_reader first = {.block = 1, .l2 = L2, .dram = DRAM, .port = 2};

/* Sectors 0 to 3 are a line; L2 fetches two of them. */
static void begin(struct touched *touched)
{
    *touched = (struct touched){.fetch = 64};
    ck_assert(touched_next_launch(touched));
}

static void touch(struct touched *touched, uint32_t block, uint32_t warp, uint64_t sector,
                  bool writes)
{
    ck_assert(touched_add(touched, block, warp, &sector, 1, !writes, writes));
}

static uint64_t arrival(struct touched *touched, uint64_t sector, uint64_t now)
{
    return touched_arrival(touched, &first, &sector, 1, false, now);
}

/* The first load brings its sector, from DRAM if nobody else touches what comes with it; a
 * later one waits for it. */
START_TEST(first_loads)
{
    struct touched touched;
    begin(&touched);
    touch(&touched, 1, 0, 0, false);
    touch(&touched, 1, 1, 0, false);
    touch(&touched, 1, 1, 1, false);
    ck_assert_uint_eq(arrival(&touched, 0, 10), 10 + DRAM);
    ck_assert_uint_eq(arrival(&touched, 0, 50), 10 + DRAM);
    ck_assert_uint_eq(arrival(&touched, 1, 20), 20 + L2); /* was fetched with the other one */
    touched_finish(&touched);
}
END_TEST

/* Another block of the same SM may have brought it; one of another SM has not. */
START_TEST(other_blocks)
{
    struct touched touched;
    struct touched_reader alone = first;
    uint64_t sector = 4;
    alone.single = true;
    begin(&touched);
    touch(&touched, 1, 0, 4, false);
    touch(&touched, 2, 0, 4, false);
    ck_assert_uint_eq(arrival(&touched, 4, 10), 0);
    ck_assert(touched_next_launch(&touched));
    touch(&touched, 1, 0, 4, false);
    touch(&touched, 2, 0, 4, false);
    ck_assert_uint_eq(touched_arrival(&touched, &alone, &sector, 1, false, 10), 10 + L2);
    touched_finish(&touched);
}
END_TEST

/* Where several warps write, nobody knows who is first; a warp knows what it did itself. */
START_TEST(writers)
{
    struct touched touched;
    uint64_t own = 0;
    begin(&touched);
    touch(&touched, 1, 0, 0, true);
    touch(&touched, 1, 0, 0, false);
    touch(&touched, 1, 0, 8, false);
    touch(&touched, 1, 1, 8, true);
    ck_assert_uint_eq(touched_arrival(&touched, &first, &own, 1, true, 5), 0);
    ck_assert_uint_eq(arrival(&touched, 0, 10), 0);
    ck_assert_uint_eq(arrival(&touched, 8, 10), 0);
    touched_finish(&touched);
}
END_TEST

/* An SM gets two sectors in a cycle. */
START_TEST(port)
{
    struct touched touched;
    uint64_t sectors[5] = {0, 4, 8, 12, 16};
    begin(&touched);
    ck_assert(touched_copy(&touched, 0, 1024)); /* L2 has them */
    for (int i = 0; i < 5; i++)
        touch(&touched, 1, 0, sectors[i], false);
    ck_assert_uint_eq(touched_arrival(&touched, &first, sectors, 5, false, 7), 7 + L2 + 2);
    touched_finish(&touched);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {first_loads, other_blocks, writers, port};
    return RUN_TESTS("bounds", tests);
}
