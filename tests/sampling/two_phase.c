/* two-phase: which launches it draws, how it scales them, and whether its bars hold. */
#include <math.h>

#include "tests/sampling/support.h"
#include "traces/base/random.h"

#define HEAD     "launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,cycles\n"
#define LAUNCHES 400

/* LAUNCHES launches of two kernels, every eighth of b; times from 100 to 299. */
static struct profile *many(double *times)
{
    static char text[LAUNCHES * 64];
    struct random random;
    size_t used = (size_t)sprintf(text, HEAD);
    random_init(&random, 7, 0);
    for (int i = 0; i < LAUNCHES; i++) {
        times[i] = (double)(100 + random_below(&random, 200));
        used += (size_t)sprintf(text + used, "%d,%c,8,1,1,32,1,1,%.0f\n", i + 1,
                                i % 8 == 5 ? 'b' : 'a', times[i]);
    }
    return profile_of(text);
}

/* The first two launches of a class of more than eight, and one that is as long as all others,
 * stand for themselves; the others for what is left of the times. */
START_TEST(what_stands_for_itself)
{
    char text[2000] = HEAD;
    size_t used = strlen(text);
    for (int i = 0; i < 30; i++)
        used +=
            (size_t)sprintf(text + used, "%d,a,8,1,1,32,1,1,%d\n", i + 1, i == 20 ? 3000 : 100);
    struct profile *profile = profile_of(text);
    struct sampling *selection = select_by(profile, "two-phase", "budget=8");
    ck_assert_uint_eq(selection->strata[0].count, 2);
    ck_assert_uint_eq(selection->reps[0], 0);
    ck_assert_uint_eq(selection->reps[1], 1);
    ck_assert_uint_eq(selection->strata[1].count, 1);
    ck_assert_uint_eq(selection->reps[2], 20);
    for (size_t s = 0; s < 2; s++) {
        ck_assert_double_eq(selection->strata[s].scale, 1);
        ck_assert_uint_eq(selection->strata[s].group, 0);
    }
    size_t launches = 0, drawn = 0;
    for (size_t s = 2; s < selection->count; s++) {
        launches += selection->strata[s].count;
        drawn += selection->strata[s].reps;
        ck_assert_uint_eq(selection->strata[s].group, 1);
        ck_assert_uint_ge(selection->strata[s].reps, 2);
    }
    ck_assert_uint_eq(launches, 27);
    ck_assert_uint_eq(drawn, 7);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

/* Where cycles are times by a factor of the kernel, every draw predicts the total, without an
 * error. */
START_TEST(ratios_are_exact)
{
    double times[LAUNCHES], cycles[LAUNCHES], total = 0;
    struct profile *profile = many(times);
    for (int i = 0; i < LAUNCHES; i++)
        total += cycles[i] = times[i] * (i % 8 == 5 ? 0.25 : 3);
    for (int seed = 0; seed < 5; seed++) {
        char settings[40];
        struct sampling_options options;
        struct sampling_evaluation evaluation;
        sprintf(settings, "seed=%d budget=30", seed);
        struct sampling *selection = select_by(profile, "two-phase", settings);
        sampling_options_init(&options);
        ck_assert_int_eq(sampling_evaluate(selection, &options, cycles, &evaluation, NULL), 0);
        ck_assert_double_eq_tol(evaluation.predicted, total, 1e-6 * total);
        ck_assert_double_eq_tol(evaluation.bar, 0, 1e-9);
        ck_assert_uint_lt(selection->rep_count, 40);
        sampling_destroy(selection);
    }
    profile_destroy(profile);
}
END_TEST

/* Cycles that scatter around the ratios by 20 %, which the times do not show: of 1,000 draws,
 * 93 to 97 % hold the truth. */
START_TEST(bars_hold_on_another_card)
{
    double times[LAUNCHES], cycles[LAUNCHES];
    struct profile *profile = many(times);
    struct random random;
    struct sampling_options options;
    int held = 0;
    random_init(&random, 99, 0);
    for (int i = 0; i < LAUNCHES; i++)
        cycles[i] = times[i] * (i % 8 == 5 ? 0.5 : 2) * (0.65 + 0.7 * random_real(&random));
    sampling_options_init(&options);
    for (int seed = 0; seed < 1000; seed++) {
        char settings[40];
        struct sampling_evaluation evaluation;
        sprintf(settings, "seed=%d budget=30", seed);
        struct sampling *selection = select_by(profile, "two-phase", settings);
        ck_assert_int_eq(sampling_evaluate(selection, &options, cycles, &evaluation, NULL), 0);
        held += evaluation.error <= evaluation.bar;
        sampling_destroy(selection);
    }
    ck_assert_int_ge(held, 930);
    ck_assert_int_le(held, 970);
    profile_destroy(profile);
}
END_TEST

/* Six kernels with a small share, of which one takes half of the time that the profile says:
 * four launches of them are drawn, often none of that kernel. Its first launch shows it. */
START_TEST(bars_hold_for_kernels_with_small_shares)
{
    char text[20000] = HEAD;
    double cycles[148];
    size_t used = strlen(text);
    struct sampling_options options;
    int held = 0;
    for (int i = 0; i < 148; i++) {
        int kernel = i < 100 ? 0 : 1 + i % 6;
        cycles[i] = kernel == 0 ? 1000 : kernel == 6 ? 50 : 100;
        used += (size_t)sprintf(text + used, "%d,k%d,8,1,1,32,1,1,%d\n", i + 1, kernel,
                                kernel == 0 ? 1000 : 100);
    }
    struct profile *profile = profile_of(text);
    sampling_options_init(&options);
    for (int seed = 0; seed < 200; seed++) {
        char settings[40];
        struct sampling_evaluation evaluation;
        sprintf(settings, "seed=%d", seed);
        struct sampling *selection = select_by(profile, "two-phase", settings);
        ck_assert_int_eq(sampling_evaluate(selection, &options, cycles, &evaluation, NULL), 0);
        held += evaluation.error <= evaluation.bar + 1e-12;
        sampling_destroy(selection);
    }
    ck_assert_int_ge(held, 186);
    profile_destroy(profile);
}
END_TEST

/* Every launch is in one stratum, whatever the shares of kernels and grids. */
START_TEST(every_launch_has_a_stratum)
{
    char text[20000] = HEAD;
    bool seen[300] = {false};
    size_t used = strlen(text), count = 0;
    for (int i = 0; i < 300; i++)
        used += (size_t)sprintf(text + used, "%d,k%d,%d,1,1,32,1,1,%d\n", i + 1, i % 17, i % 3,
                                i % 17 == 0 ? 5000 : i % 17);
    struct profile *profile = profile_of(text);
    char settings[20];
    sprintf(settings, "budget=%d", 4 + 23 * _i);
    struct sampling *selection = select_by(profile, "two-phase", settings);
    for (size_t s = 0; s < selection->count; s++)
        for (size_t i = 0; i < selection->strata[s].count; i++, count++) {
            size_t row = selection->members[selection->strata[s].first + i];
            ck_assert(!seen[row]);
            seen[row] = true;
        }
    ck_assert_uint_eq(count, 300);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("two-phase");
    TCase *tests = tcase_create("two-phase");
    tcase_add_test(tests, what_stands_for_itself);
    tcase_add_test(tests, ratios_are_exact);
    tcase_add_test(tests, bars_hold_on_another_card);
    tcase_add_test(tests, bars_hold_for_kernels_with_small_shares);
    tcase_add_loop_test(tests, every_launch_has_a_stratum, 0, 8);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
