/* What launches without time leave in the caches of instructions, and these in files. */
#include "sim/core/code/code_state.h"
#include "sim/simulator.h"
#include "tests/sim/support.h"

#include <stdio.h>

#define LINE 128u

static const struct code_spec spec = {.fetches = true,
                                      .line = LINE,
                                      .sub_cores = 2,
                                      .l0_sets = 1,
                                      .l0_ways = 4,
                                      .stream = 2,
                                      .l1_sets = 1,
                                      .l1_ways = 8,
                                      .l1_latency = 20,
                                      .l1_requests = 1,
                                      .gcc_sets = 1,
                                      .gcc_ways = 16,
                                      .gcc_latency = 30};

/* The lines of cache NUMBER, the least recently used one first, as letters: A is at 0. */
static const char *lines_of(struct code_caches *caches, uint32_t number)
{
    static char text[32];
    uint64_t addresses[16];
    size_t count = line_cache_list(code_state_cache(caches, number), addresses);
    for (size_t i = 0; i < count; i++)
        text[i] = (char)('A' + addresses[i] / LINE);
    text[count] = '\0';
    return text;
}

/* Sub-core 0 has run three lines, A to C; the stream buffer has asked for the two after them.
 * Then both have run F to K: an L0 keeps the last four, L1 the last eight, up to M. */
START_TEST(ran)
{
    struct code_caches *caches = code_caches_create(&spec);
    struct code_place place = {.address = 0};
    code_state_ran(caches, 1, &place, 3 * LINE);
    ck_assert_str_eq(lines_of(caches, 0), "ABC");
    ck_assert_str_eq(lines_of(caches, 1), "");
    ck_assert_str_eq(lines_of(caches, 2), "ABCDE");
    ck_assert_str_eq(lines_of(caches, 3), "ABCDE");
    ck_assert_ptr_null(code_state_cache(caches, 4));
    place.address = 5 * LINE;
    code_state_ran(caches, 3, &place, 6 * LINE - 16);
    ck_assert_str_eq(lines_of(caches, 0), "HIJK");
    ck_assert_str_eq(lines_of(caches, 1), "HIJK");
    ck_assert_str_eq(lines_of(caches, 2), "FGHIJKLM");
    ck_assert_str_eq(lines_of(caches, 3), "ABCDEFGHIJKLM");
    ck_assert_uint_eq(code_fetch(caches, 1, 0, &place, 5 * LINE, 100), 100); /* K hits */
    code_caches_destroy(caches);
}
END_TEST

/* The first line of what the launch brings near does not pass the GCC. */
START_TEST(brought)
{
    struct code_caches *caches = code_caches_create(&spec);
    struct code_place place = {.address = 0, .brought = 4 * LINE};
    code_state_ran(caches, 1, &place, 2 * LINE);
    ck_assert_str_eq(lines_of(caches, 2), "ABCD");
    ck_assert_str_eq(lines_of(caches, 3), "BCD");
    code_caches_destroy(caches);
}
END_TEST

/* What a launch without time brings near is there: it has no begin from which on lines come one
 * after the other. */
START_TEST(brought_at_once)
{
    struct code_spec in_turn = spec;
    in_turn.ahead_interval = 4;
    struct code_caches *caches = code_caches_create(&in_turn);
    struct code_place place = {
        .address = 0, .number = 1, .brought = 4 * LINE, .bytes = 4 * LINE};
    code_state_ran(caches, 1, &place, 2 * LINE);
    ck_assert_str_eq(lines_of(caches, 3), "ABCD");
    for (uint64_t line = 0; line < 4; line++)
        ck_assert_uint_eq(line_cache_ready(code_state_cache(caches, 3), line * LINE), 0);
    code_caches_destroy(caches);
}
END_TEST

/* A function of two lines, at B and C, turns out to lie at M and N. The order of use stays. */
START_TEST(moves)
{
    struct code_caches *caches = code_caches_create(&spec);
    struct code_place place = {.address = 0};
    code_state_ran(caches, 1, &place, 4 * LINE);
    code_state_move(caches, LINE, 12 * LINE, 2 * LINE);
    ck_assert_str_eq(lines_of(caches, 0), "AMND");
    ck_assert_str_eq(lines_of(caches, 2), "AMNDEF");
    code_caches_destroy(caches);
}
END_TEST

/* ---- launches ---- */

/* 40 instructions, five lines. */
#define CODE "FADD R1 R1 R1;"
static const char *program(void)
{
    return repeated("%EXIT", 40, CODE);
}

#define CACHES                                                                                 \
    SETS("hearth_icache=1", "hearth_icache_l0=2048", "hearth_icache_stream=2",                 \
         "hearth_gcc=16384", "gpgpu_cache:il1=N:4:128:4,L:R:f:N:L,S:2:48,4",                   \
         "hearth_icache_miss_latency=200", "hearth_start_phase=1")

static uint64_t run(struct bench *bench)
{
    const struct launch_text text = {.threads = 128, .program = program()};
    struct sim_result result = bench_launch(bench, &text);
    return result_cycles(&result);
}

static void run_untimed(struct bench *bench)
{
    const struct launch_text text = {.threads = 128, .program = program()};
    struct error err = {0};
    struct sim_result result;
    struct trace_kernel *kernel = test_kernel_rows(&text);
    ck_assert_msg(sim_functional(bench->sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
}

/* A launch after one without time is as after a timed one; a flush of L2 empties the caches. */
START_TEST(warm_and_flushed)
{
    struct bench timed = bench_create(CACHES), untimed = bench_create(CACHES);
    uint64_t cold = run(&timed), warm = run(&timed);
    ck_assert_uint_lt(warm + 200, cold);
    run_untimed(&untimed);
    ck_assert_uint_eq(run(&untimed), warm);
    sim_flush(timed.sim, SIM_L1, false);
    ck_assert_uint_eq(run(&timed), warm);
    sim_flush(timed.sim, SIM_L2, false);
    ck_assert_uint_eq(run(&timed), cold);
    bench_destroy(&timed);
    bench_destroy(&untimed);
}
END_TEST

/* A file gives back the lines of all caches in their order, and a launch after it is as one
 * after what was saved. Another shape of the caches is refused. */
START_TEST(file)
{
    struct error err = {0};
    char *text;
    size_t size;
    struct bench saved = bench_create(CACHES), restored = bench_create(CACHES);
    struct bench other =
        bench_create(SETS("hearth_icache=1", "hearth_icache_l0=4096", "hearth_gcc=16384",
                          "gpgpu_cache:il1=N:4:128:4,L:R:f:N:L,S:2:48,4"));
    run(&saved);
    FILE *out = open_memstream(&text, &size);
    ck_assert_msg(sim_save(saved.sim, out, "state", &err) == 0, "%s", err.text);
    fclose(out);
    ck_assert_int_eq(text[8], 5); /* the version */
    FILE *in = fmemopen(text, size, "r");
    ck_assert_msg(sim_restore(restored.sim, in, "state", &err) == 0, "%s", err.text);
    rewind(in);
    ck_assert_int_eq(sim_restore(other.sim, in, "state", &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "its cache of instructions has 16 ways of an L0"));
    fclose(in);
    struct code_caches *from = saved.sim->engine.sms[0]->code;
    struct code_caches *to = restored.sim->engine.sms[0]->code;
    for (uint32_t i = 0; code_state_cache(from, i) != NULL; i++) {
        uint64_t a[256], b[256];
        size_t count = line_cache_list(code_state_cache(from, i), a);
        ck_assert_uint_eq(line_cache_list(code_state_cache(to, i), b), count);
        ck_assert_mem_eq(a, b, count * sizeof *a);
    }
    ck_assert_uint_eq(run(&restored), run(&saved));
    free(text);
    bench_destroy(&saved);
    bench_destroy(&restored);
    bench_destroy(&other);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {ran, brought, brought_at_once, moves, warm_and_flushed, file};
    return RUN_TESTS("code state", tests);
}
