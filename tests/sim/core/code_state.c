/* What functional launches leave in the caches of instructions, and these in files. */
#include "sim/core/code/code_state.h"
#include "sim/simulator.h"
#include "tests/sim/support.h"
#include "traces/base/files/sealed.h"

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

/* What a functional launch brings near is there: it has no begin from which on lines come one
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

/* C moves to where M is already: that is one line, last used when the later of both was. D
 * stays on its way. */
START_TEST(moves_onto_others)
{
    struct code_caches *caches = code_caches_create(&spec);
    struct line_cache *l0 = code_state_cache(caches, 0);
    line_cache_put(l0, 12 * LINE, 0);
    line_cache_put(l0, 3 * LINE, 500);
    line_cache_put(l0, 2 * LINE, 0);
    line_cache_put(l0, 0, 0);
    code_state_move(caches, 2 * LINE, 12 * LINE, LINE);
    ck_assert_str_eq(lines_of(caches, 0), "DMA");
    ck_assert_uint_eq(line_cache_ready(l0, 3 * LINE), 500);
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
         "hearth_icache_miss_latency=200", "hearth_start_phase=1",                             \
         "gpgpu_kernel_launch_latency=1000")

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

/* A launch after a functional one is as after a timed one; a flush of L2 empties the caches. */
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
    size_t size;
    struct bench saved = bench_create(CACHES), restored = bench_create(CACHES);
    struct bench other =
        bench_create(SETS("hearth_icache=1", "hearth_icache_l0=4096", "hearth_gcc=16384",
                          "gpgpu_cache:il1=N:4:128:4,L:R:f:N:L,S:2:48,4"));
    run(&saved);
    char *text = bench_save(&saved, &size);
    ck_assert_int_eq(text[8], 5); /* the version */
    ck_assert_msg(bench_restore(&restored, text, size, &err) == 0, "%s", err.text);
    ck_assert_int_eq(bench_restore(&other, text, size, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "its cache of instructions has 16 ways of an L0"));
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

/* ---- lines on their way ---- */

/* A function of two lines; the second one comes to the GCC 400 cycles after the launch may hand
 * out blocks in cycle 50. */
#define STRAIGHT     "000fea00000000000000000000000000\n"
#define LINE_OF_CODE STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT STRAIGHT
#define TWO_LINES    "address 8000\ncode 16\n" LINE_OF_CODE LINE_OF_CODE
#define SECOND_LATE(latency, ...)                                                              \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "hearth_branch_latency=1", "hearth_icache=1", "hearth_icache_l0=128",                 \
         "gpgpu_cache:il1=N:1:128:1,L:R:f:N:L,S:2:48,4", "hearth_icache_stream=0",             \
         "hearth_icache_l1_latency=20", "hearth_icache_l2_latency=24", "hearth_gcc=1024",      \
         "hearth_gcc_ways=0", "hearth_gcc_ahead=65536", "hearth_gcc_ahead_interval=400",       \
         "hearth_scatter_turns=0", "gpgpu_kernel_launch_latency=" latency, __VA_ARGS__)

static const struct launch_text ends = {.code = TWO_LINES, .program = "EXIT"},
                                jumps = {.code = TWO_LINES, .program = "{1} NOP; :8 EXIT"};

static uint64_t cycles_in(struct bench *bench, const struct launch_text *text)
{
    struct sim_result result = bench_launch(bench, text);
    return result_cycles(&result);
}

/* With regions of memory that are translated, these follow in the file. */
START_TEST(on_their_way_with_pages)
{
    struct bench run = bench_create(SECOND_LATE("50", "hearth_page_walk=500")),
                 restored = bench_create(SECOND_LATE("50", "hearth_page_walk=500"));
    const struct launch_text load = {.code = "address a000\ncode 8\n" LINE_OF_CODE,
                                     .program =
                                         "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x5000 4 ]; EXIT"};
    struct error err = {0};
    size_t size;
    bench_launch(&run, &load);
    bench_launch(&run, &ends);
    char *text = bench_save(&run, &size);
    ck_assert_int_eq(text[8], 7);
    ck_assert_msg(bench_restore(&restored, text, size, &err) == 0, "%s", err.text);
    free(text);
    text = bench_save(&restored, &size);
    ck_assert_int_eq(text[8], 7);
    free(text);
    ck_assert_uint_eq(cycles_in(&restored, &jumps), cycles_in(&run, &jumps));
    ck_assert_uint_eq(cycles_in(&restored, &load), cycles_in(&run, &load));
    bench_destroy(&run);
    bench_destroy(&restored);
}
END_TEST

/* A launch ends in cycle 50 + 21 + 3, before the second line has come. The next launch jumps to
 * it: the line is still on its way, also if the state was saved and restored between them, in
 * whatever cycle. If launches take longer to begin than the line to come, the file does not
 * mention it. */
START_TEST(on_their_way)
{
    const uint64_t first = 50 + 21 + 3, second = 50 + 400 - first + 3;
    struct bench run = bench_create(SECOND_LATE("50", NULL)),
                 later = bench_create(SECOND_LATE("50", NULL)),
                 slow = bench_create(SECOND_LATE("376", NULL));
    struct error err = {0};
    size_t size;
    ck_assert_uint_eq(cycles_in(&run, &ends), first);
    char *text = bench_save(&run, &size);
    ck_assert_int_eq(text[8], 7); /* the version */
    ck_assert_uint_eq(cycles_in(&run, &jumps), second);
    cycles_in(&later, &(struct launch_text){.program = "NOP; EXIT"});
    ck_assert_msg(bench_restore(&later, text, size, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(cycles_in(&later, &jumps), second);
    free(text);
    cycles_in(&slow, &ends);
    text = bench_save(&slow, &size);
    ck_assert_int_eq(text[8], 5);
    free(text);
    bench_destroy(&run);
    bench_destroy(&later);
    bench_destroy(&slow);
}
END_TEST

/* The stream buffer asks for more lines than the launch needs. L1's port, which takes one in
 * 400 cycles, is busy with them when the next launch asks for its second line. */
START_TEST(port_is_busy)
{
    const struct launch_text other = {.code =
                                          "address a000\ncode 16\n" LINE_OF_CODE LINE_OF_CODE,
                                      .program = "{1} NOP; :8 EXIT"};
    const char *const *sets =
        SECOND_LATE("50", "hearth_gcc_interval=400", "hearth_icache_stream=4",
                    "hearth_icache_l0=1024", "hearth_gcc_ahead_interval=0");
    struct bench run = bench_create(sets), restored = bench_create(sets),
                 fresh = bench_create(sets);
    struct error err = {0};
    size_t size;
    cycles_in(&run, &ends);
    cycles_in(&restored, &(struct launch_text){.program = "NOP; EXIT"});
    char *text = bench_save(&run, &size);
    ck_assert_int_eq(text[8], 7);
    ck_assert_msg(bench_restore(&restored, text, size, &err) == 0, "%s", err.text);
    uint64_t cycles = cycles_in(&run, &other);
    ck_assert_uint_gt(cycles, cycles_in(&fresh, &other) + 400);
    ck_assert_uint_eq(cycles_in(&restored, &other), cycles);
    free(text);
    bench_destroy(&run);
    bench_destroy(&restored);
    bench_destroy(&fresh);
}
END_TEST

/* A launch of which only the name is known, between two of which the code is: its second line
 * moves to where the GCC has one. The state then has it once. */
START_TEST(moved_and_saved)
{
    const struct launch_text by_name = {.program = "{1} NOP; :8 EXIT"};
    struct bench bench = bench_create(SECOND_LATE("50", NULL));
    struct error err = {0};
    struct sim_result result;
    size_t size;
    cycles_in(&bench, &jumps);
    struct trace_kernel *kernel = test_kernel_rows(&by_name);
    ck_assert_msg(sim_functional(bench.sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    cycles_in(&bench, &jumps);
    char *text = bench_save(&bench, &size);
    ck_assert_msg(bench_restore(&bench, text, size, &err) == 0, "%s", err.text);
    free(text);
    bench_destroy(&bench);
}
END_TEST

/* The contents of a state, but for its last entry, and another one in its place: SM, cache,
 * address and cycles of a line on its way. To be freed. */
static char *with_entry(const char *state, size_t size, const uint64_t entry[4], size_t *sealed)
{
    static const unsigned bytes[4] = {4, 4, 8, 8};
    char *text;
    struct sealed_out out;
    FILE *memory = open_memstream(&text, sealed);
    sealed_out_init(&out, memory);
    sealed_write(&out, state, size - SEALED_TAIL - 24);
    for (int i = 0; i < 4; i++)
        sealed_put(&out, entry[i], bytes[i]);
    ck_assert(sealed_out_finish(&out));
    fclose(memory);
    return text;
}

/* A line on its way must be in a cache that there is, by its first address, and must come;
 * after the caches comes the port. */
START_TEST(nonsense_on_its_way)
{
    static const struct {
        uint64_t entry[4];
        bool good;
    } rows[] = {{{0, 5, 0x8080, 400}, true},  {{1, 5, 0x8080, 400}, false},
                {{0, 6, 0x8080, 400}, false}, {{0, 5, 0x9000, 400}, false},
                {{0, 5, 0x8081, 400}, false}, {{0, 5, 0x8080, UINT64_C(1) << 62}, false},
                {{0, 6, 0, 400}, true}, /* the port */
                {{0, 7, 0, 400}, false}};
    struct bench bench = bench_create(SECOND_LATE("50", NULL));
    size_t size, sealed;
    cycles_in(&bench, &ends);
    char *text = bench_save(&bench, &size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        char *other = with_entry(text, size, rows[i].entry, &sealed);
        ck_assert_int_eq(bench_restore(&bench, other, sealed, &err), rows[i].good ? 0 : -1);
        if (!rows[i].good)
            ck_assert_ptr_nonnull(strstr(err.text, "the state is inconsistent"));
        free(other);
    }
    free(text);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {ran,
                                  brought,
                                  brought_at_once,
                                  moves,
                                  moves_onto_others,
                                  warm_and_flushed,
                                  file,
                                  on_their_way,
                                  port_is_busy,
                                  moved_and_saved,
                                  on_their_way_with_pages,
                                  nonsense_on_its_way};
    return RUN_TESTS("code state", tests);
}
