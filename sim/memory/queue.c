#include "sim/memory/queue.h"

#include <stdio.h>

/* Queues are bounded by what SMs can have in flight, a few kilobytes; without
 * that much memory nothing can be saved, and callers deep in the model have
 * no way to go on. */
void queue_grow(struct queue *queue)
{
    uint32_t size = queue->size ? queue->size * 2 : 16;
    struct queue_entry *ring = malloc(size * sizeof *ring);
    if (ring == NULL) {
        fputs("hearth: out of memory\n", stderr);
        abort();
    }
    for (uint32_t i = 0; i < queue->count; i++)
        ring[i] = queue->ring[(queue->head + i) & (queue->size - 1)];
    free(queue->ring);
    queue->ring = ring;
    queue->size = size;
    queue->head = 0;
}
