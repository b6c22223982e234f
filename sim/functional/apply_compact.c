/* Functional accesses of compact caches, a line at a time. */
#include "sim/functional/access_queue.h"
#include "sim/functional/compact_access.h"
#include "sim/functional/compact_caches.h"
#include "sim/packet.h"

static uint64_t count(uint8_t sectors)
{
    return (uint64_t)__builtin_popcount(sectors);
}

/* If the line was not present, the first sector that does not hit counts as the miss of the
 * line. Only then another line is evicted. */
static inline void count_access(struct cache_stats *stats, enum cache_kind kind,
                                uint8_t sectors, const struct compact_result *result)
{
    uint64_t hits = count(result->hits), others = count(sectors) - hits;
    uint64_t *counts = stats->counts[kind];
    counts[CACHE_HIT] += hits;
    if (others == 0)
        return;
    uint64_t misses = result->refused ? others : !result->there;
    counts[CACHE_MISS] += misses;
    counts[CACHE_SECTOR_MISS] += others - misses;
    stats->dirty_lines += result->evicted != 0;
    stats->dirty_sectors += count(result->evicted);
}

/* The slice of LINE was accessed, because of which DRAM moves SECTORS. */
static inline void ask(struct access_queue *queue, const struct access_queue_line *line,
                       uint64_t sectors)
{
    access_queue_ask(queue, (uint32_t)(line->l2 - queue->compacts->l2), sectors);
}

COMPACT_INLINE void read_l2(struct access_queue *queue, const struct access_queue_line *line,
                            uint8_t sectors)
{
    bool atomic = line->access.kind == PACKET_ATOMIC;
    enum cache_kind kind = atomic               ? CACHE_ATOMIC
                           : line->access.local ? CACHE_LOCAL_READ
                                                : CACHE_GLOBAL_READ;
    struct compact_result result =
        compact_read(line->l2, line->sets[1], line->name, sectors, atomic ? sectors : 0);
    count_access(&queue->l2, kind, sectors, &result);
    queue->past_l1 += count(sectors);
    access_queue_read(queue, line->access.sm, (uint32_t)(line->l2 - queue->compacts->l2));
    ask(queue, line, count(sectors) - count(result.hits) + count(result.evicted));
    queue->l2.written += count(result.evicted);
    queue->counters.dram_reads += count(sectors) - count(result.hits);
    queue->slow += count(sectors) - count(result.hits);
}

COMPACT_INLINE void write_l2(struct access_queue *queue, const struct access_queue_line *line)
{
    struct compact_result result = compact_write(line->l2, line->sets[1], line->name,
                                                 line->sectors, line->whole, line->bytes);
    bool sent = result.refused || line->l2->through;
    count_access(&queue->l2, line->access.local ? CACHE_LOCAL_WRITE : CACHE_GLOBAL_WRITE,
                 line->sectors, &result);
    uint64_t written = count(result.evicted) + (sent ? count(line->sectors) : 0);
    queue->past_l1 += count(line->sectors);
    queue->l2.written += written;
    ask(queue, line, written);
}

/* Returns the sectors that miss. */
COMPACT_INLINE uint8_t read_l1(struct access_queue *queue, const struct access_queue_line *line)
{
    struct compact_result result =
        compact_read(line->l1, line->sets[0], line->name, line->sectors, 0);
    count_access(&queue->l1, line->access.local ? CACHE_LOCAL_READ : CACHE_GLOBAL_READ,
                 line->sectors, &result);
    return line->sectors & (uint8_t)~result.hits;
}

COMPACT_INLINE void write_l1(struct access_queue *queue, const struct access_queue_line *line)
{
    struct compact_result result = compact_write(line->l1, line->sets[0], line->name,
                                                 line->sectors, line->whole, line->bytes);
    count_access(&queue->l1, line->access.local ? CACHE_LOCAL_WRITE : CACHE_GLOBAL_WRITE,
                 line->sectors, &result);
}

void access_queue_line(struct access_queue *queue, const struct access_queue_line *line)
{
    uint8_t sectors = line->sectors;
    if (line->access.kind == PACKET_WRITE) {
        if (line->l1 != NULL)
            write_l1(queue, line);
        write_l2(queue, line);
        return;
    }
    if (line->l1 != NULL)
        sectors = read_l1(queue, line);
    if (sectors != 0)
        read_l2(queue, line, sectors);
}
