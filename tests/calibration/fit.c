/* Fits of a whole number to cycles, with functions that are known. */
#include "tools/calibrate/fit.h"

#include <check.h>

#include "tests/suite.h"

struct known {
    double first, step; /* cycles = first + step * at */
    int level;          /* below it, cycles are those of it */
    int looks;
};

static int known_cycles(void *data, int at, double *cycles, struct error *err)
{
    struct known *known = data;
    (void)err;
    known->looks++;
    *cycles = known->first + known->step * (at > known->level ? at : known->level);
    return 0;
}

static int solve(struct known *known, double target, int start, enum fit_end *end,
                 double *cycles)
{
    struct fit fit = {
        .cycles = known_cycles, .data = known, .least = 1, .most = 200, .target = target};
    double step;
    int at;
    struct error err = {0};
    ck_assert_int_eq(fit_solve(&fit, start, &at, cycles, &step, end, &err), 0);
    return at;
}

/* A straight line takes three looks: two for the line, one for the number. */
START_TEST(line)
{
    struct known rising = {.first = 100, .step = 32}, falling = {.first = 9000, .step = -16};
    enum fit_end end;
    double cycles;
    ck_assert_int_eq(solve(&rising, 100 + 32 * 77, 10, &end, &cycles), 77);
    ck_assert_int_eq(end, FIT_FOUND);
    ck_assert_int_eq(rising.looks, 3);
    ck_assert_double_eq(cycles, 100 + 32 * 77);
    ck_assert_int_eq(solve(&falling, 9000 - 16 * 150, 10, &end, &cycles), 150);
    ck_assert_int_eq(end, FIT_FOUND);
}
END_TEST

/* Between two numbers, the nearer one. */
START_TEST(nearest)
{
    struct known known = {.first = 0, .step = 10};
    enum fit_end end;
    double cycles;
    ck_assert_int_eq(solve(&known, 334, 20, &end, &cycles), 33);
    ck_assert_int_eq(solve(&known, 336, 20, &end, &cycles), 34);
    ck_assert_int_eq(solve(&known, 334, 190, &end, &cycles), 33);
    ck_assert_int_eq(end, FIT_FOUND);
}
END_TEST

/* What is right stays. */
START_TEST(start_is_right)
{
    struct known known = {.first = 0, .step = 10, .level = 5};
    enum fit_end end;
    double cycles;
    ck_assert_int_eq(solve(&known, 400, 40, &end, &cycles), 40);
    ck_assert_int_eq(solve(&known, 50, 3, &end, &cycles), 3);
    ck_assert_int_eq(end, FIT_FOUND);
}
END_TEST

/* With two runs of a card, whatever lies between them is right. */
START_TEST(between_runs)
{
    struct known known = {.first = 0, .step = 10};
    struct fit fit = {.cycles = known_cycles,
                      .data = &known,
                      .least = 1,
                      .most = 200,
                      .target = 500,
                      .low = 440,
                      .high = 560};
    enum fit_end end;
    double cycles, step;
    struct error err = {0};
    int at;
    ck_assert_int_eq(fit_solve(&fit, 45, &at, &cycles, &step, &end, &err), 0);
    ck_assert_int_eq(at, 45);
    ck_assert_int_eq(known.looks, 1);
    ck_assert_double_eq(cycles, 450);
    fit.count = 0;
    ck_assert_int_eq(fit_solve(&fit, 43, &at, &cycles, &step, &end, &err), 0);
    ck_assert_int_eq(at, 50);
    ck_assert_int_eq(end, FIT_FOUND);
}
END_TEST

/* Beyond 60 a larger number changes nothing: of those that miss the target by about as much,
 * the start. */
static int port_cycles(void *data, int at, double *cycles, struct error *err)
{
    (void)data;
    (void)err;
    *cycles = at < 60 ? 60000.0 / at : at < 90 ? 1002 : 1000;
    return 0;
}

START_TEST(alike)
{
    struct fit fit = {.cycles = port_cycles, .least = 1, .most = 200, .target = 990};
    enum fit_end end;
    double cycles, step;
    struct error err = {0};
    int at;
    ck_assert_int_eq(fit_solve(&fit, 64, &at, &cycles, &step, &end, &err), 0);
    ck_assert_int_eq(at, 64);
    ck_assert_int_eq(end, FIT_AT_LIMIT);
    ck_assert_double_eq(cycles, 1002);
    fit.count = 0;
    ck_assert_int_eq(fit_solve(&fit, 40, &at, &cycles, &step, &end, &err), 0);
    ck_assert_int_gt(at, 59);
}
END_TEST

/* A number out of range, on either side; a floor; and what nothing depends on. */
START_TEST(limits)
{
    struct known known = {.first = 0, .step = 10}, flat = {.first = 100};
    struct known floor = {.first = 0, .step = 10, .level = 6};
    enum fit_end end;
    double cycles;
    ck_assert_int_eq(solve(&known, 5000, 20, &end, &cycles), 200);
    ck_assert_int_eq(end, FIT_AT_LIMIT);
    ck_assert_int_eq(solve(&known, -5, 20, &end, &cycles), 1);
    ck_assert_int_eq(end, FIT_AT_LIMIT);
    ck_assert_double_eq(cycles, 10);
    ck_assert_int_le(solve(&floor, 40, 20, &end, &cycles), 6);
    ck_assert_int_eq(end, FIT_AT_LIMIT);
    ck_assert_double_eq(cycles, 60);
    ck_assert_int_eq(solve(&flat, 5000, 20, &end, &cycles), 20);
    ck_assert_int_eq(end, FIT_NO_EFFECT);
}
END_TEST

/* Neighbours change places: 30 and 31, 32 and 33 ... */
static int swapped_cycles(void *data, int at, double *cycles, struct error *err)
{
    (void)err;
    ++*(int *)data;
    *cycles = 100 * (at ^ 1);
    return 0;
}

START_TEST(rough)
{
    int looks = 0, at;
    struct fit fit = {.cycles = swapped_cycles,
                      .data = &looks,
                      .least = 1,
                      .most = 100,
                      .around = 3,
                      .target = 3300};
    enum fit_end end;
    double cycles, step;
    struct error err = {0};
    ck_assert_int_eq(fit_solve(&fit, 8, &at, &cycles, &step, &end, &err), 0);
    ck_assert_int_eq(at, 32);
    ck_assert_double_eq(cycles, 3300);
    ck_assert_int_lt(looks, 16);
}
END_TEST

static int failing(void *data, int at, double *cycles, struct error *err)
{
    (void)data;
    (void)cycles;
    return at == 10 ? error_set(err, ERROR_TRACE, NULL, 0, 0, "as planned") : 0;
}

START_TEST(failure)
{
    struct fit fit = {.cycles = failing, .least = 1, .most = 20, .target = 5};
    enum fit_end end;
    double cycles, step;
    int at;
    struct error err = {0};
    ck_assert_int_eq(fit_solve(&fit, 10, &at, &cycles, &step, &end, &err), -1);
    ck_assert_str_eq(err.text, "as planned");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit");
    TCase *tests = tcase_create("fit");
    tcase_add_test(tests, line);
    tcase_add_test(tests, nearest);
    tcase_add_test(tests, start_is_right);
    tcase_add_test(tests, between_runs);
    tcase_add_test(tests, alike);
    tcase_add_test(tests, limits);
    tcase_add_test(tests, rough);
    tcase_add_test(tests, failure);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
