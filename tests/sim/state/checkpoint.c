/* Saving and loading the complete state between launches. */
#define _GNU_SOURCE /* memmem */
#include "sim/simulator.h"
#include "tests/sim/support.h"

#include <stdio.h>

/* Stores and loads that are still on their way through L2 and DRAM when the
 * launch ends, and lines that the next one finds or displaces. */
static const struct launch_text texts[] = {
    {.blocks = 7,
     .threads = 96,
     .program = "STG.E R2 R3 [ 4 1 0x1000 4 ]; R1 = LDG.E R2 [ 4 1 0x9000 128 ]; EXIT"},
    {.blocks = 5,
     .threads = 64,
     .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; R4 = FADD R1 R1; STG.E R2 R4 [ 4 1 0x5000 256 "
                "]; EXIT"},
    {.blocks = 3,
     .threads = 128,
     .program = "R1 = LDG.E R2 [ 4 1 0x5000 256 ]; STS R2 R1 [ 4 1 0x10 4 ]; BAR.SYNC; EXIT"},
    {.blocks = 2,
     .threads = 64,
     .program = "STG.E R2 R3 [ 4 1 0x1000 4 ]; STG.E R2 R3 [ 4 1 0x1180 4 ]; EXIT"},
    {.blocks = 2, .program = ":64 EXIT"}, /* code after it is asked for */
};
#define LAUNCHES (sizeof texts / sizeof texts[0])

static const char *const *const configs[] = {
    NO_SETS,
    SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32"),
    SETS("gpgpu_n_clusters=3", "gpgpu_n_mem=2", "gpgpu_kernel_launch_latency=20",
         "gpgpu_flush_l1_cache=0", "hearth_cpi_stack=1"),
    SETS("gpgpu_cache:dl1=none"),
    SETS("gpgpu_cache:dl1=S:1:128:1,L:B:m:L:L,A:8:8,8:0,32",
         "gpgpu_adaptive_cache_config=0"), /* evicts to the end */
    SETS("gpgpu_cache:dl2=none"),
    SETS("hearth_page_walk=500", "hearth_page_reach=4096"),
    SETS("hearth_page_walk=500", "hearth_page_reach=4096", "hearth_page_walkers=2"),
    SETS("hearth_icache=1", "hearth_gcc=65536", "hearth_icache_load_latency=90",
         "hearth_war_scoreboard=2", "hearth_const_cache=1", "gpgpu_kernel_launch_latency=0"),
    SETS("hearth_core=modern", "hearth_icache=1", "hearth_icache_l2_latency=24",
         "gpgpu_n_clusters=3", "hearth_gpcs=2", "hearth_gcc=512", "hearth_gcc_ways=0",
         "hearth_icache_l0=128", "gpgpu_cache:il1=N:1:128:1,L:R:f:N:L,S:2:48,4",
         "gpgpu_kernel_launch_latency=0"), /* asks for code to the end */
    SETS("gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_gpc_blocks=1"),
    SETS("gpgpu_n_clusters=3", "hearth_gpcs=2", "hearth_gpc_blocks=1", "hearth_gpc_first=1",
         "hearth_gpc_first_every=2", "hearth_block_interval=50"),
    SETS("hearth_core=modern", "hearth_icache=1", "hearth_icache_l2_latency=24",
         "hearth_icache_l0_latency=8", "hearth_icache_l0_requests=3", "hearth_gcc=65536",
         "hearth_gcc_stream=6", "gpgpu_kernel_launch_latency=0"),
    SETS("hearth_core=modern", "gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2",
         "hearth_cpcs=2", "hearth_tpc_step=4", "hearth_cpc_step=9", "hearth_icache=1",
         "hearth_gcc=65536", "hearth_const_cache=1", "hearth_gcc_constant_interval=2",
         "hearth_warp_interval=2", "gpgpu_lrc_enabled=1", "hearth_lrc_delay=67",
         "hearth_lrc_gpc=1", "hearth_l2_merge=4"),
};

static void expect_equal(const struct sim_result *a, const struct sim_result *b)
{
    ck_assert_uint_eq(a->start_cycle, b->start_cycle);
    ck_assert_uint_eq(a->end_cycle, b->end_cycle);
    ck_assert_uint_eq(a->gap_cycles, b->gap_cycles);
    for (size_t i = 0; i < sim_counter_count; i++)
        ck_assert_msg(sim_counter_get(&a->counters, i) == sim_counter_get(&b->counters, i),
                      "%s differs", sim_counter_table[i].name);
}

/* The state of BENCH in memory, to be freed. */
static char *save(struct bench *bench, size_t *size)
{
    struct error err = {0};
    char *text;
    FILE *out = open_memstream(&text, size);
    ck_assert_msg(sim_state_save(bench->sim, out, "state", &err) == 0, "%s", err.text);
    fclose(out);
    return text;
}

static int load(struct bench *bench, const char *text, size_t size, struct error *err)
{
    FILE *in = fmemopen((void *)text, size, "r");
    *err = (struct error){0};
    int result = sim_state_load(bench->sim, in, "state", err);
    fclose(in);
    return result;
}

/* After each launch a simulator that has run something else loads the state
 * and goes on as the first. */
static void check_going_on(const char *const *sets)
{
    struct bench one = bench_create(sets), two = bench_create(sets);
    struct error err;
    size_t size;
    for (size_t n = 0; n < 4 * LAUNCHES; n++) {
        bench_launch(&one, &texts[n % LAUNCHES]);
        bench_launch(&two, &texts[n / 2 % LAUNCHES]);
        char *text = save(&one, &size);
        ck_assert_msg(load(&two, text, size, &err) == 0, "%s", err.text);
        free(text);
        for (size_t then = 1; then <= 2; then++) {
            struct sim_result first = bench_launch(&one, &texts[(n + then) % LAUNCHES]);
            struct sim_result second = bench_launch(&two, &texts[(n + then) % LAUNCHES]);
            expect_equal(&first, &second);
            sim_flush(one.sim, then, false);
            sim_flush(two.sim, then, false);
        }
    }
    bench_destroy(&one);
    bench_destroy(&two);
}

START_TEST(goes_on)
{
    check_going_on(configs[_i]);
}
END_TEST

/* The same after blocks of a cluster have sent each other messages. */
START_TEST(clusters_go_on)
{
    const char *const *sets =
        SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",
             "hearth_clusters=1", "hearth_cluster_latency=190", "gpgpu_n_clusters=2");
    const struct launch_text text = {
        .blocks = 2,
        .version = 90,
        .list = "# launch 1 dynamic=0 cluster=2,1,1 cooperative=0 carveout=-1\n",
        .program = "{4} UCGABAR_ARV; {4} UCGABAR_WAIT; {4} EXIT"};
    struct bench one = bench_create(sets), two = bench_create(sets);
    struct error err;
    size_t size;
    bench_launch(&one, &text);
    char *saved = save(&one, &size);
    ck_assert_msg(load(&two, saved, size, &err) == 0, "%s", err.text);
    free(saved);
    struct sim_result first = bench_launch(&one, &text), second = bench_launch(&two, &text);
    expect_equal(&first, &second);
    bench_destroy(&one);
    bench_destroy(&two);
}
END_TEST

/* Saving changes nothing, and draining is not part of it. */
START_TEST(saving_is_not_seen)
{
    struct bench one = bench_create(configs[_i]), two = bench_create(configs[_i]);
    size_t size;
    for (size_t n = 0; n < 2 * LAUNCHES; n++) {
        struct sim_result first = bench_launch(&one, &texts[n % LAUNCHES]);
        struct sim_result second = bench_launch(&two, &texts[n % LAUNCHES]);
        expect_equal(&first, &second);
        free(save(&two, &size));
    }
    bench_destroy(&one);
    bench_destroy(&two);
}
END_TEST

/* A state does not hold addresses of what the configuration makes of the simulator. */
START_TEST(no_addresses)
{
    struct bench bench = bench_create(configs[_i]);
    const struct spec *spec = &bench.sim->engine.spec;
    for (size_t n = 0; n < LAUNCHES; n++) {
        size_t size;
        bench_launch(&bench, &texts[n]);
        char *text = save(&bench, &size);
        const void *const addresses[] = {spec,
                                         &spec->halves,
                                         spec->sm_gpcs,
                                         spec->sm_tpcs,
                                         &spec->places,
                                         spec->cluster_gpcs,
                                         spec->sm_distances,
                                         bench.sim->visit,
                                         bench.sim->first};
        for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
            ck_assert_msg(addresses[i] == NULL ||
                              memmem(text, size, &addresses[i], sizeof addresses[i]) == NULL,
                          "address %zu", i);
        free(text);
    }
    bench_destroy(&bench);
}
END_TEST

/* A file that ends early, is damaged or none, or is of another configuration
 * is refused; the simulator is then as after a reset. */
START_TEST(refused)
{
    struct bench bench = bench_create(NO_SETS),
                 other = bench_create(SETS("gpgpu_kernel_launch_latency=3"));
    struct sim_result fresh = bench_launch(&bench, &texts[0]);
    struct error err;
    size_t size;
    char *text = save(&bench, &size);
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : size / 50) {
        ck_assert_int_eq(load(&bench, text, cut + 1 < size ? cut + 1 : cut, &err), -1);
        ck_assert_int_eq(err.kind, ERROR_TRACE);
    }
    for (size_t at = 0; at < size; at += at < 64 ? 1 : size / 50) {
        text[at] ^= 4;
        ck_assert_int_eq(load(&bench, text, size, &err), -1);
        text[at] ^= 4;
    }
    ck_assert_int_eq(load(&other, text, size, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "another configuration"));
    struct sim_result again = bench_launch(&bench, &texts[0]);
    expect_equal(&fresh, &again);
    free(text);
    bench_destroy(&bench);
    bench_destroy(&other);
}
END_TEST

START_TEST(full)
{
    struct bench bench = bench_create(NO_SETS);
    struct error err = {0};
    FILE *out = fopen("/dev/full", "w");
    ck_assert_int_eq(sim_state_save(bench.sim, out, "state", &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    fclose(out);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {clusters_go_on, refused, full};
    const TTest *const loops[] = {goes_on, saving_is_not_seen, no_addresses};
    return RUN_LOOPS("checkpoint", tests, loops, sizeof configs / sizeof configs[0]);
}
