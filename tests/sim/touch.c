/* Accesses without time, one packet or a line's sectors at a time: the tags are as after
 * accesses with time whose sectors come at once. */
#include "tests/sim/support.h"

#include "sim/memory/cache.h"
#include "sim/memory/touch.h"

#define LINES 24 /* that are accessed, of a cache of two sets of four */

static const struct policy {
    char write, allocate;
    uint32_t dirty_percent;
} policies[] = {{'T', 'L', 0},  {'B', 'L', 0}, {'B', 'L', 25}, {'B', 'F', 0}, {'B', 'N', 0},
                {'L', 'L', 25}, {'T', 'N', 0}, {'B', 'W', 0},  {'T', 'F', 0}};
#define POLICIES (int)(sizeof policies / sizeof *policies)

static void start(struct cache *cache, const struct policy *policy)
{
    const struct sim_cache_config config = {
        .enabled = true,
        .sectored = true,
        .sets = 2,
        .line = 128,
        .ways = 4,
        .replacement = 'L',
        .write_policy = policy->write,
        .allocate = 'm',
        .write_allocate = policy->allocate,
        .set_index = 'L',
        .mshr_type = 'A',
        .mshr_entries = 8,
        .mshr_merge = 8,
        .miss_queue = 16,
        .port_width = 32,
    };
    ck_assert(cache_init(cache, &config, policy->dirty_percent));
}

static uint32_t set_of(const struct cache *cache, uint64_t address)
{
    return tags_set(&cache->tags, tags_line_address(&cache->tags, address));
}

/* With time: all that goes to the next level is answered before the next access. */
static void timed(struct cache *cache, const struct packet *packet, uint64_t now)
{
    cache_access(cache, packet, set_of(cache, packet->address), now);
    while (cache->misses.count > 0) {
        struct packet out = queue_head(&cache->misses)->packet;
        cache_pop_miss(cache);
        if (!packet_is_write(&out))
            cache_fill(cache, &out, now);
    }
    while (mshr_has_ready(&cache->mshr))
        cache_take_ready(cache);
}

static bool same_line(const struct tags_line *a, const struct tags_line *b)
{
    if (a->listed == 0 || b->listed == 0)
        return a->listed == b->listed;
    return a->listed == b->listed && a->address == b->address && a->valid == b->valid &&
           a->dirty == b->dirty && a->partial == b->partial && a->reserved == 0 &&
           b->reserved == 0 && a->prev == b->prev && a->next == b->next;
}

static bool same(const struct cache *a, const struct cache *b)
{
    bool equal = a->tags.dirty_lines == b->tags.dirty_lines;
    for (uint32_t i = 0; i < 8; i++)
        equal = equal && same_line(&a->tags.lines[i], &b->tags.lines[i]);
    return equal;
}

/* A guess of where the line at ADDRESS is: right, wrong or none. */
static uint32_t some_line(const struct cache *cache, int i, uint64_t address)
{
    const struct tags_spec *spec = &cache->tags.spec;
    if (i % 3 != 0)
        return tags_find(&cache->tags, address);
    return (uint32_t)i / 3 % (spec->sets * spec->ways);
}

/* The sectors of LINE, the last one first, as packets of KIND. */
static void each(struct cache *with, struct cache *without, enum packet_kind kind,
                 uint64_t line, uint8_t sectors, uint32_t bytes, uint64_t *now)
{
    uint32_t at = 0;
    for (uint32_t s = 4; s-- > 0;) {
        struct packet packet = packet_of(kind, line + 32 * s);
        packet.bytes = bytes;
        packet.lanes = kind == PACKET_ATOMIC;
        if (!(sectors >> s & 1))
            continue;
        timed(with, &packet, ++*now);
        touch_cache(without, &packet, set_of(without, line), *now, &at);
    }
}

START_TEST(as_with_time)
{
    struct cache with, one_by_one, at_once;
    uint64_t now = 0;
    uint32_t random = 1;
    start(&with, &policies[_i]);
    start(&one_by_one, &policies[_i]);
    start(&at_once, &policies[_i]);
    for (int i = 0; i < 4000; i++) {
        random = random * 1664525u + 1013904223u;
        uint64_t line = 128ull * ((random >> 8) % LINES);
        uint8_t sectors = (uint8_t)(1 + (random >> 20) % 15);
        uint32_t what = random >> 28,
                 bytes = what & 1 ? UINT32_MAX : 0xffu << (random >> 25 & 24);
        enum packet_kind kind = what < 10   ? PACKET_READ
                                : what < 15 ? PACKET_WRITE
                                            : PACKET_ATOMIC;
        uint64_t before = now;
        each(&with, &one_by_one, kind, line, sectors, bytes, &now);
        if (kind == PACKET_READ)
            touch_read(&at_once, line, sectors, set_of(&at_once, line),
                       some_line(&at_once, i, line), now);
        else
            for (uint32_t s = 4, at = 0; s-- > 0;) {
                struct packet packet = packet_of(kind, line + 32 * s);
                packet.bytes = bytes;
                if (sectors >> s & 1)
                    touch_cache(&at_once, &packet, set_of(&at_once, line), ++before, &at);
            }
        ck_assert_msg(same(&with, &one_by_one), "access %d", i);
        ck_assert_msg(same(&with, &at_once), "access %d, at once", i);
    }
    cache_finish(&with);
    cache_finish(&one_by_one);
    cache_finish(&at_once);
}
END_TEST

/* Writes of a line at once: what is in the cache, what goes on and what is written back are as
 * of its packets one by one. */
START_TEST(writes_of_a_line)
{
    struct cache one_by_one, at_once;
    uint64_t now = 0;
    uint32_t random = 1;
    start(&one_by_one, &policies[_i]);
    start(&at_once, &policies[_i]);
    for (int i = 0; i < 4000 && touch_takes_lines(&at_once); i++) {
        random = random * 1664525u + 1013904223u;
        uint64_t line = 128ull * ((random >> 8) % LINES);
        uint8_t sectors = (uint8_t)(1 + (random >> 20) % 15), sent = 0, evicted = 0, hits = 0;
        const uint32_t bytes[] = {random, UINT32_MAX, 0xffu << (random >> 25 & 24), ~random};
        uint32_t at = 0, set = set_of(&at_once, line), near = some_line(&at_once, i, line);
        now += 4;
        if (random >> 28 < 5) {
            touch_read(&one_by_one, line, sectors, set, TAGS_NONE, now);
            touch_read(&at_once, line, sectors, set, near, now);
            continue;
        }
        for (uint32_t s = 4; s-- > 0;) {
            struct packet packet = packet_of(PACKET_WRITE, line + 32 * s);
            packet.bytes = bytes[s];
            if (!(sectors >> s & 1))
                continue;
            struct touch_result one = touch_cache(&one_by_one, &packet, set, now, &at);
            sent |= (uint8_t)(one.sent << s);
            hits |= (uint8_t)((one.status == CACHE_HIT) << s);
            evicted |= one.evicted;
        }
        struct touch_stored all = touch_write(&at_once, line, sectors, bytes, set, near, now);
        bool sends = all.refused || at_once.write_policy == 'T';
        ck_assert_msg(same(&one_by_one, &at_once), "access %d", i);
        ck_assert_uint_eq(sent, sends ? sectors : 0);
        ck_assert_uint_eq(hits, all.line.hits);
        ck_assert_uint_eq(evicted, all.line.evicted);
    }
    cache_finish(&one_by_one);
    cache_finish(&at_once);
}
END_TEST

int main(void)
{
    const TTest *const loops[] = {as_with_time, writes_of_a_line};
    return run_tests("touch", NULL, 0, loops, 2, POLICIES);
}
