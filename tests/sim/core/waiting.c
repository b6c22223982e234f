/* Time that warps of Hopper pass by themselves: NANOSLEEP, and loops that wait at a barrier in
 * shared memory and look at a clock; exact cycles worked out by hand. The first instruction
 * issues in cycle 3. */
#include "tests/sim/support.h"

#define FIRST 3

/* A thousand cycles are a microsecond. */
#define WAITING(...)                                                                           \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "hearth_mbarrier_latency=29", "hearth_mbarrier_answer=14", "hearth_wait_loops=1",     \
         "gpgpu_clock_domains=1000:1000:1000:1000", __VA_ARGS__)

static struct sim_result run(const char *const *sets, unsigned threads, const char *program,
                             const char *code)
{
    return launch_on(sets,
                     &(struct launch_text){
                         .threads = threads, .version = 90, .program = program, .code = code});
}

static uint64_t cycles(const char *const *sets, const char *program, const char *code)
{
    struct sim_result result = run(sets, 32, program, code);
    return result_cycles(&result);
}

/* ---- sleeps ---- */

/* The EXIT issues when the time is over, or a part of it; at most a millisecond, as in PTX. */
START_TEST(sleeps)
{
    const char *program = "{4} NANOSLEEP $ 1000; {4} EXIT";
    const char *ever = "{4} NANOSLEEP $ 4000000000; {4} EXIT";
    ck_assert_uint_eq(cycles(WAITING(NULL), program, NULL), FIRST + 4 + 1);
    ck_assert_uint_eq(cycles(WAITING("hearth_sleep=100"), program, NULL), FIRST + 1000 + 1);
    ck_assert_uint_eq(cycles(WAITING("hearth_sleep=50"), program, NULL), FIRST + 500 + 1);
    ck_assert_uint_eq(cycles(WAITING("hearth_sleep=100"), ever, NULL), FIRST + 1000000 + 1);
}
END_TEST

/* The time is in the machine code, as an immediate; in a register that the trace does not have
 * it is not known. */
START_TEST(sleep_of_the_code)
{
    const char *program = "NANOSLEEP; EXIT", *of_register = "NANOSLEEP R2; EXIT";
    const char *const *sets = WAITING("hearth_sleep=100");
    const char *immediate = "code 2\n000fc80000000000000003e80000795d\n"
                            "000fc80003800000000000000000794d\n";
    const char *in_register = "code 2\n000fc80000000000000000020000735d\n"
                              "000fc80003800000000000000000794d\n";
    ck_assert_uint_eq(cycles(sets, program, immediate), FIRST + 1000 + 1);
    ck_assert_uint_eq(cycles(sets, of_register, in_register), FIRST + 4 + 1);
}
END_TEST

/* A sleep in a loop that reads a flag passes, as the model's loop turns once. */
START_TEST(sleeps_in_no_loop)
{
    const char *asks = "{4} R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x10000 0 ]; ";
    char awake[256], asleep[256];
    snprintf(awake, sizeof awake, "%s{4} NOP; {4} EXIT", asks);
    snprintf(asleep, sizeof asleep, "%s{4} NANOSLEEP $ 1000; {4} EXIT", asks);
    const char *const *sets = WAITING("hearth_sleep=100");
    ck_assert_uint_eq(cycles(sets, asleep, NULL), cycles(sets, awake, NULL));
}
END_TEST

/* ---- loops that wait and look at a clock ---- */

/* The turns of a loop whose wait the trace repeats, with the phase, are left out as a whole,
 * but for the first one's end: here, for two turns, as many instructions as for one more. */
START_TEST(loops_with_clocks)
{
#define MAKING   "{4} SYNCS.EXCH.64 [ 4 1 0x400 0 0 =2097150 =2147481600 ]; "
#define ARRIVING "{4} @1 SYNCS.ARRIVE.TRANS64.RED.A1T0 [ 4 1 0x400 0 ]; "
#define TURN(phase)                                                                            \
    ":8 {4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 0 =" phase " ]; "                  \
    ":9 {4,m1} BRA; :10 {4} CS2R; :11 {4} ISETP; :12 {4} BRA; "
#define LAST ":13 {4} NOP; {4} EXIT"
    const char *const *sets = WAITING(NULL);
    const char *twice = MAKING ARRIVING TURN("0") TURN("0") LAST;
    const char *often = MAKING ARRIVING TURN("0") TURN("0") TURN("0") TURN("0") LAST;
    const char *once = MAKING ARRIVING TURN("0") LAST;
    struct sim_result result = run(sets, 32, often, NULL);
    ck_assert_uint_eq(result_cycles(&result), cycles(sets, once, NULL));
    ck_assert_uint_eq(result.counters.waited_insts, 3 * 5);
    ck_assert_uint_eq(cycles(sets, twice, NULL), cycles(sets, once, NULL));
}
END_TEST

/* A loop that also stores does something in each turn, and the next phase is another wait. */
START_TEST(loops_that_act)
{
#define STORING(phase)                                                                         \
    ":8 {4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 0 =" phase " ]; "                  \
    ":9 {4,m1} STS R2 R3 [ 4 1 0x800 4 ]; :10 {4} ISETP; :11 {4} BRA; "
    const char *const *sets = WAITING(NULL);
    struct sim_result result =
        run(sets, 32, MAKING ARRIVING STORING("0") STORING("0") ":13 {4} EXIT", NULL);
    ck_assert_uint_eq(result.counters.waited_insts, 1); /* the wait, which has been passed */
    result = run(sets, 32, MAKING ARRIVING TURN("0") TURN("2147483648") LAST, NULL);
    ck_assert_uint_eq(result.counters.waited_insts, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {sleeps, sleep_of_the_code, sleeps_in_no_loop,
                                  loops_with_clocks, loops_that_act};
    return RUN_TESTS("waiting", tests);
}
