/* Which time slots of something that serves one at a time are taken, where those that ask do
 * not come in order of the time that they ask for: each gets the first free slot. After the
 * history lists of the queue models of Sniper (Carlson, Heirman, Eeckhout: "Sniper: Exploring
 * the Level of Abstraction for Scalable and Accurate Parallel Multi-Core Simulation", SC 2011).
 */
#ifndef HEARTH_SIM_IDEAL_L2_CALENDAR_H
#define HEARTH_SIM_IDEAL_L2_CALENDAR_H

#include <stdint.h>

/* Words of 64 slots each. Slots this many words before the latest one are forgotten. */
#define CALENDAR_WORDS 1024u

/* A zeroed one: all are free. */
struct calendar {
    uint64_t taken[CALENDAR_WORDS];
    uint64_t number[CALENDAR_WORDS]; /* of the word that stands in this place */
};

/* Takes the first free slot from SLOT on, and returns it; one that is forgotten is free. */
uint64_t calendar_take(struct calendar *calendar, uint64_t slot);

/* Takes the slots from FIRST to LAST, as far as they are free; none if LAST is before FIRST. */
void calendar_mark(struct calendar *calendar, uint64_t first, uint64_t last);

#endif
