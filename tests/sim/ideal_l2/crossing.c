/* Turns in front of L2 by two clocks, by hand. */
#include "tests/sim/support.h"

#include "sim/ideal_l2/crossing.h"
#include "sim/ideal_l2/send_times.h"

/* A packet, and by how much longer it waits by the second clock. */
struct passage {
    uint32_t input, output;
    uint64_t real, would;
    int64_t late;
};

static void check_one(struct crossing *crossing, const struct passage *passage)
{
    struct crossing_waits waits =
        crossing_pass(crossing, passage->input, passage->output, passage->real, passage->would);
    ck_assert_int_eq((int64_t)waits.would - (int64_t)waits.real, passage->late);
}

static void check(const struct passage *passages, size_t count, double period)
{
    struct crossing *crossing = crossing_create(4, 4, period);
    for (int launch = 0; launch < 2; launch++) {
        crossing_begin(crossing);
        for (size_t i = 0; i < count; i++)
            check_one(crossing, &passages[i]);
    }
    crossing_destroy(crossing);
}
#define CHECK(period, ...)                                                                     \
    check((const struct passage[]){__VA_ARGS__},                                               \
          sizeof((const struct passage[]){__VA_ARGS__}) / sizeof(struct passage), period)

START_TEST(in_time_by_both_clocks)
{
    CHECK(1, {0, 0, 10, 10, 0}, {1, 0, 10, 10, 0}, {2, 0, 10, 10, 0}, {0, 1, 10, 10, 0});
}
END_TEST

/* Three that come 100 cycles apart would have come at once. */
START_TEST(an_output_takes_one_at_a_time)
{
    CHECK(1, {0, 0, 100, 10, 0}, {1, 0, 200, 10, 1}, {2, 0, 300, 10, 2}, {3, 1, 400, 10, 0});
    /* And the other way round. */
    CHECK(1, {0, 0, 10, 100, 0}, {1, 0, 10, 200, -1}, {2, 0, 10, 300, -2});
}
END_TEST

START_TEST(an_input_gives_one_at_a_time)
{
    CHECK(1, {0, 0, 100, 10, 0}, {0, 1, 200, 10, 1}, {0, 2, 300, 10, 2});
}
END_TEST

/* Input 3 has a packet for output 0, which others keep from 10 to 12: it goes in 13, and the
 * packet behind it, for an output that is free, in 14. */
START_TEST(the_oldest_keeps_those_behind_it)
{
    CHECK(1, {0, 0, 100, 10, 0}, {1, 0, 200, 10, 1}, {2, 0, 300, 10, 2}, {3, 0, 400, 10, 3},
          {3, 1, 500, 11, 3});
}
END_TEST

/* One that would have come before those that were told finds its turn free. */
START_TEST(an_earlier_one)
{
    CHECK(1, {0, 0, 100, 50, 0}, {1, 0, 200, 50, 1}, {2, 0, 300, 49, 0}, {3, 0, 400, 49, 3});
}
END_TEST

/* Turns of three cycles: those from 9 and 12 on. */
START_TEST(a_slower_clock)
{
    CHECK(3, {0, 0, 99, 10, 0}, {1, 0, 201, 10, 2}, {2, 0, 300, 10, 5});
}
END_TEST

START_TEST(send_times_are_taken_in_order)
{
    struct send_times sends = {0};
    uint64_t next = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        send_times_push(&sends, (struct two_times){i, 2 * i});
        if (i % 3 == 0) {
            struct two_times time = send_times_pop(&sends);
            ck_assert_uint_eq(time.real, next);
            ck_assert_uint_eq(time.would, 2 * next++);
        }
    }
    ck_assert_uint_eq(sends.count, 1000 - next);
    struct serializer image = {0};
    send_times_serialize(&sends, &image);
    image.loading = true;
    send_times_push(&sends, (struct two_times){7, 7});
    send_times_serialize(&sends, &image);
    ck_assert(!image.failed);
    for (; sends.count != 0; next++)
        ck_assert_uint_eq(send_times_pop(&sends).real, next);
    ck_assert_uint_eq(next, 1000);
    serializer_finish(&image);
    send_times_finish(&sends);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {in_time_by_both_clocks,
                                  an_output_takes_one_at_a_time,
                                  an_input_gives_one_at_a_time,
                                  the_oldest_keeps_those_behind_it,
                                  an_earlier_one,
                                  a_slower_clock,
                                  send_times_are_taken_in_order};
    return RUN_TESTS("crossing", tests);
}
