/* Untimed accesses, one packet at a time: the tags are as after
 * accesses with time whose sectors come at once. */
#include "tests/sim/support.h"

#include "sim/functional/cache_functional.h"
#include "sim/memory/cache.h"

#define LINES 24 /* that are accessed, of a cache of two sets of four */

static const struct write_policy {
    char write, allocate;
    uint32_t dirty_percent, grain;
    bool through;
} policies[] = {{'T', 'L', 0}, {'B', 'L', 0},     {'B', 'L', 25},         {'B', 'F', 0},
                {'B', 'N', 0}, {'L', 'L', 25},    {'T', 'N', 0},          {'B', 'W', 0},
                {'T', 'F', 0}, {'B', 'L', 0, 16}, {'B', 'L', 0, 16, true}};
#define POLICIES (int)(sizeof policies / sizeof *policies)

/* Each write policy under each replacement policy, and with fetches of one sector, two and
 * four. */
static void start(struct cache *cache, int number)
{
    const struct write_policy *policy = &policies[number % POLICIES];
    struct sim_cache_config config = lru_cache(2, 4, policy->write, policy->allocate);
    config.replacement =
        (const struct cache_replacement *)cache_replacements[number / POLICIES % 2];
    config.fetch = 32u << number / POLICIES / 2;
    config.write_grain = policy->grain;
    config.grain_through = policy->through;
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
        cache_functional_access(without, &packet, set_of(without, line), *now, &at);
    }
}

START_TEST(as_with_time)
{
    struct cache with, without;
    uint64_t now = 0;
    uint32_t random = 1;
    start(&with, _i);
    start(&without, _i);
    for (int i = 0; i < 4000; i++) {
        random = random * 1664525u + 1013904223u;
        uint64_t line = 128ull * ((random >> 8) % LINES);
        uint8_t sectors = (uint8_t)(1 + (random >> 20) % 15);
        uint32_t what = random >> 28,
                 bytes = what & 1 ? UINT32_MAX : 0xffu << (random >> 25 & 24);
        enum packet_kind kind = what < 10   ? PACKET_READ
                                : what < 15 ? PACKET_WRITE
                                            : PACKET_ATOMIC;
        each(&with, &without, kind, line, sectors, bytes, &now);
        ck_assert_msg(same(&with, &without), "access %d", i);
    }
    cache_finish(&with);
    cache_finish(&without);
}
END_TEST

int main(void)
{
    const TTest *const loops[] = {as_with_time};
    return suite_run_tests("touch", NULL, 0, loops, 1, 6 * POLICIES);
}
