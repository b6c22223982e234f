/* Which warp issues when. First issues are in cycle 2, an EXIT issued in e
 * ends its launch after e+6 cycles, an instruction of latency L issued in t
 * after t+L+6, a cycle less when it reads no register (see units.c). */
#include "tests/sim/support.h"

/* All warps under one scheduler. Warps 0 and 1 are both decoded in cycle 1. */
#define ONE_SCHEDULER(policy)                                                                  \
    SETS("gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0", "gpgpu_scheduler=" policy)

static uint64_t two_warps(const char *const *sets, const char *program)
{
    struct sim_result result =
        launch_on(sets, &(struct launch_text){.threads = 64, .program = program});
    return result_cycles(&result);
}

/* Both warps can always issue. LRR takes turns: DFMA of warp 1 in 3, 1 behind
 * warp 0's first; it ends in 3 + 64 + 4 = 71. The others stay with warp 0, 20
 * FFMA and EXIT in 2 to 22: DFMA in 23. */
START_TEST(always_ready)
{
    const char *program = "20 * FFMA; EXIT | DFMA; EXIT";
    ck_assert_uint_eq(two_warps(ONE_SCHEDULER("lrr"), program), 3 + 64 + 4 + 1);
    ck_assert_uint_eq(two_warps(ONE_SCHEDULER("gto"), program), 23 + 64 + 4 + 1);
    ck_assert_uint_eq(two_warps(ONE_SCHEDULER("oldest"), program), 23 + 64 + 4 + 1);
}
END_TEST

/* Warp 0 waits for its FFMA without registers, of 2, until 2 + 2 + 4 = 8.
 * Greedy stays with warp 1, 20 FFMA and EXIT in 3 to 23: DFMA in 24. The
 * others come back to warp 0 in 8. DFMA reads a register: 64 + 5. */
START_TEST(back_to_the_older)
{
    const char *program = "R1 = FFMA; DFMA R1; EXIT | 20 * FFMA; EXIT";
    ck_assert_uint_eq(two_warps(ONE_SCHEDULER("lrr"), program), 8 + 64 + 5 + 1);
    ck_assert_uint_eq(two_warps(ONE_SCHEDULER("oldest"), program), 8 + 64 + 5 + 1);
    ck_assert_uint_eq(two_warps(ONE_SCHEDULER("gto"), program), 24 + 64 + 5 + 1);
}
END_TEST

/* The oldest warp is the one whose block came first, not the lowest number:
 * a block of one warp ends in slot 0, and its successor in slot 0 is younger
 * than the block in slot 1.
 *
 * Block 0 comes in 0, block 1 in 1. Block 0's EXIT is issued in 2, ends in 7;
 * block 2 takes its place at the end of 7, is decoded in 8 and ready in 9.
 * Block 1 is ready in 3, issues its 40 FFMA and EXIT in 3 to 43 under both
 * policies; so block 2's DFMA is issued in 44. */
START_TEST(age_of_blocks)
{
    struct launch_text text = {.blocks = 3, .program = "EXIT # 40 * FFMA; EXIT # DFMA; EXIT"};
    struct sim_result result =
        launch_on(SETS("gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0",
                       "gpgpu_scheduler=oldest", "gpgpu_shader_cta=2"),
                  &text);
    ck_assert_uint_eq(result_cycles(&result), 44 + 64 + 4 + 1);
    /* LRR gives block 2 its turn in 9 or, when it was the other's, 10: slot 1
     * issued in 8, so that slot 0 comes in 9. */
    result = launch_on(
        SETS("gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0", "gpgpu_shader_cta=2"),
        &text);
    ck_assert_uint_eq(result_cycles(&result), 9 + 64 + 4 + 1);
}
END_TEST

/* Two instructions of different units in a cycle, where allowed. */
START_TEST(dual_issue)
{
    const char *const *sets[] = {
        SETS("trace_opcode_latency_initiation_int=2,1"),
        SETS("trace_opcode_latency_initiation_int=2,1", "gpgpu_max_insn_issue_per_warp=2"),
    };
    uint64_t cycles[2][2];
    for (int i = 0; i < 4; i++)
        cycles[i / 2][i % 2] =
            cycles_of(sets[i / 2], repeated("%EXIT", 10 + 10 * (i % 2), "FFMA; IMAD;"));
    ck_assert_uint_eq(cycles[0][1] - cycles[0][0], 20);
    ck_assert_uint_eq(cycles[1][1] - cycles[1][0], 10);
    /* The second one depends on the first. */
    uint64_t some = cycles_of(sets[1], repeated("%EXIT", 10, "R1 = FFMA R2; R2 = IMAD R1;"));
    uint64_t more = cycles_of(sets[1], repeated("%EXIT", 20, "R1 = FFMA R2; R2 = IMAD R1;"));
    ck_assert_uint_eq(more - some, 10 * (7 + 7));
}
END_TEST

/* To the same unit only if different units are not asked for, and only where
 * a sub-core has more than its one register in front of the unit. */
START_TEST(dual_issue_same_unit)
{
    const struct {
        const char *const *sets;
        unsigned cycles;
    } rows[] = {
        {SETS("gpgpu_max_insn_issue_per_warp=2"), 20},
        {SETS("gpgpu_max_insn_issue_per_warp=2", "gpgpu_dual_issue_diff_exec_units=0"), 20},
        {SETS("gpgpu_max_insn_issue_per_warp=2", "gpgpu_sub_core_model=0"), 20},
        {SETS("gpgpu_max_insn_issue_per_warp=2", "gpgpu_dual_issue_diff_exec_units=0",
              "gpgpu_sub_core_model=0"),
         10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t some = cycles_of(rows[i].sets, "20 * FFMA; EXIT");
        uint64_t more = cycles_of(rows[i].sets, "40 * FFMA; EXIT");
        ck_assert_uint_eq(more - some, rows[i].cycles);
    }
}
END_TEST

/* Which pairs of units count as different. Each unit takes an instruction a
 * cycle here, so that a pair takes one cycle or two. All specialised units
 * (branches, textures, tensor cores, uniform datapath) count as the same. */
START_TEST(dual_issue_kinds)
{
    const struct {
        const char *pair;
        unsigned cycles;
    } rows[] = {
        {"FFMA; IMAD;", 1},  {"IMAD; MOV;", 2},
        {"MUFU; FFMA;", 1},  {"DFMA; IMAD;", 1},
        {"FFMA; HFMA2;", 2}, {"ULDC; FFMA;", 1},
        {"BRA; ULDC;", 2},   {"HMMA; BRA;", 2},
        {"ULDC; IMAD;", 1},  {"STS R2 R3 [ 4 1 0x0 4 ]; FFMA;", 1},
    };
    const char *const *one_a_cycle = SETS(
        "gpgpu_max_insn_issue_per_warp=2", "trace_opcode_latency_initiation_int=2,1",
        "trace_opcode_latency_initiation_dp=4,1", "trace_opcode_latency_initiation_sfu=4,1",
        "trace_opcode_latency_initiation_spec_op_1=4,1",
        "trace_opcode_latency_initiation_spec_op_3=4,1",
        "gpgpu_operand_collector_num_units_gen=32",
        "gpgpu_operand_collector_num_in_ports_gen=32",
        "gpgpu_operand_collector_num_out_ports_gen=32");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t some = cycles_of(one_a_cycle, repeated("%EXIT", 10, rows[i].pair));
        uint64_t more = cycles_of(one_a_cycle, repeated("%EXIT", 20, rows[i].pair));
        ck_assert_msg(more - some == 10 * rows[i].cycles, "%s takes %llu / 10", rows[i].pair,
                      (unsigned long long)(more - some));
    }
}
END_TEST

/* The second instruction of a pair waits for what any instruction waits for,
 * and is then issued alone: pairs stay as they were fetched. DFMA, issued in t,
 * ends its launch after t + 69 cycles. */
START_TEST(dual_issue_pairs)
{
    const char *const *sets = SETS("gpgpu_max_insn_issue_per_warp=2");
    ck_assert_uint_eq(cycles_of(sets, "FFMA; DFMA; EXIT"), 2 + 69);
    ck_assert_uint_eq(cycles_of(sets, "IMAD; MOV; DFMA; EXIT"), 4 + 69);
    /* FFMA in 2, MOV for want of R1 in 9, the next pair in 10. */
    ck_assert_uint_eq(cycles_of(sets, "R1 = FFMA R2; MOV R1; FFMA; DFMA; EXIT"), 10 + 69);
    /* In 2, 3, 4, 5, 6: MOV is no pair with the FFMA of the pair before, nor with DFMA. */
    ck_assert_uint_eq(cycles_of(sets, "FFMA; FFMA; MOV; MOV; DFMA; EXIT"), 6 + 69);
}
END_TEST

/* Each scheduler issues one instruction a cycle; a warp belongs to scheduler
 * number % 4. Four warps of 20 more FFMA take 20 cycles more; eight, 40. */
START_TEST(schedulers)
{
    for (unsigned warps = 1; warps <= 8; warps++) {
        uint64_t cycles[2];
        for (int i = 0; i < 2; i++) {
            struct sim_result result =
                launch_on(NO_SETS, &(struct launch_text){.threads = 32 * warps,
                                                         .program = i ? "40 * FFMA; EXIT"
                                                                      : "20 * FFMA; EXIT"});
            cycles[i] = result_cycles(&result);
        }
        ck_assert_uint_eq(cycles[1] - cycles[0], warps <= 4 ? 20 : 40);
    }
}
END_TEST

/* A fetch step decodes what the last one fetched, and fetches a pair for one
 * warp with an empty buffer. With four steps a cycle a warp never waits. With
 * one: fetched in 1, decoded in 2, issued in 3 and 4; fetched in 4, decoded
 * in 5, issued in 6 and 7 ...: three cycles a pair. */
START_TEST(fetch)
{
    for (int fetches = 1; fetches <= 2; fetches++) {
        const char *const *sets = fetches == 1 ? SETS("gpgpu_inst_fetch_throughput=1")
                                               : SETS("gpgpu_inst_fetch_throughput=2");
        uint64_t some = cycles_of(sets, "20 * FFMA; EXIT"),
                 more = cycles_of(sets, "40 * FFMA; EXIT");
        ck_assert_uint_eq(more - some, fetches == 1 ? 30 : 20);
    }
    ck_assert_uint_eq(cycles_of(SETS("gpgpu_inst_fetch_throughput=1"), "EXIT"), 3 + 6);
    /* Many warps share the step: one pair a cycle, 8 x 20 instructions more
     * in 80 cycles. */
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        struct sim_result result = launch_on(
            SETS("gpgpu_inst_fetch_throughput=1"),
            &(struct launch_text){.threads = 256,
                                  .program = i ? "40 * FFMA; EXIT" : "20 * FFMA; EXIT"});
        cycles[i] = result_cycles(&result);
    }
    ck_assert_uint_eq(cycles[1] - cycles[0], 8 * 20 / 2);
}
END_TEST

/* Warps are fetched for in turn, at first from warp 1 on: with one step a
 * cycle warp 1 issues in 3, 2 in 4, 3 in 5, 0 in 6. */
START_TEST(fetch_order)
{
    const char *programs[] = {
        "DFMA; EXIT | EXIT | EXIT | EXIT", "EXIT | DFMA; EXIT | EXIT | EXIT",
        "EXIT | EXIT | DFMA; EXIT | EXIT", "EXIT | EXIT | EXIT | DFMA; EXIT"};
    const unsigned issued[] = {6, 3, 4, 5};
    for (int i = 0; i < 4; i++) {
        struct sim_result result =
            launch_on(SETS("gpgpu_inst_fetch_throughput=1"),
                      &(struct launch_text){.threads = 128, .program = programs[i]});
        ck_assert_uint_eq(result_cycles(&result), issued[i] + 64 + 4 + 1);
    }
}
END_TEST

/* The schedulers' order turns every cycle: the first one is 1 in cycle 2 and
 * 2 in cycle 3. It shows in who comes first at the one load/store unit.
 * Warps 1 and 2 both load from shared memory in the same cycle; one of them
 * has a conflict of 32 words, the other waits for its data with a DFMA. When
 * the conflict comes first, the other is taken 32 cycles after it instead of
 * in front of it. */
#define CONFLICT "R1 = LDS R2 [ 4 1 0x0 128 ]"
#define WAITS    "R1 = LDS R2 [ 4 1 0x0 4 ]; DFMA R1"

static uint64_t order(struct bench *bench, const char *one, const char *two)
{
    char program[200] = "EXIT | ";
    strcat(strcat(strcat(strcat(program, one), "; EXIT | "), two), "; EXIT");
    struct sim_result result =
        bench_launch(bench, &(struct launch_text){.threads = 96, .program = program});
    return result_cycles(&result);
}

START_TEST(turns)
{
    struct bench bench = bench_create(NO_SETS);
    /* Cycle 2, warp 1 first: its DFMA follows in 2 + 34, ends 69 later. */
    ck_assert_uint_eq(order(&bench, WAITS, CONFLICT), 2 + 34 + 69 + 1);
    sim_reset(bench.sim);
    /* Warp 1 leaves the unit in 2 + 4 + 31, warp 2 is taken in that cycle and
     * leaves in the next, 32 later than it would alone. */
    ck_assert_uint_eq(order(&bench, CONFLICT, WAITS), 2 + 34 + 32 + 69 + 1);
    sim_reset(bench.sim);
    /* Cycle 3, warp 2 first. */
    ck_assert_uint_eq(order(&bench, "FFMA; " CONFLICT, "FFMA; " WAITS), 3 + 34 + 69 + 1);
    sim_reset(bench.sim);
    ck_assert_uint_eq(order(&bench, "FFMA; " WAITS, "FFMA; " CONFLICT), 3 + 34 + 32 + 69 + 1);
    bench_destroy(&bench);
}
END_TEST

/* The turn goes on with the next launch: FFMA and EXIT run from cycle 1 to 9,
 * so that the first is scheduler (9 + 1) % 4 = 2 in the second cycle. */
START_TEST(turns_over_launches)
{
    struct bench bench = bench_create(NO_SETS);
    struct sim_result result =
        bench_launch(&bench, &(struct launch_text){.program = "FFMA R1; EXIT"});
    ck_assert_uint_eq(result_cycles(&result), 10);
    ck_assert_uint_eq(order(&bench, CONFLICT, WAITS), 2 + 34 + 69 + 1);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        always_ready,
        back_to_the_older,
        age_of_blocks,
        dual_issue,
        dual_issue_same_unit,
        dual_issue_kinds,
        dual_issue_pairs,
        schedulers,
        fetch,
        fetch_order,
        turns,
        turns_over_launches,
    };
    return RUN_TESTS("issue", tests);
}
