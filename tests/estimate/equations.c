/* The equations on the numbers of the paper (equations.h), which its text and tables print. */
#include <math.h>

#include "estimate/equations.h"
#include "tests/suite.h"

static struct estimate_device open_device(const char *name)
{
    struct estimate_device device;
    struct error err = {0};
    ck_assert_msg(estimate_device_open(&device, name, &err) == 0, "%s", err.text);
    return device;
}

/* Table 6.1, and 13.78 in section 5.2. */
START_TEST(memory_bandwidth_of_the_testbeds)
{
    static const struct {
        const char *name;
        double bandwidth;
    } cards[] = {{"gtx970", 13.78}, {"titanx_maxwell", 13.03}, {"gtx1070", 8.88}};
    struct estimate_device device = open_device(cards[_i].name);
    ck_assert_double_eq_tol(equation_memory_bandwidth(&device), cards[_i].bandwidth, 0.005);
}
END_TEST

/* Section 5.3: 3.9687e-6 + n / (15.8e9 x 0.689), and the way back. */
START_TEST(copies_of_the_gtx_970)
{
    struct estimate_device device = open_device("gtx970");
    ck_assert_double_eq_tol(equation_copy_seconds(&device, true, 0), 3.9687e-6, 1e-12);
    ck_assert_double_eq_tol(equation_copy_seconds(&device, true, 15.8e9 * 0.689), 1 + 3.9687e-6,
                            1e-9);
    ck_assert_double_eq_tol(equation_copy_seconds(&device, false, 15.8e9 * 0.653),
                            1 + 5.1569e-6, 1e-9);
}
END_TEST

START_TEST(terms_and_the_largest)
{
    struct estimate_device device = open_device("gtx970");
    const struct equation_warp warp = {.cuda = 27, .issued = 27, .bytes = 384};
    double terms[TERM_COUNT];
    enum equation_term limit;
    equation_terms(&device, &warp, terms);
    ck_assert_double_eq_tol(terms[TERM_CUDA], 6.75, 1e-9);
    ck_assert_double_eq_tol(terms[TERM_ISSUE], 6.75, 1e-9);
    ck_assert_double_eq_tol(terms[TERM_MEMORY], 27.876, 1e-3);
    ck_assert_double_eq_tol(equation_throughput_bound(terms, &limit), 1 / 27.876, 1e-5);
    ck_assert_int_eq(limit, TERM_MEMORY);
}
END_TEST

START_TEST(kernel_time)
{
    struct estimate_device device = open_device("gtx970");
    bool by_latency;
    ck_assert_double_eq(equation_warps(1000, 33), 2000);
    ck_assert_double_eq(equation_warp_rate(64, 640, 0.05, &by_latency), 0.05);
    ck_assert(!by_latency);
    ck_assert_double_eq(equation_warp_rate(32, 640, 0.06, &by_latency), 0.05);
    ck_assert(by_latency);
    /* 13 x 1253e6 warps at one a cycle, with half the speed that lambda says. */
    ck_assert_double_eq_tol(equation_kernel_seconds(&device, 13 * 1253e6, 1, 0.5), 2, 1e-12);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {copies_of_the_gtx_970, terms_and_the_largest, kernel_time};
    const TTest *const loops[] = {memory_bandwidth_of_the_testbeds};
    return RUN_LOOPS("equations", tests, loops, 3);
}
