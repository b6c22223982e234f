/* The levels of Photon inside a launch. */
#include <math.h>

#include "sampling/intra/photon/basics.h"
#include "sampling/intra/photon/interval.h"
#include "sampling/intra/photon/ratio.h"
#include "sampling/intra/photon/window.h"
#include "tests/sampling/intra/sampled.h"

/* ---- the window ---- */

/* The slope of the SIZE points up to AT, by its definition. */
static double slope_of(const struct photon_point *at, int size, bool reverse)
{
    double x = 0, y = 0, above = 0, below = 0;
    for (int i = 0; i < size; i++) {
        x += (double)at[-i].begin / size;
        y += (double)at[-i].end / size;
    }
    for (int i = 0; i < size; i++) {
        double begin = (double)at[-i].begin - x, end = (double)at[-i].end - y;
        above += begin * end;
        below += reverse ? end * end : begin * begin;
    }
    return below > 0 ? above / below : 0;
}

static double mean_of(const struct photon_point *at, int size)
{
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += (double)(at[-i].end - at[-i].begin);
    return sum / size;
}

/* Times that grow, then stay, then jump: slope and decision are those of the definition at each
 * point, also late in a long launch. */
START_TEST(window_follows_the_definition)
{
    static const int size = 16;
    struct photon_window window = {.size = 16, .reverse = _i > 1};
    struct photon_point points[400];
    unsigned stable = 0;
    for (int i = 0; i < 400; i++) {
        uint64_t begin =
            (_i % 2 ? 4000000000000 : 0) + 13 * (uint64_t)i + (uint64_t)(i * i % 7);
        uint64_t time = 500 + (i < 100 ? 3 * (uint64_t)i : i < 250 ? 300 : 340);
        points[i] = (struct photon_point){begin, begin + time + (uint64_t)(i * 5 % 11)};
        ck_assert(photon_window_add(&window, points[i], 0.03));
        if (i + 1 < 2 * size) {
            ck_assert(!window.stable);
            continue;
        }
        double slope = slope_of(&points[i], size, _i > 1), mean = mean_of(&points[i], size),
               all = mean_of(&points[i], 2 * size);
        ck_assert_double_eq_tol(window.slope, slope, 1e-6);
        ck_assert_double_eq_tol(photon_window_mean(&window), mean, 1e-9);
        window.both = true;
        ck_assert_double_eq_tol(photon_window_mean(&window), all, 1e-9);
        window.both = false;
        ck_assert_int_eq(window.stable,
                         fabs(slope - 1) <= 0.03 && fabs(mean - all) <= 0.03 * all);
        stable += window.stable;
    }
    ck_assert_uint_gt(stable, 100);
    ck_assert_uint_lt(stable, 300);
    photon_window_finish(&window);
}
END_TEST

/* One execution ends every cycle, in turn after 75 and 125 cycles: begins are 25 cycles after
 * and before those of even times. Of 16, the squares of ends are 16 x 255 / 12 = 340; as every
 * second end is a cycle later, products are 340 - 25 x 8 = 140, and the squares of begins 340 -
 * 2 x 25 x 8 + 16 x 25^2 = 9940. Of 400 likewise, which
 * end in four times as long as one takes: even then the paper's slope is 0.956. */
START_TEST(spread_of_times_hides_stability)
{
    static const double expected[] = {140.0 / 9940, 140.0 / 340, 5328300.0 / 5573300,
                                      5328300.0 / 5333300};
    for (int way = 0; way < 4; way++) {
        struct photon_window window = {.size = way / 2 ? 400 : 16, .reverse = way % 2};
        for (unsigned i = 0; i < 1000; i++) {
            const struct photon_point point = {1000 + i - (i % 2 ? 125 : 75), 1000 + i};
            ck_assert(photon_window_add(&window, point, 0.03));
        }
        ck_assert_double_eq_tol(window.slope, expected[way], 1e-9);
        ck_assert_int_eq(window.stable, way == 3);
        photon_window_finish(&window);
    }
}
END_TEST

/* Two basic blocks, with windows of 4: the first is stable after eight even executions, and not
 * any more once it takes twice as long. It still counts when the second one is stable. */
START_TEST(stable_basic_blocks_add_up)
{
    struct photon_basics basics = {0};
    for (unsigned i = 0; i < 28; i++) {
        struct photon_basic *basic = photon_basics_find(&basics, i < 16 ? 0 : 64, 4);
        uint64_t begin = 10 * i, time = i < 8 || i >= 16 ? 100 : 200 + 50 * (i % 3);
        basic->weight = i < 16 ? 30 : 12;
        basic->window.size = 4;
        ck_assert(photon_basics_time(&basics, basic, (struct photon_point){begin, begin + time},
                                     0.03));
        ck_assert_double_eq(basics.stable, i < 7 ? 0 : i < 16 + 7 ? 30 : 42);
        ck_assert_int_eq(basic->window.stable, (i >= 7 && i < 8) || i >= 16 + 7);
    }
    photon_basics_finish(&basics);
}
END_TEST

/* Three blocks, of which the last two count: 300 cycles where 200 were predicted. One of which
 * nothing was predicted does not. */
START_TEST(blocks_take_longer_than_predicted)
{
    struct photon_ratio ratio;
    ck_assert(photon_ratio_init(&ratio, 4, 2));
    ck_assert_double_eq(photon_ratio_of(&ratio), 1);
    for (unsigned i = 0; i < 3; i++)
        photon_ratio_begin(&ratio, i, i == 0 ? 1000 : 100);
    photon_ratio_end(&ratio, 0, 1100);
    ck_assert_double_eq_tol(photon_ratio_of(&ratio), 1.1, 1e-12);
    photon_ratio_end(&ratio, 2, 120);
    photon_ratio_end(&ratio, 3, 5000);
    photon_ratio_end(&ratio, 1, 180);
    ck_assert_double_eq_tol(photon_ratio_of(&ratio), 1.5, 1e-12);
    photon_ratio_finish(&ratio);
}
END_TEST

/* ---- the interval model ---- */

/* R1 = LDG; R2 = R1 + R1; R3 = R3 + R3; EXIT, by hand: the load issues at 0 and comes at 100,
 * the sum at 100 + 6, the other one at 101, EXIT at 102; the last result is there at 107. */
START_TEST(interval_model)
{
    const struct launch_text text = {
        .program = "R1 = LDG.E R8 [ 4 1 0x1000 4 ]; R2 = FADD R1 R1; R3 = FADD R3 R3; EXIT"};
    struct error err = {0};
    struct photon_code code = {0};
    struct photon_latencies latencies = {0};
    const struct sim_places places = {.alu_cycles = 6, .l1_cycles = 100};
    struct trace_kernel *kernel = test_kernel(&text);
    struct trace_block *block;
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
    ck_assert(photon_code_learn(&code, kernel));
    struct photon_run run = {.insts = 4, .first = block->warps[0].at};
    ck_assert_double_eq(photon_interval(&latencies, &places, &code, &run), 107);
    run.insts = 3; /* what follows may issue at once */
    ck_assert_double_eq(photon_interval(&latencies, &places, &code, &run), 102);
    uint8_t load = trace_inst_type(&code.insts[block->warps[0].at->inst]);
    latencies.types[load].count = 4;
    latencies.types[load].cycles = 1000;
    ck_assert_double_eq(photon_interval(&latencies, &places, &code, &run), 252);
    photon_code_finish(&code);
    trace_block_release(block);
    trace_kernel_close(kernel);
}
END_TEST

/* ---- the warp level ---- */

struct ends {
    struct sim_block of[1024];
    uint32_t count;
};

static void keep_end(void *data, const struct sim_block *block)
{
    struct ends *ends = data;
    ck_assert_uint_lt(ends->count, 1024);
    ends->of[ends->count++] = *block;
}

static void take_ends(const struct launch_text *text, struct ends *ends)
{
    const struct sim_hooks hooks = {.warp_ended = keep_end, .data = ends};
    ends->count = 0;
    launch_hooked(text, &hooks);
}

/* Two blocks at a time that always take the same time: once the SM is full, the 2 N-th warp to
 * retire triggers, N = 8. Blocks that began before this is told are simulated. */
START_TEST(slope_of_one_triggers_at_the_right_warp)
{
    static struct ends ends;
    const struct launch_text text = {
        .blocks = 100, .shmem = 40000, .program = "2000 * FFMA R1 R1; EXIT"};
    take_ends(&text, &ends);
    ck_assert_uint_eq(ends.count, 100);
    uint32_t trigger = 1 + 2 * 8 - 1; /* block 0 began before the SM was full */
    uint64_t begun = 0;
    for (uint32_t i = 0; i < ends.count; i++)
        begun += ends.of[i].begin <= ends.of[trigger].end;
    struct sampled sampled = sample_launch(&text, "photon-warp:warps=8");
    ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
    ck_assert_uint_ge(sampled.outcome.blocks, trigger + 1);
    ck_assert_uint_le(sampled.outcome.blocks, begun + 2);
    ck_assert_double_lt(fabs(sampled_error(&sampled)), 0.002);
    ck_assert_uint_eq(sampled.result.counters.warp_insts, sampled.full.counters.warp_insts);
    ck_assert_double_le(sampled.outcome.stability, 0.03);
}
END_TEST

/* With wave=1, the window is as large as what the SM holds, here one warp a block, and begins
 * with what ends once so many blocks have begun since the SM was full. */
START_TEST(windows_as_large_as_a_wave)
{
    const struct launch_text text = {
        .blocks = 100, .shmem = 12000, .program = "2000 * FFMA R1 R1; EXIT"};
    char method[64];
    uint64_t places = launch_places(&text);
    ck_assert_uint_ge(places, 4);
    snprintf(method, sizeof method, "photon-warp:warps=%u:wave=1", (unsigned)places);
    struct sampled small = sample_launch(&text, "photon-warp:warps=2");
    struct sampled wave = sample_launch(&text, "photon-warp:warps=2:wave=1");
    struct sampled same = sample_launch(&text, method);
    ck_assert_int_eq(wave.outcome.check, INTRA_DONE);
    ck_assert_uint_eq(wave.outcome.blocks, same.outcome.blocks);
    ck_assert_uint_eq(result_cycles(&wave.result), result_cycles(&same.result));
    ck_assert_uint_ge(wave.outcome.blocks, 3 * places);
    ck_assert_uint_lt(small.outcome.blocks, wave.outcome.blocks);
}
END_TEST

/* Times swing: ten blocks wait longer for their instructions than the next ten. A window of a
 * few warps is stable within a swing; with part=0.5, two windows take half of the launch. So do
 * those of basic blocks, of which each warp executes one several times. */
START_TEST(windows_as_large_as_a_part)
{
    static char program[32768];
    program[0] = 0;
    for (unsigned i = 0; i < 400; i++)
        strcat(program,
               i / 10 % 2 ? "200 * R1 = FFMA R1 R1; BRA; :0 200 * R1 = FFMA R1 R1; BRA; EXIT # "
                          : "200 * FFMA R1 R1; BRA; :0 200 * FFMA R1 R1; BRA; EXIT # ");
    strcat(program, "EXIT");
    const struct launch_text text = {.blocks = 400, .shmem = 40000, .program = program};
    static const char *const levels[] = {"photon-warp:warps=4:share=0", "photon-bb:basics=4"};
    for (unsigned i = 0; i < 2; i++) {
        char method[64];
        snprintf(method, sizeof method, "%s:part=0.5", levels[i]);
        struct sampled small = sample_launch(&text, levels[i]);
        struct sampled part = sample_launch(&text, method);
        ck_assert_int_eq(part.outcome.check, INTRA_DONE);
        ck_assert_double_gt(fabs(sampled_error(&small)), 0.1);
        ck_assert_double_lt(fabs(sampled_error(&part)), 0.05);
        ck_assert_uint_gt(part.outcome.blocks, 180);
        ck_assert_uint_lt(part.outcome.blocks, 280);
    }
}
END_TEST

/* One block in eight takes twenty times as long. Of those that began since the SM was full, the
 * short ones end first: with a small window their mean counts for all. */
START_TEST(short_blocks_end_first)
{
    static char program[8192];
    program[0] = 0;
    for (unsigned i = 0; i < 160; i++)
        strcat(program,
               i % 8 == 3 ? "4000 * FFMA R1 R1; EXIT # " : "200 * FFMA R1 R1; EXIT # ");
    strcat(program, "EXIT");
    const struct launch_text text = {.blocks = 160, .shmem = 12000, .program = program};
    struct sampled sampled = sample_launch(&text, "photon-warp:warps=4:share=0:delta=1");
    struct sampled wave = sample_launch(&text, "photon-warp:warps=32:wave=1:share=0:delta=1");
    ck_assert_int_eq(wave.outcome.check, INTRA_DONE);
    ck_assert_double_lt(sampled_error(&sampled), -0.2);
    ck_assert_double_lt(fabs(sampled_error(&wave)), 0.15);
}
END_TEST

/* Every block takes longer than the one before it: warps retire more slowly than they begin. */
START_TEST(slope_above_one_does_not)
{
    static char program[8192];
    size_t used = 0;
    for (unsigned i = 1; i <= 90; i++)
        used += (size_t)snprintf(program + used, sizeof program - used,
                                 "%u * FFMA R1 R1; EXIT # ", 40 * i);
    snprintf(program + used, sizeof program - used, "EXIT");
    const struct launch_text text = {.blocks = 90, .shmem = 40000, .program = program};
    struct sampled sampled = sample_launch(&text, "photon-warp:warps=8:share=0");
    ck_assert_str_eq(intra_check_name(sampled.outcome.check), "stable");
    ck_assert_uint_eq(result_cycles(&sampled.result), result_cycles(&sampled.full));
}
END_TEST

/* Two types of warp, one as frequent as the other: refused, unless the share is enough. */
START_TEST(types_of_warps)
{
    const struct launch_text text = {.blocks = 100,
                                     .threads = 64,
                                     .shmem = 40000,
                                     .program =
                                         "2000 * FFMA R1 R1; EXIT | 2001 * FFMA R1 R1; EXIT"};
    struct sampled refused = sample_launch(&text, "photon-warp:warps=8");
    ck_assert_str_eq(intra_check_name(refused.outcome.check), "types");
    ck_assert_uint_eq(result_cycles(&refused.result), result_cycles(&refused.full));
    ck_assert_int_eq(sample_launch(&text, "photon-warp:warps=8:share=0.5").outcome.check,
                     INTRA_DONE);
}
END_TEST

/* ---- the basic-block level ---- */

/* PROGRAM with COUNT FFMA instead of each '%'; lives until the next call. */
static const char *filled(const char *program, unsigned count)
{
    static char text[65536];
    size_t used = 0;
    for (; *program != 0; program++)
        for (unsigned i = 0; i < (*program == '%' ? count : 1); i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s",
                                     *program == '%' ? 12 : 1,
                                     *program == '%' ? "FFMA R1 R1; " : program);
    return text;
}

/* Basic blocks of 21, 41, 41, 41 and 21 instructions: the first one twice. */
static const char *loop(void)
{
    return filled("% BRA; :0 % BRA; % % BAR.SYNC; % % BRA; % % BRA; % EXIT", 20);
}

/* Two blocks at a time whose basic blocks always take the same time. */
START_TEST(equal_basic_blocks)
{
    const struct launch_text text = {.blocks = 200, .shmem = 40000, .program = loop()};
    struct sampled sampled = sample_launch(&text, "photon-bb:basics=8");
    ck_assert_int_eq(sampled.outcome.check, INTRA_DONE);
    ck_assert_uint_lt(sampled.outcome.blocks, 30);
    ck_assert_double_lt(fabs(sampled_error(&sampled)), 0.01);
    ck_assert_uint_eq(sampled.result.counters.warp_insts, sampled.full.counters.warp_insts);
}
END_TEST

/* Blocks that are longer have more of the same basic blocks: their sums tell them apart, while
 * the mean time of a warp does not. */
START_TEST(basic_blocks_tell_long_warps)
{
    static const char *const four = "%%% BRA; :0 %%% BRA; :0 %%% BRA; :0 %%% BRA; EXIT";
    static char program[4096];
    program[0] = 0;
    for (unsigned i = 0; i < 60; i++)
        strcat(program, "%%% BRA; EXIT # ");
    strcat(program, four);
    const struct launch_text text = {
        .blocks = 120, .shmem = 40000, .program = filled(program, 24)};
    struct sampled basic = sample_launch(&text, "photon-bb:basics=8");
    struct sampled warp = sample_launch(&text, "photon-warp:warps=8:share=0.5");
    ck_assert_int_eq(basic.outcome.check, INTRA_DONE);
    ck_assert_int_eq(warp.outcome.check, INTRA_DONE);
    ck_assert_double_lt(fabs(sampled_error(&basic)), 0.05);
    ck_assert_double_lt(sampled_error(&warp), -0.3);
}
END_TEST

/* Both levels: the window of warps is full first. */
START_TEST(both_levels)
{
    const struct launch_text text = {.blocks = 200, .shmem = 40000, .program = loop()};
    struct sampled warp = sample_launch(&text, "photon-warp:warps=4");
    struct sampled basic = sample_launch(&text, "photon-bb:basics=8");
    struct sampled both = sample_launch(&text, "photon:warps=4:basics=8");
    ck_assert_uint_lt(warp.outcome.blocks, basic.outcome.blocks);
    ck_assert_uint_eq(both.outcome.blocks, warp.outcome.blocks);
    ck_assert_uint_eq(result_cycles(&both.result), result_cycles(&warp.result));
    ck_assert_uint_eq(sample_launch(&text, "photon:warps=80:basics=8").outcome.blocks,
                      basic.outcome.blocks);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {interval_model,
                                  spread_of_times_hides_stability,
                                  stable_basic_blocks_add_up,
                                  blocks_take_longer_than_predicted,
                                  short_blocks_end_first,
                                  windows_as_large_as_a_wave,
                                  windows_as_large_as_a_part,
                                  slope_of_one_triggers_at_the_right_warp,
                                  slope_above_one_does_not,
                                  types_of_warps,
                                  equal_basic_blocks,
                                  basic_blocks_tell_long_warps,
                                  both_levels};
    const TTest *const loops[] = {window_follows_the_definition};
    return RUN_LOOPS("photon", tests, loops, 4);
}
