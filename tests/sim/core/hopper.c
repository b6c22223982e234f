/* What goes on beside warps on Hopper: products of groups of warps, barriers in shared memory
 * and loops that wait, copies of tensors; exact cycles worked out by hand. As for the modern
 * core, the first instruction issues in cycle 3. */
#include "sim/core/hopper/barriers.h"
#include "sim/core/hopper/matrices.h"
#include "sim/core/hopper/missing.h"
#include "sim/core/hopper/values.h"
#include "tests/sim/support.h"

#define FIRST 3

/* ---- products ---- */

static uint32_t cycles_of_product(const char *opcode, bool registers)
{
    struct matrix_shape shape;
    return matrix_shape(opcode, &shape) ? matrix_cycles(&shape, 2048, registers) : 0;
}

/* 64 rows, 16 deep: half a cycle a column; 16 cycles for the rows from shared memory and a
 * quarter for each column, which is more below 64 columns. */
START_TEST(product_rates)
{
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x256x16.F32", false), 128);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x64x16.F32", false), 32);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x24x16.F32", false), 16 + 6);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x8x16.F32", false), 16 + 2);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x64x16.F32", true), 32);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x8x16.F32", true), 16);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x128x8.F32.TF32", false), 64);
    ck_assert_uint_eq(cycles_of_product("QGMMA.64x256x32.F32.E4M3.E4M3", false), 128);
    ck_assert_uint_eq(cycles_of_product("HGMMA.SP.64x64x32.F32", false), 0);
    ck_assert_uint_eq(cycles_of_product("HMMA.16816.F32", false), 0);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x0x16.F32", false), 0);
    ck_assert_uint_eq(cycles_of_product("HGMMA.64x4294967295x16.F32", false), 0);
}
END_TEST

/* A product begins with the fourth warp; the next one follows it at once. */
START_TEST(product_of_four_warps)
{
    struct matrices group = {0};
    uint64_t free = 0;
    for (uint32_t warp = 0; warp < 3; warp++)
        matrices_issue(&group, warp, 32, false, 66, 10 + warp, &free);
    ck_assert_uint_eq(free, 0);
    ck_assert_uint_eq(matrices_done(&group, 0, 0), 0); /* no batch is closed */
    matrices_issue(&group, 3, 32, false, 66, 20, &free);
    ck_assert_uint_eq(free, 20 + 32);
    for (uint32_t warp = 0; warp < 4; warp++) {
        if (warp == 3)
            ck_assert_uint_eq(matrices_done(&group, 0, 0), UINT64_MAX);
        matrices_issue(&group, warp, 32, true, 66, 25, &free);
    }
    ck_assert_uint_eq(matrices_done(&group, 0, 0), 20 + 64 + 66);
    ck_assert_uint_eq(matrices_done(&group, 0, 1), 0); /* one may be open */
    struct matrices waits = {
        0}; /* without code: a wait closes, after the units have taken it */
    uint64_t from = 0;
    for (uint32_t warp = 0; warp < 4; warp++)
        matrices_issue(&waits, warp, 32, false, 66, 10, &from);
    matrices_close(&waits, 2, 66);
    ck_assert_uint_eq(matrices_done(&waits, 2, 0), 10 + 32 + 66);
}
END_TEST

#define HOPPER(...)                                                                            \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "hearth_wgmma_rate=2048", "hearth_mbarrier_latency=29", "hearth_named_barriers=1",    \
         __VA_ARGS__)

static uint64_t run_with(const char *const *sets, unsigned threads, const char *program,
                         const char *code)
{
    struct sim_result result = launch_on(
        sets, &(struct launch_text){
                  .threads = threads, .version = 90, .program = program, .code = code});
    return result_cycles(&result);
}

/* The group issues a product of 32 cycles, waits for it, 66 cycles later, and ends. Switched
 * off, it ends after its stalls. */
START_TEST(product_launch)
{
    const char *program =
        "{1} R24 = HGMMA.64x64x16.F32 R24; {2} WARPGROUP.DEPBAR.LE $ 0; {5} EXIT";
    ck_assert_uint_eq(run_with(HOPPER(NULL), 128, program, NULL), FIRST + 32 + 66 + 1);
    ck_assert_uint_eq(run_with(HOPPER("hearth_wgmma_rate=0"), 128, program, NULL),
                      FIRST + 3 + 1);
    ck_assert_uint_eq(run_with(HOPPER("hearth_wgmma_latency=40"), 128, program, NULL),
                      FIRST + 32 + 40 + 1);
}
END_TEST

/* A product of 8 columns multiplies for 4 cycles; 128 bytes a cycle of operands take 18. */
START_TEST(product_overlap)
{
    const char *program =
        "{1} R24 = HGMMA.64x8x16.F32 R24; {2} WARPGROUP.DEPBAR.LE $ 0; {5} EXIT";
    ck_assert_uint_eq(run_with(HOPPER(NULL), 128, program, NULL), FIRST + 18 + 66 + 1);
    ck_assert_uint_eq(run_with(HOPPER("hearth_wgmma_overlap=1"), 128, program, NULL),
                      FIRST + 4 + 66 + 1);
    ck_assert_uint_eq(run_with(HOPPER("hearth_wgmma_overlap=1", "hearth_wgmma_latency=1"), 128,
                               program, NULL),
                      FIRST + 18 + 1);
}
END_TEST

/* One product waits for the tensor units, which take 128 cycles for each: the third one issues
 * when the second begins, also in the sub-core of warp 0, which takes 15 cycles more. */
START_TEST(product_queue)
{
#define PRODUCT "{1} R24 = HGMMA.64x256x16.F32 R24; "
#define OTHER   " | " PRODUCT PRODUCT PRODUCT ":8 {1} EXIT"
    const char *program = PRODUCT PRODUCT PRODUCT "{15} NOP; {1} EXIT" OTHER OTHER OTHER;
    ck_assert_uint_eq(run_with(HOPPER("hearth_wgmma_queue=1"), 128, program, NULL),
                      FIRST + 128 + 1 + 15 + 1);
}
END_TEST

/* A wait that comes when the tensor units have the product already ends as early. */
START_TEST(product_awaited_late)
{
    const char *program =
        "{15} R24 = HGMMA.64x64x16.F32 R24; {2} WARPGROUP.DEPBAR.LE $ 0; {5} EXIT";
    ck_assert_uint_eq(run_with(HOPPER(NULL), 128, program, NULL), FIRST + 32 + 66 + 1);
    ck_assert_uint_gt(run_with(HOPPER(NULL), 96, program, NULL), FIRST); /* no whole group */
}
END_TEST

/* ---- barriers in shared memory ---- */

/* What is written for a count of 6, with a first phase of parity 1, and of 1, with parity 0. */
START_TEST(barrier_counts)
{
    struct barrier barrier = {0};
    barrier_init(&barrier, 0xffffd000001ffff4);
    ck_assert_uint_eq(barrier.count, 6);
    ck_assert_uint_eq(barrier.left, 6);
    ck_assert(barrier_passes(&barrier, 0));
    ck_assert(!barrier_passes(&barrier, 1));
    barrier_init(&barrier, 0x7ffff800001ffffe);
    ck_assert_uint_eq(barrier.count, 1);
    ck_assert(!barrier_passes(&barrier, 0));
    ck_assert(barrier_arrive(&barrier, 1, 0));
    ck_assert(barrier_passes(&barrier, 0));
    barrier_init(&barrier, 0); /* not known: nobody waits */
    ck_assert(barrier_passes(&barrier, 0) && barrier_passes(&barrier, 1));
}
END_TEST

/* A phase ends when arrivals and announced bytes have come, in any order. */
START_TEST(barrier_bytes_come)
{
    struct barrier barrier = {0};
    barrier_init(&barrier, 0x7ffff800001ffffe);
    ck_assert(!barrier_bytes(&barrier, 100));
    ck_assert(!barrier_arrive(&barrier, 1, 300));
    ck_assert(!barrier_bytes(&barrier, 199));
    ck_assert(barrier_bytes(&barrier, 1));
    ck_assert_uint_eq(barrier.phases, 1);
}
END_TEST

/* Sizes of copies: from place to place, the last one up to the end; where they lie apart, by
 * the next phase's place; else in equal parts. */
START_TEST(copy_sizes)
{
    struct barrier barrier = {0};
    barrier_init(&barrier, 0x7ffff800001ffffe);
    barrier_copy(&barrier, 0x400);
    barrier_copy(&barrier, 0x2400);
    barrier_arrive(&barrier, 0, 0x2c00);
    ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x400, 0), 0x2000);
    ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x2400, 0), 0xc00);
    for (uint32_t stride = 0; stride <= 0x2000; stride += 0x2000) {
        barrier = (struct barrier){0};
        barrier_init(&barrier, 0x7ffff800001ffffe);
        barrier_copy(&barrier, 0x400);
        barrier_copy(&barrier, 0x20400);
        barrier_arrive(&barrier, 0, 0x2c00);
        ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x400, stride),
                          stride ? 0x2000 : 0x1600);
    }
}
END_TEST

/* Two copies of the next phase are issued while one of this phase is on its way: their places
 * are those that count when the phase has ended, also after the barrier was made anew. */
START_TEST(copies_of_next_phase)
{
    for (uint32_t again = 0; again < 2; again++) {
        struct barrier barrier = {0};
        barrier_init(&barrier, 0x7ffff800001ffffe);
        barrier_copy(&barrier, 0x8000);
        barrier_arrive(&barrier, 1, 0x1000);
        ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x8000, 0), 0x1000);
        barrier_copy(&barrier, 0x400);
        barrier_copy(&barrier, 0x2400);
        barrier.taken = 0;
        ck_assert(barrier_bytes(&barrier, 0x1000));
        if (again)
            barrier_init(&barrier, 0x7ffff800001ffffe);
        barrier_arrive(&barrier, 0, 0x2c00);
        ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x400, 0), 0x2000);
        ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x2400, 0), 0xc00);
    }
}
END_TEST

/* Of ten copies in a phase eight places are kept; two of them stay for the next one. */
START_TEST(places_kept)
{
    struct barrier barrier = {0};
    barrier_init(&barrier, 0x7ffff800001ffffe);
    for (uint32_t i = 0; i < 10; i++)
        barrier_copy(&barrier, 0x1000 * i);
    barrier_arrive(&barrier, 0, 8000);
    for (uint32_t i = 0; i < 8; i++)
        ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x1000 * i, 0), 800);
    barrier.taken = 0;
    barrier_arrive(&barrier, 1, 0);
    ck_assert(barrier_bytes(&barrier, 8000));
    barrier_arrive(&barrier, 0, 0x1800);
    ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x8000, 0), 0x1000);
    ck_assert_uint_eq(barrier_first_bytes(&barrier, 0x9000, 0), 0x800);
}
END_TEST

/* ---- values ---- */

static void execute(struct values *values, uint64_t low, uint64_t high, uint32_t mask)
{
    const struct trace_code code = {low, high};
    values_execute(values, &code, mask, 0, 0);
}

static uint32_t uniform(const struct values *values, uint32_t reg)
{
    uint32_t value;
    return values_uniform(values, reg, &value) ? value : UINT32_MAX;
}

/* Encodings as in listings of cuobjdump, without control bits. */
START_TEST(register_values)
{
    static struct values values;
    const struct trace_header header = {.grid = {8, 8, 1}, .block = {256, 1, 1}};
    const uint32_t index[3] = {3, 5, 0};
    uint32_t value;
    values_begin(&values, &header, index, 2);
    ck_assert(!values_uniform(&values, 4, &value));
    execute(&values, 0x00000000000479c3, 0x8800, ~0u);    /* S2UR UR4, SR_CgaCtaId */
    execute(&values, 0x0003048000077882, 0, ~0u);         /* UMOV UR7, 0x30480 */
    execute(&values, 0x0000421007077896, 0x8000004, ~0u); /* UPRMT UR7, UR7, 0x4210, UR4 */
    execute(&values, 0x0000001007067890, 0xfffe03f, ~0u); /* UIADD3 UR6, UR7, 0x10, URZ */
    ck_assert_uint_eq(uniform(&values, 7), 0x30480);
    ck_assert_uint_eq(uniform(&values, 6), 0x30490);
    execute(&values, 0x0000000000027919, 0x2100, ~0u); /* S2R R2, SR_TID.X */
    ck_assert(values_lane(&values, 2, 7, &value));
    ck_assert_uint_eq(value, 2 * 32 + 7);
    execute(&values, 0x00000000020872ca, 0xe0000, ~0u);   /* R2UR UR8, R2 */
    execute(&values, 0x0000000508087899, 0x800163f, ~0u); /* USHF.R.U32 UR8, UR8, 5, URZ */
    ck_assert_uint_eq(uniform(&values, 8), 2);
    execute(&values, 0x000000ff03037812, 0x78e0fff, ~0u); /* R3 unknown: LOP3 of it */
    ck_assert(!values_lane(&values, 3, 0, &value));
    execute(&values, 0x0000000000037802, 0xf00, 0xffff);   /* MOV R3, 0 in half of the lanes */
    execute(&values, 0x000000ff03037212, 0x78e0fff, 0xff); /* R3 = ~R3 in a quarter */
    ck_assert(values_lane(&values, 3, 0, &value) && value == UINT32_MAX);
    ck_assert(values_lane(&values, 3, 8, &value) && value == 0);
    ck_assert(!values_lane(&values, 3, 16, &value));
    execute(&values, 0x0000000000ff7805, 0x1ff00, ~0u); /* CS2R RZ, SRZ: 64 bits of nothing */
    ck_assert(values_lane(&values, 3, 0, &value) && value == UINT32_MAX);
}
END_TEST

/* Predicates that results other than comparisons of integers overwrite are not known any more,
 * nor what a carry goes into. */
START_TEST(forgotten_predicates)
{
    static const struct trace_code writers[] = {
        {0x0000000f47007804, 0x0},       /* R2P PR, R71, 0xf */
        {0x7ff000000400742a, 0x3f0c200}, /* DSETP.GTU.AND P0, PT, |R4|, +INF, PT */
        {0x0000000f080a7225, 0x780000a}, /* IMAD.WIDE.U32 R10, P0, R8, R15, R10 */
        {0x0000000700007302, 0x0},       /* FCHK P0, R0, R7 */
        {0x0000000504007234, 0x3f04000}, /* HSETP2 P0, PT, R4, R5, PT */
        {0x0000000304ff79a8, 0x810e2da}, /* ATOMG P0, RZ, [R4], R3 */
        {0x00000000003f782f, 0x3800000}, /* ELECT P0, URZ, PT */
        {0x000000e8000079c8, 0x8000600}, /* USETMAXREG.TRY_ALLOC UP0, 0xe8 */
    };
    static struct values values;
    const struct trace_header header = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        values_begin(&values, &header, (const uint32_t[3]){0}, 0);
        values.predicates_known[0] = ~0u;
        values.uniform_predicates_known = 1;
        values_execute(&values, &writers[i], ~0u, 0, 0);
        ck_assert_uint_eq((values.predicates_known[0] & values.uniform_predicates_known), 0);
    }
}
END_TEST

/* IMAD.WIDE.U32.X adds a carry that nobody knows. */
START_TEST(carry_not_known)
{
    static struct values values;
    const struct trace_header header = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    const struct trace_code wide[] = {{0x0000000f080a7225, 0x780000a},
                                      {0x0000000f080a7225, 0x780040a}};
    uint32_t value;
    for (uint32_t carry = 0; carry < 2; carry++) {
        values_begin(&values, &header, (const uint32_t[3]){0}, 0);
        for (uint32_t reg = 8; reg < 16; reg++)
            values.known[reg] = ~0u;
        memset(values.regs, 0, sizeof values.regs);
        values_execute(&values, &wide[carry], ~0u, 10, 2);
        ck_assert(values_lane(&values, 10, 0, &value) == !carry);
    }
}
END_TEST

/* ---- launches with barriers ---- */

/* An instruction's code without control bits, and those. */
struct word {
    uint64_t low, high;
    unsigned stall, write, wait; /* write: a counter plus 1; 0: none */
};

#define UMOV(reg, value)                                                                       \
    {                                                                                          \
        0x7882 | (uint64_t)(reg) << 16 | (uint64_t)(value) << 32, 0, 4, 0, 0                   \
    }
#define MOV(reg, value)                                                                        \
    {                                                                                          \
        0x7802 | (uint64_t)(reg) << 16 | (uint64_t)(value) << 32, 0xf00, 4, 0, 0               \
    }
/* The barrier's address is in the trace. EXCH writes UR4 and UR5; ARRIVE announces R2 bytes,
 * PHASECHK looks for the parity in R3 and raises counter 0. */
#define EXCH                                                                                   \
    {                                                                                          \
        0x00000004063f75b2, 0x8000100, 4, 0, 0                                                 \
    }
#define ARRIVE                                                                                 \
    {                                                                                          \
        0x000000ffffff79a7, 0x8100004, 4, 0, 0                                                 \
    }
#define ARRIVE_BYTES                                                                           \
    {                                                                                          \
        0x00000002ffff79a7, 0x8000004, 4, 0, 0                                                 \
    }
#define PHASECHK                                                                               \
    {                                                                                          \
        0x00000003ff0075a7, 0x8000144, 4, 1, 0                                                 \
    }
#define UTMALDG                                                                                \
    {                                                                                          \
        0x00000008220075b4, 0x8010000, 4, 0, 0                                                 \
    } /* [UR8], barrier in UR9 */
#define NOP                                                                                    \
    {                                                                                          \
        0x7918, 0, 4, 0, 0                                                                     \
    }
#define NOP_WAITING                                                                            \
    {                                                                                          \
        0x7918, 0, 4, 0, 1                                                                     \
    }
#define EXIT                                                                                   \
    {                                                                                          \
        0x794d, 0x3800000, 4, 0, 0                                                             \
    }
/* A barrier of one arrival in a phase of parity 0. */
#define MAKE   UMOV(4, 0x1ffffe), UMOV(5, 0x7ffff800), EXCH, MOV(3, 0)
#define MAKING "UMOV; UMOV; SYNCS.EXCH.64 [ 4 1 0x400 0 ]; R3 = MOV; "

/* The cycles of PROGRAM, whose code is WORDS. */
static uint64_t run_words(const char *const *sets, unsigned threads, const char *program,
                          const struct word *words, unsigned count)
{
    char code[64 * 34] = "";
    int length = snprintf(code, sizeof code, "code %u\n", count);
    for (unsigned i = 0; i < count; i++) {
        uint64_t control = words[i].stall | 1u << 4 | (words[i].write + 7) % 8 << 5 | 7u << 8 |
                           words[i].wait << 11;
        length += snprintf(code + length, sizeof code - (size_t)length, "%016llx%016llx\n",
                           (unsigned long long)(words[i].high | control << 41),
                           (unsigned long long)words[i].low);
    }
    return run_with(sets, threads, program, code);
}
#define RUN(sets, threads, program, words)                                                     \
    run_words(sets, threads, program, words, sizeof(words) / sizeof *(words))

/* Each instruction issues 4 cycles after the one before. Warp 0 waits from its fifth on; warp 1
 * arrives with its 11th, in cycle FIRST + 40: the shared unit takes it 9 cycles later, it
 * counts 20 after that, and the answer takes 14. Then come a NOP and the EXIT. */
#define ANSWERED (FIRST + 40 + 9 + 20 + 14)
#define ARRIVER                                                                                \
    "| :8 NOP; :8 NOP; :8 NOP; :8 NOP; :8 NOP; :8 NOP; :8 NOP; :8 NOP; :8 NOP; :8 NOP; "       \
    ":9 @1 SYNCS.ARRIVE.TRANS64.A1T0 [ 4 1 0x400 0 ]; :7 EXIT"
static const struct word wait_words[] = {MAKE, PHASECHK, NOP_WAITING, NOP, EXIT, NOP, ARRIVE};

START_TEST(waits_for_arrival)
{
    const char *once =
        MAKING "SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 ]; NOP; :7 EXIT" ARRIVER;
    ck_assert_uint_eq(RUN(HOPPER(NULL), 64, once, wait_words), ANSWERED + 4 + 1);
    ck_assert_uint_eq(RUN(HOPPER("hearth_mbarrier_answer=20"), 64, once, wait_words),
                      ANSWERED + 6 + 4 + 1);
}
END_TEST

/* The trace's loop turned three times: the model waits once, and goes on from its end. */
START_TEST(loops_turn_once)
{
#define TURN ":4 SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 ]; :5 NANOSLEEP.SYNCS; :6 BRA; "
    const char *loop = MAKING TURN TURN TURN ":7 EXIT" ARRIVER;
    const char *once = MAKING TURN ":7 EXIT" ARRIVER;
    ck_assert_uint_eq(RUN(HOPPER(NULL), 64, loop, wait_words),
                      RUN(HOPPER(NULL), 64, once, wait_words));
}
END_TEST

/* So does a loop that reads a flag in global memory; not one that reads on. */
START_TEST(polls_once)
{
#define POLL(address)                                                                          \
    ":2 R1 = LDG.E.STRONG.GPU R2 [ 4 1 " address " 0 ]; :3 YIELD; :4 ISETP R1; :5 BRA; "
    const char *loop = POLL("0x10000") POLL("0x10000") POLL("0x10000") ":6 EXIT";
    const char *once = POLL("0x10000") ":6 EXIT", *on = POLL("0x10000") POLL("0x20000") "EXIT";
    const char *const *sets = HOPPER("hearth_wait_loops=1"), *const *off = HOPPER(NULL);
    ck_assert_uint_eq(run_with(sets, 32, loop, NULL), run_with(sets, 32, once, NULL));
    ck_assert_uint_gt(run_with(off, 32, loop, NULL), run_with(off, 32, once, NULL) + 200);
    ck_assert_uint_gt(run_with(sets, 32, on, NULL), run_with(sets, 32, once, NULL) + 100);
}
END_TEST

/* The other parity: the phase before the first has ended, so nobody waits. The check is 43
 * cycles after its issue, and a NOP and the EXIT follow. */
START_TEST(passes_at_once)
{
    static const struct word words[] = {
        UMOV(4, 0x1ffffe), UMOV(5, 0x7ffff800), EXCH, MOV(3, 0x80000000),
        PHASECHK,          NOP_WAITING,         NOP,  EXIT};
    const char *program = MAKING "SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 ]; NOP; :7 EXIT";
    ck_assert_uint_eq(RUN(HOPPER(NULL), 32, program, words), FIRST + 16 + 43 + 4 + 1);
}
END_TEST

/* A copy issues in cycle FIRST + 28. Its map comes 100 cycles later, its first bytes 400 after
 * that, and all 4,300 in 100 cycles; 14 later who waits for them knows. */
START_TEST(copy_launch)
{
    static const struct word words[] = {MAKE,           MOV(2, 4300), UMOV(8, 0),
                                        UMOV(9, 0x400), UTMALDG,      ARRIVE_BYTES,
                                        PHASECHK,       NOP_WAITING,  EXIT};
    const char *program = MAKING "R2 = MOV; UMOV; UMOV; UTMALDG.2D [ 4 1 0xae2802c0 0 ]; "
                                 "@1 SYNCS.ARRIVE.TRANS64 [ 4 1 0x400 0 ]; "
                                 "SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 ]; NOP; EXIT";
    const char *const *sets =
        HOPPER("hearth_tma_latency=400", "hearth_tma_map=100", "hearth_tma_bytes=43");
    ck_assert_uint_eq(RUN(sets, 32, program, words), FIRST + 28 + 100 + 400 + 100 + 14 + 4 + 1);
}
END_TEST

/* The same where the trace has the registers: what the exchange writes, places and coordinates
 * of the copy, its map's address, bytes announced, and the parity. */
START_TEST(registers_of_the_trace)
{
    const char *program = "{4} SYNCS.EXCH.64 [ 4 1 0x400 0 0 =2097150 =2147481600 ]; "
                          "{4} UTMALDG.2D [ 4 1 0xae2802c0 0 0 =0 =1024 =0 =0 =576 =127 ]; "
                          "{4} @1 SYNCS.ARRIVE.TRANS64 [ 4 1 0x400 0 0 =4300 ]; "
                          "{4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 0 =0 ]; "
                          "{4,m1} NOP; {4} EXIT";
    const char *const *sets =
        HOPPER("hearth_tma_latency=400", "hearth_tma_map=100", "hearth_tma_bytes=43");
    ck_assert_uint_eq(run_with(sets, 32, program, NULL),
                      FIRST + 4 + 100 + 400 + 100 + 14 + 4 + 1);
}
END_TEST

/* Lanes that look at barriers of their own: the trace has the parity of the first one alone,
 * and what the others wait for is not known. Nobody arrives at the second barrier. */
START_TEST(parity_of_the_first_lane)
{
#define TWO_BARRIERS(lanes)                                                                    \
    "{4} SYNCS.EXCH.64 [ 4 1 0x400 0 0 =2097150 =2147481600 ]; "                               \
    "{4} SYNCS.EXCH.64 [ 4 1 0x408 0 0 =2097150 =2147481600 ]; "                               \
    "{4} @1 SYNCS.ARRIVE.TRANS64.RED.A1T0 [ 4 1 0x400 0 ]; "                                   \
    "{4,w0} " lanes " SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 8 0 =0 ]; "                   \
    "{4,m1} NOP; {4} EXIT"
    const char *const *sets = HOPPER("hearth_tma_latency=400");
    ck_assert_uint_eq(run_with(sets, 32, TWO_BARRIERS("@3"), NULL),
                      run_with(sets, 32, TWO_BARRIERS("@1"), NULL));
}
END_TEST

/* A product of a group writes 32 registers, and so the one that says how many bytes are
 * announced: nobody waits for the copy then. */
START_TEST(sums_are_not_known)
{
    static const struct word words[] = {MAKE,         MOV(2, 4300),
                                        UMOV(8, 0),   UMOV(9, 0x400),
                                        UTMALDG,      {0x00600000040079f0, 0x20000, 4, 0, 0},
                                        ARRIVE_BYTES, PHASECHK,
                                        NOP_WAITING,  EXIT};
    const char *program = MAKING "R2 = MOV; UMOV; UMOV; UTMALDG.2D [ 4 1 0xae2802c0 0 ]; "
                                 "R0 = HGMMA.64x64x16.F32 R0; "
                                 "@1 SYNCS.ARRIVE.TRANS64 [ 4 1 0x400 0 ]; "
                                 "SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 ]; NOP; EXIT";
    const char *const *sets =
        HOPPER("hearth_tma_latency=400", "hearth_tma_map=100", "hearth_tma_bytes=43");
    ck_assert_uint_lt(RUN(sets, 32, program, words), 200);
}
END_TEST

/* The phase ends while warp 0 is on its way to the barrier: it cannot know before it is there,
 * nor can a later wait of a slot that has become free. */
START_TEST(wait_arrives_late)
{
    static const struct word words[] = {MAKE, PHASECHK, NOP_WAITING, NOP, EXIT, NOP, ARRIVE};
    const char *program =
        MAKING "SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 ]; NOP; :7 EXIT"
               "| :8 NOP; :8 NOP; :8 NOP; :9 @1 SYNCS.ARRIVE.TRANS64.A1T0 [ 4 1 0x400 0 ]; "
               ":7 EXIT";
    ck_assert_uint_eq(RUN(HOPPER(NULL), 64, program, words), FIRST + 16 + 43 + 4 + 1);
}
END_TEST

/* Nothing will ever arrive: the wait passes when nothing else moves. */
START_TEST(nobody_arrives)
{
    const char *program = MAKING "SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 ]; NOP; :7 EXIT";
    ck_assert_uint_lt(RUN(HOPPER(NULL), 32, program, wait_words), 200);
}
END_TEST

/* ---- what is left out ---- */

/* A product with a sparse operand is refused by name, unless products are switched off. */
START_TEST(sparse_refused)
{
    const struct launch_text text = {.threads = 128,
                                     .program = "{1} R24 = HGMMA.SP.64x8x32.F32 R24; {5} EXIT"};
    struct bench bench = bench_create(HOPPER(NULL));
    struct trace_kernel *kernel = test_kernel(&text);
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench.sim, kernel, NULL, &result, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_ptr_nonnull(strstr(err.text, "HGMMA.SP.64x8x32.F32"));
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    ck_assert_uint_eq(run_with(HOPPER("hearth_wgmma_rate=0"), text.threads, text.program, NULL),
                      FIRST + 2);
}
END_TEST

/* ELECT is an instruction of the ALU, whose predicate the code waits for: two are two cycles
 * apart. */
START_TEST(elects)
{
    struct sim_result result =
        launch_on(HOPPER(NULL),
                  &(struct launch_text){
                      .version = 90, .program = "{1} R1 = ELECT; {13} R2 = ELECT; {4} EXIT"});
    ck_assert_uint_eq(result_cycles(&result), FIRST + 2 + 13 + 1);
}
END_TEST

START_TEST(parts_left_out)
{
    ck_assert_ptr_nonnull(missing_part("UBLKCP.S.G", true, false));
    ck_assert_ptr_null(missing_part("UBLKCP.S.G", false, true));
    ck_assert_ptr_nonnull(missing_part("ACQBULK", false, true));
    ck_assert_ptr_null(missing_part("PREEXIT", true, false));
    ck_assert_ptr_null(missing_part("USETMAXREG.DEALLOC.CTAPOOL", true, true));
    ck_assert_ptr_null(missing_part("HGMMA.64x8x16.F32", true, true));
    ck_assert_ptr_null(missing_part("LDG.E", true, true));
    ck_assert(!missing_sparse("HGMMA.64x8x16.F32") && missing_sparse("QGMMA.SP.64x8x64.F32"));
    ck_assert(!missing_sparse("LDG.SP"));
}
END_TEST

/* ---- barriers of some warps ---- */

/* Barrier 1 is for 64 threads: warps 0 and 1 go on although 2 and 3 come 45 cycles later. The
 * second of them arrives 2 cycles after the first, and 9 later it opens; without counts all
 * four wait for each other. */
START_TEST(named_barriers)
{
    static const struct word words[] = {
        {0x0041000000007b1d, 0, 4, 0, 0}, EXIT, NOP, EXIT, /* BAR.SYNC 1, 64 */
    };
    const char *program = "BAR.SYNC $ 1; EXIT | BAR.SYNC $ 1; EXIT | "
                          ":2 NOP; :2 NOP; :2 NOP; :0 BAR.SYNC $ 1; :3 EXIT | "
                          ":2 NOP; :2 NOP; :2 NOP; :0 BAR.SYNC $ 1; :3 EXIT";
    const char *alone = "BAR.SYNC $ 1; EXIT | BAR.SYNC $ 1; EXIT";
#define BARRIERS(named)                                                                        \
    HOPPER("hearth_barrier_latency=9", "hearth_barrier_interval=2",                            \
           "hearth_named_barriers=" named)
    uint64_t two = RUN(BARRIERS("1"), 64, alone, words);
    ck_assert_uint_eq(two, FIRST + 4 + 9 + 1);
    ck_assert_uint_eq(RUN(BARRIERS("1"), 128, program, words), two + 12);
    ck_assert_uint_eq(RUN(BARRIERS("0"), 128, program, words), two + 12);
}
END_TEST

/* Barriers 1 and 2 have a latency of their own. Their arrivals do not wait for each other: with
 * one port for both the last of four would arrive 4 cycles later. */
START_TEST(latency_of_named_barriers)
{
    static const struct word words[] = {
        {0x0041000000007b1d, 0, 4, 0, 0},
        EXIT,
        {0x0081000000007b1d, 0, 4, 0, 0},
        EXIT,
    };
    const char *program = "BAR.SYNC $ 1; EXIT | BAR.SYNC $ 1; EXIT | "
                          ":2 BAR.SYNC $ 2; :3 EXIT | :2 BAR.SYNC $ 2; :3 EXIT";
    ck_assert_uint_eq(RUN(BARRIERS("1"), 128, program, words), FIRST + 8 + 9 + 1);
    const char *const *named = HOPPER("hearth_barrier_latency=9", "hearth_barrier_interval=2",
                                      "hearth_named_latency=21");
    ck_assert_uint_eq(RUN(named, 128, program, words), FIRST + 4 + 21 + 1);
}
END_TEST

/* Warps of a cluster's block arrive and wait: it opens 190 cycles after the last. */
START_TEST(cluster_barrier)
{
    const char *program = "{4} UCGABAR_ARV; {4} UCGABAR_WAIT; {5} EXIT";
    ck_assert_uint_eq(run_with(HOPPER("hearth_cluster_latency=190"), 64, program, NULL),
                      FIRST + 190 + 1);
    ck_assert_uint_eq(run_with(HOPPER("hearth_cluster_barrier=66"), 64, program, NULL),
                      FIRST + 66 + 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        product_rates,
        product_of_four_warps,
        product_launch,
        product_overlap,
        product_queue,
        product_awaited_late,
        barrier_counts,
        barrier_bytes_come,
        copy_sizes,
        copies_of_next_phase,
        places_kept,
        register_values,
        parity_of_the_first_lane,
        forgotten_predicates,
        carry_not_known,
        sums_are_not_known,
        wait_arrives_late,
        waits_for_arrival,
        loops_turn_once,
        polls_once,
        passes_at_once,
        copy_launch,
        nobody_arrives,
        registers_of_the_trace,
        named_barriers,
        latency_of_named_barriers,
        cluster_barrier,
        sparse_refused,
        elects,
        parts_left_out,
    };
    return RUN_TESTS("hopper", tests);
}
