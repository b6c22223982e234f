/* When an SM sent the packets that are on their way to the crossbar and in front of it, oldest
 * first: packets themselves have no room for it. */
#ifndef HEARTH_SIM_IDEAL_L2_SEND_TIMES_H
#define HEARTH_SIM_IDEAL_L2_SEND_TIMES_H

#include "sim/ideal_l2/two_times.h"
#include "traces/base/serialize.h"

/* Zeroed: none. */
struct sends {
    struct whatif_time *ring; /* owned; size is a power of two */
    uint32_t size, head, count;
};

void sends_finish(struct sends *sends);
/* Ends the process where memory is short, as queues do. */
void sends_push(struct sends *sends, struct whatif_time time);
/* Only while there is one. */
struct whatif_time sends_pop(struct sends *sends);
void sends_image(struct sends *sends, struct image *image);

#endif
