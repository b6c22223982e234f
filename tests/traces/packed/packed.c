/* Packed workloads: what is packed comes back to the byte, as text and as
 * records. */
#define _GNU_SOURCE /* asprintf */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/traces/packed/packed_fixture.h"

#define ROUND_TRIP(...)                                                                        \
    do {                                                                                       \
        static const char *const texts_[] = {__VA_ARGS__};                                     \
        round_trip(texts_, sizeof texts_ / sizeof *texts_);                                    \
    } while (0)

/* ---- round trips ------------------------------------------------------- */

START_TEST(plain_instructions)
{
    ROUND_TRIP(TRACE("3", "0000 ffffffff 1 R1 MOV 0 0 0 \n0010 0000ffff 0 BRA 0 0 0 \n" EXIT));
}
END_TEST

START_TEST(address_modes)
{
    ROUND_TRIP(TRACE("9", LDG "1 0x7f0000000000 4 0 \n" LDG "1 0x7f0000000080 -4 0 \n"
                              "0090 0000000f 1 R8 LDG.E 1 R4 4 0 0x10 0x20 0x24 0x28 0 \n"
                              "0090 0000000f 1 R8 LDG.E 1 R4 4 2 0x10 -4 8 12 0 \n"
                              "0090 00000001 1 R8 LDG.E 1 R4 4 2 0x10 0 \n"
                              "0090 00000001 1 R8 LDG.E 1 R4 4 1 0x10 4 0 \n"
                              "0090 00000000 1 R8 LDG.E 1 R4 4 1 0x0 0 0 \n"
                              "0090 00000000 1 R8 LDG.E 1 R4 4 1 0x10 -8 0 \n"
                              "0090 80000001 1 R8 LDG.E 1 R4 4 1 0x10 4 0 \n"));
}
END_TEST

START_TEST(wide_addresses)
{
    ROUND_TRIP(TRACE("3", LDG "1 0x00007f0000000000 4 0 \n" LDG "1 0x00007f0000000080 4 0 \n"
                              "0080 00000000 1 R8 LDG.E 1 R4 4 1 0x0000000000000000 0 0 \n"));
}
END_TEST

START_TEST(extreme_addresses)
{
    ROUND_TRIP(TRACE("3", "0080 00000003 1 R8 LDG.E 1 R4 4 2 0xffffffffffffffff "
                          "-9223372036854775808 0 \n"
                          "0080 00000003 1 R8 LDG.E 1 R4 4 2 0x0 9223372036854775807 0 \n"
                          "0080 80000001 1 R8 LDG.E 1 R4 4 0 0x0 0xffffffffffffffff 0 \n"));
}
END_TEST

START_TEST(tails_that_change)
{
    ROUND_TRIP(TRACE("3", "00d0 00000003 0 STG.E 2 R6 R9 4 1 0x100 4 0 STORE_DATA I32 1 "
                          "REG0:T0:0x00000000 T1:0x40400000 \n"
                          "00d0 00000003 0 STG.E 2 R6 R9 4 1 0x180 4 0 STORE_DATA I32 1 "
                          "REG0:T0:0x40c00000 T1:0x41100000 \n"
                          "00d0 00000001 0 STG.E 2 R6 R9 4 2 0x180 0 STORE_DATA I32 1 "
                          "REG0:T0:0x40c00001 \n"));
}
END_TEST

START_TEST(odd_lines)
{
    ROUND_TRIP(TRACE("7", "0000  ffffffff 1 R1 MOV 0 0 0 \n\n# a remark\n"
                          "0010 FFFFFFFF 1 R1 MOV 0 0 0\n"
                          " 0020 ffffffff 1 R1 MOV 0 0 0 \r\n"
                          "0080 ffffffff 1 R8 LDG.E 1 R4 4 1  0x7f0000000000 4 0 \n"
                          "0080 ffffffff 1 R8 LDG.E 1 R4 4 1 0x07f000000000 4 0 \n"
                          "0080 0ff 1 R8 LDG.E 1 R4 4 1 0x7F0000000000 4 0 \n"
                          "00000000000000a0 ffffffff 0 EXIT 0 0\t0\n\n\n"));
}
END_TEST

/* Also where they are not as the tracer writes them. */
START_TEST(active_masks)
{
    ROUND_TRIP(TRACE("15",
                     "0000 0000ffff 1 R1 MOV 0 0 0 @ffffffff\n"
                     "0010 00000000 1 R1 MOV 0 0 0 @ffffffff\n"
                     "0010 ffffffff 1 R1 MOV 0 0 0 \n"
                     "0010 000000ff 1 R1 MOV 0 0 0 \n"
                     "0010 00000001 1 R1 MOV 0 0 0 @0000000f\n" LDG "1 0x7f0000000000 4 0 \n"
                     "0080 0000ffff 1 R8 LDG.E 1 R4 4 1 0x7f0000000000 4 0 @ffffffff\n"
                     "0080 00000000 1 R8 LDG.E 1 R4 4 1 0x0 0 0 @00ffffff\n"
                     "0080 0000000f 1 R8 LDG.E 1 R4 4 1 0x10 4 0 @0000000f\n"
                     "0080 0000000f 1 R8 LDG.E 1 R4 4 1 0x10 4 0 @0000000F\n"
                     "0080 0000000f 1 R8 LDG.E 1 R4 4 1 0x10 4 0 @000000ff \n"
                     "0080 0000000f 1 R8 LDG.E 1 R4 4 1  0x10 4 0 @000000ff\n"
                     "0080 0000000f 1 R8 LDG.E 1 R4 4 1 0x10 4 0 @00000000\n"
                     "0010 00000001 1 R1 MOV 0 0 0 @0000000f0\n" EXIT));
}
END_TEST

START_TEST(layouts)
{
    ROUND_TRIP(HEADER "\n\n#BEGIN_TB\n# why not\nthread block = 00,0,0\n\n\nwarp = 0 \n"
                      "insts =  01\n" EXIT "#END_TB\n# remark\n");
}
END_TEST

START_TEST(no_newline_at_the_end)
{
    ROUND_TRIP(HEADER "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n" EXIT "#END_TB");
}
END_TEST

START_TEST(no_instructions)
{
    ROUND_TRIP(HEADER BLOCK("0,0,0", WARP("0", "0", "")), HEADER BLOCK("0,0,0", ""));
}
END_TEST

START_TEST(blocks_and_warps_in_any_order)
{
    ROUND_TRIP(HEADER_WITH("(2,1,2)", "(40,2,1)", "86", "5", "0")
                   BLOCK("1,0,1", WARP("2", "1", EXIT) WARP("0", "1", EXIT))
                       BLOCK("0,0,0", WARP("1", "1", EXIT)) BLOCK("0,0,1", "")
                           BLOCK("1,0,0", WARP("0", "1", EXIT) WARP("1", "1", EXIT)));
}
END_TEST

START_TEST(ids_on_every_line)
{
    ROUND_TRIP(HEADER_WITH("(2,1,1)", "(64,1,1)", "75", "1.2", "0")
                   BLOCK("0,0,0", WARP("0", "1", "0 0 0 0 0030 ffffffff 0 EXIT 0 0 \n")
                                      WARP("1", "1", "0 0 0 1 0030 ffffffff 0 EXIT 0 0 \n"))
                       BLOCK("1,0,0", WARP("0", "1", "1 0 0 0 0030 ffffffff 0 EXIT 0 0 \n")
                                          WARP("1", "2",
                                               "7 0 0 9 0030 ffffffff 0 EXIT 0 0 \n"
                                               "1  0 0 1 0030 ffffffff 0 EXIT 0 0\n")));
}
END_TEST

START_TEST(source_lines)
{
    ROUND_TRIP(HEADER_WITH("(1,1,1)", "(32,1,1)", "75", "5", "1")
                   BLOCK("0,0,0", WARP("0", "3",
                                       "12 0000 ffffffff 1 R1 MOV 0 0 0 \n"
                                       "13 0010 ffffffff 1 R1 MOV 0 0 0 \n"
                                       "007 0030 ffffffff 0 EXIT 0 0 0 \n")));
}
END_TEST

START_TEST(headers_with_other_lines)
{
    ROUND_TRIP(
        "-kernel name = f(int, 3)\n-what = 12 is this\n-grid dim = (1,1,1)\n"
        "-block dim = ( 32, 1, 1 )\n\n-accelsim tracer version = 5\n#x\n"
        "\n#BEGIN_TB\n\nthread block = 0,0,0\n\n#END_TB\n",
        "-kernel name = f(int, 4)\n-kernel id = 18446744073709551615\n-grid dim = (1,1,1)\n"
        "-block dim = (32,1,1)\n#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n\n\n");
}
END_TEST

START_TEST(loops)
{
    char *texts[] = {make_loop(9, 7, 1), make_loop(3, 40, 2), make_loop(5, 7, 3)};
    round_trip((const char *const *)texts, 3);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
}
END_TEST

/* A warp of more records than a piece takes. */
START_TEST(long_warps)
{
    char *text = make_loop(1, PIECE_MOST / 5 * 2 + 17, 1);
    round_trip((const char *const *)&text, 1);
    free(text);
}
END_TEST

/* ---- groups ------------------------------------------------------------ */

START_TEST(launches_over_groups)
{
    static const uint64_t records[] = {1, 30, 100, 400};
    char *texts[] = {make_loop(9, 7, 1), make_loop(3, 40, 2), make_loop(5, 7, 3)};
    struct fixture fixture;
    pack_groups(&fixture, texts, 3, records[_i]);
    struct error err = {0};
    struct store *store = store_open(fixture.packed, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    ck_assert_uint_gt(store->group_count, 2);
    store_close(store);
    check_text(&fixture, (const char *const *)texts);
    check_records(&fixture);
    finish(&fixture);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
}
END_TEST

/* The memory-only view is not held up by damage to what it does not read. */
START_TEST(memory_view_reads_nothing_else)
{
    char *text = make_loop(9, 7, 1);
    struct fixture fixture;
    struct error err = {0};
    pack_groups(&fixture, &text, 1, 1 << 20);
    struct store *store = store_open(fixture.packed, &err);
    ck_assert_ptr_nonnull(store);
    struct group *group = store_acquire(store, 0, 1 << FRAME_HEAD, &err);
    uint64_t at = store->groups[0].offset + group->frames.length;
    for (int f = 0; f < FRAME_CONTROL; f++)
        at += group->frames.frames[f].packed;
    store_release(store, 0);
    store_close(store);
    FILE *file = fopen(fixture.packed, "r+b");
    ck_assert_int_eq(fseek(file, (long)at, SEEK_SET), 0);
    ck_assert_int_ne(fputc(0x55, file), EOF);
    fclose(file);
    char *expected = dump_file(fixture.folder, 1, true, 0);
    char *memory = dump_file(fixture.packed, 1, true, 0);
    char *all = dump_file(fixture.packed, 1, false, 0);
    ck_assert_str_eq(memory, expected);
    ck_assert_ptr_nonnull(strstr(all, "its control is damaged: the checksum differs"));
    free(expected);
    free(memory);
    free(all);
    free(text);
    finish(&fixture);
}
END_TEST

static char *dump_view(const char *path, const char *name,
                       const struct trace_kernel_options *options)
{
    char *launch;
    struct error err = {0};
    ck_assert_int_ge(asprintf(&launch, "%s/%s", path, name), 0);
    struct trace_kernel *kernel = trace_kernel_open(launch, options, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    free(launch);
    return dump(kernel);
}

/* Launch 1 as its text and as packed: EXPECTED of both. */
static void expect_views(const struct fixture *fixture,
                         const struct trace_kernel_options *options, const char *expected)
{
    char *text = dump_view(fixture->folder, "kernel-1.traceg", options);
    char *packed = dump_view(fixture->packed, "kernel-1", options);
    ck_assert_str_eq(text, expected);
    ck_assert_str_eq(packed, expected);
    free(text);
    free(packed);
}

/* Without shared memory: LDG and EXIT stay of the loop, STS goes. */
START_TEST(memory_view_without_shared)
{
    static const char *const texts[] = {
        TRACE("3", LDG "1 0x7f0000000000 4 0 \n"
                       "0090 ffffffff 0 STS 2 R6 R9 4 1 0x80 4 0 \n" EXIT),
        TRACE("2", LDG "1 0x7f0000000000 4 0 \n" EXIT)};
    const struct trace_kernel_options options = {.memory_only = true, .no_shared = true};
    struct fixture fixture;
    ck_assert_ptr_null(pack_texts(&fixture, texts, 2, NULL));
    char *expected = dump_view(fixture.folder, "kernel-2.traceg", &options);
    expect_views(&fixture, &options, expected);
    free(expected);
    finish(&fixture);
}
END_TEST

/* Rows of lanes: the same addresses as without, in memory or spilled. */
START_TEST(rows)
{
    static const char *const texts[] = {
        TRACE("3", "0080 000000ff 1 R8 LDG.E 1 R4 4 0 0x7f0000000000 0x7f0000000004 "
                   "0x7f0000000008 0x7f000000000c 0x7f0000000100 0x7f0000000104 "
                   "0x7f0000000108 0x7f000000010c 0 \n"
                   "0090 0000000f 1 R8 LDG.E 1 R4 4 0 0x7f0000000000 0x7f0000000004 "
                   "0x7f0000000009 0x7f0000000010 0 \n" EXIT)};
    static const char expected[] =
        "block 0,0,0\nwarp 0: 3\n80 ff LDG.E 7f0000000000 7f0000000004 7f0000000008 "
        "7f000000000c 7f0000000100 7f0000000104 7f0000000108 7f000000010c\n"
        "90 f LDG.E 7f0000000000 7f0000000004 7f0000000009 7f0000000010\n30 ffffffff EXIT\n";
    const struct trace_kernel_options options = {
        .memory_only = _i & 1, .memory_budget = _i & 2 ? 1 : 0, .rows = _i & 4};
    struct fixture fixture;
    ck_assert_ptr_null(pack_texts(&fixture, texts, 1, NULL));
    expect_views(&fixture, &options, expected);
    finish(&fixture);
}
END_TEST

/* What is said of shared memory stays without addresses; generic addresses stay. In memory, or
 * spilled. */
START_TEST(bare_shared)
{
    static const char *const texts[] = {
        TRACE("5", "0080 00000003 1 R8 LDG.E 1 R4 4 1 0x7f0000000000 4 0 \n"
                   "0090 00000003 0 STS 2 R6 R9 4 1 0x80 4 0 \n"
                   "00a0 00000005 1 R9 LDS 1 R6 4 2 0x80 -64 0 \n"
                   "00b0 00000003 1 R9 LD.E 1 R4 4 1 0x7f0002000080 4 0 \n" EXIT)};
    static const char expected[] =
        "block 0,0,0\nwarp 0: 5\n80 3 LDG.E 7f0000000000 7f0000000004\n90 3 STS\na0 5 LDS\n"
        "b0 3 LD.E 7f0002000080 7f0002000084\n30 ffffffff EXIT\n";
    const struct trace_kernel_options options = {
        .memory_only = _i & 1, .memory_budget = _i & 2 ? 1 : 0, .bare_shared = true};
    struct fixture fixture;
    ck_assert_ptr_null(pack_texts(&fixture, texts, 1, NULL));
    expect_views(&fixture, &options, expected);
    finish(&fixture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packed");
    TCase *tcase = tcase_create("packed");
    tcase_add_test(tcase, plain_instructions);
    tcase_add_test(tcase, address_modes);
    tcase_add_test(tcase, wide_addresses);
    tcase_add_test(tcase, extreme_addresses);
    tcase_add_test(tcase, tails_that_change);
    tcase_add_test(tcase, odd_lines);
    tcase_add_test(tcase, active_masks);
    tcase_add_test(tcase, layouts);
    tcase_add_test(tcase, no_newline_at_the_end);
    tcase_add_test(tcase, no_instructions);
    tcase_add_test(tcase, blocks_and_warps_in_any_order);
    tcase_add_test(tcase, ids_on_every_line);
    tcase_add_test(tcase, source_lines);
    tcase_add_test(tcase, headers_with_other_lines);
    tcase_add_test(tcase, loops);
    tcase_add_test(tcase, long_warps);
    tcase_add_loop_test(tcase, launches_over_groups, 0, 4);
    tcase_add_test(tcase, memory_view_reads_nothing_else);
    tcase_add_test(tcase, memory_view_without_shared);
    tcase_add_loop_test(tcase, bare_shared, 0, 4);
    tcase_add_loop_test(tcase, rows, 0, 8);
    tcase_set_timeout(tcase, 180);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
