/* Synthetic workloads: the rules of traces, what each is to show, and that
 * what is written is what was made. */
#define _GNU_SOURCE /* asprintf */
#include "traces/synth/synth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/support.h"
#include "tests/traces/synth/check_sink.h"
#include "traces/address.h"
#include "traces/synth/synth_workloads.h"

#define SMALL 0.004

static const char *name_of(size_t i)
{
    const char *description;
    const char *name = trace_synth_name(i, &description);
    ck_assert_ptr_nonnull(name);
    ck_assert_uint_gt(strlen(description), 0);
    return name;
}

static const char *const archs[] = {"sm_70", "sm_75", "sm_80", "sm_86", "sm_90"};

/* That of number I, or the workload's own if that is too old for it. */
static const char *arch_for(size_t workload, size_t i)
{
    const char *arch = archs[i % (sizeof archs / sizeof *archs)];
    bool fits = synth_arch_find(arch)->binary_version >= synth_workloads[workload].least;
    return fits ? arch : NULL;
}

static uint64_t hash_of(const char *name, double scale, uint64_t seed, const char *arch,
                        uint64_t *loops)
{
    struct check_sink sink;
    check_sink_init(&sink, false);
    check_sink_run(&sink, name, scale, seed, arch);
    uint64_t hash = sink.hash;
    *loops = sink.loops;
    check_sink_finish(&sink);
    return hash;
}

START_TEST(seed_changes_data)
{
    static const char *const with_data[] = {"bfs",          "bfs_uniform", "spmv",
                                            "histogram",    "kmeans",      "solver",
                                            "micro_gather", "micro_chase", "micro_divergence"};
    uint64_t loops;
    for (size_t i = 0; i < sizeof with_data / sizeof *with_data; i++)
        ck_assert_msg(hash_of(with_data[i], SMALL, 1, "sm_86", &loops) !=
                          hash_of(with_data[i], SMALL, 2, "sm_86", &loops),
                      "%s", with_data[i]);
}
END_TEST

START_TEST(loops_revisit_their_code)
{
    static const char *const with_loops[] = {"saxpy", "stencil",          "reduction",
                                             "gemm",  "unet3d",           "bfs",
                                             "spmv",  "attention_decode", "recursive_gaussian"};
    uint64_t loops;
    for (size_t i = 0; i < sizeof with_loops / sizeof *with_loops; i++) {
        hash_of(with_loops[i], SMALL, 1, "sm_86", &loops);
        ck_assert_msg(loops > 0, "%s", with_loops[i]);
    }
}
END_TEST

/* ---- the text that is written, read back ---- */

static uint64_t hash_records(uint64_t hash, const struct trace_kernel *kernel,
                             const struct trace_warp *warp, uint64_t *insts)
{
    uint32_t count;
    const struct trace_inst *table = trace_kernel_insts(kernel, &count);
    for (const struct trace_record *r = warp->at; r < warp->end; r++, ++*insts) {
        hash = check_hash(check_hash(hash, table[r->inst].pc), r->mask);
        for (const char *at = trace_kernel_opcode(kernel, &table[r->inst]); *at != '\0'; at++)
            hash = check_hash(hash, (uint64_t)*at);
        const uint64_t *words = warp->addresses + r->address;
        int lanes = r->mode == TRACE_ADDRESS_NONE ? 0 : __builtin_popcount(r->mask);
        uint64_t room[32];
        const uint64_t *list = address_lanes(r, words, room);
        for (int n = 0; n < lanes; n++)
            hash = check_hash(hash, list[n]);
    }
    return hash;
}

static uint64_t hash_kernel(uint64_t hash, const struct trace_workload *workload,
                            const char *name, uint64_t *insts)
{
    struct error err = {0};
    struct trace_kernel *kernel = trace_workload_kernel(workload, name, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(kernel, &block, &err)) == 1) {
        for (uint32_t w = 0; w < block->warp_count; w++) {
            struct trace_warp *warp = &block->warps[w];
            do
                hash = hash_records(hash, kernel, warp, insts);
            while ((rc = trace_warp_fill(warp, &err)) == 1);
            ck_assert_int_eq(rc, 0);
        }
        trace_block_release(block);
    }
    ck_assert_msg(rc == 0, "%s", err.text);
    trace_kernel_close(kernel);
    return hash;
}

static uint64_t hash_folder(const char *folder, struct trace_sink_counts *counts)
{
    struct error err = {0};
    struct trace_workload *workload = trace_workload_open(folder, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    uint64_t hash = 0;
    *counts = (struct trace_sink_counts){0};
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *command = &workload->commands[i];
        counts->copies += command->kind == TRACE_COPY_HTOD;
        counts->launches += command->kind == TRACE_KERNEL;
        if (command->kind == TRACE_KERNEL)
            hash = hash_kernel(hash, workload, command->text, &counts->warp_insts);
    }
    trace_workload_destroy(workload);
    return hash;
}

/* Every rule of check_sink.c, for the workload's turn of architectures; and
 * made again with the same arguments, written and read, it is the same. */
START_TEST(rules_and_text)
{
    const char *name = name_of((size_t)_i);
    const char *arch = arch_for((size_t)_i, (size_t)_i);
    const struct trace_synth_options options = {SMALL, 3, arch};
    struct error err = {0};
    struct trace_sink_counts counts, read;
    char *folder = make_folder();
    const struct trace_text_options text_options = {.compression =
                                                        _i % 8 ? TRACE_ZST : TRACE_PLAIN};
    struct trace_sink *text = trace_text_sink_create(folder, &text_options, &err);
    struct trace_sink *count = trace_count_sink_create(&counts, text, &err);
    ck_assert_msg(trace_synth(name, &options, count, &err) == 0, "%s", err.text);
    trace_sink_destroy(count);
    trace_sink_destroy(text);
    uint64_t loops, hash = hash_folder(folder, &read);
    remove_folder(folder);
    ck_assert_uint_eq(read.launches, counts.launches);
    ck_assert_uint_eq(read.copies, counts.copies);
    ck_assert_uint_eq(read.warp_insts, counts.warp_insts);
    ck_assert_uint_eq(hash, hash_of(name, SMALL, 3, arch, &loops));
}
END_TEST

/* Sizes that are no multiple of anything, and another architecture. */
START_TEST(rules_at_odd_sizes)
{
    uint64_t loops;
    hash_of(name_of((size_t)_i), 1.7 * SMALL, 5, arch_for((size_t)_i, (size_t)_i + 2), &loops);
}
END_TEST

/* ---- what single workloads are for ---- */

/* Share of launch I's lines that launch I + 1 touches. */
static double forward_reuse(const struct check_sink *sink, size_t i)
{
    const struct check_launch *a = &sink->launches[i], *b = &sink->launches[i + 1];
    size_t both = 0;
    for (size_t x = 0, y = 0; x < a->line_count && y < b->line_count;) {
        both += a->lines[x] == b->lines[y];
        uint64_t line = a->lines[x];
        x += a->lines[x] <= b->lines[y];
        y += b->lines[y] <= line;
    }
    return (double)both / (double)a->line_count;
}

START_TEST(dct8x8_reuses)
{
    struct check_sink sink;
    check_sink_init(&sink, true);
    check_sink_run(&sink, "dct8x8", 0.02, 1, "sm_86");
    ck_assert_uint_eq(sink.launch_count, 118);
    ck_assert_uint_eq(sink.kernel_count, 8);
    double sum = 0;
    size_t whole = 0;
    for (size_t i = 0; i + 1 < sink.launch_count; i++) {
        sum += forward_reuse(&sink, i);
        whole += forward_reuse(&sink, i) == 1;
    }
    ck_assert_double_gt(sum / 117, 0.8);
    ck_assert_uint_gt(whole, 80);
    check_sink_finish(&sink);
}
END_TEST

START_TEST(oceanfft_reuses_as_measured)
{
    static const double forward[] = {0.125, 0.5, 0, 0.25};
    static const double footprint[] = {2, 1, 1, 1, 2.75};
    struct check_sink sink;
    check_sink_init(&sink, true);
    check_sink_run(&sink, "oceanfft", 0.05, 1, "sm_86");
    ck_assert_uint_eq(sink.launch_count, 60);
    for (size_t i = 0; i < 10; i++) {
        if (i % 5 < 4)
            ck_assert_double_eq_tol(forward_reuse(&sink, i), forward[i % 5], 0.005);
        double share =
            (double)sink.launches[i].line_count / (double)sink.launches[1].line_count;
        ck_assert_double_eq_tol(share, footprint[i % 5], 0.02);
    }
    check_sink_finish(&sink);
}
END_TEST

/* The thesis on cold start: half of the launches reuse a half. */
START_TEST(recursive_gaussian_reuses_half)
{
    struct check_sink sink;
    check_sink_init(&sink, true);
    check_sink_run(&sink, "recursive_gaussian", 0.05, 1, "sm_86");
    ck_assert_uint_eq(sink.launch_count, 56);
    for (size_t i = 0; i + 1 < sink.launch_count; i++)
        ck_assert_double_eq_tol(forward_reuse(&sink, i), i % 4 == 0 || i % 4 == 3 ? 0.5 : 1,
                                0.01);
    check_sink_finish(&sink);
}
END_TEST

/* Coefficient of variation of the instructions of a kernel's launches. */
static double variation(const struct check_sink *sink, const char *kernel)
{
    double n = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < sink->launch_count; i++) {
        double x = (double)sink->launches[i].warp_insts;
        if (strstr(sink->launches[i].kernel->name, kernel) == NULL)
            continue;
        n++;
        sum += x;
        squares += x * x;
    }
    ck_assert_double_gt(n, 4);
    return sqrt(squares / n - sum / n * (sum / n)) / (sum / n);
}

START_TEST(solver_has_three_tiers)
{
    struct check_sink sink;
    check_sink_init(&sink, false);
    check_sink_run(&sink, "solver", 0.1, 1, "sm_86");
    ck_assert_double_lt(variation(&sink, "axpy"), 1e-6);
    ck_assert_double_lt(variation(&sink, "dot"), 1e-6);
    ck_assert_double_gt(variation(&sink, "spmv_rows"), 0.01);
    ck_assert_double_lt(variation(&sink, "spmv_rows"), 0.4);
    ck_assert_double_gt(variation(&sink, "smooth"), 0.4);
    check_sink_finish(&sink);
}
END_TEST

/* Launches for Hopper have code for all of their instructions, and their loops that wait are
 * listed: of who copies and of who multiplies. */
START_TEST(hopper_has_code)
{
    static const struct {
        const char *name;
        uint32_t waits;
    } hopper[] = {{"gemm_wgmma", 2}, {"attention_fa3", 13}};
    for (size_t i = 0; i < sizeof hopper / sizeof *hopper; i++) {
        struct check_sink sink;
        check_sink_init(&sink, false);
        check_sink_run(&sink, hopper[i].name, SMALL, 1, NULL);
        uint32_t last = 0;
        for (uint32_t at = 0; at < CHECK_PCS; at++)
            if (sink.kernels[0]->insts[at].seen)
                last = at;
        ck_assert_uint_eq(sink.code_count, last + 1);
        ck_assert_uint_eq(sink.waits, hopper[i].waits);
        check_sink_finish(&sink);
    }
}
END_TEST

/* Enough launches to sample from. */
START_TEST(many_launches)
{
    static const struct {
        const char *name;
        size_t launches;
    } expected[] = {{"dct8x8", 118}, {"oceanfft", 60},         {"recursive_gaussian", 56},
                    {"unet3d", 51},  {"stencil", 60},          {"kmeans", 60},
                    {"solver", 256}, {"attention_decode", 216}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct check_sink sink;
        check_sink_init(&sink, false);
        check_sink_run(&sink, expected[i].name, SMALL, 1, "sm_86");
        ck_assert_uint_eq(sink.launch_count, expected[i].launches);
        check_sink_finish(&sink);
    }
}
END_TEST

/* ---- errors ---- */

static void assert_refused(const char *name, const struct trace_synth_options *options,
                           const char *expected)
{
    struct error err = {0};
    struct trace_sink_counts counts;
    struct trace_sink *sink = trace_count_sink_create(&counts, NULL, &err);
    ck_assert_int_eq(trace_synth(name, options, sink, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.text, expected);
    trace_sink_destroy(sink);
}

#define REFUSED(name, scale, arch, expected)                                                   \
    assert_refused(name, &(struct trace_synth_options){scale, 1, arch}, expected)

START_TEST(wrong_options)
{
    REFUSED("nothing", 1, "sm_86", "there is no synthetic workload \"nothing\"");
    REFUSED("vecadd", 0, "sm_86", "scale 0: expected 0.001 to 1000");
    REFUSED("vecadd", 1001, "sm_86", "scale 1001: expected 0.001 to 1000");
    REFUSED("vecadd", NAN, "sm_86", "scale nan: expected 0.001 to 1000");
    REFUSED("vecadd", 1, "sm_60",
            "architecture \"sm_60\": expected sm_70, sm_75, sm_80, sm_86 or sm_90");
    REFUSED("gemm_wgmma", 1, "sm_80",
            "architecture \"sm_80\": gemm_wgmma has instructions of sm_90");
}
END_TEST

START_TEST(wrong_parameters)
{
    static const struct {
        const char *text, *expected;
    } wrong[] = {
        {"stages=9", "parameter \"stages=9\": expected 2 to 8"},
        {"stages=", "parameter \"stages=\": expected 2 to 8"},
        {"stages", "parameter \"stages\": expected NAME=VALUE of a parameter of gemm_wgmma"},
        {"stage=4", "parameter \"stage=4\": expected NAME=VALUE of a parameter of gemm_wgmma"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused("gemm_wgmma",
                       &(struct trace_synth_options){1, 1, NULL, &wrong[i].text, 1},
                       wrong[i].expected);
}
END_TEST

static struct trace_sink_counts counts_of(const char *workload, double scale,
                                          const char *const *parameters, size_t count)
{
    const struct trace_synth_options options = {scale, 1, NULL, parameters, count};
    struct error err = {0};
    struct trace_sink_counts counts;
    struct trace_sink *sink = trace_count_sink_create(&counts, NULL, &err);
    ck_assert_msg(trace_synth(workload, &options, sink, &err) == 0, "%s", err.text);
    trace_sink_destroy(sink);
    return counts;
}

static uint64_t insts_of(const char *const *parameters, size_t count)
{
    return counts_of("attention_fa3", SMALL, parameters, count).warp_insts;
}

/* Sizes of products and of the box, and how many launches there are. */
START_TEST(sizes_are_parameters)
{
    const char *const flat[] = {"m=64", "n=32", "k=16"}, *const deep[] = {"m=64", "n=32",
                                                                          "k=32"};
    const char *const twice[] = {"sweeps=2"}, *const thrice[] = {"sweeps=3"};
    const char *const three[] = {"tokens=3"};
    uint64_t shallow = counts_of("gemm", 1, flat, 3).warp_insts;
    ck_assert_uint_lt(shallow, counts_of("gemm", 1, deep, 3).warp_insts);
    ck_assert_uint_eq(3 * counts_of("stencil", SMALL, twice, 1).warp_insts,
                      2 * counts_of("stencil", SMALL, thrice, 1).warp_insts);
    ck_assert_uint_eq(counts_of("attention_decode", SMALL, three, 1).launches, 3 * 18);
}
END_TEST

/* Causal attention has less to do; what does not fit together is refused. */
START_TEST(attention_parameters)
{
    const char *const all[] = {"length=8192", "cluster=2"}, *const causal[] = {"length=8192",
                                                                               "causal=1"};
    ck_assert_uint_lt(insts_of(causal, 2), insts_of(all, 2));
    const char *const wide[] = {"groups=3"}, *const clusters[] = {"causal=1", "cluster=2"};
    assert_refused(
        "attention_fa3", &(struct trace_synth_options){1, 1, NULL, wide, 1},
        "attention_fa3: 184 registers a thread, of 160: fewer columns, depth or groups");
    assert_refused("attention_fa3", &(struct trace_synth_options){1, 1, NULL, clusters, 2},
                   "attention_fa3: cluster=2 needs causal=0");
}
END_TEST

START_TEST(output_that_cannot_be_written)
{
    const struct trace_synth_options options = {SMALL, 1, "sm_86"};
    struct error err = {0};
    struct trace_sink *sink = trace_text_sink_create("/nowhere/at/all", NULL, &err);
    ck_assert_int_eq(trace_synth("vecadd", &options, sink, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    trace_sink_destroy(sink);
}
END_TEST

/* A failure leaves no list: the folder does not pass for a workload. */
START_TEST(failure_leaves_no_list)
{
    const struct trace_synth_options options = {SMALL, 1, "sm_86"};
    struct error err = {0};
    char *folder = make_folder(), *obstacle, *list;
    ck_assert_int_ge(asprintf(&obstacle, "%s/kernel-2.traceg", folder), 0);
    free(make_file(folder, "kernelslist.g", "", 0));
    char *blocked;
    ck_assert_int_ge(asprintf(&blocked, "mkdir '%s'", obstacle), 0);
    ck_assert_int_eq(system(blocked), 0);
    struct trace_sink *sink = trace_text_sink_create(folder, NULL, &err);
    ck_assert_int_eq(trace_synth("saxpy", &options, sink, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "kernel-2.traceg"));
    trace_sink_destroy(sink);
    ck_assert_int_ge(asprintf(&list, "%s/kernelslist.g", folder), 0);
    ck_assert_ptr_null(fopen(list, "r"));
    free(list);
    free(blocked);
    free(obstacle);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const each[] = {rules_and_text, rules_at_odd_sizes};
    const TTest *const once[] = {seed_changes_data,
                                 loops_revisit_their_code,
                                 dct8x8_reuses,
                                 oceanfft_reuses_as_measured,
                                 recursive_gaussian_reuses_half,
                                 solver_has_three_tiers,
                                 many_launches,
                                 wrong_options,
                                 wrong_parameters,
                                 hopper_has_code,
                                 sizes_are_parameters,
                                 attention_parameters,
                                 output_that_cannot_be_written,
                                 failure_leaves_no_list};
    Suite *suite = suite_create("synth");
    TCase *tcase = tcase_create("synth");
    tcase_set_timeout(tcase, 120);
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        tcase_add_loop_test(tcase, each[i], 0, (int)synth_workload_count);
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        tcase_add_test(tcase, once[i]);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
