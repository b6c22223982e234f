/* How long a slice has held requests back, by hand. */
#include "tests/sim/support.h"

#include "sim/ideal_l2/stall_log.h"

static void spell(struct stall_log *held, uint64_t begin, uint64_t end)
{
    stall_log_begin(held, begin);
    stall_log_end(held, end);
}

START_TEST(nothing_was_held)
{
    struct stall_log held = {0};
    stall_log_end(&held, 7); /* none lasts */
    ck_assert_uint_eq(stall_log_before(&held, 0), 0);
    ck_assert_uint_eq(stall_log_before(&held, 100), 0);
    ck_assert_uint_eq(held.count, 0);
}
END_TEST

/* From its first refusal on, however often it is refused again. */
START_TEST(a_spell_that_lasts)
{
    struct stall_log held = {0};
    stall_log_begin(&held, 10);
    stall_log_begin(&held, 12);
    const uint64_t cycles[][2] = {{0, 0}, {10, 0}, {11, 1}, {14, 4}, {1000, 990}};
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        ck_assert_uint_eq(stall_log_before(&held, cycles[i][0]), cycles[i][1]);
}
END_TEST

/* 10 to 15, 20 to 22, and from 30 on. */
START_TEST(one_spell_behind_another)
{
    struct stall_log held = {0};
    spell(&held, 10, 15);
    ck_assert_uint_eq(stall_log_before(&held, 1000), 5);
    spell(&held, 20, 22);
    ck_assert_uint_eq(stall_log_before(&held, 1000), 7);
    stall_log_begin(&held, 30);
    const uint64_t cycles[][2] = {{9, 0},  {10, 0}, {12, 2}, {15, 5}, {18, 5}, {20, 5},
                                  {21, 6}, {22, 7}, {29, 7}, {30, 7}, {35, 12}};
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        ck_assert_uint_eq(stall_log_before(&held, cycles[i][0]), cycles[i][1]);
    stall_log_end(&held, 36);
    ck_assert_uint_eq(stall_log_before(&held, 35), 12);
    ck_assert_uint_eq(stall_log_before(&held, 36), 13);
}
END_TEST

/* One that ends when it begins, and one that begins when another ends. */
START_TEST(spells_that_touch)
{
    struct stall_log held = {0};
    spell(&held, 10, 10);
    ck_assert_uint_eq(stall_log_before(&held, 11), 0);
    spell(&held, 10, 14);
    spell(&held, 14, 16);
    const uint64_t cycles[][2] = {{10, 0}, {13, 3}, {14, 4}, {15, 5}, {16, 6}, {17, 6}};
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        ck_assert_uint_eq(stall_log_before(&held, cycles[i][0]), cycles[i][1]);
}
END_TEST

/* One cycle at 10, 20, 30 and so on: of the first two only the sum is known in the end. */
START_TEST(spells_are_forgotten)
{
    struct stall_log held = {0};
    for (uint64_t i = 1; i <= STALL_LOG_SPELLS; i++)
        spell(&held, 10 * i, 10 * i + 1);
    ck_assert_uint_eq(stall_log_before(&held, 10), 0);
    ck_assert_uint_eq(stall_log_before(&held, 15), 1);
    for (uint64_t i = STALL_LOG_SPELLS + 1; i <= STALL_LOG_SPELLS + 2; i++)
        spell(&held, 10 * i, 10 * i + 1);
    const uint64_t cycles[][2] = {{10, 2}, {15, 2}, {30, 2}, {31, 3}, {45, 4}};
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        ck_assert_uint_eq(stall_log_before(&held, cycles[i][0]), cycles[i][1]);
    ck_assert_uint_eq(stall_log_before(&held, 10 * (STALL_LOG_SPELLS + 2)),
                      STALL_LOG_SPELLS + 1);
    ck_assert_uint_eq(stall_log_before(&held, UINT64_MAX), STALL_LOG_SPELLS + 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {nothing_was_held, a_spell_that_lasts,
                                  one_spell_behind_another, spells_that_touch,
                                  spells_are_forgotten};
    return RUN_TESTS("held", tests);
}
