#include "sim/memory/queue.h"

#include <stdio.h>

void memory_short(void)
{
    fputs("hearth: out of memory\n", stderr);
    abort();
}

void queue_grow(struct queue *queue)
{
    uint32_t size = queue->size ? queue->size * 2 : 16;
    struct queue_entry *ring = aligned_alloc(64, size * sizeof *ring);
    if (ring == NULL)
        memory_short();
    for (uint32_t i = 0; i < queue->count; i++)
        ring[i] = queue->ring[(queue->head + i) & (queue->size - 1)];
    free(queue->ring);
    queue->ring = ring;
    queue->size = size;
    queue->head = 0;
}
