/* What a broken trace says, and where. */
#include "tests/traces/support.h"

#include <errno.h>
#include <string.h>

/* The header ends with line 16; the first instruction is in line 23. */
#define BAD(line, expected) assert_error(TRACE("1", line "\n"), expected)

START_TEST(instruction_lines)
{
    BAD("0000", "23:1: a program counter of at most 32 bits is expected, not '0000'");
    BAD("0000 1ffffffff 0 EXIT 0 0 0",
        "23:6: an active mask of 32 bits is expected, not '1ffffffff'");
    BAD("0000 fffz 0 EXIT 0 0 0", "23:6: an active mask of 32 bits is expected, not 'fffz'");
    BAD("100000000 ffffffff 0 EXIT 0 0 0",
        "23:1: a program counter of at most 32 bits is expected, not '100000000'");
    BAD("00x0 ffffffff 0 EXIT 0 0 0",
        "23:1: a program counter of at most 32 bits is expected, not '00x0'");
    BAD("0000 ffffffff 5 R1 MOV 0 0 0",
        "23:15: the number of destinations, 0 to 4, is expected, not '5'");
    BAD("0000 ffffffff 1 R256 MOV 0 0 0",
        "23:17: a register R0 to R255 is expected, not 'R256'");
    BAD("0000 ffffffff 1 MOV 0 0 0", "23:17: a register R0 to R255 is expected, not 'MOV'");
    BAD("0000 ffffffff 0 mov 0 0 0", "23:17: an opcode is expected, not 'mov'");
    BAD("0000 ffffffff 0 MOV", "23:17: an opcode is expected, not 'MOV'");
    BAD("0000 ffffffff 0 MOV 9 0 0",
        "23:21: the number of sources, 0 to 8, is expected, not '9'");
    BAD("0000 ffffffff 0 MOV 1 R1 x 0",
        "23:26: the width of a memory access, or 0, is expected, not 'x'");
    BAD("0000 ffffffff 0 MOV 1 R1", "23:23: a register R0 to R255 is expected, not 'R1'");
    BAD("0000 ffffffff 0 EXIT 0 0 what",
        "23:26: an immediate or the end of the line is expected, not 'what'");
}
END_TEST

/* What an earlier call left in errno is not the cause. */
START_TEST(earlier_errno)
{
    errno = ENOMEM;
    BAD("0000", "23:1: a program counter of at most 32 bits is expected, not '0000'");
}
END_TEST

START_TEST(known_lines_are_checked_too)
{
    assert_error(TRACE("2", "0000 ffffffff 0 EXIT 0 0 0\n0000 fffffffff 0 EXIT 0 0 0\n"),
                 "24:6: an active mask of 32 bits is expected, not 'fffffffff'");
    assert_error(TRACE("3", "0000 1 0 EXIT 0 0 0\n0000 1 0 EXIT 0 0 0\n0000 1 0 EXIT 0 0 0x\n"),
                 "25:19: an immediate or the end of the line is expected, not '0x'");
    assert_error(TRACE("3", "0000 1 0 EXIT 0 0\n0000 1 0 EXIT 0 0\n0000 1 0 EXIT 0 0 x\n"),
                 "25:19: an immediate or the end of the line is expected, not 'x'");
}
END_TEST

START_TEST(counts)
{
    assert_error(TRACE("2", "0000 ffffffff 0 EXIT 0 0 0\n"),
                 "26: warp 0 has 1 instructions, 'insts = 2' was announced");
    assert_error(TRACE("0", "0000 ffffffff 0 EXIT 0 0 0\n"),
                 "23: warp 0 has more instructions than 'insts = 0'");
    assert_error(TRACE("x", ""), "22:9: 'insts = N' is expected");
    assert_error(HEADER BLOCK("0,0,0", WARP("1", "0", "")),
                 "21:8: warp 1; blocks have 1 warps");
    assert_error(HEADER BLOCK("0,0,0", WARP("0", "0", "") WARP("0", "0", "")),
                 "24:8: warp 0 is listed twice");
    assert_error(HEADER BLOCK("0,0,0", "insts = 1\n"),
                 "21: 'insts = N' is expected after 'warp = W' only");
    assert_error(HEADER BLOCK("0,0,0", "0000 1 0 EXIT 0 0 0\n"),
                 "21:1: 'warp = W' and 'insts = N' are expected before instructions");
}
END_TEST

START_TEST(blocks)
{
    assert_error(HEADER, "17: the trace ends after 0 of the grid's 1 thread blocks");
    assert_error(HEADER BLOCK("0,0,0", "") BLOCK("0,0,0", ""),
                 "24: more thread blocks than the 1 of the grid");
    assert_error(HEADER BLOCK("1,0,0", ""),
                 "19:16: thread block 1,0,0 is not in the grid of (1,1,1)");
    assert_error(HEADER BLOCK("0,0", ""), "19:18: 'thread block = x,y,z' is expected");
    assert_error(HEADER "#BEGIN_TB\n#END_TB\n", "18: a block without 'thread block = x,y,z'");
    assert_error(HEADER "#BEGIN_TB\nthread block = 0,0,0\n",
                 "19: #END_TB is expected, the trace ends");
    assert_error(HEADER "#BEGIN_TB\n#BEGIN_TB\n",
                 "18:1: #END_TB is expected before the next #BEGIN_TB");
    assert_error(HEADER "#BEGIN_TB\nhello\n",
                 "18:1: 'warp = W', 'insts = N', an instruction or #END_TB is expected");
    assert_error(HEADER BLOCK("0,0,0", "") "hello\n", "24:1: #BEGIN_TB is expected");
}
END_TEST

START_TEST(binary_zero)
{
    static const char text[] = TRACE("1", "0000 ffff\0fff 0 EXIT 0 0 0\n");
    struct error err = {0};
    struct trace_block *block;
    struct trace_kernel *kernel = open_bytes(text, sizeof text - 1, NULL, &err);
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), -1);
    ck_assert_str_eq(without_file(&err),
                     "23:6: an active mask of 32 bits is expected, not 'ffff'");
    /* And stays broken. */
    struct error again = {0};
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &again), -1);
    trace_kernel_close(kernel);
}
END_TEST

START_TEST(endless_line)
{
    size_t size = 4 << 20;
    char *text = malloc(size);
    size_t n = strlen(HEADER "#BEGIN_TB\n");
    memset(text, '0', size);
    memcpy(text, HEADER "#BEGIN_TB\n", n);
    struct error err = {0};
    struct trace_block *block;
    struct trace_kernel *kernel = open_bytes(text, size, NULL, &err);
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), -1);
    ck_assert_str_eq(without_file(&err), "18: a line is longer than 65536 bytes");
    trace_kernel_close(kernel);
    free(text);
}
END_TEST

START_TEST(first_error_is_kept)
{
    struct error err = {0};
    ck_assert_ptr_null(trace_kernel_open("/nowhere/x", NULL, &err));
    ck_assert_ptr_null(trace_kernel_open("/nowhere/y", NULL, &err));
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_str_eq(err.text, "/nowhere/x: cannot open: No such file or directory");
    ck_assert_ptr_null(trace_kernel_open("/nowhere/x", NULL, NULL));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        instruction_lines, earlier_errno, known_lines_are_checked_too, counts, blocks,
        binary_zero,       endless_line,  first_error_is_kept,
    };
    return RUN_TESTS("errors", tests);
}
