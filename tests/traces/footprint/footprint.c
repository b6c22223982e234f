/* Footprints of single launches, worked out by hand. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <string.h>

#include "tests/traces/footprint/follow.h"

#define BASE UINT64_C(0x7f1000000000)

/* The footprint of one launch, as text. */
static char *one(const char *count, const char *lines)
{
    char *text;
    struct trace_reuse *reuse = create(0);
    struct trace_footprint f = follow(reuse, count, lines);
    ck_assert_int_ge(asprintf(&text,
                              "%lu accesses, lines %lu %lu %lu, sectors %lu %lu %lu, "
                              "%lu addresses",
                              (unsigned long)f.accesses, (unsigned long)f.lines.all,
                              (unsigned long)f.lines.read, (unsigned long)f.lines.written,
                              (unsigned long)f.sectors.all, (unsigned long)f.sectors.read,
                              (unsigned long)f.sectors.written, (unsigned long)f.addresses),
                     0);
    ck_assert_uint_eq(f.source_count, 0);
    trace_reuse_destroy(reuse);
    return text;
}

#define assert_one(count, lines, expected)                                                     \
    do {                                                                                       \
        char *text_ = one(count, lines);                                                       \
        ck_assert_str_eq(text_, expected);                                                     \
        free(text_);                                                                           \
    } while (0)

START_TEST(loads_and_stores)
{
    /* 32 words: a line. */
    assert_one("1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 4",
               "4 accesses, lines 1 1 0, sectors 4 4 0, 32 addresses");
    /* Read, then half of it written and a line more. */
    assert_one("2",
               "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 4\n"
               "10 ffffffff 0 STG.E 2 R2 R1 4 1 0x7f1000000040 4",
               "8 accesses, lines 2 1 2, sectors 6 4 4, 48 addresses");
    /* Atomics and reductions read and write; predicated off, nothing happens. */
    assert_one("3",
               "0 00000003 1 R1 ATOMG.E.ADD.STRONG.GPU 2 R2 R3 4 0 0x7f1000000000 "
               "0x7f1000000000\n"
               "10 00000001 0 RED.E.ADD.STRONG.GPU 2 R2 R3 4 0 0x7f1000000020\n"
               "20 00000000 1 R1 LDG.E 1 R2 4 1 0x0 0",
               "2 accesses, lines 1 1 1, sectors 2 2 2, 2 addresses");
    /* 16 bytes a lane. */
    assert_one("1", "0 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f1000000000 16",
               "16 accesses, lines 4 4 0, sectors 16 16 0, 32 addresses");
}
END_TEST

START_TEST(address_modes)
{
    static const char *const same[] = {
        ("0 0000000f 1 R1 LDG.E 1 R2 4 0 0x7f1000000010 0x7f1000000030 0x7f1000000050 "
         "0x7f1000000070"),
        "0 0000000f 1 R1 LDG.E 1 R2 4 1 0x7f1000000010 32",
        "0 0000000f 1 R1 LDG.E 1 R2 4 2 0x7f1000000010 32 32 32",
        "0 0000000f 1 R1 LDG.E 1 R2 4 1 0x7f1000000070 -32",
        "0 0000000f 1 R1 LDG.E 1 R2 4 2 0x7f1000000030 32 32 -96",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_one("1", same[i], "4 accesses, lines 1 1 0, sectors 4 4 0, 4 addresses");
    /* Far apart; one address for all; strides that are no power of two. */
    assert_one("1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 256",
               "32 accesses, lines 32 32 0, sectors 32 32 0, 32 addresses");
    assert_one("1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 0",
               "1 accesses, lines 1 1 0, sectors 1 1 0, 1 addresses");
    assert_one("1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 12",
               "12 accesses, lines 3 3 0, sectors 12 12 0, 32 addresses");
    assert_one("1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 40",
               "32 accesses, lines 10 10 0, sectors 32 32 0, 32 addresses");
}
END_TEST

START_TEST(across_borders)
{
    /* 8 bytes from the 4 in front of a sector's end, and of a line's. */
    assert_one("1", "0 00000001 1 R1 LDG.E.64 1 R2 8 0 0x7f100000001c",
               "2 accesses, lines 1 1 0, sectors 2 2 0, 1 addresses");
    assert_one("1", "0 00000001 1 R1 LDG.E.64 1 R2 8 0 0x7f100000007c",
               "2 accesses, lines 2 2 0, sectors 2 2 0, 1 addresses");
    /* Of a row of lanes the last one. */
    assert_one("1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000002 4",
               "5 accesses, lines 2 2 0, sectors 5 5 0, 32 addresses");
    /* Behind the last address comes the first one. */
    assert_one("1", "0 00000003 1 R1 LDG.E.64 1 R2 8 0 0xfffffffffffffffc 0x0",
               "2 accesses, lines 2 2 0, sectors 2 2 0, 2 addresses");
}
END_TEST

START_TEST(spaces)
{
    static const char nothing[] = "0 accesses, lines 0 0 0, sectors 0 0 0, 0 addresses";
    static const char global[] = "4 accesses, lines 1 1 0, sectors 4 4 0, 32 addresses";
    assert_one("1", "0 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4", nothing);
    assert_one("1", "0 ffffffff 1 R1 ATOMS.ADD 2 R2 R3 4 1 0x0 4", nothing);
    assert_one("1", "0 ffffffff 1 R1 LDC 1 R2 0", nothing);
    assert_one("1", "0 ffffffff 0 EXIT 0 0", nothing);
    assert_one("1", "0 ffffffff 0 LDGSTS.E 2 R1 R2 4 1 0x7f1000000000 4", global);
    /* Generic: shared from 7f0002000000 on, local from 7f0000000000. */
    assert_one("1", "0 ffffffff 1 R1 LD.E 1 R2 4 1 0x7f0002000000 4", nothing);
    assert_one("1", "0 ffffffff 1 R1 LD.E 1 R2 4 1 0x7f1000000000 4", global);
    /* Local: one offset of all lanes is a line, the next word another. */
    assert_one("1", "0 ffffffff 1 R1 LD.E 1 R2 4 1 0x7f0000000100 0", global);
    assert_one("1", "0 ffffffff 1 R1 LDL 1 R2 4 1 0xfffc00 0", global);
    assert_one("1", "0 ffffffff 1 R1 LDL.64 1 R2 8 1 0xfffc00 0",
               "8 accesses, lines 2 2 0, sectors 8 8 0, 32 addresses");
    assert_one("1", "0 0000ff00 0 STL.U8 2 R2 R1 1 1 0xfffc03 0",
               "1 accesses, lines 1 0 1, sectors 1 0 1, 8 addresses");
    /* LDL and generic access of the same word. */
    assert_one("2",
               "0 ffffffff 1 R1 LD.E 1 R2 4 1 0x7f0000000100 0\n"
               "10 ffffffff 0 STL 2 R2 R1 4 1 0x100 0",
               "8 accesses, lines 1 1 1, sectors 4 4 4, 32 addresses");
}
END_TEST

/* ---- blocks, growth, stop ---------------------------------------------- */

/* A launch of 6 blocks of one warp, each writing one word of local memory. */
static struct trace_footprint local_blocks(struct trace_reuse *reuse)
{
    struct error err = {0};
    struct trace_footprint footprint;
    char text[4096] = HEADER_WITH("(6,1,1)", "(32,1,1)", "86", "5", "0");
    for (int i = 0; i < 6; i++)
        sprintf(text + strlen(text),
                BLOCK("%d,0,0", WARP("0", "1", "0 ffffffff 0 STL 2 R1 R2 4 1 0xfffc00 0")), i);
    struct trace_kernel *kernel = open_text(text, NULL);
    ck_assert_int_eq(trace_reuse_launch(reuse, kernel, NULL, &footprint, &err), 0);
    trace_kernel_close(kernel);
    return footprint;
}

START_TEST(local_of_blocks)
{
    struct trace_reuse *reuse = create(0);
    ck_assert_uint_eq(local_blocks(reuse).lines.all, 6);
    ck_assert_uint_eq(local_blocks(reuse).lines.shared, 6);
    trace_reuse_destroy(reuse);
    reuse = create(4);
    ck_assert_uint_eq(local_blocks(reuse).lines.all, 4);
    trace_reuse_destroy(reuse);
}
END_TEST

START_TEST(many_lines)
{
    enum { RECORDS = 3000 }; /* of 32 lines each */
    struct trace_reuse *reuse = create(0);
    char *lines = malloc(RECORDS * 80), *at = lines;
    for (uint64_t i = 0; i < RECORDS; i++)
        at += sprintf(at, "%lx ffffffff 1 R1 LDG.E 1 R2 4 1 0x%lx 1024\n",
                      16 * (unsigned long)i, (unsigned long)(BASE + 32 * 1024 * i));
    for (int launch = 0; launch < 3; launch++) {
        struct trace_footprint f = follow(reuse, "3000", lines);
        ck_assert_uint_eq(f.lines.all, 32 * RECORDS);
        ck_assert_uint_eq(f.sectors.all, 32 * RECORDS);
        ck_assert_uint_eq(f.shared_addresses, launch == 0 ? 0 : 32 * RECORDS);
        ck_assert_uint_eq(f.source_count, launch > 0);
    }
    struct trace_reuse_totals totals;
    trace_reuse_totals(reuse, &totals);
    ck_assert_uint_eq(totals.lines, 32 * RECORDS);
    /* One line of two groups: 104 + 4 x 32 bytes a group, 32 for slots, a chunk to spare. */
    ck_assert_uint_lt(totals.memory, 264 * 32 * RECORDS + (1 << 20));
    free(lines);
    trace_reuse_destroy(reuse);
}
END_TEST

static bool stop_at_two(void *data, uint64_t blocks, uint64_t records)
{
    ck_assert_uint_eq(++*(uint64_t *)data, blocks);
    return blocks < 2;
}

START_TEST(stopped)
{
    struct error err = {0};
    struct trace_footprint footprint;
    uint64_t blocks = 0;
    const struct trace_reuse_watch watch = {stop_at_two, &blocks};
    struct trace_reuse *reuse = create(0);
    struct trace_kernel *kernel =
        open_text(HEADER_WITH("(3,1,1)", "(32,1,1)", "86", "5", "0")
                      BLOCK("0,0,0", WARP("0", "1", "0 ffffffff 0 EXIT 0 0"))
                          BLOCK("1,0,0", WARP("0", "1", "0 ffffffff 0 EXIT 0 0")),
                  NULL);
    ck_assert_int_eq(trace_reuse_launch(reuse, kernel, &watch, &footprint, &err), 1);
    ck_assert_int_eq(err.kind, ERROR_NONE);
    trace_kernel_close(kernel);
    trace_reuse_destroy(reuse);
}
END_TEST

static bool stop_at_records(void *data, uint64_t blocks, uint64_t records)
{
    ck_assert_uint_eq(blocks, 0);
    *(uint64_t *)data = records;
    return records == 0;
}

/* A block that does not fit into memory is not read to its end first. */
START_TEST(stopped_in_a_block)
{
    enum { RECORDS = 20000 };
    struct error err = {0};
    struct trace_footprint footprint;
    uint64_t records = 0;
    const struct trace_reuse_watch watch = {stop_at_records, &records};
    const struct trace_kernel_options options = {.memory_budget = 1};
    struct trace_reuse *reuse = create(0);
    const char *head =
        HEADER_WITH("(1,1,1)", "(32,1,1)", "86", "5",
                    "0") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 20000\n";
    char *text = malloc(strlen(head) + RECORDS * 80 + 16), *at = text;
    at += sprintf(at, "%s", head);
    for (uint64_t i = 0; i < RECORDS; i++)
        at += sprintf(at, "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x%lx 4 0\n",
                      (unsigned long)(BASE + 128 * i));
    sprintf(at, "#END_TB\n");
    struct trace_kernel *kernel = open_text(text, &options);
    ck_assert_int_eq(trace_reuse_launch(reuse, kernel, &watch, &footprint, &err), 1);
    ck_assert_int_eq(err.kind, ERROR_NONE);
    ck_assert_uint_gt(records, 0);
    ck_assert_uint_lt(records, RECORDS);
    trace_kernel_close(kernel);
    trace_reuse_destroy(reuse);
    free(text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {loads_and_stores, address_modes,     across_borders,
                                  spaces,           local_of_blocks,   many_lines,
                                  stopped,          stopped_in_a_block};
    return RUN_TESTS("footprint", tests);
}
