/* Lane addresses in the three modes of the files. */
#include "tests/traces/support.h"

#include <string.h>

#include "traces/address.h"

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

/* COUNT lanes in rows of EACH that are STEP apart become rows of EXPECTED lanes, and back. */
static void check_rows(uint32_t count, uint32_t each, uint64_t step, uint32_t expected)
{
    uint64_t words[32], lanes[32], from_rows[32];
    uint32_t mask = UINT32_MAX >> (32 - count);
    for (uint32_t i = 0; i < count; i++)
        lanes[i] = 0x7f0000000000 - i / each * 0x705 + i % each * step;
    memcpy(words, lanes, sizeof words);
    struct trace_record record = {.mask = mask};
    record.mode = address_rows(words, mask);
    ck_assert_uint_eq(1u << address_row_shift(record.mode), expected);
    ck_assert_uint_eq(address_words(&record), expected == 1 ? count : count / expected + 1);
    ck_assert_uint_eq(words[0], lanes[0]);
    ck_assert_mem_eq(address_lanes(&record, words, from_rows), lanes, count * sizeof *lanes);
}

START_TEST(rows)
{
    check_rows(32, 8, 4, 8);
    check_rows(32, 4, 4, 4);
    check_rows(32, 2, 16, 2);
    check_rows(32, 16, 2, 16);
    check_rows(32, 16, 0, 16);
    check_rows(24, 8, 4, 8);
    check_rows(12, 4, 1, 4);
    /* At most 32 bytes, so that one sector can hold a row: of 64 bytes two. */
    check_rows(32, 16, 4, 8);
    check_rows(32, 4, 16, 2);
    check_rows(32, 8, 16, 2);
    /* Rows of another length, or one that is cut off: as they are. */
    check_rows(32, 6, 4, 2);
    check_rows(31, 8, 4, 1);
    check_rows(30, 3, 4, 1);
    check_rows(30, 8, 4, 2);
    /* Lanes apart, and downwards. */
    check_rows(32, 8, 32, 1);
    check_rows(32, 8, (uint64_t)-4, 1);
    /* Too few for it. */
    check_rows(2, 1, 0, 1);
    check_rows(1, 1, 0, 1);
}
END_TEST

/* RECORD with its WORDS touches the same sectors as with a list of LANES. */
static void check_sectors(const struct trace_record *record, const uint64_t *words,
                          const uint64_t *lanes)
{
    const struct trace_inst inst = {.width = 4};
    uint64_t found[TRACE_MAX_SECTORS], expected[TRACE_MAX_SECTORS];
    struct trace_record list = *record;
    list.mode = record->mode == TRACE_ADDRESS_NONE ? TRACE_ADDRESS_NONE : TRACE_ADDRESS_LIST;
    unsigned count = trace_record_sectors(&list, &inst, lanes, expected);
    ck_assert_uint_eq(trace_record_sectors(record, &inst, words, found), count);
    ck_assert_mem_eq(found, expected, count * sizeof *found);
}

/* Whatever lanes do, the addresses are the same. */
START_TEST(rows_of_any_lanes)
{
    uint64_t random = 1, words[32], lanes[32], from_rows[32];
    for (int i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t mask = (uint32_t)(random >> 32) | (i % 2 ? UINT32_MAX : 0);
        uint32_t count = (uint32_t)__builtin_popcount(mask), odd = 1 + (random >> 20) % 9;
        uint64_t step = 1u << (random >> 10) % 6;
        for (uint32_t k = 0; k < count; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bool goes_on = k != 0 && (k % odd != 0 || i % 7 == 0) && random >> 58 != 0;
            lanes[k] = goes_on ? lanes[k - 1] + step : 0x1000 + (random >> 30 & 0xfffff);
        }
        memcpy(words, lanes, sizeof words);
        struct trace_record record = {.mask = mask};
        record.mode = count != 0 ? address_rows(words, mask) : TRACE_ADDRESS_NONE;
        ck_assert_mem_eq(address_lanes(&record, words, from_rows), lanes,
                         count * sizeof *lanes);
        check_sectors(&record, words, lanes);
    }
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
    const TTest *const tests[] = {list_all,      base_stride, base_delta,        empty_mask,
                                  shortest_form, rows,        rows_of_any_lanes, errors};
    return RUN_TESTS("address", tests);
}
