/* A replacement policy of this file, which meson.build adds to the table by one line:
 * configuration, help, error messages, timed and functional launches know it. */
#include "sim/memory/tags.h"
#include "tests/sim/support.h"

/* The least often used line goes first; its state counts uses. */
static void used(struct tags *tags, uint32_t set, uint32_t line, uint64_t now)
{
    uint32_t *uses = tags_state(tags, set);
    uses[line - set * tags->max_ways]++;
}

static void placed(struct tags *tags, uint32_t set, uint32_t line)
{
    uint32_t *uses = tags_state(tags, set);
    uses[line - set * tags->max_ways] = 0;
}

static uint32_t victim(const struct tags *tags, uint32_t set, bool keep_dirty)
{
    const uint32_t *uses = tags_state(tags, set);
    uint32_t best = TAGS_NONE, first = set * tags->max_ways;
    for (uint32_t line = first; line < first + tags->spec.ways; line++)
        if (tags_may_go(tags, line, keep_dirty) &&
            (best == TAGS_NONE || uses[line - first] < uses[best - first]))
            best = line;
    return best;
}

const struct cache_replacement cache_replacement_lfu = {
    .policy = {"U", NULL, "LFU: the least often used line goes first"},
    .state_size = sizeof(uint32_t),
    .used = used,
    .placed = placed,
    .victim = victim,
};

#define L2_OF(policy)                                                                          \
    SETS("gpgpu_gmem_skip_L1D=1",                                                              \
         "gpgpu_cache:dl2=S:1:128:2," policy ":B:m:L:L,A:192:4,32:0,32")

/* Lines 0, 0, 1, 2, and 0 again, one after the other in a set of two ways: the fourth access
 * replaces line 0, unless it counts that it was used more often. */
#define LOAD(line) "R1 = LDG.E R1 [ 4 1 0x1000" line "00 4 ];"
static const struct launch_text reuse = {.program = LOAD("0") LOAD("0") LOAD("1") LOAD("2")
                                             LOAD("0") "EXIT"};

static uint64_t timed_hits(const char *const *sets)
{
    return launch_on(sets, &reuse).counters.l2_read_hits;
}

static uint64_t functional_hits(const char *const *sets)
{
    struct error err = {0};
    struct sim_result result;
    struct bench bench = bench_create(sets);
    struct trace_kernel *kernel = test_kernel_rows(&reuse);
    ck_assert_msg(sim_functional(bench.sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return result.counters.l2_read_hits;
}

START_TEST(model)
{
    ck_assert_uint_eq(timed_hits(L2_OF("L")), 4);
    ck_assert_uint_eq(timed_hits(L2_OF("F")), 4);
    ck_assert_uint_eq(timed_hits(L2_OF("U")), 8);
    ck_assert_uint_eq(functional_hits(L2_OF("L")), 4);
    ck_assert_uint_eq(functional_hits(L2_OF("F")), 4);
    ck_assert_uint_eq(functional_hits(L2_OF("U")), 8);
}
END_TEST

/* The state of lines is saved with a simulator: line 0 has been used more often than line 1
 * when line 2 comes. */
START_TEST(saved)
{
    struct launch_text first = {.program = LOAD("0") LOAD("0") LOAD("1") "EXIT"};
    struct launch_text then = {.program = LOAD("2") LOAD("0") "EXIT"};
    struct bench from = bench_create(L2_OF("U")), to = bench_create(L2_OF("U"));
    struct error err = {0};
    FILE *file = tmpfile();
    bench_launch(&from, &first);
    ck_assert_msg(sim_state_save(from.sim, file, "state", &err) == 0, "%s", err.text);
    rewind(file);
    ck_assert_msg(sim_state_load(to.sim, file, "state", &err) == 0, "%s", err.text);
    fclose(file);
    ck_assert_uint_eq(bench_launch(&to, &then).counters.l2_read_hits, 4);
    bench_destroy(&from);
    bench_destroy(&to);
}
END_TEST

START_TEST(help)
{
    const char *field;
    const struct policy *const *table =
        sim_option_field_policies(sim_option_find("gpgpu_cache:dl2"), &field);
    ck_assert_str_eq(field, "REPLACE");
    ck_assert_str_eq(table[2]->description, "LFU: the least often used line goes first");
    ck_assert_ptr_null(table[3]);
}
END_TEST

START_TEST(errors)
{
    const char *source = "rtx3070", *set = "gpgpu_cache:dl2=S:64:128:16,Q:B:m:L:P,A:192:4,32";
    struct error err = {0};
    ck_assert_ptr_null(sim_config_create(&source, 1, &set, 1, NULL, NULL, &err));
    ck_assert_msg(strstr(err.text, "replacement: expected L, F or U; got 'Q'") != NULL, "%s",
                  err.text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {model, saved, help, errors};
    return RUN_TESTS("new replacement", tests);
}
