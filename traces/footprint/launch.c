#include "traces/footprint/launch.h"

/* Touches between the fetch of a slot and its use. */
#define AHEAD 12

/* Of the launch before; a number that no launch has in front of the first one. */
static uint32_t previous(const struct trace_reuse *reuse)
{
    return reuse->history.now > 2 ? reuse->history.now - 2 : UINT32_MAX;
}

/* The first touch of a line in this launch. */
static void begin_line(struct trace_reuse *reuse, size_t slot)
{
    struct line *line = &reuse->table.lines[slot];
    bool shared = line->epoch == previous(reuse);
    reuse->footprint.lines.all++;
    reuse->footprint.lines.shared += shared;
    history_line(&reuse->history, line->epoch);
    line->epoch = reuse->history.now;
    line->read = line->written = 0;
    if (reuse->table.bytes != NULL) {
        struct line_bytes *bytes = &reuse->table.bytes[slot];
        for (int i = 0; i < 2; i++) {
            bytes->before[i] = shared ? bytes->now[i] : 0;
            bytes->now[i] = 0;
        }
    }
}

/* The first touch of SECTORS (bits) of a line in this launch. */
static void begin_sectors(struct trace_reuse *reuse, struct line *line, uint32_t sectors)
{
    uint32_t before = previous(reuse);
    uint64_t first = (line->key - 1) * LINE_SECTORS;
    bool copies = reuse->copied.count > 0 && ((line->key - 1) & TOUCH_LOCAL) == 0;
    for (; sectors != 0; sectors &= sectors - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(sectors), epoch = line->last[i];
        reuse->footprint.sectors.all++;
        reuse->footprint.sectors.shared += epoch == before;
        reuse->sectors += epoch == 0;
        if (copies) {
            uint32_t copied = copied_find(&reuse->copied, first + i);
            epoch = copied > epoch ? copied : epoch;
        }
        history_sectors(&reuse->history, epoch, 1);
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

static void add_bytes(struct trace_reuse *reuse, size_t slot, const struct touch *touch)
{
    struct line_bytes *bytes = &reuse->table.bytes[slot];
    for (int i = 0; i < 2; i++) {
        uint64_t fresh = touch->bytes[i] & ~bytes->now[i];
        reuse->footprint.addresses += (unsigned)__builtin_popcountll(fresh);
        reuse->footprint.shared_addresses +=
            (unsigned)__builtin_popcountll(fresh & bytes->before[i]);
        bytes->now[i] |= fresh;
    }
}

static void count_touch(struct trace_reuse *reuse, const struct touch *touch)
{
    struct trace_footprint *footprint = &reuse->footprint;
    size_t slot = line_table_find(&reuse->table, touch->line);
    struct line *line = &reuse->table.lines[slot];
    if (line->epoch != reuse->history.now)
        begin_line(reuse, slot);
    uint32_t fresh = touch->sectors & ~(uint32_t)(line->read | line->written);
    if (fresh != 0)
        begin_sectors(reuse, line, fresh);
    if (touch->kind & TOUCH_READ)
        add_kind(&line->read, touch->sectors, &footprint->lines.read, &footprint->sectors.read);
    if (touch->kind & TOUCH_WRITE)
        add_kind(&line->written, touch->sectors, &footprint->lines.written,
                 &footprint->sectors.written);
    if (reuse->table.bytes != NULL)
        add_bytes(reuse, slot, touch);
}

static void prefetch(const struct line_table *table, uint64_t number)
{
    size_t slot = line_table_slot(table, number);
    __builtin_prefetch(&table->lines[slot], 1);
    if (table->bytes != NULL)
        __builtin_prefetch(&table->bytes[slot], 1);
}

int launch_count(struct trace_reuse *reuse, struct error *err)
{
    struct touches *touches = &reuse->touches;
    if (line_table_reserve(&reuse->table, touches->count) != 0)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                         "out of memory after %zu different lines of 128 bytes",
                         reuse->table.count);
    for (uint32_t i = 0; i < touches->count; i++) {
        if (i + AHEAD < touches->count)
            prefetch(&reuse->table, touches->items[i + AHEAD].line);
        count_touch(reuse, &touches->items[i]);
    }
    touches->count = 0;
    return 0;
}
