/* Raw traces: the lines of all warps in the order in which the GPU's channel
 * delivered them. Whether a block is complete shows only at the end, so the
 * whole file is read first and its lines are sorted by block and warp. Blocks
 * are in the order of their first lines. */
#include "traces/text/raw.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/map.h"
#include "traces/kernel.h"
#include "traces/packed/models/template.h"
#include "traces/text/header.h"
#include "traces/text/line_sort.h"

/* Text that is collected before it is handed on. */
#define CHUNK     ((size_t)1 << 16)
#define WARP_BITS 5
/* Guesses for the next instruction; warps that share one only lose speed. */
#define HINTS 8192

struct raw_block {
    uint64_t number; /* in the grid */
    uint32_t half;   /* a bit a warp: half of an LDGSTS has been seen */
};

struct raw {
    struct source inner;
    struct trace_header header;
    struct insts insts;
    struct line_reader reader;
    bool memory_only;
    uint32_t warps;           /* of a block */
    struct map orders;        /* of blocks, by number */
    struct raw_block *blocks; /* in order */
    uint64_t *counts;         /* lines of each warp, block by block */
    uint32_t block_count, block_capacity;
    struct line_sort sort; /* by order of the block << WARP_BITS | warp */
    uint32_t hints[HINTS];
    struct bytes out; /* text to hand on */
    bool collected;
    uint32_t block, warp; /* the next to be printed */
    bool in_warp;
};

static int out_of_memory(const struct raw *raw, struct error *err)
{
    return error_no_memory_for(err, ERROR_TRACE, raw->inner.name);
}

bool raw_probe(const char *text, size_t size)
{
    const char *end = text + size;
    bool header = false;
    for (const char *next; text < end; text = next) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL)
            return false;
        next = newline + 1;
        const char *line = scan_blanks(text);
        header |= *line == '-';
        if (*line != '-' && *line != '#' && *line != '\n')
            return header;
        if (strncmp(line, "#BEGIN_TB", 9) == 0)
            return false;
    }
    return false;
}

/* ---- blocks ------------------------------------------------------------ */

static int grow_blocks(struct raw *raw)
{
    size_t capacity = raw->block_capacity > 0 ? 2 * (size_t)raw->block_capacity : 256;
    void *blocks = reallocarray(raw->blocks, capacity, sizeof *raw->blocks);
    if (blocks != NULL)
        raw->blocks = blocks;
    void *counts = reallocarray(raw->counts, capacity * raw->warps, sizeof *raw->counts);
    if (counts != NULL)
        raw->counts = counts;
    if (blocks == NULL || counts == NULL || capacity > UINT32_MAX / 2)
        return -1;
    raw->block_capacity = (uint32_t)capacity;
    return 0;
}

/* The order of block NUMBER, a new one if needed; MAP_NONE when memory ran out. */
static uint32_t find_block(struct raw *raw, uint64_t number)
{
    uint64_t key = map_key(number, 0);
    uint32_t order = map_get(&raw->orders, key);
    if (order != MAP_NONE)
        return order;
    if (raw->block_count == raw->block_capacity && grow_blocks(raw) != 0)
        return MAP_NONE;
    order = raw->block_count;
    if (!map_set(&raw->orders, key, order))
        return MAP_NONE;
    raw->blocks[raw->block_count++] = (struct raw_block){number, 0};
    memset(raw->counts + (size_t)order * raw->warps, 0, raw->warps * sizeof *raw->counts);
    return order;
}

/* ---- collecting -------------------------------------------------------- */

/* Finds the block of a line; its warp is checked too. */
static uint32_t find_place(struct raw *raw, const struct line *line, struct error *err)
{
    const struct source *source = &raw->inner;
    const uint32_t *grid = raw->header.grid, *id = line->ids;
    if (!header_has_block(&raw->header, id)) {
        source_error(source, err, source->at, HEADER_NOT_IN_GRID, id[0], id[1], id[2], grid[0],
                     grid[1], grid[2]);
        return MAP_NONE;
    }
    if (id[3] >= raw->warps) {
        source_error(source, err, source->at, "warp %u; blocks have %u warps", id[3],
                     raw->warps);
        return MAP_NONE;
    }
    uint32_t block = find_block(raw, ((uint64_t)id[2] * grid[1] + id[1]) * grid[0] + id[0]);
    if (block == MAP_NONE)
        out_of_memory(raw, err);
    return block;
}

/* Whether the line is left out. An LDGSTS has two memory operands and so two
 * lines, that of the shared side first: that one is dropped, as the tracer's
 * own grouping does. */
static bool is_left_out(struct raw *raw, const struct line *line, uint32_t block)
{
    const struct trace_inst *inst = &raw->insts.items[line->record.inst];
    if (inst->flags & TRACE_INST_LDGSTS) {
        uint32_t *half = &raw->blocks[block].half, bit = UINT32_C(1) << line->ids[3];
        *half ^= bit;
        if (*half & bit)
            return true;
    }
    return raw->memory_only && !kernel_keeps(inst);
}

/* What the line has after its ids: they moved to the blocks' headers with
 * version 3. */
static const char *skip_ids(const char *at, uint32_t version)
{
    if (version < 30)
        return at;
    at = scan_blanks(at);
    for (int i = 0; i < line_ids(version); i++)
        at = scan_blanks(scan_token_end(at));
    return at;
}

/* Which instruction its warp executed before is only known once the ids are
 * read; their text makes the slot of the guess. */
static uint32_t *hint_for(struct raw *raw, const char *line)
{
    uint64_t hash = 0;
    for (int blanks = 0; blanks < 4 && *line != '\n'; line++) {
        blanks += *line == ' ';
        hash = hash * 31 + (uint8_t)*line;
    }
    return &raw->hints[hash * UINT64_C(0x9e3779b97f4a7c15) >> 51];
}

static int take_line(struct raw *raw, struct error *err)
{
    struct source *source = &raw->inner;
    struct line line;
    uint64_t words[LINE_MAX_WORDS];
    uint32_t *hint = hint_for(raw, source->at);
    const char *next = line_read(&raw->reader, source->at, *hint, &line, words);
    if (next == NULL)
        return line_error(&raw->reader, source, err);
    *hint = line.record.inst;
    uint32_t block = find_place(raw, &line, err), warp = line.ids[3];
    if (block == MAP_NONE)
        return -1;
    const char *text = skip_ids(source->at, raw->header.version);
    source_advance(source, next);
    if (is_left_out(raw, &line, block))
        return 0;
    raw->counts[(size_t)block * raw->warps + warp]++;
    return line_sort_add(&raw->sort, (uint64_t)block << WARP_BITS | warp, text,
                         (size_t)(next - text), err);
}

static int collect(struct raw *raw, struct error *err)
{
    struct source *source = &raw->inner;
    uint64_t blocks = header_blocks(&raw->header);
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line == '\n' || *line == '#')
            source_skip(source);
        else if (take_line(raw, err) != 0)
            return -1;
    }
    if (rc == 0 && raw->block_count < blocks)
        return source_error(source, err, NULL, "the trace has %lu of the grid's %lu blocks",
                            (unsigned long)raw->block_count, (unsigned long)blocks);
    return rc == 0 ? line_sort_end(&raw->sort, err) : -1;
}

/* ---- printing ---------------------------------------------------------- */

static void print(struct bytes *out, const char *text)
{
    bytes_put(out, text, strlen(text));
}

static void print_block_start(struct raw *raw)
{
    uint64_t number = raw->blocks[raw->block].number;
    const uint32_t *grid = raw->header.grid;
    print(&raw->out, "\n#BEGIN_TB\n\nthread block = ");
    template_decimal(&raw->out, number % grid[0]);
    print(&raw->out, ",");
    template_decimal(&raw->out, number / grid[0] % grid[1]);
    print(&raw->out, ",");
    template_decimal(&raw->out, number / grid[0] / grid[1]);
    print(&raw->out, "\n");
}

static void print_warp_start(struct raw *raw)
{
    if (raw->warp == 0)
        print_block_start(raw);
    print(&raw->out, "\nwarp = ");
    template_decimal(&raw->out, raw->warp);
    print(&raw->out, "\ninsts = ");
    template_decimal(&raw->out, raw->counts[(size_t)raw->block * raw->warps + raw->warp]);
    print(&raw->out, "\n");
}

/* Prints a warp, or as much of it as a chunk takes. */
static int print_warp(struct raw *raw, struct error *err)
{
    if (!raw->in_warp)
        print_warp_start(raw);
    int rc = line_sort_take(&raw->sort, (uint64_t)raw->block << WARP_BITS | raw->warp,
                            &raw->out, CHUNK, err);
    raw->in_warp = rc == 1;
    if (rc != 0)
        return rc < 0 ? -1 : 0;
    if (++raw->warp == raw->warps) {
        print(&raw->out, "\n#END_TB\n");
        raw->warp = 0;
        raw->block++;
    }
    return 0;
}

/* ---- text -------------------------------------------------------------- */

/* Reads the header and the lines before the first instruction, into `out`. */
static int begin(struct raw *raw, struct error *err)
{
    struct source *source = &raw->inner;
    const struct trace_header *header = &raw->header;
    bool exact;
    int rc = header_read(&raw->header, source, &raw->out, err);
    while (rc == 0 && (rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line != '#' && *line != '\n')
            break;
        rc = source_keep_line(source, &raw->out, err);
        source_skip(source);
    }
    if (rc < 0)
        return -1;
    print(&raw->out, "\n"); /* as the tracer's own grouping */
    raw->warps = header_warps(header);
    raw->reader = (struct line_reader){.insts = &raw->insts,
                                       .lineinfo = header->lineinfo,
                                       .version = header->version,
                                       .ids = true};
    memset(raw->hints, 0xff, sizeof raw->hints);
    return insts_init(&raw->insts, opcode_table_for(header->binary_version, &exact)) == 0
               ? 0
               : out_of_memory(raw, err);
}

static int read_raw(struct source *source, const void **text, size_t *size, struct error *err)
{
    struct raw *raw = source->stream;
    raw->out.size = 0;
    if (raw->warps == 0) {
        if (begin(raw, err) != 0)
            return -1;
    } else if (!raw->collected) {
        raw->collected = true;
        if (collect(raw, err) != 0)
            return -1;
    }
    while (raw->collected && raw->block < raw->block_count && raw->out.size < CHUNK)
        if (print_warp(raw, err) != 0)
            return -1;
    if (raw->out.failed)
        return out_of_memory(raw, err);
    *text = raw->out.data;
    *size = raw->out.size;
    return raw->out.size > 0;
}

static void close_raw(struct source *source)
{
    struct raw *raw = source->stream;
    source_finish(&raw->inner);
    header_finish(&raw->header);
    insts_finish(&raw->insts);
    map_finish(&raw->orders);
    free(raw->blocks);
    free(raw->counts);
    line_sort_finish(&raw->sort);
    bytes_finish(&raw->out);
    free(raw);
}

int raw_group(struct source *source, size_t bytes, const char *dir, bool memory_only,
              struct error *err)
{
    static const struct source_ops ops = {read_raw, close_raw};
    struct raw *raw = calloc(1, sizeof *raw);
    struct source inner = *source;
    if (raw == NULL || line_sort_init(&raw->sort, bytes, dir) != 0) {
        error_no_memory_for(err, ERROR_TRACE, inner.name);
        source_finish(source);
        if (raw != NULL)
            line_sort_finish(&raw->sort);
        free(raw);
        return -1;
    }
    raw->inner = inner;
    raw->memory_only = memory_only;
    return source_open_stream(source, inner.name, &ops, raw, err);
}
