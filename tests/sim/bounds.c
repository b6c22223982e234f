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

/* Another block may have asked DRAM at the begin, if no SM gets a second block; not if one
 * writes the sector, whose data then need not come from there. */
START_TEST(asked_at_the_begin)
{
    struct touched touched;
    struct touched_reader alone = first;
    const uint64_t read = 0, written = 8;
    alone.single = true;
    begin(&touched);
    touch(&touched, 1, 0, read, false);
    touch(&touched, 2, 0, read, false);
    touch(&touched, 1, 0, written, false);
    touch(&touched, 2, 0, written, true);
    ck_assert_uint_eq(touched_arrival(&touched, &alone, &read, 1, false, 10), DRAM);
    ck_assert_uint_eq(touched_arrival(&touched, &alone, &written, 1, false, 10), 0);
    touched_finish(&touched);
}
END_TEST

static uint64_t from_l2(struct touched *touched)
{
    struct touched_totals totals;
    touched_count(touched, &totals);
    return totals.from_l2;
}

/* A warp that reads a sector before it writes it gets it from L2, what it writes first it may
 * have in L1, and who is first of several warps is not known. */
START_TEST(read_and_written)
{
    struct touched touched;
    begin(&touched);
    touch(&touched, 1, 0, 0, false);
    touch(&touched, 1, 0, 0, true);
    ck_assert_uint_eq(from_l2(&touched), 1);
    touch(&touched, 1, 0, 1, true);
    touch(&touched, 1, 0, 1, false);
    touch(&touched, 1, 0, 2, false);
    touch(&touched, 1, 1, 2, true);
    uint64_t reduced = 3; /* an atomic reads in L2 */
    ck_assert(touched_add(&touched, 1, 0, &reduced, 1, true, true));
    ck_assert_uint_eq(from_l2(&touched), 1);
    touched_finish(&touched);
}
END_TEST

/* A launch is translated if one of its regions is, which another launch touched. */
START_TEST(regions)
{
    struct touched touched;
    begin(&touched);
    touched.region_bytes = 1024; /* 32 sectors */
    touch(&touched, 1, 0, 64, false);
    touch(&touched, 1, 0, 0, false);
    touch(&touched, 1, 0, 95, false);
    ck_assert(!touched.translated);
    ck_assert(touched_next_launch(&touched));
    touch(&touched, 1, 0, 32, false);
    ck_assert(!touched.translated);
    touch(&touched, 1, 0, 31, false);
    ck_assert(touched.translated);
    ck_assert(touched_next_launch(&touched));
    ck_assert(!touched.translated);
    touched_finish(&touched);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {first_loads,        other_blocks,     writers, port,
                                  asked_at_the_begin, read_and_written, regions};
    return RUN_TESTS("bounds", tests);
}
