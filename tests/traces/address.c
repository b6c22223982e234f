/* Lane addresses in the three modes of the files. */
#include "tests/traces/support.h"

#define LOAD(mask, rest) TRACE("1", "0000 " mask " 1 R1 LDG.E 1 R2 4 " rest "\n")
#define ONE(expected)    "block 0,0,0\nwarp 0: 1\n0 " expected "\n"

START_TEST(list_all)
{
    assert_dump(LOAD("0000000b", "0 0x100 0x90 0xffffffffffffffff"),
                ONE("b LDG.E 100 90 ffffffffffffffff"));
    assert_dump(LOAD("00000003", "0 0x100 0x200 7"), ONE("3 LDG.E 100 200"));
    assert_dump(LOAD("00000007", "0 0x0000000000000100 0x108 0x110 "),
                ONE("7 LDG.E 100 108 110"));
}
END_TEST

START_TEST(base_stride)
{
    assert_dump(LOAD("0000000f", "1 0x1000 4"), ONE("f LDG.E 1000 1004 1008 100c"));
    assert_dump(LOAD("00000007", "1 0x1000 -8 0"), ONE("7 LDG.E 1000 ff8 ff0"));
    assert_dump(LOAD("00000003", "1 0x1000 0 0"), ONE("3 LDG.E 1000 1000"));
    assert_dump(LOAD("80000000", "1 0x1000 0"), ONE("80000000 LDG.E 1000"));
    /* Active lanes apart: still base + n x stride. */
    assert_dump(LOAD("00000025", "1 0x1000 16"), ONE("25 LDG.E 1000 1010 1020"));
}
END_TEST

START_TEST(base_delta)
{
    assert_dump(LOAD("00000111", "2 0x1000 8 -16 9"), ONE("111 LDG.E 1000 1008 ff8"));
    assert_dump(LOAD("00000111", "2 0x1000 8 -16"), ONE("111 LDG.E 1000 1008 ff8"));
    assert_dump(LOAD("00000100", "2 0x1000"), ONE("100 LDG.E 1000"));
    assert_dump(LOAD("00000100", "2 0x1000 5"), ONE("100 LDG.E 1000"));
    assert_dump(LOAD("00000007", "2 0x1000 4 4"), ONE("7 LDG.E 1000 1004 1008"));
}
END_TEST

START_TEST(empty_mask)
{
    assert_dump(LOAD("00000000", "1 0x0 0"), ONE("0 LDG.E"));
    assert_dump(LOAD("00000000", "1 0x0 0 0 "), ONE("0 LDG.E"));
    assert_dump(LOAD("00000000", "0"), ONE("0 LDG.E"));
    assert_dump(LOAD("00000000", "2 0x0"), ONE("0 LDG.E"));
}
END_TEST

static struct trace_record first_record(const char *text)
{
    struct trace_kernel *kernel = open_text(text, NULL);
    struct trace_block *block;
    struct error err = {0};
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
    struct trace_record record = *block->warps[0].at;
    trace_block_release(block);
    trace_kernel_close(kernel);
    return record;
}

START_TEST(shortest_form)
{
    ck_assert_int_eq(first_record(LOAD("00000007", "0 0x0 0x4 0x8")).mode,
                     TRACE_ADDRESS_STRIDE);
    ck_assert_int_eq(first_record(LOAD("00000007", "0 0x0 0x4 0x9")).mode, TRACE_ADDRESS_LIST);
    ck_assert_int_eq(first_record(LOAD("00000007", "2 0x0 4 4")).mode, TRACE_ADDRESS_STRIDE);
    ck_assert_int_eq(first_record(LOAD("00000007", "1 0x0 4")).mode, TRACE_ADDRESS_STRIDE);
    ck_assert_int_eq(first_record(LOAD("00000001", "1 0x0 4")).mode, TRACE_ADDRESS_LIST);
    ck_assert_int_eq(first_record(LOAD("00000000", "1 0x0 0")).mode, TRACE_ADDRESS_NONE);
    /* A memory operand of something that moves no data. */
    ck_assert_int_eq(
        first_record(TRACE("1", "0000 00000001 0 CCTL.IVALL 1 R2 4 1 0x10 0\n")).mode,
        TRACE_ADDRESS_NONE);
}
END_TEST

START_TEST(errors)
{
#define LINE "23:" /* of the instruction */
    assert_error(LOAD("00000001", ""), LINE "33: an address mode 0, 1 or 2 is expected");
    assert_error(LOAD("00000001", "3 0x0 0"),
                 LINE "33: an address mode 0, 1 or 2 is expected, not '3'");
    assert_error(LOAD("00000003", "0 0x10"),
                 LINE "39: an address 0x... of at most 64 bits is expected");
    assert_error(LOAD("00000003", "0 0x10 4"),
                 LINE "40: an address 0x... of at most 64 bits is expected, not '4'");
    assert_error(LOAD("00000001", "0 0x10000000000000000"),
                 LINE "35: an address 0x... of at most 64 bits is expected, not "
                      "'0x10000000000000000'");
    assert_error(LOAD("00000001", "1 0x10"),
                 LINE "39: a signed decimal address distance is expected");
    assert_error(LOAD("00000007", "2 0x10 4"),
                 LINE "41: a signed decimal address distance is expected");
    assert_error(LOAD("00000003", "2 0x10 9223372036854775808"),
                 LINE "40: a signed decimal address distance is expected, not "
                      "'9223372036854775808'");
    assert_error(LOAD("00000003", "2 0x10 4x"),
                 LINE "40: a signed decimal address distance is expected, not '4x'");
    assert_error(LOAD("00000001", "1 0x10 4 zzz"),
                 LINE "42: an immediate or the end of the line is expected, not 'zzz'");
#undef LINE
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {list_all,   base_stride,   base_delta,
                                  empty_mask, shortest_form, errors};
    return RUN_TESTS("address", tests);
}
