#include "sim/ideal_l2/send_times.h"

#include <stdlib.h>

#include "sim/memory/queue.h"

#define FIRST_SIZE 64

void send_times_finish(struct send_times *sends)
{
    free(sends->ring);
    *sends = (struct send_times){0};
}

static struct two_times *place(const struct send_times *sends, uint32_t i)
{
    return &sends->ring[(sends->head + i) & (sends->size - 1)];
}

static void grow(struct send_times *sends)
{
    struct send_times more = {.size = sends->size != 0 ? 2 * sends->size : FIRST_SIZE,
                              .count = sends->count};
    more.ring = malloc(more.size * sizeof *more.ring);
    if (more.ring == NULL)
        memory_short();
    for (uint32_t i = 0; i < sends->count; i++)
        more.ring[i] = *place(sends, i);
    send_times_finish(sends);
    *sends = more;
}

void send_times_push(struct send_times *sends, struct two_times time)
{
    if (sends->count == sends->size)
        grow(sends);
    *place(sends, sends->count++) = time;
}

struct two_times send_times_pop(struct send_times *sends)
{
    struct two_times time = *place(sends, 0);
    sends->head = (sends->head + 1) & (sends->size - 1);
    sends->count--;
    return time;
}

void send_times_serialize(struct send_times *sends, struct serializer *image)
{
    uint32_t count = sends->count;
    serialize_bytes(image, &count, sizeof count);
    if (image->loading)
        sends->head = sends->count = 0;
    for (uint32_t i = 0; i < count && !image->failed; i++) {
        struct two_times time = {0};
        if (!image->loading)
            time = *place(sends, i);
        serialize_bytes(image, &time, sizeof time);
        if (image->loading && !image->failed)
            send_times_push(sends, time);
    }
}
