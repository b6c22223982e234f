/* Launches that begin beside the one before them in their stream (griddepcontrol of PTX): exact
 * cycles worked out by hand. Blocks are handed out at the end of the launch's first cycle;
 * their first instruction issues three cycles later. */
#include "sim/simulator.h"
#include "tests/sim/support.h"

#define MOST     3
#define MOST_SMS 8

#define FOLLOWERS(...)                                                                         \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "gpgpu_n_clusters=3", "hearth_programmatic=1", __VA_ARGS__)
#define OF(x)                                                                                  \
    "# launch 1 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 programmatic=" x "\n"
#define FIRST   .list = OF("0")
#define FOLLOWS .list = OF("1")
#define LONGER  "{15} NOP; {15} NOP; "
#define LETS    "{4} PREEXIT; "
#define WAITS   "{4} ACQBULK; "

struct ran {
    const struct launch_text *texts;
    size_t count, begun, ended;
    struct trace_kernel *kernels[MOST];
    struct sim_result results[MOST];
    struct sim *sim;
    uint64_t stacks;           /* all of them */
    uint64_t blocks[MOST_SMS]; /* of each SM */
};

static int on_next(void *data, struct trace_kernel **kernel, struct error *err)
{
    struct ran *ran = data;
    (void)err;
    if (ran->begun == ran->count)
        return 0;
    *kernel = ran->kernels[ran->begun] = test_kernel(&ran->texts[ran->begun]);
    ran->begun++;
    return 1;
}

/* Launches of a stream end in their order. */
static void on_ended(void *data, struct trace_kernel *kernel, const struct sim_result *result)
{
    struct ran *ran = data;
    ck_assert_ptr_eq(ran->kernels[ran->ended], kernel);
    ran->results[ran->ended++] = *result;
    for (uint32_t s = 0; s < sim_schedulers(ran->sim); s++)
        for (int c = 0; c < SIM_CPI_COUNT; c++)
            ran->stacks += sim_stack(ran->sim, s)->cycles[c];
    trace_kernel_close(kernel);
}

static struct ran run_threads(const char *const *sets, const struct launch_text *texts,
                              size_t count, uint32_t threads)
{
    struct bench bench = bench_create(sets);
    struct ran ran = {.texts = texts, .count = count, .sim = bench.sim};
    const struct sim_overlap overlap = {.next = on_next, .ended = on_ended, .data = &ran};
    struct error err = {0};
    bool stopped;
    ck_assert_int_eq(sim_set_threads(bench.sim, threads, &err), 0);
    ck_assert_msg(sim_run_overlapped(bench.sim, &overlap, &stopped, &err) == 0, "%s\n%s",
                  err.text, sim_report(bench.sim));
    ck_assert_uint_eq(ran.ended, count);
    for (uint32_t s = 0; s < bench.sim->engine.spec.sms; s++)
        ran.blocks[s] = sm_stats(bench.sim->engine.sms[s])->blocks;
    bench_destroy(&bench);
    return ran;
}

static void expect(const struct ran *ran, size_t number, uint64_t start, uint64_t end)
{
    ck_assert_uint_eq(ran->results[number].start_cycle, start);
    ck_assert_uint_eq(ran->results[number].end_cycle, end);
}

static struct ran run(const char *const *sets, const struct launch_text *texts, size_t count)
{
    struct ran ran = run_threads(sets, texts, count, 1),
               same = run_threads(sets, texts, count, 3);
    for (size_t i = 0; i < count; i++)
        expect(&same, i, ran.results[i].start_cycle, ran.results[i].end_cycle);
    return ran;
}

#define RUN(sets, texts) run(sets, texts, sizeof(texts) / sizeof *(texts))

/* The first launch issues in cycles 3, 7, 22 and 37, its last. It lets the second one begin in
 * cycle 3, whose ACQBULK issues in 4 + 3 and whose EXIT in 38, the cycle after the end of the
 * first one; or 20 after that end. */
START_TEST(waits_for_the_end)
{
    const struct launch_text texts[] = {{FIRST, .program = LETS LONGER "{4} EXIT"},
                                        {FOLLOWS, .program = WAITS "{4} EXIT"}};
    struct ran ran = RUN(FOLLOWERS(NULL), texts);
    expect(&ran, 0, 0, 38);
    expect(&ran, 1, 4, 39);
    ran = RUN(FOLLOWERS("hearth_programmatic=20"), texts);
    expect(&ran, 0, 0, 38);
    expect(&ran, 1, 4, 37 + 20 + 1);
}
END_TEST

/* The same where the list does not say that the second one is programmatic, where the model
 * does not overlap them, and in the other core model: it begins after the first one. */
START_TEST(in_turn)
{
    const struct launch_text texts[] = {{FIRST, .program = LETS LONGER "{4} EXIT"},
                                        {FIRST, .program = WAITS "{4} EXIT"}};
    const struct launch_text follows[] = {texts[0], {FOLLOWS, .program = WAITS "{4} EXIT"}};
    const struct launch_text unsaid[] = {{.program = texts[0].program},
                                         {.program = texts[1].program}};
    struct ran ran = RUN(FOLLOWERS(NULL), texts);
    expect(&ran, 0, 0, 38);
    expect(&ran, 1, 38, 38 + 3 + 4 + 1);
    ran = RUN(FOLLOWERS(NULL), unsaid);
    expect(&ran, 1, 38, 46);
    ran = RUN(FOLLOWERS("hearth_programmatic=0"), follows);
    expect(&ran, 1, 38, 46);
    ran = RUN(FOLLOWERS("hearth_core=legacy", "gpgpu_scheduler=lrr"), follows);
    ck_assert_uint_eq(ran.results[1].start_cycle, ran.results[0].end_cycle);
}
END_TEST

/* Blocks let the next launch begin in cycles 3 and 33, or the last one with its end in 34. What
 * does not wait runs on: EXIT issues 4 cycles after the first instruction. */
START_TEST(all_blocks_let)
{
    const struct launch_text late[] = {
        {FIRST, .blocks = 2, .program = LETS "{4} EXIT # :16 " LONGER LETS LONGER "{4} EXIT"},
        {FOLLOWS, .program = "{4} NOP; {4} EXIT"}};
    const struct launch_text never[] = {
        {FIRST, .blocks = 2,
         .program = LETS LONGER LONGER "{4} EXIT # :16 " LONGER "{1} NOP; {4} EXIT"},
        {FOLLOWS, .program = "{4} NOP; {4} EXIT"}};
    struct ran ran = RUN(FOLLOWERS(NULL), late);
    expect(&ran, 0, 0, 33 + 4 + 30 + 1);
    expect(&ran, 1, 34, 68); /* its EXIT is in cycle 41, but launches end in their order */
    ran = RUN(FOLLOWERS(NULL), never);
    expect(&ran, 0, 0, 3 + 4 + 60 + 1);
    expect(&ran, 1, 35, 68);
}
END_TEST

/* Its launch latency passes from when it may begin: blocks are handed out in cycle 14 + 10. */
START_TEST(latency)
{
    const struct launch_text texts[] = {
        {FIRST, .program = LETS LONGER LONGER "{4} EXIT"},
        {FOLLOWS, .program = WAITS "{4} EXIT"},
    };
    const struct launch_text short_first[] = {{FIRST, .program = LETS "{4} EXIT"}, texts[1]};
    struct ran ran = RUN(FOLLOWERS("gpgpu_kernel_launch_latency=10"), texts);
    expect(&ran, 0, 0, 10 + 3 + 4 + 60 + 1);
    expect(&ran, 1, 14, 79);
    ran = RUN(FOLLOWERS("gpgpu_kernel_launch_latency=10"), short_first);
    expect(&ran, 0, 0, 10 + 3 + 4 + 1);
    expect(&ran, 1, 14, 14 + 10 + 3 + 4 + 1); /* it need not wait any more */
    const struct launch_text runs_on[] = {texts[0], {FOLLOWS, .program = "{4} EXIT"}};
    ran = RUN(FOLLOWERS("gpgpu_kernel_launch_latency=10", "hearth_programmatic_latency=70"),
              runs_on);
    expect(&ran, 1, 14, 14 + 70 + 3 + 1); /* a latency of its own */
}
END_TEST

/* A launch brings its code near when its own latency has passed, whatever that of others is: a
 * jump to the second line, which the first launch has not asked for, takes as long. */
START_TEST(code_comes)
{
    const struct launch_text texts[] = {{FIRST, .program = LETS LONGER LONGER "{4} EXIT"},
                                        {FOLLOWS, .program = "{4} NOP; :8 {4} EXIT"}};
    const char *const latencies[] = {"gpgpu_kernel_launch_latency=10",
                                     "gpgpu_kernel_launch_latency=1000"};
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        struct ran ran = RUN(
            FOLLOWERS("hearth_programmatic_latency=70", "hearth_icache=1",
                      "hearth_icache_l0=128", "gpgpu_cache:il1=N:1:128:1,L:R:f:N:L,S:2:48,4",
                      "hearth_icache_stream=0", "hearth_gcc=1024", "hearth_gcc_ways=0",
                      "hearth_gcc_ahead=65536", "hearth_gcc_ahead_interval=300", latencies[i]),
            texts);
        cycles[i] = ran.results[1].end_cycle - ran.results[1].start_cycle;
    }
    ck_assert_uint_gt(cycles[0], 70 + 300);
    ck_assert_uint_eq(cycles[1], cycles[0]);
}
END_TEST

/* A store of the first launch, whose warp ends as it does alone, arrives in the cycle in which
 * a memory barrier after it ends, and the EXIT of the launch with one issues. */
START_TEST(waits_for_stores)
{
    const char *store = LETS "{4} STG.E R2 R3 [ 4 1 0x10000 4 ]; {4} EXIT";
    const char *barrier = LETS "{4} STG.E R2 R3 [ 4 1 0x10000 4 ]; {4} MEMBAR.SC.GPU; {4} EXIT";
    const char *const *sets = FOLLOWERS("hearth_membar_gpu_latency=1");
    struct bench bench = bench_create(sets);
    struct sim_result alone = bench_launch(&bench, &(struct launch_text){.program = barrier});
    struct sim_result stores = bench_launch(&bench, &(struct launch_text){.program = store});
    const struct launch_text texts[] = {{FIRST, .program = store},
                                        {FOLLOWS, .program = WAITS "{4} EXIT"}};
    struct ran ran = RUN(sets, texts);
    expect(&ran, 0, 0, result_cycles(&stores));
    expect(&ran, 1, 4, alone.end_cycle + 1);
    bench_destroy(&bench);
}
END_TEST

/* The second launch does not wait, and lets the third one begin in cycle 7, which waits for
 * both. */
START_TEST(three)
{
    const struct launch_text texts[] = {{FIRST, .program = LETS LONGER "{4} EXIT"},
                                        {FOLLOWS, .program = LETS "{4} EXIT"},
                                        {FOLLOWS, .program = WAITS "{4} EXIT"}};
    struct ran ran = RUN(FOLLOWERS("hearth_cpi_stack=1"), texts);
    expect(&ran, 0, 0, 38);
    expect(&ran, 1, 4, 38);
    expect(&ran, 2, 8, 39);
    ck_assert_uint_eq(ran.stacks, 39 * 3 * 4); /* cycles, SMs, schedulers */
}
END_TEST

/* Two GPCs of two TPCs of two SMs, and SMs 0 and 1 come before all others: five blocks begin as
 * they would alone, in SMs 0, 1, 4, 6 and 2, and two that follow them in SMs 0 and 1. */
START_TEST(places)
{
    static const uint64_t expected[MOST_SMS] = {2, 2, 1, 0, 1, 0, 1, 0};
    const struct launch_text texts[] = {{FIRST, .blocks = 5, .program = LETS LONGER "{4} EXIT"},
                                        {FOLLOWS, .blocks = 2, .program = WAITS "{4} EXIT"}};
    struct ran ran =
        RUN(FOLLOWERS("gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2",
                      "hearth_gpc_blocks=1", "hearth_gpc_first=1", "hearth_first_sm=1"),
            texts);
    ck_assert_mem_eq(ran.blocks, expected, sizeof expected);
}
END_TEST

/* A launch that runs alone waits for nobody. */
START_TEST(alone)
{
    struct bench bench = bench_create(FOLLOWERS(NULL));
    struct sim_result result =
        bench_launch(&bench, &(struct launch_text){FOLLOWS, .program = WAITS "{4} EXIT"});
    ck_assert_uint_eq(result_cycles(&result), 3 + 4 + 1);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        waits_for_the_end, in_turn, all_blocks_let, latency, code_comes,
        waits_for_stores,  three,   places,         alone};
    return RUN_TESTS("followers", tests);
}
