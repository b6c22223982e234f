/* A scheduler of this file, which meson.build adds to the table by one line: configuration,
 * help, error messages and the model know it. */
#include "sim/core/schedulers/warp_scheduler.h"

#include "tests/sim/support.h"

struct newest {
    uint32_t chosen, issued;
};

static uint32_t issued, retired;

static uint32_t choose(void *state, const struct warp_view *warps, uint64_t ready)
{
    struct newest *newest = state;
    uint32_t best = (uint32_t)__builtin_ctzll(ready);
    for (; ready != 0; ready &= ready - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(ready);
        if (warps->age[warp] > warps->age[best])
            best = warp;
    }
    ck_assert_uint_eq(newest->chosen++, newest->issued);
    return best;
}

static void count_issued(void *state, uint32_t warp)
{
    struct newest *newest = state;
    ck_assert_uint_lt(warp, 2);
    newest->issued++;
    issued++;
}

static void count_retired(void *state, uint32_t warp)
{
    ck_assert_uint_lt(warp, 2);
    retired++;
}

const struct warp_scheduler warp_scheduler_newest = {
    .policy = {"newest", "youngest", "the warp that came to the SM last"},
    .state_size = sizeof(struct newest),
    .choose = choose,
    .issued = count_issued,
    .retired = count_retired,
};

#define ONE_SCHEDULER(policy)                                                                  \
    SETS("gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0", "gpgpu_scheduler=" policy)

/* As always_ready of issue.c: the second warp's DFMA is the first instruction, in cycle 2. */
START_TEST(model)
{
    const struct launch_text text = {.threads = 64, .program = "20 * FFMA; EXIT | DFMA; EXIT"};
    struct sim_result result = launch_on(ONE_SCHEDULER("newest"), &text);
    ck_assert_uint_eq(result_cycles(&result), 2 + 64 + 4 + 1);
    ck_assert_uint_eq(issued, 21 + 2);
    ck_assert_uint_eq(retired, 2);
    result = launch_on(ONE_SCHEDULER("youngest"), &text);
    ck_assert_uint_eq(result_cycles(&result), 2 + 64 + 4 + 1);
}
END_TEST

/* The same hooks in the modern core, and only what issues is chosen. Warp 1 issues in 3, 5, 6,
 * 8 and 13, warp 0 in 4 and 7. In 8 warp 0 does not see its counter yet, but is not the
 * youngest; from 9 on it waits for its load, whose address is made 2 cycles later than alone.
 */
START_TEST(modern)
{
    const struct launch_text text = {
        .threads = 64,
        .program = "{2} NOP; {1,w0} R1 = LDS R2 [ 4 1 0x7f0002000000 4 ]; "
                   "{2,m1} R3 = FADD R1 R2; {5} NOP; {5} EXIT"};
    issued = retired = 0;
    struct sim_result result = launch_on(
        SETS("hearth_core=modern", "gpgpu_num_sched_per_core=1", "gpgpu_sub_core_model=0",
             "gpgpu_smem_latency=19", "gpgpu_scheduler=newest"),
        &text);
    ck_assert_uint_eq(issued, 2 * 5);
    ck_assert_uint_eq(retired, 2);
    ck_assert_uint_eq(result_cycles(&result), 7 + 23 + 2 + 2 + 5 + 1);
}
END_TEST

START_TEST(help)
{
    char range[SIM_OPTION_RANGE];
    const struct sim_option_info *option = sim_option_find("gpgpu_scheduler");
    ck_assert_str_eq(sim_option_range(option, range, sizeof range),
                     "lrr, gto, oldest, cggty or newest");
    ck_assert_str_eq(sim_option_policies(option)[4]->description,
                     "the warp that came to the SM last");
}
END_TEST

START_TEST(errors)
{
    const char *source = "rtx3070", *set = "gpgpu_scheduler=newst";
    struct error err = {0};
    ck_assert_ptr_null(sim_config_create(&source, 1, &set, 1, NULL, NULL, &err));
    ck_assert_str_eq(err.text, "--set gpgpu_scheduler=newst: -gpgpu_scheduler: expected lrr, "
                               "gto, oldest, cggty or newest; got 'newst'");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {model, modern, help, errors};
    return RUN_TESTS("new scheduler", tests);
}
