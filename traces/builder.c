#include "traces/builder.h"

#include <stdlib.h>
#include <string.h>

#include "traces/address.h"
#include "traces/kernel.h"

#define FIRST_RECORDS 4096
#define FIRST_WORDS   8192

int builder_init(struct builder *builder)
{
    *builder = (struct builder){.record_capacity = FIRST_RECORDS, .word_capacity = FIRST_WORDS};
    builder->records = malloc(FIRST_RECORDS * sizeof *builder->records);
    builder->words = malloc(FIRST_WORDS * sizeof *builder->words);
    if (builder->records != NULL && builder->words != NULL)
        return 0;
    builder_finish(builder);
    return -1;
}

void builder_finish(struct builder *builder)
{
    free(builder->records);
    free(builder->words);
    *builder = (struct builder){0};
}

void builder_begin(struct builder *builder, size_t limit)
{
    builder->record_count = builder->word_count = 0;
    builder->warp = NULL;
    builder->limit = limit;
    builder->spilled = false;
    memset(builder->warps, 0, sizeof builder->warps);
}

void builder_warp(struct builder *builder, struct spill *spill, uint32_t warp)
{
    builder->warp = &builder->warps[warp];
    *builder->warp = (struct builder_warp){.first_record = builder->record_count,
                                           .first_word = builder->word_count,
                                           .spill_at = spill->end,
                                           .seen = true};
    chunk_begin(&builder->writer, spill);
}

/* Writes records FIRST to END, whose addresses count from WORDS. */
static int write_records(struct builder *builder, size_t first, size_t end,
                         const uint64_t *words, struct error *err)
{
    for (size_t i = first; i < end; i++) {
        const struct trace_record *record = &builder->records[i];
        if (chunk_add(&builder->writer, record, words + record->address, err) != 0)
            return -1;
    }
    return 0;
}

/* Writes what is in memory of one warp, up to record END. */
static int spill_warp(struct builder *builder, struct spill *spill, struct builder_warp *warp,
                      size_t end, struct error *err)
{
    warp->spill_at = spill->end;
    chunk_begin(&builder->writer, spill);
    return write_records(builder, warp->first_record, end, builder->words + warp->first_word,
                         err);
}

static void forget_records(struct builder *builder)
{
    builder->record_count = builder->word_count = 0;
    builder->warp->first_record = builder->warp->first_word = 0;
}

/* Takes the block out of memory: the warps before the current one as a whole,
 * then what there is of that, whose last chunk stays open. The warps stand in
 * memory in the order in which they came, the current one last. */
static int start_spilling(struct builder *builder, struct spill *spill, struct error *err)
{
    builder->spilled = true;
    builder->spill_from = spill->end;
    for (uint32_t w = 0; w < BLOCK_MAX_WARPS; w++) {
        struct builder_warp *warp = &builder->warps[w];
        if (!warp->seen || warp == builder->warp)
            continue;
        size_t end = warp->first_record + warp->records;
        if (spill_warp(builder, spill, warp, end, err) != 0 ||
            chunk_flush(&builder->writer, err) != 0)
            return -1;
    }
    if (spill_warp(builder, spill, builder->warp, builder->record_count, err) != 0)
        return -1;
    forget_records(builder);
    return 0;
}

static int spill_more(struct builder *builder, struct error *err)
{
    const struct builder_warp *warp = builder->warp;
    if (write_records(builder, warp->first_record, builder->record_count,
                      builder->words + warp->first_word, err) != 0)
        return -1;
    forget_records(builder);
    return 0;
}

static int grow(struct builder *builder, struct error *err)
{
    if (builder->record_count == builder->record_capacity) {
        void *more = reallocarray(builder->records, 2 * builder->record_capacity,
                                  sizeof *builder->records);
        if (more == NULL)
            return error_no_memory_for(err, ERROR_TRACE, NULL);
        builder->records = more;
        builder->record_capacity *= 2;
    }
    if (builder->word_count + BUILDER_MOST_WORDS > builder->word_capacity) {
        void *more =
            reallocarray(builder->words, 2 * builder->word_capacity, sizeof *builder->words);
        if (more == NULL)
            return error_no_memory_for(err, ERROR_TRACE, NULL);
        builder->words = more;
        builder->word_capacity *= 2;
    }
    return 0;
}

static size_t bytes_in_memory(const struct builder *builder)
{
    return builder->record_count * sizeof *builder->records +
           builder->word_count * sizeof *builder->words;
}

/* The arrays are full. They grow as long as the block may: checking the limit
 * here only keeps it out of every line's way. */
int builder_reserve_more(struct builder *builder, struct spill *spill, struct error *err)
{
    if (builder->spilled)
        return spill_more(builder, err);
    if (bytes_in_memory(builder) > builder->limit)
        return start_spilling(builder, spill, err);
    return grow(builder, err);
}

int builder_end_warp(struct builder *builder, struct spill *spill, struct error *err)
{
    if (!builder->spilled && bytes_in_memory(builder) > builder->limit &&
        start_spilling(builder, spill, err) != 0)
        return -1;
    if (!builder->spilled)
        return 0;
    if (spill_more(builder, err) != 0)
        return -1;
    return chunk_flush(&builder->writer, err);
}

/* Points the warps of a block to their records, in memory or on disk. */
static void fill_warps(const struct builder *builder, struct trace_block *block,
                       const struct trace_record *records, const uint64_t *words)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct builder_warp *from = &builder->warps[w];
        struct trace_warp *to = &block->warps[w];
        *to = (struct trace_warp){.total = from->records, .block = block, .index = w};
        to->at = to->end = records;
        to->addresses = words;
        if (builder->spilled) {
            to->spill_at = from->spill_at;
            to->spill_left = from->records;
        } else if (from->seen) {
            to->at = records + from->first_record;
            to->end = to->at + from->records;
            to->addresses = words + from->first_word;
        }
    }
}

struct trace_block *builder_end(struct builder *builder, struct trace_kernel *kernel,
                                uint32_t warp_count, struct error *err)
{
    size_t word_bytes = builder->spilled ? 0 : builder->word_count * sizeof *builder->words;
    size_t record_bytes =
        builder->spilled ? 0 : builder->record_count * sizeof *builder->records;
    size_t head = sizeof(struct block) + warp_count * sizeof(struct trace_warp);
    size_t size = head + word_bytes + record_bytes;
    struct block *block = block_pool_get(&kernel->pool, size);
    if (block == NULL) {
        error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
        return NULL;
    }
    char *memory = (char *)block;
    uint64_t *words = (uint64_t *)(memory + head);
    struct trace_record *records = (struct trace_record *)(memory + head + word_bytes);
    memcpy(words, builder->words, word_bytes);
    memcpy(records, builder->records, record_bytes);
    block->spill_from = builder->spilled ? builder->spill_from : 0;
    block->spill_to = builder->spilled ? kernel->spill.end : 0;
    block->public = (struct trace_block){
        .index = {builder->index[0], builder->index[1], builder->index[2]},
        .warp_count = warp_count,
        .warps = (struct trace_warp *)(memory + sizeof *block),
        .kernel = kernel,
        .bytes = size,
    };
    fill_warps(builder, &block->public, records, words);
    return &block->public;
}
