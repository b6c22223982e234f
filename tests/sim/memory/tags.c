/* Tags, MSHRs, queues: each alone. */
#include "tests/sim/support.h"

#include "sim/memory/mshr.h"
#include "sim/memory/queue.h"
#include "sim/memory/tags.h"

static struct tags tags;

static void start(uint32_t sets, uint32_t ways, uint32_t dirty_percent, bool fifo)
{
    struct tags_spec spec = {.sets = sets,
                             .ways = ways,
                             .line_bytes = 128,
                             .sector_bytes = 32,
                             .dirty_percent = dirty_percent,
                             .set_index = 'L',
                             .replacement =
                                 fifo ? &cache_replacement_fifo : &cache_replacement_lru};
    ck_assert(tags_init(&tags, &spec));
}

static enum tags_status probe(uint64_t address, bool write)
{
    uint32_t line;
    return tags_probe(&tags, tags_set(&tags, address), address, write, &line);
}

/* Reads ADDRESS: a miss takes a line and fills the sector at once. Returns
 * the line's address that left, or 1. */
static uint64_t load(uint64_t address, uint64_t now)
{
    uint32_t set = tags_set(&tags, address), line;
    uint64_t evicted = 1;
    enum tags_status status = tags_probe(&tags, set, address, false, &line);
    bool replaced = status == TAGS_MISS && tags.free_count[set] == 0;
    if (status == TAGS_HIT)
        tags_touch(&tags, set, line, now);
    else if (status == TAGS_MISS)
        tags_allocate(&tags, set, line, address, now, &evicted);
    else
        tags_reserve(&tags, set, line, address, now);
    if (status != TAGS_HIT)
        tags_fill(&tags, set, line, address);
    return replaced ? evicted : 1;
}

static void store(uint64_t address, uint32_t bytes)
{
    uint32_t set = tags_set(&tags, address), line;
    ck_assert_int_eq(tags_probe(&tags, set, address, true, &line), TAGS_HIT);
    tags_write(&tags, set, line, address, bytes, false);
}

#define LINE(n) ((uint64_t)(n)*128)

/* The least recently used of four goes; a use puts a line behind the others. */
START_TEST(least_recently_used)
{
    start(1, 4, 0, false);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(load(LINE(i), i), 1);
    load(LINE(0), 10);
    ck_assert_uint_eq(load(LINE(4), 11), LINE(1));
    ck_assert_uint_eq(load(LINE(5), 12), LINE(2));
    load(LINE(3), 13);
    ck_assert_uint_eq(load(LINE(6), 14), LINE(0));
    ck_assert_uint_eq(load(LINE(7), 15), LINE(4));
    ck_assert_int_eq(probe(LINE(3), false), TAGS_HIT);
    ck_assert_int_eq(probe(LINE(0), false), TAGS_MISS);
    tags_finish(&tags);
}
END_TEST

/* First in, first out: uses do not count. */
START_TEST(first_in_first_out)
{
    start(1, 3, 0, true);
    for (unsigned i = 0; i < 3; i++)
        load(LINE(i), i);
    load(LINE(0), 10);
    ck_assert_uint_eq(load(LINE(3), 11), LINE(0));
    ck_assert_uint_eq(load(LINE(4), 12), LINE(1));
    tags_finish(&tags);
}
END_TEST

/* Line n lies in set n % 4; each set replaces its own. */
START_TEST(sets)
{
    start(4, 2, 0, false);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_eq(load(LINE(i), i), 1);
    ck_assert_uint_eq(load(LINE(9), 9), LINE(1));
    ck_assert_uint_eq(load(LINE(12), 10), LINE(0));
    ck_assert_uint_eq(load(LINE(16), 11), LINE(4));
    tags_finish(&tags);
}
END_TEST

/* A sector of a line that is there misses alone; one on its way is pending. */
START_TEST(sectors)
{
    start(1, 2, 0, false);
    load(LINE(0) + 32, 0);
    ck_assert_int_eq(probe(LINE(0) + 32, false), TAGS_HIT);
    ck_assert_int_eq(probe(LINE(0) + 63, false), TAGS_HIT);
    ck_assert_int_eq(probe(LINE(0), false), TAGS_SECTOR_MISS);
    ck_assert_int_eq(probe(LINE(0) + 64, true), TAGS_SECTOR_MISS);
    tags_reserve(&tags, 0, 1, LINE(0) + 64, 1); /* way 1 was taken first */
    ck_assert_int_eq(probe(LINE(0) + 64, false), TAGS_PENDING);
    ck_assert_int_eq(probe(LINE(0) + 32, false), TAGS_HIT);
    tags_fill(&tags, 0, 1, LINE(0) + 64);
    ck_assert_int_eq(probe(LINE(0) + 64, false), TAGS_HIT);
    tags_finish(&tags);
}
END_TEST

/* A line with a sector on its way stays; when all have one, there is none to
 * replace. */
START_TEST(reserved_lines_stay)
{
    uint64_t evicted;
    uint32_t line;
    start(1, 2, 0, false);
    load(LINE(0), 0);
    load(LINE(1), 1);
    ck_assert_int_eq(tags_probe(&tags, 0, LINE(0) + 32, false, &line), TAGS_SECTOR_MISS);
    tags_reserve(&tags, 0, line, LINE(0) + 32, 2);
    ck_assert_int_eq(tags_probe(&tags, 0, LINE(2), false, &line), TAGS_MISS);
    tags_allocate(&tags, 0, line, LINE(2), 3, &evicted);
    ck_assert_uint_eq(evicted, LINE(1));
    ck_assert_int_eq(probe(LINE(3), false), TAGS_FAIL);
    ck_assert_int_eq(probe(LINE(2), false), TAGS_PENDING);
    tags_fill(&tags, 0, line, LINE(2));
    ck_assert_int_eq(probe(LINE(3), false), TAGS_MISS);
    tags_finish(&tags);
}
END_TEST

/* A written part of a sector hits for writes, and misses for reads until all
 * 32 bytes are written. A sector that had been read stays readable. */
START_TEST(partial_writes)
{
    uint32_t line;
    uint64_t evicted;
    start(1, 2, 0, false);
    ck_assert_int_eq(tags_probe(&tags, 0, LINE(0), true, &line), TAGS_MISS);
    tags_allocate(&tags, 0, line, LINE(0), 0, &evicted);
    tags_write(&tags, 0, line, LINE(0), 0x0000ffff, false);
    ck_assert_int_eq(probe(LINE(0), true), TAGS_HIT);
    ck_assert_int_eq(probe(LINE(0), false), TAGS_SECTOR_MISS);
    store(LINE(0), 0x00ff0000);
    ck_assert_int_eq(probe(LINE(0), false), TAGS_SECTOR_MISS);
    store(LINE(0), 0xff000000);
    ck_assert_int_eq(probe(LINE(0), false), TAGS_HIT);
    load(LINE(0) + 32, 1);
    store(LINE(0) + 32, 0x1);
    ck_assert_int_eq(probe(LINE(0) + 32, false), TAGS_HIT);
    tags_finish(&tags);
}
END_TEST

/* A partly written sector that is fetched for a read stays dirty. */
START_TEST(partial_write_fetched)
{
    uint32_t line;
    uint64_t evicted;
    start(1, 1, 0, false);
    ck_assert_int_eq(tags_probe(&tags, 0, LINE(0), true, &line), TAGS_MISS);
    tags_allocate(&tags, 0, line, LINE(0), 0, &evicted);
    tags_write(&tags, 0, line, LINE(0), 0xff, false);
    tags_reserve(&tags, 0, line, LINE(0), 1);
    ck_assert_int_eq(probe(LINE(0), false), TAGS_PENDING);
    tags_fill(&tags, 0, line, LINE(0));
    ck_assert_uint_eq(tags.dirty_lines, 1);
    load(LINE(0) + 96, 2);
    ck_assert_int_eq(tags_probe(&tags, 0, LINE(1), false, &line), TAGS_MISS);
    ck_assert_uint_eq(tags_allocate(&tags, 0, line, LINE(1), 3, &evicted), 0x1);
    tags_finish(&tags);
}
END_TEST

/* The sectors that were written are told when their line leaves. */
START_TEST(dirty_sectors)
{
    start(1, 1, 0, false);
    uint64_t evicted;
    for (unsigned s = 0; s < 4; s++)
        load(LINE(0) + 32 * s, s);
    store(LINE(0) + 32, UINT32_MAX);
    store(LINE(0) + 96, 1);
    ck_assert_uint_eq(tags.dirty_lines, 1);
    ck_assert_uint_eq(tags_allocate(&tags, 0, 0, LINE(1), 9, &evicted), 0xa);
    ck_assert_uint_eq(evicted, LINE(0));
    ck_assert_uint_eq(tags.dirty_lines, 0);
    tags_finish(&tags);
}
END_TEST

/* Below 50 percent of dirty lines, clean ones go first however young they
 * are, and a set without a clean line has none to give. */
START_TEST(dirty_percent)
{
    uint32_t line;
    uint64_t evicted;
    start(2, 2, 50, false);
    load(LINE(0), 0);
    store(LINE(0), UINT32_MAX);
    load(LINE(2), 1);
    /* One of four lines is dirty: 25 percent. */
    ck_assert_uint_eq(load(LINE(4), 2), LINE(2));
    ck_assert_uint_eq(load(LINE(6), 3), LINE(4));
    /* Two of four: the oldest goes, and it is dirty. */
    store(LINE(6), 1);
    ck_assert_int_eq(tags_probe(&tags, 0, LINE(8), false, &line), TAGS_MISS);
    ck_assert_uint_eq(tags_allocate(&tags, 0, line, LINE(8), 4, &evicted), 1);
    ck_assert_uint_eq(evicted, LINE(0));
    tags_finish(&tags);
    /* One dirty line of one set of two: 1 of 2 x 1 is 50 percent, of 4 x 1 is
     * 25 percent. */
    start(4, 1, 50, false);
    load(LINE(0), 0);
    store(LINE(0), 1);
    ck_assert_int_eq(probe(LINE(4), false), TAGS_FAIL);
    load(LINE(1), 0);
    store(LINE(1), 1);
    ck_assert_int_eq(probe(LINE(4), false), TAGS_MISS);
    tags_finish(&tags);
}
END_TEST

/* An invalidated sector misses; its line is free with its last one. */
START_TEST(invalidate)
{
    uint32_t line;
    start(1, 2, 0, false);
    load(LINE(0), 0);
    load(LINE(0) + 32, 0);
    load(LINE(1), 1);
    tags_probe(&tags, 0, LINE(0), false, &line);
    tags_invalidate(&tags, 0, line, LINE(0));
    ck_assert_int_eq(probe(LINE(0), false), TAGS_SECTOR_MISS);
    tags_invalidate(&tags, 0, line, LINE(0) + 32);
    ck_assert_int_eq(probe(LINE(0), false), TAGS_MISS);
    ck_assert_uint_eq(load(LINE(2), 2), 1);
    ck_assert_uint_eq(load(LINE(3), 3), LINE(1));
    tags_finish(&tags);
}
END_TEST

/* Empty after a clearing, with as many ways as asked for. */
START_TEST(clear)
{
    start(2, 4, 0, false);
    for (unsigned i = 0; i < 8; i++)
        load(LINE(i), i);
    store(LINE(0), 1);
    tags_clear(&tags, 2);
    ck_assert_uint_eq(tags.dirty_lines, 0);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_int_eq(probe(LINE(i), false), TAGS_MISS);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(load(LINE(i), i), 1);
    ck_assert_uint_eq(load(LINE(4), 9), LINE(0));
    tags_clear(&tags, 4);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_eq(load(LINE(i), i), 1);
    tags_finish(&tags);
}
END_TEST

/* A cache that was cleared, with few lines in it or many, is as a new one, also where lines had
 * been dropped: the same lines come to the same ways. */
START_TEST(cleared_is_new)
{
    for (unsigned lines = 1; lines <= 64; lines += lines < 8 ? 1 : 14) {
        uint64_t seen[2][64];
        for (int round = 0; round < 2; round++) {
            if (round == 0)
                start(4, 16, 0, false);
            else
                tags_clear(&tags, 16);
            for (unsigned i = 0; i < 64; i++)
                ck_assert_int_eq(probe(LINE(i), false), TAGS_MISS);
            for (unsigned i = 0; i < 64; i++) {
                load(LINE(i), i);
                seen[round][i] = tags_find(&tags, LINE(i));
            }
            tags_clear(&tags, 16);
            for (unsigned i = 0; i < lines; i++)
                load(LINE(7 * i), i);
            if (lines % 2 == 0)
                tags_invalidate(&tags, tags_set(&tags, LINE(0)), tags_find(&tags, LINE(0)),
                                LINE(0));
        }
        ck_assert_int_eq(memcmp(seen[0], seen[1], sizeof seen[0]), 0);
        tags_finish(&tags);
    }
}
END_TEST

/* Against a plain model: 20,000 accesses of 64 lines over 16 sets x 2 ways. */
START_TEST(against_a_list)
{
    uint64_t model[16][2] = {{0}}; /* most recent first; line number + 1 */
    uint32_t random = 1;
    start(16, 2, 0, false);
    for (unsigned i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        uint64_t number = random >> 20 & 63, *set = model[number % 16];
        bool hit = set[0] == number + 1 || set[1] == number + 1;
        ck_assert_int_eq(probe(LINE(number), false), hit ? TAGS_HIT : TAGS_MISS);
        load(LINE(number), i);
        if (set[0] != number + 1) {
            set[1] = set[0];
            set[0] = number + 1;
        }
    }
    tags_finish(&tags);
}
END_TEST

/* ---- MSHRs ---- */

static uint32_t add(struct mshr *mshr, uint64_t address, uint32_t op)
{
    struct packet packet = packet_of(PACKET_READ, address);
    packet.op = op;
    return mshr_add(mshr, mshr_find(mshr, address), address, &packet);
}

/* Two entries of three packets: packets of a sector share one; waiters come
 * out in the order of their sectors' data, then of their own. */
START_TEST(mshr_merges)
{
    struct mshr mshr;
    ck_assert(mshr_init(&mshr, 2, 3));
    ck_assert_uint_eq(mshr_find(&mshr, 0x40), MSHR_NONE);
    uint32_t a = add(&mshr, 0x40, 1), b = add(&mshr, 0x80, 2);
    ck_assert_uint_eq(add(&mshr, 0x40, 3), a);
    ck_assert_uint_eq(mshr_find(&mshr, 0x40), a);
    ck_assert(!mshr_has_room(&mshr, MSHR_NONE));
    ck_assert(mshr_has_room(&mshr, a));
    add(&mshr, 0x40, 4);
    ck_assert(!mshr_has_room(&mshr, a));
    ck_assert(mshr_has_room(&mshr, b));
    ck_assert(!mshr_has_ready(&mshr));
    mshr_ready(&mshr, b);
    mshr_ready(&mshr, a);
    const uint32_t expected[] = {2, 1, 3, 4};
    for (int i = 0; i < 4; i++) {
        ck_assert(mshr_has_ready(&mshr));
        ck_assert_uint_eq(mshr_take(&mshr).op, expected[i]);
    }
    ck_assert(!mshr_has_ready(&mshr));
    ck_assert_uint_eq(mshr_find(&mshr, 0x40), MSHR_NONE);
    ck_assert(mshr_has_room(&mshr, MSHR_NONE));
    mshr_finish(&mshr);
}
END_TEST

/* Entries come and go in any order, 64 of 100 sectors at a time. */
START_TEST(mshr_many)
{
    struct mshr mshr;
    bool in[100] = {false};
    uint32_t random = 7;
    ck_assert(mshr_init(&mshr, 64, 1));
    for (unsigned i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        uint32_t sector = (random >> 16) % 100, entry = mshr_find(&mshr, sector * 32);
        ck_assert(in[sector] == (entry != MSHR_NONE));
        if (in[sector]) {
            mshr_ready(&mshr, entry);
            ck_assert_uint_eq(mshr_take(&mshr).op, sector);
        } else if (mshr_has_room(&mshr, entry)) {
            add(&mshr, sector * 32, sector);
        } else {
            continue;
        }
        in[sector] = !in[sector];
    }
    mshr_finish(&mshr);
}
END_TEST

/* ---- queues ---- */

START_TEST(queue_order)
{
    struct queue queue = {0};
    uint32_t pushed = 0, popped = 0;
    ck_assert(!queue_ready(&queue, UINT64_MAX));
    for (uint32_t round = 1; round < 60; round++) {
        for (uint32_t i = 0; i < round; i++, pushed++) {
            struct packet packet = {.op = pushed};
            queue_push(&queue, &packet, pushed + 5);
        }
        for (uint32_t i = 0; i < round - 1; i++, popped++) {
            ck_assert_uint_eq(queue_head(&queue)->packet.op, popped);
            ck_assert(!queue_ready(&queue, popped + 4));
            ck_assert(queue_ready(&queue, popped + 5));
            queue_pop(&queue);
        }
        ck_assert_uint_eq(queue.count, pushed - popped);
    }
    queue_finish(&queue);
    ck_assert_uint_eq(queue.count, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        least_recently_used,
        first_in_first_out,
        sets,
        sectors,
        reserved_lines_stay,
        partial_writes,
        partial_write_fetched,
        dirty_sectors,
        dirty_percent,
        invalidate,
        clear,
        cleared_is_new,
        against_a_list,
        mshr_merges,
        mshr_many,
        queue_order,
    };
    return RUN_TESTS("tags", tests);
}
