/* Warp groups that work for each other on Hopper: their turns at the tensor units, batches that
 * stay open, barriers named by registers, and a ring that one warp fills and another empties;
 * exact cycles worked out by hand. The first instruction issues in cycle 3. */
#include "tests/sim/support.h"

#define FIRST 3

#define GROUPS(...)                                                                            \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "hearth_wgmma_rate=2048", "hearth_mbarrier_latency=29", "hearth_mbarrier_answer=14",  \
         "hearth_barrier_latency=9", "hearth_barrier_interval=2", __VA_ARGS__)

static uint64_t run(const char *const *sets, unsigned threads, const char *program)
{
    struct sim_result result = launch_on(
        sets, &(struct launch_text){.threads = threads, .version = 90, .program = program});
    return result_cycles(&result);
}

/* ---- tensor units ---- */

/* Both groups issue in the first two cycles; the second product begins with the end of the
 * first one, 32 cycles later, whichever that is. */
START_TEST(groups_take_turns)
{
    const char *program =
        "{2} R24 = HGMMA.64x64x16.F32 R24; {2} WARPGROUP.DEPBAR.LE $ 0; {5} EXIT";
    ck_assert_uint_eq(run(GROUPS(NULL), 128, program), FIRST + 32 + 66 + 1);
    ck_assert_uint_eq(run(GROUPS(NULL), 256, program), FIRST + 2 * 32 + 66 + 1);
}
END_TEST

/* Of two batches of a product each, who leaves one open waits for the first. */
START_TEST(batches_left_open)
{
#define TWO "{2} R24 = HGMMA.64x64x16.F32 R24; {2} R56 = HGMMA.64x128x16.F32 R56; "
    ck_assert_uint_eq(run(GROUPS(NULL), 128, TWO "{2} WARPGROUP.DEPBAR.LE $ 1; {5} EXIT"),
                      FIRST + 32 + 66 + 1);
    ck_assert_uint_eq(run(GROUPS(NULL), 128, TWO "{2} WARPGROUP.DEPBAR.LE $ 0; {5} EXIT"),
                      FIRST + 32 + 64 + 66 + 1);
}
END_TEST

/* A product of 32 cycles reads a register of each warp in each of them, even and odd ones in
 * turn. From FIRST + 1 on, four instructions read two odd registers each: at first in FIRST + 4
 * and + 6, + 8 and + 10, then + 12 and + 14, + 16 and + 18, for which six cycles are allowed:
 * what follows the last one issues seven cycles before its second read. Without sums, or where
 * they take no ports, two cycles of eleven are lost. */
START_TEST(sums_take_ports)
{
#define READ "4 * {1} R1 = FFMA R2 R3 R5; {1} EXIT"
    const char *sums = "{1} R24 = HGMMA.64x64x16.F32 R24; " READ;
    const char *none = "{1} R24 = HGMMA.64x64x16.F32; " READ;
    const char *const *on = GROUPS("hearth_wgmma_registers=1");
    ck_assert_uint_eq(run(on, 128, sums), FIRST + 11 + 1);
    ck_assert_uint_eq(run(on, 128, none), FIRST + 1 + 4 + 2 + 1);
    ck_assert_uint_eq(run(GROUPS(NULL), 128, sums), FIRST + 1 + 4 + 2 + 1);
}
END_TEST

/* ---- barriers named by registers ---- */

#define SYNC(number) "{4} BAR.SYNC R5 R6 $ 0 =" number " =64; "
#define EARLY        SYNC("1") "{15} NOP; {15} NOP; {4} EXIT"
#define LATE         ":8 {4} NOP; {4} NOP; {4} NOP; "

/* Warps 0 and 1 meet at barrier 1 in cycles FIRST and FIRST + 2, and go on 9 after the second
 * arrival's two cycles, though the others come 12 cycles later, to barrier 1 again, or to
 * barrier 2. Where barriers are not named all wait for the last of four, as they do where the
 * trace does not have the registers. */
START_TEST(named_by_registers)
{
    const char *const programs[] = {
        EARLY "|" EARLY "|" LATE SYNC("1") "{4} EXIT |" LATE SYNC("1") "{4} EXIT",
        EARLY "|" EARLY "|" LATE SYNC("2") "{4} EXIT |" LATE SYNC("2") "{4} EXIT"};
    const char *bare = "{4} BAR.SYNC R5 R6; {15} NOP; {15} NOP; {4} EXIT";
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(run(GROUPS("hearth_named_barriers=1"), 128, programs[i]),
                          FIRST + 4 + 9 + 30 + 1);
        ck_assert_uint_eq(run(GROUPS("hearth_named_barriers=0"), 128, programs[i]),
                          FIRST + 12 + 4 + 9 + 30 + 1);
    }
    ck_assert_uint_eq(run(GROUPS("hearth_named_barriers=1"), 128, bare),
                      FIRST + 8 + 9 + 30 + 1);
}
END_TEST

/* Warp 1 arrives in cycle FIRST + 4 and goes on; warp 0 has waited for it. */
START_TEST(arrives_and_goes_on)
{
    const char *program =
        SYNC("3") "{4} EXIT | :8 {4} NOP; {4} BAR.ARV R5 R6 $ 0 =3 =64; {4} EXIT";
    ck_assert_uint_eq(run(GROUPS("hearth_named_barriers=1"), 64, program),
                      FIRST + 4 + 2 + 9 + 1);
}
END_TEST

/* ---- registers ---- */

#define GIVE(count) "{2} USETMAXREG.DEALLOC.CTAPOOL $ " count "; "
#define TAKE(count) ":8 {2} USETMAXREG.TRY_ALLOC.CTAPOOL $ " count "; "

static uint64_t run_registers(const char *pool, unsigned threads, const char *program)
{
    struct sim_result result = launch_on(
        GROUPS(pool), &(struct launch_text){
                          .threads = threads, .version = 90, .regs = 30, .program = program});
    return result_cycles(&result);
}

/* Warps have 32 registers a thread, 30 in eights. Warp 0 leaves 8 of them in cycle FIRST + 30,
 * and warp 1, which asks for 8 more in cycle FIRST, goes on one cycle later; without a pool it
 * goes on at once. Who asks for 16 waits for a second warp, and who has them does not wait. */
START_TEST(registers_from_others)
{
#define LATER "{15} NOP; {15} NOP; "
#define LEAVE GIVE("24") "{4} EXIT | "
#define REST  "{15} NOP; {4} EXIT"
    const char *one = LATER LEAVE TAKE("40") REST;
    const char *two = "{15} NOP; " LEAVE LATER LEAVE TAKE("48") REST;
    const char *less = "{15} NOP; " LEAVE LATER LEAVE TAKE("40") REST;
    const char *none = "{4} EXIT | " TAKE("32") REST;
    ck_assert_uint_eq(run_registers("hearth_register_pool=1", 64, one), FIRST + 31 + 15 + 1);
    ck_assert_uint_eq(run_registers("hearth_register_pool=0", 64, one), FIRST + 32 + 1);
    ck_assert_uint_eq(run_registers("hearth_register_pool=1", 96, two), FIRST + 31 + 15 + 1);
    ck_assert_uint_eq(run_registers("hearth_register_pool=1", 96, less), FIRST + 32 + 1);
    ck_assert_uint_eq(run_registers("hearth_register_pool=1", 64, none), FIRST + 2 + 15 + 1);
}
END_TEST

/* Turns of the loop that asks again are left out: of its last one, too. */
START_TEST(asks_once)
{
#define TURN TAKE("40") "{2} BRA; "
    struct sim_result result = launch_on(
        GROUPS("hearth_register_pool=1"),
        &(struct launch_text){.threads = 64,
                              .version = 90,
                              .regs = 32,
                              .program = GIVE("24") "{4} EXIT | " TURN TURN TURN "{4} EXIT"});
    ck_assert_uint_eq(result.counters.waited_insts, 4);
}
END_TEST

/* Nobody leaves any: the launch ends nevertheless. */
START_TEST(registers_of_nobody)
{
    const char *program = "{4} EXIT | " TAKE("40") "{4} EXIT";
    ck_assert_uint_lt(run_registers("hearth_register_pool=1", 64, program), 100);
}
END_TEST

/* ---- a ring of one stage ---- */

#define BARRIER(place) "{4} SYNCS.EXCH.64 [ 4 1 " place " 0 0 =2097150 =2147481600 ]; "
#define COPY(wait)                                                                             \
    "{4" wait "} UBLKCP.S.G [ 4 1 0x10000 0 0 =4096 =1024 =65536 =0 =64 ]; "                   \
    "{4} @1 SYNCS.ARRIVE.TRANS64 [ 4 1 0x400 0 0 =1024 ]; "
#define WAIT(wait, place, parity)                                                              \
    "{4,w0" wait "} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 " place " 0 0 =" parity " ]; "
#define FREE "{4,m1} @1 SYNCS.ARRIVE.TRANS64.RED.A1T0 [ 4 1 0x408 0 ]; "

/* Warp 0 makes both barriers and copies 1,024 bytes in cycle FIRST + 8: they are there 432
 * later, which warp 1 knows 14 later. It frees the stage, and the warp that copies knows that
 * 29 + 14 later; the second copy takes the same time again. */
START_TEST(ring_of_one_stage)
{
    const char *program = BARRIER("0x400") BARRIER("0x408") COPY("") WAIT("", "0x408", "0")
        COPY(",m1") "{4} EXIT |"
                    ":16 {15} NOP; {15} NOP; {15} NOP; " WAIT("", "0x400", "0")
                        FREE WAIT("", "0x400", "2147483648") "{4,m1} EXIT";
    uint64_t copied = 400 + 32 + 14, freed = 29 + 14;
    ck_assert_uint_eq(run(GROUPS("hearth_tma_latency=400", "hearth_tma_bytes=32"), 64, program),
                      FIRST + 8 + copied + freed + copied + 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        groups_take_turns,  batches_left_open,   sums_take_ports,
        named_by_registers, arrives_and_goes_on, registers_from_others,
        asks_once,          registers_of_nobody, ring_of_one_stage};
    return RUN_TESTS("warp groups", tests);
}
