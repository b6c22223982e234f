/* Compact tags do what struct tags do when packets come one by one, untimed. */
#include <stdlib.h>

#include "sim/functional/cache_functional.h"
#include "sim/functional/compact_access.h"
#include "tests/sim/support.h"

#define ACCESSES 6000

static const struct geometry {
    uint32_t sets, ways;
    uint32_t lines; /* that are accessed */
    char write_policy;
    uint32_t dirty_percent;
} geometries[] = {{2, 4, 24, 'T', 0},   {2, 4, 24, 'T', 25},  {2, 4, 24, 'B', 0},
                  {2, 4, 24, 'B', 25},  {4, 16, 96, 'B', 0},  {4, 16, 96, 'T', 25},
                  {2, 24, 80, 'B', 0},  {2, 24, 80, 'T', 25}, {1, 1, 3, 'B', 0},
                  {2, 7, 30, 'B', 100}, {4, 40, 200, 'T', 60}};
#define GEOMETRIES (int)(sizeof geometries / sizeof *geometries)

static void start(struct cache *cache, const struct geometry *geometry)
{
    const struct sim_cache_config config =
        lru_cache(geometry->sets, geometry->ways, geometry->write_policy, 'L');
    ck_assert(cache_init(cache, &config, geometry->dirty_percent));
}

/* ---- what two tags hold ---- */

static bool same_line(const struct tags *a, const struct tags *b, uint32_t i, uint32_t j)
{
    const struct tags_line *x = &a->lines[i], *y = &b->lines[j];
    bool same = x->address == y->address && x->valid == y->valid && x->dirty == y->dirty &&
                x->partial == y->partial;
    for (uint32_t s = 0; s < TAGS_SECTORS; s++)
        if (x->partial >> s & 1)
            same = same && a->bytes[i].of[s] == b->bytes[j].of[s];
    return same;
}

/* The lines of a list of SET, in order; and, of both lists together, their order of use. */
static bool same_list(const struct tags *a, const struct tags *b, uint32_t set, uint32_t list)
{
    uint32_t first = set * a->max_ways;
    uint16_t i = a->lists[2 * set + list].head, j = b->lists[2 * set + list].head;
    for (; i != TAGS_END && j != TAGS_END; i = a->lines[first + i].next) {
        if (!same_line(a, b, first + i, first + j))
            return false;
        j = b->lines[first + j].next;
    }
    return i == j;
}

static bool same(const struct tags *a, const struct tags *b)
{
    bool equal = a->dirty_lines == b->dirty_lines && a->spec.ways == b->spec.ways;
    for (uint32_t set = 0; set < a->spec.sets; set++) {
        equal = equal && same_list(a, b, set, 0) && same_list(a, b, set, 1) &&
                a->free_count[set] == b->free_count[set];
        uint32_t x = tags_victim(a, set), y = tags_victim(b, set);
        equal = equal && (x == TAGS_NONE) == (y == TAGS_NONE);
        if (equal && x != TAGS_NONE)
            equal = same_line(a, b, x, y);
    }
    return equal;
}

/* ---- accesses ---- */

struct pair {
    struct cache cache; /* one packet after the other */
    struct compact compact;
    uint64_t now;
    uint32_t random;
};

static uint32_t draw(struct pair *pair)
{
    pair->random = pair->random * 1664525u + 1013904223u;
    return pair->random >> 8;
}

struct access {
    enum packet_kind kind;
    uint64_t line;
    uint32_t sectors;
    uint32_t bytes[TAGS_SECTORS];
};

static struct access draw_access(struct pair *pair, uint32_t lines)
{
    uint32_t what = draw(pair) % 16;
    struct access access = {
        .kind = what < 8    ? PACKET_READ
                : what < 15 ? PACKET_WRITE
                            : PACKET_ATOMIC,
        .line = 128ull * (draw(pair) % lines),
        .sectors = 1 + draw(pair) % 15,
    };
    for (uint32_t s = 0; s < TAGS_SECTORS; s++) {
        uint32_t half = draw(pair) & 1 ? 0xffff0000u : 0xffffu;
        access.bytes[s] = draw(pair) & 1 ? UINT32_MAX : half;
    }
    return access;
}

/* Sector by sector. */
static struct compact_result each(struct pair *pair, const struct access *access)
{
    struct compact_result all = {.there = true};
    uint32_t set = tags_set(&pair->cache.tags, access->line), at = 0;
    all.there = tags_find(&pair->cache.tags, access->line) != TAGS_NONE;
    pair->now++;
    for (uint32_t s = TAGS_SECTORS; s-- > 0;) {
        struct packet packet = packet_of(access->kind, access->line + 32 * s);
        packet.bytes = access->bytes[s];
        if (!(access->sectors >> s & 1))
            continue;
        struct cache_functional_result one =
            cache_functional_access(&pair->cache, &packet, set, pair->now, &at);
        all.hits |= (uint32_t)(one.status == CACHE_HIT) << s;
        all.evicted |= one.evicted;
    }
    all.refused = tags_find(&pair->cache.tags, access->line) == TAGS_NONE;
    return all;
}

static struct compact_result at_once(struct pair *pair, const struct access *access)
{
    uint32_t number = tags_set(&pair->cache.tags, access->line), whole = 0;
    uint32_t set = compact_set(&pair->compact, number);
    struct compact_name name = compact_name(access->line);
    for (uint32_t s = 0; s < TAGS_SECTORS; s++)
        whole |= (uint32_t)(access->bytes[s] == UINT32_MAX) << s;
    if (access->kind == PACKET_WRITE)
        return compact_write(&pair->compact, set, name, access->sectors,
                             whole & access->sectors, access->bytes);
    return compact_read(&pair->compact, set, name, access->sectors,
                        access->kind == PACKET_ATOMIC ? access->sectors : 0);
}

static void check_access(struct pair *pair, uint32_t lines, int number)
{
    struct access access = draw_access(pair, lines);
    struct compact_result one = each(pair, &access), all = at_once(pair, &access);
    ck_assert_msg(one.there == all.there && one.hits == all.hits &&
                      one.refused == all.refused && one.evicted == all.evicted,
                  "access %d: %u %x %u %x instead of %u %x %u %x", number, all.there, all.hits,
                  all.refused, all.evicted, one.there, one.hits, one.refused, one.evicted);
}

static void begin(struct pair *pair, const struct geometry *geometry)
{
    *pair = (struct pair){.random = 1, .now = 1000};
    start(&pair->cache, geometry);
    ck_assert(compact_fits(&pair->cache.tags.spec, geometry->write_policy, 'L'));
    ck_assert(compact_init(&pair->compact, &pair->cache.tags.spec, geometry->write_policy));
}

static void end(struct pair *pair)
{
    cache_finish(&pair->cache);
    compact_finish(&pair->compact);
}

/* Stores what the compact tags hold, and compares it. */
static void check_stored(struct pair *pair, const struct geometry *geometry)
{
    struct cache stored;
    start(&stored, geometry);
    compact_store(&pair->compact, &stored.tags, pair->now);
    ck_assert(same(&stored.tags, &pair->cache.tags));
    cache_finish(&stored);
}

START_TEST(as_packets)
{
    const struct geometry *geometry = &geometries[_i];
    struct pair pair;
    begin(&pair, geometry);
    for (int i = 0; i < ACCESSES; i++) {
        check_access(&pair, geometry->lines, i);
        if (i % 97 == 0)
            check_stored(&pair, geometry);
    }
    end(&pair);
}
END_TEST

/* From tags and back, with lines in any order of use. */
START_TEST(loads_what_it_stores)
{
    const struct geometry *geometry = &geometries[_i];
    struct pair pair;
    begin(&pair, geometry);
    for (int i = 0; i < ACCESSES / 10; i++) {
        check_access(&pair, geometry->lines, i);
        if (i % 13 == 0)
            compact_load(&pair.compact, &pair.cache.tags);
        if (i % 29 == 0)
            check_stored(&pair, geometry);
    }
    end(&pair);
}
END_TEST

/* Emptied when it is full or nearly empty, with other ways or the same. */
START_TEST(clears)
{
    const struct geometry *geometry = &geometries[_i];
    struct pair pair;
    begin(&pair, geometry);
    for (int round = 0; round < 40; round++) {
        uint32_t ways = draw(&pair) % (geometry->ways + 1);
        int accesses = (int)(draw(&pair) % (round % 2 ? 4 : 400));
        tags_clear(&pair.cache.tags, ways);
        compact_clear(&pair.compact, ways);
        for (int i = 0; i < accesses; i++)
            check_access(&pair, geometry->lines, i);
        struct cache stored;
        start(&stored, geometry);
        compact_store(&pair.compact, &stored.tags, pair.now);
        ck_assert(same(&stored.tags, &pair.cache.tags));
        cache_finish(&stored);
    }
    end(&pair);
}
END_TEST

/* What is older stays older when the clock starts again, which sets of many ways have. */
START_TEST(clock_starts_again)
{
    const struct geometry *geometry = &geometries[_i];
    struct pair pair;
    begin(&pair, geometry);
    for (int i = 0; i < ACCESSES / 10; i++) {
        if (i % 100 == 50 && pair.compact.lines != NULL)
            pair.compact.clock = UINT32_MAX - 3;
        check_access(&pair, geometry->lines, i);
    }
    ck_assert_uint_lt(pair.compact.clock, ACCESSES);
    check_stored(&pair, geometry);
    end(&pair);
}
END_TEST

/* Lines at addresses of any height are told apart, up to 2^58. */
START_TEST(tells_addresses_apart)
{
    static const uint64_t addresses[] = {0, 1ull << 31, 1ull << 40, 1ull << 52, 1ull << 57};
    struct pair pair;
    begin(&pair, &geometries[6]);
    for (int i = 0; i < 5; i++) {
        struct access access = {PACKET_READ, addresses[i], 1, {0}};
        ck_assert(!at_once(&pair, &access).there);
        each(&pair, &access);
    }
    check_stored(&pair, &geometries[6]);
    end(&pair);
}
END_TEST

/* A line of SET that is found by BYTE. */
static uint64_t line_with(uint32_t set, uint8_t byte, uint64_t number)
{
    while (number % 4 != set || compact_print(compact_name(number << COMPACT_LINE)) != byte)
        number++;
    return number << COMPACT_LINE;
}

/* The hashes of a full set of eight ways make up the key of a line of the set before it. */
START_TEST(sets_keep_apart)
{
    const struct tags_spec spec = {
        .sets = 4, .ways = 8, .line_bytes = 128, .sector_bytes = 32, .set_index = 'L'};
    struct compact compact;
    ck_assert(compact_init(&compact, &spec, 'B'));
    struct compact_name line = compact_name(line_with(0, 0, 0x123456789abc));
    uint64_t key = line.number << 12;
    for (uint32_t way = 0; way < 8; way++) {
        uint64_t other = line_with(1, (uint8_t)(key >> 8 * way), 1 + way * 100000);
        compact_read(&compact, compact_set(&compact, 1), compact_name(other), 1, 0);
    }
    ck_assert(!compact_read(&compact, compact_set(&compact, 0), line, 15, 0).there);
    ck_assert(compact_read(&compact, compact_set(&compact, 0), line, 15, 0).there);
    compact_finish(&compact);
}
END_TEST

/* As many lines as 16 bits count, all there at once, and one more. */
START_TEST(as_large_as_can_be)
{
    enum { SETS = 1024, WAYS = 58 };
    struct tags_spec spec = {.sets = SETS,
                             .ways = WAYS,
                             .line_bytes = 128,
                             .sector_bytes = 32,
                             .set_index = 'L',
                             .replacement = &cache_replacement_lru};
    struct compact compact;
    ck_assert(compact_fits(&spec, 'B', 'L') && compact_init(&compact, &spec, 'B'));
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t n = 0; n < SETS * WAYS; n++) {
            struct compact_name line = compact_name((uint64_t)n << COMPACT_LINE);
            uint32_t set = compact_set(&compact, n % SETS);
            ck_assert_int_eq(compact_read(&compact, set, line, 15, 0).there, pass);
        }
    struct compact_name other = compact_name((uint64_t)SETS * WAYS << COMPACT_LINE);
    ck_assert(!compact_read(&compact, 0, other, 15, 0).there);
    ck_assert(!compact_read(&compact, 0, compact_name(0), 15, 0).there);
    compact_finish(&compact);
    spec.ways = 62;
    ck_assert(!compact_fits(&spec, 'B', 'L'));
}
END_TEST

START_TEST(fits)
{
    struct tags_spec spec = {.sets = 64,
                             .ways = 16,
                             .line_bytes = 128,
                             .sector_bytes = 32,
                             .replacement = &cache_replacement_lru};
    ck_assert(compact_fits(&spec, 'B', 'L') && compact_fits(&spec, 'T', 'L'));
    ck_assert(!compact_fits(&spec, 'E', 'L') && !compact_fits(&spec, 'B', 'F'));
    struct tags_spec other = spec;
    other.replacement = &cache_replacement_fifo;
    ck_assert(!compact_fits(&other, 'B', 'L'));
    other = spec;
    other.sector_bytes = 128;
    ck_assert(!compact_fits(&other, 'B', 'L'));
    other = spec;
    other.sets = 4096;
    ck_assert(compact_fits(&other, 'B', 'L'));
    other.ways = 17; /* 69632 lines: more than 15 bits count */
    ck_assert(!compact_fits(&other, 'B', 'L'));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {tells_addresses_apart, sets_keep_apart, as_large_as_can_be,
                                  fits};
    const TTest *const loops[] = {as_packets, loads_what_it_stores, clears, clock_starts_again};
    return suite_run_tests("compact", tests, 4, loops, 4, GEOMETRIES);
}
