/* Machine code of synthetic workloads: control bits of short sequences, by hand. */
#include "traces/synth/hopper/assembler.h"

#include <string.h>

#include "tests/suite.h"

#define NOTHING TRACE_REG_ZERO

static struct assembler *assembler;

/* Instruction NUMBER reads A and B and writes D; NOTHING where it does not. */
static void take(uint32_t number, const char *opcode, uint8_t d, uint8_t a, uint8_t b,
                 uint32_t mask)
{
    const struct trace_code none = {0};
    struct trace_sink_inst inst = {.pc = 16 * number, .opcode = opcode, .mask = mask};
    if (d != NOTHING)
        inst.dst[inst.dst_count++] = d;
    if (a != NOTHING || b != NOTHING)
        inst.src[inst.src_count++] = a;
    if (b != NOTHING)
        inst.src[inst.src_count++] = b;
    ck_assert_int_eq(assembler_take(assembler, &inst, false, &none), 0);
}

static void begin(void)
{
    assembler_destroy(assembler);
    assembler = assembler_create();
    ck_assert_ptr_nonnull(assembler);
    assembler_begin_warp(assembler);
}

static struct trace_control control_of(uint32_t number)
{
    uint32_t count;
    const struct trace_code *code = assembler_code(assembler, &count);
    ck_assert_uint_lt(number, count);
    return trace_control_decode(code[number], 90);
}

/* A product is there for its own pipe after 4 cycles, for another one after 5; what lies
 * between counts. */
START_TEST(fixed_results)
{
    begin();
    take(0, "FFMA", 1, 2, 3, ~0u);
    take(1, "FFMA", 4, 1, 3, ~0u);
    take(2, "IADD3", 5, 6, NOTHING, ~0u);
    take(3, "IADD3", 7, 4, NOTHING, ~0u);
    ck_assert_uint_eq(control_of(0).stall, 4);
    ck_assert_uint_eq(control_of(1).stall, 1);
    ck_assert_uint_eq(control_of(2).stall, 4);
    ck_assert_uint_eq(control_of(3).wait_mask, 0);
}
END_TEST

/* Its counter is seen from the second cycle on; who reads the result waits for it, once. */
START_TEST(results_of_unknown_time)
{
    begin();
    take(0, "MUFU.EX2", 1, 2, NOTHING, ~0u);
    take(1, "FADD", 3, 1, 2, ~0u);
    take(2, "FADD", 4, 1, 2, ~0u);
    ck_assert_uint_eq(control_of(0).stall, 2);
    ck_assert_uint_ne(control_of(0).write_barrier, TRACE_NO_BARRIER);
    ck_assert_uint_eq(control_of(1).wait_mask, 1u << control_of(0).write_barrier);
    ck_assert_uint_eq(control_of(2).wait_mask, 0);
}
END_TEST

/* A guard takes 13 cycles: of the branch, and of the instruction with other lanes. */
START_TEST(guards)
{
    begin();
    take(0, "ISETP.NE.AND", NOTHING, 1, NOTHING, ~0u);
    take(1, "IADD3", 2, 1, NOTHING, 1);
    take(2, "IADD3", 3, 1, NOTHING, 1);
    ck_assert_uint_eq(control_of(0).stall, 13);
    begin();
    take(0, "ISETP.NE.AND", NOTHING, 1, NOTHING, ~0u);
    take(1, "IADD3", 2, 1, NOTHING, ~0u);
    take(2, "BRA", NOTHING, NOTHING, NOTHING, ~0u);
    ck_assert_uint_eq(control_of(0).stall, 1);
    ck_assert_uint_eq(control_of(1).stall, 12);
}
END_TEST

/* The first instruction of a loop reads what the last one of the turn before loads. */
START_TEST(turns_of_a_loop)
{
    begin();
    for (int turn = 0; turn < 2; turn++) {
        take(0, "FADD", 3, 1, 3, ~0u);
        take(1, "LDS", 1, 2, NOTHING, ~0u);
        take(2, "BRA", NOTHING, NOTHING, NOTHING, ~0u);
    }
    ck_assert_uint_eq(control_of(0).wait_mask, 1u << control_of(1).write_barrier);
}
END_TEST

/* What a store reads is overwritten after it has been read. */
START_TEST(sources_of_stores)
{
    begin();
    take(0, "STS", NOTHING, 1, 2, ~0u);
    take(1, "IADD3", 3, 2, NOTHING, ~0u);
    take(2, "IADD3", 2, 3, NOTHING, ~0u);
    ck_assert_uint_ne(control_of(0).read_barrier, TRACE_NO_BARRIER);
    ck_assert_uint_eq(control_of(1).wait_mask, 0);
    ck_assert_uint_eq(control_of(2).wait_mask, 1u << control_of(0).read_barrier);
}
END_TEST

/* The operation is that of the opcode, and the registers are where the core looks for them. */
START_TEST(words)
{
    begin();
    take(0, "FFMA.FTZ", 1, 2, 3, ~0u);
    uint32_t count;
    const struct trace_code *code = assembler_code(assembler, &count);
    ck_assert_uint_eq(code->low & 0xffffffffff, 0x0302017223);
    ck_assert_uint_eq(code->high & 0xff, NOTHING);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {fixed_results,   results_of_unknown_time, guards,
                                  turns_of_a_loop, sources_of_stores,       words};
    return RUN_TESTS("assembler", tests);
}
