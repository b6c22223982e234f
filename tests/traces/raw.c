/* Un-grouped traces: lines in the order in which the GPU delivered them. */
#define _GNU_SOURCE /* asprintf */
#include "tests/traces/support.h"

#include <stdio.h>
#include <string.h>

#define RAW(grid, block, version, lineinfo) HEADER_WITH(grid, block, "86", version, lineinfo)

START_TEST(groups_by_first_appearance)
{
    assert_dump(RAW("(2,2,1)", "(64,1,1)", "5", "0") "1 0 0 1 0000 ffffffff 1 R1 MOV 0 0 0\n"
                                                     "0 1 0 0 0000 ffffffff 1 R1 MOV 0 0 0\n"
                                                     "1 0 0 0 0000 ffffffff 1 R1 MOV 0 0 0\n"
                                                     "\n# a comment\n"
                                                     "1 0 0 1 0010 0000000f 0 EXIT 0 0 0\n"
                                                     "0 0 0 0 0010 ffffffff 0 EXIT 0 0 0\n"
                                                     "1 1 0 1 0010 ffffffff 0 EXIT 0 0 0",
                "block 1,0,0\nwarp 0: 1\n0 ffffffff MOV\nwarp 1: 2\n0 ffffffff MOV\n10 f EXIT\n"
                "block 0,1,0\nwarp 0: 1\n0 ffffffff MOV\nwarp 1: 0\n"
                "block 0,0,0\nwarp 0: 1\n10 ffffffff EXIT\nwarp 1: 0\n"
                "block 1,1,0\nwarp 0: 0\nwarp 1: 1\n10 ffffffff EXIT\n");
}
END_TEST

START_TEST(lineinfo_and_addresses)
{
    assert_dump(RAW("(1,1,1)", "(32,1,1)", "5",
                    "1") "0 0 0 0 12 00a0 00000007 1 R4 LDG.E 1 R2 4 1 0x1000 8 0\n"
                         "0 0 0 0 13 00b0 00000005 0 STG.E 2 R2 R4 4 2 0x1000 -8 0\n"
                         "0 0 0 0 14 00c0 00000001 0 STS 2 R2 R4 4 0 0x44 0\n",
                "block 0,0,0\nwarp 0: 3\na0 7 LDG.E 1000 1008 1010\nb0 5 STG.E 1000 ff8\n"
                "c0 1 STS 44\n");
}
END_TEST

START_TEST(bare_shared)
{
    const struct trace_kernel_options options = {.bare_shared = true};
    char *text =
        dump(open_text(RAW("(1,1,1)", "(32,1,1)", "5",
                           "0") "0 0 0 0 00a0 00000003 1 R4 LDG.E 1 R2 4 1 0x7f1000 8 0\n"
                                "0 0 0 0 00b0 00000003 0 STS 2 R2 R4 4 1 0x40 4 0\n"
                                "0 0 0 0 00c0 00000001 0 STG.E 2 R2 R4 4 0 0x7f2000 0\n",
                       &options));
    ck_assert_str_eq(text, "block 0,0,0\nwarp 0: 3\na0 3 LDG.E 7f1000 7f1008\nb0 3 STS\n"
                           "c0 1 STG.E 7f2000\n");
    free(text);
}
END_TEST

START_TEST(version_3)
{
    assert_dump(RAW("(1,1,1)", "(32,1,1)", "3", "0") "0 0 0 0 0008 ffffffff 1 R1 MOV 0 0 \n",
                "block 0,0,0\nwarp 0: 1\n8 ffffffff MOV\n");
}
END_TEST

START_TEST(header_says_raw)
{
    struct trace_kernel *kernel =
        open_text(RAW("(1,1,1)", "(32,1,1)", "5", "0") "0 0 0 0 0000 1 0 EXIT 0 0 0\n", NULL);
    ck_assert(!trace_kernel_header(kernel)->grouped);
    trace_kernel_close(kernel); /* before any block was read */
}
END_TEST

START_TEST(ldgsts_keeps_the_second_line_of_each_warp)
{
    assert_dump(RAW("(1,1,1)", "(64,1,1)", "5",
                    "0") "0 0 0 0 0010 00000001 0 LDGSTS.E 2 R1 R2 4 1 0x40 4 0\n"
                         "0 0 0 1 0010 00000001 0 LDGSTS.E 2 R1 R2 4 1 0x80 4 0\n"
                         "0 0 0 0 0010 00000001 0 LDGSTS.E 2 R1 R2 4 1 0x7f0040 4 0\n"
                         "0 0 0 1 0010 00000001 0 LDGSTS.E 2 R1 R2 4 1 0x7f0080 4 0\n"
                         "0 0 0 0 0020 ffffffff 0 LDGDEPBAR 0 0 0\n",
                "block 0,0,0\nwarp 0: 2\n10 1 LDGSTS.E 7f0040\n20 ffffffff LDGDEPBAR\n"
                "warp 1: 1\n10 1 LDGSTS.E 7f0080\n");
}
END_TEST

START_TEST(memory_only)
{
    const struct trace_kernel_options options = {.memory_only = true};
    char *text =
        dump(open_text(RAW("(1,1,1)", "(32,1,1)", "5",
                           "0") "0 0 0 0 00a0 00000003 1 R4 LDG.E 1 R2 4 1 0x7f1000 8 0\n"
                                "0 0 0 0 00b0 ffffffff 1 R1 MOV 0 0 0\n"
                                "0 0 0 0 00c0 ffffffff 0 EXIT 0 0 0\n",
                       &options));
    ck_assert_str_eq(text,
                     "block 0,0,0\nwarp 0: 2\na0 3 LDG.E 7f1000 7f1008\nc0 ffffffff EXIT\n");
    free(text);
}
END_TEST

/* Longer than all lines that the memory is for. */
START_TEST(long_line)
{
    const struct trace_kernel_options options = {.memory_budget = 1};
    size_t length = 60000;
    char *text, *tail = malloc(length + 1);
    memset(tail, ' ', length);
    tail[length] = '\0';
    ck_assert_int_ge(
        asprintf(&text, "%s%s%s\n%s",
                 RAW("(1,1,1)", "(32,1,1)", "5", "0") "0 0 0 0 0000 f 1 R1 MOV 0 0 0\n",
                 "0 0 0 0 0010 7 1 R1 MOV 0 0 0", tail, "0 0 0 0 0020 3 0 EXIT 0 0 0\n"),
        0);
    char *out = dump(open_text(text, &options));
    ck_assert_str_eq(out, "block 0,0,0\nwarp 0: 3\n0 f MOV\n10 7 MOV\n20 3 EXIT\n");
    free(out);
    free(tail);
    free(text);
}
END_TEST

START_TEST(errors)
{
#define ONE RAW("(1,1,1)", "(32,1,1)", "5", "0")
    assert_error(ONE "0 0 0 1 0000 1 0 EXIT 0 0 0\n", "17:1: warp 1; blocks have 1 warps");
    assert_error(ONE "0 1 0 0 0000 1 0 EXIT 0 0 0\n",
                 "17:1: thread block 0,1,0 is not in the grid of (1,1,1)");
    assert_error(ONE "0 0 x\n",
                 "17:5: a thread block's x, y, z and a warp are expected, not 'x'");
    assert_error(ONE "0 0 0 0 0000 1 0 EXIT\n", "17:18: an opcode is expected, not 'EXIT'");
    assert_error(RAW("(2,1,1)", "(32,1,1)", "5", "0") "0 0 0 0 0000 1 0 EXIT 0 0 0\n",
                 "18: the trace has 1 of the grid's 2 blocks");
    assert_error(ONE "0 0 0 0 0000 1 0 EXIT 0 0 0\n#BEGIN_TB\n0 0 0 0 zz\n",
                 "19:9: a program counter of at most 32 bits is expected, not 'zz'");
#undef ONE
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        groups_by_first_appearance,
        lineinfo_and_addresses,
        bare_shared,
        version_3,
        header_says_raw,
        ldgsts_keeps_the_second_line_of_each_warp,
        memory_only,
        long_line,
        errors,
    };
    return RUN_TESTS("raw", tests);
}
