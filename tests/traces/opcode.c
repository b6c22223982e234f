/* What the text of an opcode means. */
#include "tests/traces/support.h"

#include <stdio.h>
#include <string.h>

#include "traces/opcodes/opcode.h"

static struct trace_inst decode(uint32_t sm, const char *text, uint64_t width)
{
    bool exact;
    struct trace_inst inst = {0};
    opcode_decode(opcode_table_for(sm, &exact), text, strlen(text), width, &inst);
    return inst;
}

START_TEST(units)
{
    static const struct {
        uint32_t sm;
        const char *text;
        int unit;
    } cases[] = {
        {86, "MOV", TRACE_UNIT_ALU},
        {86, "IMAD.WIDE.U32", TRACE_UNIT_INT},
        {86, "FFMA", TRACE_UNIT_FP32},
        {86, "HFMA2.MMA", TRACE_UNIT_FP16},
        {86, "HMUL2", TRACE_UNIT_FP16},
        {86, "DFMA", TRACE_UNIT_FP64},
        {86, "MUFU.RSQ", TRACE_UNIT_SFU},
        {86, "HMMA.16816.F32", TRACE_UNIT_TENSOR},
        {86, "DMMA.884", TRACE_UNIT_TENSOR},
        {86, "BRA", TRACE_UNIT_BRANCH},
        {86, "KILL", TRACE_UNIT_BRANCH},
        {86, "TEX", TRACE_UNIT_TEXTURE},
        {86, "ULDC.64", TRACE_UNIT_UNIFORM},
        {86, "EXIT", TRACE_UNIT_EXIT},
        {86, "BAR.SYNC.DEFER_BLOCKING", TRACE_UNIT_BARRIER},
        {86, "MEMBAR.SC.GPU", TRACE_UNIT_MEMORY},
        /* Branches and textures have no unit of their own before Volta. */
        {35, "BRA", TRACE_UNIT_ALU},
        {61, "BRA", TRACE_UNIT_ALU},
        {61, "TEX", TRACE_UNIT_ALU},
        {61, "SSY", TRACE_UNIT_ALU},
        {61, "XMAD.MRG", TRACE_UNIT_INT},
        {52, "XMAD", TRACE_UNIT_INT},
        {35, "ISAD", TRACE_UNIT_INT},
        {70, "HMMA.884.F32.F32.STEP0", TRACE_UNIT_TENSOR},
        {75, "UIADD3", TRACE_UNIT_UNIFORM},
        {89, "QMMA.16832.F32.E4M3.E4M3", TRACE_UNIT_TENSOR},
        {90, "HGMMA.64x128x16.F32", TRACE_UNIT_TENSOR},
        {90, "UTMALDG.2D", TRACE_UNIT_UNIFORM},
        {90, "VIADD", TRACE_UNIT_INT},
        {100, "UTCHMMA", TRACE_UNIT_TENSOR},
        {120, "FFMA2", TRACE_UNIT_FP32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_inst inst = decode(cases[i].sm, cases[i].text, 0);
        ck_assert_msg(inst.unit == cases[i].unit, "sm_%u %s: unit %u", cases[i].sm,
                      cases[i].text, inst.unit);
        ck_assert_msg(!(inst.flags & TRACE_INST_UNKNOWN), "%s is not known", cases[i].text);
        ck_assert_int_eq(inst.access, TRACE_ACCESS_NONE);
    }
}
END_TEST

START_TEST(memory)
{
    static const struct {
        const char *text;
        uint64_t trace_width;
        int access, space, width, flags;
    } cases[] = {
        {"LDG.E.64.SYS", 8, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 8, 0},
        {"LDG.E", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 4, 0},
        {"LDG.E.U8", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 1, 0},
        {"LDG.E.S16", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 2, 0},
        {"LDG.E.128.CONSTANT", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 16, 0},
        {"LDG.E.ENL2.256", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 32, 0},
        {"LDG.E.LTC64B", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 4, TRACE_INST_LTC64B},
        {"LDG.E.LTC128B.64", 8, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 8, TRACE_INST_LTC128B},
        {"LDG.E.LTC256B", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 4, TRACE_INST_LTC128B},
        {"STG.E.LTC128B", 4, TRACE_ACCESS_STORE, TRACE_SPACE_GLOBAL, 4, 0},
        {"LDG.E.STRONG.GPU", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 4, TRACE_INST_BYPASS_L1},
        {"LDG.E.64.STRONG.SYS", 8, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 8,
         TRACE_INST_STRONG_SYS},
        {"LDG.E.STRONG.CTA", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 4, 0},
        {"STG.E.STRONG.GPU", 4, TRACE_ACCESS_STORE, TRACE_SPACE_GLOBAL, 4, 0},
        {"STG.E.128", 16, TRACE_ACCESS_STORE, TRACE_SPACE_GLOBAL, 16, 0},
        {"LDL.LU", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_LOCAL, 4, 0},
        {"STL.64", 8, TRACE_ACCESS_STORE, TRACE_SPACE_LOCAL, 8, 0},
        {"LDS.U.128", 16, TRACE_ACCESS_LOAD, TRACE_SPACE_SHARED, 16, 0},
        {"STS", 4, TRACE_ACCESS_STORE, TRACE_SPACE_SHARED, 4, 0},
        {"LD.E", 4, TRACE_ACCESS_LOAD, TRACE_SPACE_GENERIC, 4, 0},
        {"ST.E.U8", 1, TRACE_ACCESS_STORE, TRACE_SPACE_GENERIC, 1, 0},
        {"ATOMG.E.ADD.STRONG.GPU", 4, TRACE_ACCESS_ATOMIC, TRACE_SPACE_GLOBAL, 4,
         TRACE_INST_BYPASS_L1},
        {"ATOM.E.CAS.64", 8, TRACE_ACCESS_ATOMIC, TRACE_SPACE_GLOBAL, 8, TRACE_INST_BYPASS_L1},
        {"RED.E.ADD.F32.FTZ.RN", 4, TRACE_ACCESS_ATOMIC, TRACE_SPACE_GLOBAL, 4,
         TRACE_INST_BYPASS_L1},
        {"ATOMS.ADD", 4, TRACE_ACCESS_ATOMIC, TRACE_SPACE_SHARED, 4, 0},
        {"LDSM.16.M88.4", 2, TRACE_ACCESS_LOAD, TRACE_SPACE_SHARED, 16, TRACE_INST_LDSM},
        {"LDSM.16.MT88.2", 2, TRACE_ACCESS_LOAD, TRACE_SPACE_SHARED, 8, TRACE_INST_LDSM},
        {"LDSM.16.M88", 2, TRACE_ACCESS_LOAD, TRACE_SPACE_SHARED, 4, TRACE_INST_LDSM},
        {"LDGSTS.E.BYPASS.LTC128B.128", 16, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL, 16,
         TRACE_INST_LDGSTS | TRACE_INST_LTC128B},
        {"LDC.64", 0, TRACE_ACCESS_LOAD, TRACE_SPACE_CONSTANT, 8, 0},
        {"CCTL.IVALL", 4, TRACE_ACCESS_NONE, TRACE_SPACE_NONE, 0, 0},
        /* Without a memory operand an access is none. */
        {"LDG.E", 0, TRACE_ACCESS_NONE, TRACE_SPACE_NONE, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_inst inst = decode(86, cases[i].text, cases[i].trace_width);
        ck_assert_msg(inst.access == cases[i].access && inst.space == cases[i].space &&
                          inst.width == cases[i].width && inst.flags == cases[i].flags,
                      "%s: access %u space %u width %u flags %x", cases[i].text, inst.access,
                      inst.space, inst.width, inst.flags);
    }
    struct trace_inst stores = decode(90, "STSM.16.MT88.4", 2);
    ck_assert_uint_eq(stores.access, TRACE_ACCESS_STORE);
    ck_assert_uint_eq(stores.width, 16);
}
END_TEST

START_TEST(flags)
{
    ck_assert_int_eq(decode(80, "EXIT", 0).flags, TRACE_INST_EXIT);
    ck_assert_int_eq(decode(80, "BAR.SYNC", 0).flags, TRACE_INST_BARRIER);
    ck_assert_int_eq(decode(80, "BAR.ARV", 0).flags, TRACE_INST_BARRIER | TRACE_INST_ARRIVE);
    ck_assert_int_eq(decode(80, "MEMBAR.SC.GPU", 0).flags, TRACE_INST_MEMBAR);
    ck_assert_int_eq(decode(80, "DEPBAR.LE", 0).flags, TRACE_INST_DEPBAR);
    ck_assert_int_eq(decode(80, "LDGDEPBAR", 0).flags, TRACE_INST_LDGDEPBAR);
    ck_assert_int_eq(decode(80, "B2R", 0).flags, 0);
}
END_TEST

START_TEST(kepler_ld_is_global)
{
    ck_assert_int_eq(decode(35, "LD.E", 4).space, TRACE_SPACE_GLOBAL);
    ck_assert_int_eq(decode(35, "ST.E", 4).space, TRACE_SPACE_GLOBAL);
    ck_assert_int_eq(decode(61, "LD.E", 4).space, TRACE_SPACE_GENERIC);
}
END_TEST

START_TEST(rules)
{
    static const struct {
        const char *text;
        uint64_t width;
        int unit, access, space;
    } cases[] = {
        {"FNEW", 0, TRACE_UNIT_FP32, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"HNEW2", 0, TRACE_UNIT_FP16, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"DNEW", 0, TRACE_UNIT_FP64, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"INEW", 0, TRACE_UNIT_INT, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"UNEW", 0, TRACE_UNIT_UNIFORM, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"F2X", 0, TRACE_UNIT_ALU, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"XMMA.1", 0, TRACE_UNIT_TENSOR, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"TEX3", 0, TRACE_UNIT_TEXTURE, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"BRB", 0, TRACE_UNIT_BRANCH, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"QQQ", 0, TRACE_UNIT_ALU, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
        {"LDGX.64", 8, TRACE_UNIT_MEMORY, TRACE_ACCESS_LOAD, TRACE_SPACE_GLOBAL},
        {"STSX", 4, TRACE_UNIT_MEMORY, TRACE_ACCESS_STORE, TRACE_SPACE_SHARED},
        {"LDQ", 4, TRACE_UNIT_MEMORY, TRACE_ACCESS_LOAD, TRACE_SPACE_GENERIC},
        {"REDX", 4, TRACE_UNIT_MEMORY, TRACE_ACCESS_ATOMIC, TRACE_SPACE_GLOBAL},
        {"ATOMSX", 4, TRACE_UNIT_MEMORY, TRACE_ACCESS_ATOMIC, TRACE_SPACE_SHARED},
        {"QQQ", 4, TRACE_UNIT_MEMORY, TRACE_ACCESS_LOAD, TRACE_SPACE_GENERIC},
        {"LDX", 0, TRACE_UNIT_MEMORY, TRACE_ACCESS_NONE, TRACE_SPACE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_inst inst = decode(86, cases[i].text, cases[i].width);
        ck_assert_msg(inst.unit == cases[i].unit && inst.access == cases[i].access &&
                          inst.space == cases[i].space && inst.flags & TRACE_INST_UNKNOWN,
                      "%s: unit %u access %u space %u flags %x", cases[i].text, inst.unit,
                      inst.access, inst.space, inst.flags);
    }
}
END_TEST

START_TEST(nearest_table)
{
    bool exact;
    ck_assert_str_eq(opcode_table_name(opcode_table_for(35, &exact)), "Kepler");
    ck_assert(exact);
    ck_assert_str_eq(opcode_table_name(opcode_table_for(86, &exact)), "Ampere");
    ck_assert(exact);
    ck_assert_str_eq(opcode_table_name(opcode_table_for(89, &exact)), "Ada");
    ck_assert_str_eq(opcode_table_name(opcode_table_for(120, &exact)), "Blackwell");
    ck_assert(exact);
    ck_assert_str_eq(opcode_table_name(opcode_table_for(20, &exact)), "Kepler");
    ck_assert(!exact);
    ck_assert_str_eq(opcode_table_name(opcode_table_for(4000000000, &exact)), "Blackwell");
    ck_assert(!exact);
}
END_TEST

static void collect_note(void *data, const char *opcode, uint64_t count)
{
    char *text = data;
    sprintf(text + strlen(text), "%s %lu;", opcode, (unsigned long)count);
}

START_TEST(unknown_opcodes_are_counted)
{
    char text[256] = "";
    struct trace_kernel *kernel = open_text(
        TRACE("4", "0000 ffffffff 1 R1 NEWOP.A 0 0 0 \n0010 ffffffff 1 R1 NEWOP.B 0 0 0\n"
                   "0020 ffffffff 0 OTHER 0 0 0\n0000 ffffffff 1 R1 NEWOP.A 0 0 0\n"),
        NULL);
    struct error err = {0};
    struct trace_block *block;
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
    trace_block_release(block);
    trace_kernel_unknown_opcodes(kernel, collect_note, text);
    ck_assert_str_eq(text, "NEWOP 3;OTHER 1;");
    trace_kernel_close(kernel);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        units,
        memory,
        flags,
        kepler_ld_is_global,
        rules,
        nearest_table,
        unknown_opcodes_are_counted,
    };
    return RUN_TESTS("opcode", tests);
}
