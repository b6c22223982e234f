/* A core model of this file, which meson.build adds to the table by one line: configuration,
 * help, error messages, launches and saved states know it. Each block takes so many cycles: */
#define TAKES 100

#include "sim/core/sm.h"
#include "tests/sim/support.h"

static void end_blocks(struct sm *sm)
{
    for (uint32_t slot = 0; slot < SM_MAX_BLOCKS; slot++) {
        const struct sm_block *block = &sm->blocks[slot];
        if (block->trace == NULL || block->about.begin + TAKES > sm->now)
            continue;
        SHARES_ADD(sm, block->launch->slot, warp_insts, block->trace->warp_count);
        sm_end_block(sm, slot);
    }
}

static bool run(struct sm *sm, uint64_t end, bool yield)
{
    while (sm->now < end) {
        end_blocks(sm);
        sm_set_clock(sm, sm->now + 1);
        if (yield && sm_has_place(sm))
            return true;
    }
    return false;
}

static void take_block(struct sm *sm, uint32_t slot)
{
    ck_assert_ptr_nonnull(sm->blocks[slot].trace);
}

static bool stuck(const struct sm *sm)
{
    return sm->blocks_used == 0;
}

const struct core_model core_model_fixed = {
    .policy = {"fixed", NULL, "each block takes 100 cycles"},
    .size = sizeof(struct sm),
    .take_block = take_block,
    .run = run,
    .stuck = stuck,
};

#define FIXED(...)                                                                             \
    SETS("hearth_core=fixed", "gpgpu_shader_cta=2", "gpgpu_n_clusters=2", __VA_ARGS__)
static const struct launch_text text = {.blocks = 9, .threads = 64, .program = "EXIT"};

/* Both SMs take a block at the ends of cycles 0 and 1; where one ends the next comes: rounds of
 * 4, 4 and 1 blocks. */
START_TEST(model)
{
    struct bench bench = bench_create(FIXED("hearth_scatter_turns=0"));
    for (int launch = 0; launch < 2; launch++) {
        struct sim_result result = bench_launch(&bench, &text);
        ck_assert_uint_eq(result_cycles(&result), 3 * TAKES + 1);
        ck_assert_uint_eq(result.counters.blocks, 9);
        ck_assert_uint_eq(result.counters.warp_insts, 18);
        ck_assert_uint_eq(result.counters.l1d_accesses, 0);
    }
    bench_destroy(&bench);
}
END_TEST

/* Saved between two launches, a simulator goes on as the other does. */
START_TEST(state)
{
    struct bench one = bench_create(FIXED("hearth_start_phase=3")),
                 two = bench_create(FIXED("hearth_start_phase=3"));
    struct error err = {0};
    char *bytes;
    size_t size;
    bench_launch(&one, &text);
    FILE *file = open_memstream(&bytes, &size);
    ck_assert_int_eq(sim_state_save(one.sim, file, "state", &err), 0);
    fclose(file);
    file = fmemopen(bytes, size, "r");
    ck_assert_msg(sim_state_load(two.sim, file, "state", &err) == 0, "%s", err.text);
    fclose(file);
    free(bytes);
    struct sim_result a = bench_launch(&one, &text), b = bench_launch(&two, &text);
    ck_assert_uint_eq(a.end_cycle, b.end_cycle);
    bench_destroy(&one);
    bench_destroy(&two);
}
END_TEST

START_TEST(help)
{
    char range[SIM_OPTION_RANGE];
    const struct sim_option_info *option = sim_option_find("hearth_core");
    ck_assert_str_eq(sim_option_range(option, range, sizeof range), "legacy, modern or fixed");
    ck_assert_str_eq(option->initial, "legacy");
}
END_TEST

START_TEST(errors)
{
    const char *source = "rtx3070", *set = "hearth_core=fxed";
    struct error err = {0};
    ck_assert_ptr_null(sim_config_create(&source, 1, &set, 1, NULL, NULL, &err));
    ck_assert_str_eq(err.text,
                     "--set hearth_core=fxed: -hearth_core: expected legacy, modern or fixed; "
                     "got 'fxed'");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {model, state, help, errors};
    return RUN_TESTS("new core", tests);
}
