/* The lines of a raw trace by thread block and warp. The file has them in the
 * order in which the GPU's channel delivered them; whether a block is complete
 * shows only at the end, so all lines are read, and sorted, before the first
 * block is known. Blocks are in the order of their first lines. */
#ifndef HEARTH_TRACES_TEXT_RAW_LINES_H
#define HEARTH_TRACES_TEXT_RAW_LINES_H

#include "traces/base/map.h"
#include "traces/text/header.h"
#include "traces/text/line.h"
#include "traces/text/line_sort.h"

/* Guesses for the next instruction; warps that share one only lose speed. */
#define RAW_HINTS 8192

struct raw_block {
    uint64_t number; /* in the grid */
    uint32_t half;   /* a bit a warp: half of an LDGSTS has been seen */
};

/* What can be kept of a line. */
struct raw_item {
    struct trace_record record;
    uint64_t words[LINE_MAX_WORDS]; /* its addresses */
};

struct raw_lines {
    struct source *source;
    const struct trace_header *header;
    struct line_reader reader;
    void *data;               /* of who collects */
    uint32_t warps;           /* of a block */
    struct map orders;        /* of blocks, by number */
    struct raw_block *blocks; /* in order */
    uint32_t block_count;
    struct line_sort sort;
    uint32_t hints[RAW_HINTS];
};

/* Adds to `lines->sort`, under KEY, what is to be kept of a line: TEXT is what
 * grouped text has of it, and the words that LINE has are in ITEM. Returns 0, or
 * -1 on error. */
typedef int (*raw_line_taker)(struct raw_lines *lines, uint64_t key, struct line *line,
                              struct raw_item *item, const char *text, size_t length,
                              struct error *err);

/* Takes zeroed LINES, which sort in BYTES of memory, and a temporary file in DIR as
 * spill_init(). ITEM is what is usually kept of a line, bytes. Returns 0, or -1 when memory ran
 * out; also then, and zeroed with a `spill.fd` of -1, it is finished. */
int raw_lines_init(struct raw_lines *lines, size_t bytes, size_t item, const char *dir);
void raw_lines_finish(struct raw_lines *lines);

/* Hands all lines of SOURCE, which is after the HEADER, to TAKE, but one of the
 * two that each LDGSTS has. */
int raw_lines_collect(struct raw_lines *lines, struct source *source,
                      const struct trace_header *header, struct insts *insts,
                      raw_line_taker take, struct error *err);

static inline uint64_t raw_key(uint32_t block, uint32_t warp)
{
    return (uint64_t)block << 5 | warp;
}

static inline uint32_t raw_key_block(uint64_t key)
{
    return (uint32_t)(key >> 5);
}

static inline uint32_t raw_key_warp(uint64_t key)
{
    return key & 31;
}

/* Where block B is in the grid. */
static inline void raw_lines_index(const struct raw_lines *lines, uint32_t b, uint32_t index[3])
{
    uint64_t number = lines->blocks[b].number;
    const uint32_t *grid = lines->header->grid;
    index[0] = (uint32_t)(number % grid[0]);
    index[1] = (uint32_t)(number / grid[0] % grid[1]);
    index[2] = (uint32_t)(number / grid[0] / grid[1]);
}

#endif
