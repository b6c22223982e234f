/* The cycle of an event, and the one in which it would have come (sim/ideal_l2/ideal_l2.h). */
#ifndef HEARTH_SIM_IDEAL_L2_TWO_TIMES_H
#define HEARTH_SIM_IDEAL_L2_TWO_TIMES_H

#include <stdint.h>

struct two_times {
    uint64_t real, would;
};

/* The later of both, by each clock. */
static inline struct two_times two_times_later(struct two_times a, struct two_times b)
{
    return (struct two_times){.real = a.real > b.real ? a.real : b.real,
                              .would = a.would > b.would ? a.would : b.would};
}

/* When an event of cycle NOW would have come: as many cycles after FROM as it did. */
static inline uint64_t two_times_behind(struct two_times from, uint64_t now)
{
    return now > from.real ? from.would + (now - from.real) : from.would;
}

#endif
