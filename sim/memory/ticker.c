#include "sim/memory/ticker.h"

#include <math.h>

/* Ticks that are passed one by one rather than at once. */
#define FEW 8

/* Below a power of two, sums are rounded to multiples of one number, so that each tick adds as
 * much; but as halves are rounded to even, only from the second tick there on. */
static void next_range(struct ticker *ticker)
{
    double before = ticker->start + (double)ticker->count * ticker->step;
    int exponent;
    ticker->first += ticker->count + 1;
    ticker->start = before + ticker->period;
    ticker->step = ticker->start + ticker->period - ticker->start;
    frexp(ticker->start, &exponent);
    double end = ldexp(1, exponent);
    ticker->count = before < end / 2 ? 0 : (uint64_t)((end - ticker->start) / ticker->step);
}

void ticker_find(struct ticker *ticker, uint64_t tick)
{
    if (tick < ticker->first)
        ticker_restart(ticker, ticker->zero);
    while (tick - ticker->first > ticker->count)
        next_range(ticker);
}

void ticker_pass(struct ticker *ticker, double time)
{
    double ticks;
    while ((ticks = (time - ticker->time) * ticker->hz * (1 - TICKER_ROUNDING)) > FEW)
        ticker_go(ticker, ticker->tick + (uint64_t)ticks);
    while (ticker_next_time(ticker) <= time)
        ticker_next(ticker);
}

void ticker_rewind(struct ticker *ticker, double time)
{
    double ticks = (ticker->time - time) * ticker->hz * (1 + TICKER_ROUNDING) + 1;
    double passed = (double)(ticker->tick - ticker->zero);
    if (ticker->time > time)
        ticker_go(ticker, ticks < passed ? ticker->tick - (uint64_t)ticks : ticker->zero);
    ticker_pass(ticker, time);
}
