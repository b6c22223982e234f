/* The core model `modern`: exact cycles of hand-worked programs, from the control bits that
 * they have. The first instruction issues in cycle 3: fetch, decode, and the cycle of the
 * block's arrival. A launch ends with the cycle after the issue of its last EXIT, or after what
 * its warps wait for, if that comes later. */
#include "sim/core/modern/modern.h"
#include "sim/simulator.h"
#include "tests/sim/support.h"

/* Instruction buffers apart: "8 * NOP" is one place of the code, so that they would fill again
 * for each. */
#define MODERN(...)                                                                            \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         __VA_ARGS__)
#define FIRST 3

static uint64_t run_with(const char *const *sets, unsigned threads, const char *program)
{
    struct sim_result result =
        launch_on(sets, &(struct launch_text){.threads = threads, .program = program});
    return result_cycles(&result);
}

static uint64_t run(const char *program)
{
    return run_with(MODERN(NULL), 32, program);
}

/* EXIT in cycle FIRST; the launch ends at the end of it. */
START_TEST(exit_alone)
{
    ck_assert_uint_eq(run("{5} EXIT"), FIRST + 1);
}
END_TEST

/* A chain of stalls: the EXIT issues after their sum. */
START_TEST(stalls)
{
    ck_assert_uint_eq(run("{4} R1 = FADD R1 R2; {5} R1 = FADD R1 R2; {5} EXIT"), FIRST + 9 + 1);
    ck_assert_uint_eq(run("{13} R1 = FADD R1 R2; {5} EXIT"), FIRST + 13 + 1);
}
END_TEST

/* A yield alone costs the warp a cycle; with a stall of 0 it stands for 45. */
START_TEST(yields)
{
    ck_assert_uint_eq(run("{1} NOP; {5} EXIT"), FIRST + 1 + 1);
    ck_assert_uint_eq(run("{1,y} NOP; {5} EXIT"), FIRST + 2 + 1);
    ck_assert_uint_eq(run("{0,y} ERRBAR; {5} EXIT"), FIRST + 45 + 1);
}
END_TEST

/* MUFU's result is there 17 cycles after its issue; the counter rises two cycles after it, so
 * that an instruction behind it by one cycle does not see it. */
START_TEST(counters)
{
    ck_assert_uint_eq(run("{2,w0} R1 = MUFU.EX2 R2; {4,m1} R3 = FADD R1 R2; {5} EXIT"),
                      FIRST + 17 + 4 + 1);
    ck_assert_uint_eq(
        run("{1,w0} R1 = MUFU.EX2 R2; {15,m1} R3 = FADD R1 R2; {15} NOP; {5} EXIT"),
        FIRST + 1 + 15 + 15 + 1);
    ck_assert_uint_eq(
        run("{2,w0} R1 = MUFU.EX2 R2; {15,m1} R3 = FADD R1 R2; {15} NOP; {5} EXIT"),
        FIRST + 17 + 15 + 15 + 1);
    /* another counter is no wait, but the warp ends with the result */
    ck_assert_uint_eq(run("{2,w0} R1 = MUFU.EX2 R2; {4,m2} R3 = FADD R1 R2; {5} EXIT"),
                      FIRST + 17 + 1);
    /* nothing can wait for a result without a counter, not even the end of the warp */
    ck_assert_uint_eq(run("{2} R1 = MUFU.EX2 R2; {5} EXIT"), FIRST + 2 + 1);
}
END_TEST

/* Sources of a MUFU have been read after 6 cycles. */
START_TEST(read_counters)
{
    ck_assert_uint_eq(run("{2,r0} R1 = MUFU.EX2 R2; {15,m1} R2 = FADD R3 R4; {5} EXIT"),
                      FIRST + 6 + 15 + 1);
}
END_TEST

/* Two instructions of a 16-lane unit of one warp are two cycles apart, whatever the stall; FP32
 * has two halves, so every cycle one issues, and IMAD uses one of them. */
START_TEST(units)
{
    const char *ints = "8 * {1} R1 = IADD3 R2 R3; {5} EXIT";
    const char *floats = "8 * {1} R1 = FADD R2 R3; {5} EXIT";
    const char *products = "8 * {1} R1 = IMAD R2 R3; {5} EXIT";
    const char *const *sets = MODERN("trace_opcode_latency_initiation_int=4,2",
                                     "trace_opcode_latency_initiation_sp=4,1");
    ck_assert_uint_eq(run_with(sets, 32, ints), FIRST + 7 * 2 + 1 + 1);
    ck_assert_uint_eq(run_with(sets, 32, floats), FIRST + 8 + 1);
    ck_assert_uint_eq(run_with(sets, 32, products), FIRST + 7 * 2 + 1 + 1);
    ck_assert_uint_eq(run_with(MODERN("trace_opcode_latency_initiation_sp=4,2"), 32, floats),
                      FIRST + 7 * 2 + 1 + 1);
}
END_TEST

/* Three even registers take the port of their bank for three cycles: from the second such
 * instruction on, each waits two cycles, and so does issue behind it. Kept operands and other
 * banks need none. */
START_TEST(read_ports)
{
    const char *same = "4 * {1} R1 = FFMA R2 R4 R6; {5} EXIT";
    const char *spread = "4 * {1} R1 = FFMA R2 R3 R5; {5} EXIT";
    const char *kept = "4 * {1,u7} R1 = FFMA R2 R4 R6; {5} EXIT";
    ck_assert_uint_eq(run(kept), FIRST + 4 + 1);
    ck_assert_uint_eq(run_with(MODERN("hearth_read_ports=0"), 32, same), FIRST + 4 + 1);
    ck_assert_uint_eq(run(spread), FIRST + 4 + 1 + 2);
    ck_assert_uint_eq(run(same), FIRST + 4 + 1 + 6);
    ck_assert_uint_eq(run_with(MODERN("hearth_reuse_cache=0"), 32, kept), FIRST + 4 + 1 + 6);
}
END_TEST

/* Each instruction that issues makes room for one, which can issue three cycles later: with
 * three places that is one a cycle, with two it is two in three. A jump waits for its fetch. */
START_TEST(instruction_buffer)
{
#define BUFFER(places) MODERN("hearth_instruction_buffer=" places, "hearth_branch_latency=2")
    const char *line = "{1} NOP; {1} NOP; {1} NOP; {1} NOP; {1} NOP; {5} EXIT";
    const char *jump = "{1} NOP; {1} BRA; :9 {5} EXIT";
    ck_assert_uint_eq(run_with(BUFFER("0"), 32, line), FIRST + 5 + 1);
    ck_assert_uint_eq(run_with(BUFFER("3"), 32, line), FIRST + 5 + 1);
    ck_assert_uint_eq(run_with(BUFFER("2"), 32, line), FIRST + 7 + 1);
    ck_assert_uint_eq(run_with(BUFFER("0"), 32, jump), FIRST + 1 + 2 + 1);
    /* a cycle more for the fetch behind the NOP, and two for the target's */
    ck_assert_uint_eq(run_with(BUFFER("3"), 32, jump), FIRST + 1 + 3 + 1);
}
END_TEST

/* Greedy, then the youngest: warps 0 and 4 share a scheduler. Warp 4 comes first and goes on
 * until its stall; warp 0 issues then. */
START_TEST(greedy_then_youngest)
{
    const char *program = "{1} NOP; {5} EXIT | EXIT | EXIT | EXIT | {1} NOP; {1} NOP; {5} EXIT";
    ck_assert_uint_eq(run_with(MODERN(NULL), 160, program), FIRST + 3 + 2);
}
END_TEST

/* Five instructions enter the queue of a sub-core in a row; the sixth waits until the first has
 * left, 9 cycles after its issue. A load from shared memory is there 23 cycles after its issue
 * with a latency of 19, and one address is generated every four cycles. */
START_TEST(memory_queue)
{
#define LDS(bits) "{" bits "} R1 = LDS R2 [ 4 1 0x7f0002000000 4 ]; "
    const char *const *sets = MODERN("gpgpu_smem_latency=19");
    ck_assert_uint_eq(run_with(sets, 32, LDS("2,w0") "{4,m1} R3 = FADD R1 R2; {5} EXIT"),
                      FIRST + 23 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, LDS("2,w0") LDS("2,w0") "{4,m1} NOP; {5} EXIT"),
                      FIRST + 23 + 4 + 4 - 1 + 2);
    ck_assert_uint_eq(run_with(sets, 32,
                               LDS("1,w0") LDS("1,w0") LDS("1,w0") LDS("1,w0")
                                   LDS("1,w0") "{5} EXIT"),
                      FIRST + 23 + 4 * 4 + 1);
}
END_TEST

/* More results on their way than a byte can count: the warp waits for the last. Loads follow
 * each other by 4 cycles, as many as their sectors take. */
START_TEST(many_results)
{
#define LDG "{2,w0} R1 = LDG.E R2 [ 4 1 0x10000 4 ]; "
    const char *const *sets = MODERN("gpgpu_gmem_skip_L1D=1", "gpgpu_l2_rop_latency=1500");
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        static const int loads[2] = {100, 270};
        char program[270 * sizeof LDG + 40] = "";
        for (int n = 0; n < loads[i]; n++)
            strcat(program, LDG);
        cycles[i] = run_with(sets, 32, strcat(program, "{4,m1} NOP; {5} EXIT"));
    }
    ck_assert_uint_gt(cycles[0], 1500 + 99 * 4);
    ck_assert_uint_eq(cycles[1], cycles[0] + 170 * 4);
}
END_TEST

/* 16 words of a bank take 16 cycles of shared memory, or two more. */
START_TEST(long_loads)
{
    const char *load = "{2,w0} R1 = LDS R2 [ 4 1 0x7f0002000000 64 ]; {4,m1} NOP; {5} EXIT";
    const char *store = "{2,r0} STS R2 R3 [ 4 1 0x7f0002000000 64 ]; {5} EXIT";
    const char *const *none = MODERN("gpgpu_smem_latency=19"),
                      *const *more =
                          MODERN("gpgpu_smem_latency=19", "hearth_shared_long_load=8"),
                      *const *fewer =
                          MODERN("gpgpu_smem_latency=19", "hearth_shared_long_load=16");
    ck_assert_uint_eq(run_with(none, 32, load), FIRST + 23 + 15 + 4 + 1);
    ck_assert_uint_eq(run_with(more, 32, load), FIRST + 23 + 15 + 2 + 4 + 1);
    ck_assert_uint_eq(run_with(fewer, 32, load), FIRST + 23 + 15 + 4 + 1);
    ck_assert_uint_eq(run_with(more, 32, store), run_with(none, 32, store));
}
END_TEST

/* Three loads of 32 lines in the one bank of L1, all in it: two wait for the load before, which
 * takes four cycles more than its sectors. None does for eight sectors or for stores. */
START_TEST(long_loads_of_l1)
{
#define LINES    "R1 = LDG.E R2 [ 4 1 0x10000 128 ]; "
#define EIGHT    "R1 = LDG.E R2 [ 4 1 0x10000 8 ]; "
#define STORES   "STG.E R2 R3 [ 4 1 0x10000 128 ]; "
#define L1_CACHE "gpgpu_cache:dl1=S:4:128:64,L:T:m:L:L,A:512:64,16:0,32", "gpgpu_l1_latency=30"
    const char *loads = "{2,w0} " LINES "{4,m1} NOP; {2,w0} " LINES "{2,w0} " LINES
                        "{2,w0} " LINES "{4,m1} NOP; {5} EXIT";
    const char *eight = "{2,w0} " EIGHT "{2,w0} " EIGHT "{4,m1} NOP; {5} EXIT";
    const char *stores = "{2,r0} " STORES "{2,r0} " STORES "{5} EXIT";
    const char *const *none = MODERN(L1_CACHE), *const *more =
                                                    MODERN(L1_CACHE, "hearth_l1_long_load=8");
    ck_assert_uint_eq(run_with(more, 32, loads), run_with(none, 32, loads) + 2 * 32 / 8);
    ck_assert_uint_eq(run_with(more, 32, eight), run_with(none, 32, eight));
    ck_assert_uint_eq(run_with(more, 32, stores), run_with(none, 32, stores));
}
END_TEST

/* A latency of 30 leaves 22 cycles after the hand-over. With a lookup after 3 of them a miss
 * goes on 19 cycles earlier; the data of a hit come when they did. */
START_TEST(l1_lookup)
{
#define LOOKUP(latency) MODERN(L1_CACHE, "hearth_l1_lookup_latency=" latency)
    const char *miss = "{2,w0} R1 = LDG.E R2 [ 4 1 0x10000 0 ]; {4,m1} NOP; {5} EXIT",
               *hit = "{2,w0} R1 = LDG.E R2 [ 4 1 0x10000 0 ]; {4,m1} NOP; "
                      "{2,w0} R1 = LDG.E R2 [ 4 1 0x10000 0 ]; {4,m1} NOP; {5} EXIT";
    uint64_t misses = run_with(LOOKUP("0"), 32, miss), both = run_with(LOOKUP("0"), 32, hit);
    ck_assert_uint_eq(run_with(LOOKUP("3"), 32, miss), misses - (22 - 3));
    ck_assert_uint_eq(run_with(LOOKUP("3"), 32, hit), both - (22 - 3));
    ck_assert_uint_eq(run_with(LOOKUP("30"), 32, miss), misses);
}
END_TEST

/* Three warps of each sub-core, whose queue has one place: a load enters it every PLACE cycles.
 * In turn, each warp's two loads have come before it is its turn again, so that no place stays
 * empty up to the last of 18 loads; the sub-cores come one cycle after the other. The last warp
 * ends with its last load, whose counter the NOP right behind it does not see. If the scheduler
 * chooses, the oldest warp is alone in the end, and waits for its loads. */
START_TEST(memory_turns)
{
#define PLACE 9
#define ROUND                                                                                  \
    "{1,w0} R1 = LDS R2 [ 4 1 0x7f0002000000 4 ]; {1,w0} R1 = LDS R2 "                         \
    "[ 4 1 0x7f0002000000 4 ]; {4,m1} NOP; "
    const char *program = ROUND ROUND ROUND "{5} EXIT";
    const char *const *own = MODERN("gpgpu_smem_latency=19", "hearth_memory_queue=1"),
                      *const *turns = MODERN("gpgpu_smem_latency=19", "hearth_memory_queue=1",
                                             "hearth_memory_turns=1");
    ck_assert_uint_eq(run_with(turns, 384, program), FIRST + 17 * PLACE + 3 + 23 + 1);
    ck_assert_uint_gt(run_with(own, 384, program), FIRST + 18 * PLACE + 3 + 23 + 1);
}
END_TEST

/* Four words of each lane take two cycles more on the way to registers than one or two, beside
 * their passes; and data wait while a fixed result takes the port of their bank. */
START_TEST(write_ports)
{
#define THEN " ]; {4,m1} NOP; {5} EXIT"
#define WIDTH(opcode, stride)                                                                  \
    "{2,w0} R1 = " opcode " R2 [ " stride " 1 0x7f0002000000 " stride THEN
#define COLLIDES(reg)                                                                          \
    "{2,w0} R1 = LDS R2 [ 4 1 0x7f0002000000 4 ]; {15} NOP; {2} NOP; {1} " reg                 \
    " = FADD R6 R7; {4,m1} NOP; {5} EXIT"
    const char *const *sets = MODERN("gpgpu_smem_latency=19"), *const *none = MODERN(
                                                                   "gpgpu_smem_latency=19",
                                                                   "hearth_write_ports=0");
    ck_assert_uint_eq(run_with(sets, 32, WIDTH("LDS", "4")), FIRST + 23 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, WIDTH("LDS.64", "8")), FIRST + 23 + 1 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, WIDTH("LDS.128", "16")), FIRST + 23 + 3 + 2 + 4 + 1);
    ck_assert_uint_eq(run_with(none, 32, WIDTH("LDS.128", "16")), FIRST + 23 + 3 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, COLLIDES("R4")), FIRST + 23 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, COLLIDES("R3")), FIRST + 24 + 4 + 1);
    ck_assert_uint_eq(run_with(none, 32, COLLIDES("R3")), FIRST + 23 + 4 + 1);
}
END_TEST

/* Each matrix of eight rows of 16 bytes takes a cycle, or as many as its rows have of one bank:
 * the places that lanes behind those of the rows have do not matter. Four words of a lane take
 * two cycles more on the way to registers. A store reads as much as one of as many bytes. */
START_TEST(matrices_in_shared)
{
#define MATRICES(size, stride)                                                                 \
    "{2,w0} R1 = LDSM.16.M88" size " R2 [ 4 1 0x7f0002000000 " stride THEN
#define BOTH(opcode)                                                                           \
    "{2,r0} " opcode " R2 R4 [ 16 1 0x7f0002000000 16 ]; {4,m1} NOP; {4} " opcode              \
    " R2 R4 [ 16 1 0x7f0002000000 16 ]; {5} EXIT"
    const char *const *sets = MODERN("gpgpu_smem_latency=19");
    ck_assert_uint_eq(run_with(sets, 32, MATRICES("", "16")), FIRST + 23 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, MATRICES("", "128")), FIRST + 23 + 7 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, MATRICES(".2", "16")), FIRST + 23 + 1 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, MATRICES(".4", "16")), FIRST + 23 + 3 + 2 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, MATRICES(".4", "0")), FIRST + 23 + 3 + 2 + 4 + 1);
    ck_assert_uint_eq(run_with(sets, 32, MATRICES(".4", "32")), FIRST + 23 + 7 + 2 + 4 + 1);
    ck_assert_uint_eq(
        run_with(sets, 32, "{2,w0} R1 = LDSM.16.MT88.2 R2 [ 4 1 0x7f0002000000 16" THEN),
        FIRST + 23 + 1 + 4 + 1);
    struct sim_result stores =
        launch_on(sets, &(struct launch_text){.version = 90, .program = BOTH("STSM.16.M88.4")});
    ck_assert_uint_eq(result_cycles(&stores), run_with(sets, 32, BOTH("STS.128")));
}
END_TEST

/* The barrier opens 9 cycles after the last of 4 arrivals, which come two cycles apart; all
 * warps arrive in the same cycle, each on its own scheduler. */
START_TEST(barriers)
{
    const char *const *sets = MODERN("hearth_barrier_latency=9", "hearth_barrier_interval=2");
    ck_assert_uint_eq(run_with(sets, 32, "{1} BAR.SYNC; {5} EXIT"), FIRST + 2 + 9 + 1);
    ck_assert_uint_eq(run_with(sets, 128, "{1} BAR.SYNC; {5} EXIT"), FIRST + 4 * 2 + 9 + 1);
}
END_TEST

/* A branch that some lanes take costs its latency where that is longer than the stall. */
START_TEST(branches)
{
    const char *const *sets = MODERN("hearth_branch_latency=11");
    ck_assert_uint_eq(run_with(sets, 32, "{5} @00000000 BRA; {5} EXIT"), FIRST + 5 + 1);
    ck_assert_uint_eq(run_with(sets, 32, "{5} @0000ffff BRA; {5} EXIT"), FIRST + 11 + 1);
    ck_assert_uint_eq(run_with(sets, 32, "{5} BRA; :4 {5} EXIT"), FIRST + 11 + 1);
    ck_assert_uint_eq(run_with(sets, 32, "{13} BRA; :4 {5} EXIT"), FIRST + 13 + 1);
    ck_assert_uint_eq(run_with(sets, 32, "{5} BSSY; {5} EXIT"), FIRST + 5 + 1);
}
END_TEST

/* An indirect branch costs more if its lanes go to different places; BSYNC costs the same
 * whether lanes wait or go on. */
START_TEST(divergence)
{
    const char *const *sets =
        MODERN("hearth_indirect_latency=31", "hearth_indirect_divergence=40",
               "hearth_reconvergence_latency=13");
    ck_assert_uint_eq(run_with(sets, 32, "{5} BRX R2; :4 {5} EXIT"), FIRST + 31 + 1);
    ck_assert_uint_eq(run_with(sets, 32, "{5} @ff BRX R2; :4 {5} @f EXIT"),
                      FIRST + 31 + 40 + 1);
    ck_assert_uint_eq(run_with(sets, 32, "{5} BSYNC; {5} EXIT"), FIRST + 13 + 1);
    ck_assert_uint_eq(run_with(sets, 32, "{5} @f BSYNC; :9 {5} EXIT"), FIRST + 13 + 1);
    ck_assert_uint_eq(run("{5} BSYNC; {5} EXIT"), FIRST + 5 + 1);
}
END_TEST

/* A wide product is late for what reads either half of it right behind, and takes both halves
 * of the FP32 unit. */
START_TEST(wide_products)
{
    const char *const *sets =
        MODERN("hearth_wide_latency=4", "hearth_wide_interval=4",
               "trace_opcode_latency_initiation_sp=4,1", "hearth_read_ports=0");
#define WIDE(next) "{5} R2 = IMAD.WIDE R4 R5; {5} " next "; {5} EXIT"
    ck_assert_uint_eq(run_with(sets, 32, WIDE("R6 = IADD3 R3 R5")), FIRST + 5 + 4 + 5 + 1);
    ck_assert_uint_eq(run_with(sets, 32, WIDE("R6 = IADD3 R5 R2")), FIRST + 5 + 4 + 5 + 1);
    ck_assert_uint_eq(run_with(sets, 32, WIDE("R6 = IADD3 R4 R5")), FIRST + 5 + 5 + 1);
    ck_assert_uint_eq(run(WIDE("R6 = IADD3 R3 R5")), FIRST + 5 + 5 + 1);
    const char *pair = "{1} R2 = IMAD.WIDE R4 R5; {1} R8 = FADD R4 R5; {5} EXIT";
    ck_assert_uint_eq(run_with(sets, 32, pair), FIRST + 4 + 1 + 1);
}
END_TEST

/* Tensor units by shape and type, with the interval of 16816. */
START_TEST(matrices)
{
    const char *const *sets = MODERN("hearth_tensor_interval=6", "hearth_read_ports=0");
#define MATRIX(opcode) "{1} R8 = " opcode " R2 R4 R8; {1} R8 = " opcode " R2 R4 R8; {5} EXIT"
    ck_assert_uint_eq(run_with(sets, 32, MATRIX("HMMA.16816.F32")), FIRST + 6 + 1 + 1);
    ck_assert_uint_eq(run_with(sets, 32, MATRIX("HMMA.1688.F32")), FIRST + 3 + 1 + 1);
    ck_assert_uint_eq(run_with(sets, 32, MATRIX("HMMA.1688.F32.TF32")), FIRST + 6 + 1 + 1);
}
END_TEST

/* A memory barrier takes its time, and waits for stores. */
START_TEST(memory_barriers)
{
    const char *const *sets = MODERN("hearth_membar_gpu_latency=50");
    uint64_t alone = run_with(sets, 32, "{6} MEMBAR.SC.GPU; {5} EXIT");
    ck_assert_uint_eq(alone, FIRST + 50 + 1);
    ck_assert_uint_gt(
        run_with(sets, 32, "{2} STG.E R2 R3 [ 4 1 0x10000 4 ]; {6} MEMBAR.SC.GPU; {5} EXIT"),
        alone + 50);
}
END_TEST

/* A warp ends before its stores are acknowledged; the next launch begins after that. */
START_TEST(stores)
{
    struct bench bench = bench_create(MODERN(NULL));
    const struct launch_text text = {.program = "{2} STG.E R2 R3 [ 4 1 0x10000 4 ]; {5} EXIT"};
    struct sim_result first = bench_launch(&bench, &text), next = bench_launch(&bench, &text);
    ck_assert_uint_lt(result_cycles(&first), 100);
    ck_assert_uint_gt(next.gap_cycles, 100);
    ck_assert_uint_eq(first.counters.l2_writes, 4);
    ck_assert_uint_eq(next.counters.l2_writes, 4);
    bench_destroy(&bench);
}
END_TEST

static uint64_t writes_with(const char *const *sets, unsigned threads, const char *program)
{
    struct sim_result result =
        launch_on(sets, &(struct launch_text){.threads = threads, .program = program});
    return result.counters.l2_writes;
}

/* Two stores of a half of 16 sectors each. One right after the other, or of two warps at once,
 * they wait together: L2 gets each sector once, and the second one takes one cycle of the
 * load/store unit, not one for each four sectors. The unit has taken the first one when the
 * other comes 32 cycles later, and stores of the same bytes are not one. */
START_TEST(stores_of_halves)
{
#define HALF(bits, from) "{" bits "} STG.E.64 R2 R4 [ 8 1 " from " 16 ]; "
    const char *const *each = MODERN(NULL), *const *joined = MODERN("hearth_store_merge=1");
    const char *next = HALF("2", "0x10000") HALF("2", "0x10008") "{5} EXIT",
               *late =
                   HALF("2", "0x10000") "{15} NOP; {15} NOP; " HALF("2", "0x10008") "{5} EXIT",
               *same = HALF("2", "0x10000") HALF("2", "0x10000") "{5} EXIT",
               *warps = HALF("2", "0x10000") "{5} EXIT | " HALF("2", "0x10008") "{5} EXIT";
    ck_assert_uint_eq(writes_with(each, 32, next), 32);
    ck_assert_uint_eq(writes_with(joined, 32, next), 16);
    ck_assert_uint_eq(writes_with(joined, 32, late), 32);
    ck_assert_uint_eq(writes_with(joined, 32, same), 32);
    ck_assert_uint_eq(writes_with(joined, 64, warps), 16);
    ck_assert_uint_eq(run_with(each, 32, next), FIRST + 11 + 3 + 4 + 1);
    ck_assert_uint_eq(run_with(joined, 32, next), FIRST + 11 + 3 + 1 + 1);
}
END_TEST

/* L1 takes four sectors of a store in a cycle: of two stores of 16 the second is taken four
 * cycles after the first, and leaves the load/store unit in three more. At the port a store of
 * 16 whole sectors takes 16 cycles; one of halves of those of four lines takes 20. The second
 * one is taken in the cycle after that, 17 or 21 after the first, unless the buffer has room
 * for what waits there. A store alone ends when it is in the buffer, or in the port. */
START_TEST(store_port)
{
#define WHOLE "{2} STG.E.128 R2 R4 [ 16 1 0x10000 16 ]; "
#define PART  "{2} STG.E.64 R2 R4 [ 8 1 0x10000 16 ]; "
    const char *const *none = MODERN(NULL), *const *port = MODERN("hearth_store_port=1"),
                      *const *some = MODERN("hearth_store_port=1", "hearth_store_buffer=10"),
                      *const *buffer = MODERN("hearth_store_port=1", "hearth_store_buffer=64");
    const char *whole = WHOLE WHOLE "{5} EXIT", *part = PART PART "{5} EXIT";
    const uint64_t one = FIRST + 11 + 3 + 1, two = one + 4;
    ck_assert_uint_eq(run_with(none, 32, whole), two);
    ck_assert_uint_eq(run_with(none, 32, part), two);
    ck_assert_uint_eq(run_with(port, 32, WHOLE "{5} EXIT"), one);
    ck_assert_uint_eq(run_with(port, 32, whole), two - 4 + 17);
    ck_assert_uint_eq(run_with(port, 32, part), two - 4 + 21);
    ck_assert_uint_eq(run_with(some, 32, part), two - 4 + 11);
    ck_assert_uint_eq(run_with(buffer, 32, part), two);
}
END_TEST

/* A port of groups of SMs limits nobody where there are no groups. */
START_TEST(port_of_no_group)
{
    const char *store = WHOLE "{5} EXIT";
    ck_assert_uint_eq(run_with(MODERN("hearth_cpc_port=32"), 32, store), run(store));
    ck_assert_uint_eq(writes_with(MODERN("hearth_cpc_port=32"), 32, store), 16);
}
END_TEST

/* The warp ends when its store has left the load/store unit, 11 cycles after its issue, and not
 * when it has passed L1. */
START_TEST(end_after_store)
{
    const char *store = "{2} STG.E R2 R3 [ 4 1 0x10000 4 ]; {5} EXIT";
    ck_assert_uint_eq(run(store), FIRST + 11 + 1);
    ck_assert_uint_eq(run_with(MODERN("gpgpu_l1_latency=200"), 32, store), FIRST + 11 + 1);
}
END_TEST

/* Without lanes, an LDC's counter falls as soon as it has left the queue, 9 cycles after its
 * issue; a load's, 11. */
START_TEST(no_lanes)
{
    ck_assert_uint_eq(run("{2,w0} @0 R1 = LDC; {4,m1} NOP; {5} EXIT"), FIRST + 10 + 4 + 1);
    ck_assert_uint_eq(run("{2,w0} @0 R1 = LDG.E R2 [ 4 0 ]; {4,m1} NOP; {5} EXIT"),
                      FIRST + 12 + 4 + 1);
}
END_TEST

/* Four warps of a sub-core each load the same line of four sectors: what waits for it in L1 is
 * handed out at the rate of L1's four banks. */
START_TEST(merged_loads)
{
    const char *load = "{2,w0} R1 = LDG.E R2 [ 4 1 0x10000 4 ]; {4,m1} NOP; {5} EXIT";
    uint64_t one = run_with(MODERN(NULL), 32, load);
    ck_assert_uint_gt(one, 100);
    ck_assert_uint_lt(run_with(MODERN(NULL), 512, load), one + 40);
}
END_TEST

/* A store that nobody will acknowledge is left from an ended block. */
START_TEST(stores_forever)
{
    struct bench bench = bench_create(MODERN(NULL));
    ((struct modern *)bench.sim->engine.sms[0])->store_count = 1;
    struct trace_kernel *kernel = test_kernel(&(struct launch_text){.program = "EXIT"});
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench.sim, kernel, NULL, &result, &err), -1);
    trace_kernel_close(kernel);
    ck_assert_int_eq(err.kind, ERROR_SIMULATION);
    ck_assert_ptr_nonnull(strstr(err.text, "deadlock: no instruction was issued for "));
    ck_assert_str_eq(sim_report(bench.sim), "SM 0 waits for stores to be acknowledged\n");
    bench_destroy(&bench);
}
END_TEST

/* Without code, a scoreboard keeps the distances that a compiler would: FADD to FADD 4, to
 * IADD3 5, and MUFU's result comes after 17. */
START_TEST(without_code)
{
    ck_assert_uint_eq(run("R1 = FADD R2 R3; R4 = FADD R1 R3; EXIT"), FIRST + 4 + 1 + 1);
    ck_assert_uint_eq(run("R1 = FADD R2 R3; R4 = IADD3 R1 R3; EXIT"), FIRST + 5 + 1 + 1);
    ck_assert_uint_eq(run("R1 = MUFU.EX2 R2; R4 = FADD R1 R3; EXIT"), FIRST + 17 + 1 + 1);
    ck_assert_uint_eq(run("R1 = MUFU.EX2 R2; R2 = FADD R3 R3; EXIT"), FIRST + 17 + 1);
}
END_TEST

/* Without code, what sets a predicate is 4 cycles before what reads it, and 13 before what it
 * guards: a branch, EXIT, and what not all of the lanes execute. A branch has a stall of 5. */
START_TEST(predicates_without_code)
{
#define BEHIND " 30 * NOP; EXIT"
    ck_assert_uint_eq(run("ISETP R2 R3; R4 = FADD R5 R6;" BEHIND), FIRST + 1 + 1 + 30 + 1);
    ck_assert_uint_eq(run("ISETP R2 R3; R4 = SEL R5 R6;" BEHIND), FIRST + 4 + 1 + 30 + 1);
    ck_assert_uint_eq(run("ISETP R2 R3; @f R4 = FADD R5 R6;" BEHIND), FIRST + 13 + 1 + 30 + 1);
    ck_assert_uint_eq(run("ISETP R2 R3; @0 BRA;" BEHIND), FIRST + 13 + 5 + 30 + 1);
    ck_assert_uint_eq(run("R4 = IADD3 R2 R3; @f R4 = FADD R5 R6;" BEHIND),
                      FIRST + 5 + 1 + 30 + 1);
}
END_TEST

/* Without code, uniform instructions follow each other by 4 cycles, operands need no ports, and
 * a wide product is as late as with it. */
START_TEST(others_without_code)
{
    const char *ports = "R1 = FFMA R2 R4 R6; R3 = FFMA R2 R4 R6; R5 = FFMA R2 R4 R6; EXIT";
    const char *wide = "R2 = IMAD.WIDE R4 R5; R6 = IADD3 R2 R5; EXIT";
    ck_assert_uint_eq(run("UIADD3; UIADD3;" BEHIND), FIRST + 4 + 1 + 30 + 1);
    ck_assert_uint_eq(run_with(MODERN("trace_opcode_latency_initiation_sp=4,1"), 32, ports),
                      FIRST + 3 + 1);
    ck_assert_uint_eq(run(wide), FIRST + 5 + 1 + 1);
    ck_assert_uint_eq(run_with(MODERN("hearth_wide_latency=4"), 32, wide), FIRST + 9 + 1 + 1);
    ck_assert_uint_eq(run("R2 = HFMA2.MMA R3 R3; R4 = IADD3 R2 R3; EXIT"), FIRST + 10 + 1 + 1);
    ck_assert_uint_eq(run("R2 = FADD R3 R3; R4 = MUFU.EX2 R2; EXIT"), FIRST + 4 + 17 + 1);
    /* not the next one: 3 of the ALU */
    ck_assert_uint_eq(run_with(MODERN("hearth_wide_latency=4"), 32,
                               "R2 = IMAD.WIDE R4 R5; NOP; R6 = IADD3 R2 R5; EXIT"),
                      FIRST + 3 + 1 + 1);
    /* VIADD is as near to products as to the ALU; HFMA2.MMA has classes of its own. */
    ck_assert_uint_eq(run("R2 = VIADD R3; R4 = FADD R2 R3; R5 = VIADD R4; EXIT"),
                      FIRST + 4 + 4 + 1 + 1);
    ck_assert_uint_eq(run("R2 = HFMA2.MMA R3 R3; R4 = HFMA2.MMA R2 R3; EXIT"),
                      FIRST + 8 + 1 + 1);
    ck_assert_uint_eq(run("R2 = HFMA2 R3 R3; R4 = HFMA2.MMA R2 R3; EXIT"), FIRST + 6 + 1 + 1);
}
END_TEST

/* Asynchronous copies: DEPBAR waits for the group. */
START_TEST(copies)
{
    uint64_t waits = run("{2} LDGSTS.E R2 [ 4 1 0x10000 4 ]; {2,w0} LDGDEPBAR; "
                         "{4} DEPBAR.LE $0; {13} NOP; {5} EXIT");
    uint64_t none = run("{2} LDGSTS.E R2 [ 4 1 0x10000 4 ]; {2,w0} LDGDEPBAR; "
                        "{4,m1} NOP; {13} NOP; {5} EXIT");
    uint64_t load = run("{2,w0} R1 = LDG.E R2 [ 4 1 0x10000 4 ]; {1} NOP; "
                        "{4,m1} NOP; {13} NOP; {5} EXIT");
    ck_assert_uint_eq(waits + 4, load); /* DEPBAR has issued before */
    ck_assert_uint_eq(none, load);
}
END_TEST

/* A barrier opens although nothing follows it, and the places of its warps are used again. */
START_TEST(barrier_at_end)
{
    struct sim_result result = launch_on(
        MODERN("gpgpu_shader_cta=2"),
        &(struct launch_text){.blocks = 9, .threads = 64, .program = "{5} NOP; {1} BAR.SYNC"});
    ck_assert_uint_eq(result.counters.blocks, 9);
    ck_assert_uint_eq(result.counters.warp_insts, 9 * 2 * 2);
}
END_TEST

/* The shortest latencies that the options allow. */
START_TEST(short_latencies)
{
    const char *const *sets = MODERN("hearth_variable_latency=2", "hearth_const_latency=1");
    ck_assert_uint_lt(run_with(sets, 32, "{2,w0} R1 = S2R; {4,m1} NOP; {5} EXIT"), 30);
    ck_assert_uint_lt(run_with(sets, 32, "{2,w0} R1 = LDC; {4,m1} NOP; {5} EXIT"), 30);
}
END_TEST

/* What follows a memory barrier is fetched meanwhile, and does not end it. */
START_TEST(barrier_and_fetch)
{
#define FETCHED(latency)                                                                       \
    run_with(MODERN("hearth_icache=1", "hearth_icache_stream=0",                               \
                    "hearth_icache_miss_latency=400", "hearth_membar_sys_latency=" latency),   \
             32, ":6 {6} MEMBAR.SC.SYS; {1} NOP; {5} EXIT")
    ck_assert_uint_ge(FETCHED("3000"), FETCHED("1000") + 2000);
}
END_TEST

/* An LDC's address is recorded: a line of 64 bytes that is new comes 70 cycles later from the
 * SM's L1, others at once; each further word of its lanes takes 11. Without addresses and with
 * code, nothing is known; without code, it is taken for a parameter. */
START_TEST(constants)
{
#define CONSTANTS                                                                              \
    MODERN("hearth_const_cache=1", "hearth_icache_l1_latency=70",                              \
           "hearth_const_word_interval=11", "hearth_const_latency=22")
#define LDC(lanes) "{2,w0} R1 = LDC R2 [ 4 " lanes " ]; "
    const char *end = "{4,m1} NOP; {5} EXIT";
    char program[300];
    const struct {
        const char *loads;
        unsigned cycles;
    } cases[] = {
        {LDC("1 0x100 0"), 27 + 70},
        {LDC("1 0x100 4"), 27 + 70 + 70 + 1 + 31 * 11 - 70},
        {LDC("1 0x100 0") "{4,m1} NOP; " LDC("1 0x13c 0"), 27 + 70 + 4 + 27},
        {LDC("1 0x100 0") "{4,m1} NOP; " LDC("1 0x140 0"), 2 * (27 + 70) + 4},
        {"{2,w0} R1 = LDC R2; ", 27},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strcat(strcpy(program, cases[i].loads), end);
        ck_assert_uint_eq(run_with(CONSTANTS, 32, program), FIRST + cases[i].cycles + 4 + 1);
    }
    ck_assert_uint_eq(run_with(CONSTANTS, 32, "R1 = LDC R2; R3 = MOV R1; EXIT"),
                      FIRST + 27 + 70 + 1 + 1);
    ck_assert_uint_eq(
        run_with(CONSTANTS, 32, "R1 = LDC R2; R3 = MOV R1; R1 = LDC R2; R3 = MOV R1; EXIT"),
        FIRST + 27 + 70 + 1 + 27 + 1 + 1);
}
END_TEST

/* The sub-cores of an SM share the unit for constants: the fourth one's LDC waits for three
 * others, and so does its S2UR. Instructions of other kinds do not. */
START_TEST(constants_in_turn)
{
#define IN_TURN(interval) MODERN("hearth_const_interval=" interval)
    const char *load = "{2,w0} R1 = LDC; {4,m1} NOP; {5} EXIT";
    const char *uniform = "{2,w0} S2UR; {4,m1} NOP; {5} EXIT";
    const char *other = "{1} R1 = LDC; {2,w0} R2 = S2R; {4,m1} NOP; {5} EXIT";
    uint64_t alone = run_with(IN_TURN("1"), 32, load);
    ck_assert_uint_eq(run_with(IN_TURN("9"), 32, load), alone);
    ck_assert_uint_eq(run_with(IN_TURN("1"), 128, load), alone + 3);
    ck_assert_uint_eq(run_with(IN_TURN("2"), 128, load), alone + 3 * 2);
    ck_assert_uint_eq(run_with(IN_TURN("9"), 128, load), alone + 3 * 9);
    ck_assert_uint_eq(run_with(IN_TURN("9"), 128, uniform),
                      run_with(IN_TURN("1"), 32, uniform) + 3 * 9);
    ck_assert_uint_eq(run_with(IN_TURN("90"), 32, other), run_with(IN_TURN("1"), 32, other));
}
END_TEST

/* The first fetch follows hearth_block_start_latency: asked for in 50, there in 170, issued two
 * cycles later. */
START_TEST(first_fetch)
{
#define STARTED(...) MODERN("hearth_block_start_latency=50", __VA_ARGS__)
    ck_assert_uint_eq(run_with(STARTED(NULL), 32, "{5} EXIT"), 50 + FIRST + 1);
    ck_assert_uint_eq(run_with(STARTED("hearth_icache=1", "hearth_icache_l1_latency=20",
                                       "hearth_icache_miss_latency=100"),
                               32, "{5} EXIT"),
                      170 + 2 + 1);
}
END_TEST

/* The branch issues in 172, the first line having come in 170. What it leads to lies in a line
 * that no cache has: it is asked for in 172, there in 292, and issued two cycles later; or 120
 * cycles later than it could without that, in 172 + 11 + 120. */
START_TEST(late_fetch)
{
#define JUMPS(late)                                                                            \
    STARTED("hearth_icache=1", "hearth_icache_stream=0", "hearth_icache_l1_latency=20",        \
            "hearth_icache_miss_latency=100", "hearth_branch_latency=11",                      \
            "hearth_branch_late_fetch=" late)
    ck_assert_uint_eq(run_with(JUMPS("0"), 32, "{5} BRA; :8 {5} EXIT"), 294 + 1);
    ck_assert_uint_eq(run_with(JUMPS("1"), 32, "{5} BRA; :8 {5} EXIT"), 303 + 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        exit_alone,
        stalls,
        yields,
        counters,
        read_counters,
        units,
        read_ports,
        instruction_buffer,
        write_ports,
        matrices_in_shared,
        greedy_then_youngest,
        memory_queue,
        many_results,
        barriers,
        branches,
        late_fetch,
        constants_in_turn,
        divergence,
        wide_products,
        matrices,
        long_loads,
        long_loads_of_l1,
        store_port,
        port_of_no_group,
        memory_turns,
        memory_barriers,
        stores,
        stores_of_halves,
        end_after_store,
        no_lanes,
        merged_loads,
        first_fetch,
        constants,
        stores_forever,
        without_code,
        copies,
        barrier_at_end,
        l1_lookup,
        short_latencies,
        barrier_and_fetch,
        predicates_without_code,
        others_without_code,
    };
    return RUN_TESTS("modern", tests);
}
