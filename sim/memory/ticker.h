/* The ticks of a clock, timed as GPGPU-Sim does it (gpgpu_sim::next_clock_domain()): tick N is
 * at the sum of N periods, added up one by one in double precision. Ticks of two clocks that
 * should be simultaneous differ by the rounding of these sums, which so decides which comes
 * first. */
#ifndef HEARTH_SIM_MEMORY_TICKER_H
#define HEARTH_SIM_MEMORY_TICKER_H

#include <stdint.h>

/* At most so much, relative, does rounding change the length of a tick, up to 1000 seconds. */
#define TICKER_ROUNDING 1e-4

struct ticker {
    double hz, period; /* period: seconds */
    uint64_t zero;     /* the tick at time 0 */
    uint64_t tick;     /* the last one that has passed */
    double time;       /* its time */
    /* Tick FIRST is at time START; each of the COUNT ticks after it adds STEP, without
     * rounding. */
    uint64_t first, count;
    double start, step;
};

/* A clock at its tick 0, which is at time 0. */
static inline struct ticker ticker_of(double hz)
{
    return (struct ticker){.hz = hz, .period = 1 / hz};
}

/* The time of the next tick. */
static inline double ticker_next_time(const struct ticker *ticker)
{
    return ticker->time + ticker->period;
}

static inline void ticker_next(struct ticker *ticker)
{
    ticker->time += ticker->period;
    ticker->tick++;
}

/* Makes TICK one of those from `first` on. */
void ticker_find(struct ticker *ticker, uint64_t tick);

/* Goes on to TICK, or back to it; not before `zero`. */
static inline void ticker_go(struct ticker *ticker, uint64_t tick)
{
    if (tick - ticker->first > ticker->count)
        ticker_find(ticker, tick);
    ticker->tick = tick;
    ticker->time = ticker->start + (double)(int64_t)(tick - ticker->first) * ticker->step;
}

/* Goes on to the last tick at TIME or before; stays where that is in the past. */
void ticker_pass(struct ticker *ticker, double time);

/* The same, but also goes back. */
void ticker_rewind(struct ticker *ticker, double time);

/* TICK is at time 0 from now on, and the last one that has passed. */
static inline void ticker_restart(struct ticker *ticker, uint64_t tick)
{
    ticker->zero = ticker->tick = ticker->first = tick;
    ticker->time = ticker->start = 0;
    ticker->count = 0;
}

#endif
