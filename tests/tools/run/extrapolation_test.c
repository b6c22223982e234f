#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tools/run/results/extrapolation.h"

#define T_1 12.706204736174698 /* of 95 % and one degree of freedom */

static struct plan *plan_of(const char *text)
{
    struct error err = {0};
    struct plan *plan = plan_parse("folder/test.plan", text, strlen(text), &err);
    ck_assert_msg(plan != NULL, "%s", err.text);
    return plan;
}

#define STEP(scale, rest) "!step role=measure scale=" #scale " " rest "\nkernel.traceg\n"

/* Two of ten launches, one of one; their steps do not stand together. */
static const char drawn[] =
    "!plan 1\n!method name=any scale=launches draw=random\n" STEP(5, "stratum=2 stands=1-4,9")
        STEP(1, "stratum=1 stands=5") STEP(5, "stratum=2 stands=6-8,10,"
                                              "11");

/* Counter I of launch L is (I + 1) x FACTOR[L]: no two are alike. */
static void fill(struct extrapolation_launch *launches, const double *factors, size_t count)
{
    for (size_t l = 0; l < count; l++) {
        launches[l] = (struct extrapolation_launch){
            .cycles = 100 * factors[l], .gap = 10 * factors[l], .part = 1};
        for (size_t i = 0; i < sim_counter_count; i++)
            sim_counter_set(&launches[l].counters, i, (i + 1) * (uint64_t)factors[l]);
    }
}

static const struct sim_peaks peaks = {.sms = 4,
                                       .schedulers = 16,
                                       .warps = 48,
                                       .core_hz = 1e6,
                                       .l1_bytes = 512,
                                       .l2_bytes = 128,
                                       .dram_bytes = 64};

static struct sampling_estimate value(const struct extrapolation *extrapolation,
                                      const char *name)
{
    size_t index = extrapolation_find(name);
    ck_assert_msg(index < extrapolation_count(), "no %s", name);
    return extrapolation_value(extrapolation, index);
}

static int get(void *data, size_t i, struct extrapolation_launch *launch, struct error *err)
{
    (void)err;
    *launch = ((struct extrapolation_launch *)data)[i];
    return 0;
}

static struct extrapolation_launches list_of(struct extrapolation_launch *launches,
                                             size_t count)
{
    return (struct extrapolation_launches){count, get, launches};
}

static void init(struct extrapolation *extrapolation, const struct plan *plan, const bool *skip,
                 struct extrapolation_launch *launches, size_t count)
{
    struct error err = {0};
    const struct extrapolation_launches list = list_of(launches, count);
    int rc = extrapolation_init(extrapolation, plan, skip, &list, &peaks, &err);
    if (rc == 0)
        rc = extrapolation_estimate(extrapolation, &err);
    ck_assert_msg(rc == 0, "%s", err.text);
}

/* Totals are 5 x 4 + 7 + 5 x 6 = 57 times what stands in the table; the variance of the first
 * stratum's total 10^2 x 0.8 x 2 / 2 = 80. */
START_TEST(every_counter_is_extrapolated)
{
    static const double factors[] = {4, 7, 6};
    struct extrapolation_launch launches[3];
    struct extrapolation e;
    struct plan *plan = plan_of(drawn);
    fill(launches, factors, 3);
    init(&e, plan, NULL, launches, 3);
    ck_assert(e.design.scaled && e.design.whole);
    ck_assert_double_eq(e.design.launches, 11);
    ck_assert_ptr_null(extrapolation_no_bar(&e));
    for (size_t i = 0; i < sim_counter_count; i++) {
        struct sampling_estimate estimate = value(&e, sim_counter_table[i].name);
        ck_assert_double_eq(estimate.value, 57 * (double)(i + 1));
        ck_assert_double_eq_tol(estimate.error, T_1 * sqrt(80) * (double)(i + 1), 1e-6);
    }
    ck_assert_double_eq(value(&e, "cycles").value, 5700);
    ck_assert_double_eq_tol(value(&e, "seconds").value, 5700e-6, 1e-15);
    ck_assert_double_eq_tol(value(&e, "seconds").error, T_1 * sqrt(80) * 100e-6, 1e-9);
    ck_assert_double_eq_tol(value(&e, "ipc").value, 57 * 2 / 5700., 1e-12);
    ck_assert_double_eq_tol(value(&e, "ipc").error, 0, 1e-9); /* alike in every launch */
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

/* A ratio is that of the sums, as of a run of all launches. */
START_TEST(every_ratio_is_that_of_the_totals)
{
    static const double factors[] = {4, 7, 6};
    struct extrapolation_launch launches[3];
    struct extrapolation e;
    struct plan *plan = plan_of(drawn);
    fill(launches, factors, 3);
    launches[1].counters.l2_reads *= 3; /* not all alike */
    launches[2].cycles = 1234;
    init(&e, plan, NULL, launches, 3);
    struct sim_counters sum = {0};
    uint64_t cycles = 0, gap = 0;
    for (size_t l = 0; l < 3; l++)
        for (int k = 0; k < (l == 1 ? 1 : 5); k++) {
            sim_counters_add(&sum, &launches[l].counters);
            cycles += (uint64_t)launches[l].cycles;
            gap += (uint64_t)launches[l].gap;
        }
    for (size_t i = 0; i < SIM_DERIVED_COUNT; i++) {
        const struct sim_derived *derived = &sim_derived_table[i];
        double expected = derived->get(&sum, cycles, gap, &peaks);
        ck_assert_double_eq_tol(value(&e, derived->name).value, expected, 1e-9 * expected);
    }
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

START_TEST(every_statistic_has_its_kind)
{
    for (size_t i = 0; i < extrapolation_count(); i++) {
        struct row_column column = extrapolation_column(i);
        ck_assert(column.kind == ROW_ADDITIVE || column.kind == ROW_RATIO);
        ck_assert_uint_eq(extrapolation_find(column.name), i); /* no name twice */
    }
    for (size_t c = 0; c < row_column_count(); c++) {
        struct row_column column = row_column(c);
        size_t at = extrapolation_find(column.name);
        if (at < extrapolation_count())
            ck_assert_int_eq(column.kind, extrapolation_column(at).kind);
    }
}
END_TEST

/* By instructions: 10 of 40 and 30 of 40 threads' work, 2 of 5 launches. */
START_TEST(sizes_are_the_methods_instructions)
{
    static const double factors[] = {10, 30};
    struct extrapolation_launch launches[2];
    struct extrapolation e;
    struct plan *plan = plan_of(
        "!plan 1\n!method name=any scale=insts draw=random insts=\"warp instructions\"\n" STEP(
            2.5, "stratum=1 stands=1-3") STEP(2.5, "stratum=1 stands=4,5"));
    fill(launches, factors, 2);
    init(&e, plan, NULL, launches, 2);
    ck_assert_int_eq(e.design.unit, SAMPLING_WARP_INSTS);
    ck_assert_double_eq_tol(value(&e, "warp_insts").error, 0, 1e-9);
    extrapolation_finish(&e);
    launches[0].cycles = 2000; /* 125 an instruction in the mean: 750 and -750 */
    init(&e, plan, NULL, launches, 2);
    ck_assert_double_eq(value(&e, "cycles").value, 12500);
    ck_assert_double_eq_tol(value(&e, "cycles").error,
                            T_1 * sqrt(0.6 * 2 * 2.5 * 2.5 * 2 * 750 * 750), 1e-6);
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

static const struct refusal {
    const char *text, *why;
} refusals[] = {
    {"!plan 1\n!method name=sieve scale=launches draw=rule\n" STEP(2, "stratum=1 stands=1,2")
         STEP(2, "stratum=1 stands=3,4"),
     "the launches were not drawn at random"},
    {"!plan 1\n" STEP(2, "") STEP(2, ""), "the launches were not drawn at random"},
    {"!plan 1\n!method name=x draw=random\n" STEP(2, "stratum=1 stands=1,2")
         STEP(2, "stratum=2 stands=3,4"),
     "strata with one measured launch of several"},
};

START_TEST(why_there_is_no_error_bar)
{
    static const double factors[] = {4, 6};
    struct extrapolation_launch launches[2];
    struct extrapolation e;
    struct plan *plan = plan_of(refusals[_i].text);
    fill(launches, factors, 2);
    init(&e, plan, NULL, launches, 2);
    ck_assert_str_eq(extrapolation_no_bar(&e), refusals[_i].why);
    for (size_t i = 0; i < extrapolation_count(); i++)
        ck_assert(isnan(extrapolation_value(&e, i).error));
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

START_TEST(parts_of_launches_and_of_plans)
{
    static const double factors[] = {4, 7, 6};
    static const bool skip[] = {false, false, true};
    struct extrapolation_launch launches[3];
    struct extrapolation e;
    struct error err = {0};
    struct plan *plan = plan_of(drawn);
    fill(launches, factors, 3);
    launches[1].part = 2;
    init(&e, plan, NULL, launches, 3);
    ck_assert_double_eq(value(&e, "cycles").value, 100 * (20 + 14 + 30));
    ck_assert(isnan(value(&e, "cycles").error));
    ck_assert_str_eq(extrapolation_no_bar(&e), "of launches only a part was measured");
    extrapolation_finish(&e);
    init(&e, plan, skip, launches, 2);
    ck_assert_str_eq(extrapolation_no_bar(&e), "not all launches of the sample were simulated");
    ck_assert(isnan(value(&e, "cycles").error));
    extrapolation_finish(&e);
    const struct extrapolation_launches two = list_of(launches, 2);
    ck_assert_int_eq(extrapolation_init(&e, plan, NULL, &two, &peaks, &err), -1);
    plan_destroy(plan);
}
END_TEST

/* The profile's spread is of times alone. */
START_TEST(spread_of_a_launch_drawn_alone)
{
    static const double factors[] = {4};
    struct extrapolation_launch launches[1];
    struct extrapolation e;
    struct plan *plan = plan_of("!plan 1\n!method name=stem scale=launches draw=random "
                                "confidence=0.5\n" STEP(4, "stratum=1 stands=1-4 spread=0.1"));
    fill(launches, factors, 1);
    init(&e, plan, NULL, launches, 1);
    double error = 0.674489750196082 * sqrt(12.) * 40; /* 50 %; 4^2 x 3/4 x (400 x 0.1)^2 */
    ck_assert_double_eq_tol(value(&e, "cycles").error, error, 1e-6);
    ck_assert_double_eq_tol(value(&e, "seconds").error, error * 1e-6, 1e-12);
    ck_assert(isnan(value(&e, "l2_reads").error) && isnan(value(&e, "ipc").error));
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

/* What the plan says of all launches, in place of what the drawn ones would make of it. */
START_TEST(known_instructions_are_the_plans)
{
    static const double factors[] = {4, 7, 6};
    static const bool skip[] = {false, false, true};
    struct extrapolation_launch launches[3];
    struct extrapolation e;
    struct plan *plan = plan_of(
        "!plan 1\n!total launches=11 warp_insts=1000 thread_insts=32000\n"
        "!method name=any scale=launches draw=random\n" STEP(5, "stratum=2 stands=1-4,9")
            STEP(1, "stratum=1 stands=5") STEP(5, "stratum=2 stands=6-8,10,11"));
    fill(launches, factors, 3);
    init(&e, plan, NULL, launches, 3);
    struct sampling_estimate cycles = value(&e, "cycles"), ipc = value(&e, "ipc");
    ck_assert_double_eq(value(&e, "warp_insts").value, 1000);
    ck_assert_double_eq(value(&e, "warp_insts").error, 0);
    ck_assert_double_eq(value(&e, "thread_insts").value, 32000);
    ck_assert_double_eq(value(&e, "threads_per_inst").value, 32);
    ck_assert_double_eq(cycles.value, 5700);
    ck_assert_double_eq_tol(value(&e, "warp_ipc").value, 1000 / 5700., 1e-12);
    ck_assert_double_eq_tol(ipc.value, 32000 / 5700., 1e-12);
    ck_assert(cycles.error > 0);
    ck_assert_double_eq_tol(ipc.error / ipc.value, cycles.error / cycles.value, 1e-12);
    ck_assert_double_eq(value(&e, "l2_reads").value, /* not known */
                        57. * launches[0].counters.l2_reads / factors[0]);
    extrapolation_finish(&e);
    init(&e, plan, skip, launches, 2); /* these do not stand for all */
    ck_assert_double_ne(value(&e, "warp_insts").value, 1000);
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

/* Of other launches than the plan's, none at all, or too large to be told exactly. */
static const char *const unknown[] = {"launches=12 warp_insts=1000", "warp_insts=1000",
                                      "launches=11", "launches=11 warp_insts=9007199254740993"};

START_TEST(totals_of_no_use)
{
    static const double factors[] = {4, 7, 6};
    struct extrapolation_launch launches[3];
    struct extrapolation e;
    char text[1024];
    snprintf(text, sizeof text, "!plan 1\n!total %s\n%s", unknown[_i], strchr(drawn, '\n') + 1);
    struct plan *plan = plan_of(text);
    fill(launches, factors, 3);
    init(&e, plan, NULL, launches, 3);
    ck_assert_double_eq(value(&e, "warp_insts").value,
                        57. * launches[0].counters.warp_insts / factors[0]);
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

START_TEST(corrected_cycles_of_all_launches_or_none)
{
    static const double factors[] = {4, 7, 6};
    struct extrapolation_launch launches[3];
    struct extrapolation e;
    struct plan *plan = plan_of(drawn);
    fill(launches, factors, 3);
    for (int l = 0; l < 3; l++)
        launches[l].corrected = launches[l].cycles / 2;
    init(&e, plan, NULL, launches, 3);
    ck_assert(extrapolation_has(&e, extrapolation_find("cycles_corrected")));
    ck_assert_double_eq(value(&e, "cycles_corrected").value, value(&e, "cycles").value / 2);
    ck_assert_double_eq_tol(value(&e, "cycles_corrected").error, value(&e, "cycles").error / 2,
                            1e-9);
    ck_assert_double_eq_tol(value(&e, "ipc_corrected").value, 2 * value(&e, "ipc").value,
                            1e-12);
    extrapolation_finish(&e);
    launches[1].corrected = 0;
    init(&e, plan, NULL, launches, 3);
    ck_assert(!extrapolation_has(&e, extrapolation_find("cycles_corrected")));
    ck_assert(!extrapolation_has(&e, extrapolation_find("ipc_corrected")));
    ck_assert(extrapolation_has(&e, extrapolation_find("cycles")));
    extrapolation_finish(&e);
    plan_destroy(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("extrapolation");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, every_counter_is_extrapolated);
    tcase_add_test(tests, every_ratio_is_that_of_the_totals);
    tcase_add_test(tests, every_statistic_has_its_kind);
    tcase_add_test(tests, sizes_are_the_methods_instructions);
    tcase_add_loop_test(tests, why_there_is_no_error_bar, 0,
                        sizeof refusals / sizeof refusals[0]);
    tcase_add_test(tests, parts_of_launches_and_of_plans);
    tcase_add_test(tests, spread_of_a_launch_drawn_alone);
    tcase_add_test(tests, known_instructions_are_the_plans);
    tcase_add_loop_test(tests, totals_of_no_use, 0, sizeof unknown / sizeof unknown[0]);
    tcase_add_test(tests, corrected_cycles_of_all_launches_or_none);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
