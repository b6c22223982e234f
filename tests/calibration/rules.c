/* The table of rules, and what trials remember. */
#include "tools/calibrate/rules.h"

#include <check.h>
#include <string.h>

#include "tests/suite.h"
#include "tools/calibrate/trial_memory.h"

START_TEST(fields)
{
    size_t begin, length;
    ck_assert_int_eq(calibrate_field("1980:1980:800", 2, &begin, &length), 0);
    ck_assert_uint_eq(begin, 10);
    ck_assert_uint_eq(length, 3);
    ck_assert_int_eq(calibrate_field("12,8", -1, &begin, &length), 0);
    ck_assert_uint_eq(length, 4);
    ck_assert_int_eq(calibrate_field("12,8", 2, &begin, &length), -1);
}
END_TEST

static int join(void *data, const char *label, size_t length)
{
    char *all = data;
    strcat(strncat(all, label, length), ".");
    return strcmp(all, "a.stop.") == 0 ? -1 : 0;
}

START_TEST(labels)
{
    char all[32] = "", other[32] = "", none[32] = "";
    ck_assert_int_eq(calibrate_each_label(" a  bc d", join, all), 0);
    ck_assert_str_eq(all, "a.bc.d.");
    ck_assert_int_eq(calibrate_each_label("a stop d", join, other), -1);
    ck_assert_str_eq(other, "a.stop.");
    ck_assert_int_eq(calibrate_each_label("2*e 3f", join, none), 0);
    ck_assert_str_eq(none, "e.e.3f.");
    none[0] = '\0';
    ck_assert_int_eq(calibrate_each_label("0*a *b 18*c -2*d 3*", join, none), 0);
    ck_assert_str_eq(none, "0*a.*b.18*c.-2*d....");
    none[0] = '\0';
    ck_assert_int_eq(calibrate_each_label("", join, none), 0);
    ck_assert_str_eq(none, "");
}
END_TEST

START_TEST(cores)
{
    const struct calibrate_rule any = {.core = CALIBRATE_ANY};
    const struct calibrate_rule legacy = {.core = CALIBRATE_LEGACY};
    const struct calibrate_rule modern = {.core = CALIBRATE_MODERN};
    ck_assert(calibrate_applies(&any, "modern") && calibrate_applies(&any, "legacy"));
    ck_assert(calibrate_applies(&legacy, "legacy") && !calibrate_applies(&legacy, "modern"));
    ck_assert(calibrate_applies(&modern, "modern") && !calibrate_applies(&modern, "legacy"));
}
END_TEST

static int other_label(void *data, const char *label, size_t length)
{
    const char *wanted = data;
    return strncmp(wanted, label, length) == 0 && wanted[length] == '\0' ? -1 : 0;
}

/* Letters, digits and "_". */
static int no_label(void *data, const char *label, size_t length)
{
    static const char signs[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return length != 0 && strspn(label, signs) >= length ? 0 : -1;
}

/* Options exist and have fields enough, stages are in range, labels have no sign that would not
 * be found, and no rule takes a launch away from itself. */
START_TEST(table)
{
    for (size_t i = 0; i < calibrate_rule_count; i++) {
        const struct calibrate_rule *rule = &calibrate_rules[i];
        ck_assert_ptr_nonnull(sim_option_find(rule->option));
        ck_assert(rule->stage >= 0 && rule->stage < CALIBRATE_STAGES);
        if (rule->kind != CALIBRATE_FIT)
            continue;
        ck_assert_int_lt(rule->least, rule->most);
        ck_assert_str_ne(rule->plus, "");
        ck_assert_int_eq(calibrate_each_label(rule->plus, no_label, NULL), 0);
        ck_assert_int_eq(calibrate_each_label(rule->minus, no_label, NULL), 0);
        ck_assert_int_eq(calibrate_each_label(rule->before, no_label, NULL), 0);
        ck_assert_int_eq(calibrate_each_label(rule->plus, other_label, (void *)rule->minus), 0);
    }
    for (size_t i = 0; i < calibrate_unseen_count; i++)
        ck_assert_ptr_nonnull(sim_option_find(calibrate_unseen[i].option));
}
END_TEST

/* No parameter has two rules of a core, nor a rule and a reason why it has none. */
START_TEST(once)
{
    for (size_t i = 0; i < calibrate_rule_count; i++) {
        const struct calibrate_rule *rule = &calibrate_rules[i];
        for (size_t k = 0; k < i; k++)
            ck_assert(strcmp(calibrate_rules[k].option, rule->option) != 0 ||
                      calibrate_rules[k].field != rule->field);
        for (size_t k = 0; k < calibrate_unseen_count; k++)
            ck_assert_str_ne(calibrate_unseen[k].option, rule->option);
    }
}
END_TEST

START_TEST(remembers)
{
    struct trial_memory memory;
    double cycles = 0;
    char key[8] = "a";
    trial_memory_init(&memory);
    ck_assert(!trial_memory_find(&memory, key, &cycles));
    ck_assert(trial_memory_add(&memory, key, 12));
    key[0] = 'b';
    ck_assert(!trial_memory_find(&memory, key, &cycles));
    ck_assert(trial_memory_find(&memory, "a", &cycles));
    ck_assert_double_eq(cycles, 12);
    ck_assert(trial_memory_add(&memory, "a", 13)); /* another thread was first */
    ck_assert(trial_memory_find(&memory, "a", &cycles));
    ck_assert_double_eq(cycles, 12);
    for (int i = 0; i < 100; i++) {
        key[0] = (char)(1 + i);
        ck_assert(trial_memory_add(&memory, key, i));
    }
    ck_assert_uint_eq(memory.count, 100); /* "a" is one of them */
    trial_memory_finish(&memory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rules");
    TCase *tests = tcase_create("rules");
    tcase_add_test(tests, fields);
    tcase_add_test(tests, labels);
    tcase_add_test(tests, cores);
    tcase_add_test(tests, table);
    tcase_add_test(tests, once);
    tcase_add_test(tests, remembers);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
