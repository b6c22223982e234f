/* The ticks of a clock: wherever it jumps to, it is where adding up periods one by one leads.
 */
#include "sim/memory/ticker.h"

#include <stdbool.h>

#include "tests/suite.h"

#define TICKS 3000000u

/* Those of cards, and some whose periods are rounded differently. */
static const double frequencies[] = {1132e6, 3500.5e6, 1309.5e6, 1e9, 3e9, 1073741824, 850e6};
#define FREQUENCIES (int)(sizeof frequencies / sizeof *frequencies)

/* A sum of periods. */
struct sum {
    double time, period;
    uint64_t ticks;
};

static void add_up(struct sum *sum, uint64_t ticks)
{
    for (; sum->ticks < ticks; sum->ticks++)
        sum->time += sum->period;
}

static uint64_t jump(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return 1 + (*random >> 33) % (1u << (*random >> 59) % 18);
}

START_TEST(goes_as_sums)
{
    struct ticker ticker = ticker_of(frequencies[_i]);
    struct sum sum = {.period = 1 / frequencies[_i]};
    uint64_t random = 1;
    while (sum.ticks < TICKS) {
        add_up(&sum, sum.ticks + jump(&random));
        ticker_go(&ticker, sum.ticks);
        ck_assert_uint_eq(ticker.tick, sum.ticks);
        ck_assert(ticker.time == sum.time);
        struct ticker other = ticker_of(frequencies[_i]);
        ticker_go(&other, sum.ticks); /* at once */
        ck_assert(other.time == sum.time);
    }
}
END_TEST

START_TEST(passes_as_sums)
{
    struct ticker ticker = ticker_of(frequencies[_i]);
    struct sum slow = {.period = 1 / frequencies[0]}, sum = {.period = 1 / frequencies[_i]};
    uint64_t random = 2;
    while (slow.ticks < TICKS / 4) {
        add_up(&slow, slow.ticks + jump(&random));
        while (sum.time + sum.period <= slow.time)
            add_up(&sum, sum.ticks + 1);
        ticker_pass(&ticker, slow.time);
        ck_assert_uint_eq(ticker.tick, sum.ticks);
        ck_assert(ticker.time == sum.time);
    }
    ticker_rewind(&ticker, 1e-6);
    ck_assert(ticker.time <= 1e-6 && ticker_next_time(&ticker) > 1e-6);
}
END_TEST

/* 2264 core cycles and 7001 DRAM ticks take as long, but for rounding: the DRAM tick comes
 * after the cycle at first, and before it later. */
START_TEST(rounding_decides)
{
    struct ticker core = ticker_of(1132e6), dram = ticker_of(3500.5e6);
    bool before = false, after = false;
    for (uint64_t i = 1; i <= 1000; i++) {
        ticker_go(&core, 2264 * i);
        ticker_pass(&dram, core.time);
        ck_assert_uint_ge(dram.tick, 7001 * i - 1);
        ck_assert_uint_le(dram.tick, 7001 * i);
        before |= dram.tick == 7001 * i;
        after |= dram.tick < 7001 * i;
    }
    ck_assert(before && after);
}
END_TEST

/* Time counts anew from any tick, which keeps its number. */
START_TEST(restarts)
{
    struct ticker first = ticker_of(1132e6), again = ticker_of(1132e6);
    ticker_go(&again, 12345);
    ticker_restart(&again, 20000);
    ticker_go(&first, 1000);
    ticker_go(&again, 21000);
    ck_assert(first.time == again.time);
    ticker_go(&again, 20001);
    ck_assert(again.time == again.period);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {rounding_decides, restarts};
    const TTest *const loops[] = {goes_as_sums, passes_as_sums};
    return RUN_LOOPS("ticker", tests, loops, FREQUENCIES);
}
