/* Atomics and stores: the atomic unit of an L2 slice, and what warps wait for. One SM, one
 * slice, all clocks equal; times as in tests/sim/memory.c: a warp's instruction issued in t
 * comes to the load/store unit at the end of t+3; in t+4 its first transaction is on its way to
 * the crossbar, and one more in each cycle after that; a hit in L2 in t+194 is written, and a
 * dependent instruction issued, in t+199. */
#include "tests/sim/support.h"

#include <stdio.h>

#include "sim/simulator.h"

#define HIT 199

#define ATOM(mask, mode) "@" mask " R1 = ATOMG.E.ADD R1 R3 [ 4 1 0x1000 " mode " ];"
#define RED(mask, mode)  "@" mask " RED.E.ADD R2 R3 [ 4 1 0x1000 " mode " ];"

/* Of ten dependent instructions each: the difference of 10 and 20 of them. */
static uint64_t link(const char *const *sets, const char *inst)
{
    uint64_t some = cycles_of(sets, repeated("%EXIT", 10, inst));
    uint64_t more = cycles_of(sets, repeated("%EXIT", 20, inst));
    ck_assert_uint_eq((more - some) % 10, 0);
    return (more - some) / 10;
}

/* On the line through one and eight lanes, in parts of ticks; eight take no less than one. */
START_TEST(times)
{
    const struct atomic_unit_spec spec = {.lanes = 46, .sectors = 9};
    ck_assert_uint_eq(atomic_unit_time(&spec, 1) * 32, 46 * ATOMIC_UNIT_PARTS);
    ck_assert_uint_eq(atomic_unit_time(&spec, 8) * 4, 9 * ATOMIC_UNIT_PARTS);
    ck_assert_uint_eq(atomic_unit_time(&spec, 15),
                      2 * atomic_unit_time(&spec, 8) - atomic_unit_time(&spec, 1));
    const struct atomic_unit_spec flat = {.lanes = 64, .sectors = 1};
    ck_assert_uint_eq(atomic_unit_time(&flat, 8), 2 * ATOMIC_UNIT_PARTS);
}
END_TEST

/* 46 ticks for 32 transactions: they begin in 0, 1, 2, 4, 5, 7 ..., and the 33rd in 46. */
START_TEST(begins)
{
    const struct atomic_unit_spec spec = {.lanes = 46, .sectors = 9};
    static const uint64_t first[] = {0, 1, 2, 4, 5, 7};
    struct atomic_unit unit = {.waiting = 33};
    const struct packet packet = packet_of(PACKET_ATOMIC, 0);
    uint64_t tick = 0;
    for (unsigned i = 0; i < 33; i++, tick++) {
        queue_push(&unit.in, &packet, 0);
        while (!atomic_unit_is_free(&unit, tick))
            tick++;
        ck_assert(i >= 6 || tick == first[i]);
        ck_assert(i != 32 || tick == 46);
        atomic_unit_begin(&unit, &spec, 1, tick);
    }
    ck_assert_uint_eq(unit.waiting, 0);
    ck_assert_uint_eq(unit.in.count, 0);
    queue_finish(&unit.in);
}
END_TEST

/* A transaction a tick with and without a unit; two ticks each, the 32nd begins in the 62nd
 * tick after the first instead of the 31st; four of eight lanes in the 0th, 4th, 8th, 12th. */
START_TEST(unit)
{
    ck_assert_uint_eq(link(SETS("hearth_atomics_wait=0"), ATOM("ffffffff", "0")), HIT + 31);
#define UNIT(lanes, sectors)                                                                   \
    SETS("hearth_atomics_wait=0", "hearth_l2_atomic_lanes=" lanes,                             \
         "hearth_l2_atomic_sectors=" sectors)
    ck_assert_uint_eq(link(UNIT("32", "4"), ATOM("ffffffff", "0")), HIT + 31);
    ck_assert_uint_eq(link(UNIT("64", "16"), ATOM("ffffffff", "0")), HIT + 62);
    ck_assert_uint_eq(link(UNIT("64", "16"), ATOM("ffffffff", "4")), HIT + 12);
    ck_assert_uint_eq(link(UNIT("64", "0"), ATOM("ffffffff", "4")), HIT + 6);
}
END_TEST

/* A result comes later, from the unit or without one; two at once both do. */
START_TEST(latency)
{
#define LATE "hearth_atomics_wait=0", "hearth_l2_atomic_latency=50"
    ck_assert_uint_eq(link(SETS("hearth_atomics_wait=0"), ATOM("1", "0")), HIT);
    ck_assert_uint_eq(link(SETS(LATE), ATOM("1", "0")), HIT + 50);
    ck_assert_uint_eq(link(SETS(LATE, "hearth_l2_atomic_lanes=32"), ATOM("1", "0")), HIT + 50);
    ck_assert_uint_eq(link(SETS(LATE), ATOM("3", "0")), HIT + 51);
}
END_TEST

/* A slice that has no room for a line's transactions before the unit takes nothing. */
START_TEST(queue)
{
    struct slice slice = {.spec = {.in_max = 64, .atomics = {.lanes = 32, .queue = 8}}};
    slice.atomics.waiting = 4;
    ck_assert(slice_accepts(&slice));
    slice.atomics.waiting = 5;
    ck_assert(!slice_accepts(&slice));
}
END_TEST

/* The DFMA does not depend on the atomic: issued in 3, or when the atomic has been answered. */
START_TEST(waits)
{
    uint64_t waited = cycles_of(NO_SETS, ATOM("1", "0") "DFMA R4; DFMA R4; EXIT");
    uint64_t goes =
        cycles_of(SETS("hearth_atomics_wait=0"), ATOM("1", "0") "DFMA R4; DFMA R4; EXIT");
    ck_assert_uint_eq(goes, cycles_of(SETS("hearth_atomics_wait=0"), ATOM("1", "0") "EXIT"));
    ck_assert_uint_gt(waited, goes);
}
END_TEST

/* A reduction issued in 2 leaves in 6, or its last of 32 transactions in 37; EXIT, issued in 3,
 * is done in 8. The warp ends with the later, and the launch a cycle after that, for which they
 * count; the next one begins when they are done. An atomic with a result is waited for. */
START_TEST(posted)
{
    const char *const *sets =
        SETS("hearth_posted_reductions=100", "hearth_l2_atomic_latency=50");
    ck_assert_uint_eq(cycles_of(sets, RED("1", "0") "EXIT"), 9);
    ck_assert_uint_eq(cycles_of(sets, RED("ffffffff", "0") "EXIT"), 38);
    ck_assert_uint_gt(cycles_of(sets, ATOM("1", "0") "EXIT"), HIT + 50);
    struct bench bench = bench_create(sets);
    const struct launch_text red = {.program = RED("ffffffff", "0") "EXIT"};
    for (unsigned i = 0; i < 2; i++) {
        struct sim_result result = bench_launch(&bench, &red);
        ck_assert_uint_eq(result_cycles(&result), 38);
        ck_assert_uint_eq(result.counters.l2_reads, 32);
        ck_assert_uint_eq(result.counters.dram_read_bytes, i == 0 ? 32 : 0);
        ck_assert_uint_ge(result.gap_cycles, i == 0 ? 0 : HIT);
    }
    bench_destroy(&bench);
}
END_TEST

/* Nothing is left of what a launch has posted when it has ended: memory is at rest. */
START_TEST(rest)
{
    struct bench bench =
        bench_create(SETS("hearth_posted_reductions=100", "hearth_posted_stores=1"));
    bench_launch(&bench,
                 &(struct launch_text){
                     .program = RED("ffffffff", "4") "STG.E R2 R3 [ 4 1 0x3000 4 ]; EXIT"});
    ck_assert_uint_eq(bench.sim->engine.sms[0]->posted, 0);
    ck_assert(!engine_busy(&bench.sim->engine));
    bench_destroy(&bench);
}
END_TEST

/* A store past L1 leaves in 6 as a reduction does; one that goes through L1's pipeline of 39
 * cycles enters it in 6, is in the miss queue in 45 and leaves in 46. */
START_TEST(posted_stores)
{
    const char *const *sets = SETS("hearth_posted_stores=1");
    ck_assert_uint_eq(cycles_of(SETS("hearth_posted_stores=1", "gpgpu_gmem_skip_L1D=1"),
                                "@1 STG.E R2 R3 [ 4 1 0x1000 0 ]; EXIT"),
                      9);
    ck_assert_uint_eq(cycles_of(sets, "@1 STG.E R2 R3 [ 4 1 0x1000 0 ]; EXIT"), 47);
    ck_assert_uint_gt(cycles_of(NO_SETS, "@1 STG.E R2 R3 [ 4 1 0x1000 0 ]; EXIT"), HIT);
}
END_TEST

/* Which of two SMs executed the block of each of three launches. */
START_TEST(first_sm)
{
    static const char *const sets[][3] = {{"gpgpu_n_clusters=2", NULL},
                                          {"gpgpu_n_clusters=2", "hearth_first_sm=1", NULL}};
    struct bench bench = bench_create(sets[_i]);
    for (unsigned launch = 1; launch <= 3; launch++) {
        bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
        uint64_t blocks = sm_stats(bench.sim->engine.sms[0])->blocks;
        ck_assert_uint_eq(blocks, _i == 1 ? launch : (launch + 1) / 2);
    }
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {times, begins, unit, latency,      queue,
                                  waits, posted, rest, posted_stores};
    const TTest *const loops[] = {first_sm};
    return RUN_LOOPS("atomics", tests, loops, 2);
}
