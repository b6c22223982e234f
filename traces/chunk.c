#include "traces/chunk.h"

#include <string.h>

#include "traces/extras/record.h"

static size_t chunk_size(const struct chunk_head *head)
{
    size_t size = sizeof *head + head->words * sizeof(uint64_t) +
                  head->records * sizeof(struct trace_record);
    return (size + 7) & ~(size_t)7;
}

void chunk_begin(struct chunk_writer *writer, struct spill *spill)
{
    writer->spill = spill;
    writer->head = (struct chunk_head){0};
}

int chunk_flush(struct chunk_writer *writer, struct error *err)
{
    struct chunk_head *head = &writer->head;
    if (head->records == 0)
        return 0;
    struct chunk chunk;
    size_t size = chunk_size(head);
    chunk.space[size / 8 - 1] = 0; /* the padding */
    chunk.head = *head;
    uint64_t *words = chunk.space + sizeof *head / 8;
    memcpy(words, writer->words, head->words * sizeof *words);
    memcpy(words + head->words, writer->records, head->records * sizeof *writer->records);
    head->records = head->words = 0;
    return spill_write(writer->spill, &chunk, size, err);
}

int chunk_add(struct chunk_writer *writer, const struct trace_record *record,
              const uint64_t *words, struct error *err)
{
    struct chunk_head *head = &writer->head;
    struct chunk_head next = *head;
    uint32_t count = record_words(record, words);
    next.records++;
    next.words += count;
    if (chunk_size(&next) > CHUNK_BYTES && chunk_flush(writer, err) != 0)
        return -1;
    memcpy(writer->words + head->words, words, count * sizeof *words);
    writer->records[head->records] = *record;
    writer->records[head->records].address = head->words;
    head->records++;
    head->words += count;
    return 0;
}

long chunk_read(struct chunk *chunk, const struct spill *spill, uint64_t at, struct error *err)
{
    long n = spill_read(spill, at, chunk, sizeof *chunk, err);
    if (n < 0)
        return -1;
    if ((size_t)n < sizeof chunk->head || (size_t)n < chunk_size(&chunk->head))
        return error_set(err, ERROR_OUTPUT, spill->dir, 0, 0, "temporary data is missing");
    return (long)chunk_size(&chunk->head);
}
