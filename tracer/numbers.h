/* Numbers of launches over all contexts, by which their records name them. All launches
 * get one, traced or not, so that recorded streams can be replayed with other
 * options. */
#ifndef HEARTH_TRACER_NUMBERS_H
#define HEARTH_TRACER_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed at the start. */
struct numbers {
    uint32_t last;     /* the last one given, from 1 */
    uint64_t *ignored; /* a bit each: nothing of the launch is wanted */
};

void numbers_finish(struct numbers *numbers);
/* Gives the next number, which is ignored for now. Returns false if there is none left. */
bool numbers_take(struct numbers *numbers);
/* The launch of the last number is wanted. Returns the number. */
uint32_t numbers_want(struct numbers *numbers);
bool numbers_are_ignored(const struct numbers *numbers, uint32_t number);

#endif
