/* What records have beside lanes and addresses: from text and packed, in memory and spilled. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <string.h>

#include "tests/traces/packed/packed_fixture.h"

#define ALL (TRACE_EXTRA_NUMBERS | TRACE_EXTRA_ACTIVE | TRACE_EXTRA_ADDRESS)
#define HOPPER                                                                                 \
    "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"           \
    "-shmem = 0\n-nregs = 16\n-binary version = 90\n-cuda stream id = 0\n"                     \
    "-accelsim tracer version = 5\n-active masks = 1\n\n#traces format = prose\n\n"
#define LINES                                                                                  \
    "0000 ffffffff 1 R1 BAR.SYNC 1 R2 0 0 =1 =64 \n"                                           \
    "0010 0000000f 1 R1 MOV 0 0 0 @000000ff\n"                                                 \
    "0020 00000007 0 LDGSTS.E.128 2 R6 R8 16 2 0x7f4000000000 1 32 0 =1024 =1040 =1088 "       \
    "@0000000f\n"                                                                              \
    "0030 ffffffff 1 R255 SYNCS.ARRIVE.TRANS64 2 R0 R7 4 1 0x30480 0 0 =700 \n"                \
    "0040 ffffffff 1 R255 SYNCS.ARRIVE.TRANS64.A1T0 1 R0 4 1 0x30488 0 0 \n"                   \
    "0040 00000000 1 R255 SYNCS.ARRIVE.TRANS64.A1T0 1 R0 4 0 0 @00000001\n"                    \
    "0050 ffffffff 0 EXIT 0 0 0 \n"
static const char text[] = HOPPER BLOCK("0,0,0", WARP("0", "7", LINES));

#define SHARED " =1024 =1040 =1088"
#define LDGSTS "20 7 LDGSTS.E.128 7f4000000000 7f4000000001 7f4000000021"
#define START  "block 0,0,0\nwarp 0: 7\n"

/* What a reader of EXTRAS sees. */
static const struct {
    unsigned extras;
    const char *expected;
} cases[] = {
    {0, START "0 ffffffff BAR.SYNC\n10 f MOV\n" LDGSTS
              "\n30 ffffffff SYNCS.ARRIVE.TRANS64\n40 ffffffff SYNCS.ARRIVE.TRANS64.A1T0\n"
              "40 0 SYNCS.ARRIVE.TRANS64.A1T0\n50 ffffffff EXIT\n"},
    {TRACE_EXTRA_NUMBERS,
     START "0 ffffffff BAR.SYNC =1 =64\n10 f MOV\n" LDGSTS SHARED
           "\n30 ffffffff SYNCS.ARRIVE.TRANS64 =700\n40 ffffffff SYNCS.ARRIVE.TRANS64.A1T0\n"
           "40 0 SYNCS.ARRIVE.TRANS64.A1T0\n50 ffffffff EXIT\n"},
    {TRACE_EXTRA_ACTIVE,
     START "0 ffffffff BAR.SYNC\n10 f MOV @ff\n" LDGSTS
           " @f\n30 ffffffff SYNCS.ARRIVE.TRANS64\n40 ffffffff SYNCS.ARRIVE.TRANS64.A1T0\n"
           "40 0 SYNCS.ARRIVE.TRANS64.A1T0 @1\n50 ffffffff EXIT\n"},
    {TRACE_EXTRA_ADDRESS, START "0 ffffffff BAR.SYNC\n10 f MOV\n" LDGSTS
                                "\n30 ffffffff SYNCS.ARRIVE.TRANS64 &30480\n"
                                "40 ffffffff SYNCS.ARRIVE.TRANS64.A1T0 &30488\n"
                                "40 0 SYNCS.ARRIVE.TRANS64.A1T0\n50 ffffffff EXIT\n"},
    {ALL, START "0 ffffffff BAR.SYNC =1 =64\n10 f MOV @ff\n" LDGSTS SHARED
                " @f\n30 ffffffff SYNCS.ARRIVE.TRANS64 &30480 =700\n"
                "40 ffffffff SYNCS.ARRIVE.TRANS64.A1T0 &30488\n"
                "40 0 SYNCS.ARRIVE.TRANS64.A1T0 @1\n50 ffffffff EXIT\n"},
};

static void check(const char *path, size_t i, bool rows, size_t budget)
{
    const struct trace_kernel_options options = {
        .extras = cases[i].extras, .rows = rows, .memory_budget = budget};
    struct error err = {0};
    struct trace_kernel *kernel = trace_kernel_open(path, &options, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    char *seen = dump(kernel);
    ck_assert_str_eq(seen, cases[i].expected);
    free(seen);
}

START_TEST(those_that_are_wanted)
{
    struct fixture fixture;
    const char *const texts[] = {text};
    char *message = pack_texts(&fixture, texts, 1, NULL);
    ck_assert_msg(message == NULL, "%s", message);
    char *grouped = path_in(fixture.folder, "kernel-1.traceg");
    char *packed = path_in(fixture.packed, "kernel-1");
    for (int spilled = 0; spilled < 2; spilled++)
        for (int rows = 0; rows < 2; rows++) {
            check(grouped, (size_t)_i, rows, (size_t)spilled);
            check(packed, (size_t)_i, rows, (size_t)spilled);
        }
    free(grouped);
    free(packed);
    finish(&fixture);
}
END_TEST

/* A memory-only view has those of its records; it does not have barriers in memory. */
START_TEST(memory_only)
{
    static const char expected[] =
        "block 0,0,0\nwarp 0: 2\n" LDGSTS SHARED " @f\n50 ffffffff EXIT\n";
    const struct trace_kernel_options options = {.extras = ALL, .memory_only = true};
    struct fixture fixture;
    struct error err = {0};
    const char *const texts[] = {text};
    ck_assert_ptr_null(pack_texts(&fixture, texts, 1, NULL));
    char *seen = dump(open_text(text, &options));
    ck_assert_str_eq(seen, expected);
    free(seen);
    char *path = path_in(fixture.packed, "kernel-mem-1");
    seen = dump(trace_kernel_open(path, &(struct trace_kernel_options){.extras = ALL}, &err));
    ck_assert_str_eq(seen, expected);
    free(seen);
    free(path);
    finish(&fixture);
}
END_TEST

START_TEST(raw)
{
    const struct trace_kernel_options options = {.extras = ALL};
    char *seen =
        dump(open_text(HOPPER "0 0 0 0 0000 0000000f 1 R1 BAR.SYNC 1 R2 0 0 =1 @000000ff\n"
                              "0 0 0 0 0010 ffffffff 0 EXIT 0 0 0 \n",
                       &options));
    ck_assert_str_eq(seen, "block 0,0,0\nwarp 0: 2\n0 f BAR.SYNC =1 @ff\n10 ffffffff EXIT\n");
    free(seen);
}
END_TEST

/* Extras of many records, which do not all fit into a chunk. */
START_TEST(spilled)
{
    char *lines, *all;
    size_t size;
    FILE *out = open_memstream(&lines, &size);
    for (int i = 0; i < 3000; i++)
        fprintf(out, "%04x 0000000f 1 R1 BAR.SYNC 1 R2 0 0 =%d @%08x\n", i % 9 * 16, i,
                15 + 16 * i);
    fclose(out);
    ck_assert_int_gt(asprintf(&all, HOPPER BLOCK("0,0,0", WARP("0", "3000", "%s")), lines), 0);
    const struct trace_kernel_options small = {.extras = ALL, .memory_budget = 1};
    char *first = dump(open_text(all, &(struct trace_kernel_options){.extras = ALL}));
    char *second = dump(open_text(all, &small));
    ck_assert_ptr_nonnull(strstr(first, "BAR.SYNC =2999 @bb7f\n"));
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
    free(lines);
    free(all);
}
END_TEST

/* Whoever asks for them hears of lines that are wrong. */
START_TEST(errors)
{
    static const char wrong[] =
        HOPPER BLOCK("0,0,0", WARP("0", "1", "0000 ffffffff 1 R1 BAR.SYNC 1 R2 0 0 =1x \n"));
    char *seen = dump(open_text(wrong, NULL));
    ck_assert_str_eq(seen, "block 0,0,0\nwarp 0: 1\n0 ffffffff BAR.SYNC\n");
    free(seen);
    seen = dump(open_text(wrong, &(struct trace_kernel_options){.extras = ALL}));
    ck_assert_msg(strstr(seen, ":20:39: a number of 32 bits is expected, not '1x'") != NULL,
                  "%s", seen);
    free(seen);
}
END_TEST

START_TEST(shared_addresses)
{
    static const struct {
        uint32_t mask;
        struct trace_extras extras;
        uint32_t last; /* 0: they are not known */
    } all[] = {
        {0xff, {.number_count = 2, .numbers = {1024, 16}}, 1024 + 7 * 16},
        {3, {.number_count = 2, .numbers = {1024, UINT32_MAX - 15}}, 1008},
        {1, {.number_count = 2, .numbers = {1024, 0}}, 1024},
        {7, {.number_count = 3, .numbers = {1, 5, 9}}, 9},
        {7, {.number_count = 1, .numbers = {1}}, 0},
        {7, {.number_count = 0}, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint32_t addresses[32];
        const struct trace_record record = {.mask = all[i].mask};
        bool known = trace_extras_shared(&all[i].extras, &record, addresses);
        ck_assert_int_eq(known, all[i].last != 0);
        if (known)
            ck_assert_uint_eq(addresses[__builtin_popcount(record.mask) - 1], all[i].last);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {memory_only, raw, spilled, errors, shared_addresses};
    const TTest *const loops[] = {those_that_are_wanted};
    return RUN_LOOPS("extras", tests, loops, sizeof cases / sizeof *cases);
}
