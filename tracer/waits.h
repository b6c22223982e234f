/* Loops that only wait: how often they turn depends on the run, not on the program. */
#ifndef HEARTH_TRACER_WAITS_H
#define HEARTH_TRACER_WAITS_H

#include "tracer/tracer.h"

#define WAITS_MOST 32 /* instructions of such a loop */

/* The instructions of a function that were last. Zeroed at the start. */
struct waits {
    uint32_t pc[WAITS_MOST];
    uint8_t kind[WAITS_MOST];
    uint32_t count; /* in all; the last ones are kept */
};

/* Adds INST, the next one of its function, or one of another function. Whether it is the branch
 * that ends a waiting loop: from *FIRST to INST's PC, where nothing is done but to ask a
 * barrier in memory (SYNCS with PHASECHK), or to read memory that others write (loads with
 * STRONG). */
bool waits_add(struct waits *waits, const struct tracer_inst *inst, uint32_t *first);

#endif
