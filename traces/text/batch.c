#include "traces/text/batch.h"

#include <stdlib.h>
#include <string.h>

#define MIN_RECORDS 1024
/* Address words for each record that there is room for. */
#define WORDS_PER_RECORD 2

int batch_init(struct batch *batch, size_t bytes)
{
    size_t each = sizeof *batch->records + sizeof *batch->keys + 2 * sizeof *batch->order +
                  WORDS_PER_RECORD * sizeof *batch->words;
    size_t n = bytes / each;
    if (n < MIN_RECORDS)
        n = MIN_RECORDS;
    if (n > UINT32_MAX / WORDS_PER_RECORD)
        n = UINT32_MAX / WORDS_PER_RECORD;
    *batch = (struct batch){.capacity = n, .word_capacity = n * WORDS_PER_RECORD};
    batch->records = malloc(n * sizeof *batch->records);
    batch->keys = malloc(n * sizeof *batch->keys);
    batch->order = malloc(n * sizeof *batch->order);
    batch->other = malloc(n * sizeof *batch->other);
    batch->words = malloc(n * WORDS_PER_RECORD * sizeof *batch->words);
    if (batch->records && batch->keys && batch->order && batch->other && batch->words)
        return 0;
    batch_finish(batch);
    return -1;
}

void batch_finish(struct batch *batch)
{
    free(batch->records);
    free(batch->keys);
    free(batch->order);
    free(batch->other);
    free(batch->words);
    *batch = (struct batch){0};
}

/* Sorts by the byte of the keys at SHIFT; false if all have the same. */
static bool sort_byte(const uint64_t *keys, const uint32_t *order, uint32_t *other,
                      size_t count, int shift)
{
    size_t starts[256] = {0};
    for (size_t i = 0; i < count; i++)
        starts[keys[i] >> shift & 255]++;
    if (starts[keys[0] >> shift & 255] == count)
        return false;
    size_t start = 0;
    for (int b = 0; b < 256; b++) {
        size_t n = starts[b];
        starts[b] = start;
        start += n;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t record = order[i];
        other[starts[keys[record] >> shift & 255]++] = record;
    }
    return true;
}

/* Radix sort, lowest byte first: stable and linear. */
void batch_sort_keys(const uint64_t *keys, uint32_t **order, uint32_t **other, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (*order)[i] = (uint32_t)i;
    for (int shift = 0; shift < 64 && count > 0; shift += 8) {
        if (!sort_byte(keys, *order, *other, count, shift))
            continue;
        uint32_t *sorted = *other;
        *other = *order;
        *order = sorted;
    }
}

void batch_sort(struct batch *batch)
{
    batch_sort_keys(batch->keys, &batch->order, &batch->other, batch->count);
}
