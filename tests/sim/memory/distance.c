/* Distances between SMs and L2 slices. */
#include "tests/sim/support.h"

#include "sim/functional/access_queue.h"
#include "sim/memory/distance.h"
#include "sim/memory/queue.h"
#include "sim/simulator.h"

#define SPREAD 52

/* Each distance is about as frequent as any other, for each SM over the slices and the other
 * way round. */
START_TEST(evenly)
{
    uint32_t found[SPREAD + 1] = {0};
    for (uint32_t sm = 0; sm < 132; sm++) {
        uint32_t sum = 0;
        for (uint32_t slice = 0; slice < 160; slice++) {
            uint32_t distance = distance_cycles(SPREAD, sm, slice);
            ck_assert_uint_le(distance, SPREAD);
            found[distance]++;
            sum += distance;
        }
        ck_assert_uint_gt(sum, 160 * SPREAD / 2 * 8 / 10);
        ck_assert_uint_lt(sum, 160 * SPREAD / 2 * 12 / 10);
    }
    for (uint32_t d = 0; d <= SPREAD; d++) {
        ck_assert_uint_gt(found[d], 132 * 160 / (SPREAD + 1) * 7 / 10);
        ck_assert_uint_lt(found[d], 132 * 160 / (SPREAD + 1) * 13 / 10);
    }
    ck_assert_uint_eq(distance_cycles(0, 7, 9), 0);
}
END_TEST

/* Packets leave by their cycles, those of the same cycle in the order of their coming. */
START_TEST(in_order)
{
    struct queue queue = {0};
    const uint64_t ready[] = {50, 20, 50, 70, 20, 10}, expected[] = {5, 1, 4, 0, 2, 3};
    for (uint64_t i = 0; i < 6; i++)
        queue_push_in_order(&queue, &(struct packet){.address = i}, ready[i]);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(queue_head(&queue)->packet.address, expected[i]);
        ck_assert_uint_eq(queue_next(&queue), ready[expected[i]]);
        queue_pop(&queue);
    }
    queue_finish(&queue);
}
END_TEST

#define TWO_SLICES(...)                                                                        \
    SETS("gpgpu_n_sub_partition_per_mchannel=2", "hearth_scatter_turns=0", __VA_ARGS__)

/* A hit in L2 takes longer by the distance of its slice. */
START_TEST(launches)
{
    struct bench spread = bench_create(TWO_SLICES("hearth_l2_spread=52"));
    struct bench even = bench_create(TWO_SLICES("hearth_l2_spread=0"));
    bool seen[2] = {false};
    for (uint64_t at = 0x10000; at < 0x12000; at += 128) {
        uint32_t set, slice = address_table_of(&spread.sim->engine.spec.places, at, &set);
        bench_access(&spread, BENCH_READ, at);
        bench_access(&even, BENCH_READ, at);
        ck_assert_uint_eq(bench_access(&spread, BENCH_READ, at),
                          bench_access(&even, BENCH_READ, at) + distance_cycles(52, 0, slice));
        seen[slice] = true;
    }
    ck_assert(seen[0] && seen[1]);
    ck_assert_uint_ne(distance_cycles(52, 0, 0), distance_cycles(52, 0, 1));
    bench_destroy(&spread);
    bench_destroy(&even);
}
END_TEST

/* SMs 0, 2, 4 and 6 are of GPC 0 and as far from a slice as its number says, the others of
 * GPC 1. */
START_TEST(of_gpcs)
{
    struct bench bench =
        bench_create(TWO_SLICES("hearth_l2_spread=52", "hearth_l2_spread_gpc=1",
                                "gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2"));
    const struct spec *spec = &bench.sim->engine.spec;
    for (uint32_t sm = 0; sm < 8; sm++)
        for (uint32_t slice = 0; slice < 2; slice++)
            ck_assert_uint_eq(spec_distance(spec, sm, slice),
                              distance_cycles(52, sm % 2, slice));
    ck_assert_uint_ne(spec_distance(spec, 7, 1), distance_cycles(52, 7, 1));
    bench_destroy(&bench);
}
END_TEST

/* A GPC of four TPCs, which are of three CPCs in turn: the first TPC has place 3, the others 0,
 * 1 and 2. Only the one in place 0 has another one of its CPC behind it, and that in place 2 is
 * of the last CPC. */
START_TEST(of_tpcs)
{
    struct bench bench = bench_create(TWO_SLICES(
        "hearth_l2_spread=0", "gpgpu_n_clusters=16", "hearth_gpcs=2", "hearth_tpc=2",
        "hearth_cpcs=3", "hearth_tpc_step=4", "hearth_cpc_step=9", "hearth_gpc_blocks=1"));
    const struct spec *spec = &bench.sim->engine.spec;
    const uint32_t expected[] = {0, 4, 0, 9};
    for (uint32_t sm = 0; sm < 16; sm++) {
        ck_assert_uint_eq(spec->sm_tpcs[sm], sm / 2 % 4);
        ck_assert_uint_eq(spec_distance(spec, sm, 0), expected[sm / 2 % 4]);
    }
    bench_destroy(&bench);
}
END_TEST

/* A TPC is two clusters of two SMs: GPCs have even and odd clusters. */
START_TEST(of_clusters)
{
    struct bench bench =
        bench_create(TWO_SLICES("hearth_l2_spread=0", "gpgpu_n_clusters=16", "hearth_gpcs=2",
                                "hearth_tpc=2", "gpgpu_n_cores_per_cluster=2"));
    const struct spec *spec = &bench.sim->engine.spec;
    for (uint32_t sm = 0; sm < 32; sm++)
        ck_assert_uint_eq(spec->sm_tpcs[sm], sm / 8);
    bench_destroy(&bench);
}
END_TEST

/* Functional launches know each part of a distance, also by itself: of the last CPC, to which
 * the TPC of SM 6 belongs, and of TPCs with another one behind them. */
START_TEST(without_time)
{
    static const struct {
        const char *option;
        uint32_t sm, distance;
    } cases[] = {{"hearth_cpc_step=9", 6, 9}, {"hearth_tpc_step=4", 2, 4}};
    for (unsigned i = 0; i < 2; i++) {
        struct bench bench = bench_create(TWO_SLICES(
            "hearth_l2_spread=0", "gpgpu_n_clusters=16", "hearth_gpcs=2", "hearth_tpc=2",
            "hearth_cpcs=3", "hearth_gpc_blocks=1", cases[i].option));
        struct access_queue queue;
        struct error err = {0};
        ck_assert_int_eq(access_queue_init(&queue, bench.sim, 1, &err), 0);
        access_queue_read(&queue, 0, 0);
        ck_assert_uint_eq(queue.distance, 0);
        access_queue_read(&queue, cases[i].sm, 0);
        ck_assert_uint_eq(queue.distance, cases[i].distance);
        access_queue_finish(&queue);
        bench_destroy(&bench);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {evenly,  in_order,    launches,    of_gpcs,
                                  of_tpcs, of_clusters, without_time};
    return RUN_TESTS("distance", tests);
}
