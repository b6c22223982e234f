#include "tests/sampling/support.h"
#include "traces/base/random.h"

#define TEN "launch,kernel\n1,a\n2,a\n3,b\n4,a\n5,a\n6,a\n7,b\n8,a\n9,a\n10,c\n"

START_TEST(baselines)
{
    gives(TEN, "first-n", "count=3", "0: 1 2 3 4 5 6 7 8 9 10 > 1 2 3 x 3.33333");
    gives(TEN, "first-n", "count=99", "0: 1 2 3 4 5 6 7 8 9 10 > 1 2 3 4 5 6 7 8 9 10 x 1");
    gives(TEN, "periodic", "period=4", "0: 1 2 3 4 5 6 7 8 9 10 > 1 5 9 x 3.33333");
    gives(TEN, "periodic", "period=1000", "0: 1 2 3 4 5 6 7 8 9 10 > 1 x 10");
    gives(TEN, "random", "count=10", "0: 1 2 3 4 5 6 7 8 9 10 > 1 2 3 4 5 6 7 8 9 10 x 1");
}
END_TEST

START_TEST(random_draws_each_launch_equally_often)
{
    struct profile *profile = profile_of(TEN);
    unsigned times[10] = {0};
    for (int seed = 0; seed < 2000; seed++) {
        char settings[32];
        sprintf(settings, "count=3 seed=%d", seed);
        struct sampling *selection = select_by(profile, "random", settings);
        ck_assert_uint_eq(selection->rep_count, 3);
        for (size_t i = 0; i < 3; i++)
            times[selection->reps[i]]++;
        sampling_destroy(selection);
    }
    for (int i = 0; i < 10; i++) /* 600 and five standard deviations */
        ck_assert_msg(times[i] > 497 && times[i] < 703, "%u", times[i]);
    profile_destroy(profile);
}
END_TEST

START_TEST(generator_gives_the_published_numbers)
{
    /* xoshiro256** from the state 1, 2, 3, 4. */
    struct random random = {{1, 2, 3, 4}};
    ck_assert_uint_eq(random_next(&random), 11520);
    ck_assert_uint_eq(random_next(&random), 0);
    ck_assert_uint_eq(random_next(&random), 1509978240);
    ck_assert_uint_eq(random_next(&random), 1215971899390074240);
}
END_TEST

START_TEST(each_launch_has_an_owner_in_its_stratum)
{
    struct profile *profile = profile_of(TEN);
    struct sampling *selection = select_by(profile, "periodic", "period=4");
    size_t owners[10];
    sampling_owners(selection, owners);
    for (size_t i = 0; i < 10; i++)
        ck_assert_uint_eq(owners[i], i / 4 * 4);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

START_TEST(instructions_are_warp_instructions_if_all_are_known)
{
    struct profile *profile =
        profile_of("launch,kernel,warp_insts,thread_insts\n1,a,5,100\n2,a,,50\n");
    struct sampling *selection = select_by(profile, "sieve", "");
    ck_assert_int_eq(selection->unit, SAMPLING_THREAD_INSTS);
    ck_assert_double_eq(selection->insts, 150);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

START_TEST(refusals)
{
    refuses(
        "launch,kernel,warp_insts\n1,a,5\n2,a,\n", "sieve", "",
        "p.csv:3: sieve needs warp_insts or thread_insts of every launch; launch 2 has none");
    refuses("launch,kernel,warp_insts\n1,a,5\n2,a,0\n", "optimal", "",
            "p.csv:3: launch 2 has 0 warp instructions; optimal needs more");
    refuses(TEN, "random", "theta=0.5", "--theta is no option of random");
}
END_TEST

START_TEST(values_that_options_refuse)
{
    struct sampling_options options;
    struct error err = {0};
    sampling_options_init(&options);
    ck_assert_double_eq(options.theta, 0.4);
    ck_assert_int_eq(sampling_option_set(&options, SAMPLING_THETA, "much", &err), -1);
    ck_assert_str_eq(err.text, "--theta \"much\": expected a number from 0 to 1000");
    static const char *const wrong[][2] = {
        {"count", "0"}, {"count", "1.5"}, {"count", "-1"},   {"count", ""},
        {"theta", ""},  {"theta", "nan"}, {"theta", "1e99"}, {"representative", "firs"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int k = 0; k < SAMPLING_OPTIONS; k++) {
            struct error any = {0};
            enum sampling_option_id id = (enum sampling_option_id)k;
            if (strcmp(sampling_option(id)->name, wrong[i][0]) == 0)
                ck_assert_int_eq(sampling_option_set(&options, id, wrong[i][1], &any), -1);
        }
}
END_TEST

START_TEST(an_evaluation_needs_cycles)
{
    struct profile *profile = profile_of(TEN);
    struct sampling *selection = select_by(profile, "random", "");
    struct sampling_evaluation evaluation;
    struct sampling_options options;
    struct error err = {0};
    sampling_options_init(&options);
    ck_assert_int_eq(sampling_evaluate(selection, &options, NULL, &evaluation, &err), -1);
    ck_assert_str_eq(err.text, "p.csv: an evaluation needs cycles, which the profile does not "
                               "have for every launch (first not for launch 1)");
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

/* Predictions from values that are known of every launch: exact where cycles are a line of them
 * in each stratum, and proportional where a stratum has one representative. */
START_TEST(a_regression_finds_lines)
{
    struct profile *profile = profile_of(TEN);
    struct sampling *selection = select_by(profile, "random", "count=4 seed=3");
    struct error err = {0};
    double values[10], lines[10], all = 0;
    for (int i = 0; i < 10; i++) {
        values[i] = 1 + (i * 7) % 10;
        all += lines[i] = 100 + 3 * values[i];
    }
    ck_assert_int_eq(sampling_regress(selection, values, &err), 0);
    ck_assert_double_eq_tol(sampling_predict(selection, lines), all, 1e-9);
    sampling_destroy(selection);
    selection = select_by(profile, "random", "count=1 seed=3");
    ck_assert_int_eq(sampling_regress(selection, values, &err), 0);
    ck_assert_double_eq_tol(sampling_predict(selection, values), 55, 1e-9);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("selection");
    TCase *tests = tcase_create("selection");
    tcase_add_test(tests, baselines);
    tcase_add_test(tests, random_draws_each_launch_equally_often);
    tcase_add_test(tests, generator_gives_the_published_numbers);
    tcase_add_test(tests, each_launch_has_an_owner_in_its_stratum);
    tcase_add_test(tests, instructions_are_warp_instructions_if_all_are_known);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, values_that_options_refuse);
    tcase_add_test(tests, an_evaluation_needs_cycles);
    tcase_add_test(tests, a_regression_finds_lines);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
