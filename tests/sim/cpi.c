/* CPI stacks, worked out by hand. A launch's cycle 0, at whose end the block comes, is launch
 * latency; warps are fetched for in 1 and issue from 2 on (fetch: 1 cycle); an EXIT issued in
 * e ends its warp in e+5. The other times are those of units.c, collect.c, memory.c. */
#define _GNU_SOURCE /* open_memstream */
#include "tests/sim/support.h"

#include <stdio.h>

#define STACKS(...) SETS("hearth_cpi_stack=1", __VA_ARGS__)
#define ONE_SCHEDULER                                                                          \
    STACKS("gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0", "gpgpu_scheduler=lrr")

/* The stack of a launch's scheduler; those not named have 0 cycles. */
struct want {
    unsigned issued, memory, compute, unit, collect, barrier, fetch, none, drain, launch;
};

static void check(const struct sim_cpi *stack, struct want want)
{
    const unsigned cycles[] = {want.issued,  want.memory,  want.compute, want.unit,
                               want.collect, want.barrier, want.fetch,   want.none,
                               want.drain,   want.launch};
    for (int c = 0; c < SIM_CPI_COUNT; c++)
        ck_assert_msg(stack->cycles[c] == cycles[c], "%s: %llu, not %u", sim_cpi_names[c],
                      (unsigned long long)stack->cycles[c], cycles[c]);
}

/* Runs a launch and checks the stacks of schedulers 0 and 1. */
static struct sim_result expect(const char *const *sets, const struct launch_text *text,
                                struct want first, struct want second)
{
    struct bench bench = bench_create(sets);
    struct sim_result result = bench_launch(&bench, text);
    check(sim_stack(bench.sim, 0), first);
    if (sim_schedulers(bench.sim) > 1)
        check(sim_stack(bench.sim, 1), second);
    bench_destroy(&bench);
    return result;
}

static void expect_one(const char *const *sets, const char *program, struct want want)
{
    struct want other = {.launch = want.launch};
    for (int i = 0; i < 9; i++)
        other.none += ((const unsigned *)&want)[i];
    expect(sets, &(struct launch_text){.program = program}, want, other);
}

/* FFMA in 2, 9, 16 ... 65, EXIT in 66; the last result is written in 72. The other
 * schedulers have no warp. */
START_TEST(chain)
{
    expect_one(STACKS(NULL), "10 * R1 = FFMA R1; EXIT",
               (struct want){.issued = 11, .compute = 54, .fetch = 1, .drain = 6, .launch = 1});
}
END_TEST

/* Loaded in 2, used in 548, EXIT in 549; DFMA ends in 548 + 69. */
START_TEST(load_use)
{
    expect_one(STACKS(NULL), "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; DFMA R1; EXIT",
               (struct want){.issued = 3, .memory = 545, .fetch = 1, .drain = 68, .launch = 1});
}
END_TEST

/* FFMA waits for both: for the load from shared memory up to 36, then for the
 * DFMA alone up to 3 + 68; it ends in 71 + 7. */
START_TEST(load_and_compute)
{
    expect_one(
        STACKS(NULL), "R1 = LDS R2 [ 4 1 0x0 4 ]; R3 = DFMA; FFMA R1 R3; EXIT",
        (struct want){
            .issued = 4, .memory = 32, .compute = 35, .fetch = 1, .drain = 6, .launch = 1});
}
END_TEST

/* Warp 0 waits for its load from 3 to 547. Warp 1, nearer to issue, for its
 * FFMA of 3 up to 9, and ends with EXIT in 10. */
START_TEST(nearest_warp)
{
    expect(ONE_SCHEDULER,
           &(struct launch_text){.threads = 64,
                                 .program = "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; FFMA R1; EXIT | "
                                            "R1 = FFMA; R2 = FFMA R1; EXIT"},
           (struct want){
               .issued = 6, .memory = 537, .compute = 5, .fetch = 1, .drain = 6, .launch = 1},
           (struct want){0});
}
END_TEST

/* Warp 1 reaches the barrier in N + 2. Warp 0 goes on in the next cycle, or in the same when
 * its scheduler comes later in it (barrier.c): its wait is one cycle shorter. Its DFMA ends 68
 * cycles later. Warp 1 ends with EXIT in N + 3: no warp from N + 9 on. */
START_TEST(barrier)
{
    for (unsigned n = 50; n <= 52; n++) {
        char program[100];
        unsigned dfma = n == 52 ? n + 2 : n + 3;
        sprintf(program, "BAR; DFMA; EXIT | %u * FFMA; BAR; EXIT", n);
        struct sim_result result =
            expect(STACKS(NULL), &(struct launch_text){.threads = 64, .program = program},
                   (struct want){
                       .issued = 3, .barrier = dfma - 3, .fetch = 1, .drain = 67, .launch = 1},
                   (struct want){.issued = n + 2,
                                 .fetch = 1,
                                 .drain = 5,
                                 .none = dfma + 69 - (n + 9),
                                 .launch = 1});
        ck_assert_uint_eq(result_cycles(&result), dfma + 69);
    }
}
END_TEST

/* DFMA goes on when the loads have come, or the atomic is answered. */
START_TEST(waits_for_memory)
{
    const char *load = "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; MEMBAR; DFMA; EXIT";
    unsigned dfma = (unsigned)cycles_of(NO_SETS, load) - 69;
    expect_one(
        STACKS(NULL), load,
        (struct want){.issued = 4, .barrier = dfma - 4, .fetch = 1, .drain = 67, .launch = 1});
    const char *atomic = "R1 = ATOMG.E.ADD R2 R3 [ 4 1 0x1000 4 ]; DFMA; EXIT";
    dfma = (unsigned)cycles_of(NO_SETS, atomic) - 69;
    ck_assert_uint_gt(dfma, 300);
    expect_one(
        STACKS(NULL), atomic,
        (struct want){.issued = 3, .memory = dfma - 3, .fetch = 1, .drain = 67, .launch = 1});
}
END_TEST

/* A unit takes a DFMA in 4, 68, 132 ... One waits in front of it, two in the
 * collectors, one in front of these: five are issued in 2 to 6, the next in
 * 68 and 132, EXIT in 133. The last is taken in 4 + 6 * 64, written 66 later. */
START_TEST(unit_busy)
{
    expect_one(STACKS(NULL), "7 * DFMA; EXIT",
               (struct want){.issued = 8, .unit = 124, .fetch = 1, .drain = 321, .launch = 1});
}
END_TEST

/* Four registers of a bank: two cycles. FFMA in 2, 3, 4, 5, then in 7, 9 ... 17, EXIT in 18.
 * Number k of them, from 0, is written in 10 + 2 k. */
START_TEST(operand_collection)
{
    expect_one(STACKS(NULL), "10 * FFMA R1 R3 R5 R7; EXIT",
               (struct want){.issued = 11, .collect = 6, .fetch = 1, .drain = 10, .launch = 1});
}
END_TEST

/* One fetch step a cycle: pairs are issued in 3 and 4, 6 and 7 ... 30 and 31,
 * EXIT in 33. */
START_TEST(fetch)
{
    expect_one(STACKS("gpgpu_inst_fetch_throughput=1"), "20 * FFMA; EXIT",
               (struct want){.issued = 21, .fetch = 12, .drain = 5, .launch = 1});
}
END_TEST

/* ---- with the instruction cache modelled: the times of icache.c ---- */

#define ICACHE(stream)                                                                         \
    "hearth_icache=1", "hearth_icache_l0=2048", "hearth_icache_stream=" stream,                \
        "hearth_icache_l1_latency=20", "hearth_icache_miss_latency=100"

/* Ten lines of eight instructions. A line that is there in r is issued in r + 1 to r + 8, the
 * first one in 122 to 129; without a stream buffer the next one is there 120 cycles later. One
 * of 8 lines has all of them in time but the last, looked up in 193 and there in 249. */
START_TEST(fetch_misses)
{
    char program[1000];
    strcpy(program, repeated("%EXIT", 79, "FFMA;"));
    expect_one(STACKS(ICACHE("0")), program,
               (struct want){.issued = 80, .fetch = 121 + 9 * 120, .drain = 5, .launch = 1});
    expect_one(STACKS(ICACHE("8")), program,
               (struct want){.issued = 80, .fetch = 121 + 56, .drain = 5, .launch = 1});
}
END_TEST

/* Warps 0 and 1 issue in 122 and 123; then 1 waits for its second line, there in 243. Warp 0
 * is nearer to issue while it waits for a register, up to 127; its EXIT is issued in 129. */
START_TEST(fetch_or_register)
{
    const char *const *sets = STACKS("gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0",
                                     "gpgpu_scheduler=lrr", ICACHE("0"));
    expect(
        sets,
        &(struct launch_text){.threads = 64,
                              .program = "R1 = FFMA; FFMA R1; EXIT | FFMA; :8 EXIT"},
        (struct want){.issued = 5, .compute = 4, .fetch = 121 + 114, .drain = 5, .launch = 1},
        (struct want){0});
}
END_TEST

/* Code that is in the caches from the launch before is fetched in the one cycle that perfect
 * caches take. */
START_TEST(fetch_hits)
{
    const struct launch_text text = {.program = repeated("%EXIT", 79, "FFMA;")};
    struct bench bench = bench_create(STACKS(ICACHE("0")));
    bench_launch(&bench, &text);
    bench_launch(&bench, &text);
    check(sim_stack(bench.sim, 0),
          (struct want){.issued = 80, .fetch = 1, .drain = 5, .launch = 1});
    bench_destroy(&bench);
}
END_TEST

/* Two instructions of a cycle are one issued cycle. */
START_TEST(dual_issue)
{
    const char *program = repeated("%EXIT", 10, "FFMA; IMAD;");
    struct bench bench = bench_create(
        STACKS("trace_opcode_latency_initiation_int=2,1", "gpgpu_max_insn_issue_per_warp=2"));
    struct sim_result result = bench_launch(&bench, &(struct launch_text){.program = program});
    ck_assert_uint_eq(result.counters.warp_insts, 21);
    ck_assert_uint_eq(sim_stack(bench.sim, 0)->cycles[SIM_CPI_issued], 11);
    bench_destroy(&bench);
}
END_TEST

/* Two SMs. The first ends its block in 7, the other in 27: then it is through. */
START_TEST(last_block)
{
    expect(STACKS("gpgpu_n_clusters=2"),
           &(struct launch_text){.blocks = 2, .program = "EXIT # 20 * FFMA; EXIT"},
           (struct want){.issued = 22, .fetch = 2, .drain = 5 + 20 + 5, .launch = 2},
           (struct want){.none = 7 + 27, .drain = 20, .launch = 2});
}
END_TEST

/* Two SMs of a cluster get their blocks in 0 and 1; until then a block is left, and the
 * second has no warp. With launch latency both are later. */
START_TEST(first_block)
{
    const char *const *sets[] = {
        STACKS("gpgpu_n_cores_per_cluster=2"),
        STACKS("gpgpu_n_cores_per_cluster=2", "gpgpu_kernel_launch_latency=100"),
    };
    for (unsigned i = 0; i < 2; i++)
        expect(
            sets[i], &(struct launch_text){.blocks = 2, .program = "EXIT"},
            (struct want){
                .issued = 2, .fetch = 2, .none = 1, .drain = 5 + 1 + 5, .launch = 2 + 200 * i},
            (struct want){.none = 7 + 8, .drain = 1, .launch = 2 + 200 * i});
}
END_TEST

/* An SM that gets no block at all has had its last one once none is left. */
START_TEST(no_block)
{
    expect(STACKS("gpgpu_n_clusters=2"), &(struct launch_text){.program = "EXIT"},
           (struct want){.issued = 1, .fetch = 1, .drain = 5 + 7, .launch = 2},
           (struct want){.none = 7, .drain = 7, .launch = 2});
}
END_TEST

/* Each launch has its own; without the option there is none. */
START_TEST(by_launch)
{
    const struct launch_text text = {.program =
                                         "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; DFMA R1; EXIT"};
    struct bench bench = bench_create(STACKS("gpgpu_flush_l1_cache=0"));
    bench_launch(&bench, &text);
    struct sim_result result = bench_launch(&bench, &text);
    const struct sim_cpi *stack = sim_stack(bench.sim, 0);
    ck_assert_uint_lt(stack->cycles[SIM_CPI_scoreboard_memory], 100); /* it hits */
    ck_assert_uint_eq(stack->cycles[SIM_CPI_issued], 3);
    ck_assert_uint_eq(result.counters.cpi_issued, 3);
    ck_assert_uint_eq(result.counters.cpi_launch, 4);
    bench_destroy(&bench);
    bench = bench_create(NO_SETS);
    result = bench_launch(&bench, &text);
    ck_assert_uint_eq(sim_schedulers(bench.sim), 0);
    ck_assert_uint_eq(result.counters.cpi_issued, 0);
    bench_destroy(&bench);
}
END_TEST

/* ---- any launch ---- */

static unsigned next_random(unsigned *state, unsigned below)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % below;
}

/* COUNT blocks of different code, the same for all warps of a block. Owned by the caller. */
static char *random_program(unsigned *state, unsigned count)
{
    static const char *const parts[] = {
        "R%u = FFMA R%u R%u; ",
        "R%u = IMAD R%u R%u; ",
        "R%u = MUFU R%u; ",
        "R%u = DFMA R%u; ",
        "BAR; ",
        "MEMBAR; ",
        "6 * R%u = FFMA R%u R1 R3 R5 R7; ",
        "R%u = LDG.E R%u [ 4 1 0x%u000 64 ]; ",
        "R%u = LDS R%u [ 4 1 0x%u0 8 ]; ",
        "STG.E R%u R%u [ 4 1 0x%u000 4 ]; ",
        "R%u = ATOMG.E.ADD R%u R2 [ 4 1 0x%u000 4 ]; ",
    };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (unsigned b = 0; b < count; b++) {
        for (unsigned i = next_random(state, 30); i > 0; i--) {
            unsigned regs[3];
            for (int r = 0; r < 3; r++)
                regs[r] = 1 + next_random(state, 8);
            /* Parts use as many as they have room for. */
            fprintf(out, parts[next_random(state, sizeof parts / sizeof *parts)], regs[0],
                    regs[1], regs[2]);
        }
        fputs(b + 1 < count ? "EXIT # " : "EXIT", out);
    }
    fclose(out);
    return text;
}

static uint64_t sum_of(const struct sim_counters *c)
{
    return c->cpi_issued + c->cpi_scoreboard_memory + c->cpi_scoreboard_compute +
           c->cpi_unit_busy + c->cpi_operand_collection + c->cpi_barrier + c->cpi_fetch +
           c->cpi_no_warp + c->cpi_drain + c->cpi_launch;
}

struct slots {
    unsigned each;           /* schedulers of all SMs */
    struct sim_counters sum; /* of the launch's intervals */
};

static void on_interval(void *data, const struct sim_interval *interval)
{
    struct slots *slots = data;
    ck_assert_uint_eq(sum_of(&interval->counters),
                      (interval->end - interval->begin) * slots->each);
    sim_counters_add(&slots->sum, &interval->counters);
}

/* Runs two launches of TEXT, in intervals of LENGTH cycles (0: none), with so many threads, on
 * SMS with SCHEDULERS each. Returns the counters of the second. */
static struct sim_counters run_summed(const char *const *sets, const struct launch_text *text,
                                      unsigned sms, unsigned schedulers, unsigned threads,
                                      uint64_t length)
{
    struct bench bench = bench_create(sets);
    struct sim_result result = {0};
    struct error err = {0};
    ck_assert_int_eq(sim_set_threads(bench.sim, threads, &err), 0);
    for (int i = 0; i < 2; i++) {
        struct slots slots = {.each = sms * schedulers};
        struct sim_hooks hooks = {
            .interval_ended = on_interval, .interval = length, .data = &slots};
        struct trace_kernel *kernel = test_kernel(text);
        ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &result, &err) == 0, "%s",
                      err.text);
        trace_kernel_close(kernel);
        ck_assert_uint_eq(sum_of(&result.counters), result_cycles(&result) * sms * schedulers);
        if (length != 0)
            ck_assert_int_eq(memcmp(&slots.sum, &result.counters, sizeof slots.sum), 0);
        ck_assert_uint_eq(sim_schedulers(bench.sim), schedulers);
        for (unsigned s = 0; s < schedulers; s++) {
            uint64_t sum = 0;
            for (int c = 0; c < SIM_CPI_COUNT; c++)
                sum += sim_stack(bench.sim, s)->cycles[c];
            ck_assert_uint_eq(sum, result_cycles(&result) * sms);
        }
    }
    bench_destroy(&bench);
    return result.counters;
}

/* Stacks add up for any program, number of threads and length of intervals, and are the same
 * for all of these. Lengths of 1 are a reference without skipped cycles: every cycle is
 * classified for itself. */
START_TEST(sums)
{
    const struct {
        const char *const *sets;
        unsigned sms, schedulers;
    } rows[] = {
        {STACKS("gpgpu_n_clusters=3"), 3, 4},
        {STACKS("gpgpu_n_clusters=1", "gpgpu_n_cores_per_cluster=2",
                "gpgpu_kernel_launch_latency=70", "gpgpu_inst_fetch_throughput=1"),
         2, 4},
        {STACKS("gpgpu_num_sched_per_core=2", "gpgpu_sub_core_model=0", "gpgpu_scheduler=gto",
                "gpgpu_max_insn_issue_per_warp=2", "gpgpu_shader_cta=2"),
         1, 2},
        {STACKS("gpgpu_n_clusters=2", "hearth_icache=1", "hearth_icache_l0=128"), 2, 4},
    };
    unsigned state = 7 + (unsigned)_i;
    char *program = random_program(&state, 6);
    struct launch_text text = {
        .blocks = 20, .threads = 32 + 32 * next_random(&state, 8), .program = program};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_counters fine =
            run_summed(rows[i].sets, &text, rows[i].sms, rows[i].schedulers, 1, 1);
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct sim_counters same =
                run_summed(rows[i].sets, &text, rows[i].sms, rows[i].schedulers, threads,
                           threads == 3 ? 97 : 0);
            ck_assert_int_eq(memcmp(&same, &fine, sizeof same), 0);
        }
    }
    free(program);
}
END_TEST

static enum sim_block_choice odd_ones(void *data, const struct sim_block *block,
                                      uint64_t *cycles)
{
    (void)data;
    *cycles = 50;
    return block->order % 3 == 0   ? SIM_BLOCK_TIMED
           : block->order % 3 == 1 ? SIM_BLOCK_SKIP
                                   : SIM_BLOCK_RUN;
}

/* Blocks that are not simulated have no warps. */
START_TEST(timed_blocks)
{
    struct bench bench = bench_create(STACKS("gpgpu_n_clusters=2"));
    struct trace_kernel *kernel =
        test_kernel(&(struct launch_text){.blocks = 7, .program = "EXIT"});
    const struct sim_hooks hooks = {.block_begins = odd_ones};
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench.sim, kernel, &hooks, &result, &err), 0);
    ck_assert_uint_eq(sum_of(&result.counters), result_cycles(&result) * 2 * 4);
    ck_assert_uint_eq(result.counters.cpi_issued, 2);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        chain,        load_use,          load_and_compute, nearest_warp,
        barrier,      waits_for_memory,  unit_busy,        fetch,
        fetch_misses, fetch_or_register, fetch_hits,       operand_collection,
        dual_issue,   last_block,        first_block,      no_block,
        by_launch,    timed_blocks,
    };
    const TTest *const loops[] = {sums};
    return RUN_LOOPS("cpi", tests, loops, 8);
}
