/* The order of warps without time, by hand. */
#include "tests/sim/support.h"

#include "sim/functional/warp_order.h"

#define SMS   4u
#define WARPS 64u

static struct warp_order warp_order_create(void)
{
    struct warp_order order;
    ck_assert(warp_order_init(&order, SMS, WARPS));
    return order;
}

START_TEST(by_cycle_then_as_they_came)
{
    struct warp_order order = warp_order_create();
    ck_assert_uint_eq(warp_order_take(&order), WARP_ORDER_NONE);
    warp_order_wait(&order, 3, 40);
    warp_order_wait(&order, 1, 0);
    warp_order_wait(&order, 7, 41); /* the same slot as 40 */
    warp_order_wait(&order, 2, 0);
    warp_order_wait(&order, 5, 2000);
    const uint32_t expected[] = {1, 2, 3, 7, 5, WARP_ORDER_NONE};
    const uint64_t cycles[] = {0, 0, 40, 40, 2000, 2000};
    for (int i = 0; i < 6; i++) {
        ck_assert_uint_eq(warp_order_take(&order), expected[i]);
        ck_assert_uint_eq(order.now, cycles[i]);
    }
    warp_order_finish(&order);
}
END_TEST

START_TEST(beyond_the_wheel)
{
    struct warp_order order = warp_order_create();
    const uint64_t all = (uint64_t)WARP_ORDER_SLOTS * WARP_ORDER_SLOT;
    warp_order_wait(&order, 1, 10 * all); /* comes up with the last slot */
    warp_order_wait(&order, 2, all - 2 * WARP_ORDER_SLOT);
    ck_assert_uint_eq(warp_order_take(&order), 2);
    warp_order_wait(&order, 3, 0); /* long past: at once */
    ck_assert_uint_eq(warp_order_take(&order), 3);
    ck_assert_uint_eq(warp_order_take(&order), 1);
    ck_assert_uint_eq(order.now, all - WARP_ORDER_SLOT);
    warp_order_wait(&order, 4, order.now + all - WARP_ORDER_SLOT); /* around the wheel */
    ck_assert_uint_eq(warp_order_take(&order), 4);
    ck_assert_uint_eq(order.now, 2 * all - 2 * WARP_ORDER_SLOT);
    warp_order_finish(&order);
}
END_TEST

/* Four SMs: 4 sectors in 3 cycles. */
START_TEST(memory_takes_its_time)
{
    struct warp_order order = warp_order_create();
    ck_assert_uint_eq(warp_order_loaded(&order), WARP_ORDER_LATENCY);
    warp_order_move(&order, 400);
    ck_assert_uint_eq(warp_order_loaded(&order), 300 + WARP_ORDER_LATENCY);
    warp_order_move(&order, 400);
    ck_assert_uint_eq(warp_order_loaded(&order), 600 + WARP_ORDER_LATENCY);
    warp_order_wait(&order, 1, 0);
    warp_order_wait(&order, 2, 0);
    warp_order_wait(&order, 3, 40);
    ck_assert_uint_eq(warp_order_take(&order), 1); /* late, but in front of who comes later */
    ck_assert_uint_eq(order.now, 600 - WARP_ORDER_BEHIND);
    warp_order_wait(&order, 1, 30);
    ck_assert_uint_eq(warp_order_take(&order), 2);
    ck_assert_uint_eq(warp_order_take(&order), 1);
    ck_assert_uint_eq(warp_order_take(&order), 3);
    ck_assert_uint_eq(order.now, 600 - WARP_ORDER_BEHIND);
    warp_order_wait(&order, 1, 1000);
    ck_assert_uint_eq(warp_order_take(&order), 1); /* by then memory has caught up */
    ck_assert_uint_eq(warp_order_loaded(&order), 1000 + WARP_ORDER_LATENCY);
    warp_order_move(&order, 4);
    ck_assert_uint_eq(warp_order_loaded(&order), 1003 + WARP_ORDER_LATENCY);
    warp_order_finish(&order);
}
END_TEST

/* Warps of an SM that find its load/store unit busy go on one by one as it becomes free, in the
 * order in which they came; one whose data come just then goes in front of them, and those of
 * other SMs do not wait. */
START_TEST(units_are_busy)
{
    struct warp_order order = warp_order_create();
    warp_order_wait(&order, 1, 0);
    warp_order_wait(&order, 2, 0);
    warp_order_wait(&order, 3, 0);
    warp_order_wait(&order, 4, 32);
    warp_order_wait(&order, WARPS, 8); /* of SM 1 */
    const uint32_t expected[] = {1, WARPS, 2, 4, 3, WARP_ORDER_NONE};
    const uint64_t cycles[] = {0, 8, 16, 32, 48, 48};
    for (int i = 0; i < 6; i++) {
        ck_assert_uint_eq(warp_order_take(&order), expected[i]);
        ck_assert_uint_eq(order.now, cycles[i]);
        if (expected[i] < WARPS)
            warp_order_pass(&order, 0, 16);
    }
    warp_order_finish(&order);
}
END_TEST

/* A sector takes time however many SMs there are. */
START_TEST(of_many_sms)
{
    struct warp_order order;
    ck_assert(warp_order_init(&order, 1024, WARPS));
    warp_order_move(&order, 256 * 100);
    ck_assert_uint_eq(warp_order_loaded(&order), 100 + WARP_ORDER_LATENCY);
    warp_order_finish(&order);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {by_cycle_then_as_they_came, beyond_the_wheel,
                                  memory_takes_its_time, units_are_busy, of_many_sms};
    return RUN_TESTS("order", tests);
}
