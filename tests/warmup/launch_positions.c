/* Launches by their position. */
#include <check.h>

#include "tests/suite.h"
#include "warmup/launch_positions.h"

/* In any order, some at the same position, none at others. */
START_TEST(finds)
{
    static const size_t positions[] = {7, 2, 7, 1, 2, 7};
    struct launch_positions index;
    ck_assert(launch_positions_init(&index, positions, 6));
    ck_assert_uint_eq(index.last, 7);
    size_t found = 0;
    for (size_t position = 0; position < 20; position++) {
        size_t before = 0;
        for (size_t i = launch_positions_at(&index, position); i > 0; i = index.next[i]) {
            ck_assert_uint_eq(positions[i - 1], position);
            ck_assert_uint_gt(i, before);
            before = i;
            found++;
        }
    }
    ck_assert_uint_eq(found, 6);
    launch_positions_finish(&index);
}
END_TEST

START_TEST(empty)
{
    struct launch_positions index;
    ck_assert(launch_positions_init(&index, NULL, 0));
    ck_assert_uint_eq(launch_positions_at(&index, 0), 0);
    ck_assert_uint_eq(launch_positions_at(&index, 1), 0);
    launch_positions_finish(&index);
    launch_positions_finish(&index);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("warmup index");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, finds);
    tcase_add_test(tests, empty);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
