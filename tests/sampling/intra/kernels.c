/* The kernel level of Photon while an application runs: launches that have the IPC of an
 * earlier one. */
#include <math.h>

#include "sampling/intra/photon/kernels.h"
#include "tests/sampling/intra/sampled.h"

/* A simulator whose launches a method watches, one after the other. */
struct series {
    struct bench bench;
    struct intra_history *history;
    struct intra_outcome outcome; /* of the last launch */
};

static struct series series_create(void)
{
    struct series series = {.bench = bench_create(NO_SETS), .history = intra_history_create()};
    ck_assert_ptr_nonnull(series.history);
    return series;
}

static void series_destroy(struct series *series)
{
    intra_history_destroy(series->history);
    bench_destroy(&series->bench);
}

static struct sim_result series_run(struct series *series, const struct launch_text *text,
                                    const char *method)
{
    struct error err = {0};
    struct intra_spec spec;
    struct sim_result result;
    ck_assert_msg(intra_parse(&spec, method, &err) == 0, "%s", err.text);
    ck_assert(intra_compares(&spec));
    struct trace_kernel *kernel = test_kernel(text), *ahead = test_kernel(text);
    struct intra *intra = intra_begin(&spec, series->bench.sim, kernel, series->history, &err);
    ck_assert_msg(intra != NULL, "%s", err.text);
    ck_assert_msg(intra_read_ahead(intra, ahead, &err) == 0, "%s", err.text);
    struct sim_hooks hooks = {.data = intra};
    intra_hook(intra, &hooks);
    ck_assert_msg(sim_launch(series->bench.sim, kernel, &hooks, &result, &err) == 0, "%s",
                  err.text);
    ck_assert_int_eq(intra_end(intra, &result, &series->outcome, &err), 0);
    intra_destroy(intra);
    trace_kernel_close(ahead);
    trace_kernel_close(kernel);
    return result;
}

static const struct launch_text few = {.blocks = 2, .program = "100 * FFMA R1 R1; EXIT"},
                                more = {.blocks = 6, .program = "100 * FFMA R1 R1; EXIT"},
                                longer = {.blocks = 2, .program = "201 * FFMA R1 R1; EXIT"},
                                other = {.blocks = 2,
                                         .program = "50 * FFMA R1 R1; 50 * FADD R1 R1; EXIT"};

/* The first launch is too small for other levels, and simulated in full. One like it, with
 * three times the warps, has its IPC and its counters, three times; its own instructions. One
 * that goes through the same instruction twice as often has its IPC, too. One that executes
 * another is simulated. */
START_TEST(launches_like_an_earlier_one)
{
    struct series series = series_create();
    struct sim_result first = series_run(&series, &few, "photon-online");
    ck_assert_str_eq(intra_check_name(series.outcome.check), "waves");
    ck_assert_uint_eq(series.outcome.blocks, 2);
    struct sim_result like = series_run(&series, &more, "photon-online");
    ck_assert_int_eq(series.outcome.check, INTRA_DONE);
    ck_assert_uint_eq(series.outcome.blocks, 0);
    ck_assert_uint_eq(series.outcome.warp_insts, 0);
    ck_assert_uint_eq(result_cycles(&like), 3 * result_cycles(&first));
    ck_assert_uint_eq(like.counters.warp_insts, 6 * 101);
    ck_assert_uint_eq(like.counters.thread_insts, 6 * 101 * 32);
    ck_assert_uint_eq(like.counters.blocks, 6);
    ck_assert_uint_eq(like.counters.warp_cycles, 3 * first.counters.warp_cycles);
    like = series_run(&series, &longer, "photon-online");
    ck_assert_uint_eq(series.outcome.blocks, 0);
    ck_assert_uint_eq(result_cycles(&like), 2 * result_cycles(&first));
    series_run(&series, &other, "photon-online");
    ck_assert_str_eq(intra_check_name(series.outcome.check), "waves");
    ck_assert_uint_eq(series.outcome.blocks, 2);
    series_destroy(&series);
}
END_TEST

/* A distance of 0 lets no launch be like another. */
START_TEST(nothing_is_nearer_than_0)
{
    struct series series = series_create();
    series_run(&series, &few, "photon-online");
    series_run(&series, &few, "photon-online:near=0");
    ck_assert_uint_eq(series.outcome.blocks, 2);
    series_destroy(&series);
}
END_TEST

/* What is remembered of a launch of an earlier process is what the launch itself leaves. */
START_TEST(remembered_launches)
{
    struct error err = {0};
    struct intra_spec spec;
    struct series one = series_create(), two = series_create();
    struct sim_result first = series_run(&one, &few, "photon-online");
    struct sim_result like = series_run(&one, &more, "photon-online");
    ck_assert_int_eq(intra_parse(&spec, "photon-online", &err), 0);
    const struct launch_text *const texts[] = {&few, &more};
    const struct sim_result *const results[] = {&first, &like};
    for (int i = 0; i < 2; i++) {
        struct trace_kernel *ahead = test_kernel(texts[i]);
        ck_assert_int_eq(
            intra_remember(&spec, two.bench.sim, ahead, two.history, results[i], &err), 0);
        trace_kernel_close(ahead);
    }
    struct sim_result same = series_run(&two, &more, "photon-online");
    ck_assert_uint_eq(two.outcome.blocks, 0);
    ck_assert_uint_eq(result_cycles(&same), result_cycles(&like));
    series_destroy(&one);
    series_destroy(&two);
}
END_TEST

/* A launch of one type of WARPS warps; they execute a basic block of INSTS instructions. */
static struct gpu_bbv bbv_of(double warps, uint64_t insts)
{
    struct photon_sample sample;
    struct gpu_bbv bbv;
    photon_sample_init(&sample, "kernel");
    photon_sample_take(&sample, 16, insts);
    ck_assert(photon_sample_end_warp(&sample, 1));
    ck_assert_double_eq(photon_sample_insts(&sample, 3), 3 * (double)insts);
    ck_assert_int_eq(gpu_bbv_init(&bbv, &sample.types), 0);
    bbv.warps = warps;
    photon_sample_finish(&sample);
    return bbv;
}

/* Of launches that are alike, the one with the closest number of warps; below the number of
 * cores, only an equal one. */
START_TEST(the_closest_number_of_warps)
{
    static const double warps[] = {100, 400, 1000, 3};
    struct photon_kernels kernels = {0};
    for (int i = 0; i < 4; i++) {
        const struct photon_kernel kernel = {.bbv = bbv_of(warps[i], 5), .cycles = warps[i]};
        ck_assert(photon_kernels_add(&kernels, &kernel));
    }
    struct gpu_bbv near = bbv_of(500, 5), small = bbv_of(4, 5), same = bbv_of(3, 5),
                   unlike = bbv_of(500, 6);
    ck_assert_double_eq(photon_kernels_find(&kernels, &near, 0.05, 8)->cycles, 400);
    ck_assert_ptr_null(photon_kernels_find(&kernels, &small, 0.05, 8));
    ck_assert_double_eq(photon_kernels_find(&kernels, &same, 0.05, 8)->cycles, 3);
    ck_assert_ptr_null(photon_kernels_find(&kernels, &unlike, 0.05, 8));
    gpu_bbv_finish(&near);
    gpu_bbv_finish(&small);
    gpu_bbv_finish(&same);
    gpu_bbv_finish(&unlike);
    photon_kernels_finish(&kernels);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {launches_like_an_earlier_one, nothing_is_nearer_than_0,
                                  remembered_launches, the_closest_number_of_warps};
    return RUN_TESTS("kernel level", tests);
}
