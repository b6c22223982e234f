/* Traces whose blocks stand together, of every version. */
#include "tests/traces/support.h"

START_TEST(version_5)
{
    assert_dump(TRACE("5", "0000 ffffffff 1 R1 MOV 0 0 0 \n"
                           "0010 00000000 0 BRA 0 0 0 \n"
                           "0020 00000003 1 R4 LDG.E 1 R2 4 1 0x7f00 4 0 \n"
                           "0030 00000003 0 DEPBAR.LE 0 0 1 \n"
                           "0040 ffffffff 0 EXIT 0 0 0 \n"),
                "block 0,0,0\nwarp 0: 5\n0 ffffffff MOV\n10 0 BRA\n20 3 LDG.E 7f00 7f04\n"
                "30 3 DEPBAR.LE\n40 ffffffff EXIT\n");
}
END_TEST

START_TEST(version_4_with_and_without_immediate)
{
    assert_dump(HEADER_WITH("(1,1,1)", "(32,1,1)", "80", "4", "0")
                    BLOCK("0,0,0", WARP("0", "3",
                                        "0000 ffffffff 1 R1 MOV 0 0 \n"
                                        "0010 ffffffff 1 R1 MOV 0 0 7\n"
                                        "0020 1 1 R4 LDS 1 R2 4 1 0x10 4 \n")),
                "block 0,0,0\nwarp 0: 3\n0 ffffffff MOV\n10 ffffffff MOV\n20 1 LDS 10\n");
}
END_TEST

START_TEST(version_3)
{
    assert_dump(HEADER_WITH("(1,1,1)", "(32,1,1)", "70", "3", "0")
                    BLOCK("0,0,0", WARP("0", "1", "0000 ffffffff 1 R1 MOV 0 0 \n")),
                "block 0,0,0\nwarp 0: 1\n0 ffffffff MOV\n");
}
END_TEST

START_TEST(version_1_2_keeps_ids)
{
    assert_dump(HEADER_WITH("(1,1,1)", "(32,1,1)", "75", "1.2", "0")
                    BLOCK("0,0,0", WARP("0", "2",
                                        "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 \n"
                                        "0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n")),
                "block 0,0,0\nwarp 0: 2\n0 ffffffff MOV\n10 ffffffff EXIT\n");
}
END_TEST

START_TEST(no_version_keeps_ids)
{
    assert_dump("-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-binary version = 70\n#\n" BLOCK(
                    "0,0,0", WARP("0", "1", "0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n")),
                "block 0,0,0\nwarp 0: 1\n10 ffffffff EXIT\n");
}
END_TEST

START_TEST(lineinfo)
{
    assert_dump(HEADER_WITH("(1,1,1)", "(32,1,1)", "75", "5", "1")
                    BLOCK("0,0,0", WARP("0", "2",
                                        "0 0000 ffffffff 1 R1 MOV 0 0 0\n"
                                        "123 0010 ffffffff 0 EXIT 0 0 0\n")),
                "block 0,0,0\nwarp 0: 2\n0 ffffffff MOV\n10 ffffffff EXIT\n");
}
END_TEST

START_TEST(hopper)
{
    assert_dump(
        HEADER_WITH("(1,1,1)", "(32,1,1)", "90", "5", "0")
            BLOCK("0,0,0", WARP("0", "2",
                                "0000 ffffffff 0 UBLKCP.S.G 0 0 0 \n"
                                "0010 ffffffff 0 WARPGROUP.ARRIVE 0 0 0 \n")),
        "block 0,0,0\nwarp 0: 2\n0 ffffffff UBLKCP.S.G\n10 ffffffff WARPGROUP.ARRIVE\n");
}
END_TEST

START_TEST(store_data_is_ignored)
{
    assert_dump(TRACE("2",
                      "00d0 00000003 0 STG.E.SYS 2 R6 R9 4 1 0x100 4 0 STORE_DATA I32 1 "
                      "REG0:T0:0x00000000 T1:0xbf800000 \n00e0 ffffffff 0 EXIT 0 0 0 X Y\n"),
                "block 0,0,0\nwarp 0: 2\nd0 3 STG.E.SYS 100 104\ne0 ffffffff EXIT\n");
}
END_TEST

START_TEST(goes_on_after_exit)
{
    assert_dump(TRACE("3", "0000 ffffffff 0 EXIT 0 0 0\n0010 00000001 1 R1 MOV 0 0 0\n"
                           "0000 00000001 0 EXIT 0 0 0\n"),
                "block 0,0,0\nwarp 0: 3\n0 ffffffff EXIT\n10 1 MOV\n0 1 EXIT\n");
}
END_TEST

START_TEST(blocks_in_any_order_and_repeated)
{
    assert_dump(HEADER_WITH("(2,2,1)", "(33,1,1)", "86", "5", "0")
                    BLOCK("1,1,0", WARP("1", "1", "0010 1 0 EXIT 0 0 0\n") WARP("0", "0", ""))
                        BLOCK("0,0,0", "")
                            BLOCK("1,0,0", WARP("0", "1", "0010 1 0 EXIT 0 0 0\n"))
                                BLOCK("1,0,0", WARP("0", "0", "")),
                "block 1,1,0\nwarp 0: 0\nwarp 1: 1\n10 1 EXIT\n"
                "block 0,0,0\nwarp 0: 0\nwarp 1: 0\n"
                "block 1,0,0\nwarp 0: 1\n10 1 EXIT\nwarp 1: 0\n"
                "block 1,0,0\nwarp 0: 0\nwarp 1: 0\n");
}
END_TEST

START_TEST(blank_lines_comments_and_no_last_newline)
{
    assert_dump(HEADER "\n# a comment\n#BEGIN_TB\n\n\nthread block = 0,0,0\n# more\nwarp = 0\n"
                       "insts = 2\n\n0000 ffffffff 1 R1 MOV 0 0 0\n\n \n  0010 1 0 EXIT 0 0 0\n"
                       "#END_TB",
                "block 0,0,0\nwarp 0: 2\n0 ffffffff MOV\n10 1 EXIT\n");
}
END_TEST

START_TEST(carriage_returns)
{
    assert_dump(HEADER "#BEGIN_TB\r\nthread block = 0,0,0\r\nwarp = 0\r\ninsts = 1\r\n"
                       "0000 00000001 1 R1 LDS 1 R2 4 0 0x8\r\n#END_TB\r\n",
                "block 0,0,0\nwarp 0: 1\n0 1 LDS 8\n");
}
END_TEST

START_TEST(one_pc_two_texts)
{
    struct trace_kernel *kernel =
        open_text(TRACE("5", "0000 ffffffff 1 R1 MOV 0 0 0\n0000 ffffffff 1 R2 MOV 0 0 0\n"
                             "0000 ffffffff 1 R1 MOV 0 0 0\n0000 ffffffff 1 R2 MOV 0 0 0\n"
                             "0000 ffffffff 1 R2 MOV 0 0\n"),
                  NULL);
    struct trace_block *block;
    struct error err = {0};
    uint32_t count;
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    const struct trace_record *r = block->warps[0].at;
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(insts[r[0].inst].dst[0], 1);
    ck_assert_uint_eq(insts[r[1].inst].dst[0], 2);
    ck_assert_uint_eq(r[0].inst, r[2].inst);
    ck_assert_uint_eq(r[1].inst, r[3].inst);
    ck_assert_uint_ne(r[4].inst, r[3].inst);
    trace_block_release(block);
    trace_kernel_close(kernel);
}
END_TEST

START_TEST(operands_and_immediates)
{
    struct trace_kernel *kernel = open_text(
        TRACE("3", "0010 ffffffff 1 R255 IMAD 3 R0 R255 R17 0 -3\n"
                   "0020 ffffffff 0 DEPBAR.LE 0 0 2\n0030 ffffffff 0 DEPBAR.LE 0 0 22\n"),
        NULL);
    struct trace_block *block;
    struct error err = {0};
    uint32_t count;
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
    const struct trace_inst *inst = trace_kernel_insts(kernel, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(inst->pc, 0x10);
    ck_assert_uint_eq(inst->dst_count, 1);
    ck_assert_uint_eq(inst->dst[0], TRACE_REG_ZERO);
    ck_assert_uint_eq(inst->src_count, 3);
    ck_assert_uint_eq(inst->src[2], 17);
    ck_assert_uint_eq(inst->imm, (uint32_t)-3);
    ck_assert_uint_eq(inst[1].imm, 2);
    ck_assert_uint_eq(inst[2].imm, 22);
    trace_block_release(block);
    trace_kernel_close(kernel);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        version_5,
        version_4_with_and_without_immediate,
        version_3,
        version_1_2_keeps_ids,
        no_version_keeps_ids,
        lineinfo,
        hopper,
        store_data_is_ignored,
        goes_on_after_exit,
        blocks_in_any_order_and_repeated,
        blank_lines_comments_and_no_last_newline,
        carriage_returns,
        one_pc_two_texts,
        operands_and_immediates,
    };
    return RUN_TESTS("grouped", tests);
}
