#include "sim/memory/queue.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "traces/base/error.h"

void memory_short(void)
{
    static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&first); /* of all threads that find it: the message comes once */
    fputs("hearth: out of memory\n", stderr);
    _exit(ERROR_SIMULATION);
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
