/* What barriers in memory and copies ask for: opcodes and registers as ptxas 13.0 compiles the
 * PTX beside them for sm_90a. */
#include "tests/traces/support.h"

static struct trace_async decode(const char *opcode, uint8_t count, const uint32_t *numbers)
{
    struct trace_extras extras = {
        .number_count = count, .has_address = true, .address = 0x7f0000030480};
    const struct trace_async_form form = trace_async_form(opcode);
    for (int i = 0; i < count; i++)
        extras.numbers[i] = numbers[i];
    return trace_async_decode(&form, &extras);
}

#define DECODE(opcode, ...)                                                                    \
    decode(opcode, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t),                         \
           (uint32_t[]){__VA_ARGS__})

START_TEST(barriers)
{
    static const struct {
        const char *opcode;
        uint8_t count;
        uint32_t numbers[2];
        struct trace_async expected;
    } all[] = {
        /* mbarrier.init 77 */
        {"SYNCS.EXCH.64",
         2,
         {(0x100000 - 77) << 1, (0x100000u - 77) << 11},
         {.kind = TRACE_ASYNC_INIT, .is_known = true, .arrivals = 77}},
        {"SYNCS.EXCH.64", 0, {0}, {.kind = TRACE_ASYNC_INIT}},
        /* mbarrier.arrive.expect_tx 0x1340 */
        {"SYNCS.ARRIVE.TRANS64",
         1,
         {0x1340},
         {.kind = TRACE_ASYNC_ARRIVE, .is_known = true, .arrivals = 1, .bytes = 0x1340}},
        {"SYNCS.ARRIVE.TRANS64.RED", 0, {0}, {.kind = TRACE_ASYNC_ARRIVE, .arrivals = 1}},
        /* mbarrier.expect_tx, mbarrier.complete_tx, mbarrier.arrive with and without a count */
        {"SYNCS.ARRIVE.TRANS64.RED.A0TR",
         1,
         {0x1350},
         {.kind = TRACE_ASYNC_ARRIVE, .is_known = true, .bytes = 0x1350}},
        {"SYNCS.ARRIVE.TRANS64.A0TX",
         1,
         {0x1360},
         {.kind = TRACE_ASYNC_ARRIVE, .is_known = true, .bytes = -0x1360}},
        {"SYNCS.ARRIVE.TRANS64.ART0",
         1,
         {5},
         {.kind = TRACE_ASYNC_ARRIVE, .is_known = true, .arrivals = 5}},
        {"SYNCS.ARRIVE.TRANS64.RED.A1T0",
         0,
         {0},
         {.kind = TRACE_ASYNC_ARRIVE, .is_known = true, .arrivals = 1}},
        /* mbarrier.test_wait.parity 1, 0 */
        {"SYNCS.PHASECHK.TRANS64.TRYWAIT",
         1,
         {UINT32_C(1) << 31},
         {.kind = TRACE_ASYNC_WAIT, .is_known = true, .phase = 1}},
        {"SYNCS.PHASECHK.TRANS64", 1, {0}, {.kind = TRACE_ASYNC_WAIT, .is_known = true}},
    };
    const struct trace_async *expected = &all[_i].expected;
    struct trace_async seen = decode(all[_i].opcode, all[_i].count, all[_i].numbers);
    ck_assert_int_eq(seen.kind, expected->kind);
    ck_assert_int_eq(seen.is_known, expected->is_known);
    ck_assert_uint_eq(seen.barrier, 0x30480);
    ck_assert_uint_eq(seen.arrivals, expected->arrivals);
    ck_assert_int_eq(seen.bytes, expected->bytes);
    ck_assert_uint_eq(seen.phase, expected->phase);
}
END_TEST

static void check_box(const struct trace_async *seen, uint32_t shared, uint32_t barrier)
{
    ck_assert(seen->is_known);
    ck_assert_uint_eq(seen->shared, shared);
    ck_assert_uint_eq(seen->barrier, barrier);
    ck_assert_uint_eq(seen->dimensions, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(seen->coordinates[i], -0x111 - i);
    ck_assert_uint_eq(seen->map, 0x7f00000240);
}

START_TEST(tensors)
{
    const uint32_t x = 0u - 0x111, y = x - 1, z = x - 2, junk = 99;
    struct trace_async seen = DECODE("UTMALDG.3D", 0x400, 0xc00, x, y, z, 0x240, 0x7f);
    ck_assert_int_eq(seen.kind, TRACE_ASYNC_TENSOR_LOAD);
    check_box(&seen, 0x400, 0xc00);
    seen = DECODE("UTMALDG.3D.MULTICAST", 0x400, 0xc00, x, y, z, 0x240, 0x7f, 0x50000);
    check_box(&seen, 0x400, 0xc00);
    ck_assert_uint_eq(seen.blocks, 5);
    seen = DECODE("UTMALDG.3D.IM2COL.MULTICAST", 0x400, 0xc00, x, y, z, 0x240, 0x7f, 0x50102);
    ck_assert_uint_eq(seen.blocks, 5);
    ck_assert_uint_eq(seen.offsets, 0x102);
    seen = DECODE("UTMASTG.3D", 0x400, x, y, z, junk, 0x240, 0x7f);
    ck_assert_int_eq(seen.kind, TRACE_ASYNC_TENSOR_STORE);
    check_box(&seen, 0x400, 0);
    seen = DECODE("UTMAREDG.3D.ADD", 0x400, x, y, z, junk, 0x240, 0x7f);
    ck_assert_int_eq(seen.kind, TRACE_ASYNC_TENSOR_REDUCE);
    check_box(&seen, 0x400, 0);
    seen = DECODE("UTMAPF.L2.3D", x, y, z, junk, junk, 0x240, 0x7f);
    ck_assert_int_eq(seen.kind, TRACE_ASYNC_TENSOR_PREFETCH);
    check_box(&seen, 0, 0);
    /* A value is missing. */
    seen = DECODE("UTMALDG.3D.MULTICAST", 0x400, 0xc00, x, y, z, 0x240, 0x7f);
    ck_assert(!seen.is_known);
    ck_assert_uint_eq(seen.dimensions, 3);
}
END_TEST

/* A copy of BYTES between SHARED and GLOBAL, whose barrier is BARRIER. */
static void check_copy(const struct trace_async *seen, enum trace_async_kind kind,
                       uint32_t shared, uint32_t barrier, uint64_t global, int bytes)
{
    ck_assert(seen->is_known);
    ck_assert_int_eq(seen->kind, kind);
    ck_assert_uint_eq(seen->shared, shared);
    ck_assert_uint_eq(seen->barrier, barrier);
    ck_assert_uint_eq(seen->global, global);
    ck_assert_int_eq(seen->bytes, bytes);
}

START_TEST(blocks)
{
    const uint64_t global = 0x7f00001000;
    struct trace_async seen = DECODE("UBLKCP.S.G", 0x400, 0xc00, 0x1000, 0x7f, 0x1a2);
    check_copy(&seen, TRACE_ASYNC_BLOCK_LOAD, 0x400, 0xc00, global, 0x1a20);
    seen = DECODE("UBLKCP.G.S", 0x1000, 0x7f, 0x400, 99, 0x1b2);
    check_copy(&seen, TRACE_ASYNC_BLOCK_STORE, 0x400, 0, global, 0x1b20);
    seen = DECODE("UBLKRED.G.S.ADD", 0x1000, 0x7f, 0x400, 99, 0x1d2);
    check_copy(&seen, TRACE_ASYNC_BLOCK_REDUCE, 0x400, 0, global, 0x1d20);
    seen = DECODE("UBLKPF", 0x1000, 0x7f, 0x1c2);
    check_copy(&seen, TRACE_ASYNC_BLOCK_PREFETCH, 0, 0, global, 0x1c20);
    seen = DECODE("UBLKCP.S.S", 0x1000400, 0x1000c00, 0x800, 99, 0x10);
    check_copy(&seen, TRACE_ASYNC_BLOCK_SHARE, 0x1000400, 0x1000c00, 0x800, 0x100);
    seen = DECODE("UBLKCP.S.G.MULTICAST", 0x400, 0xc00, 0x1000, 0x7f, 0x501a2);
    check_copy(&seen, TRACE_ASYNC_BLOCK_LOAD, 0x400, 0xc00, global, 0x1a20);
    ck_assert_uint_eq(seen.blocks, 5);
    seen = DECODE("UBLKCP.S.G", 0x400, 0xc00, 0x1000, 0x7f);
    ck_assert(!seen.is_known);
}
END_TEST

START_TEST(others)
{
    static const char *const opcodes[] = {"SYNCS",  "UTMACMDFLUSH", "UTMALD",
                                          "UBLKCP", "LDG.E",        ""};
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        ck_assert_int_eq(trace_async_form(opcodes[i]).kind, TRACE_ASYNC_NONE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {tensors, blocks, others};
    const TTest *const loops[] = {barriers};
    return RUN_LOOPS("async", tests, loops, 10);
}
