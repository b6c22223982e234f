/* Saving and restoring what L2 holds. */
#include "tests/sim/support.h"

#include <stdio.h>

static const struct launch_text load = {.program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"};
static const struct launch_text store = {.program = "STG.E R2 R3 [ 4 1 0x1000 4 ]; EXIT"};

/* Saves after FIRST, restores on a fresh simulator with SETS, launches THEN. */
static struct sim_result after_restore(const char *const *sets, const struct launch_text *first,
                                       const struct launch_text *then, struct sim_result *in_sequence)
{
    struct error err = {0};
    struct bench one = bench_create(sets), two = bench_create(sets);
    FILE *file = tmpfile();
    bench_launch(&one, first);
    sim_flush(one.sim, SIM_L1, false);
    ck_assert_msg(sim_save(one.sim, file, "state", &err) == 0, "%s", err.text);
    *in_sequence = bench_launch(&one, then);
    rewind(file);
    ck_assert_msg(sim_restore(two.sim, file, "state", &err) == 0, "%s", err.text);
    struct sim_result result = bench_launch(&two, then);
    fclose(file);
    bench_destroy(&one);
    bench_destroy(&two);
    return result;
}

/* Restored lines hit as those of a launch before. */
START_TEST(hits)
{
    struct sim_result sequence, result = after_restore(NO_SETS, &load, &load, &sequence);
    ck_assert_uint_eq(result.counters.l2_read_hits, 4);
    ck_assert_uint_eq(result.counters.dram_reads, 0);
    ck_assert_uint_eq(result_cycles(&result), result_cycles(&sequence));
}
END_TEST

/* Dirty sectors stay dirty: an L2 of one set of two lines writes them back
 * when two other lines come. */
START_TEST(dirty)
{
    struct launch_text others = {.program = "R1 = LDG.E R2 [ 4 1 0x8000 4 ]; R4 = LDG.E R2 [ 4 1 0x9000 4 ];"
                                            "R5 = LDG.E R2 [ 4 1 0xa000 4 ]; EXIT"};
    struct sim_result sequence,
        result = after_restore(SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32"), &store, &others, &sequence);
    ck_assert_uint_eq(result.counters.dram_writes, 4);
    ck_assert_uint_eq(sequence.counters.dram_writes, 4);
}
END_TEST

/* A file that ends early, is none, or is of another L2 is refused; L2 is empty then. */
START_TEST(refused)
{
    struct error err = {0};
    struct bench bench = bench_create(NO_SETS), other = bench_create(SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32"));
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    bench_launch(&bench, &load);
    ck_assert_int_eq(sim_save(bench.sim, file, "state", &err), 0);
    fclose(file);
    for (size_t cut = 0; cut < size; cut += 7) {
        FILE *part = fmemopen(text, cut == 0 ? 1 : cut, "r");
        struct error why = {0};
        ck_assert_int_eq(sim_restore(bench.sim, part, "state", &why), -1);
        ck_assert_int_eq(why.kind, ERROR_TRACE);
        fclose(part);
    }
    file = fmemopen(text, size, "r");
    ck_assert_int_eq(sim_restore(other.sim, file, "state", &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    fclose(file);
    struct sim_result result = bench_launch(&bench, &load);
    ck_assert_uint_eq(result.counters.l2_read_misses, 4);
    free(text);
    bench_destroy(&bench);
    bench_destroy(&other);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {hits, dirty, refused};
    return RUN_TESTS("snapshot", tests);
}
