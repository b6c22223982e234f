/* Records in the form in which they are spilled: a few at a time, with their
 * addresses, small enough that every warp on the GPU may hold a chunk. */
#ifndef HEARTH_TRACES_CHUNK_H
#define HEARTH_TRACES_CHUNK_H

#include <stdbool.h>

#include "traces/base/files/spill.h"
#include "traces/inst.h"

#define CHUNK_BYTES 8192

/* On disk: this, `words` addresses, `records` records, padding to 8 bytes. */
struct chunk_head {
    uint32_t records, words;
};

#define CHUNK_MAX_RECORDS                                                                      \
    ((CHUNK_BYTES - sizeof(struct chunk_head)) / sizeof(struct trace_record))
#define CHUNK_MAX_WORDS ((CHUNK_BYTES - sizeof(struct chunk_head)) / 8)

struct chunk_writer {
    struct spill *spill;
    struct chunk_head head;
    struct trace_record records[CHUNK_MAX_RECORDS];
    uint64_t words[CHUNK_MAX_WORDS];
};

/* Starts with an empty chunk. */
void chunk_begin(struct chunk_writer *writer, struct spill *spill);
/* Adds a record with its words, writing full chunks out. */
int chunk_add(struct chunk_writer *writer, const struct trace_record *record,
              const uint64_t *words, struct error *err);
/* Writes what is left. */
int chunk_flush(struct chunk_writer *writer, struct error *err);

/* A chunk in memory, aligned. */
struct chunk {
    union {
        struct chunk_head head;
        uint64_t space[CHUNK_BYTES / 8];
    };
};

/* Reads the chunk at AT. Returns the bytes that it takes on disk, or -1. */
long chunk_read(struct chunk *chunk, const struct spill *spill, uint64_t at, struct error *err);

static inline const uint64_t *chunk_words(const struct chunk *chunk)
{
    return chunk->space + sizeof(struct chunk_head) / 8;
}

static inline const struct trace_record *chunk_records(const struct chunk *chunk)
{
    return (const struct trace_record *)(chunk_words(chunk) + chunk->head.words);
}

#endif
