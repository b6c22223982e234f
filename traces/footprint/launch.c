#include "traces/footprint/launch.h"

#include <inttypes.h>

#include "traces/base/bytes.h"

/* Touches between the fetch of a line and its use, and between that of its
 * slot and of the line. */
#define AHEAD 8

/* The epoch of the previous launch; for the first launch, a number that no launch has. */
static uint32_t previous(const struct trace_reuse *reuse)
{
    return reuse->history.now > 2 ? reuse->history.now - 2 : UINT32_MAX;
}

/* The bytes of sector I that TOUCH writes. */
static uint32_t covered(const struct footprint_touch *touch, uint32_t i)
{
    return (uint32_t)(touch->covered[i / 2] >> 32 * (i % 2));
}

/* Whether all of sector I is there after TOUCH: what is read is fetched. */
static bool covers(const struct footprint_touch *touch, uint32_t i)
{
    return (touch->kind & TOUCH_READ) || covered(touch, i) == UINT32_MAX;
}

/* The first touch of a line in this launch; BYTES may be NULL. */
static void begin_line(struct trace_reuse *reuse, struct touched_line *line,
                       struct line_bytes *bytes)
{
    bool shared = line->epoch == previous(reuse);
    reuse->lines += line->epoch == 0;
    reuse->footprint.lines.all++;
    reuse->footprint.lines.shared += shared;
    history_line(&reuse->history, line->epoch);
    line->epoch = reuse->history.now;
    line->read = line->written = line->whole = 0;
    for (int i = 0; bytes != NULL && i < 2; i++) {
        bytes->before[i] = shared ? bytes->now[i] : 0;
        bytes->now[i] = 0;
    }
}

static int no_memory(const struct trace_reuse *reuse, struct error *err)
{
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                     "out of memory after %" PRIu64 " different lines of 128 bytes",
                     reuse->lines);
}

/* The first touch in this launch of sector I, which was touched last in EPOCH: updates what is
 * known of its parts. READS: it is read. Returns 0 or -1. */
static int begin_parts(struct trace_reuse *reuse, struct touched_line *line, uint64_t number,
                       uint32_t i, uint32_t epoch, bool reads)
{
    bool partly = line->partly >> i & 1;
    if (!partly && reads)
        return 0;
    struct partly_line *part = partly_find(&reuse->parts, number);
    if (part == NULL)
        return -1;
    struct partly_sector *sector = &part->sectors[i];
    bool copied = epoch % 2 == 1; /* later than the parts: whole, if copies fill the cache */
    if (!partly || copied)
        *sector = (struct partly_sector){.whole = epoch, .since = reuse->history.now};
    else if (reads)
        history_read_part(&reuse->history, epoch, sector->whole);
    line->partly |= (uint8_t)(1u << i);
    return 0;
}

static bool keep_unwritten(struct trace_reuse *reuse, uint64_t sector)
{
    if (!array_room(&reuse->unwritten, reuse->unwritten_count, sizeof *reuse->unwritten))
        return false;
    reuse->unwritten[reuse->unwritten_count++] = sector;
    return true;
}

/* The first touch of SECTORS (bits) of line NUMBER in this launch. Returns 0 or -1. */
static int begin_sectors(struct trace_reuse *reuse, struct touched_line *line,
                         const struct footprint_touch *touch, uint32_t sectors)
{
    uint32_t before = previous(reuse);
    uint64_t number = touch->line;
    bool copies = reuse->copied.count > 0 && (number & TOUCH_LOCAL) == 0;
    bool reads = (touch->kind & TOUCH_READ) != 0;
    for (; sectors != 0; sectors &= sectors - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(sectors), epoch = line->last[i];
        reuse->footprint.sectors.all++;
        reuse->footprint.sectors.shared += epoch == before;
        reuse->sectors += epoch == 0;
        if (copies) {
            uint32_t copied = copied_find(&reuse->copied, number * LINE_SECTORS + i);
            epoch = copied > epoch ? copied : epoch;
        }
        history_sector(&reuse->history, epoch, reads);
        if (epoch == 0 && reads && reuse->options.unwritten && (number & TOUCH_LOCAL) == 0 &&
            !keep_unwritten(reuse, number * LINE_SECTORS + i))
            return -1;
        if (((line->partly >> i & 1) || !covers(touch, i)) &&
            begin_parts(reuse, line, number, i, epoch, reads) != 0)
            return -1;
        line->last[i] = reuse->history.now;
    }
    return 0;
}

/* Sectors that TOUCH only writes, in part. */
static int add_parts(struct trace_reuse *reuse, struct touched_line *line,
                     const struct footprint_touch *touch, uint32_t sectors)
{
    struct partly_line *part = partly_find(&reuse->parts, touch->line);
    if (part == NULL)
        return -1;
    for (; sectors != 0; sectors &= sectors - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(sectors);
        struct partly_sector *sector = &part->sectors[i];
        partly_write(sector, reuse->history.now, covered(touch, i));
        if (sector->whole == reuse->history.now)
            line->whole |= (uint8_t)(1u << i);
    }
    line->partly &= (uint8_t)~line->whole;
    return 0;
}

/* What TOUCH does to the sectors' being whole, once they are begun. Returns 0 or -1. */
static int add_whole(struct trace_reuse *reuse, struct touched_line *line,
                     const struct footprint_touch *touch)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < LINE_SECTORS; i++)
        if ((touch->sectors >> i & 1) && !covers(touch, i))
            parts |= 1u << i;
    line->whole |= touch->sectors & (uint8_t)~parts;
    line->partly &= (uint8_t)~line->whole;
    parts &= ~(uint32_t)line->whole;
    return parts != 0 ? add_parts(reuse, line, touch, parts) : 0;
}

/* Adds SECTORS to those that were read, or written: MASK and its counts. */
static void add_kind(uint8_t *mask, uint8_t sectors, uint64_t *lines, uint64_t *all)
{
    uint8_t fresh = sectors & (uint8_t) ~*mask;
    *lines += *mask == 0 && fresh != 0;
    *all += (unsigned)__builtin_popcount(fresh);
    *mask |= fresh;
}

static void add_bytes(struct trace_footprint *footprint, struct line_bytes *bytes,
                      const struct footprint_touch *touch)
{
    for (int i = 0; i < 2; i++) {
        uint64_t fresh = touch->bytes[i] & ~bytes->now[i];
        footprint->addresses += (unsigned)__builtin_popcountll(fresh);
        footprint->shared_addresses += (unsigned)__builtin_popcountll(fresh & bytes->before[i]);
        bytes->now[i] |= fresh;
    }
}

static int count_touch(struct trace_reuse *reuse, const struct footprint_touch *touch)
{
    struct trace_footprint *footprint = &reuse->footprint;
    size_t group = line_table_find(&reuse->table, touch->line >> GROUP_BITS);
    uint32_t i = touch->line & (GROUP_LINES - 1);
    struct touched_line *line = &line_table_group(&reuse->table, group)->lines[i];
    struct line_bytes *bytes = line_table_bytes(&reuse->table, group, i);
    if (line->epoch != reuse->history.now)
        begin_line(reuse, line, bytes);
    uint32_t fresh = touch->sectors & ~(uint32_t)(line->read | line->written);
    if (fresh != 0 && begin_sectors(reuse, line, touch, fresh) != 0)
        return -1;
    if ((touch->sectors & ~line->whole) != 0 && add_whole(reuse, line, touch) != 0)
        return -1;
    if (touch->kind & TOUCH_READ)
        add_kind(&line->read, touch->sectors, &footprint->lines.read, &footprint->sectors.read);
    if (touch->kind & TOUCH_WRITE)
        add_kind(&line->written, touch->sectors, &footprint->lines.written,
                 &footprint->sectors.written);
    if (bytes != NULL)
        add_bytes(footprint, bytes, touch);
    return 0;
}

/* A slot has to be there before the group that it names can be asked for. */
static void prefetch_slot(const struct line_table *table, const struct footprint_touch *touch)
{
    __builtin_prefetch(&table->slots[line_table_slot(table, touch->line >> GROUP_BITS)]);
}

static void prefetch_line(const struct line_table *table, const struct footprint_touch *touch)
{
    uint32_t i = touch->line & (GROUP_LINES - 1);
    size_t group = table->slots[line_table_slot(table, touch->line >> GROUP_BITS)].group;
    if (group == 0)
        return;
    __builtin_prefetch(&line_table_group(table, group - 1)->lines[i], 1);
    if (table->has_bytes)
        __builtin_prefetch(line_table_bytes(table, group - 1, i), 1);
}

int launch_count(struct trace_reuse *reuse, struct error *err)
{
    struct footprint_touches *touches = &reuse->touches;
    if (line_table_reserve(&reuse->table, touches->count) != 0)
        return no_memory(reuse, err);
    for (uint32_t i = 0; i < touches->count; i++) {
        if (i + 2 * AHEAD < touches->count)
            prefetch_slot(&reuse->table, &touches->items[i + 2 * AHEAD]);
        if (i + AHEAD < touches->count)
            prefetch_line(&reuse->table, &touches->items[i + AHEAD]);
        if (count_touch(reuse, &touches->items[i]) != 0)
            return no_memory(reuse, err);
    }
    touches->count = 0;
    return 0;
}
