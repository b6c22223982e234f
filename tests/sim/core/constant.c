/* The constant cache (-hearth_const_cache): lines of 64 bytes, a hit of latency
 * 24, a miss 79 cycles more, from the SM's L1. LDC runs on the integer pipeline: issued in t
 * with a register to read, it has its result for others in t + 24 + 5. The DFMA that waits for
 * it ends its launch 70 cycles after its issue. */
#include "tests/sim/support.h"

#define ON     "hearth_const_cache=1"
#define MISSES "hearth_icache_l1_latency=79"

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
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R1 = LDC R2"), 2 + 29);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES, "hearth_const_latency=10"), "R1 = LDC R2"),
                      2 + 15);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R1 = LDC R2 [ 4 1 0x100 0 ]"),
                      2 + 29 + 79);
    ck_assert_uint_eq(
        issue_of_dfma(SETS(ON, "hearth_icache_l1_latency=300"), "R1 = LDC R2 [ 4 1 0x100 0 ]"),
        2 + 29 + 300);
    /* No lanes, no access. */
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "@00000000 R1 = LDC R2 [ 4 1 0x100 0 ]"),
                      2 + 29);
}
END_TEST

/* Each waits for the one before it. */
START_TEST(lines)
{
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R1 = LDC R2 [ 4 1 0x100 0 ];"
                                                      "R1 = LDC R1 [ 4 1 0x13c 0 ]"),
                      2 + 29 + 79 + 29);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R1 = LDC R2 [ 4 1 0x100 0 ];"
                                                      "R1 = LDC R1 [ 4 1 0x140 0 ]"),
                      2 + 2 * (29 + 79));
    /* One set of two lines: the third takes the place of the least recently used. */
    const char *const *small =
        SETS(ON, MISSES, "gpgpu_const_cache:l1=N:1:64:2,L:R:f:N:L,S:2:64,4");
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
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R3 = LDC R2 [ 4 1 0x100 0 ];"
                                                      "R1 = LDC R2 [ 4 1 0x104 0 ]"),
                      3 + 1 + 29 + 78);
}
END_TEST

/* 32 lanes in 32 lines: one is looked up a cycle, the last one 31 cycles
 * behind the first. 32 lanes in 4 lines by turns: each is looked up once. */
START_TEST(lanes)
{
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R1 = LDC R2 [ 4 1 0x1000 64 ]"),
                      2 + 29 + 31 + 79);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R1 = LDC R2 [ 4 1 0x1000 64 ];"
                                                      "R1 = LDC R1 [ 4 1 0x1000 64 ]"),
                      2 + 29 + 31 + 79 + 29 + 31);
    ck_assert_uint_eq(issue_of_dfma(SETS(ON, MISSES), "R1 = LDC R2 [ 4 1 0x1000 8 ]"),
                      2 + 29 + 3 + 79);
}
END_TEST

/* A line that is new; the same on its way and a new one behind it; that one when it is there.
 * Without addresses, and with a perfect cache, nothing is looked up. */
START_TEST(counters)
{
    const struct launch_text text = {
        .program = "R1 = LDC R2 [ 4 1 0x100 0 ]; R3 = LDC R2 [ 4 1 0x100 4 ];"
                   "R1 = LDC R3 [ 4 1 0x140 0 ]; R1 = LDC R2; EXIT"};
    struct sim_counters c = launch_on(SETS(ON, MISSES), &text).counters;
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
    struct bench bench = bench_create(SETS(ON, MISSES));
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

/* ---- with the code of the function ---- */

#define OTHER  "00000000000000000000000000007223\n"
#define ULDC_0 "000fe20000000a000000840000047ab9\n" /* ULDC.64 UR4, c[0x0][0x210] */
#define ULDC_3 "000fe20000000a0000c0040000067ab9\n" /* ULDC.64 UR6, c[0x3][0x10] */
#define ULDC_A "000fe200080008000001840004107abb\n" /* ULDC UR16, c[0x0][UR4+0x610] */
#define LDC_0  "000fe2000000080000008400ff047b82\n" /* LDC R4, c[0x0][0x210] */
#define LDC_3  "000fe2000000080000c00400ff047b82\n" /* LDC R4, c[0x3][0x10] */
#define LDC_A  "0010620000000800000284000c007b82\n" /* LDC R0, c[0x0][R12+0xa10] */
#define WAITS  "002fe200000000000000000000007223\n" /* for the result of LDC_A */
#define LDC_R  "001062000000080000d000000c007b82\n" /* LDC R0, c[0x3][R12+0x4000] */

static uint64_t cycles_with(const char *const *sets, const char *program, const char *code)
{
    struct sim_result result =
        launch_on(sets, &(struct launch_text){.program = program, .code = code});
    return result_cycles(&result);
}

/* ULDC waits at issue, for 79 cycles, or 279 if the bank is not the parameters'; its successors
 * behind it. Each scheduler asks once. What the trace has no code of does not wait. */
START_TEST(operands)
{
    const char *const *on =
        SETS(ON, MISSES, "hearth_icache_miss_latency=200", "hearth_const_l0=128");
    uint64_t plain = cycles_with(NO_SETS, "ULDC; ULDC; EXIT", "code 3\n" ULDC_0 ULDC_0 OTHER);
    ck_assert_uint_eq(cycles_with(on, "ULDC; ULDC; EXIT", "code 3\n" ULDC_0 ULDC_0 OTHER),
                      plain + 79);
    ck_assert_uint_eq(cycles_with(on, "ULDC; ULDC; EXIT", "code 3\n" ULDC_3 ULDC_3 OTHER),
                      plain + 79 + 200);
    ck_assert_uint_eq(cycles_with(on, "ULDC; ULDC; EXIT", NULL), plain);
    ck_assert_uint_eq(cycles_with(on, "ULDC; ULDC; EXIT", "code 3\n" OTHER OTHER OTHER), plain);
    /* The cache of one line loses it to the other bank. */
    ck_assert_uint_eq(
        cycles_with(on, ":0 ULDC; :1 ULDC; :0 ULDC; :2 EXIT", "code 2\n" ULDC_0 ULDC_3) -
            cycles_with(NO_SETS, ":0 ULDC; :1 ULDC; :0 ULDC; :2 EXIT", NULL),
        79 + 279 + 79);
}
END_TEST

/* LDC with a fixed address has it from the code, in the bank that this names. */
START_TEST(fixed_loads)
{
    const char *const *on = SETS(ON, MISSES, "hearth_icache_miss_latency=200");
    const char *program = "R1 = LDC; DFMA R1; EXIT";
    uint64_t hit = cycles_with(on, program, NULL);
    ck_assert_uint_eq(cycles_with(on, program, "code 1\n" LDC_0), hit + 79);
    ck_assert_uint_eq(cycles_with(on, program, "code 1\n" LDC_3), hit + 79 + 200);
    /* With a register: the record's address, if it has one. */
    ck_assert_uint_eq(cycles_with(on, "R1 = LDC R2; DFMA R1; EXIT", "code 1\n" LDC_R),
                      cycles_with(on, "R1 = LDC R2; DFMA R1; EXIT", NULL));
    ck_assert_uint_eq(
        cycles_with(on, "R1 = LDC R2 [ 4 1 0x100 0 ]; DFMA R1; EXIT", "code 1\n" LDC_R),
        cycles_with(on, "R1 = LDC R2; DFMA R1; EXIT", NULL) + 79 + 200);
}
END_TEST

/* With an index into the parameters: at the record's address, or else where the array begins;
 * both cores alike. */
START_TEST(arrays)
{
    const char *const *on = SETS(ON, MISSES);
    const char *one = "R1 = LDC R2; DFMA R1; EXIT";
    const char *said = "R1 = LDC R2 [ 4 1 0xa14 0 ]; DFMA R1; EXIT";
    const char *same = "R1 = LDC R2; R1 = LDC R1; DFMA R1; EXIT";
    const char *other = "R1 = LDC R2; R1 = LDC R1 [ 4 1 0xa90 0 ]; DFMA R1; EXIT";
    const char *waited = "code 3\n" LDC_A WAITS OTHER;
    ck_assert_uint_eq(cycles_with(on, one, "code 1\n" LDC_A),
                      cycles_with(on, said, "code 1\n" LDC_A));
    ck_assert_uint_eq(cycles_with(on, other, "code 2\n" LDC_A LDC_A),
                      cycles_with(on, same, "code 2\n" LDC_A LDC_A) + 79);
    const char *const *modern = SETS(ON, MISSES, "hearth_core=modern");
    const char *const *later = SETS(ON, "hearth_icache_l1_latency=89", "hearth_core=modern");
    ck_assert_uint_eq(cycles_with(modern, one, waited), cycles_with(modern, said, waited));
    ck_assert_uint_eq(cycles_with(later, one, waited), cycles_with(modern, one, waited) + 10);
}
END_TEST

/* A ULDC with an index into the parameters waits at issue for the line in which the array
 * begins, once, as one without does for its own; both cores alike. */
START_TEST(uniform_arrays)
{
    const char *const *sets[] = {SETS(ON, MISSES), SETS(ON, MISSES, "hearth_core=modern")};
    const char *program = "ULDC; ULDC; EXIT";
    for (int core = 0; core < 2; core++) {
        uint64_t fixed = cycles_with(sets[core], program, "code 3\n" ULDC_0 ULDC_0 OTHER);
        uint64_t other = cycles_with(sets[core], program, "code 3\n" ULDC_0 ULDC_A OTHER);
        ck_assert_uint_eq(cycles_with(sets[core], program, "code 3\n" ULDC_A ULDC_A OTHER),
                          fixed);
        ck_assert_uint_gt(other, fixed);
    }
}
END_TEST

/* Constants of other banks than the parameters' may take longer than code; both cores alike. */
START_TEST(load_latency)
{
#define SLOW ON, MISSES, "hearth_icache_miss_latency=200"
#define LATE SLOW, "hearth_const_load_latency=30"
    const char *const *late[] = {SETS(LATE), SETS(LATE, "hearth_core=modern")};
    const char *const *even[] = {SETS(SLOW), SETS(SLOW, "hearth_core=modern")};
    const char *far = "code 3\n" ULDC_3 ULDC_3 OTHER, *near = "code 3\n" ULDC_0 ULDC_0 OTHER,
               *load = "code 3\n" LDC_3 OTHER OTHER;
    const char *uniform = "ULDC; ULDC; EXIT", *loads = "R4 = LDC; DFMA R4; EXIT";
    for (int core = 0; core < 2; core++) {
        ck_assert_uint_eq(cycles_with(late[core], uniform, far),
                          cycles_with(even[core], uniform, far) + 30);
        ck_assert_uint_eq(cycles_with(late[core], uniform, near),
                          cycles_with(even[core], uniform, near));
    }
    ck_assert_uint_eq(cycles_with(late[0], loads, load),
                      cycles_with(even[0], loads, load) + 30);
}
END_TEST

/* Operands of the modern core wait at issue, as in the legacy core. */
START_TEST(modern_operands)
{
    const char *const *with = SETS(SLOW, "hearth_core=modern"), *const *without =
                                                                    SETS("hearth_core=modern",
                                                                         MISSES);
    const char *uniform = "ULDC; ULDC; EXIT";
    ck_assert_uint_eq(cycles_with(with, uniform, "code 3\n" ULDC_3 ULDC_3 OTHER),
                      cycles_with(without, uniform, "code 3\n" ULDC_3 ULDC_3 OTHER) + 79 + 200);
}
END_TEST

START_TEST(too_long)
{
    struct error err = {0};
    struct sim_config *config = test_config(SETS(ON, "hearth_icache_miss_latency=1000"));
    ck_assert_ptr_null(sim_create(config, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "hearth_const_cache 1: a miss takes 1020 cycles"));
    sim_config_destroy(config);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {latency,         lines,    on_its_way,     lanes,
                                  counters,        launches, refused,        operands,
                                  fixed_loads,     arrays,   uniform_arrays, load_latency,
                                  modern_operands, too_long};
    return RUN_TESTS("constant", tests);
}
