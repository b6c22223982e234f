/* The order of warps in functional launches, by hand. */
#include "tests/sim/support.h"

#include "sim/functional/warp_order.h"

#define SMS   4u
#define WARPS 64u

/* A sector takes 3 quarters of a cycle of one of two channels. */
static const struct order_times times = {.l1 = 30,
                                         .l2 = 200,
                                         .dram = 500,
                                         .stored = 190,
                                         .port = 1,
                                         .sector = ORDER_TIMES_PARTS * 3 / 4,
                                         .queue = 300,
                                         .before = 400};
#define CHANNELS 2u

static struct warp_order warp_order_create(void)
{
    struct warp_order order;
    ck_assert(warp_order_init(&order, SMS, WARPS, CHANNELS, &times));
    return order;
}

START_TEST(by_cycle_then_as_they_came)
{
    struct warp_order order = warp_order_create();
    ck_assert_uint_eq(warp_order_take(&order), WARP_ORDER_NONE);
    warp_order_wait(&order, 9, 41);
    warp_order_wait(&order, 3, 40);
    warp_order_wait(&order, 1, 0);
    warp_order_wait(&order, 7, 40);
    warp_order_wait(&order, 2, 0);
    warp_order_wait(&order, 5, 2000);
    const uint32_t expected[] = {1, 2, 3, 7, 9, 5, WARP_ORDER_NONE};
    const uint64_t cycles[] = {0, 0, 40, 40, 41, 2000, 2000};
    for (int i = 0; i < 7; i++) {
        ck_assert_uint_eq(warp_order_take(&order), expected[i]);
        ck_assert_uint_eq(order.now, cycles[i]);
    }
    warp_order_finish(&order);
}
END_TEST

START_TEST(beyond_the_wheel)
{
    struct warp_order order = warp_order_create();
    const uint64_t all = WARP_ORDER_SLOTS;
    warp_order_wait(&order, 1, 10 * all); /* comes up with the last slot */
    warp_order_wait(&order, 2, all - 2);
    ck_assert_uint_eq(warp_order_take(&order), 2);
    warp_order_wait(&order, 3, 0); /* long past: at once */
    ck_assert_uint_eq(warp_order_take(&order), 3);
    ck_assert_uint_eq(warp_order_take(&order), 1);
    ck_assert_uint_eq(order.now, all - 1);
    warp_order_wait(&order, 4, order.now + all - 1); /* around the wheel */
    ck_assert_uint_eq(warp_order_take(&order), 4);
    ck_assert_uint_eq(order.now, 2 * all - 2);
    warp_order_finish(&order);
}
END_TEST

/* When what SM has just sent has its data in LEVEL. */
static uint64_t loaded(const struct warp_order *order, uint32_t sm, enum warp_order_level level)
{
    return warp_order_loaded(order, sm, level);
}

/* An access of SM makes CHANNEL move SECTORS; nothing else does in this turn. */
static void move(struct warp_order *order, uint32_t sm, uint32_t channel, uint32_t sectors)
{
    warp_order_begin(order, 0);
    warp_order_move(order, sm, channel, sectors);
}

/* Hits and stores do not wait for DRAM, and channels not for each other. */
START_TEST(memory_takes_its_time)
{
    struct warp_order order = warp_order_create();
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L1), 30);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L2), 200);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 500);
    ck_assert_uint_eq(warp_order_stored(&order, 0), 190);
    move(&order, 0, 0, 200);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 150 + 500);
    move(&order, 0, 1, 40);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 30 + 500);
    warp_order_move(&order, 0, 0, 40); /* the last of both */
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 180 + 500);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L2), 200);
    ck_assert_uint_eq(warp_order_stored(&order, 0), 190);
    warp_order_begin(&order, 17); /* a slice that is farther by so much */
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L1), 30);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L2), 200 + 17);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 500 + 17);
    warp_order_begin(&order, 0);
    warp_order_wait(&order, 1, 1000);
    ck_assert_uint_eq(warp_order_take(&order), 1); /* by then DRAM has caught up */
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 1000 + 500);
    move(&order, 0, 0, 20);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 1015 + 500);
    warp_order_finish(&order);
}
END_TEST

/* A sector a cycle leaves an SM; data come so much later. When the queues between a channel and
 * the tags are full, accesses wait before these; and when those before them are, too, the next
 * warp of the SM waits, but not the clock. */
START_TEST(queues_are_full)
{
    struct warp_order order = warp_order_create();
    warp_order_wait(&order, 1, 0);
    warp_order_wait(&order, 2, 0);
    warp_order_wait(&order, WARPS, 8); /* of SM 1 */
    ck_assert_uint_eq(warp_order_take(&order), 1);
    warp_order_pass(&order, 0, 100);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L1), 100 + 30);
    ck_assert_uint_eq(loaded(&order, 1, WARP_ORDER_IN_L1), 30);
    ck_assert_uint_eq(warp_order_stored(&order, 0), 100 + 190);
    move(&order, 0, 0, 400); /* until 300: just so full */
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L2), 100 + 200);
    move(&order, 0, 0, 240); /* 480 - 300 is after 480 - 400 and 100 */
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L1), 100 + 30);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L2), 180 + 200);
    ck_assert_uint_eq(warp_order_stored(&order, 0), 180 + 190);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_DRAM), 480 + 500);
    move(&order, 0, 1, 4);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L2), 100 + 200);
    move(&order, 0, 0, 400); /* 780 - 400 */
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L1), 380 + 30);
    ck_assert_uint_eq(loaded(&order, 0, WARP_ORDER_IN_L2), 480 + 200);
    ck_assert_uint_eq(warp_order_take(&order), WARPS);
    ck_assert_uint_eq(order.now, 8);
    ck_assert_uint_eq(warp_order_take(&order), 2);
    ck_assert_uint_eq(order.now, 380);
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

int main(void)
{
    const TTest *const tests[] = {by_cycle_then_as_they_came, beyond_the_wheel,
                                  memory_takes_its_time, queues_are_full, units_are_busy};
    return RUN_TESTS("order", tests);
}
