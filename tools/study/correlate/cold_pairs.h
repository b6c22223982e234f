/* Launches that are measured and simulated both warm and cold: with caches as the application
 * leaves them, and flushed before each launch. */
#ifndef HEARTH_TOOLS_STUDY_CORRELATE_COLD_PAIRS_H
#define HEARTH_TOOLS_STUDY_CORRELATE_COLD_PAIRS_H

#include "tools/study/correlate/pairing.h"

struct cold_pair {
    const struct measured_launch *measured; /* its cycles and cold cycles are above 0 */
    const struct row *warm, *cold;
};

/* A pass over two pairings of the same measured launches; the last two members start as 0. */
struct cold_pairs {
    const struct pairing *warm, *cold;
    size_t at;   /* in `warm` */
    size_t next; /* in `cold`, where the search for the next launch begins */
};

/* The next launch, in the order of `warm`. Launches whose instructions differ from the trace's
 * (`varies`) are passed over. Returns false at the end. */
bool cold_pairs_next(struct cold_pairs *pairs, struct cold_pair *pair);

/* Cold over warm cycles, in percent above 100. */
double cold_penalty(double cold, double warm);

#endif
