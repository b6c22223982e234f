/* Profiles measured on traces: every count worked out by hand. */
#define _GNU_SOURCE /* open_memstream */
#include <stdio.h>
#include <string.h>

#include "tests/traces/support.h"
#include "traces/profile/measure.h"

/* A profile of the trace TEXT as launch 7; rows of the companions go to *BLOCKS
 * and *BBV, which the caller frees, unless they are NULL. */
static struct profile *profile_of(const char *text, char **blocks, char **bbv, uint64_t every)
{
    struct error err = {0};
    size_t sizes[2];
    struct profile_companions companions = {.every = every};
    if (blocks != NULL)
        companions.blocks = open_memstream(blocks, &sizes[0]);
    if (bbv != NULL)
        companions.bbv = open_memstream(bbv, &sizes[1]);
    struct trace_kernel *kernel = open_text(text, NULL);
    struct profile *profile = profile_create("p", &err);
    ck_assert_ptr_nonnull(profile);
    int rc = profile_add_trace(profile, kernel, 7, &companions, &err);
    ck_assert_msg(rc == 0, "%s", err.text);
    trace_kernel_close(kernel);
    if (blocks != NULL)
        fclose(companions.blocks);
    if (bbv != NULL)
        fclose(companions.bbv);
    ck_assert_uint_eq(profile->count, 1);
    return profile;
}

#define ROW(profile) (&(profile)->rows[0])

START_TEST(header_fields)
{
    struct profile *profile = profile_of(
        "-kernel name = _Z1kPf\n-kernel id = 3\n-grid dim = (2,1,1)\n-block dim = (8,2,2)\n"
        "-shmem = 48\n-nregs = 20\n-binary version = 80\n-cuda stream id = 94000\n"
        "-accelsim tracer version = 5\n-enable lineinfo = 0\n#\n" BLOCK(
            "0,0,0", WARP("0", "1", "0000 ffffffff 0 EXIT 0 0 0 "))
            BLOCK("1,0,0", WARP("0", "1", "0000 ffffffff 0 EXIT 0 0 0 ")),
        NULL, NULL, 0);
    const struct profile_row *row = ROW(profile);
    ck_assert_str_eq(profile->kernels[row->kernel], "_Z1kPf");
    ck_assert_uint_eq(row->launch, 7);
    ck_assert_uint_eq(row->stream, 94000);
    ck_assert_uint_eq(row->regs, 20);
    ck_assert_uint_eq(row->shmem, 48);
    ck_assert_double_eq(profile_blocks(row), 2);
    ck_assert_double_eq(profile_block_threads(row), 32);
    ck_assert_uint_eq(row->warp_insts, 2);
    ck_assert_uint_eq(row->thread_insts, 64);
    ck_assert_double_eq(row->divergence, 32);
    ck_assert_double_eq(row->cta_insts_cov, 0);
    ck_assert(!profile_knows(row, PROFILE_CYCLES));
    ck_assert(!profile_knows(row, PROFILE_TIME_NS));
    ck_assert(profile_knows(row, PROFILE_GLD_SECTORS));
    profile_destroy(profile);
}
END_TEST

/* 32 lanes of 4 bytes from a line on: 4 sectors; 16 bytes behind: 5; of 128
 * bytes apart: 32; one lane: 1; of 16 bytes each: 16. */
START_TEST(global)
{
    struct profile *profile =
        profile_of(TRACE("9", "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0 \n"
                              "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1010 4 0 \n"
                              "0020 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 128 0 \n"
                              "0030 00000001 1 R4 LDG.E 1 R2 4 1 0x1000 0 0 \n"
                              "0040 00000000 1 R4 LDG.E 1 R2 4 0 \n"
                              "0050 ffffffff 0 STG.E.128 2 R2 R4 16 1 0x1000 16 0 \n"
                              "0060 0000000f 1 R4 ATOMG.E.ADD 2 R2 R4 4 1 0x1000 0 0 \n"
                              "0070 00000003 0 RED.E.ADD 2 R2 R4 4 1 0x1000 64 0 \n"
                              "0080 ffffffff 1 R4 LDGSTS.E 2 R2 R4 4 1 0x1000 4 0 "),
                   NULL, NULL, 0);
    const struct profile_row *row = ROW(profile);
    ck_assert_uint_eq(row->gld_insts, 6); /* the one that is predicated off too */
    ck_assert_uint_eq(row->gld_insts_on, 5);
    ck_assert_uint_eq(row->gld_sectors, 4 + 5 + 32 + 1 + 0 + 4);
    ck_assert_uint_eq(row->gst_insts, 1);
    ck_assert_uint_eq(row->gst_insts_on, 1);
    ck_assert_uint_eq(row->gst_sectors, 16);
    ck_assert_uint_eq(row->gatom_insts, 2);
    ck_assert_uint_eq(row->mem_requests, 46 + 16 + 1 + 2);
    ck_assert_uint_eq(row->warp_insts, 9);
    ck_assert_uint_eq(row->thread_insts, 32 * 3 + 1 + 0 + 32 + 4 + 2 + 32);
    ck_assert_uint_eq(row->lld_insts + row->sld_insts + row->sst_insts, 0);
    profile_destroy(profile);
}
END_TEST

START_TEST(shared_and_constant)
{
    struct profile *profile =
        profile_of(TRACE("7", "0000 ffffffff 1 R4 LDS 1 R2 4 1 0x0 4 0 \n"
                              "0010 ffffffff 1 R4 LDSM.16.M88.4 1 R2 4 1 0x0 16 0 \n"
                              "0020 ffffffff 0 STS 2 R2 R4 4 1 0x0 4 0 \n"
                              "0030 ffffffff 1 R4 ATOMS.ADD 2 R2 R4 4 1 0x0 4 0 \n"
                              "0040 ffffffff 1 R4 LDC 1 R2 0 0 \n"
                              "0050 ffffffff 1 R4 ULDC 0 0 0 \n"
                              "0060 ffffffff 0 MEMBAR.SC.GPU 0 0 0 "),
                   NULL, NULL, 0);
    const struct profile_row *row = ROW(profile);
    ck_assert_uint_eq(row->sld_insts, 2);
    ck_assert_uint_eq(row->sst_insts, 1);
    ck_assert_uint_eq(row->gld_insts + row->gst_insts + row->lld_insts + row->gatom_insts, 0);
    ck_assert_uint_eq(row->mem_requests, 0);
    ck_assert_uint_eq(row->warp_insts, 7);
    profile_destroy(profile);
}
END_TEST

/* All lanes have the same local address: interleaved by thread these are 4
 * sectors; of 8 lanes 1; 8 bytes a lane 8; two addresses in one group of 8
 * lanes 2. */
START_TEST(local)
{
    struct profile *profile = profile_of(
        TRACE("5", "0000 ffffffff 1 R4 LDL 1 R2 4 1 0xfffc00 0 0 \n"
                   "0010 0000ff00 1 R4 LDL 1 R2 4 1 0xfffc00 0 0 \n"
                   "0020 ffffffff 1 R4 LDL.64 1 R2 8 1 0xfffc00 0 0 \n"
                   "0030 0000000f 1 R4 LDL 1 R2 4 0 0xfffc00 0xfffc04 0xfffc00 0xfffc04 0 \n"
                   "0040 ffffffff 0 STL 2 R2 R4 4 1 0xfffc00 0 0 "),
        NULL, NULL, 0);
    const struct profile_row *row = ROW(profile);
    ck_assert_uint_eq(row->lld_insts, 4);
    ck_assert_uint_eq(row->lld_sectors, 4 + 1 + 8 + 2);
    ck_assert_uint_eq(row->mem_requests, 15 + 4);
    ck_assert_uint_eq(row->gld_insts + row->gst_insts, 0);
    profile_destroy(profile);
}
END_TEST

/* The windows of the header: local from 0x7f0000000000, shared from
 * 0x7f0002000000. */
START_TEST(generic)
{
    struct profile *profile =
        profile_of(TRACE("5", "0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x1000 4 0 \n"
                              "0010 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f0000000040 0 0 \n"
                              "0020 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f0002000000 4 0 \n"
                              "0030 ffffffff 0 ST.E 2 R2 R4 4 1 0x2000 4 0 \n"
                              "0040 00000000 1 R4 LD.E 1 R2 4 0 "),
                   NULL, NULL, 0);
    const struct profile_row *row = ROW(profile);
    ck_assert_uint_eq(row->gld_insts, 1);
    ck_assert_uint_eq(row->gld_sectors, 4);
    ck_assert_uint_eq(row->lld_insts, 1);
    ck_assert_uint_eq(row->lld_sectors, 4);
    ck_assert_uint_eq(row->sld_insts, 1);
    ck_assert_uint_eq(row->gst_insts, 1);
    ck_assert_uint_eq(row->mem_requests, 12);
    ck_assert_uint_eq(row->warp_insts, 5); /* nobody knows where the last would have gone */
    profile_destroy(profile);
}
END_TEST

/* Blocks of 64 and 192 thread instructions: mean 128, deviation 64. */
static const char two_blocks[] = HEADER_WITH("(2,1,1)", "(64,1,1)", "86", "5", "0")
    BLOCK("1,0,0",
          WARP("0", "4",
               "0000 ffffffff 1 R1 MOV 0 0 0 \n0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x0 4 0 \n"
               "0020 ffffffff 1 R1 MOV 0 0 0 \n0030 ffffffff 0 EXIT 0 0 0 ")
              WARP("1", "2", "0000 ffffffff 1 R1 MOV 0 0 0 \n0030 ffffffff 0 EXIT 0 0 0 "))
        BLOCK("0,0,0", WARP("0", "4",
                            "0000 0000ffff 1 R1 MOV 0 0 0 \n0010 00000000 1 R1 MOV 0 0 0 \n"
                            "0020 0000ffff 1 R1 MOV 0 0 0 \n0030 ffffffff 0 EXIT 0 0 0 "));

START_TEST(blocks)
{
    char *rows, *bbv;
    struct profile *profile = profile_of(two_blocks, &rows, &bbv, 0);
    const struct profile_row *row = ROW(profile);
    ck_assert_uint_eq(row->warp_insts, 10);
    ck_assert_uint_eq(row->thread_insts, 256);
    ck_assert_double_eq_tol(row->divergence, 25.6, 1e-12);
    ck_assert_double_eq_tol(row->cta_insts_cov, 0.5, 1e-12);
    ck_assert_str_eq(rows, "7,0,4,64,0\n7,1,6,192,4\n"); /* by number, not as in the file */
    /* Warps 0 and 2 run four instructions on end, warp 3 jumps over two; warp 1 has none. */
    ck_assert_str_eq(bbv, "7,1,2,0,4,1\n7,2,1,0,1,1\n7,2,1,48,1,1\n");
    free(rows);
    free(bbv);
    profile_destroy(profile);
}
END_TEST

START_TEST(one_warp_of_three)
{
    char *bbv;
    struct profile *profile = profile_of(two_blocks, NULL, &bbv, 3);
    ck_assert_str_eq(bbv, "7,1,1,0,4,1\n7,2,1,0,1,1\n7,2,1,48,1,1\n");
    free(bbv);
    profile_destroy(profile);
}
END_TEST

START_TEST(nothing_is_unknown_not_zero)
{
    struct profile *profile = profile_of(TRACE("0", ""), NULL, NULL, 0);
    const struct profile_row *row = ROW(profile);
    ck_assert(profile_knows(row, PROFILE_WARP_INSTS));
    ck_assert_uint_eq(row->warp_insts, 0);
    ck_assert(!profile_knows(row, PROFILE_DIVERGENCE));
    ck_assert(!profile_knows(row, PROFILE_CTA_INSTS_COV));
    profile_destroy(profile);
    profile = profile_of(TRACE("1", "0000 00000000 0 EXIT 0 0 0 "), NULL, NULL, 0);
    ck_assert(profile_knows(ROW(profile), PROFILE_DIVERGENCE));
    ck_assert(!profile_knows(ROW(profile), PROFILE_CTA_INSTS_COV));
    profile_destroy(profile);
}
END_TEST

/* A loop of three turns, a barrier, and a branch that is not taken. */
START_TEST(basic_blocks)
{
    char *bbv;
    struct profile *profile = profile_of(
        TRACE("12", "0000 ffffffff 1 R1 MOV 0 0 0 \n"
                    "0010 ffffffff 1 R1 IADD3 0 0 0 \n0020 ffffffff 0 BRA 0 0 0 \n"
                    "0010 ffffffff 1 R1 IADD3 0 0 0 \n0020 ffffffff 0 BRA 0 0 0 \n"
                    "0010 ffffffff 1 R1 IADD3 0 0 0 \n0020 00000000 0 BRA 0 0 0 \n"
                    "0030 ffffffff 1 R1 MOV 0 0 0 \n0040 ffffffff 0 BAR.SYNC 0 0 0 \n"
                    "0050 ffffffff 1 R1 MOV 0 0 0 \n0060 0000000f 0 EXIT 0 0 0 \n"
                    "0070 fffffff0 0 EXIT 0 0 0 "),
        NULL, &bbv, 0);
    ck_assert_str_eq(bbv,
                     "7,1,1,0,3,1\n7,1,1,16,2,2\n7,1,1,48,2,1\n7,1,1,80,2,1\n7,1,1,112,1,1\n");
    free(bbv);
    profile_destroy(profile);
}
END_TEST

/* Control words of Pascal stand between its instructions: at 0x20 here. */
START_TEST(basic_blocks_of_pascal)
{
    char *bbv;
    struct profile *profile = profile_of(
        HEADER_WITH("(1,1,1)", "(32,1,1)", "61", "4", "0")
            BLOCK("0,0,0", WARP("0", "6",
                                "0010 ffffffff 1 R1 MOV 0 0 \n0018 ffffffff 1 R1 MOV 0 0 \n"
                                "0028 ffffffff 1 R1 MOV 0 0 \n0030 ffffffff 1 R1 MOV 0 0 \n"
                                "0040 ffffffff 1 R1 MOV 0 0 \n0048 ffffffff 0 EXIT 0 0 ")),
        NULL, &bbv, 0);
    ck_assert_str_eq(bbv, "7,1,1,16,4,1\n7,1,1,64,2,1\n");
    free(bbv);
    profile_destroy(profile);
}
END_TEST

START_TEST(what_ends_a_basic_block)
{
    static const char *const ending[] = {"BRA",  "BRA.U", "BRX", "CALL.REL.NOINC", "RET.ABS",
                                         "SYNC", "BSYNC", "JMP", "WARPSYNC",       "BRK"};
    static const char *const passing[] = {"BSSY", "MOV", "BMOV.32", "NOP", "BAR2", "BR"};
    const struct trace_inst plain = {0};
    const struct trace_inst barrier = {.flags = TRACE_INST_BARRIER};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        ck_assert_msg(trace_inst_ends_basic_block(&plain, ending[i]), "%s", ending[i]);
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        ck_assert_msg(!trace_inst_ends_basic_block(&plain, passing[i]), "%s", passing[i]);
    ck_assert(trace_inst_ends_basic_block(&barrier, "BAR.SYNC"));
}
END_TEST

/* Types by share, then by first warp; blocks by PC. More types and blocks than
 * the tables start with. */
START_TEST(many_types)
{
    enum { TYPES = 300 };
    struct warp_types types;
    char *text;
    size_t size;
    warp_types_init(&types);
    uint64_t number = 2 * TYPES;
    for (uint32_t t = 0; t < TYPES; t++)
        for (uint32_t copies = t == 17 ? 3 : 2; copies > 0; copies--) {
            for (uint32_t b = 0; b <= t; b++)
                warp_types_add(&types, 16 * (TYPES - b), 1);
            warp_types_add(&types, 16 * TYPES, 1);
            ck_assert_int_eq(warp_types_end_warp(&types, number--), 0);
        }
    ck_assert_uint_eq(types.type_count, TYPES);
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(warp_types_write(&types, 1, out), 0);
    fclose(out);
    /* Type 17 has blocks 16 * (TYPES - 17) to 16 * TYPES, the last twice. */
    ck_assert_int_eq(strncmp(text, "1,1,3,4528,1,1\n1,1,3,4544,1,1\n", 30), 0);
    ck_assert_ptr_nonnull(strstr(text, "\n1,1,3,4800,1,2\n1,2,2,16,1,1\n"));
    free(text);
    warp_types_finish(&types);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        header_fields,
        global,
        shared_and_constant,
        local,
        generic,
        blocks,
        one_warp_of_three,
        nothing_is_unknown_not_zero,
        basic_blocks,
        basic_blocks_of_pascal,
        what_ends_a_basic_block,
        many_types,
    };
    return RUN_TESTS("profile", tests);
}
