#include "traces/footprint/history.h"

#include <stdlib.h>

void history_finish(struct history *history)
{
    free(history->epochs);
    free(history->origins);
    *history = (struct history){0};
}

static int reserve(struct history *history, size_t count)
{
    if (count <= history->capacity)
        return 0;
    size_t capacity = count + count / 2 + 64;
    struct epoch *epochs = reallocarray(history->epochs, capacity, sizeof *epochs);
    if (epochs == NULL)
        return -1;
    history->epochs = epochs;
    uint32_t *origins = reallocarray(history->origins, capacity, sizeof *origins);
    if (origins == NULL)
        return -1;
    history->origins = origins;
    history->capacity = capacity;
    return 0;
}

/* Sum over epochs 1 to LAST. */
static uint64_t sum_to(const struct history *history, uint32_t last)
{
    uint64_t sum = 0;
    for (uint32_t i = last; i > 0; i &= i - 1)
        sum += history->epochs[i].newest;
    return sum;
}

/* CHANGE modulo 2^64 may be negative. */
static void add(struct history *history, uint32_t epoch, uint64_t change)
{
    for (uint32_t i = epoch; i <= history->now; i += i & -i)
        history->epochs[i].newest += change;
}

/* A new node sums what lies before it, as its own epoch has nothing yet. */
static void append(struct history *history, uint32_t epoch, uint64_t copied)
{
    struct epoch *epochs = history->epochs;
    uint64_t before = sum_to(history, epoch - 1);
    epochs[epoch] = (struct epoch){
        .newest = before - sum_to(history, epoch & (epoch - 1)),
        .copied = epochs[epoch - 1].copied + copied,
    };
    if (epochs[epoch].copied < copied) /* nonsense sizes add up to that */
        epochs[epoch].copied = UINT64_MAX;
}

int history_begin(struct history *history, uint64_t copied)
{
    if (history->now > UINT32_MAX - 3 || reserve(history, (size_t)history->now + 3) != 0)
        return -1;
    if (history->now == 0)
        history->epochs[0] = (struct epoch){0};
    append(history, history->now + 1, copied);
    append(history, history->now + 2, 0);
    history->now += 2;
    history->origin_count = 0;
    return 0;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y;
}

void history_sort(struct history *history)
{
    qsort(history->origins, history->origin_count, sizeof *history->origins, compare);
}

uint64_t history_newer(const struct history *history, uint32_t epoch)
{
    return history->lines - sum_to(history, epoch);
}

uint64_t history_copied(const struct history *history, uint32_t epoch)
{
    return history->epochs[history->now].copied - history->epochs[epoch].copied;
}

void history_end(struct history *history)
{
    uint64_t touched = 0;
    for (size_t i = 0; i < history->origin_count; i++) {
        uint32_t epoch = history->origins[i];
        struct epoch *origin = &history->epochs[epoch];
        touched += origin->lines;
        if (epoch == 0)
            history->lines += origin->lines;
        else
            add(history, epoch, -origin->lines);
        origin->sectors = origin->fetched = origin->lines = 0;
        origin->unready = origin->made = origin->never = 0;
        origin->touched = 0;
    }
    add(history, history->now, touched);
}

size_t history_memory(const struct history *history)
{
    return history->capacity * (sizeof *history->epochs + sizeof *history->origins);
}
