/* Records of many warps in the order of a raw trace, and the same sorted by
 * warp. */
#ifndef HEARTH_TRACES_TEXT_BATCH_H
#define HEARTH_TRACES_TEXT_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/inst.h"
#include "traces/text/line.h"

struct batch {
    struct trace_record *records; /* addresses count from `words` */
    uint64_t *keys;               /* whose they are: 32 x block + warp */
    uint32_t *order, *other;      /* the records sorted by key; room for sorting */
    size_t count, capacity;
    uint64_t *words;
    size_t word_count, word_capacity;
};

/* A batch that takes BYTES of memory. */
int batch_init(struct batch *batch, size_t bytes);
void batch_finish(struct batch *batch);

static inline bool batch_is_full(const struct batch *batch)
{
    return batch->count == batch->capacity ||
           batch->word_count + LINE_MAX_WORDS > batch->word_capacity;
}

static inline void batch_add(struct batch *batch, uint64_t key, const struct line *line)
{
    struct trace_record *record = &batch->records[batch->count];
    *record = line->record;
    record->address = (uint32_t)batch->word_count;
    batch->keys[batch->count++] = key;
    batch->word_count += line->words;
}

/* Sorts COUNT numbers in *ORDER by their KEYS, stably; *OTHER has the same
 * room, and the two may change places. */
void batch_sort_keys(const uint64_t *keys, uint32_t **order, uint32_t **other, size_t count);

/* Fills `order`; records of a key stay in their order. */
void batch_sort(struct batch *batch);

#endif
