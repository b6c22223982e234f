/* A data cache alone: what becomes of an access, what goes to the next level. */
#include "tests/sim/support.h"

#include "sim/memory/cache.h"

static struct cache cache;
static uint64_t now; /* every access comes in a cycle of its own */

/* One set of two lines, two MSHRs of two packets, a miss queue of four. */
static struct sim_cache_config small_cache(char write_policy, char write_allocate)
{
    struct sim_cache_config config = lru_cache(1, 2, write_policy, write_allocate);
    config.mshr_entries = config.mshr_merge = 2;
    config.miss_queue = 4;
    return config;
}

static void start(char write_policy, char write_allocate, char allocate)
{
    struct sim_cache_config config = small_cache(write_policy, write_allocate);
    config.allocate = allocate;
    ck_assert(cache_init(&cache, &config, 0));
}

/* The same with ports of 8 bytes. */
static void start_narrow(void)
{
    struct sim_cache_config config = small_cache('B', 'L');
    config.port_width = 8;
    ck_assert(cache_init(&cache, &config, 0));
}

static struct cache_result give(enum packet_kind kind, uint64_t address, uint32_t bytes)
{
    struct packet packet = packet_of(kind, address);
    packet.bytes = bytes;
    packet.lanes = 1;
    return cache_access(&cache, &packet, tags_set(&cache.tags, address & ~127ull), ++now);
}

static uint8_t load(uint64_t address)
{
    return give(PACKET_READ, address, UINT32_MAX).status;
}

/* Checks and takes the oldest packet for the next level. */
static void sends(enum packet_kind kind, uint64_t address)
{
    ck_assert_uint_gt(cache.misses.count, 0);
    const struct packet *packet = &queue_head(&cache.misses)->packet;
    ck_assert_uint_eq(packet->kind, kind);
    ck_assert_uint_eq(packet->address, address);
    queue_pop(&cache.misses);
}

/* The data that the entry of BLOCK asked for come with the packet for ADDRESS. */
static void come(uint64_t block, uint64_t address)
{
    struct packet packet = packet_of(PACKET_READ, address);
    packet.mshr = mshr_find(&cache.mshr, block);
    cache_fill(&cache, &packet, now);
}

static void fill(uint64_t address)
{
    come(address, address);
    while (mshr_has_ready(&cache.mshr))
        mshr_take(&cache.mshr);
}

/* Misses a sector and brings it. */
static void bring(uint64_t address)
{
    load(address);
    sends(PACKET_READ, address);
    fill(address);
}

START_TEST(reads)
{
    start('T', 'L', 'm');
    ck_assert_int_eq(load(0x20), CACHE_MISS);
    ck_assert_int_eq(load(0x20), CACHE_PENDING);
    ck_assert_int_eq(load(0x40), CACHE_SECTOR_MISS);
    sends(PACKET_READ, 0x20);
    sends(PACKET_READ, 0x40);
    ck_assert_uint_eq(cache.misses.count, 0);
    ck_assert(cache_awaits(&cache, 0x20));
    fill(0x20);
    ck_assert(!cache_awaits(&cache, 0x20));
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    ck_assert_int_eq(load(0x40), CACHE_PENDING);
    ck_assert_uint_eq(cache.stats.counts[CACHE_GLOBAL_READ][CACHE_HIT], 1);
    ck_assert_uint_eq(cache.stats.counts[CACHE_GLOBAL_READ][CACHE_MISS], 1);
    ck_assert_uint_eq(cache.stats.counts[CACHE_GLOBAL_READ][CACHE_SECTOR_MISS], 1);
    ck_assert_uint_eq(cache.stats.counts[CACHE_GLOBAL_READ][CACHE_PENDING], 2);
    cache_finish(&cache);
}
END_TEST

/* Two packets wait for a sector, not three; two sectors are awaited, not
 * three. What is not accepted changes nothing. */
START_TEST(full_mshrs)
{
    start('T', 'L', 'm');
    load(0x0);
    load(0x0);
    ck_assert_int_eq(load(0x0), CACHE_FAIL);
    load(0x20);
    ck_assert_int_eq(load(0x40), CACHE_FAIL);
    ck_assert_int_eq(load(0x20), CACHE_PENDING);
    ck_assert_uint_eq(cache.misses.count, 2);
    ck_assert_uint_eq(cache.stats.counts[CACHE_GLOBAL_READ][CACHE_FAIL], 2);
    fill(0x0);
    ck_assert_int_eq(load(0x40), CACHE_SECTOR_MISS);
    cache_finish(&cache);
}
END_TEST

/* A read that misses wants room for two packets in the queue of four, its own
 * and a write-back: also one that would be merged. A write wants one. */
START_TEST(full_queue)
{
    start('T', 'L', 'm');
    for (unsigned i = 0; i < 3; i++)
        ck_assert(give(PACKET_WRITE, 32 * i, 1).accepted);
    ck_assert_int_eq(load(0x80), CACHE_FAIL);
    ck_assert(give(PACKET_WRITE, 0x0, 1).accepted);
    ck_assert(!give(PACKET_WRITE, 0x0, 1).accepted);
    ck_assert(!give(PACKET_WRITE, 0x60, 1).accepted);
    queue_pop(&cache.misses);
    queue_pop(&cache.misses);
    ck_assert_int_eq(load(0x80), CACHE_MISS);
    ck_assert_int_eq(load(0x80), CACHE_FAIL);
    cache_finish(&cache);
}
END_TEST

/* No line to replace: both await a sector. */
START_TEST(all_lines_reserved)
{
    start('T', 'L', 'm');
    load(0x0);
    load(0x80);
    queue_pop(&cache.misses);
    queue_pop(&cache.misses);
    fill(0x0);
    load(0x20); /* line 0 awaits another */
    ck_assert_int_eq(load(0x100), CACHE_FAIL);
    cache_finish(&cache);
}
END_TEST

/* A line is reserved for nothing, the other awaits a sector: a third one waits for that, as in
 * the reference, but not if it is a copy, whose home may need a line of the set. */
START_TEST(reserved_for_nothing)
{
    for (int copy = 0; copy < 2; copy++) {
        start('B', 'L', 'm');
        load(0x0);
        load(0x80 | (copy ? PACKET_COPIED : 0));
        sends(PACKET_READ, 0x0);
        fill(0x0);
        tags_reserve(&cache.tags, 0, tags_find(&cache.tags, 0x0), 0x20, 1);
        ck_assert_int_eq(load(0x100), copy ? CACHE_MISS : CACHE_FAIL);
        ck_assert_uint_eq(tags_find(&cache.tags, 0x0) == TAGS_NONE, copy);
        cache_finish(&cache);
    }
}
END_TEST

/* Write through, a line taken at a miss: every write goes on, whatever the
 * tags say; a sector written in part is no hit for a read. Its line leaves
 * without a write-back. */
START_TEST(write_through)
{
    start('T', 'L', 'm');
    struct cache_result result = give(PACKET_WRITE, 0x0, 0xff);
    ck_assert_int_eq(result.status, CACHE_MISS);
    ck_assert(result.sent);
    sends(PACKET_WRITE, 0x0);
    result = give(PACKET_WRITE, 0x0, 0xff);
    ck_assert_int_eq(result.status, CACHE_HIT);
    ck_assert(result.sent);
    sends(PACKET_WRITE, 0x0);
    ck_assert_int_eq(load(0x0), CACHE_SECTOR_MISS);
    sends(PACKET_READ, 0x0);
    fill(0x0);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    give(PACKET_WRITE, 0x20, UINT32_MAX);
    sends(PACKET_WRITE, 0x20);
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    bring(0x80);
    bring(0x100);
    ck_assert_uint_eq(cache.misses.count, 0);
    ck_assert_int_eq(load(0x0), CACHE_MISS);
    cache_finish(&cache);
}
END_TEST

/* Write back: writes stay; the line that leaves takes its dirty sectors, in
 * one packet behind the read that displaced it. */
START_TEST(write_back)
{
    start('B', 'L', 'm');
    struct cache_result result = give(PACKET_WRITE, 0x0, UINT32_MAX);
    ck_assert_int_eq(result.status, CACHE_MISS);
    ck_assert(!result.sent && !result.fetching);
    give(PACKET_WRITE, 0x40, 1);
    give(PACKET_WRITE, 0x60, 1);
    ck_assert_uint_eq(cache.misses.count, 0);
    bring(0x80);
    result = give(PACKET_READ, 0x100, UINT32_MAX);
    ck_assert_uint_eq(result.evicted, 0xd);
    sends(PACKET_READ, 0x100);
    ck_assert_uint_eq(queue_head(&cache.misses)->packet.bytes, 96);
    sends(PACKET_WRITE_BACK, 0x0);
    ck_assert_uint_eq(cache.stats.dirty_lines, 1);
    ck_assert_uint_eq(cache.stats.dirty_sectors, 3);
    cache_finish(&cache);
}
END_TEST

/* A read of a sector written in part fetches it; it stays dirty. */
START_TEST(lazy_fetch)
{
    start('B', 'L', 'm');
    give(PACKET_WRITE, 0x0, 0xf);
    ck_assert_int_eq(load(0x0), CACHE_SECTOR_MISS);
    sends(PACKET_READ, 0x0);
    fill(0x0);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    bring(0x80);
    load(0x100);
    sends(PACKET_READ, 0x100);
    sends(PACKET_WRITE_BACK, 0x0);
    cache_finish(&cache);
}
END_TEST

/* With masks of words, a write of a byte fetches its sector and is there when it comes; one of
 * words, or to a sector that is there, does not. */
START_TEST(write_grain)
{
    start('B', 'L', 'm');
    cache.write_grain = 4;
    ck_assert(!give(PACKET_WRITE, 0x0, 0xff0).fetching);
    ck_assert_uint_eq(cache.misses.count, 0);
    ck_assert(give(PACKET_WRITE, 0x0, 0x1).hit);
    ck_assert(give(PACKET_WRITE, 0x20, 0x3).fetching);
    sends(PACKET_READ, 0x20);
    fill(0x20);
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    ck_assert(give(PACKET_WRITE, 0x40, 0x1fe).fetching);
    ck_assert_uint_eq(cache.tags.lines[0].dirty | cache.tags.lines[1].dirty, 7);
    cache_finish(&cache);
}
END_TEST

/* Written through, the byte also goes to the next level, after the fetch, and the sector stays
 * clean; one that is there becomes dirty. */
START_TEST(grain_through)
{
    start('B', 'L', 'm');
    cache.write_grain = 4;
    cache.grain_through = true;
    struct cache_result result = give(PACKET_WRITE, 0x20, 0x3);
    ck_assert(result.fetching && result.sent);
    sends(PACKET_READ, 0x20);
    sends(PACKET_WRITE, 0x20);
    fill(0x20);
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    ck_assert_uint_eq(cache.tags.dirty_lines, 0);
    ck_assert_uint_eq(cache.stats.written, 1);
    ck_assert(give(PACKET_WRITE, 0x20, 0x3).hit);
    ck_assert_uint_eq(cache.misses.count, 0);
    ck_assert_uint_eq(cache.tags.dirty_lines, 1);
    ck_assert(!give(PACKET_WRITE, 0x40, 0xff0).sent);
    cache_finish(&cache);
}
END_TEST

/* A write to a sector that is on its way is taken, and not undone when the
 * old data come. */
START_TEST(write_while_pending)
{
    start('B', 'L', 'm');
    load(0x0);
    sends(PACKET_READ, 0x0);
    ck_assert_int_eq(give(PACKET_WRITE, 0x0, 1).status, CACHE_PENDING);
    fill(0x0);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    bring(0x80);
    load(0x100);
    sends(PACKET_READ, 0x100);
    sends(PACKET_WRITE_BACK, 0x0);
    cache_finish(&cache);
}
END_TEST

/* Atomics are reads that leave their sector dirty. */
START_TEST(atomics)
{
    start('B', 'L', 'm');
    ck_assert_int_eq(give(PACKET_ATOMIC, 0x0, 0xf).status, CACHE_MISS);
    sends(PACKET_ATOMIC, 0x0);
    fill(0x0);
    bring(0x20);
    ck_assert_int_eq(give(PACKET_ATOMIC, 0x20, 0xf).status, CACHE_HIT);
    ck_assert_uint_eq(cache.stats.counts[CACHE_ATOMIC][CACHE_HIT], 1);
    bring(0x80);
    ck_assert_uint_eq(give(PACKET_READ, 0x100, UINT32_MAX).evicted, 0x3);
    cache_finish(&cache);
}
END_TEST

/* No allocation: a write that misses only goes on. */
START_TEST(no_write_allocate)
{
    start('B', 'N', 'm');
    struct cache_result result = give(PACKET_WRITE, 0x0, UINT32_MAX);
    ck_assert(result.sent);
    ck_assert_int_eq(result.status, CACHE_MISS);
    sends(PACKET_WRITE, 0x0);
    ck_assert_int_eq(load(0x0), CACHE_MISS);
    cache_finish(&cache);
}
END_TEST

/* A write that hits drops its sector. */
START_TEST(write_evict)
{
    start('E', 'N', 'm');
    bring(0x0);
    bring(0x20);
    ck_assert_int_eq(give(PACKET_WRITE, 0x0, 1).status, CACHE_HIT);
    sends(PACKET_WRITE, 0x0);
    ck_assert_int_eq(load(0x0), CACHE_SECTOR_MISS);
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    cache_finish(&cache);
}
END_TEST

/* Local data are written back, global ones evicted. */
START_TEST(local_write_back)
{
    start('L', 'N', 'm');
    bring(0x0);
    bring(0x20);
    give(PACKET_WRITE, 0x0, 1);
    sends(PACKET_WRITE, 0x0);
    struct packet packet = packet_of(PACKET_WRITE, 0x20);
    packet.local = 1;
    ck_assert(!cache_access(&cache, &packet, 0, ++now).sent);
    ck_assert_int_eq(load(0x0), CACHE_SECTOR_MISS);
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    cache_finish(&cache);
}
END_TEST

/* Fetch on write: only a whole sector is written without its old data. */
START_TEST(fetch_on_write)
{
    start('B', 'F', 'm');
    ck_assert(!give(PACKET_WRITE, 0x0, UINT32_MAX).fetching);
    ck_assert_uint_eq(cache.misses.count, 0);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    ck_assert(give(PACKET_WRITE, 0x20, 1).fetching);
    sends(PACKET_READ, 0x20);
    fill(0x20);
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    bring(0x80);
    ck_assert_uint_eq(give(PACKET_READ, 0x100, UINT32_MAX).evicted, 0x3);
    cache_finish(&cache);
}
END_TEST

/* Two dirty sectors of the line that a write misses with go to the next level, whatever the
 * write does besides: nothing, fetch its sector, or fetch it and be sent on itself. */
START_TEST(write_miss_evicts_dirty_data)
{
    for (const char *policy = "LFW"; *policy != '\0'; policy++) {
        start('B', *policy, 'm');
        bring(0x0);
        bring(0x20);
        bring(0x80);
        give(PACKET_WRITE, 0x0, UINT32_MAX); /* hits */
        give(PACKET_WRITE, 0x20, 1);
        ck_assert_int_eq(load(0x80), CACHE_HIT); /* the line of 0x0 is the older one */
        ck_assert_uint_eq(cache.misses.count, 0);
        ck_assert_uint_eq(give(PACKET_WRITE, 0x100, 1).evicted, 0x3);
        if (*policy != 'L')
            sends(PACKET_READ, 0x100);
        ck_assert_uint_eq(queue_head(&cache.misses)->packet.bytes, 64);
        sends(PACKET_WRITE_BACK, 0x0);
        if (*policy == 'W')
            sends(PACKET_WRITE, 0x100);
        ck_assert_uint_eq(cache.misses.count, 0);
        ck_assert_uint_eq(cache.stats.dirty_sectors, 2);
        cache_finish(&cache);
    }
}
END_TEST

/* Write and fetch: both go on. */
START_TEST(write_and_fetch)
{
    start('T', 'W', 'm');
    ck_assert(give(PACKET_WRITE, 0x0, 1).sent);
    sends(PACKET_READ, 0x0);
    sends(PACKET_WRITE, 0x0);
    fill(0x0);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    cache_finish(&cache);
}
END_TEST

/* A read that misses fetches what is missing of its block of two sectors; both arrive with one
 * packet. A read of the other sector waits for it, and asks for nothing. */
START_TEST(fetches_blocks)
{
    start('B', 'L', 'm');
    cache.block_bytes = 64;
    ck_assert_int_eq(load(0x20), CACHE_MISS);
    ck_assert_int_eq(load(0x0), CACHE_PENDING);
    sends(PACKET_READ, 0x20);
    ck_assert_uint_eq(cache.misses.count, 0);
    ck_assert_uint_eq(cache.mshr.pool[mshr_find(&cache.mshr, 0x0)].bytes, 64);
    ck_assert(cache_awaits(&cache, 0x0));
    come(0x0, 0x20);
    ck_assert_uint_eq(cache_take_ready(&cache).address, 0x20);
    ck_assert_uint_eq(cache_take_ready(&cache).address, 0x0);
    ck_assert_int_eq(load(0x20), CACHE_HIT);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    ck_assert_int_eq(load(0x40), CACHE_SECTOR_MISS);
    cache_finish(&cache);
}
END_TEST

/* Of the reads of a block on its way, the first one of each sector counts, but for the one that
 * missed. */
START_TEST(counts_first_reads_of_blocks)
{
    start('B', 'L', 'm');
    cache.block_bytes = 64;
    cache.mshr.merge_max = 8;
    const uint64_t *first = &cache.stats.first_pending[CACHE_GLOBAL_READ];
    ck_assert_int_eq(load(0x20), CACHE_MISS);
    ck_assert_int_eq(load(0x20), CACHE_PENDING);
    ck_assert_uint_eq(*first, 0);
    ck_assert_int_eq(load(0x0), CACHE_PENDING);
    ck_assert_uint_eq(*first, 1);
    ck_assert_int_eq(load(0x0), CACHE_PENDING);
    ck_assert_uint_eq(*first, 1);
    come(0x0, 0x20);
    while (mshr_has_ready(&cache.mshr))
        cache_take_ready(&cache);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    ck_assert_uint_eq(*first, 1);
    cache_finish(&cache);
}
END_TEST

/* Of two sectors of which a warp asked for one, no read of the other one counts; of two that it
 * asked for, the first read of it does. */
START_TEST(counts_what_was_asked_for_at_once)
{
    start('B', 'L', 'm');
    cache.block_bytes = 64;
    const uint64_t *first = &cache.stats.first_pending[CACHE_GLOBAL_READ];
    struct packet one = packet_of(PACKET_READ, 0x20), other = packet_of(PACKET_READ, 0x0);
    one.together = 2;
    other.together = 15;
    ck_assert_int_eq(cache_access(&cache, &one, 0, 0).status, CACHE_MISS);
    ck_assert_int_eq(cache_access(&cache, &other, 0, 0).status, CACHE_PENDING);
    ck_assert_uint_eq(*first, 0);
    one.address = 0x60;
    other.address = 0x40;
    one.together = 12;
    ck_assert_int_eq(cache_access(&cache, &one, 0, 0).status, CACHE_SECTOR_MISS);
    ck_assert_int_eq(cache_access(&cache, &other, 0, 0).status, CACHE_PENDING);
    ck_assert_uint_eq(*first, 1);
    cache_finish(&cache);
}
END_TEST

/* What is there is not fetched again: neither a sector that was written as a whole, which stays
 * dirty, nor an atomic's, which becomes so by itself. */
START_TEST(fetches_missing_part_of_block)
{
    start('B', 'L', 'm');
    cache.block_bytes = 64;
    give(PACKET_WRITE, 0x0, UINT32_MAX);
    load(0x20);
    ck_assert_uint_eq(cache.mshr.pool[mshr_find(&cache.mshr, 0x0)].bytes, 32);
    give(PACKET_ATOMIC, 0x60, UINT32_MAX);
    come(0x0, 0x20);
    come(0x40, 0x60);
    uint32_t line = tags_find(&cache.tags, 0x0);
    ck_assert_uint_eq(cache.tags.lines[line].valid, 0xf);
    ck_assert_uint_eq(cache.tags.lines[line].dirty, 0x9);
    ck_assert_uint_eq(cache.tags.lines[line].reserved, 0);
    cache_finish(&cache);
}
END_TEST

/* Bytes that are written while their sector is fetched with another one stay. */
START_TEST(writes_into_block_in_flight)
{
    start('B', 'L', 'm');
    cache.block_bytes = 64;
    load(0x20);
    give(PACKET_WRITE, 0x0, 0xff);
    ck_assert_int_eq(load(0x0), CACHE_SECTOR_MISS); /* the other bytes are on their way */
    come(0x0, 0x20);
    uint32_t line = tags_find(&cache.tags, 0x0);
    ck_assert_uint_eq(cache.tags.lines[line].valid, 0x3);
    ck_assert_uint_eq(cache.tags.lines[line].dirty, 0x1);
    ck_assert_uint_eq(cache.tags.lines[line].partial, 0x0);
    ck_assert_uint_eq(cache.tags.lines[line].reserved, 0x0);
    cache_finish(&cache);
}
END_TEST

/* Lines taken when the data come: three lines can be awaited in two ways. */
START_TEST(allocate_on_fill)
{
    start('T', 'N', 'f');
    load(0x0);
    load(0x80);
    sends(PACKET_READ, 0x0);
    sends(PACKET_READ, 0x80);
    fill(0x80);
    ck_assert_int_eq(load(0x100), CACHE_MISS);
    sends(PACKET_READ, 0x100);
    fill(0x0);
    fill(0x100);
    ck_assert_int_eq(load(0x0), CACHE_HIT);
    ck_assert_int_eq(load(0x100), CACHE_HIT);
    ck_assert_int_eq(load(0x80), CACHE_MISS);
    cache_finish(&cache);
}
END_TEST

/* A hit takes the data port for a cycle a port width; a fill takes its own. */
START_TEST(ports)
{
    start_narrow();
    struct packet packet = packet_of(PACKET_READ, 0x0);
    cache_access(&cache, &packet, 0, 10);
    ck_assert_uint_le(cache.data_free, 10);
    packet.mshr = mshr_find(&cache.mshr, 0x0);
    cache_fill(&cache, &packet, 50);
    ck_assert_uint_eq(cache.fill_free, 50 + 4);
    cache_access(&cache, &packet, 0, 60);
    ck_assert_uint_eq(cache.data_free, 60 + 4);
    cache_finish(&cache);
}
END_TEST

/* The three dirty sectors that a write evicts, 96 bytes, take the data port for 12 cycles of 8
 * bytes; what a read evicts takes it for none, and so does a miss that evicts nothing. */
START_TEST(port_of_evicted_data)
{
    start_narrow();
    for (uint64_t address = 0x0; address < 0x60; address += 0x20)
        give(PACKET_WRITE, address, UINT32_MAX);
    give(PACKET_WRITE, 0x80, UINT32_MAX);
    ck_assert_uint_le(cache.data_free, now);
    ck_assert_uint_eq(give(PACKET_WRITE, 0x100, UINT32_MAX).evicted, 0x7);
    ck_assert_uint_eq(cache.data_free, now + 12);
    ck_assert_uint_eq(give(PACKET_READ, 0x180, UINT32_MAX).evicted, 0x1);
    ck_assert_uint_eq(cache.data_free, now + 11);
    cache_finish(&cache);
}
END_TEST

/* A cache whose port a write takes for 3 cycles, one with a mask for MASK more. */
static void start_write_port(uint32_t mask)
{
    struct sim_cache_config config = lru_cache(1, 2, 'B', 'L');
    config.mshr_entries = config.mshr_merge = config.miss_queue = 4;
    config.port_width = 32;
    config.write_cycles = 3;
    config.mask_cycles = mask;
    ck_assert(cache_init(&cache, &config, 0));
    now = 100;
}

/* With hearth_l2_write_port a write takes the port for as long as that says, hit or miss; a
 * read for its sector alone. */
START_TEST(write_port)
{
    start_write_port(0);
    give(PACKET_WRITE, 0x20, UINT32_MAX); /* a miss */
    ck_assert_uint_eq(cache.data_free, 101 + 3);
    give(PACKET_WRITE, 0x20, UINT32_MAX); /* a hit, in 102 */
    ck_assert_uint_eq(cache.data_free, 104 + 3);
    now = 200;
    load(0x20);
    ck_assert_uint_eq(cache.data_free, 201 + 1);
    cache_finish(&cache);
}
END_TEST

/* A write with the mask of its line takes the port longer, whatever it writes itself. */
START_TEST(mask_write)
{
    start_write_port(2);
    struct packet packet = {.kind = PACKET_WRITE, .address = 0x20, .bytes = 0xff, .masked = 1};
    now = 101;
    ck_assert(cache_access(&cache, &packet, 0, now).accepted);
    ck_assert_uint_eq(cache.data_free, 101 + 5);
    give(PACKET_WRITE, 0x20, 0xff00);
    ck_assert_uint_eq(cache.data_free, 106 + 3);
    cache_finish(&cache);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        reads,
        full_mshrs,
        full_queue,
        all_lines_reserved,
        reserved_for_nothing,
        write_through,
        write_back,
        lazy_fetch,
        write_grain,
        grain_through,
        write_while_pending,
        atomics,
        no_write_allocate,
        write_evict,
        local_write_back,
        fetch_on_write,
        write_miss_evicts_dirty_data,
        write_and_fetch,
        fetches_blocks,
        counts_first_reads_of_blocks,
        counts_what_was_asked_for_at_once,
        fetches_missing_part_of_block,
        writes_into_block_in_flight,
        allocate_on_fill,
        ports,
        port_of_evicted_data,
        write_port,
        mask_write,
    };
    return RUN_TESTS("cache", tests);
}
