/* The lists of sectors of memory instructions in flight. */
#include "sim/core/access_lists.h"

#include "tests/suite.h"

/* The lowest free list is taken; it is empty, whatever was in it before. */
START_TEST(lowest_first)
{
    struct access_lists lists;
    struct sm_op first = {.list = SM_LISTS}, second = first, third = first;
    ck_assert(access_lists_init(&lists));
    ck_assert(access_lists_unused(&lists));
    ck_assert_ptr_null(access_lists_of(&lists, &first));
    access_lists_take(&lists, &first)->count = COALESCE_MAX;
    access_lists_take(&lists, &second);
    ck_assert(!access_lists_unused(&lists));
    ck_assert_uint_eq(first.list, 0);
    ck_assert_uint_eq(second.list, 1);
    ck_assert_uint_eq(access_lists_of(&lists, &first)->count, COALESCE_MAX);
    access_lists_drop(&lists, &first);
    ck_assert_uint_eq(first.list, SM_LISTS);
    ck_assert_uint_eq(access_lists_take(&lists, &third)->count, 0);
    ck_assert_uint_eq(third.list, 0);
    access_lists_drop(&lists, &third);
    access_lists_drop(&lists, &second);
    access_lists_drop(&lists, &second); /* it has none any more */
    ck_assert(access_lists_unused(&lists));
    access_lists_finish(&lists);
}
END_TEST

/* There are SM_LISTS of them, each with room for the longest access. */
START_TEST(all_taken)
{
    struct access_lists lists;
    struct sm_op ops[SM_LISTS];
    ck_assert(access_lists_init(&lists));
    for (uint32_t i = 0; i < SM_LISTS; i++) {
        ck_assert(access_lists_any(&lists));
        struct access_list *list = access_lists_take(&lists, &ops[i]);
        list->count = COALESCE_MAX;
        list->sectors[COALESCE_MAX - 1] = (struct access_sector){.address = i};
    }
    ck_assert(!access_lists_any(&lists));
    for (uint32_t i = 0; i < SM_LISTS; i++)
        ck_assert_uint_eq(access_lists_of(&lists, &ops[i])->sectors[COALESCE_MAX - 1].address,
                          i);
    access_lists_finish(&lists);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {lowest_first, all_taken};
    return RUN_TESTS("access_lists", tests);
}
