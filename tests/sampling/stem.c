#include <math.h>

#include "sampling/normal.h"
#include "tests/sampling/support.h"

#define HEAD "launch,kernel,cycles\n"

START_TEST(z_of_the_usual_confidences)
{
    ck_assert_double_eq_tol(normal_z(0.95), 1.959963984540054, 1e-12);
    ck_assert_double_eq_tol(normal_z(0.99), 2.5758293035489004, 1e-12);
    ck_assert_double_eq_tol(normal_z(0.6826894921370859), 1, 1e-12);
}
END_TEST

START_TEST(without_variance_one_launch_is_enough)
{
    struct profile *profile = profile_of(HEAD "1,a,5\n2,a,5\n3,b,7\n4,a,5\n");
    struct sampling *selection = select_by(profile, "stem", "");
    ck_assert_uint_eq(selection->count, 2);
    ck_assert_uint_eq(selection->rep_count, 2);
    ck_assert_double_eq(selection->strata[0].scale, 3);
    double cycles[] = {5, 5, 7, 5};
    ck_assert_double_eq(sampling_predict(selection, cycles), 22);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

START_TEST(two_heaps_are_told_apart)
{
    gives(HEAD "1,a,10\n2,a,1000\n3,a,10\n4,a,1000\n5,a,10\n", "stem", "seed=3 epsilon=0.01",
          "0: 1 3 5 > 1 x 3; 0: 2 4 > 4 x 2");
}
END_TEST

START_TEST(the_size_is_that_of_the_formula)
{
    /* 99 and 101 alternating: sigma 1, mean 100. At 1.96 and 0.1 %: (1.96 / 0.001 / 100)^2
     * = 384.1, so 385 of 1000; split, one of each is enough, and that is less. With epsilon so
     * wide that one is enough, nothing is split. */
    char text[20000] = HEAD;
    size_t used = strlen(text);
    for (int i = 0; i < 1000; i++)
        used += (size_t)sprintf(text + used, "%d,a,%d\n", i + 1, i % 2 == 0 ? 99 : 101);
    struct profile *profile = profile_of(text);
    struct sampling *selection = select_by(profile, "stem", "epsilon=0.001");
    ck_assert_uint_eq(selection->count, 2);
    ck_assert_uint_eq(selection->rep_count, 2);
    sampling_destroy(selection);
    selection = select_by(profile, "stem", "epsilon=0.05");
    ck_assert_uint_eq(selection->count, 1);
    ck_assert_uint_eq(selection->rep_count, 1);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

/* Times that fill a range, so that a draw has an error. */
static struct profile *spread_times(double *cycles, size_t n)
{
    char text[40000] = HEAD;
    size_t used = strlen(text);
    unsigned state = 5;
    for (size_t i = 0; i < n; i++) {
        state = state * 1103515245 + 12345;
        cycles[i] = 1000 + (state >> 16) % 9000;
        used += (size_t)sprintf(text + used, "%zu,k%zu,%.0f\n", i + 1, i % 3, cycles[i]);
    }
    return profile_of(text);
}

START_TEST(the_bound_holds_as_often_as_it_says)
{
    double cycles[1500], total = 0;
    struct profile *profile = spread_times(cycles, 1500);
    int within = 0;
    for (size_t i = 0; i < 1500; i++)
        total += cycles[i];
    for (int seed = 0; seed < 200; seed++) {
        char settings[64];
        sprintf(settings, "seed=%d epsilon=0.02 confidence=0.9", seed);
        struct sampling *selection = select_by(profile, "stem", settings);
        within += fabs(sampling_predict(selection, cycles) - total) <= 0.02 * total;
        ck_assert_uint_lt(selection->rep_count, 1500);
        sampling_destroy(selection);
    }
    ck_assert_int_ge(within, 180);
    profile_destroy(profile);
}
END_TEST

START_TEST(the_seed_decides)
{
    double cycles[300];
    struct profile *profile = spread_times(cycles, 300);
    double of[3];
    static const char *const seeds[] = {"seed=1", "seed=1", "seed=2"};
    for (int i = 0; i < 3; i++) {
        struct sampling *selection = select_by(profile, "stem", seeds[i]);
        of[i] = sampling_predict(selection, cycles);
        sampling_destroy(selection);
    }
    ck_assert_double_eq(of[0], of[1]);
    ck_assert_double_ne(of[0], of[2]);
    profile_destroy(profile);
}
END_TEST

START_TEST(needs_times)
{
    refuses("launch,kernel,cycles\n1,a,5\n2,a,\n", "stem", "",
            "p.csv:3: stem needs time_ns or cycles of every launch; launch 2 has none; "
            "--cycles takes them from a run");
    refuses("launch,kernel,cycles\n1,a,5\n2,a,0\n", "stem", "",
            "p.csv:3: launch 2 has 0 cycles; stem needs more");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stem");
    TCase *tests = tcase_create("stem");
    tcase_add_test(tests, z_of_the_usual_confidences);
    tcase_add_test(tests, without_variance_one_launch_is_enough);
    tcase_add_test(tests, two_heaps_are_told_apart);
    tcase_add_test(tests, the_size_is_that_of_the_formula);
    tcase_add_test(tests, the_bound_holds_as_often_as_it_says);
    tcase_add_test(tests, the_seed_decides);
    tcase_add_test(tests, needs_times);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
