#include <math.h>

#include "sampling/normal.h"
#include "sampling/student.h"
#include "tests/sampling/support.h"
#include "tests/suite.h"
#include "traces/base/random.h"

#define T_1 12.706204736174698 /* of 95 %: tan(0.95 pi / 2) */

/* ---- Student's t ------------------------------------------------------- */

START_TEST(t_where_it_has_a_closed_form)
{
    static const double confidences[] = {0.5, 0.9, 0.95, 0.99};
    double c = confidences[_i];
    ck_assert_double_eq_tol(student_t(c, 1), tan(c * acos(-1) / 2), 1e-10);
    ck_assert_double_eq_tol(student_t(c, 2), c * sqrt(2 / (1 - c * c)), 1e-10);
    ck_assert_double_eq_tol(student_t(c, INFINITY), normal_z(c), 1e-12);
    ck_assert_double_eq_tol(student_t(c, 1e5), normal_z(c), 1e-4);
}
END_TEST

START_TEST(t_as_in_the_tables)
{
    ck_assert_double_eq_tol(student_t(0.95, 10), 2.228139, 1e-6);
    ck_assert_double_eq_tol(student_t(0.95, 30), 2.042272, 1e-6);
    ck_assert_double_eq_tol(student_t(0.99, 5), 4.032143, 1e-6);
    ck_assert_double_eq_tol(student_t(0.5, 3), 0.764892, 1e-6);
}
END_TEST

START_TEST(t_beyond)
{
    ck_assert_double_eq_tol(student_beyond(2, 1), 1 - 2 / acos(-1) * atan(2), 1e-12);
    ck_assert_double_eq_tol(student_beyond(2, 2), 1 - 2 / sqrt(6), 1e-12);
    ck_assert_double_eq_tol(student_beyond(2.2281388520, 10), 0.05, 1e-9);
    ck_assert_double_eq_tol(student_beyond(2, INFINITY), 0.0455002639, 1e-9);
    ck_assert_double_eq_tol(student_beyond(0, 3), 1, 1e-12);
}
END_TEST

START_TEST(t_of_what_is_not_known)
{
    ck_assert(isnan(student_beyond(NAN, 3)) && isnan(student_beyond(2, NAN)));
    ck_assert(isnan(student_t(0.95, NAN)));
}
END_TEST

/* Between whole degrees of freedom: the density, summed by Simpson's rule. */
START_TEST(t_holds_what_it_should)
{
    static const double freedoms[] = {1.6, 2.5, 7.25, 48.5};
    double v = freedoms[_i], t = student_t(0.95, v), sum = 0;
    double factor = exp(lgamma((v + 1) / 2) - lgamma(v / 2)) / sqrt(v * acos(-1));
    int steps = 20000;
    for (int i = 0; i <= steps; i++) {
        double x = t * i / steps, weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * factor * pow(1 + x * x / v, -(v + 1) / 2);
    }
    ck_assert_double_eq_tol(2 * sum * t / steps / 3, 0.95, 1e-8);
}
END_TEST

/* ---- by hand ----------------------------------------------------------- */

static struct sampling_design design_of(const struct sampling_draw *draws, size_t count,
                                        const double *scales)
{
    return (struct sampling_design){
        .draws = draws, .count = count, .scales = scales, .random = true, .confidence = 0.95};
}

/* 2 of 10 with 4 and 6: mean 5, variance 2; the total's is 10^2 x (1 - 2/10) x 2 / 2 = 80. All
 * four of the other stratum are known. */
START_TEST(a_sampled_and_a_counted_stratum)
{
    static const struct sampling_draw draws[] = {{10, 0, 2, NAN}, {4, 2, 4, NAN}};
    static const double scales[] = {5, 5, 1, 1, 1, 1}, values[] = {4, 6, 1, 2, 3, 4};
    struct sampling_design design = design_of(draws, 2, scales);
    struct sampling_estimate estimate = sampling_total(&design, values, false);
    ck_assert_double_eq(estimate.value, 60);
    ck_assert_double_eq_tol(estimate.error, T_1 * sqrt(80), 1e-9);
}
END_TEST

/* Besides, 3 of 6 with 2, 4, 6: variance 4; the total's is 36 x 0.5 x 4 / 3 = 24. Degrees of
 * freedom: (80 + 24)^2 / (80^2 / 1 + 24^2 / 2). */
START_TEST(two_sampled_strata)
{
    static const struct sampling_draw draws[] = {{10, 0, 2, NAN}, {6, 2, 3, NAN}};
    static const double scales[] = {5, 5, 2, 2, 2}, values[] = {4, 6, 2, 4, 6};
    struct sampling_design design = design_of(draws, 2, scales);
    struct sampling_estimate estimate = sampling_total(&design, values, false);
    ck_assert_double_eq(estimate.value, 74);
    ck_assert_double_eq_tol(estimate.error, student_t(0.95, 10816. / 6688) * sqrt(104), 1e-9);
}
END_TEST

/* 2 of 5, of 20 and 40 instructions of 100, with 10 and 30: 2/3 an instruction, off by -10/3
 * and 10/3. Variance 200/9; the total's is 2 x (1 - 2/5) x (100/60)^2 x 200/9 = 2000/27. */
START_TEST(a_stratum_by_instructions)
{
    static const struct sampling_draw draws[] = {{5, 0, 2, NAN}};
    static const double scales[] = {100. / 60, 100. / 60}, values[] = {10, 30};
    static const double sizes[] = {20, 40}, proportional[] = {3, 6};
    struct sampling_design design = design_of(draws, 1, scales);
    design.sizes = sizes;
    struct sampling_estimate estimate = sampling_total(&design, values, false);
    ck_assert_double_eq_tol(estimate.value, 200. / 3, 1e-9);
    ck_assert_double_eq_tol(estimate.error, T_1 * sqrt(2000. / 27), 1e-9);
    estimate = sampling_total(&design, proportional, false);
    ck_assert_double_eq_tol(estimate.value, 15, 1e-9);
    ck_assert_double_eq_tol(estimate.error, 0, 1e-9);
}
END_TEST

/* Two of 4 by size: drawn with unlike probabilities, which go with one over their scales, 1.5
 * and 4.5. The inverses sum up to 6 instead of 4, so the probabilities are 1 and 1/3. 6 and 10
 * of sizes of 2 each are (1.5 x 6 + 4.5 x 10) / (1.5 x 2 + 4.5 x 2) = 4.5 by size. Of the first
 * one nothing is uncertain; of the second, 10 - 9 is left. */
START_TEST(unlike_probabilities)
{
    static const struct sampling_draw draws[] = {{4, 0, 2, NAN}};
    static const double scales[] = {1.5, 4.5}, values[] = {6, 10}, sizes[] = {2, 2};
    struct sampling_design design = design_of(draws, 1, scales);
    design.sizes = sizes;
    struct sampling_estimate estimate = sampling_total(&design, values, true);
    ck_assert_double_eq(estimate.value, 54);
    ck_assert_double_eq_tol(estimate.error, T_1 * sqrt(2 * (1 - 1. / 3) * 4.5 * 4.5), 1e-9);
}
END_TEST

/* 2 of 10 with 4 and 6: their variance is 2, but the profile's times have a standard deviation
 * of 60 % of the mean of these two: 5 x 0.6 = 3 cycles, and 9, with nine degrees of freedom. It
 * counts for times only, and not for launches that are scaled by size. */
START_TEST(a_greater_spread_in_the_profile)
{
    struct sampling_draw draws[] = {{10, 0, 2, 0.6}};
    static const double scales[] = {5, 5}, values[] = {4, 6}, sizes[] = {1, 1};
    struct sampling_design design = design_of(draws, 1, scales);
    ck_assert_double_eq_tol(sampling_total(&design, values, true).error,
                            student_t(0.95, 9) * sqrt(100 * 0.8 * 9 / 2), 1e-9);
    ck_assert_double_eq_tol(sampling_total(&design, values, false).error, T_1 * sqrt(80), 1e-9);
    design.sizes = sizes;
    ck_assert_double_eq_tol(sampling_total(&design, values, true).error, T_1 * sqrt(80), 1e-9);
    design.sizes = NULL;
    draws[0].spread = 0.2;
    ck_assert_double_eq_tol(sampling_total(&design, values, true).error, T_1 * sqrt(80), 1e-9);
}
END_TEST

/* One of 4: its time's spread is the profile's, 10 %: 4^2 x (1 - 1/4) x (10 x 0.1)^2 = 12. Of
 * anything but times nothing is known. */
START_TEST(a_launch_drawn_alone)
{
    struct sampling_draw draws[] = {{4, 0, 1, 0.1}};
    static const double scales[] = {4}, values[] = {10};
    struct sampling_design design = design_of(draws, 1, scales);
    struct sampling_estimate estimate = sampling_total(&design, values, true);
    ck_assert_double_eq(estimate.value, 40);
    ck_assert_double_eq_tol(estimate.error, normal_z(0.95) * sqrt(12), 1e-9);
    ck_assert(isnan(sampling_total(&design, values, false).error));
    draws[0].spread = NAN;
    ck_assert(isnan(sampling_total(&design, values, true).error));
}
END_TEST

/* Beside a stratum of which two were drawn: the sum is of no known spread either. */
START_TEST(a_launch_drawn_alone_beside_others)
{
    static const struct sampling_draw draws[] = {{10, 0, 2, NAN}, {4, 2, 1, 0.1}};
    static const double scales[] = {5, 5, 4}, values[] = {4, 6, 10};
    struct sampling_design design = design_of(draws, 2, scales);
    ck_assert(isnan(sampling_total(&design, values, false).error));
    ck_assert(sampling_total(&design, values, true).error > 0);
}
END_TEST

/* Wholes of 10 each: the ratio's interval is the total's over 100. */
START_TEST(ratios)
{
    static const struct sampling_draw draws[] = {{10, 0, 2, NAN}};
    static const double scales[] = {5, 5}, parts[] = {4, 6}, wholes[] = {10, 10};
    static const double even[] = {8, 12}, none[] = {0, 0};
    double room[2];
    struct sampling_design design = design_of(draws, 1, scales);
    struct sampling_estimate estimate = sampling_ratio(&design, parts, wholes, room);
    ck_assert_double_eq(estimate.value, 0.5);
    ck_assert_double_eq_tol(estimate.error, T_1 * sqrt(80) / 100, 1e-12);
    estimate = sampling_ratio(&design, parts, even, room); /* one ratio everywhere */
    ck_assert_double_eq(estimate.value, 0.5);
    ck_assert_double_eq(estimate.error, 0);
    estimate = sampling_ratio(&design, parts, none, room);
    ck_assert_double_eq(estimate.value, 0);
    ck_assert(isnan(estimate.error));
}
END_TEST

START_TEST(without_chance_no_error_bar)
{
    static const struct sampling_draw some[] = {{10, 0, 2, NAN}}, all[] = {{2, 0, 2, NAN}};
    static const double scales[] = {5, 5}, ones[] = {1, 1}, equal[] = {5, 5}, values[] = {4, 6};
    struct sampling_design design = design_of(some, 1, scales);
    design.random = false;
    ck_assert(isnan(sampling_total(&design, values, false).error));
    ck_assert(isnan(sampling_total(&design, equal, false).error));
    design = design_of(all, 1, ones);
    design.random = false;
    ck_assert_double_eq(sampling_total(&design, values, false).error, 0);
}
END_TEST

/* ---- how often the truth lies inside ----------------------------------- */

#define STRATA  3
#define LARGEST 400
#define TRIALS  4000

/* An application whose launches are known: times, and times that go with instructions. */
struct population {
    size_t count[STRATA], drawn[STRATA];
    double insts[STRATA][LARGEST], times[STRATA][LARGEST];
};

/* About normal: 12 uniform numbers. */
static double normal(struct random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_real(random);
    return sum;
}

static void populate(struct population *p, struct random *random, bool skewed)
{
    static const size_t counts[STRATA] = {400, 60, 25}, drawn[STRATA] = {12, 10, 8};
    for (size_t s = 0; s < STRATA; s++) {
        p->count[s] = counts[s];
        p->drawn[s] = drawn[s];
        for (size_t i = 0; i < counts[s]; i++) {
            double off = normal(random);
            p->insts[s][i] = 1000 * (double)(s + 1) * (1 + 0.3 * random_real(random));
            p->times[s][i] = p->insts[s][i] * (skewed ? exp(0.5 * off) : 2 + 0.2 * off);
        }
    }
}

/* What one draw from a population says. */
struct drawn {
    struct sampling_draw draws[STRATA];
    double scales[64], sizes[64], times[64], room[64];
};

static void draw(struct drawn *d, const struct population *p, struct random *random,
                 bool by_insts)
{
    size_t used = 0, rows[64];
    for (size_t s = 0; s < STRATA; s++) {
        double all = 0, mine = 0;
        d->draws[s] = (struct sampling_draw){(double)p->count[s], used, p->drawn[s], NAN};
        random_sample(random, p->count[s], p->drawn[s], rows);
        for (size_t i = 0; i < p->count[s]; i++)
            all += by_insts ? p->insts[s][i] : 1;
        for (size_t i = 0; i < p->drawn[s]; i++)
            mine += by_insts ? p->insts[s][rows[i]] : 1;
        for (size_t i = 0; i < p->drawn[s]; i++, used++) {
            d->scales[used] = all / mine;
            d->sizes[used] = p->insts[s][rows[i]];
            d->times[used] = p->times[s][rows[i]];
        }
    }
}

static double sum_over(const struct population *p, double values[STRATA][LARGEST])
{
    double sum = 0;
    for (size_t s = 0; s < STRATA; s++)
        for (size_t i = 0; i < p->count[s]; i++)
            sum += values[s][i];
    return sum;
}

static bool is_inside(struct sampling_estimate estimate, double truth)
{
    return fabs(estimate.value - truth) <= estimate.error;
}

/* The shares of the draws whose intervals of the total time and of instructions a time hold the
 * truth. */
static void cover(bool by_insts, bool skewed, double shares[2])
{
    static struct population p;
    struct random random;
    size_t inside[2] = {0, 0};
    random_init(&random, 7, 0);
    populate(&p, &random, skewed);
    double time = sum_over(&p, p.times), rate = sum_over(&p, p.insts) / time;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct drawn d;
        draw(&d, &p, &random, by_insts);
        struct sampling_design design = design_of(d.draws, STRATA, d.scales);
        design.sizes = by_insts ? d.sizes : NULL;
        inside[0] += is_inside(sampling_total(&design, d.times, true), time);
        inside[1] += is_inside(sampling_ratio(&design, d.sizes, d.times, d.room), rate);
    }
    for (int i = 0; i < 2; i++)
        shares[i] = (double)inside[i] / TRIALS;
}

/* 4,000 draws tell 95 % from 93.5 and 96.5 % by four standard deviations. */
START_TEST(intervals_hold_the_truth)
{
    double shares[2];
    cover(_i, false, shares);
    ck_assert_double_eq_tol(shares[0], 0.95, 0.015);
    ck_assert_double_eq_tol(shares[1], 0.95, 0.015);
}
END_TEST

/* Of few launches with a long tail the intervals are short by a little: that is known. */
START_TEST(long_tails_are_held_less_often)
{
    double shares[2];
    cover(_i, true, shares);
    ck_assert_double_ge(shares[0], 0.90);
    ck_assert_double_ge(shares[1], 0.90);
    ck_assert_double_le(shares[0], 0.965);
}
END_TEST

/* ---- methods that draw ------------------------------------------------- */

START_TEST(draws_of_each_stratum)
{
    struct error err = {0};
    struct profile *profile = profile_of("launch,kernel,warp_insts,cycles\n"
                                         "1,a,10,5\n2,a,10,9\n3,a,10,7\n4,b,20,3\n5,a,10,7\n");
    struct sampling *selection =
        select_by(profile, "sieve", "representative=random draws=3 seed=2");
    ck_assert_uint_eq(selection->count, 2);
    ck_assert_uint_eq(selection->strata[0].reps, 3);
    ck_assert_uint_eq(selection->strata[1].reps, 1);
    ck_assert_double_eq_tol(selection->strata[0].scale, 40. / 30, 1e-12);
    for (size_t i = 1; i < 3; i++)
        ck_assert_uint_gt(selection->reps[i], selection->reps[i - 1]);
    sampling_destroy(selection);
    ck_assert_ptr_null(try_select(profile, "sieve", "draws=2", &err));
    ck_assert_ptr_nonnull(strstr(err.text, "--representative random"));
    selection = select_by(profile, "stem", "draws=2 epsilon=1");
    for (size_t i = 0; i < selection->count; i++)
        ck_assert_uint_ge(selection->strata[i].reps,
                          selection->strata[i].count < 2 ? selection->strata[i].count : 2);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

/* 5, 9, 7, 7: mean 7, squares 8, over 3; of one launch nothing varies. */
START_TEST(spreads_of_the_times)
{
    struct profile *profile = profile_of("launch,kernel,warp_insts,cycles\n"
                                         "1,a,10,5\n2,a,10,9\n3,a,10,7\n4,b,20,3\n5,a,10,7\n");
    struct sampling *selection = select_by(profile, "sieve", "");
    double spreads[2];
    sampling_spreads(selection, spreads);
    ck_assert_double_eq_tol(spreads[0], sqrt(8. / 3) / 5, 1e-12); /* launch 1 took 5 */
    ck_assert_double_eq(spreads[1], 0);
    sampling_destroy(selection);
    profile_destroy(profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("estimate");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, t_where_it_has_a_closed_form, 0, 4);
    tcase_add_test(tests, t_as_in_the_tables);
    tcase_add_test(tests, t_beyond);
    tcase_add_test(tests, t_of_what_is_not_known);
    tcase_add_loop_test(tests, t_holds_what_it_should, 0, 4);
    tcase_add_test(tests, a_sampled_and_a_counted_stratum);
    tcase_add_test(tests, two_sampled_strata);
    tcase_add_test(tests, a_stratum_by_instructions);
    tcase_add_test(tests, a_launch_drawn_alone);
    tcase_add_test(tests, a_launch_drawn_alone_beside_others);
    tcase_add_test(tests, ratios);
    tcase_add_test(tests, unlike_probabilities);
    tcase_add_test(tests, a_greater_spread_in_the_profile);
    tcase_add_test(tests, without_chance_no_error_bar);
    tcase_add_loop_test(tests, intervals_hold_the_truth, 0, 2);
    tcase_add_loop_test(tests, long_tails_are_held_less_often, 0, 2);
    tcase_add_test(tests, draws_of_each_stratum);
    tcase_add_test(tests, spreads_of_the_times);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
