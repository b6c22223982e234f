#include "traces/text/raw_lines.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/bytes.h"

int raw_lines_init(struct raw_lines *lines, size_t bytes, size_t item, const char *dir)
{
    memset(lines->hints, 0xff, sizeof lines->hints);
    return line_sort_init(&lines->sort, bytes, item, dir);
}

void raw_lines_finish(struct raw_lines *lines)
{
    map_finish(&lines->orders);
    free(lines->blocks);
    line_sort_finish(&lines->sort);
}

/* ---- blocks ------------------------------------------------------------ */

/* The order of block NUMBER, a new one if needed; MAP_NONE when memory ran out. */
static uint32_t find_block(struct raw_lines *lines, uint64_t number)
{
    uint64_t key = map_key(number, 0);
    uint32_t order = map_get(&lines->orders, key);
    if (order != MAP_NONE)
        return order;
    order = lines->block_count;
    if (order == UINT32_MAX / 2 || !array_room(&lines->blocks, order, sizeof *lines->blocks))
        return MAP_NONE;
    if (!map_set(&lines->orders, key, order))
        return MAP_NONE;
    lines->blocks[lines->block_count++] = (struct raw_block){number, 0};
    return order;
}

/* Finds the block of a line with these ids; its warp is checked too. */
static uint32_t find_place(struct raw_lines *lines, const uint32_t id[4], struct error *err)
{
    const struct source *source = lines->source;
    const uint32_t *grid = lines->header->grid;
    if (!header_has_block(lines->header, id)) {
        source_error(source, err, source->at, HEADER_NOT_IN_GRID, id[0], id[1], id[2], grid[0],
                     grid[1], grid[2]);
        return MAP_NONE;
    }
    if (id[3] >= lines->warps) {
        source_error(source, err, source->at, "warp %u; blocks have %u warps", id[3],
                     lines->warps);
        return MAP_NONE;
    }
    uint32_t block = find_block(lines, ((uint64_t)id[2] * grid[1] + id[1]) * grid[0] + id[0]);
    if (block == MAP_NONE)
        error_no_memory_for(err, ERROR_TRACE, source->name);
    return block;
}

/* Whether a line of WARP is the first of an LDGSTS. That has two memory operands
 * and so two lines, that of the shared side first, which the tracer's own
 * grouping drops. */
static bool is_shared_side(struct raw_block *block, const struct trace_inst *inst,
                           uint32_t warp)
{
    uint32_t bit = UINT32_C(1) << warp;
    if (!(inst->flags & TRACE_INST_LDGSTS))
        return false;
    block->half ^= bit;
    return block->half & bit;
}

/* ---- lines ------------------------------------------------------------- */

static int read_line(struct raw_lines *lines, raw_line_taker take, struct error *err)
{
    struct source *source = lines->source;
    struct line line;
    struct raw_item item;
    uint32_t ids[4];
    const char *rest = line_read_ids(&lines->reader, source->at, ids);
    if (rest == NULL)
        return line_error(&lines->reader, source, err);
    uint32_t block = find_place(lines, ids, err);
    if (block == MAP_NONE)
        return -1;
    uint64_t key = raw_key(block, ids[3]);
    uint32_t *hint = &lines->hints[key * UINT64_C(0x9e3779b97f4a7c15) >> 51];
    const char *next = line_read(&lines->reader, rest, *hint, &line, item.words);
    if (next == NULL)
        return line_error(&lines->reader, source, err);
    *hint = line.record.inst;
    /* The ids moved to the blocks' headers with version 3. */
    const char *text = lines->header->version < 30 ? source->at : rest;
    source_advance(source, next);
    if (is_shared_side(&lines->blocks[block], &lines->reader.insts->items[*hint], ids[3]))
        return 0;
    return take(lines, key, &line, &item, text, (size_t)(next - text), err);
}

int raw_lines_collect(struct raw_lines *lines, struct source *source,
                      const struct trace_header *header, struct insts *insts,
                      raw_line_taker take, struct error *err)
{
    uint64_t blocks = header_blocks(header);
    int rc;
    lines->source = source;
    lines->header = header;
    lines->warps = header_warps(header);
    lines->reader = (struct line_reader){
        .insts = insts, .lineinfo = header->lineinfo, .version = header->version};
    while ((rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line == '\n' || *line == '#')
            source_skip(source);
        else if (read_line(lines, take, err) != 0)
            return -1;
    }
    if (rc == 0 && lines->block_count < blocks)
        return source_error(source, err, NULL, "the trace has %lu of the grid's %lu blocks",
                            (unsigned long)lines->block_count, (unsigned long)blocks);
    return rc == 0 ? line_sort_end(&lines->sort, err) : -1;
}
