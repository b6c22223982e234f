/* Blocks: how many an SM holds, and when each gets its place.
 *
 * A block placed at the end of cycle c whose only warp has an EXIT: fetched
 * and decoded in c+1, issued in c+2, ended in c+7 (see units.c). Its place is
 * free at the end of c+7. */
#include "tests/sim/support.h"

#include "sim/core/occupancy.h"

static uint64_t run(const char *const *sets, unsigned blocks, unsigned threads,
                    const char *program)
{
    struct sim_result result = launch_on(
        sets, &(struct launch_text){.blocks = blocks, .threads = threads, .program = program});
    ck_assert_uint_eq(result.counters.blocks, blocks);
    return result_cycles(&result);
}

/* One place: 7 cycles a block, and the first comes at the end of 0. */
START_TEST(refill)
{
    const char *const *sets = SETS("gpgpu_shader_cta=1");
    for (unsigned blocks = 1; blocks <= 5; blocks++)
        ck_assert_uint_eq(run(sets, blocks, 32, "EXIT"), 7 * blocks + 1);
    ck_assert_uint_eq(run(sets, 3, 1024, "EXIT"),
                      run(sets, 2, 1024, "EXIT") + run(sets, 1, 1024, "EXIT") - 1);
}
END_TEST

/* An SM gets one block a cycle: the fourth at the end of 3. */
START_TEST(one_a_cycle)
{
    for (unsigned blocks = 1; blocks <= 4; blocks++)
        ck_assert_uint_eq(run(NO_SETS, blocks, 32, "EXIT"), 7 + blocks);
    /* Two clusters get one each in a cycle; so do two SMs of a cluster only
     * in two cycles. */
    ck_assert_uint_eq(run(SETS("gpgpu_n_clusters=2"), 4, 32, "EXIT"), 7 + 2);
    ck_assert_uint_eq(run(SETS("gpgpu_n_cores_per_cluster=2"), 4, 32, "EXIT"), 7 + 4);
}
END_TEST

/* Two places: block 0 ends in 7 and 40 others in 7 cycles more each, in turn
 * with those of the second place, a cycle later: 20 a place. */
START_TEST(two_places)
{
    ck_assert_uint_eq(run(SETS("gpgpu_shader_cta=2"), 40, 32, "EXIT"), 20 * 7 + 1 + 1);
}
END_TEST

/* The latency of a launch comes in front of its first block; that of blocks
 * is counted for all of them. */
START_TEST(launch_latency)
{
    ck_assert_uint_eq(run(SETS("gpgpu_kernel_launch_latency=5000"), 1, 32, "EXIT"), 5000 + 8);
    ck_assert_uint_eq(run(SETS("gpgpu_kernel_launch_latency=1"), 1, 32, "EXIT"), 1 + 8);
    ck_assert_uint_eq(run(SETS("gpgpu_TB_launch_latency=10"), 4, 32, "EXIT"), 40 + 11);
}
END_TEST

/* An EXIT that is fetched N cycles later ends N cycles later; blocks that follow in the same
 * place wait as long, each. */
START_TEST(start_latency)
{
    ck_assert_uint_eq(run(SETS("hearth_block_start_latency=100"), 1, 32, "EXIT"), 8 + 100);
    ck_assert_uint_eq(run(SETS("hearth_block_start_latency=1"), 1, 1024, "EXIT"),
                      run(NO_SETS, 1, 1024, "EXIT") + 1);
    ck_assert_uint_eq(
        run(SETS("hearth_block_start_latency=100", "gpgpu_shader_cta=1"), 3, 32, "EXIT"),
        3 * (7 + 100) + 1);
}
END_TEST

/* Of four warps the last one begins 3 x 2 cycles after the first. */
START_TEST(warp_interval)
{
    const char *const *at_once = SETS("hearth_core=modern");
    const char *const *in_turn = SETS("hearth_core=modern", "hearth_warp_interval=2");
    ck_assert_uint_eq(run(in_turn, 1, 32, "EXIT"), run(at_once, 1, 32, "EXIT"));
    ck_assert_uint_eq(run(in_turn, 1, 128, "EXIT"), run(at_once, 1, 128, "EXIT") + 6);
}
END_TEST

/* The first wave: a block at the end of 0, 10, 20 ...; of two warps 2 x 3 cycles later each. */
START_TEST(interval)
{
    const char *const *sets = SETS("hearth_block_interval=10", "hearth_block_interval_warp=3");
    ck_assert_uint_eq(run(SETS("hearth_block_interval=10"), 4, 32, "EXIT"), 8 + 3 * 10);
    ck_assert_uint_eq(run(sets, 4, 32, "EXIT"), 8 + 3 * 13);
    ck_assert_uint_eq(run(sets, 4, 64, "EXIT") - run(sets, 1, 64, "EXIT"), 3 * 16);
    /* Each SM has a clock of its own. */
    ck_assert_uint_eq(
        run(SETS("hearth_block_interval=10", "gpgpu_n_clusters=4"), 4, 32, "EXIT"), 8);
}
END_TEST

/* Two places: blocks 0 and 1 come at the end of 0 and 1, the others 50 cycles after the one
 * before, as their places are free by then: in 51, 101, 151. Places that are not free yet are
 * waited for. */
START_TEST(turnaround)
{
    const char *const *sets = SETS("gpgpu_shader_cta=2", "hearth_block_turnaround=50");
    ck_assert_uint_eq(run(sets, 2, 32, "EXIT"), 8 + 1);
    ck_assert_uint_eq(run(sets, 3, 32, "EXIT"), 8 + 51);
    ck_assert_uint_eq(run(sets, 5, 32, "EXIT"), 8 + 151);
    ck_assert_uint_eq(
        run(SETS("gpgpu_shader_cta=1", "hearth_block_turnaround=5"), 5, 32, "EXIT"), 7 * 5 + 1);
}
END_TEST

static enum sim_block_choice note_sm(void *data, const struct sim_block *block,
                                     uint64_t *cycles)
{
    uint32_t *sms = data;
    (void)cycles;
    ck_assert_uint_lt(block->order, 8);
    sms[block->order] = block->sm;
    return SIM_BLOCK_RUN;
}

/* The cycles of eight blocks on four SMs of one place, of which two are a GPC, and their SMs.
 */
static uint64_t swept(const char *sweep, uint32_t *sms)
{
    struct bench bench = bench_create(SETS("gpgpu_n_clusters=4", "gpgpu_shader_cta=1",
                                           "hearth_gpcs=2", "hearth_gpc_blocks=1", sweep));
    struct trace_kernel *kernel = test_kernel(&(struct launch_text){
        .blocks = 8,
        .program = "8 * FFMA; EXIT # 8 * FFMA; EXIT # 5 * FFMA; EXIT # 5 * FFMA; EXIT # EXIT"});
    const struct sim_hooks hooks = {.block_begins = note_sm, .data = sms};
    struct sim_result result;
    struct error err = {0};
    ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return result_cycles(&result);
}

/* SMs 2 and 3 are free at the end of 12, SMs 0 and 1 at the end of 15. The dispatcher comes to
 * the GPC of the latter in 20, and to the other one in 10 and in 30. Warps that begin 100
 * cycles after their blocks do not begin later for that. */
START_TEST(sweep)
{
    const uint32_t at_once[] = {0, 1, 2, 3, 2, 3, 0, 1}, in_turn[] = {0, 1, 2, 3, 0, 1, 2, 3};
    uint32_t sms[8];
    ck_assert_uint_eq(swept("hearth_block_sweep=0", sms), 15 + 7 + 1);
    ck_assert_mem_eq(sms, at_once, sizeof sms);
    ck_assert_uint_eq(swept("hearth_block_sweep=20", sms), 30 + 7 + 1);
    ck_assert_mem_eq(sms, in_turn, sizeof sms);
#define LATER(...)                                                                             \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_block_start_latency=100",      \
         "gpgpu_n_clusters=2", "gpgpu_shader_cta=1", "hearth_gpcs=2", "hearth_gpc_blocks=1",   \
         __VA_ARGS__)
    ck_assert_uint_eq(run(LATER("hearth_block_sweep=20"), 6, 32, "EXIT"),
                      run(LATER("hearth_block_sweep=0"), 6, 32, "EXIT"));
}
END_TEST

/* Which SM a launch's only block comes to shows in whose L1 it finds a line:
 * a launch of one SM after the other, the first again after three. */
START_TEST(rotation)
{
    struct bench bench = bench_create(SETS("gpgpu_n_clusters=3"));
    const struct launch_text text = {.program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"};
    for (int launch = 0; launch < 6; launch++) {
        struct sim_result result = bench_launch(&bench, &text);
        ck_assert_uint_eq(result.counters.l1d_hits, launch < 3 ? 0 : 4);
        ck_assert_uint_eq(result.counters.l1d_accesses, 4);
    }
    bench_destroy(&bench);
}
END_TEST

/* Six blocks on three SMs of one place: SM 0 gets blocks 0 and 3 if all end
 * at the same time. Block 3 finds what block 0 loaded, and no other does. */
START_TEST(order)
{
    const char *program =
        "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT # R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT "
        "# R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT";
    struct bench bench = bench_create(SETS("gpgpu_n_clusters=3", "gpgpu_shader_cta=1"));
    struct sim_result result =
        bench_launch(&bench, &(struct launch_text){.blocks = 6, .program = program});
    ck_assert_uint_eq(result.counters.l1d_hits, 12);
    bench_destroy(&bench);
    /* Block 0 runs long; the other five go to SMs 1 and 2, one of them twice
     * and one three times. */
    program = "100 * FFMA; EXIT # EXIT";
    ck_assert_uint_eq(run(SETS("gpgpu_n_clusters=3", "gpgpu_shader_cta=1"), 6, 32, program),
                      100 + 2 + 6);
    ck_assert_uint_eq(run(SETS("gpgpu_n_clusters=3", "gpgpu_shader_cta=1"), 26, 32, program),
                      100 + 2 + 6);
    /* 14 blocks of 7 cycles in each of the two SMs last until 98; 16, 112. */
    ck_assert_uint_eq(run(SETS("gpgpu_n_clusters=3", "gpgpu_shader_cta=1"), 33, 32, program),
                      16 * 7 + 1);
}
END_TEST

/* ---- occupancy ---- */

static struct sim_config *config;

static uint32_t blocks_of(uint32_t grid, uint32_t threads, uint32_t regs, uint32_t shmem)
{
    struct occupancy occupancy;
    struct error err = {0};
    struct trace_header header = {.name = "k",
                                  .grid = {grid, 1, 1},
                                  .block = {threads, 1, 1},
                                  .regs = regs,
                                  .shmem = shmem};
    if (occupancy_compute(&occupancy, config, &header, &err) != 0) {
        ck_assert_int_eq(err.kind, ERROR_USAGE);
        return 0;
    }
    ck_assert_uint_eq(occupancy.block_warps, (threads + 31) / 32);
    return occupancy.blocks;
}

/* Ways of 256 that L1 has with SHMEM bytes a block. */
static uint32_t ways_of(uint32_t grid, uint32_t threads, uint32_t shmem)
{
    struct occupancy occupancy;
    struct error err = {0};
    struct trace_header header = {
        .name = "k", .grid = {grid, 1, 1}, .block = {threads, 1, 1}, .shmem = shmem};
    ck_assert_int_eq(occupancy_compute(&occupancy, config, &header, &err), 0);
    return occupancy.l1_ways;
}

#define MANY 100000

/* 1536 threads, 32 blocks, 65536 registers, 102400 bytes. */
START_TEST(limits)
{
    config = test_config(SETS("gpgpu_n_clusters=46"));
    ck_assert_uint_eq(blocks_of(MANY, 32, 0, 0), 32);
    ck_assert_uint_eq(blocks_of(MANY, 256, 0, 0), 6);
    ck_assert_uint_eq(blocks_of(MANY, 257, 0, 0), 5); /* 288 threads */
    ck_assert_uint_eq(blocks_of(MANY, 1024, 0, 0), 1);
    /* 256 x 64 registers: 16384. 65 count as 68. */
    ck_assert_uint_eq(blocks_of(MANY, 256, 64, 0), 4);
    ck_assert_uint_eq(blocks_of(MANY, 256, 65, 0), 3);
    ck_assert_uint_eq(blocks_of(MANY, 32, 61, 0), 32);
    ck_assert_uint_eq(blocks_of(MANY, 33, 64, 0), 16);
    ck_assert_uint_eq(blocks_of(MANY, 1024, 65, 0), 0);
    ck_assert_uint_eq(blocks_of(MANY, 32, 0, 10240), 10);
    ck_assert_uint_eq(blocks_of(MANY, 32, 0, 10241), 9);
    ck_assert_uint_eq(blocks_of(MANY, 32, 0, 102400), 1);
    ck_assert_uint_eq(blocks_of(MANY, 32, 0, 102401), 0);
    sim_config_destroy(config);
}
END_TEST

/* A grid that does not fill the SMs is spread: ceil(blocks / 46). */
START_TEST(small_grids)
{
    config = test_config(SETS("gpgpu_n_clusters=46"));
    ck_assert_uint_eq(blocks_of(1, 32, 0, 0), 1);
    ck_assert_uint_eq(blocks_of(46, 32, 0, 0), 1);
    ck_assert_uint_eq(blocks_of(47, 32, 0, 0), 2);
    ck_assert_uint_eq(blocks_of(46 * 5, 256, 0, 0), 5);
    ck_assert_uint_eq(blocks_of(46 * 5 + 1, 256, 0, 0), 6);
    ck_assert_uint_eq(blocks_of(46 * 7, 256, 0, 0), 6);
    sim_config_destroy(config);
}
END_TEST

/* Shared memory of all blocks is rounded up to 0, 8, 16, 32, 64 or 100 KB and
 * taken from the 128 of 256 ways: 3 x 2 KB leave 120 KB, 12 x 4,224 bytes 64,
 * 2 x 48 KB 28. */
START_TEST(l1_ways)
{
    config = test_config(SETS("gpgpu_n_clusters=46"));
    ck_assert_uint_eq(ways_of(MANY, 32, 0), 256);
    ck_assert_uint_eq(ways_of(46 * 3, 32, 2048), 240);
    ck_assert_uint_eq(ways_of(46 * 12, 32, 4224), 128);
    ck_assert_uint_eq(ways_of(MANY, 512, 49152), 56);
    ck_assert_uint_eq(ways_of(1, 32, 8192), 240);
    ck_assert_uint_eq(ways_of(1, 32, 8193), 224);
    ck_assert_uint_eq(ways_of(1, 32, 32769), 128);
    sim_config_destroy(config);
    config = test_config(SETS("gpgpu_adaptive_cache_config=0"));
    ck_assert_uint_eq(ways_of(MANY, 512, 49152), 256);
    sim_config_destroy(config);
}
END_TEST

/* Shared memory that takes all leaves L1 a way, through which loads come. */
START_TEST(last_l1_way)
{
    const char *const *sets = SETS("gpgpu_n_clusters=1", "gpgpu_shmem_option=0,8,16,32,64,128",
                                   "gpgpu_shmem_size=131072", "gpgpu_shmem_per_block=131072");
    config = test_config(sets);
    ck_assert_uint_eq(ways_of(1, 32, 65537), 1);
    sim_config_destroy(config);
    struct bench bench = bench_create(sets);
    struct sim_result result = bench_launch(
        &bench, &(struct launch_text){
                    .threads = 64,
                    .shmem = 65537,
                    .program = "R1 = LDG.E R2 [ 4 1 0x10000 128 ]; R4 = LDG.E R1 "
                               "[ 4 1 0x40000 128 ]; STG.E R2 R4 [ 4 1 0x10000 128 ]; EXIT"});
    ck_assert_uint_eq(result.counters.l1d_misses, result.counters.l1d_accesses);
    bench_destroy(&bench);
}
END_TEST

/* A block that no SM can hold is an error, not a hang. */
START_TEST(too_large)
{
    struct bench bench = bench_create(NO_SETS);
    struct trace_kernel *kernel =
        test_kernel(&(struct launch_text){.threads = 1024, .regs = 255, .program = "EXIT"});
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench.sim, kernel, NULL, &result, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "255 registers a thread"));
    trace_kernel_close(kernel);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        refill,        one_a_cycle, two_places,  launch_latency, start_latency, interval,
        warp_interval, turnaround,  sweep,       rotation,       order,         limits,
        small_grids,   l1_ways,     last_l1_way, too_large,
    };
    return RUN_TESTS("blocks", tests);
}
