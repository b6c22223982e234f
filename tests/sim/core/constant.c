/* The constant cache (-hearth_const_cache): lines of 64 bytes, a hit of latency
 * 24, a miss 79 cycles more. LDC runs on the integer pipeline: issued in t with
 * a register to read, it has its result for others in t + 24 + 5. The DFMA that
 * waits for it ends its launch 70 cycles after its issue. */
#include "tests/sim/support.h"

#define ON "hearth_const_cache=1"

static uint64_t issue_of_dfma(const char *const *sets, const char *program)
{
    char text[300];
    strcat(strcpy(text, program), "; DFMA R1; EXIT");
    return cycles_of(sets, text) - 70;
}

/* Off, LDC is as any integer instruction, of latency 2. */
START_TEST(latency)
{
    ck_assert_uint_eq(issue_of_dfma(NO_SETS, "R1 = LDC R2"), 2 + 2 + 5);
    ck_assert_uint_eq(issue_of_dfma(NO_SETS, "R1 = LDC R2 [ 4 1 0x100 0 ]"), 2 + 2 + 5);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R1 = LDC R2"), 2 + 29);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, "hearth_const_latency=10"), "R1 = LDC R2"),
                      2 + 15);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R1 = LDC R2 [ 4 1 0x100 0 ]"), 2 + 29 + 79);
    ck_assert_uint_eq(
        issue_of_dfma(SETS(ON, "hearth_const_miss_latency=300"), "R1 = LDC R2 [ 4 1 0x100 0 ]"),
        2 + 29 + 300);
    /* No lanes, no access. */
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "@00000000 R1 = LDC R2 [ 4 1 0x100 0 ]"), 2 + 29);
}
END_TEST

/* Each waits for the one before it. */
START_TEST(lines)
{
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R1 = LDC R2 [ 4 1 0x100 0 ];"
                                              "R1 = LDC R1 [ 4 1 0x13c 0 ]"),
                      2 + 29 + 79 + 29);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R1 = LDC R2 [ 4 1 0x100 0 ];"
                                              "R1 = LDC R1 [ 4 1 0x140 0 ]"),
                      2 + 2 * (29 + 79));
    /* One set of two lines: the third takes the place of the least recently used. */
    const char *const *small = SETS(ON, "gpgpu_const_cache:l1=N:1:64:2,L:R:f:N:L,S:2:64,4");
    ck_assert_uint_eq(issue_of_dfma(small, "R1 = LDC R2 [ 4 1 0x100 0 ];"
                                           "R1 = LDC R1 [ 4 1 0x200 0 ];"
                                           "R1 = LDC R1 [ 4 1 0x100 0 ];"
                                           "R1 = LDC R1 [ 4 1 0x300 0 ];"
                                           "R1 = LDC R1 [ 4 1 0x100 0 ];"
                                           "R1 = LDC R1 [ 4 1 0x200 0 ]"),
                      2 + 6 * 29 + 4 * 79);
}
END_TEST

/* A line on its way is waited for: asked for in 2, it is there in 81. The
 * second LDC, issued in 3, is taken a cycle late, as integer units take one in
 * two cycles: its result comes 1 + 24 + 5 cycles and 78 of waiting later. */
START_TEST(on_its_way)
{
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R3 = LDC R2 [ 4 1 0x100 0 ];"
                                              "R1 = LDC R2 [ 4 1 0x104 0 ]"),
                      3 + 1 + 29 + 78);
}
END_TEST

/* 32 lanes in 32 lines: one is looked up a cycle, the last one 31 cycles
 * behind the first. 32 lanes in 4 lines by turns: each is looked up once. */
START_TEST(lanes)
{
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R1 = LDC R2 [ 4 1 0x1000 64 ]"),
                      2 + 29 + 31 + 79);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R1 = LDC R2 [ 4 1 0x1000 64 ];"
                                              "R1 = LDC R1 [ 4 1 0x1000 64 ]"),
                      2 + 29 + 31 + 79 + 29 + 31);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON), "R1 = LDC R2 [ 4 1 0x1000 8 ]"), 2 + 29 + 3 + 79);
}
END_TEST

/* A line that is new; the same on its way and a new one behind it; that one when it is there.
 * Without addresses, and with a perfect cache, nothing is looked up. */
START_TEST(counters)
{
    const struct launch_text text = {
        .program = "R1 = LDC R2 [ 4 1 0x100 0 ]; R3 = LDC R2 [ 4 1 0x100 4 ];"
                   "R1 = LDC R3 [ 4 1 0x140 0 ]; R1 = LDC R2; EXIT"};
    struct sim_counters c = launch_on(SETS(ON), &text).counters;
    ck_assert_uint_eq(c.l1c_accesses, 4);
    ck_assert_uint_eq(c.l1c_hits, 1);
    ck_assert_uint_eq(c.l1c_pending_hits, 1);
    ck_assert_uint_eq(c.l1c_misses, 2);
    ck_assert_uint_eq(launch_on(NO_SETS, &text).counters.l1c_accesses, 0);
}
END_TEST

/* Parameters are others in the next launch: it begins with an empty cache. */
START_TEST(launches)
{
    struct bench bench = bench_create(SETS(ON));
    for (int i = 0; i < 2; i++) {
        struct sim_result result = bench_launch(
            &bench,
            &(struct launch_text){.program = "R1 = LDC R2 [ 4 1 0x100 0 ]; DFMA R1; EXIT"});
        ck_assert_uint_eq(result_cycles(&result), 2 + 29 + 79 + 70);
    }
    bench_destroy(&bench);
}
END_TEST

START_TEST(refused)
{
    static const char *const rows[] = {"gpgpu_const_cache:l1=none",
                                       "gpgpu_const_cache:l1=nothing"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        const char *source = "rtx3070", *sets[] = {rows[i], ON};
        ck_assert_ptr_null(sim_config_create(&source, 1, sets, 2, NULL, NULL, &err));
        ck_assert_int_eq(err.kind, ERROR_USAGE);
        ck_assert_ptr_nonnull(strstr(err.text, "gpgpu_const_cache:l1"));
        struct sim_config *config = sim_config_create(&source, 1, sets, 1, NULL, NULL, &err);
        ck_assert_ptr_nonnull(config);
        sim_config_destroy(config);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {latency,  lines,    on_its_way, lanes,
                                  counters, launches, refused};
    return RUN_TESTS("constant", tests);
}
