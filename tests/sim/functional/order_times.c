/* The times that order the accesses of functional launches, by hand from options. */
#include "tests/sim/support.h"

#include "sim/functional/order_times.h"
#include "sim/simulator.h"

/* A V100: 20 + 4; 20 + 160 + 13; and 100 + 16 + (12 + 12 + 1) * 1132 / 850 more. 32 channels
 * with pins of 16 bytes move 769 bytes a core cycle at best, so that a sector takes 1.63 cycles
 * of one of them. Their queues hold 64 sectors each, and those of their two slices 32 misses
 * and 64 on the way to DRAM, and 64 before the tags. */
START_TEST(follow_from_options)
{
    struct bench bench = bench_create(SETS(
        "gpgpu_n_clusters=80", "gpgpu_n_mem=32", "gpgpu_n_sub_partition_per_mchannel=2",
        "gpgpu_clock_domains=1132:1132:1132:850", "gpgpu_l1_latency=20",
        "gpgpu_l2_rop_latency=160", "dram_latency=100", "gpgpu_dram_buswidth=16",
        "gpgpu_dram_burst_length=2", "dram_data_command_freq_ratio=2",
        "gpgpu_dram_timing_opt=nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:"
        "WR=10:nbkgrp=4:CCDL=2:RTPL=3",
        "gpgpu_cache:dl2=S:32:128:24,L:B:m:L:P,A:192:4,32:0,32",
        "gpgpu_dram_partition_queues=64:64:64:64", "gpgpu_frfcfs_dram_sched_queue_size=64"));
    struct order_times times = order_times_of(&bench.sim->engine.spec);
    ck_assert_uint_eq(times.l1, 24);
    ck_assert_uint_eq(times.l2, 193);
    ck_assert_uint_eq(times.dram, 193 + 100 + 16 + 33);
    ck_assert_uint_eq(times.stored, 193);
    ck_assert_uint_eq(times.port, 1);
    double sector = 32 * 32 / (0.82 * 1024 * 850 / 1132);
    ck_assert_uint_eq(times.sector, (uint64_t)(ORDER_TIMES_PARTS * sector));
    ck_assert_double_eq_tol(sector, 1.6241, 0.0001);
    ck_assert_uint_eq(times.queue, (uint64_t)(256 * sector));
    ck_assert_uint_eq(times.before, (uint64_t)((256 + 128) * sector));
    bench_destroy(&bench);
}
END_TEST

/* Warps do not wait for stores that are posted; and without a limit nothing fills up. */
START_TEST(of_other_options)
{
    struct bench bench = bench_create(SETS(
        "hearth_posted_stores=1", "gpgpu_frfcfs_dram_sched_queue_size=0", "hearth_sm_port=64"));
    struct order_times times = order_times_of(&bench.sim->engine.spec);
    ck_assert_uint_eq(times.stored, 0);
    ck_assert_uint_eq(times.queue, UINT32_MAX);
    ck_assert_uint_eq(times.before, UINT32_MAX);
    ck_assert_uint_eq(times.port, 2);
    ck_assert(!times.turns);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {follow_from_options, of_other_options};
    return RUN_TESTS("times of the order", tests);
}
