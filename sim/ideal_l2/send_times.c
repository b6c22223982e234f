#include "sim/ideal_l2/send_times.h"

#include <stdlib.h>

#include "sim/memory/queue.h"

#define FIRST_SIZE 64

void sends_finish(struct sends *sends)
{
    free(sends->ring);
    *sends = (struct sends){0};
}

static struct whatif_time *place(const struct sends *sends, uint32_t i)
{
    return &sends->ring[(sends->head + i) & (sends->size - 1)];
}

static void grow(struct sends *sends)
{
    struct sends more = {.size = sends->size != 0 ? 2 * sends->size : FIRST_SIZE,
                         .count = sends->count};
    more.ring = malloc(more.size * sizeof *more.ring);
    if (more.ring == NULL)
        memory_short();
    for (uint32_t i = 0; i < sends->count; i++)
        more.ring[i] = *place(sends, i);
    sends_finish(sends);
    *sends = more;
}

void sends_push(struct sends *sends, struct whatif_time time)
{
    if (sends->count == sends->size)
        grow(sends);
    *place(sends, sends->count++) = time;
}

struct whatif_time sends_pop(struct sends *sends)
{
    struct whatif_time time = *place(sends, 0);
    sends->head = (sends->head + 1) & (sends->size - 1);
    sends->count--;
    return time;
}

void sends_image(struct sends *sends, struct image *image)
{
    uint32_t count = sends->count;
    image_bytes(image, &count, sizeof count);
    if (image->loading)
        sends->head = sends->count = 0;
    for (uint32_t i = 0; i < count && !image->failed; i++) {
        struct whatif_time time = {0};
        if (!image->loading)
            time = *place(sends, i);
        image_bytes(image, &time, sizeof time);
        if (image->loading && !image->failed)
            sends_push(sends, time);
    }
}
