/* Collects the records of one thread block, warp after warp, and makes the
 * block of them: in memory, or on disk as soon as it is too large. */
#ifndef HEARTH_TRACES_BUILDER_H
#define HEARTH_TRACES_BUILDER_H

#include "traces/block.h"
#include "traces/extras/record.h"

/* Words that a record needs at most. */
#define BUILDER_MOST_WORDS (LINE_MAX_WORDS + EXTRAS_MOST_WORDS)

struct builder_warp {
    uint64_t records; /* in all */
    size_t first_record, first_word;
    uint64_t spill_at;
    bool seen;
};

struct builder {
    struct trace_record *records; /* of the warps so far, one after the other */
    size_t record_count, record_capacity;
    uint64_t *words;
    size_t word_count, word_capacity;
    struct builder_warp warps[BLOCK_MAX_WARPS];
    struct builder_warp *warp; /* the one that is being filled */
    size_t limit;              /* bytes in memory before the block is spilled */
    bool spilled;
    bool rows; /* lists are shortened to rows */
    uint64_t spill_from;
    uint32_t index[3];
    struct chunk_writer writer;
};

int builder_init(struct builder *builder);
void builder_finish(struct builder *builder);

/* Starts a block that may take LIMIT bytes of memory. */
void builder_begin(struct builder *builder, size_t limit);
/* Starts a warp, which must not have been `seen` in this block. */
void builder_warp(struct builder *builder, struct spill *spill, uint32_t warp);

/* Room for one more record; its addresses are put at
 * builder->words + builder->word_count. Returns 0 or -1. */
int builder_reserve_more(struct builder *builder, struct spill *spill, struct error *err);

static inline int builder_reserve(struct builder *builder, struct spill *spill,
                                  struct error *err)
{
    if (__builtin_expect(builder->record_count < builder->record_capacity &&
                             builder->word_count + BUILDER_MOST_WORDS <= builder->word_capacity,
                         1))
        return 0;
    return builder_reserve_more(builder, spill, err);
}

/* Takes the record for which room was made; its addresses are in place. Its parts come one by
 * one: as a struct they would be read back from memory before they have got there. */
static inline void builder_add(struct builder *builder, uint32_t inst, uint32_t mask,
                               enum trace_address_mode mode)
{
    if (mode == TRACE_ADDRESS_LIST && builder->rows)
        mode = address_rows(builder->words + builder->word_count, mask);
    builder->records[builder->record_count++] = (struct trace_record){
        .inst = inst,
        .mode = mode,
        .mask = mask,
        .address = (uint32_t)(builder->word_count - builder->warp->first_word),
    };
    builder->word_count += address_count(mode, mask);
    builder->warp->records++;
}

/* Gives EXTRAS to the record that was added last. */
static inline void builder_add_extras(struct builder *builder,
                                      const struct trace_extras *extras)
{
    builder->records[builder->record_count - 1].extras = 1;
    builder->word_count += extras_put(extras, builder->words + builder->word_count);
}

/* Ends the current warp. */
int builder_end_warp(struct builder *builder, struct spill *spill, struct error *err);
/* Makes the block, of WARP_COUNT warps. NULL on error. */
struct trace_block *builder_end(struct builder *builder, struct trace_kernel *kernel,
                                uint32_t warp_count, struct error *err);

#endif
