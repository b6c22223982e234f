/* Tables of policies. */
#include "traces/base/policy.h"

#include "tests/suite.h"

static const struct policy first = {.name = "first", .aliases = "1st one"};
static const struct policy second = {.name = "second"};
static const struct policy third = {.name = "third", .aliases = "last"};
static const struct policy *const one[] = {&first, NULL},
                                  *const two[] = {&first, &second, NULL},
                                  *const all[] = {&first, &second, &third, NULL};

START_TEST(names_and_aliases)
{
    ck_assert_ptr_eq(policy_find(all, "first"), &first);
    ck_assert_ptr_eq(policy_find(all, "1st"), &first);
    ck_assert_ptr_eq(policy_find(all, "one"), &first);
    ck_assert_ptr_eq(policy_find(all, "second"), &second);
    ck_assert_ptr_eq(policy_find(all, "last"), &third);
}
END_TEST

START_TEST(unknown)
{
    static const char *const names[] = {"",        " ",  "firs", "first ",
                                        "1st one", "1s", "ne",   "Third"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(policy_find(all, names[i]) == NULL, "'%s'", names[i]);
}
END_TEST

START_TEST(lists)
{
    char names[POLICY_NAMES], few[8];
    ck_assert_str_eq(policy_names(one, names, sizeof names), "first");
    ck_assert_str_eq(policy_names(two, names, sizeof names), "first or second");
    ck_assert_str_eq(policy_names(all, names, sizeof names), "first, second or third");
    ck_assert_str_eq(policy_names(all, few, sizeof few), "first, ");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {names_and_aliases, unknown, lists};
    return RUN_TESTS("policy", tests);
}
