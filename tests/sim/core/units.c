/* What each unit takes: latency of a chain, instructions a cycle without one.
 *
 * The pipeline, for an instruction issued in cycle t with a register to read:
 * t+1 it takes a collector and reads its register, t+2 it goes to its unit,
 * t+3 the unit takes it, t+3+latency+2 its result is written and a dependent
 * one is issued: latency + 5 cycles. One without registers to read leaves its
 * collector in the cycle in which it took it: latency + 4.
 *
 * A launch: block placed at the end of cycle 0, first instructions fetched
 * and decoded in 1, issued in 2. EXIT (integer pipeline, latency 1, no
 * registers), issued in e, is done in e+5, where the warp and its block end;
 * cycle e+5 counts, so that the launch takes e+6 cycles. */
#define _GNU_SOURCE /* asprintf */
#include "tests/sim/support.h"

#include <stdio.h>

static const struct {
    const char *opcode;
    unsigned latency, initiation;
} plain[] = {
    {"IMAD", 2, 2},  {"MOV", 2, 2},    {"SHFL", 2, 2},  {"FFMA", 2, 1},
    {"HFMA2", 2, 1}, {"DFMA", 64, 64}, {"MUFU", 21, 8}, {"HMMA", 32, 32},
    {"BRA", 4, 4},   {"TEX", 200, 4},  {"R2UR", 4, 1},  {"ULDC", 4, 1},
};
#define PLAIN_COUNT (int)(sizeof plain / sizeof *plain)

/* Cycles that 10 more copies of an instruction take, behind 20. */
static uint64_t ten_more(const char *const *sets, const char *inst)
{
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        char *program;
        ck_assert_int_ge(asprintf(&program, "%d * %s; EXIT", 20 + 10 * i, inst), 0);
        cycles[i] = cycles_of(sets, program);
        free(program);
    }
    return cycles[1] - cycles[0];
}

static uint64_t ten_of(const char *const *sets, const char *registers, const char *opcode)
{
    char *inst;
    ck_assert_int_ge(asprintf(&inst, registers, opcode), 0);
    uint64_t cycles = ten_more(sets, inst);
    free(inst);
    return cycles;
}

/* Each reads what the one before it wrote. */
START_TEST(chains)
{
    ck_assert_uint_eq(ten_of(NO_SETS, "R1 = %s R1", plain[_i].opcode),
                      10 * (plain[_i].latency + 5));
}
END_TEST

/* None depends on another: one an initiation interval. */
START_TEST(independent)
{
    ck_assert_uint_eq(ten_of(NO_SETS, "%s R1", plain[_i].opcode), 10 * plain[_i].initiation);
}
END_TEST

/* A result must be there before the next one is put on its way, read or not:
 * without registers to read, latency + 4. */
START_TEST(written_twice)
{
    ck_assert_uint_eq(ten_of(NO_SETS, "R1 = %s", plain[_i].opcode),
                      10 * (plain[_i].latency + 4));
}
END_TEST

/* R255, written and read, is waited for as any register; with the option 0 it is read from its
 * bank, but nothing waits for it. */
START_TEST(zero_register)
{
    ck_assert_uint_eq(ten_of(NO_SETS, "R255 = %s R255", plain[_i].opcode),
                      ten_of(NO_SETS, "R1 = %s R1", plain[_i].opcode));
    ck_assert_uint_eq(
        ten_of(SETS("hearth_rz_dependence=0"), "R255 = %s R255", plain[_i].opcode),
        10 * plain[_i].initiation);
}
END_TEST

/* A result that the trace lists as the first source, behind a predicate, is one only with the
 * option; other instructions' sources stay sources. */
START_TEST(behind_predicates)
{
    const char *const *sets = SETS("hearth_results_behind_predicates=1");
    ck_assert_uint_eq(ten_of(NO_SETS, "%s R1 R1 R2", "SHFL"), 10 * 2);
    ck_assert_uint_eq(ten_of(sets, "%s R1 R1 R2", "SHFL"), 10 * (2 + 5));
    ck_assert_uint_eq(ten_of(sets, "%s R1 R1 R2", "MOV"), 10 * 2);
    ck_assert_uint_eq(ten_of(sets, "R3 = %s R1 R1", "SHFL"), 10 * (2 + 5));
}
END_TEST

/* Any of several destinations and sources. */
START_TEST(dependences)
{
    ck_assert_uint_eq(ten_more(NO_SETS, "R8 R9 = FFMA R1 R9"), 70);
    ck_assert_uint_eq(ten_more(NO_SETS, "R8 R9 = FFMA R8 R1"), 70);
    ck_assert_uint_eq(ten_more(NO_SETS, "R8 R9 R10 R11 = FFMA R1 R2"), 70);
    /* Register numbers in each of the scoreboard's words. */
    ck_assert_uint_eq(ten_more(NO_SETS, "R64 = FFMA R64"), 70);
    ck_assert_uint_eq(ten_more(NO_SETS, "R191 = FFMA R191"), 70);
    ck_assert_uint_eq(ten_more(NO_SETS, "R254 = FFMA R254"), 70);
    /* Write after read is none: registers are read in order. */
    ck_assert_uint_eq(cycles_of(NO_SETS, "FFMA R1; R1 = FFMA R2; EXIT"),
                      cycles_of(NO_SETS, "FFMA R1; R3 = FFMA R2; EXIT"));
}
END_TEST

/* Predicated off, an instruction takes its time all the same. */
START_TEST(no_lanes)
{
    ck_assert_uint_eq(ten_more(NO_SETS, "@0 R1 = FFMA R1"), 70);
    struct sim_result result =
        launch_on(NO_SETS, &(struct launch_text){.program = "@0 FFMA R1; @f0 FFMA R1; EXIT"});
    ck_assert_uint_eq(result.counters.warp_insts, 3);
    ck_assert_uint_eq(result.counters.thread_insts, 0 + 4 + 32);
}
END_TEST

/* Half precision takes the interval of single precision halved. */
START_TEST(half_precision)
{
    const char *const *sets = SETS("trace_opcode_latency_initiation_sp=3,6");
    ck_assert_uint_eq(ten_more(sets, "FFMA R1"), 60);
    ck_assert_uint_eq(ten_more(sets, "HFMA2 R1"), 30);
    ck_assert_uint_eq(ten_more(sets, "R1 = HFMA2 R1"), 80);
}
END_TEST

/* Half and single precision share a pipeline: FFMA FFMA ... of two kinds of
 * latency cannot complete in one cycle; here integer and ALU of the same
 * interval alternate, 2 cycles each. */
START_TEST(shared_pipeline)
{
    uint64_t some = cycles_of(NO_SETS, repeated("%EXIT", 10, "IMAD R1;MOV R1;"));
    uint64_t more = cycles_of(NO_SETS, repeated("%EXIT", 15, "IMAD R1;MOV R1;"));
    ck_assert_uint_eq(more - some, 10 * 2);
    /* FP32 and integer do not: an instruction of either kind every cycle. */
    some = cycles_of(NO_SETS, repeated("%EXIT", 10, "IMAD R1;FFMA R1;"));
    more = cycles_of(NO_SETS, repeated("%EXIT", 15, "IMAD R1;FFMA R1;"));
    ck_assert_uint_eq(more - some, 10);
}
END_TEST

/* Without units of their own, FP64 goes to the SFU, branches to the integer
 * pipeline. */
START_TEST(fallbacks)
{
    const char *const *sets =
        SETS("gpgpu_num_dp_units=0", "specialized_unit_1=0,4,4,4,4,BRA",
             "trace_opcode_latency_initiation_dp=16,16", "gpgpu_num_int_units=0");
    uint64_t some = cycles_of(sets, repeated("%EXIT", 10, "DFMA R1;MUFU R1;"));
    uint64_t more = cycles_of(sets, repeated("%EXIT", 15, "DFMA R1;MUFU R1;"));
    ck_assert_uint_eq(more - some, 5 * (16 + 8));
    /* Integer without its pipeline shares FP32's. */
    some = cycles_of(sets, repeated("%EXIT", 10, "BRA R1;FFMA R1;"));
    more = cycles_of(sets, repeated("%EXIT", 15, "BRA R1;FFMA R1;"));
    ck_assert_uint_eq(more - some, 5 * (2 + 1));
}
END_TEST

/* EXIT alone: issued in 2, ends in 7, 8 cycles. Each FFMA before it moves it
 * by a cycle. */
START_TEST(shortest_launch)
{
    ck_assert_uint_eq(cycles_of(NO_SETS, "EXIT"), 8);
    ck_assert_uint_eq(cycles_of(NO_SETS, "FFMA R1; EXIT"), 10);
    ck_assert_uint_eq(cycles_of(NO_SETS, "FFMA R1; FFMA R1; EXIT"), 11);
    ck_assert_uint_eq(cycles_of(NO_SETS, "4 * FFMA R1; EXIT"), 13);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        dependences,     behind_predicates, no_lanes,        half_precision,
        shared_pipeline, fallbacks,         shortest_launch,
    };
    const TTest *const loops[] = {chains, independent, written_twice, zero_register};
    return RUN_LOOPS("units", tests, loops, PLAIN_COUNT);
}
