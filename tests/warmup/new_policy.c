/* What it takes to add a warm-up policy: this file, and one line in the table (here given by
 * meson.build). */
#define _GNU_SOURCE /* fmemopen */
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"
#include "warmup/policies.h"

/* ---- the policy -------------------------------------------------------- */

/* The launch just before each measured one, twice. */
static int make(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err)
{
    int result = 0;
    for (size_t i = 0; i < task->count && result == 0; i++) {
        size_t launch = task->measured[i];
        result = warmup_tell(take, data, WARMUP_SEGMENT, launch, 0, err);
        for (int time = 0; time < 2 && launch > 1 && result == 0; time++)
            result = warmup_tell(take, data, warmup->policy->step, launch - 1, 0, err);
        if (result == 0)
            result = warmup_tell(take, data, WARMUP_MEASURE, launch, i, err);
    }
    return result;
}

extern const struct warmup_policy warmup_policy_twice;
const struct warmup_policy warmup_policy_twice = {
    .policy = {.name = "twice", .description = "apply the launch before it twice"},
    .make = make,
    .step = WARMUP_FUNCTIONAL,
};

/* ---- what knows it ----------------------------------------------------- */

START_TEST(its_name_is_read)
{
    struct warmup warmup;
    struct error err = {0};
    ck_assert_int_eq(warmup_parse(&warmup, "twice+prime:10", &err), 0);
    ck_assert_ptr_eq(warmup.policy, &warmup_policy_twice);
    ck_assert_str_eq(warmup.prime, "10");
    ck_assert_int_eq(warmup_parse(&warmup, "twice:2", &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

/* The message for TEXT ends with HINT. */
static void guesses(const char *text, const char *hint)
{
    struct warmup warmup;
    struct error err = {0};
    ck_assert_int_eq(warmup_parse(&warmup, text, &err), -1);
    ck_assert_msg(strlen(err.text) > strlen(hint) &&
                      strcmp(err.text + strlen(err.text) - strlen(hint), hint) == 0,
                  "%s: %s", text, err.text);
}

START_TEST(errors_and_help_name_it)
{
    struct warmup warmup;
    struct error err = {0};
    char text[4096] = "", names[POLICY_NAMES];
    ck_assert_int_eq(warmup_parse(&warmup, "thrice", &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "expected none, full, detailed:K"));
    ck_assert_ptr_nonnull(strstr(err.text, "stitch, twice, checkpoint+detailed:K"));
    guesses("nothing", "or correction:KIND");
    guesses("twcie", "; did you mean twice?");
    guesses("memry:2", "; did you mean memory?");
    guesses("full+prme:10", "; did you mean prime?");
    guesses("checkpoint+memori:2", "; did you mean memory?");
    guesses("corection:thesis", "; did you mean correction?");
    guesses("correction:theses", "; did you mean correction:thesis?");
    FILE *out = fmemopen(text, sizeof text, "w");
    warmup_describe(out);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "\ntwice: apply the launch before it twice\n"));
    ck_assert_str_eq(warmup_names(WARMUP_CONCURRENT, names), "full, stitch or twice");
    ck_assert_str_eq(warmup_names(WARMUP_WITH_STATES, names), "checkpoint, nsl or wood");
}
END_TEST

static int print_step(void *data, const struct warmup_step *step, struct error *err)
{
    static const char letters[] = {
        [WARMUP_SEGMENT] = 'S', [WARMUP_COPIES] = 'c',     [WARMUP_DETAILED] = 'd',
        [WARMUP_MEMORY] = 'm',  [WARMUP_FUNCTIONAL] = 'f', [WARMUP_MEASURE] = 'M',
        [WARMUP_SAVE] = 's',    [WARMUP_RESTORE] = 'r'};
    sprintf((char *)data + strlen(data), " %c%zu", letters[step->kind], step->launch);
    return 0;
}

/* The steps for launches 1, 3 and 4 of 5. */
static void check_steps(const char *policy, const char *expected)
{
    static const size_t measured[] = {1, 3, 4};
    const struct warmup_task task = {.launches = 5, .measured = measured, .count = 3};
    struct warmup warmup;
    struct error err = {0};
    char steps[256] = "";
    ck_assert_int_eq(warmup_parse(&warmup, policy, &err), 0);
    ck_assert_int_eq(warmup_make(&warmup, &task, print_step, steps, &err), 0);
    ck_assert_str_eq(steps, expected);
}

START_TEST(it_makes_its_steps)
{
    check_steps("twice", " S1 M1 S3 f2 f2 M3 S4 f3 f3 M4");
}
END_TEST

START_TEST(the_others_make_theirs)
{
    check_steps("none", " S1 c1 M1 S3 c3 M3 S4 c4 M4");
    check_steps("full", " S1 c1 M1 c2 d2 c3 M3 c4 M4");
    check_steps("memory:1", " S1 c1 M1 S3 c2 m2 c3 M3 S4 c3 m3 c4 M4");
    check_steps("functional:all", " S1 c1 M1 S3 c1 f1 c2 f2 c3 M3 S4 c1 f1 c2 f2 c3 f3 c4 M4");
    check_steps("checkpoint", " S0 c1 f1 c2 f2 c3 s3 f3 c4 s4 S1 c1 M1 S3 r3 M3 S4 r4 M4");
    check_steps("checkpoint+detailed:1",
                " S0 c1 f1 c2 s2 f2 c3 s3 S1 c1 M1 S3 r2 d2 c3 M3 S4 r3 d3 c4 M4");
    check_steps("nsl", " S1 c1 M1 S3 r3 M3 S4 r4 M4");
    check_steps("wood", " S1 c1 M1 S3 r3 M3 S4 r4 M4");
    check_steps("stitch", " S1 c1 M1 c2 c3 M3 c4 M4");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("new policy");
    TCase *tests = tcase_create("new policy");
    tcase_add_test(tests, its_name_is_read);
    tcase_add_test(tests, errors_and_help_name_it);
    tcase_add_test(tests, it_makes_its_steps);
    tcase_add_test(tests, the_others_make_theirs);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
