#include "traces/footprint/launch.h"

#include <inttypes.h>

/* Touches between the fetch of a line and its use, and between that of its
 * slot and of the line. */
#define AHEAD 8

/* Of the launch before; a number that no launch has in front of the first one. */
static uint32_t previous(const struct trace_reuse *reuse)
{
    return reuse->history.now > 2 ? reuse->history.now - 2 : UINT32_MAX;
}

/* The first touch of a line in this launch; BYTES may be NULL. */
static void begin_line(struct trace_reuse *reuse, struct line *line, struct line_bytes *bytes)
{
    bool shared = line->epoch == previous(reuse);
    reuse->lines += line->epoch == 0;
    reuse->footprint.lines.all++;
    reuse->footprint.lines.shared += shared;
    history_line(&reuse->history, line->epoch);
    line->epoch = reuse->history.now;
    line->read = line->written = 0;
    for (int i = 0; bytes != NULL && i < 2; i++) {
        bytes->before[i] = shared ? bytes->now[i] : 0;
        bytes->now[i] = 0;
    }
}

/* The first touch of SECTORS (bits) of line NUMBER in this launch; FETCHED: it reads. */
static void begin_sectors(struct trace_reuse *reuse, struct line *line, uint64_t number,
                          uint32_t sectors, bool fetched)
{
    uint32_t before = previous(reuse);
    bool copies = reuse->copied.count > 0 && (number & TOUCH_LOCAL) == 0;
    for (; sectors != 0; sectors &= sectors - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(sectors), epoch = line->last[i];
        reuse->footprint.sectors.all++;
        reuse->footprint.sectors.shared += epoch == before;
        reuse->sectors += epoch == 0;
        if (copies) {
            uint32_t copied = copied_find(&reuse->copied, number * LINE_SECTORS + i);
            epoch = copied > epoch ? copied : epoch;
        }
        history_sector(&reuse->history, epoch, fetched);
        line->last[i] = reuse->history.now;
    }
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
                      const struct touch *touch)
{
    for (int i = 0; i < 2; i++) {
        uint64_t fresh = touch->bytes[i] & ~bytes->now[i];
        footprint->addresses += (unsigned)__builtin_popcountll(fresh);
        footprint->shared_addresses += (unsigned)__builtin_popcountll(fresh & bytes->before[i]);
        bytes->now[i] |= fresh;
    }
}

static void count_touch(struct trace_reuse *reuse, const struct touch *touch)
{
    struct trace_footprint *footprint = &reuse->footprint;
    size_t group = line_table_find(&reuse->table, touch->line >> GROUP_BITS);
    uint32_t i = touch->line & (GROUP_LINES - 1);
    struct line *line = &line_table_group(&reuse->table, group)->lines[i];
    struct line_bytes *bytes = line_table_bytes(&reuse->table, group, i);
    if (line->epoch != reuse->history.now)
        begin_line(reuse, line, bytes);
    uint32_t fresh = touch->sectors & ~(uint32_t)(line->read | line->written);
    if (fresh != 0)
        begin_sectors(reuse, line, touch->line, fresh, (touch->kind & TOUCH_READ) != 0);
    if (touch->kind & TOUCH_READ)
        add_kind(&line->read, touch->sectors, &footprint->lines.read, &footprint->sectors.read);
    if (touch->kind & TOUCH_WRITE)
        add_kind(&line->written, touch->sectors, &footprint->lines.written,
                 &footprint->sectors.written);
    if (bytes != NULL)
        add_bytes(footprint, bytes, touch);
}

/* A slot has to be there before the group that it names can be asked for. */
static void prefetch_slot(const struct line_table *table, const struct touch *touch)
{
    __builtin_prefetch(&table->slots[line_table_slot(table, touch->line >> GROUP_BITS)]);
}

static void prefetch_line(const struct line_table *table, const struct touch *touch)
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
    struct touches *touches = &reuse->touches;
    if (line_table_reserve(&reuse->table, touches->count) != 0)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                         "out of memory after %" PRIu64 " different lines of 128 bytes",
                         reuse->lines);
    for (uint32_t i = 0; i < touches->count; i++) {
        if (i + 2 * AHEAD < touches->count)
            prefetch_slot(&reuse->table, &touches->items[i + 2 * AHEAD]);
        if (i + AHEAD < touches->count)
            prefetch_line(&reuse->table, &touches->items[i + AHEAD]);
        count_touch(reuse, &touches->items[i]);
    }
    touches->count = 0;
    return 0;
}
