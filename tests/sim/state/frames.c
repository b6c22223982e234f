/* Block frames of L2: which share of the time they are dead, and what would have been there. */
#include "sim/state/frames.h"
#include "sim/simulator.h"
#include "tests/sim/support.h"

/* A simulator with an L2 of so many sets and ways. */
#define BENCH(sets, ways)                                                                      \
    bench_create(SETS("gpgpu_n_mem=1", "gpgpu_n_sub_partition_per_mchannel=1",                 \
                      "gpgpu_perf_sim_memcpy=1",                                               \
                      "gpgpu_cache:dl2=S:" sets ":128:" ways ",L:B:m:L:L,A:192:4,32:0,32"))

/* Accesses the lines of TEXT, a letter each. */
static struct sim_frames *frames_of(const struct bench *bench, const char *text)
{
    struct error err = {0};
    struct sim_frames *frames = sim_frames_create(bench->sim, &err);
    ck_assert_msg(frames != NULL, "%s", err.text);
    for (; *text != '\0'; text++)
        frames_access(frames, 0, 0, (uint64_t)*text * 128);
    return frames;
}

/* Sectors of SIM's L2. */
static uint32_t held(struct sim *sim)
{
    const struct tags *tags = &engine_slice(&sim->engine, 0)->cache.tags;
    uint32_t count = 0;
    for (uint32_t i = 0; i < tags->spec.sets * tags->max_ways; i++)
        count += (uint32_t)__builtin_popcount(tags->lines[i].valid);
    return count;
}

/* Worked out by hand, in a set of two frames:
 *
 *   access    0 1 2 3 4 5 6 7
 *   line      A B A C A D D E
 *
 * C replaces B, which came at 1 and was not used again: dead from 1 to 3. D replaces C: dead
 * from 3 to 5. E replaces A, which came at 0 and was last used at 4: live for 4, dead from 4 to
 * 7. D and E are still there and do not count. */
START_TEST(dead_share)
{
    struct bench bench = BENCH("1", "2");
    struct sim_frames *frames = frames_of(&bench, "ABACADDE");
    ck_assert_double_eq_tol(sim_frames_dead(frames), 7.0 / 11, 1e-12);
    sim_frames_destroy(frames);
    bench_destroy(&bench);
}
END_TEST

/* What replaces nothing was there; what is used once before it is replaced was not. */
START_TEST(all_or_nothing)
{
    struct bench bench = BENCH("1", "2");
    struct sim_frames *frames = frames_of(&bench, "ABAB");
    ck_assert_double_eq(sim_frames_dead(frames), 0);
    sim_frames_place(frames, bench.sim);
    ck_assert_uint_eq(held(bench.sim), 2);
    sim_frames_destroy(frames);
    frames = frames_of(&bench, "ABCDEF");
    ck_assert_double_eq(sim_frames_dead(frames), 1);
    sim_frames_place(frames, bench.sim);
    ck_assert_uint_eq(held(bench.sim), 0);
    sim_frames_destroy(frames);
    bench_destroy(&bench);
}
END_TEST

/* Of many lines, the share that is not dead was there: in each of 1,024 sets of two frames,
 * lines as in dead_share(). Times are 1,024 times as long, which does not change the share. */
START_TEST(share_of_lines)
{
    struct error err = {0};
    struct bench bench = BENCH("1024", "2");
    struct sim_frames *frames = sim_frames_create(bench.sim, &err);
    for (const char *line = "ABACADDE"; *line != '\0'; line++)
        for (uint64_t set = 0; set < 1024; set++)
            frames_access(frames, 0, (uint32_t)set, ((uint64_t)*line * 1024 + set) * 128);
    ck_assert_double_eq_tol(sim_frames_dead(frames), 7.0 / 11, 1e-12);
    sim_frames_place(frames, bench.sim);
    /* Of 2,048 lines 745 are expected, with a standard deviation of 22. */
    ck_assert_uint_ge(held(bench.sim), 745 - 66);
    ck_assert_uint_le(held(bench.sim), 745 + 66);
    sim_frames_destroy(frames);
    bench_destroy(&bench);
}
END_TEST

/* A functional launch tells them of what misses L1, sector by sector. */
START_TEST(launches_tell)
{
    struct bench bench = BENCH("1", "2");
    struct error err = {0};
    struct sim_frames *frames = sim_frames_create(bench.sim, &err);
    const struct launch_text load = {
        .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; R3 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"};
    struct sim_result result;
    struct trace_kernel *kernel = test_kernel_rows(&load);
    sim_frames_watch(bench.sim, frames);
    ck_assert_msg(sim_functional(bench.sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    sim_frames_watch(bench.sim, NULL);
    trace_kernel_close(kernel);
    ck_assert_double_eq(sim_frames_dead(frames), 0);
    sim_frames_place(frames, bench.sim);
    ck_assert_uint_eq(held(bench.sim), 4);
    sim_frames_destroy(frames);
    bench_destroy(&bench);
}
END_TEST

/* In a set of four frames, launch 0 uses lines A to D, 1 uses A, 2 brings E in the place of B,
 * and 3 B and F in those of C and D. 4 finds E, which one of the last two could have replaced;
 * 5 finds it again, and nothing has been replaced since; 6 finds B, which F could have
 * replaced. After each launch, the next one's way back to the last use of the oldest line but
 * one: of B, C, D (0), E (2), B, B (3), and F (3). Then a copy to G replaces A (1), and that
 * line is E (5). */
START_TEST(order_goes_back)
{
    static const struct {
        const char *lines;
        bool matters;
        uint32_t back;
    } launches[] = {{"ABCD", false, 1}, {"A", false, 2}, {"E", true, 3}, {"BF", true, 2},
                    {"E", true, 2},     {"E", false, 3}, {"B", true, 4}};
    struct error err = {0};
    struct bench bench = BENCH("1", "4");
    struct sim_frames *frames = frames_of(&bench, "");
    ck_assert_uint_eq(sim_frames_sets(frames), 1);
    ck_assert_int_eq(sim_frames_begin(frames, &err), 0);
    ck_assert_uint_eq(sim_frames_back(frames, 0), 0);
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        for (const char *line = launches[i].lines; *line != '\0'; line++)
            frames_access(frames, 0, 0, (uint64_t)*line * 128);
        ck_assert_msg(sim_frames_matters(frames, 0) == launches[i].matters, "launch %zu", i);
        ck_assert_int_eq(sim_frames_begin(frames, &err), 0);
        ck_assert_uint_eq(sim_frames_back(frames, 0), launches[i].back);
    }
    sim_frames_watch(bench.sim, frames);
    sim_copy(bench.sim, 'G' * 128, 1, false);
    sim_frames_watch(bench.sim, NULL);
    ck_assert(sim_frames_matters(frames, 0));
    ck_assert_uint_eq(sim_frames_back(frames, 0), 2);
    sim_frames_destroy(frames);
    bench_destroy(&bench);
}
END_TEST

/* The only frame of a set: of two lines that one launch uses, the order decides which is there,
 * so the next launches go back to it. */
START_TEST(one_way_goes_back)
{
    struct error err = {0};
    struct bench bench = BENCH("1", "1");
    struct sim_frames *frames = frames_of(&bench, "");
    ck_assert_int_eq(sim_frames_begin(frames, &err), 0);
    frames_access(frames, 0, 0, 'A' * 128);
    frames_access(frames, 0, 0, 'B' * 128);
    ck_assert_int_eq(sim_frames_begin(frames, &err), 0);
    ck_assert_int_eq(sim_frames_begin(frames, &err), 0);
    ck_assert_uint_eq(sim_frames_back(frames, 0), 2);
    frames_access(frames, 0, 0, 'B' * 128);
    ck_assert(sim_frames_matters(frames, 0));
    sim_frames_destroy(frames);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {dead_share,    all_or_nothing,  share_of_lines,
                                  launches_tell, order_goes_back, one_way_goes_back};
    return RUN_TESTS("frames", tests);
}
