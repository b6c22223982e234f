/* Loads that say how much L2 prefetches: LTC64B, LTC128B, LTC256B. */
#include "tests/sim/support.h"

#include "sim/functional/l2_functional.h"
#include "sim/memory/halves.h"
#include "sim/simulator.h"

#define LINE         0x10000
#define WRITE        "STG.E R2 R3"
#define LOAD(suffix) "R1 = LDG.E" suffix ".STRONG.GPU R2"

#define ONE(...)                                                                               \
    SETS("gpgpu_n_clusters=1", "gpgpu_n_mem=1", "gpgpu_n_sub_partition_per_mchannel=1",        \
         "gpgpu_flush_l1_cache=1", __VA_ARGS__)
#define ON "hearth_load_prefetch=1"

static uint64_t dram_reads(const struct bench *bench)
{
    return partition_dram(&bench->sim->engine.partitions[0], UINT64_MAX).reads;
}

static const struct tags *tags_of(const struct bench *bench, uint32_t slice)
{
    return &engine_slice(&bench->sim->engine, slice)->cache.tags;
}

/* The sectors of the line of ADDRESS that slice 0 holds, as a mask. */
static uint32_t held(const struct bench *bench, uint64_t address)
{
    const struct tags *tags = tags_of(bench, 0);
    uint32_t line = tags_find(tags, address & ~127ull);
    return line == TAGS_NONE ? 0 : tags->lines[line].valid;
}

/* What a load of the second sector of a line brings, and nothing twice. */
START_TEST(brings_what_it_says)
{
    const struct {
        const char *const *sets;
        const char *load;
        uint32_t held;
    } cases[] = {
        {ONE(ON), LOAD(""), 2},
        {ONE(ON), LOAD(".LTC64B"), 3},
        {ONE(ON), LOAD(".LTC128B"), 15},
        {ONE(ON), LOAD(".LTC256B"), 15},
        {ONE("hearth_load_prefetch=0"), LOAD(".LTC128B"), 2},
        {ONE(ON, "hearth_l2_fetch=64"), LOAD(".LTC64B"), 3},
        {ONE(ON, "hearth_l2_fetch=64"), LOAD(".LTC128B"), 15},
        {ONE(ON, "hearth_l2_fetch=128"), LOAD(".LTC64B"), 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench bench = bench_create(cases[i].sets);
        bench_access(&bench, cases[i].load, LINE + 32);
        ck_assert_uint_eq(held(&bench, LINE), cases[i].held);
        ck_assert_uint_eq(dram_reads(&bench), (unsigned)__builtin_popcount(cases[i].held));
        bench_destroy(&bench);
    }
}
END_TEST

/* The load itself waits for its own sector alone; what it has prefetched is then a hit. */
START_TEST(nobody_waits)
{
    struct bench plain = bench_create(ONE(ON)), ahead = bench_create(ONE(ON));
    uint64_t miss = bench_access(&plain, LOAD(""), LINE);
    uint64_t other = bench_access(&plain, LOAD(""), LINE + 96);
    uint64_t hit = bench_access(&plain, LOAD(""), LINE + 96);
    ck_assert_uint_gt(other, hit + 50);
    ck_assert_uint_eq(bench_access(&ahead, LOAD(".LTC128B"), LINE), miss);
    ck_assert_uint_eq(bench_access(&ahead, LOAD(""), LINE + 96), hit);
    bench_destroy(&plain);
    bench_destroy(&ahead);
}
END_TEST

/* A hit brings nothing, and a sector that was written is not fetched. */
START_TEST(only_what_is_missing)
{
    struct bench bench = bench_create(ONE(ON));
    bench_access(&bench, LOAD(""), LINE);
    bench_access(&bench, LOAD(".LTC128B"), LINE);
    ck_assert_uint_eq(held(&bench, LINE), 1);
    bench_access(&bench, WRITE, LINE + 64);
    bench_access(&bench, LOAD(".LTC128B"), LINE + 32);
    ck_assert_uint_eq(held(&bench, LINE), 15);
    ck_assert_uint_eq(dram_reads(&bench), 3);
    const struct tags *tags = tags_of(&bench, 0);
    ck_assert_uint_eq(tags->lines[tags_find(tags, LINE)].dirty, 4);
    bench_destroy(&bench);
}
END_TEST

/* Without a free MSHR only what was asked for comes. */
START_TEST(needs_an_mshr)
{
    struct bench bench =
        bench_create(ONE(ON, "gpgpu_cache:dl2=S:64:128:16,L:B:m:L:L,A:1:4,32:0,32"));
    bench_access(&bench, LOAD(".LTC128B"), LINE);
    ck_assert_uint_eq(held(&bench, LINE), 1);
    bench_destroy(&bench);
}
END_TEST

/* The near half of SM 0 copies as much as its home fetches, and DRAM is read once; in a
 * functional launch, too. */
START_TEST(copies_as_much)
{
    struct bench bench = bench_create(SETS(
        "gpgpu_n_clusters=2", "gpgpu_n_sub_partition_per_mchannel=2", "hearth_scatter_turns=0",
        "gpgpu_n_mem=1", "hearth_l2_far_latency=150", "hearth_l2_fetch=64", ON));
    const struct address_table_map *places = &bench.sim->engine.spec.places;
    const struct tags *tags = tags_of(&bench, 1);
    uint64_t line = LINE, other;
    uint32_t set;
    while (address_table_of(places, line, &set) != 1)
        line += 128;
    for (other = line + 128; address_table_of(places, other, &set) != 1;)
        other += 128;
    const struct packet packet = {
        .address = other + 32, .kind = PACKET_READ_L2, .ahead = 2, .sm = 0};
    bench_access(&bench, LOAD(".LTC128B"), line + 32);
    ck_assert_uint_eq(dram_reads(&bench), 4);
    ck_assert_uint_eq(tags->lines[tags_find(tags, line)].valid, 15);
    ck_assert_uint_eq(tags->lines[tags_find(tags, line | PACKET_COPIED)].valid, 15);
    l2_functional_access(&bench.sim->engine, NULL, &packet, 100000, NULL);
    ck_assert_uint_eq(tags->lines[tags_find(tags, other)].valid, 15);
    ck_assert_uint_eq(tags->lines[tags_find(tags, other | PACKET_COPIED)].valid, 15);
    bench_destroy(&bench);
}
END_TEST

/* Copies leave an MSHR to their homes, also where a part of what a load prefetches is there. */
START_TEST(leaves_an_mshr)
{
    struct bench bench = bench_create(
        SETS("gpgpu_n_clusters=2", "gpgpu_n_sub_partition_per_mchannel=2", "gpgpu_n_mem=1",
             "gpgpu_cache:dl2=S:64:128:16,L:B:m:L:L,A:2:4,32:0,32", "hearth_first_sm=1",
             "hearth_l2_far_latency=150", "hearth_l2_fetch=64", ON));
    const struct tags *tags = tags_of(&bench, 1);
    uint64_t line = LINE;
    uint32_t set;
    while (address_table_of(&bench.sim->engine.spec.places, line, &set) != 1)
        line += 128;
    bench_access(&bench, WRITE, line + 64);
    ck_assert_uint_eq(tags->lines[tags_find(tags, line | PACKET_COPIED)].valid, 4);
    bench_access(&bench, LOAD(".LTC128B"), line);
    ck_assert_uint_eq(tags->lines[tags_find(tags, line | PACKET_COPIED)].valid, 7);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        brings_what_it_says, nobody_waits,   only_what_is_missing,
        needs_an_mshr,       copies_as_much, leaves_an_mshr,
    };
    return RUN_TESTS("load_prefetch", tests);
}
