/* A queue of packets, each with the cycle from which it may leave: a ring buffer that grows.
 * Its user limits its length. */
#ifndef HEARTH_SIM_MEMORY_QUEUE_H
#define HEARTH_SIM_MEMORY_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/packet.h"

/* Half a line of the host's cache. */
struct queue_entry {
    _Alignas(32) struct packet packet;
    uint64_t ready; /* cycle */
};

struct queue {
    struct queue_entry *ring; /* size is a power of two */
    uint32_t size, head, count;
};

/* Prints an error and ends the process at once, with ERROR_SIMULATION. Queues are bounded by
 * what SMs can have in flight, a few kilobytes each; without that much memory the callers, deep
 * in the model, cannot continue. What a run finished is in its journal. */
_Noreturn void memory_short(void);

/* Doubles the number of entries; memory_short() if there is no memory. */
__attribute__((noinline, cold)) void queue_grow(struct queue *queue);

static inline void queue_finish(struct queue *queue)
{
    free(queue->ring);
    queue->ring = NULL;
    queue->size = queue->head = queue->count = 0;
}

/* Returns room for one more packet, which may leave from cycle READY on. The caller writes it
 * in place, which is faster than copying a packet that was just written. */
static inline __attribute__((always_inline)) struct packet *queue_add(struct queue *queue,
                                                                      uint64_t ready)
{
    if (queue->count == queue->size)
        queue_grow(queue);
    struct queue_entry *entry =
        &queue->ring[(queue->head + queue->count++) & (queue->size - 1)];
    entry->ready = ready;
    return &entry->packet;
}

static inline void queue_push(struct queue *queue, const struct packet *packet, uint64_t ready)
{
    *queue_add(queue, ready) = *packet;
}

/* The same before the entries that may leave later only. */
static inline void queue_push_in_order(struct queue *queue, const struct packet *packet,
                                       uint64_t ready)
{
    queue_push(queue, packet, ready);
    for (uint32_t at = queue->count - 1; at != 0; at--) {
        struct queue_entry *last = &queue->ring[(queue->head + at) & (queue->size - 1)];
        struct queue_entry *before = &queue->ring[(queue->head + at - 1) & (queue->size - 1)];
        if (before->ready <= ready)
            return;
        struct queue_entry moved = *before;
        *before = *last;
        *last = moved;
    }
}

/* The cycle from which the oldest entry may leave; UINT64_MAX: there is none. */
static inline uint64_t queue_next(const struct queue *queue)
{
    return queue->count != 0 ? queue->ring[queue->head].ready : UINT64_MAX;
}

/* The oldest entry; only if count > 0. */
static inline struct queue_entry *queue_head(const struct queue *queue)
{
    return &queue->ring[queue->head];
}

/* The entry I places after the oldest; only if count > I. */
static inline struct queue_entry *queue_at(const struct queue *queue, uint32_t i)
{
    return &queue->ring[(queue->head + i) & (queue->size - 1)];
}

/* The newest entry; only if count > 0. */
static inline struct queue_entry *queue_last(const struct queue *queue)
{
    return &queue->ring[(queue->head + queue->count - 1) & (queue->size - 1)];
}

static inline void queue_pop(struct queue *queue)
{
    /* An empty queue starts again at index 0, so that short queues use few cache lines. */
    queue->head = --queue->count == 0 ? 0 : (queue->head + 1) & (queue->size - 1);
}

/* Prefetches the entry after the oldest, for a queue that is not in constant use. */
static inline void queue_expect(const struct queue *queue)
{
    __builtin_prefetch(&queue->ring[(queue->head + 1) & (queue->size - 1)]);
}

/* Appends all entries of FROM to TO. */
static inline void queue_append(struct queue *to, struct queue *from)
{
    if (to->count == 0) {
        struct queue empty = *to;
        *to = *from;
        *from = empty;
        from->head = 0;
    }
    for (; from->count != 0; queue_pop(from))
        queue_push(to, &queue_head(from)->packet, queue_head(from)->ready);
}

/* True if the oldest entry may leave in cycle NOW. */
static inline bool queue_ready(const struct queue *queue, uint64_t now)
{
    return queue->count != 0 && queue_head(queue)->ready <= now;
}

#endif
