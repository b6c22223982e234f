/* Which SMs get the first blocks of a launch where the first TPCs are visited more often than
 * GPCs (-hearth_gpc_first_every): worked out by hand. Eight SMs in TPCs of two, four in each of
 * two GPCs; SMs 0 and 1 come first, the second GPC is SMs 4 to 7, and the rest of the first
 * one, SMs 2 and 3, comes last unless the turn begins elsewhere. */
#include "tests/sim/support.h"

#define MOST 20

#define VISITS(...)                                                                            \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "gpgpu_n_clusters=8", "hearth_gpcs=2", \
         "hearth_tpc=2", "hearth_gpc_blocks=1", "hearth_gpc_first=1",                          \
         "hearth_block_interval=50", "gpgpu_shader_cta=8", __VA_ARGS__)

#define LEGACY "hearth_core=legacy", "gpgpu_scheduler=gto"

struct noted {
    uint32_t sms[MOST];
    uint64_t begins[MOST], ends[MOST];
    uint64_t warp_cycles;
};

static enum sim_block_choice note(void *data, const struct sim_block *block, uint64_t *cycles)
{
    struct noted *noted = data;
    (void)cycles;
    noted->sms[block->order] = block->sm;
    noted->begins[block->order] = block->begin;
    return SIM_BLOCK_RUN;
}

static void note_end(void *data, const struct sim_block *block)
{
    struct noted *noted = data;
    ck_assert_uint_eq(noted->begins[block->order], block->begin);
    noted->ends[block->order] = block->end;
}

static struct noted launch_of(const char *const *sets, unsigned blocks, const char *program,
                              bool timed)
{
    struct bench bench = bench_create(sets);
    struct trace_kernel *kernel =
        test_kernel(&(struct launch_text){.blocks = blocks, .program = program});
    struct noted noted = {0};
    const struct sim_hooks hooks = {
        .block_begins = note, .block_ended = note_end, .data = &noted};
    struct sim_result result;
    struct error err = {0};
    int status =
        (timed ? sim_launch : sim_functional)(bench.sim, kernel, &hooks, &result, &err);
    ck_assert_msg(status == 0, "%s", err.text);
    noted.warp_cycles = result.counters.warp_cycles;
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return noted;
}

static struct noted launch(const char *const *sets, unsigned blocks, bool timed)
{
    return launch_of(sets, blocks, "{15} NOP; {4} EXIT", timed);
}

struct expected {
    unsigned blocks;
    uint32_t sms[MOST];
};

/* Also in functional launches. */
static void first_come(const char *const *sets, const struct expected *expected, unsigned count)
{
    for (unsigned timed = 0; timed < 2; timed++) {
        struct noted noted = launch(sets, expected->blocks, timed);
        ck_assert_mem_eq(noted.sms, expected->sms, count * sizeof *noted.sms);
    }
}

static void blocks_come(const char *const *sets, const struct expected *expected)
{
    first_come(sets, expected, expected->blocks);
}

/* After SMs 0 and 1 and the second GPC the first two come again, then the rest of their GPC.
 * Of 16 blocks the second GPC has its part, eight, after two visits. Of eleven it gets five
 * (5.5), so one in its second visit, and SMs 0 and 1 two each (1.4). */
START_TEST(first_ones_come_again)
{
    static const struct expected cases[] = {
        {8, {0, 1, 4, 5, 6, 7, 2, 3}},
        {11, {0, 1, 4, 5, 6, 7, 0, 1, 2, 3, 4}},
        {16, {0, 1, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 2, 3}}};
    for (unsigned i = 0; i < 3; i++)
        blocks_come(VISITS("hearth_gpc_first_every=2"), &cases[i]);
}
END_TEST

/* Nine blocks are four (4.5), two (2.25) and two (2.25): the one that is left goes to the
 * second GPC, whose turn it is when none may have more. */
START_TEST(what_is_left)
{
    static const struct expected nine = {9, {0, 1, 4, 5, 6, 7, 2, 3, 4}};
    blocks_come(VISITS("hearth_gpc_first_every=9"), &nine);
}
END_TEST

/* Fewer blocks than SMs are spread, and without the option each SM gets one before any gets a
 * second one. */
START_TEST(others_as_before)
{
    static const struct expected five = {5, {0, 1, 4, 6, 2}},
                                 ten = {10, {0, 1, 4, 5, 6, 7, 2, 3, 0, 1}};
    blocks_come(VISITS("hearth_gpc_first_every=2"), &five);
    blocks_come(VISITS("hearth_gpc_first_every=0"), &ten);
}
END_TEST

/* The turn begins with the rest of the first GPC: of eleven blocks it gets two (2.75), and SMs
 * 0 and 1 come again after it. Of three blocks beside theirs, two are its. */
START_TEST(turn_begins_elsewhere)
{
    static const struct expected five = {5, {0, 1, 2, 3, 4}},
                                 eleven = {11, {0, 1, 2, 3, 0, 1, 4, 5, 6, 7, 4}};
    const char *const *const sets[] = {VISITS("hearth_gpc_first_every=2", "hearth_gpc_turn=0"),
                                       VISITS("hearth_gpc_first_every=2", "hearth_gpc_turn=2")};
    blocks_come(sets[_i], &five);
    blocks_come(sets[_i], &eleven);
}
END_TEST

/* Without first TPCs there is nothing that comes again. */
START_TEST(none_are_first)
{
    static const struct expected ten = {10, {0, 1, 2, 3, 4, 5, 6, 7, 0, 1}};
    blocks_come(VISITS("hearth_gpc_first=0", "hearth_gpc_first_every=2"), &ten);
}
END_TEST

/* Clusters of two SMs, each a TPC: SMs 0 and 1 are the first ones, of which each visit gives
 * one a block. Of seven blocks they get two (1.75), the second GPC three (3.5) and SMs 2 and 3
 * one (1.75); the one that is left goes to these, whose turn it is. */
START_TEST(in_clusters)
{
    static const struct expected seven = {7, {0, 4, 6, 1, 2, 5, 3}};
    blocks_come(VISITS("gpgpu_n_clusters=4", "gpgpu_n_cores_per_cluster=2", "hearth_tpc=1",
                       "hearth_gpc_first_every=2"),
                &seven);
}
END_TEST

/* Two places an SM, and more blocks than that: SMs get as many as they hold. Those that come
 * again have both theirs before the rest of their GPC has any. */
START_TEST(more_than_places)
{
    static const struct expected all = {20, {0, 1, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 2, 3}};
    first_come(VISITS("hearth_gpc_first_every=2", "gpgpu_shader_cta=2"), &all, 16);
}
END_TEST

/* Block 6 is SM 0's second one: it is given at once, and begins 50 cycles after its first one,
 * blocks 8 and 9 with the others. */
START_TEST(second_blocks_begin_later)
{
    const char *const *const sets[] = {VISITS("hearth_gpc_first_every=2"),
                                       VISITS("hearth_gpc_first_every=2", LEGACY)};
    struct noted noted = launch(sets[_i], 11, true);
    for (unsigned i = 0; i < 11; i++) {
        bool second = i == 6 || i == 7 || i == 10;
        ck_assert_uint_eq(noted.begins[i] - noted.begins[0], second ? 50 : 0);
        ck_assert_uint_eq(noted.ends[i] - noted.begins[i], noted.ends[0] - noted.begins[0]);
    }
}
END_TEST

/* Blocks whose warps have no instructions end in the cycle after their begin, also those that
 * are given ahead of it. */
START_TEST(empty_blocks_end_later)
{
    const char *const *const sets[] = {VISITS("hearth_gpc_first_every=2"),
                                       VISITS("hearth_gpc_first_every=2", LEGACY)};
    struct noted noted = launch_of(sets[_i], 11, "", true);
    for (unsigned i = 0; i < 11; i++)
        ck_assert_uint_eq(noted.ends[i] - noted.begins[i], 1);
    ck_assert_uint_eq(noted.warp_cycles, 11);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {first_ones_come_again, what_is_left, others_as_before,
                                  none_are_first,        in_clusters,  more_than_places};
    const TTest *const loops[] = {second_blocks_begin_later, empty_blocks_end_later,
                                  turn_begins_elsewhere};
    return RUN_LOOPS("first_blocks", tests, loops, 2);
}
