#define _GNU_SOURCE /* rawmemchr */
#include "traces/text/walk.h"

#include <stdarg.h>
#include <string.h>

#include "traces/text/header.h"

void walk_init(struct walk *walk, const struct walk_ops *ops, void *data, struct source *source,
               const struct trace_header *header)
{
    *walk = (struct walk){.ops = ops,
                          .data = data,
                          .source = source,
                          .header = header,
                          .warps = header_warps(header)};
}

/* ---- errors ------------------------------------------------------------ */

int walk_wrong(struct walk *walk, struct error *err, const char *at, const char *format, ...)
{
    struct error what = {0};
    bool goes_on = walk->ops->wrong != NULL;
    va_list args;
    va_start(args, format);
    source_error_args(walk->source, goes_on ? &what : err, at, format, args);
    va_end(args);
    if (!goes_on)
        return -1;
    walk->ops->wrong(walk, &what);
    return 0;
}

const char *walk_bad_line(struct walk *walk, const struct line_reader *reader,
                          struct error *err)
{
    struct error what = {0};
    line_error(reader, walk->source, walk->ops->wrong != NULL ? &what : err);
    if (walk->ops->wrong == NULL)
        return NULL;
    walk->ops->wrong(walk, &what);
    return (char *)rawmemchr(walk->source->at, '\n') + 1;
}

/* ---- lines ------------------------------------------------------------- */

static int call(struct walk *walk, int (*hook)(struct walk *walk, struct error *err),
                struct error *err)
{
    return hook != NULL ? hook(walk, err) : 0;
}

static int call_value(struct walk *walk,
                      int (*hook)(struct walk *walk, const char *value, struct error *err),
                      const char *value, struct error *err)
{
    return hook != NULL ? hook(walk, value, err) : 0;
}

/* What follows "KEY =" in LINE, or NULL. */
static const char *find_value(const char *line, const char *key)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) != 0)
        return NULL;
    line = scan_blanks(line + n);
    return *line == '=' ? scan_blanks(line + 1) : NULL;
}

static bool ends_line(const char *at)
{
    return at != NULL && *scan_blanks(at) == '\n';
}

static int end_warp(struct walk *walk, struct error *err)
{
    int rc = 0;
    if (!walk->in_warp)
        return 0;
    walk->in_warp = false;
    if (!walk->has_insts)
        rc = walk_wrong(walk, err, NULL, "warp %u has no 'insts = N'", walk->warp);
    else if (walk->found < walk->announced)
        rc = walk_wrong(walk, err, NULL,
                        "warp %u has %lu instructions, 'insts = %lu' was announced", walk->warp,
                        (unsigned long)walk->found, (unsigned long)walk->announced);
    return rc == 0 ? call(walk, walk->ops->end_warp, err) : rc;
}

static int begin_block(struct walk *walk, const char *line, struct error *err)
{
    uint64_t blocks = header_blocks(walk->header);
    if (walk->in_block &&
        (walk_wrong(walk, err, line, "#END_TB is expected before the next #BEGIN_TB") != 0 ||
         end_warp(walk, err) != 0))
        return -1;
    if (walk->blocks == blocks &&
        walk_wrong(walk, err, NULL, "more thread blocks than the %lu of the grid",
                   (unsigned long)blocks) != 0)
        return -1;
    walk->blocks++;
    walk->in_block = true;
    walk->has_index = false;
    walk->warps_seen = 0;
    return call(walk, walk->ops->begin_block, err);
}

static int end_block(struct walk *walk, const char *line, struct error *err)
{
    if (!walk->in_block)
        return walk_wrong(walk, err, line, "#BEGIN_TB is expected");
    if (end_warp(walk, err) != 0 ||
        (!walk->has_index &&
         walk_wrong(walk, err, NULL, "a block without 'thread block = x,y,z'") != 0))
        return -1;
    walk->in_block = false;
    return call(walk, walk->ops->end_block, err) == 0 ? WALK_BLOCK : -1;
}

static int read_index(struct walk *walk, const char *value, struct error *err)
{
    const char *at = value;
    for (int i = 0; i < 3; i++) {
        uint64_t number;
        const char *end = scan_decimal(at, UINT32_MAX, &number);
        if (end == NULL || (i < 2 ? *end != ',' : !ends_line(end)))
            return walk_wrong(walk, err, at, "'thread block = x,y,z' is expected");
        walk->index[i] = (uint32_t)number;
        at = end + 1;
    }
    if (walk->has_index &&
        walk_wrong(walk, err, value, "#BEGIN_TB is expected before the next 'thread block'") !=
            0)
        return -1;
    walk->has_index = true;
    walk->warps_seen = 0;
    if (!header_has_block(walk->header, walk->index)) {
        const uint32_t *index = walk->index, *grid = walk->header->grid;
        return walk_wrong(walk, err, value, HEADER_NOT_IN_GRID, index[0], index[1], index[2],
                          grid[0], grid[1], grid[2]);
    }
    return call_value(walk, walk->ops->index, value, err);
}

static int read_warp(struct walk *walk, const char *value, struct error *err)
{
    uint64_t warp;
    if (end_warp(walk, err) != 0)
        return -1;
    if (!ends_line(scan_decimal(value, UINT32_MAX, &warp)))
        return walk_wrong(walk, err, value, "'warp = W' is expected");
    if (warp >= walk->warps)
        return walk_wrong(walk, err, value, "warp %lu; blocks have %u warps",
                          (unsigned long)warp, walk->warps);
    if (!walk->has_index &&
        walk_wrong(walk, err, NULL, "'thread block = x,y,z' is expected before 'warp = W'") !=
            0)
        return -1;
    if (walk->warps_seen >> warp & 1 &&
        walk_wrong(walk, err, value, "warp %lu is listed twice", (unsigned long)warp) != 0)
        return -1;
    walk->warps_seen |= UINT32_C(1) << warp;
    walk->warp = (uint32_t)warp;
    walk->in_warp = true;
    walk->has_insts = false;
    walk->announced = walk->found = 0;
    return call_value(walk, walk->ops->begin_warp, value, err);
}

static int read_insts(struct walk *walk, const char *value, struct error *err)
{
    uint64_t count;
    if (!ends_line(scan_decimal(value, UINT64_MAX, &count)))
        return walk_wrong(walk, err, value, "'insts = N' is expected");
    if (!walk->in_warp || walk->has_insts)
        return walk_wrong(walk, err, NULL, "'insts = N' is expected after 'warp = W' only");
    walk->has_insts = true;
    walk->announced = count;
    return call_value(walk, walk->ops->insts, value, err);
}

/* One line that is no instruction; LINE is its first character. */
static int read_line(struct walk *walk, const char *line, struct error *err)
{
    const char *value;
    if (strncmp(line, "#BEGIN_TB", 9) == 0)
        return begin_block(walk, line, err);
    if (strncmp(line, "#END_TB", 7) == 0)
        return end_block(walk, line, err);
    if (*line == '\n' || *line == '#' || (walk->in_block && scan_is_cluster(line)))
        return call(walk, walk->ops->other, err);
    if (!walk->in_block)
        return walk_wrong(walk, err, line, "#BEGIN_TB is expected");
    if ((value = find_value(line, "warp")) != NULL)
        return read_warp(walk, value, err);
    if ((value = find_value(line, "insts")) != NULL)
        return read_insts(walk, value, err);
    if ((value = find_value(line, "thread block")) != NULL)
        return read_index(walk, value, err);
    return walk_wrong(walk, err, line,
                      "'warp = W', 'insts = N', an instruction or #END_TB is expected");
}

/* ---- instructions ------------------------------------------------------ */

/* Whether an instruction line may start with C, be it a program counter or a
 * decimal number. */
static inline bool starts_instruction(char c)
{
    return scan_hex_digit[(uint8_t)c] < 16;
}

/* An instruction that should not be there. */
static int misplaced(struct walk *walk, const char *line, struct error *err)
{
    int rc = 0;
    if (!walk->in_warp || !walk->has_insts)
        rc = walk_wrong(walk, err, line,
                        "'warp = W' and 'insts = N' are expected before instructions");
    else if (walk->found++ == walk->announced)
        rc = walk_wrong(walk, err, NULL, "warp %u has more instructions than 'insts = %lu'",
                        walk->warp, (unsigned long)walk->announced);
    source_skip(walk->source);
    return rc == 0 ? WALK_LINES : -1;
}

/* Reads the instruction at LINE and those that follow without a gap. */
static int walk_insts(struct walk *walk, const char *line, struct error *err)
{
    struct source *source = walk->source;
    int rc = 1;
    if (!walk->in_warp || walk->found >= walk->announced)
        return misplaced(walk, line, err);
    do {
        const char *next = walk->ops->inst(walk, line, err);
        if (next == NULL)
            return -1;
        walk->found++;
        source_advance(source, next);
    } while (walk->found < walk->announced && (rc = source_line(source, err)) == 1 &&
             starts_instruction(*(line = source->at)));
    return rc < 0 ? -1 : WALK_LINES;
}

/* ---- all --------------------------------------------------------------- */

static int end(struct walk *walk, struct error *err)
{
    uint64_t blocks = header_blocks(walk->header);
    if (walk->in_block) {
        walk->in_block = false;
        return walk_wrong(walk, err, NULL, "#END_TB is expected, the trace ends");
    }
    if (walk->blocks < blocks)
        return walk_wrong(walk, err, NULL,
                          "the trace ends after %lu of the grid's %lu thread blocks",
                          (unsigned long)walk->blocks, (unsigned long)blocks);
    return WALK_END;
}

int walk_next(struct walk *walk, struct error *err)
{
    int rc = source_line(walk->source, err);
    if (rc != 1)
        return rc == 0 ? end(walk, err) : -1;
    const char *line = scan_blanks(walk->source->at);
    if (walk->in_block && starts_instruction(*line) && !scan_is_cluster(line))
        return walk_insts(walk, line, err);
    rc = read_line(walk, line, err);
    if (rc >= 0)
        source_skip(walk->source);
    return rc < 0 ? -1 : rc == WALK_BLOCK ? WALK_BLOCK : WALK_LINES;
}
