/* What makes a warp wait other than registers: barriers, memory barriers,
 * asynchronous copies, atomics; and how warps end. First issues are in cycle
 * 2; see units.c for the rest of the pipeline. In cycle c the schedulers'
 * order begins with (c - 1) % 4; warp w belongs to scheduler w % 4. */
#include "tests/sim/support.h"

static uint64_t run(unsigned threads, const char *program)
{
    struct sim_result result =
        launch_on(NO_SETS, &(struct launch_text){.threads = threads, .program = program});
    return result_cycles(&result);
}

/* An FP64 instruction without registers ends a launch 64 + 4 + 1 cycles after
 * its issue; it marks the cycle in which a warp went on. */
#define MARK_END(cycle) ((cycle) + 69)

/* Warp 1 issues its FFMA in 2 to n+1, BAR in n+2. Warp 0 goes on in the next
 * cycle, or in the same when its scheduler comes behind warp 1's. */
START_TEST(barrier)
{
    const char *format[] = {"BAR; DFMA; EXIT | 50 * FFMA; BAR; EXIT",
                            "BAR; DFMA; EXIT | 51 * FFMA; BAR; EXIT",
                            "BAR; DFMA; EXIT | 52 * FFMA; BAR; EXIT"};
    ck_assert_uint_eq(run(64, format[0]), MARK_END(53)); /* 52: 3 0 1 2 */
    ck_assert_uint_eq(run(64, format[1]), MARK_END(54)); /* 53: 0 1 2 3 */
    ck_assert_uint_eq(run(64, format[2]), MARK_END(54)); /* 54: 1 2 3 0 */
}
END_TEST

/* One warp's barrier opens at once, and again. */
START_TEST(barrier_alone)
{
    ck_assert_uint_eq(run(32, "BAR; DFMA; EXIT"), MARK_END(3));
    ck_assert_uint_eq(run(32, "BAR; BAR; BAR; DFMA; EXIT"), MARK_END(5));
}
END_TEST

/* Three rounds: warp 1 comes last to each. BAR in 12, 23 and 34, with ten
 * FFMA and one BAR a round; warp 0 goes on in 35 (34: 1 2 3 0: in 34). */
START_TEST(barrier_rounds)
{
    ck_assert_uint_eq(run(64, "3 * BAR; DFMA; EXIT | "
                              "10 * FFMA; BAR; 10 * FFMA; BAR; 10 * FFMA; BAR; EXIT"),
                      MARK_END(34));
}
END_TEST

/* A warp that ends is no longer waited for: it does when it issues its last
 * instruction, here EXIT in 22 (22: 1 2 3 0). Warps without instructions are
 * not waited for at all. */
START_TEST(barrier_and_ended_warps)
{
    ck_assert_uint_eq(run(64, "BAR; DFMA; EXIT | 20 * FFMA; EXIT"), MARK_END(22));
    ck_assert_uint_eq(run(64, "BAR; DFMA; EXIT | "), MARK_END(3));
}
END_TEST

/* BAR.ARV counts, and its warp goes on: DFMA in 3. The other warp still waits
 * for it: it arrives in 22, and warp 0's DFMA follows in 22 (1 2 3 0). */
START_TEST(arrive)
{
    ck_assert_uint_eq(run(64, "20 * FFMA; BAR; EXIT | BAR.ARV; DFMA; EXIT"), MARK_END(3));
    ck_assert_uint_eq(run(64, "BAR; DFMA; EXIT | 20 * FFMA; BAR.ARV; EXIT"), MARK_END(22));
}
END_TEST

/* Blocks have barriers of their own: block 1's warp does not open block 0's.
 * 2 blocks of 2 warps; block 1 comes in cycle 1, its warps are decoded in 2
 * or 3; block 0's warp 1 comes to the barrier in 42. */
START_TEST(barrier_of_block)
{
    struct sim_result result = launch_on(
        NO_SETS, &(struct launch_text){.blocks = 2,
                                       .threads = 64,
                                       .program = "BAR; DFMA; EXIT | 40 * FFMA; BAR; EXIT"
                                                  " # BAR; EXIT | BAR; EXIT"});
    ck_assert_uint_eq(result_cycles(&result), MARK_END(42)); /* 42: 1 2 3 0 */
}
END_TEST

/* MEMBAR waits for its warp's loads. LDS is issued in 2, done in 2 + 34;
 * without a load the next instruction follows in the next cycle. */
START_TEST(memory_barrier)
{
    ck_assert_uint_eq(run(32, "MEMBAR; DFMA; EXIT"), MARK_END(3));
    ck_assert_uint_eq(run(32, "R1 = LDS R2 [ 4 1 0x0 4 ]; MEMBAR; DFMA; EXIT"), MARK_END(36));
    ck_assert_uint_eq(run(32, "R1 = LDS R2 [ 4 1 0x0 4 ]; FFMA; DFMA; EXIT"), MARK_END(4));
    /* It does not wait for another warp's. */
    ck_assert_uint_eq(run(64, "MEMBAR; DFMA; EXIT | R1 = LDS R2 [ 4 1 0x0 4 ]; EXIT"),
                      MARK_END(3));
}
END_TEST

/* Behind a load that has brought its sectors to L1. */
#define LOADED  "R1 = LDG.E R2 [ 4 1 0x10000 4 ]; R3 = FFMA R1;"
#define COPY    "LDGSTS.E R2 [ 4 1 0x10000 4 ];"
#define GROUP   "LDGDEPBAR;"
#define WAIT(n) "DEPBAR.LE $" #n ";"
#define MARK    "R9 = DFMA R2; EXIT"

/* Cycles by which what stands between the load and the mark delays it. */
static uint64_t delay(const char *part)
{
    return run(32, repeated(LOADED "%" MARK, 1, part)) - run(32, LOADED MARK);
}

/* A copy hits in L1: its data are there 43 cycles after its issue, and DEPBAR
 * goes on then. */
START_TEST(asynchronous_copies)
{
    ck_assert_uint_eq(delay(COPY), 1);
    ck_assert_uint_eq(delay(COPY GROUP), 2);
    ck_assert_uint_eq(delay(COPY GROUP WAIT(0)), 43);
    /* One open group is allowed: that of the copy. */
    ck_assert_uint_eq(delay(COPY GROUP WAIT(1)), 3);
    /* Two groups: the second is allowed to be open, the first is not. */
    ck_assert_uint_eq(delay(COPY GROUP COPY GROUP WAIT(1)), 43);
    ck_assert_uint_eq(delay(COPY GROUP COPY GROUP WAIT(0)), 45);
    ck_assert_uint_eq(delay(COPY GROUP COPY GROUP WAIT(2)), 5);
    /* A copy behind the last LDGDEPBAR belongs to no closed group. */
    ck_assert_uint_eq(delay(COPY WAIT(0)), 2);
    ck_assert_uint_eq(delay(COPY GROUP COPY WAIT(0)), 43);
    /* Groups without copies, and waiting twice. */
    ck_assert_uint_eq(delay(GROUP GROUP WAIT(0)), 3);
    ck_assert_uint_eq(delay(COPY GROUP WAIT(0) WAIT(0)), 44);
    /* A copy without lanes copies nothing. */
    ck_assert_uint_eq(delay("@0 LDGSTS.E R2 [ 4 1 0x0 0 ];" GROUP WAIT(0)), 3);
}
END_TEST

/* A full-mask EXIT with instructions behind it: the warp goes on, and ends
 * with its last instruction. EXIT in 2, FFMA in 3 to 12, ends 6 + 1 later. */
START_TEST(goes_on_after_exit)
{
    ck_assert_uint_eq(run(32, "EXIT; 10 * FFMA"), 12 + 6 + 1);
    ck_assert_uint_eq(run(32, "EXIT; 10 * FFMA; EXIT"), 13 + 6);
    struct sim_result result =
        launch_on(NO_SETS, &(struct launch_text){.program = "EXIT; 10 * FFMA; EXIT"});
    ck_assert_uint_eq(result.counters.warp_insts, 12);
}
END_TEST

/* A block whose warps have no instructions comes at the end of 0 and goes in
 * cycle 1: 2 cycles. One warp's EXIT: 8, with or without empty warps. */
START_TEST(no_instructions)
{
    ck_assert_uint_eq(run(32, " "), 2);
    ck_assert_uint_eq(run(1024, " "), 2);
    ck_assert_uint_eq(run(128, "EXIT | | | "), 8);
    /* Warps that the trace leaves out. */
    ck_assert_uint_eq(run(128, "EXIT | "), 8);
}
END_TEST

/* The block ends with its last store's acknowledgement. */
START_TEST(waits_for_stores)
{
    uint64_t with = run(32, "STG.E R2 R3 [ 4 1 0x10000 4 ]; EXIT");
    ck_assert_uint_gt(with, 187);
    /* No lanes, no store; the load/store unit lets it go in 2 + 4. */
    ck_assert_uint_eq(run(32, "@0 STG.E R2 R3 [ 4 1 0x0 0 ]; EXIT"), 9);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        barrier,
        barrier_alone,
        barrier_rounds,
        barrier_and_ended_warps,
        arrive,
        barrier_of_block,
        memory_barrier,
        asynchronous_copies,
        goes_on_after_exit,
        no_instructions,
        waits_for_stores,
    };
    return RUN_TESTS("barrier", tests);
}
