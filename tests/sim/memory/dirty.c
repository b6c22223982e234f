/* Dirty lines of L2 that are written back before they are replaced. */
#include "tests/sim/support.h"

#include "sim/simulator.h"

#define LINES 4

static struct slice *slice_of(const struct bench *bench)
{
    return engine_slice(&bench->sim->engine, 0);
}

/* LINES addresses of lines of one set. */
static void lines_of_a_set(const struct bench *bench, uint64_t lines[LINES])
{
    uint32_t wanted = 0, set, found = 0;
    for (uint64_t at = 0x10000; found < LINES; at += 128) {
        (void)address_table_of(&bench->sim->engine.spec.places, at, &set);
        if (found == 0)
            wanted = set;
        if (set == wanted)
            lines[found++] = at;
    }
}

/* A launch that writes BYTES bytes of each of 8 lanes at ADDRESS. */
static struct sim_result store(struct bench *bench, uint64_t address, unsigned bytes)
{
    char program[200];
    snprintf(program, sizeof program, "@000000ff STG.E%s R2 R3 [ %u 1 0x%lx 4 ]; EXIT",
             bytes == 1 ? ".U8" : "", bytes, (unsigned long)address);
    return bench_launch(bench, &(struct launch_text){.program = program});
}

/* One that writes a word. */
static struct sim_result store_word(struct bench *bench, uint64_t address)
{
    char program[200];
    snprintf(program, sizeof program, "@00000001 STG.E R2 R3 [ 4 1 0x%lx 4 ]; EXIT",
             (unsigned long)address);
    return bench_launch(bench, &(struct launch_text){.program = program});
}

static struct sim_result load(struct bench *bench, uint64_t address)
{
    char program[200];
    snprintf(program, sizeof program,
             "@000000ff R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x%lx 4 ]; EXIT",
             (unsigned long)address);
    return bench_launch(bench, &(struct launch_text){.program = program});
}

/* Of two dirty lines of a set a third makes one go to DRAM, one sector of it; it stays, so that
 * all three are read without DRAM. Without the limit nothing is written. */
START_TEST(ways)
{
    uint64_t lines[LINES];
    for (unsigned most = 0; most <= 2; most += 2) {
        struct bench bench =
            bench_create(most == 0 ? SETS("gpgpu_flush_l1_cache=1")
                                   : SETS("gpgpu_flush_l1_cache=1", "hearth_l2_dirty_ways=2"));
        lines_of_a_set(&bench, lines);
        uint64_t written = 0;
        for (int i = 0; i < 3; i++) {
            struct sim_result result = store(&bench, lines[i], 4);
            written += result.counters.dram_writes;
            ck_assert_uint_eq(result.counters.l2_evictions_dirty, 0);
        }
        ck_assert_uint_eq(written, most == 0 ? 0 : 1);
        ck_assert_uint_eq(slice_of(&bench)->cache.tags.dirty_lines, most == 0 ? 3 : 2);
        for (int i = 0; i < 3; i++) {
            struct sim_result result = load(&bench, lines[i]);
            ck_assert_uint_eq(result.counters.l2_read_hits, 1);
            ck_assert_uint_eq(result.counters.dram_reads, 0);
        }
        bench_destroy(&bench);
    }
}
END_TEST

/* The same of lines of whose sector one word is there: DRAM reads the sector before it writes
 * it, if it is written as a whole. */
START_TEST(words)
{
    uint64_t lines[LINES];
    for (unsigned whole = 0; whole <= 1; whole++) {
        struct bench bench =
            bench_create(SETS("gpgpu_flush_l1_cache=1", "hearth_l2_dirty_ways=2",
                              whole ? "hearth_dram_whole_writes=1" : "hearth_l2_fetch=32"));
        lines_of_a_set(&bench, lines);
        for (int i = 0; i < 3; i++)
            store_word(&bench, lines[i]);
        engine_drain(&bench.sim->engine, bench.sim->now);
        struct dram_stats dram = {0};
        for (uint32_t c = 0; c < bench.sim->engine.spec.channels; c++) {
            dram.reads += bench.sim->engine.partitions[c].dram.stats.reads;
            dram.writes += bench.sim->engine.partitions[c].dram.stats.writes;
        }
        ck_assert_uint_eq(dram.writes, 1);
        ck_assert_uint_eq(dram.reads, whole);
        bench_destroy(&bench);
    }
}
END_TEST

/* When a launch begins, one of 512 lines of the slice may be dirty, which has 1,024: two of
 * four. What was written back counts for no launch. */
START_TEST(kept)
{
    struct bench bench =
        bench_create(SETS("gpgpu_flush_l1_cache=1", "hearth_l2_dirty_kept=512"));
    const struct tags *tags = &slice_of(&bench)->cache.tags;
    uint64_t lines[LINES], written = 0;
    ck_assert_uint_eq(tags->spec.sets * tags->spec.ways, 1024);
    lines_of_a_set(&bench, lines);
    for (int i = 0; i < LINES; i++) {
        struct sim_result result = store(&bench, lines[i], 4);
        written += result.counters.dram_writes;
        ck_assert_uint_eq(tags->dirty_lines, i < 2 ? i + 1 : 3);
    }
    load(&bench, lines[0]);
    ck_assert_uint_eq(tags->dirty_lines, 2);
    ck_assert_uint_eq(written, 0);
    bench_destroy(&bench);
}
END_TEST

/* Whether each of LINES is dirty, as a mask, when a launch begins behind one that wrote them
 * and one that read FIRST of them. */
static uint32_t kept_of(const uint64_t lines[LINES], int first)
{
    struct bench bench =
        bench_create(SETS("gpgpu_flush_l1_cache=1", "hearth_l2_dirty_kept=512"));
    const struct tags *tags = &slice_of(&bench)->cache.tags;
    char program[400] = "";
    uint32_t mask = 0;
    load(&bench, lines[first]);
    for (int i = 0; i < LINES; i++)
        sprintf(program + strlen(program), "@000000ff STG.E R2 R3 [ 4 1 0x%lx 4 ]; ",
                (unsigned long)lines[i]);
    strcat(program, "EXIT");
    bench_launch(&bench, &(struct launch_text){.program = program});
    ck_assert_uint_eq(tags->dirty_lines, LINES);
    slice_clean(slice_of(&bench));
    for (int i = 0; i < LINES; i++)
        mask |= (uint32_t)(tags->lines[tags_find(tags, lines[i])].dirty != 0) << i;
    bench_destroy(&bench);
    return mask;
}

/* Which lines stay dirty does not depend on their ways, which a saved state does not have. */
START_TEST(kept_in_any_way)
{
    struct bench bench = bench_create(NO_SETS);
    uint64_t lines[LINES];
    lines_of_a_set(&bench, lines);
    bench_destroy(&bench);
    uint32_t dirty = kept_of(lines, 0);
    ck_assert_int_eq(__builtin_popcount(dirty), 2);
    for (int first = 1; first < LINES; first++)
        ck_assert_uint_eq(kept_of(lines, first), dirty);
}
END_TEST

/* A launch that writes LINES, of the lines of PARTIAL, as a mask, one word each. */
static void store_mixed(struct bench *bench, const uint64_t lines[LINES], uint32_t partial)
{
    char program[400] = "";
    for (uint32_t i = 0; i < LINES; i++)
        sprintf(program + strlen(program), "@%08x STG.E R2 R3 [ 4 1 0x%lx 4 ]; ",
                partial >> i & 1 ? 1 : 255, (unsigned long)lines[i]);
    strcat(program, "EXIT");
    bench_launch(bench, &(struct launch_text){.program = program});
}

/* Those of LINES that are dirty, as a mask. */
static uint32_t dirty_of(const struct bench *bench, const uint64_t lines[LINES])
{
    const struct tags *tags = &slice_of(bench)->cache.tags;
    uint32_t mask = 0;
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t line = tags_find(tags, lines[i]);
        mask |= (uint32_t)(line != TAGS_NONE && tags->lines[line].dirty != 0) << i;
    }
    return mask;
}

/* Two of four lines stay dirty, between launches or with a limit of two for a set: those that
 * have only a word of their sector, whichever they are. If there are three, one of them is
 * written, too. */
START_TEST(whole_first)
{
    uint64_t lines[LINES];
    for (uint32_t partial = 0; partial < 1u << LINES; partial++) {
        int count = __builtin_popcount(partial);
        for (int between = 0; between <= 1 && count != 0; between++) {
            struct bench bench = bench_create(
                SETS("gpgpu_flush_l1_cache=1",
                     between ? "hearth_l2_dirty_kept=512" : "hearth_l2_dirty_ways=2"));
            lines_of_a_set(&bench, lines);
            store_mixed(&bench, lines, partial);
            if (between)
                slice_clean(slice_of(&bench));
            uint32_t dirty = dirty_of(&bench, lines);
            ck_assert_int_eq(__builtin_popcount(dirty), 2);
            if (count <= 2 && (between || count == 1))
                ck_assert_uint_eq(dirty & partial, partial);
            else if (between)
                ck_assert_uint_eq(dirty & ~partial, 0);
            bench_destroy(&bench);
        }
    }
}
END_TEST

/* Lines 0 to 2 of a set, used in that order, of which 1 and 2 are dirty, 2 in part. */
static void make_set(struct tags *tags)
{
    const struct tags_spec spec = {.sets = 1,
                                   .ways = 3,
                                   .line_bytes = 128,
                                   .sector_bytes = 32,
                                   .set_index = 'L',
                                   .replacement = &cache_replacement_lru};
    uint64_t evicted;
    ck_assert(tags_init(tags, &spec));
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t line;
        ck_assert_int_eq(tags_probe(tags, 0, 128 * i, false, &line), TAGS_MISS);
        tags_allocate(tags, 0, line, 128 * i, 10 + i, &evicted);
        tags_fill(tags, 0, line, 128 * i);
        if (i != 0)
            tags_write(tags, 0, line, 128 * i + (i == 2 ? 32 : 0), i == 2 ? 15 : UINT32_MAX,
                       false);
    }
}

/* A line that is cleaned keeps its place among those that may be replaced. */
START_TEST(order)
{
    struct tags tags;
    uint64_t address;
    make_set(&tags);
    uint32_t first = tags_find(&tags, 0), second = tags_find(&tags, 128);
    tags_touch(&tags, 0, first, 20);
    ck_assert_uint_eq(tags_clean(&tags, 0, first, &address), 0);
    ck_assert_uint_eq(tags_clean(&tags, 0, second, &address), 1);
    ck_assert_uint_eq(address, 128);
    ck_assert_uint_eq(tags.dirty_lines, 1);
    ck_assert(tags_hit(&tags, 128, false));
    ck_assert_uint_eq(tags_victim(&tags, 0), second);
    tags_touch(&tags, 0, second, 21);
    ck_assert_uint_eq(tags_victim(&tags, 0), tags_find(&tags, 256));
    tags_finish(&tags);
}
END_TEST

/* A sector of which bytes are missing does not stay; a line without others goes. */
START_TEST(parts)
{
    struct tags tags;
    uint64_t address;
    make_set(&tags);
    uint32_t third = tags_find(&tags, 256);
    ck_assert_uint_eq(tags_clean(&tags, 0, third, &address), 2);
    ck_assert(tags_hit(&tags, 256, false));
    ck_assert(!tags_hit(&tags, 256 + 32, true));
    tags_invalidate(&tags, 0, third, 256);
    ck_assert_uint_eq(tags.free_count[0], 1);
    tags_finish(&tags);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {ways,        words, kept, kept_in_any_way,
                                  whole_first, order, parts};
    return RUN_TESTS("dirty", tests);
}
