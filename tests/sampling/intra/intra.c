/* Sampling inside launches, on launches made by hand: one SM, of which a launch can be known by
 * its full simulation. */
#include <math.h>

#include "sampling/intra/blocks_series.h"
#include "tests/sampling/intra/sampled.h"

static const char *const equal_blocks = "100 * FFMA R1 R1; EXIT";

/* Two blocks at a time, all alike: the projection is exact, to the cycle. */
START_TEST(constant_rate_is_exact)
{
    for (unsigned blocks = 400; blocks < 403; blocks++) {
        const struct launch_text text = {
            .blocks = blocks, .shmem = 40000, .program = equal_blocks};
        struct sampled sampled = sample_launch(&text, "blocks");
        ck_assert_uint_eq(launch_places(&text), 2);
        ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
        ck_assert_uint_lt(sampled.outcome.blocks, blocks);
        ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
    }
}
END_TEST

/* Blocks that share the SM with others, and do not begin at once: to two cycles. Counts are
 * exact. */
START_TEST(waves_of_equal_blocks)
{
    const struct launch_text one = {.blocks = 4000, .program = equal_blocks};
    unsigned wave = (unsigned)launch_places(&one);
    for (unsigned rest = 0; rest < wave; rest += wave / 2) {
        const struct launch_text text = {.blocks = 40 * wave + rest, .program = equal_blocks};
        struct sampled sampled = sample_launch(&text, "blocks");
        double error =
            (double)result_cycles(&sampled.result) - (double)result_cycles(&sampled.full);
        ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
        ck_assert_uint_lt(sampled.outcome.blocks, text.blocks / 2);
        ck_assert_double_le(fabs(error), 2);
        ck_assert_uint_eq(sampled.result.counters.warp_insts, 101 * text.blocks);
        ck_assert_uint_eq(sampled.result.counters.thread_insts, 32 * 101 * text.blocks);
        ck_assert_uint_eq(sampled.result.counters.blocks, text.blocks);
        /* Only the end is in doubt: 1.96 sqrt(1 / 6) waves of 40. */
        ck_assert_double_eq_tol(sampled.outcome.bar, 1.96 * sqrt(1.0 / 6) / 40, 0.0006);
    }
}
END_TEST

/* Half of the blocks are ten times as long: a wave's time follows from its instructions. */
START_TEST(two_kinds_of_blocks)
{
    const struct launch_text one = {.blocks = 4000, .program = equal_blocks};
    unsigned wave = (unsigned)launch_places(&one);
    char program[4096] = "";
    for (unsigned i = 0; i < 20 * wave && strlen(program) < 3900; i++)
        strcat(program, i % 3 == 0 ? "200 * FFMA R1 R1; EXIT # " : "20 * FFMA R1 R1; EXIT # ");
    strcat(program, "20 * FFMA R1 R1; EXIT");
    const struct launch_text text = {.blocks = 20 * wave, .program = program};
    struct sampled sampled = sample_launch(&text, "blocks");
    double error =
        fabs((double)result_cycles(&sampled.result) / (double)result_cycles(&sampled.full) - 1);
    ck_assert_double_le(error, sampled.outcome.bar + 1e-9);
    ck_assert_uint_eq(sampled.result.counters.warp_insts, sampled.full.counters.warp_insts);
}
END_TEST

/* A series of waves of four blocks, each with five instructions; 0: left out. */
static struct blocks_series series_of(const double *times, size_t count,
                                      struct blocks_wave *waves)
{
    for (size_t i = 0; i < count; i++)
        waves[i] = (struct blocks_wave){.insts = 5,
                                        .ended = times[i] > 0 ? 4 : 0,
                                        .time = times[i],
                                        .skipped = times[i] == 0};
    return (struct blocks_series){waves, count, 4};
}

/* Waves of 10 before the first gap, of 12 and 13 from there on: 25 % more. The one before FIRST
 * is in neither mean; all waves from the first gap on are changed. */
START_TEST(contrast_of_waves_after_gaps)
{
    static const double times[] = {99, 10, 10, 10, 0, 12, 12, 0, 0, 13, 13};
    struct blocks_wave waves[11];
    const struct blocks_series series = series_of(times, 11, waves);
    struct blocks_spread spread = blocks_series_spread(&series, 1, 11, 4);
    ck_assert_double_eq_tol(spread.contrast, 0.25, 1e-12);
    ck_assert_double_eq(spread.before, 3);
    ck_assert_double_eq(spread.after, 4);
    ck_assert_double_eq(spread.changed, 7);
    spread = blocks_series_spread(&series, 1, 4, 4); /* no gap yet */
    ck_assert_double_eq(spread.contrast, 0);
    ck_assert_double_eq(spread.changed, 0);
}
END_TEST

/* 9, 9, 11, 11 ...: successive waves differ by 2 in every second place, a variance of 1 about
 * the mean of 10; waves two apart (the root of 8) always do: twice as much. Independent waves
 * would be as far apart at any distance. */
START_TEST(variance_of_correlated_waves)
{
    static const double slow[] = {9, 9, 11, 11, 9, 9, 11, 11}, quick[] = {9, 11, 9, 11, 9, 11};
    struct blocks_wave waves[8];
    struct blocks_series series = series_of(slow, 8, waves);
    ck_assert_double_eq_tol(blocks_series_spread(&series, 0, 8, 4).v, 2.0 / 100, 1e-12);
    series = series_of(quick, 6, waves);
    ck_assert_double_eq_tol(blocks_series_spread(&series, 0, 6, 4).v, 2.0 / 100, 1e-12);
}
END_TEST

/* Differences across gaps count by themselves once there are four: 10, 12 and so on with a gap
 * between each pair of equal waves. */
START_TEST(variance_across_gaps)
{
    static const double times[] = {10, 10, 0, 12, 12, 0, 10, 10, 0, 12, 12, 0, 10, 10};
    struct blocks_wave waves[14];
    const struct blocks_series series = series_of(times, 14, waves);
    ck_assert_double_eq_tol(blocks_series_spread(&series, 0, 14, 4).v, 2.0 / (10.8 * 10.8),
                            1e-12);
}
END_TEST

/* Halves that differ by 20 % where waves differ by 1 %, and by 20 % where they differ by 20. */
START_TEST(drift_before_the_first_gap)
{
    static const double drifting[] = {10, 10.1, 10, 10.1, 12, 12.1, 12, 12.1, 12, 12.1},
                        noisy[] = {10, 12, 9, 11, 13, 10, 14, 11};
    struct blocks_wave waves[10];
    struct blocks_series series = series_of(drifting, 10, waves);
    ck_assert(blocks_series_drifts(&series, 0, 8, 4, 0.006));
    ck_assert(!blocks_series_drifts(&series, 0, 8, 4, 0.5));
    ck_assert(!blocks_series_drifts(&series, 4, 10, 4, 0.006));
    series = series_of(noisy, 8, waves);
    ck_assert(!blocks_series_drifts(&series, 0, 8, 4, 0.006));
}
END_TEST

/* Below four waves the method refuses, and the launch is what it is in full. */
START_TEST(few_waves_are_refused)
{
    const struct launch_text one = {.blocks = 4000, .program = equal_blocks};
    const struct launch_text text = {.blocks = 4 * (unsigned)launch_places(&one) - 1,
                                     .program = equal_blocks};
    struct sampled sampled = sample_launch(&text, "blocks");
    ck_assert_str_eq(intra_check_name(sampled.outcome.check), "waves");
    ck_assert_uint_eq(sampled.outcome.blocks, text.blocks);
    ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
    ck_assert_int_eq(
        memcmp(&sampled.result.counters, &sampled.full.counters, sizeof sampled.full.counters),
        0);
}
END_TEST

/* Four waves and more are not, however few may be left out. */
START_TEST(four_waves_are_not)
{
    const struct launch_text one = {.blocks = 4000, .program = equal_blocks};
    unsigned wave = (unsigned)launch_places(&one);
    for (unsigned waves = 4; waves < 12; waves++) {
        const struct launch_text text = {.blocks = waves * wave, .program = equal_blocks};
        struct sampled sampled = sample_launch(&text, "blocks");
        ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
        ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
    }
}
END_TEST

/* ---- pkp ---- */

struct series {
    struct sim_interval of[4096];
    uint32_t count;
};

static void keep(void *data, const struct sim_interval *interval)
{
    struct series *series = data;
    ck_assert_uint_lt(series->count, 4096);
    series->of[series->count++] = *interval;
}

/* The launch's samples of 20 cycles, in full. */
static void take_series(const struct launch_text *text, struct series *series)
{
    const struct sim_hooks hooks = {.interval_ended = keep, .interval = 20, .data = series};
    series->count = 0;
    launch_hooked(text, &hooks);
}

/* The standard deviation of the COUNT values that end at AT, over their mean if RELATIVE. */
static double spread(const double *at, unsigned count, bool relative)
{
    double sum = 0, squares = 0;
    for (unsigned i = 0; i < count; i++)
        sum += at[-(int)i];
    for (unsigned i = 0; i < count; i++)
        squares += (at[-(int)i] - sum / count) * (at[-(int)i] - sum / count);
    return sqrt(squares / (count - 1)) / (relative ? sum / count : 1);
}

/* Stops at the first sample at which the last six IPC deviate by less than 2, and more than a
 * wave has ended; what has been simulated is scaled by blocks. */
START_TEST(pkp_follows_the_paper)
{
    static struct series series;
    const struct launch_text text = {.blocks = 400, .program = equal_blocks};
    double ipc[4096], wave = (double)launch_places(&text);
    uint64_t done = 0, insts = 0;
    take_series(&text, &series);
    struct sampled sampled = sample_launch(&text, "pkp:step=20:window=120:threshold=2");
    for (uint32_t i = 0; i < series.count; i++) {
        done += series.of[i].counters.blocks;
        insts += series.of[i].counters.warp_insts;
        ipc[i] = (double)series.of[i].counters.thread_insts / 20;
        if (i < 5 || (double)done <= wave || spread(&ipc[i], 6, false) >= 2)
            continue;
        double cycles = (double)series.of[i].end * 400 / (double)done;
        ck_assert_uint_eq(result_cycles(&sampled.result), (uint64_t)(cycles + 0.5));
        ck_assert_uint_ge(sampled.outcome.warp_insts, insts);
        ck_assert_uint_lt(sampled.outcome.blocks, 400);
        return;
    }
    ck_abort_msg("never stable");
}
END_TEST

/* The script: IPC since the beginning; the two conditions need not hold at once; blocks of
 * earlier samples, plus one. */
START_TEST(pkp_follows_the_script)
{
    static struct series series;
    const struct launch_text text = {.blocks = 400, .program = equal_blocks};
    double ipc[4096], wave = (double)launch_places(&text);
    uint64_t done = 0, before = 0, insts = 0;
    bool stable = false, enough = false;
    take_series(&text, &series);
    struct sampled sampled =
        sample_launch(&text, "pkp-artifact:step=20:window=120:threshold=2");
    for (uint32_t i = 0; i < series.count; i++) {
        before = done;
        done += series.of[i].counters.blocks;
        insts += series.of[i].counters.thread_insts;
        ipc[i] = (double)insts / (double)series.of[i].end;
        stable |= i >= 5 && 100 * spread(&ipc[i], 6, true) < 2;
        enough |= (double)before >= wave;
        if (!stable || !enough)
            continue;
        double cycles = (double)series.of[i].end * 400 / (double)(before + 1);
        ck_assert_uint_eq(result_cycles(&sampled.result), (uint64_t)(cycles + 0.5));
        return;
    }
    ck_abort_msg("never stable");
}
END_TEST

/* A threshold of 0 never holds: the launch is simulated in full, and says why. */
START_TEST(pkp_that_never_stops)
{
    const struct launch_text text = {.blocks = 60, .program = equal_blocks};
    struct sampled sampled = sample_launch(&text, "pkp:threshold=0");
    ck_assert_str_eq(intra_check_name(sampled.outcome.check), "stable");
    ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
}
END_TEST

/* A text trace does not know its instructions before it has been read. */
START_TEST(pkp_photon_needs_counts)
{
    const struct launch_text text = {.blocks = 60, .program = equal_blocks};
    ck_assert_str_eq(intra_check_name(sample_launch(&text, "pkp-photon").outcome.check),
                     "counts");
}
END_TEST

/* ---- names ---- */

static void refuses(const char *text, const char *message)
{
    struct error err = {0};
    struct intra_spec spec;
    ck_assert_int_eq(intra_parse(&spec, text, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_msg(strstr(err.text, message) != NULL, "%s", err.text);
}

START_TEST(names_and_options)
{
    struct error err = {0};
    struct intra_spec spec;
    ck_assert_int_eq(intra_parse(&spec, "blocks:bound=0.01:warm=1", &err), 0);
    ck_assert_str_eq(intra_name(&spec), "blocks");
    ck_assert(intra_warms(&spec));
    ck_assert_double_eq(spec.values[INTRA_BOUND], 0.01);
    ck_assert_int_eq(intra_parse(&spec, "blocks", &err), 0); /* while the launch runs */
    ck_assert(!intra_warms(&spec));
    ck_assert_double_eq(spec.values[INTRA_WARM], INTRA_WARM_WITHIN);
    ck_assert_double_eq(spec.values[INTRA_CONFIDENCE], 0.95);
    refuses("block", "expected one of blocks");
    refuses("block", "did you mean blocks?");
    refuses("blocks:step=3", "no option \"step\"; it has bound=");
    refuses("blocks:bound=2", "bound=2: expected a number from 1e-06 to 1");
    refuses("blocks:bound", "bound=: expected a number");
    refuses("", "expected one of");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {waves_of_equal_blocks,        constant_rate_is_exact,
                                  two_kinds_of_blocks,          contrast_of_waves_after_gaps,
                                  variance_of_correlated_waves, variance_across_gaps,
                                  drift_before_the_first_gap,   few_waves_are_refused,
                                  four_waves_are_not,           pkp_follows_the_paper,
                                  pkp_follows_the_script,       pkp_that_never_stops,
                                  pkp_photon_needs_counts,      names_and_options};
    return RUN_TESTS("intra", tests);
}
