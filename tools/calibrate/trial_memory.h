/* What trials have simulated, so that none is simulated again: the cycles of launches by a text
 * that says which launches, and with which settings. For several threads. */
#ifndef HEARTH_TOOLS_CALIBRATE_TRIAL_MEMORY_H
#define HEARTH_TOOLS_CALIBRATE_TRIAL_MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct trial_memory {
    pthread_mutex_t lock;
    struct trial_memory_item {
        char *key; /* owned */
        double cycles;
    } * items; /* owned */
    size_t count, room;
};

void trial_memory_init(struct trial_memory *memory);
void trial_memory_finish(struct trial_memory *memory);

/* Whether KEY is known; *CYCLES then are its cycles. */
bool trial_memory_find(struct trial_memory *memory, const char *key, double *cycles);
/* Adds KEY, unless another thread has. Returns false without memory. */
bool trial_memory_add(struct trial_memory *memory, const char *key, double cycles);

#endif
