/* Operand collectors, register banks, result buses.
 *
 * A sub-core has two of the eight banks: register R of warp W lies in bank
 * (R + 1 + W) % 2 of its sub-core. A bank gives one register a step, two
 * steps a cycle. An instruction issued in t takes a collector in the first
 * step of t+1; reads in the second step of t+1, then in the first of t+2 ...;
 * it leaves in the step after its last read, and the unit takes it in the
 * cycle after that. */
#include "tests/sim/support.h"

/* Cycles of one link of a chain. */
static uint64_t link(const char *const *sets, const char *inst)
{
    char part[100];
    strcat(strcpy(part, inst), ";");
    uint64_t some = cycles_of(sets, repeated("%EXIT", 10, part));
    uint64_t more = cycles_of(sets, repeated("%EXIT", 20, part));
    ck_assert_uint_eq((more - some) % 10, 0);
    return (more - some) / 10;
}

/* FFMA has latency 2: taken in t+3, written in t+3+2+2. */
START_TEST(bank_conflicts)
{
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1"), 7);
    /* Two of one bank: read in t+1 and in the first step of t+2, leaves in
     * the second: no later. Two in each bank: the same. */
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1 R3"), 7);
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1 R3 R2 R4"), 7);
    /* The third and fourth of one bank cost a cycle, the fifth and sixth two. */
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1 R3 R5"), 8);
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1 R3 R5 R7"), 8);
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1 R3 R5 R7 R9"), 9);
    /* A register is read once however often it is named; R255 is read. */
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1 R1 R1"), 7);
    ck_assert_uint_eq(link(NO_SETS, "R1 = FFMA R1 R3 R255"), 8);
}
END_TEST

/* One step a cycle: collector in t+1, read in t+2, unit in t+4; a cycle more
 * for each further register of the bank. */
START_TEST(one_step)
{
    const char *const *sets = SETS("gpgpu_reg_file_port_throughput=1");
    ck_assert_uint_eq(link(sets, "R1 = FFMA"), 7);
    ck_assert_uint_eq(link(sets, "R1 = FFMA R1"), 8);
    ck_assert_uint_eq(link(sets, "R1 = FFMA R1 R2"), 8);
    ck_assert_uint_eq(link(sets, "R1 = FFMA R1 R3"), 9);
    ck_assert_uint_eq(link(sets, "R1 = FFMA R1 R3 R5"), 10);
}
END_TEST

/* Without sub-cores the eight banks serve all: R1, R3, R5 do not meet, R1,
 * R9, R17 do. */
START_TEST(shared_banks)
{
    const char *const *sets = SETS("gpgpu_sub_core_model=0");
    ck_assert_uint_eq(link(sets, "R1 = FFMA R1 R3 R5"), 7);
    ck_assert_uint_eq(link(sets, "R1 = FFMA R1 R9 R17"), 8);
}
END_TEST

/* The bank depends on the warp too: warp 4 is of the same sub-core as 0, both
 * read R1 R3 R5 or R2 R4 R6 at the same time. */
START_TEST(banks_of_warps)
{
    /* Chains of both warps: links of 8 cycles each, interleaved. */
    const char *program = "10 * R1 = FFMA R1 R3 R5; EXIT";
    struct sim_result alone = launch_on(NO_SETS, &(struct launch_text){.program = program});
    /* Issued in 2, 10 ... 74, written 8 later. */
    ck_assert_uint_eq(result_cycles(&alone), 2 + 9 * 8 + 8 + 1);
}
END_TEST

/* A result that is written takes its bank for the first step of the cycle.
 * One step a cycle: FFMA of R2, issued in 2, has no registers to read, and is
 * written in 9. DFMA is issued in 7 and reads in 9 if it can, else in 10; the
 * unit takes it two cycles later, its result comes 64 + 2 later. */
START_TEST(writes_before_reads)
{
    const char *const *sets = SETS("gpgpu_reg_file_port_throughput=1");
    ck_assert_uint_eq(cycles_of(sets, "R2 = FFMA; 4 * FFMA; DFMA R3; EXIT"), 9 + 2 + 66 + 1);
    ck_assert_uint_eq(cycles_of(sets, "R2 = FFMA; 4 * FFMA; DFMA R4; EXIT"), 10 + 2 + 66 + 1);
    /* The second step of a cycle is free again: first read in the second step
     * of 8 (issued in 7), the second one in the first step of 9 if not taken.
     * FFMA is written in 8 now: issue DFMA in 6. */
    ck_assert_uint_eq(cycles_of(NO_SETS, "R2 = FFMA; 3 * FFMA; DFMA R3 R5; EXIT"),
                      6 + 3 + 66 + 1);
    ck_assert_uint_eq(cycles_of(NO_SETS, "R2 = FFMA; 3 * FFMA; DFMA R4 R6; EXIT"),
                      6 + 4 + 66 + 1);
}
END_TEST

/* With one step a cycle an instruction keeps its collector for two cycles: the
 * two of a sub-core are enough for one instruction a cycle, one is not. */
START_TEST(collectors)
{
    const char *const *one =
        SETS("gpgpu_reg_file_port_throughput=1", "gpgpu_operand_collector_num_units_gen=4");
    ck_assert_uint_eq(link(SETS("gpgpu_reg_file_port_throughput=1"), "FFMA R1"), 1);
    ck_assert_uint_eq(link(one, "FFMA R1"), 2);
    ck_assert_uint_eq(link(SETS("gpgpu_operand_collector_num_units_gen=4"), "FFMA R1"), 1);
}
END_TEST

static uint64_t four_warps(const char *const *sets, const char *program)
{
    struct sim_result result =
        launch_on(sets, &(struct launch_text){.threads = 128, .program = program});
    return result_cycles(&result);
}

/* Four sub-cores issue an FFMA each a cycle: 4 results a cycle. Eight buses
 * carry them, and so do four; one makes them wait. Units 0 to 3 choose in this
 * order, so that the last warp starts when the others are done. */
START_TEST(result_buses)
{
    static const char *const widths[] = {
        "gpgpu_pipeline_widths=4,4,4,4,4,4,4,4,4,4,8,4,4",
        "gpgpu_pipeline_widths=4,4,4,4,4,4,4,4,4,4,4,4,4",
        "gpgpu_pipeline_widths=4,4,4,4,4,4,4,4,4,4,1,4,4",
    };
    const unsigned expected[] = {20, 20, 80};
    for (int i = 0; i < 3; i++) {
        const char *const *sets = SETS(widths[i]);
        ck_assert_uint_eq(four_warps(sets, "40 * FFMA; EXIT") -
                              four_warps(sets, "20 * FFMA; EXIT"),
                          expected[i]);
    }
}
END_TEST

/* One port from the collectors, none of the sub-cores waits for long. */
START_TEST(out_ports)
{
    const char *const *sets = SETS("gpgpu_operand_collector_num_out_ports_gen=1");
    /* Two steps a cycle of one port: 2 instructions a cycle, not 4. */
    ck_assert_uint_eq(four_warps(sets, "40 * FFMA; EXIT") - four_warps(sets, "20 * FFMA; EXIT"),
                      40);
}
END_TEST

/* Instructions of different latencies must not leave a unit in the same
 * cycle. Three IMAD of latency 4 are taken in 4, 5, 6 and leave in 8, 9, 10;
 * EXIT, latency 1, could be taken in 7, but 8, 9 and 10 are taken: it goes in
 * 10, leaves in 11, ends two cycles later. */
START_TEST(one_completion_a_cycle)
{
    ck_assert_uint_eq(
        cycles_of(SETS("trace_opcode_latency_initiation_int=4,1"), "3 * IMAD; EXIT"),
        11 + 2 + 1);
    /* Two of them leave room for it in 10 - 1: taken in 9, out in 10. */
    ck_assert_uint_eq(
        cycles_of(SETS("trace_opcode_latency_initiation_int=4,1"), "2 * IMAD; FFMA; EXIT"),
        10 + 2 + 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        bank_conflicts, one_step,     shared_banks, banks_of_warps,         writes_before_reads,
        collectors,     result_buses, out_ports,    one_completion_a_cycle,
    };
    return RUN_TESTS("collect", tests);
}
