/* When an SM sent the packets that have not passed the crossbar yet, oldest first. Packets
 * themselves have no room for it. */
#ifndef HEARTH_SIM_IDEAL_L2_SEND_TIMES_H
#define HEARTH_SIM_IDEAL_L2_SEND_TIMES_H

#include "sim/ideal_l2/two_times.h"
#include "traces/base/serialize.h"

/* Zeroed: none. */
struct send_times {
    struct two_times *ring; /* owned; size is a power of two */
    uint32_t size, head, count;
};

void send_times_finish(struct send_times *sends);
/* Ends the process where memory is short, as queues do. */
void send_times_push(struct send_times *sends, struct two_times time);
/* Only while there is one. */
struct two_times send_times_pop(struct send_times *sends);
void send_times_serialize(struct send_times *sends, struct serializer *image);

#endif
