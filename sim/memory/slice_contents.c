/* What changes the contents of a slice beside its requests, and takes no time: flushes, copies,
 * and lines that are written back while the GPU is idle. */
#include "sim/memory/slice.h"

uint64_t slice_flush(struct slice *slice, uint32_t number, bool drop)
{
    struct tags *tags = &slice->cache.tags;
    uint32_t lines = tags->spec.sets * tags->max_ways;
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < lines && !drop; i++) {
        uint32_t dirty = (uint32_t)__builtin_popcount(tags->lines[i].dirty);
        if (dirty == 0)
            continue;
        struct packet back = {
            .address = tags->lines[i].address,
            .bytes = dirty * tags->spec.sector_bytes,
            .slice = (uint16_t)number,
            .kind = PACKET_WRITE_BACK,
        };
        queue_push(&slice->cache.misses, &back, 0);
        sectors += back.bytes / SECTOR_BYTES;
    }
    slice->stuck = false;
    tags_clear(tags, tags->spec.ways);
    return sectors;
}

static void drop_line(struct tags *tags, uint32_t set, uint32_t line)
{
    uint64_t address = tags->lines[line].address;
    for (uint32_t at = 0; at < tags->spec.line_bytes; at += tags->spec.sector_bytes)
        if (tags_holds(tags, line, address))
            tags_invalidate(tags, set, line, address + at);
}

void slice_drop_dirty(struct slice *slice)
{
    struct tags *tags = &slice->cache.tags;
    for (uint32_t set = 0; set < tags->spec.sets; set++)
        for (uint32_t way = 0; way < tags->spec.ways; way++)
            if (tags->lines[set * tags->max_ways + way].dirty != 0)
                drop_line(tags, set, set * tags->max_ways + way);
    slice->stuck = false;
}

/* When a copy uses a line of SET: in the next tick, or, if no time has passed since functional
 * launches, after their last use. */
static uint64_t copy_time(const struct slice *slice, uint32_t set)
{
    uint64_t now = slice->tick + 1, last = tags_last_use(&slice->cache.tags, set);
    return now >= last ? now : last + 1;
}

bool slice_holds(const struct slice *slice, uint64_t address)
{
    const struct tags *tags = &slice->cache.tags;
    uint32_t line;
    return !slice->spec.disabled &&
           tags_probe(tags, slice_set(slice, address), address, false, &line) == TAGS_HIT;
}

uint32_t slice_copy(struct slice *slice, uint64_t address)
{
    struct tags *tags = &slice->cache.tags;
    if (slice->spec.disabled)
        return 0;
    uint32_t set = slice_set(slice, address), line;
    uint64_t now = copy_time(slice, set);
    uint64_t evicted;
    uint8_t dirty = 0;
    switch (tags_probe(tags, set, address, false, &line)) {
    case TAGS_HIT:
        tags_touch(tags, set, line, now);
        return 0;
    case TAGS_MISS:
        dirty = tags_allocate(tags, set, line, address, now, &evicted);
        break;
    case TAGS_SECTOR_MISS:
        tags_reserve(tags, set, line, address, now);
        break;
    default:
        return 0;
    }
    tags_fill(tags, set, line, address);
    return (uint32_t)__builtin_popcount(dirty);
}

void slice_clean(struct slice *slice)
{
    struct tags *tags = &slice->cache.tags;
    uint64_t address;
    for (bool any = true; any;) {
        any = false;
        for (uint32_t set = 0; set < tags->spec.sets; set++) {
            if (tags->dirty_lines <= slice->cache.dirty_kept)
                return;
            uint32_t line = tags_dirty_beyond(tags, set, 0, TAGS_NONE);
            any |= line != TAGS_NONE && tags_clean(tags, set, line, &address) != 0;
        }
    }
}
