/* Launches of different streams that run at once. */
#include "tests/sim/support.h"

#define CHAIN "100 * R1 = FFMA R1; EXIT"
#define MOST  8

struct ran {
    const struct launch_text *texts;
    size_t count, begun, ended;
    struct trace_kernel *kernels[MOST];
    struct sim_result results[MOST]; /* in the order of TEXTS */
    size_t order[MOST];              /* in which they ended */
    struct sim *sim;
    struct sim_cpi stacks[MOST][4]; /* with CPI stacks: of each scheduler */
    bool stop;
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

static void on_ended(void *data, struct trace_kernel *kernel, const struct sim_result *result)
{
    struct ran *ran = data;
    size_t number = 0;
    while (ran->kernels[number] != kernel)
        number++;
    ran->results[number] = *result;
    ran->order[ran->ended++] = number;
    for (uint32_t s = 0; s < sim_schedulers(ran->sim); s++)
        ran->stacks[number][s] = *sim_stack(ran->sim, s);
    trace_kernel_close(kernel);
    ran->kernels[number] = NULL;
}

static bool on_progress(void *data, const struct sim_progress *progress)
{
    const struct ran *ran = data;
    ck_assert_uint_le(progress->blocks_done, progress->blocks);
    return !ran->stop;
}

/* The status of sim_run_overlapped(). */
static int run(struct ran *ran, struct sim *sim, bool *stopped, struct error *err)
{
    const struct sim_overlap overlap = {.next = on_next,
                                        .ended = on_ended,
                                        .progress = on_progress,
                                        .data = ran,
                                        .flush_l1 = true};
    ran->sim = sim;
    int status = sim_run_overlapped(sim, &overlap, stopped, err);
    for (size_t i = 0; i < ran->begun; i++)
        trace_kernel_close(ran->kernels[i]);
    return status;
}

static struct ran run_all(const char *const *sets, const struct launch_text *texts,
                          size_t count, uint32_t threads)
{
    struct ran ran = {.texts = texts, .count = count};
    struct bench bench = bench_create(sets);
    struct error err = {0};
    bool stopped;
    ck_assert_int_eq(sim_set_threads(bench.sim, threads, &err), 0);
    ck_assert_msg(run(&ran, bench.sim, &stopped, &err) == 0, "%s\n%s", err.text,
                  sim_report(bench.sim));
    ck_assert(!stopped);
    ck_assert_uint_eq(ran.ended, count);
    bench_destroy(&bench);
    return ran;
}

#define RUN(sets, texts) run_all(sets, texts, sizeof(texts) / sizeof *(texts), 1)

static void expect(const struct ran *ran, size_t number, uint64_t start, uint64_t end)
{
    ck_assert_uint_eq(ran->results[number].start_cycle, start);
    ck_assert_uint_eq(ran->results[number].end_cycle, end);
}

/* Two SMs: a block each, at the end of cycle 0; both take as long as alone. */
START_TEST(two_sms)
{
    const struct launch_text texts[] = {{.program = CHAIN}, {.stream = 1, .program = CHAIN}};
    uint64_t alone = cycles_of(NO_SETS, CHAIN);
    struct ran ran = RUN(SETS("gpgpu_n_clusters=2"), texts);
    expect(&ran, 0, 0, alone);
    expect(&ran, 1, 0, alone);
}
END_TEST

/* One SM, which takes a block a cycle: the second launch begins a cycle later, on another
 * scheduler. */
START_TEST(one_sm)
{
    const struct launch_text texts[] = {{.program = CHAIN}, {.stream = 1, .program = CHAIN}};
    uint64_t alone = cycles_of(NO_SETS, CHAIN);
    struct ran ran = RUN(NO_SETS, texts);
    expect(&ran, 0, 0, alone);
    expect(&ran, 1, 0, alone + 1);
}
END_TEST

/* With room for one block, blocks come launch after launch. The first is handed out at the end
 * of cycle 0 and frees its place in the last cycle before `alone`; the next one takes it at the
 * end of that cycle. */
START_TEST(one_place)
{
    const struct launch_text texts[] = {{.blocks = 2, .program = CHAIN},
                                        {.stream = 1, .program = CHAIN}};
    uint64_t one = cycles_of(NO_SETS, CHAIN) - 1;
    struct ran ran = RUN(SETS("gpgpu_shader_cta=1"), texts);
    expect(&ran, 0, 0, 2 * one + 1);
    expect(&ran, 1, 0, 3 * one + 1);
}
END_TEST

/* Whether a block of the second launch finds room beside one of the first. */
static bool fits(struct launch_text first, struct launch_text second)
{
    const struct launch_text texts[] = {first, second};
    struct ran ran = RUN(SETS("gpgpu_l1_latency=20"), texts);
    return ran.results[1].end_cycle < ran.results[0].end_cycle + 100;
}

/* The RTX 3070 has 102,400 bytes of shared memory, 65,536 registers and 48 warps an SM. */
START_TEST(resources)
{
    const struct launch_text shmem = {.shmem = 61440, .program = CHAIN};
    ck_assert(fits(shmem, (struct launch_text){.stream = 1, .shmem = 40960, .program = CHAIN}));
    ck_assert(
        !fits(shmem, (struct launch_text){.stream = 1, .shmem = 40961, .program = CHAIN}));
    const struct launch_text regs = {.threads = 192, .regs = 250, .program = CHAIN};
    ck_assert(fits(regs, (struct launch_text){
                             .stream = 1, .threads = 128, .regs = 132, .program = CHAIN}));
    ck_assert(!fits(regs, (struct launch_text){
                              .stream = 1, .threads = 128, .regs = 133, .program = CHAIN}));
    const struct launch_text warps = {.threads = 1024, .program = CHAIN};
    ck_assert(fits(warps, (struct launch_text){.stream = 1, .threads = 256, .program = CHAIN}));
    /* 16 warps are free, but a block of 17 begins at warp 0 or 17. */
    ck_assert(
        !fits(warps, (struct launch_text){.stream = 1, .threads = 544, .program = CHAIN}));
}
END_TEST

/* A launch starts when the one of its stream has ended, and is told by its end. */
START_TEST(order)
{
    const struct launch_text texts[] = {{.program = "300 * R1 = FFMA R1; EXIT"},
                                        {.program = CHAIN},
                                        {.stream = 7, .program = CHAIN},
                                        {.stream = 7, .program = CHAIN}};
    const char *const *sets = SETS("gpgpu_n_clusters=2", "gpgpu_kernel_launch_latency=40");
    struct ran ran = RUN(sets, texts);
    uint64_t alone = cycles_of(NO_SETS, CHAIN) + 40;
    uint64_t longer = cycles_of(NO_SETS, "300 * R1 = FFMA R1; EXIT") + 40;
    expect(&ran, 0, 0, longer);
    expect(&ran, 1, longer, longer + alone);
    expect(&ran, 2, 0, alone);
    expect(&ran, 3, alone, 2 * alone);
    ck_assert_uint_eq(ran.order[0], 2);
    ck_assert_uint_eq(ran.order[1], 3);
    ck_assert_uint_eq(ran.order[2], 0);
}
END_TEST

/* The third launch is not looked at before one has ended. */
START_TEST(window)
{
    const struct launch_text texts[] = {{.program = "300 * R1 = FFMA R1; EXIT"},
                                        {.program = CHAIN},
                                        {.stream = 7, .program = CHAIN}};
    struct ran ran = RUN(SETS("gpgpu_n_clusters=2", "gpgpu_max_concurrent_kernel=2"), texts);
    uint64_t first = ran.results[0].end_cycle;
    ck_assert_uint_eq(ran.results[1].start_cycle, first);
    ck_assert_uint_eq(ran.results[2].start_cycle, first);
    ran = RUN(SETS("gpgpu_n_clusters=2", "gpgpu_max_concurrent_kernel=1"), texts);
    ck_assert_uint_eq(ran.results[2].start_cycle, ran.results[1].end_cycle);
}
END_TEST

/* ---- counters ---- */

#define LOADS(address)                                                                         \
    "20 * R1 = LDG.E R2 [ 4 1 " address " 4 ]; STG.E R2 R1 [ 4 1 " address " 4 ]; "            \
    "R3 = ATOMG.ADD R2 R1 [ 4 1 " address " 4 ]; R4 = LDC R2 [ 4 1 " address " 4 ]; "          \
    "FFMA R3; BAR; EXIT"

static const struct launch_text mixed[] = {
    {.blocks = 9, .threads = 96, .program = LOADS("0x10000")},
    {.blocks = 30, .threads = 64, .stream = 1, .program = LOADS("0x90000")},
    {.blocks = 5, .threads = 256, .stream = 2, .shmem = 30000, .program = CHAIN},
    {.blocks = 12, .threads = 32, .stream = 1, .program = LOADS("0x20000")},
    {.blocks = 7, .threads = 128, .stream = 2, .program = LOADS("0x10000")},
};
#define MIXED (sizeof mixed / sizeof *mixed)
#define MIXED_SETS                                                                             \
    SETS("gpgpu_n_clusters=3", "gpgpu_n_cores_per_cluster=2", "gpgpu_n_mem=2",                 \
         "hearth_icache=1", "hearth_const_cache=1")

/* What a launch does itself is counted as its own; all together is counted once. */
START_TEST(sums)
{
    struct ran ran = run_all(MIXED_SETS, mixed, MIXED, 1);
    uint64_t reads = 0, l2 = 0, both = 0;
    for (size_t i = 0; i < MIXED; i++) {
        struct sim_result alone = launch_on(MIXED_SETS, &mixed[i]);
        const struct sim_counters *c = &ran.results[i].counters;
        ck_assert_uint_eq(c->warp_insts, alone.counters.warp_insts);
        ck_assert_uint_eq(c->thread_insts, alone.counters.thread_insts);
        ck_assert_uint_eq(c->blocks, alone.counters.blocks);
        ck_assert_uint_eq(c->atomics, alone.counters.atomics);
        ck_assert_uint_eq(c->l1d_accesses, alone.counters.l1d_accesses);
        ck_assert_uint_eq(c->l2_writes, alone.counters.l2_writes);
        ck_assert_uint_eq(c->l2_atomics, alone.counters.l2_atomics);
        ck_assert_uint_eq(c->l0i_accesses, alone.counters.l0i_accesses);
        ck_assert_uint_eq(c->l1c_accesses, alone.counters.l1c_accesses);
        ck_assert_uint_eq(c->l1d_accesses, c->l1d_hits + c->l1d_misses + c->l1d_pending_hits);
        ck_assert_uint_le(c->dram_reads, alone.counters.dram_reads);
        reads += c->dram_read_bytes / 32;
        l2 += c->l2_read_misses;
        both += ran.results[i].end_cycle > ran.results[1].start_cycle &&
                ran.results[i].start_cycle < ran.results[1].end_cycle;
    }
    ck_assert_uint_eq(reads, l2); /* every miss is read once, as none is merged in DRAM */
    ck_assert_uint_ge(both, 2);
}
END_TEST

/* The simulator's own counts in the end are the sum of what the launches were told. */
START_TEST(nothing_lost)
{
    struct ran ran = {.texts = mixed, .count = MIXED};
    struct bench bench = bench_create(MIXED_SETS);
    struct error err = {0};
    bool stopped;
    struct sim_result before = bench_launch(&bench, &mixed[0]);
    ck_assert_int_eq(run(&ran, bench.sim, &stopped, &err), 0);
    struct sim_counters sum = before.counters;
    uint64_t last = 0;
    for (size_t i = 0; i < MIXED; i++) {
        sim_counters_add(&sum, &ran.results[i].counters);
        last = ran.results[i].end_cycle > last ? ran.results[i].end_cycle : last;
    }
    /* What a launch behind is told is counted from there on. */
    struct sim_result after = bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
    ck_assert_uint_eq(after.start_cycle, last);
    ck_assert_uint_eq(after.counters.warp_insts, 1);
    ck_assert_uint_eq(after.counters.l1d_accesses, 0);
    ck_assert_uint_eq(after.counters.l2_reads, 0);
    ck_assert_uint_eq(after.counters.dram_reads, 0);
    ck_assert_uint_lt(after.counters.sm_active_cycles, 100);
    for (size_t i = 0; i < sim_counter_count; i++) /* no difference went below 0 */
        ck_assert_uint_lt(sim_counter_get(&sum, i), UINT32_MAX);
    bench_destroy(&bench);
}
END_TEST

/* What is on its way when the last launch ends counts for it, and delays what follows: its gap.
 * So it is with a launch alone. */
START_TEST(gap_of_stores)
{
    static const char *const programs[] = {
        "40 * STG.E R2 R3 [ 4 1 0x10000 4 ]; EXIT",
        "20 * RED.E.ADD R2 R3 [ 4 1 0x20000 128 ]; EXIT",
        "20 * RED.E.ADD R2 R3 [ 4 1 0x20000 128 ]; STG.E R2 R1 [ 4 1 0x9000 64 ]; EXIT"};
    const char *const *sets = SETS("hearth_core=modern", "gpgpu_scheduler=cggty",
                                   "gpgpu_flush_l1_cache=1", "hearth_posted_reductions=24");
    const struct launch_text text = {.program = programs[_i]}, next = {.program = "EXIT"};
    struct ran ran = {.texts = &text, .count = 1};
    struct bench bench = bench_create(sets), alone = bench_create(sets);
    struct error err = {0};
    bool stopped;
    ck_assert_int_eq(run(&ran, bench.sim, &stopped, &err), 0);
    uint64_t end = ran.results[0].end_cycle;
    struct sim_result first = bench_launch(&alone, &text), second = bench_launch(&alone, &next),
                      after = bench_launch(&bench, &next);
    ck_assert_uint_gt(after.gap_cycles, 0);
    ck_assert_uint_eq(after.start_cycle, end + after.gap_cycles);
    ck_assert_uint_eq(after.gap_cycles, second.gap_cycles);
    ck_assert_uint_eq(after.counters.l2_reads + after.counters.l2_writes, 0);
    ck_assert_uint_eq(ran.results[0].counters.l2_reads, first.counters.l2_reads);
    ck_assert_uint_eq(ran.results[0].counters.l2_writes, first.counters.l2_writes);
    bench_destroy(&bench);
    bench_destroy(&alone);
}
END_TEST

#define COUNTS(c, prefix, hits, pending, misses)                                               \
    do {                                                                                       \
        ck_assert_uint_eq((c).prefix##_accesses, (hits) + (pending) + (misses));               \
        ck_assert_uint_eq((c).prefix##_hits, hits);                                            \
        ck_assert_uint_eq((c).prefix##_pending_hits, pending);                                 \
        ck_assert_uint_eq((c).prefix##_misses, misses);                                        \
    } while (0)

/* A scheduler fetches for a warp of each launch two lines: five pairs and an instruction. The
 * first launch comes first: it asks for both lines, and those behind them where there is a
 * stream buffer; the other one, of the same kernel, finds them on their way. */
START_TEST(shared_code)
{
    static const char *const streams[] = {"hearth_icache_stream=0", "hearth_icache_stream=3"};
    const char *program = repeated("%EXIT", 10, "FFMA;");
    const struct launch_text texts[] = {{.program = program},
                                        {.stream = 1, .program = program}};
    for (int i = 0; i < 2; i++) {
        struct ran ran = RUN(SETS("gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0",
                                  "hearth_icache=1", "hearth_icache_l0=2048", streams[i]),
                             texts);
        COUNTS(ran.results[0].counters, l0i, 4, 0, 2);
        COUNTS(ran.results[1].counters, l0i, 4 + i, 2 - i, 0);
        ck_assert_uint_eq(ran.results[0].counters.l0i_stream_hits, i);
        COUNTS(ran.results[0].counters, l1i, 0, 0, i == 0 ? 2 : 1 + 3 + 1);
        COUNTS(ran.results[1].counters, l1i, 0, 0, 0);
    }
}
END_TEST

/* Launches share no constants: each misses the line once. The first one waits for it, the other
 * one asks again at once. */
START_TEST(constants)
{
    static const struct launch_text texts[] = {
        {.program = "R1 = LDC R2 [ 4 1 0x100 0 ]; R1 = LDC R1 [ 4 1 0x104 0 ]; EXIT"},
        {.stream = 1,
         .program = "R1 = LDC R2 [ 4 1 0x100 0 ]; R3 = LDC R2 [ 4 1 0x104 0 ]; EXIT"}};
    struct ran ran = RUN(SETS("hearth_const_cache=1"), texts);
    COUNTS(ran.results[0].counters, l1c, 1, 0, 1);
    COUNTS(ran.results[1].counters, l1c, 0, 1, 1);
}
END_TEST

/* One stream alone: as one launch after the other, to the last counter but for DRAM commands
 * behind the end of a launch. */
START_TEST(one_stream)
{
    const char *const *sets =
        SETS("gpgpu_n_clusters=6", "gpgpu_n_mem=2", "hearth_cpi_stack=1", "hearth_icache=1",
             "hearth_const_cache=1", "hearth_war_scoreboard=3");
    struct launch_text texts[MIXED];
    struct bench bench = bench_create(sets);
    for (size_t i = 0; i < MIXED; i++) {
        texts[i] = mixed[i];
        texts[i].stream = 3;
    }
    struct ran ran = run_all(sets, texts, MIXED, 1);
    for (size_t i = 0; i < MIXED; i++) {
        sim_flush(bench.sim, SIM_L1, false);
        struct sim_result alone = bench_launch(&bench, &texts[i]);
        expect(&ran, i, alone.start_cycle, alone.end_cycle);
        for (size_t c = 0; c < sim_counter_count; c++)
            if (strncmp(sim_counter_table[c].name, "dram", 4) != 0)
                ck_assert_msg(sim_counter_get(&ran.results[i].counters, c) ==
                                  sim_counter_get(&alone.counters, c),
                              "launch %zu: %s", i, sim_counter_table[c].name);
        ck_assert_uint_eq(ran.results[i].counters.dram_reads, alone.counters.dram_reads);
        for (uint32_t s = 0; s < sim_schedulers(bench.sim); s++)
            ck_assert_mem_eq(&ran.stacks[i][s], sim_stack(bench.sim, s),
                             sizeof(struct sim_cpi));
    }
    bench_destroy(&bench);
}
END_TEST

/* ---- CPI stacks ---- */

static uint64_t height(const struct sim_cpi *stack)
{
    uint64_t sum = 0;
    for (int c = 0; c < SIM_CPI_COUNT; c++)
        sum += stack->cycles[c];
    return sum;
}

/* Every cycle of a scheduler from the first start to the last end is charged once, an issue to
 * the launch whose instruction it was. */
static void check_stacks(const char *const *sets, uint32_t sms)
{
    struct ran ran = run_all(sets, mixed, MIXED, 1);
    uint64_t heights[4] = {0}, last = 0;
    for (size_t i = 0; i < MIXED; i++) {
        const struct sim_result *result = &ran.results[i];
        ck_assert_uint_eq(result->counters.cpi_issued, result->counters.warp_insts);
        last = result->end_cycle > last ? result->end_cycle : last;
        uint64_t issued = 0;
        for (int s = 0; s < 4; s++) {
            issued += ran.stacks[i][s].cycles[SIM_CPI_issued];
            heights[s] += height(&ran.stacks[i][s]);
        }
        ck_assert_uint_eq(issued, result->counters.cpi_issued);
    }
    for (int s = 0; s < 4; s++)
        ck_assert_uint_eq(heights[s], sms * (last - ran.results[0].start_cycle));
}

START_TEST(stacks_add_up)
{
    check_stacks(SETS("gpgpu_n_clusters=3", "gpgpu_n_cores_per_cluster=2", "gpgpu_n_mem=2",
                      "hearth_cpi_stack=1"),
                 6);
    check_stacks(SETS("gpgpu_n_clusters=20", "hearth_cpi_stack=1",
                      "gpgpu_kernel_launch_latency=700", "gpgpu_TB_launch_latency=30"),
                 20);
    check_stacks(SETS("hearth_cpi_stack=1", "gpgpu_max_concurrent_kernel=2"), 1);
}
END_TEST

/* One scheduler. The chain comes at the end of cycle 0, the other launch of the next: while
 * both wait, the shorter kind of result is nearer and its launch charged; behind its end the
 * load's. Alone, the chain issues and waits as often. */
START_TEST(stacks_blame)
{
    static const struct launch_text texts[] = {
        {.program = "30 * R1 = FFMA R1; EXIT"},
        {.stream = 1, .program = "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; FADD R1; EXIT"}};
    const char *const *sets = SETS("hearth_cpi_stack=1", "gpgpu_num_sched_per_core=1",
                                   "gpgpu_sub_core_model=0", "gpgpu_scheduler=lrr");
    struct ran ran = RUN(sets, texts);
    const struct sim_cpi *chain = &ran.stacks[0][0], *load = &ran.stacks[1][0];
    struct sim_result alone = launch_on(sets, &texts[0]);
    ck_assert_uint_eq(chain->cycles[SIM_CPI_issued], 31);
    ck_assert_uint_eq(load->cycles[SIM_CPI_issued], 3);
    ck_assert_uint_eq(chain->cycles[SIM_CPI_scoreboard_memory], 0);
    ck_assert_uint_eq(load->cycles[SIM_CPI_scoreboard_compute], 0);
    ck_assert_uint_eq(chain->cycles[SIM_CPI_launch], 1);
    ck_assert_uint_eq(load->cycles[SIM_CPI_launch], 0);
    ck_assert_uint_gt(load->cycles[SIM_CPI_scoreboard_memory], 300);
    /* The load issues once while the chain waits. */
    ck_assert_uint_eq(chain->cycles[SIM_CPI_scoreboard_compute],
                      alone.counters.cpi_scoreboard_compute - 1);
    uint64_t last = ran.results[0].end_cycle > ran.results[1].end_cycle
                        ? ran.results[0].end_cycle
                        : ran.results[1].end_cycle;
    ck_assert_uint_eq(height(chain) + height(load), last);
}
END_TEST

START_TEST(threads)
{
    static const uint32_t counts[] = {2, 3, 5, 8};
    const char *const *sets = SETS("gpgpu_n_clusters=3", "gpgpu_n_cores_per_cluster=2",
                                   "gpgpu_n_mem=2", "hearth_cpi_stack=1", "hearth_icache=1",
                                   "hearth_const_cache=1", "hearth_war_scoreboard=1");
    struct ran one = run_all(sets, mixed, MIXED, 1);
    for (size_t t = 0; t < sizeof counts / sizeof *counts; t++) {
        struct ran ran = run_all(sets, mixed, MIXED, counts[t]);
        ck_assert_mem_eq(ran.order, one.order, sizeof one.order);
        for (size_t i = 0; i < MIXED; i++) {
            expect(&ran, i, one.results[i].start_cycle, one.results[i].end_cycle);
            ck_assert_mem_eq(&ran.results[i].counters, &one.results[i].counters,
                             sizeof one.results[i].counters);
        }
        ck_assert_mem_eq(ran.stacks, one.stacks, sizeof one.stacks);
    }
}
END_TEST

/* ---- ends ---- */

START_TEST(stopped_by_hook)
{
    const struct launch_text texts[] = {{.program = "9000 * R1 = FFMA R1; EXIT"},
                                        {.stream = 1, .program = CHAIN},
                                        {.stream = 1, .program = "9000 * R1 = FFMA R1; EXIT"}};
    struct ran ran = {.texts = texts, .count = 3, .stop = true};
    struct bench bench = bench_create(NO_SETS);
    struct error err = {0};
    bool stopped;
    ck_assert_int_eq(run(&ran, bench.sim, &stopped, &err), 0);
    ck_assert(stopped);
    ck_assert_uint_eq(ran.ended, 1);
    struct sim_result after = bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
    ck_assert_uint_eq(after.start_cycle, 0);
    bench_destroy(&bench);
}
END_TEST

START_TEST(too_large)
{
    const struct launch_text texts[] = {{.program = CHAIN},
                                        {.stream = 1, .shmem = 200000, .program = CHAIN}};
    struct ran ran = {.texts = texts, .count = 2};
    struct bench bench = bench_create(NO_SETS);
    struct error err = {0};
    bool stopped;
    ck_assert_int_eq(run(&ran, bench.sim, &stopped, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_uint_eq(ran.ended, 0);
    struct sim_result after = bench_launch(&bench, &(struct launch_text){.program = "EXIT"});
    ck_assert_uint_eq(result_cycles(&after), 8);
    bench_destroy(&bench);
}
END_TEST

/* A launch that waits for good is found though the others have ended; the report names its
 * own instructions. */
START_TEST(deadlock)
{
    const struct launch_text texts[] = {
        {.threads = 64,
         .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; FADD R1; BAR; EXIT | BAR; EXIT"},
        {.stream = 1, .program = CHAIN}};
    struct ran ran = {.texts = texts, .count = 2};
    struct bench bench = bench_without_loads();
    struct error err = {0};
    bool stopped;
    ck_assert_int_eq(run(&ran, bench.sim, &stopped, &err), -1);
    ck_assert_uint_eq(ran.ended, 1);
    ck_assert_ptr_nonnull(strstr(err.text, "deadlock"));
    ck_assert_ptr_nonnull(strstr(sim_report(bench.sim), "; next: 0010 FADD\n"));
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        two_sms,      one_sm,      one_place,       resources,    order,      window,
        sums,         shared_code, constants,       nothing_lost, one_stream, stacks_add_up,
        stacks_blame, threads,     stopped_by_hook, too_large,    deadlock,
    };
    const TTest *const loops[] = {gap_of_stores};
    return RUN_LOOPS("streams", tests, loops, 3);
}
