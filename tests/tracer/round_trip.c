/* What is traced is what ran, however its warps interleave. */
#define _GNU_SOURCE /* asprintf */
#include "tests/tracer/support.h"

#include <stdio.h>
#include <string.h>

#include "traces/synth/synth_workloads.h"

#define SCALE 0.01

/* Different in shape: one block, many; divergent exits, partial warps, atomics,
 * LDGSTS, shared memory. */
static const char *const workloads[] = {"saxpy",
                                        "bfs",
                                        "gemm",
                                        "reduction",
                                        "spmv",
                                        "histogram",
                                        "attention_prefill",
                                        "dct8x8",
                                        "oceanfft",
                                        "micro_divergence"};
static const size_t workload_count = sizeof workloads / sizeof *workloads;

/* The I-th workload that exists. */
static const char *name_of(size_t i)
{
    for (size_t k = 0;; k++) {
        const char *description, *name = trace_synth_name(k, &description);
        ck_assert_ptr_nonnull(name);
        if (strcmp(name, workloads[i]) == 0)
            return name;
    }
}

/* Compares the traces of the two folders, SUFFIX behind those of TRACED. Returns
 * how many. */
static unsigned compare(const char *made, const char *traced, const char *infix,
                        const char *suffix, unsigned first, unsigned step)
{
    unsigned n = 0;
    for (unsigned id = first;; id += step, n++) {
        char *a, *b;
        ck_assert_int_ge(asprintf(&a, "kernel-%u.traceg", id), 0);
        ck_assert_int_ge(asprintf(&b, "kernel-%u%s.traceg%s", n + 1, infix, suffix), 0);
        char *expected = read_text(made, a), *text = read_text(traced, b);
        free(a);
        free(b);
        ck_assert_msg((expected == NULL) == (text == NULL), "launch %u of %s", id, traced);
        if (expected == NULL)
            return n;
        ck_assert_msg(strcmp(body_of(expected), body_of(text)) == 0, "launch %u of %s", id,
                      traced);
        free(expected);
        free(text);
    }
}

START_TEST(any_order_gives_the_same)
{
    static const char *const compress[] = {"TRACE_FILE_COMPRESS=0", "TRACE_FILE_COMPRESS=1",
                                           "TRACE_FILE_COMPRESS=2"};
    static const char *const suffixes[] = {"", ".xz", ".zst"};
    for (size_t i = 0; i < workload_count; i++) {
        char *made = make_folder(), *traced = make_folder();
        const struct feed_options options = {.seed = i, .resident = 1 + (uint32_t)(i * 7) % 40};
        synthesize(made, name_of(i), SCALE);
        trace(traced, name_of(i), SCALE, &options, SETTINGS(compress[i % 3], "TRACE_BUDGET=1"));
        ck_assert_uint_gt(compare(made, traced, "", suffixes[i % 3], 1, 1), 0);
        remove_folder(made);
        remove_folder(traced);
    }
}
END_TEST

START_TEST(copies_and_launches_keep_their_order)
{
    char *made = make_folder(), *traced = make_folder();
    synthesize(made, "dct8x8", SCALE);
    trace(traced, "dct8x8", SCALE, NULL, SETTINGS("TRACE_FILE_COMPRESS=0"));
    char *expected = read_text(made, "kernelslist.g"),
         *list = read_text(traced, "kernelslist.g");
    ck_assert_str_eq(strchr(list, '\n'), strchr(expected, '\n'));
    free(expected);
    free(list);
    remove_folder(made);
    remove_folder(traced);
}
END_TEST

START_TEST(contexts_keep_ids_apart)
{
    char *made = make_folder(), *traced = make_folder();
    const struct feed_options options = {.contexts = 2, .streams = 3};
    synthesize(made, "dct8x8", SCALE);
    trace(traced, "dct8x8", SCALE, &options, SETTINGS("TRACE_FILE_COMPRESS=0"));
    unsigned first = compare(made, traced, "", "", 1, 2);
    unsigned second = compare(made, traced, "_ctx_0xc0df", "", 2, 2);
    ck_assert_uint_gt(first, 1);
    ck_assert_uint_ge(first, second);
    ck_assert_uint_le(first, second + 1);
    char *text = read_text(traced, "kernel-2.traceg");
    ck_assert_ptr_nonnull(strstr(text, "-cuda stream id = 2\n"));
    free(text);
    ck_assert(is_there(traced, "kernelslist_ctx_0xc0df.g"));
    ck_assert(is_there(traced, "stats_ctx_0xc0df.csv"));
    remove_folder(made);
    remove_folder(traced);
}
END_TEST

/* As the nodes of a graph: none ends before all have run, and the last first. */
START_TEST(open_launches_wait_for_their_turn)
{
    char *made = make_folder(), *traced = make_folder();
    const struct feed_options options = {.open = true};
    synthesize(made, "dct8x8", SCALE);
    trace(traced, "dct8x8", SCALE, &options,
          SETTINGS("TRACE_FILE_COMPRESS=0", "TRACE_BUDGET=1"));
    ck_assert_uint_gt(compare(made, traced, "", "", 1, 1), 1);
    remove_folder(made);
    remove_folder(traced);
}
END_TEST

/* Packing the text gives the same launches. */
START_TEST(packed_holds_the_same)
{
    for (size_t i = 0; i < workload_count; i++) {
        char *traced = make_folder(), *unpacked = make_folder(), *made = make_folder(), *path;
        const struct feed_options options = {.seed = i};
        struct error err = {0};
        ck_assert_int_ge(asprintf(&path, "%s/traces.packed", traced), 0);
        synthesize(made, name_of(i), SCALE);
        trace(traced, name_of(i), SCALE, &options, SETTINGS("TRACE_FORMAT=packed"));
        struct trace_workload *workload = trace_workload_open(path, &err);
        const struct trace_writer_options folder = {.output = TRACE_OUTPUT_FOLDER,
                                                    .replace = true};
        struct trace_writer *writer = trace_writer_create(unpacked, &folder, &err);
        ck_assert_msg(workload != NULL && writer != NULL, "%s", err.text);
        ck_assert_msg(trace_writer_workload(writer, workload, NULL, &err) == 0 &&
                          trace_writer_end(writer, &err) == 0,
                      "%s", err.text);
        trace_writer_destroy(writer);
        trace_workload_destroy(workload);
        ck_assert_uint_gt(compare(made, unpacked, "", "", 1, 1), 0);
        char *list = read_text(unpacked, "kernelslist.g");
        ck_assert_ptr_nonnull(strstr(list, "\n# predicates "));
        free(list);
        free(path);
        remove_folder(made);
        remove_folder(traced);
        remove_folder(unpacked);
    }
}
END_TEST

/* Of a launch that is already there, what touches memory. */
static void check_memory(const char *made, const char *traced)
{
    struct error err = {0};
    const struct trace_writer_options folder = {.output = TRACE_OUTPUT_FOLDER, .replace = true};
    const struct trace_copy what = {.memory_only = true};
    char *reduced = make_folder();
    struct trace_workload *workload = trace_workload_open(made, &err);
    struct trace_writer *writer = trace_writer_create(reduced, &folder, &err);
    ck_assert_msg(trace_writer_workload(writer, workload, &what, &err) == 0 &&
                      trace_writer_end(writer, &err) == 0,
                  "%s", err.text);
    trace_writer_destroy(writer);
    trace_workload_destroy(workload);
    for (unsigned id = 1;; id++) {
        char *name;
        ck_assert_int_ge(asprintf(&name, "kernel-mem-%u.traceg", id), 0);
        char *expected = read_text(reduced, name), *text = read_text(traced, name);
        free(name);
        ck_assert((expected == NULL) == (text == NULL));
        if (expected == NULL) {
            ck_assert_uint_gt(id, 1);
            break;
        }
        ck_assert_str_eq(body_of(text), body_of(expected));
        free(expected);
        free(text);
    }
    remove_folder(reduced);
}

START_TEST(memory_only_follows_the_rule)
{
    char *made = make_folder(), *memory = make_folder(), *both = make_folder();
    synthesize(made, "gemm", SCALE);
    trace(memory, "gemm", SCALE, NULL, SETTINGS("TRACE_MODE=memory", "TRACE_FILE_COMPRESS=0"));
    trace(both, "gemm", SCALE, NULL, SETTINGS("TRACE_MODE=both", "TRACE_FILE_COMPRESS=0"));
    check_memory(made, memory);
    check_memory(made, both);
    ck_assert_uint_gt(compare(made, both, "", "", 1, 1), 0);
    char *list = read_text(memory, "kernelslist.g");
    ck_assert_ptr_nonnull(strstr(list, "\nkernel-mem-1.traceg\n"));
    free(list);
    list = read_text(both, "kernelslist.g");
    ck_assert_ptr_null(strstr(list, "kernel-mem"));
    free(list);
    remove_folder(made);
    remove_folder(memory);
    remove_folder(both);
}
END_TEST

START_TEST(all_addresses_are_listed)
{
    char *made = make_folder();
    trace(made, "saxpy", SCALE, NULL, SETTINGS("TOOL_COMPRESS=0", "TRACE_FILE_COMPRESS=0"));
    char *text = read_text(made, "kernel-1.traceg");
    ck_assert_ptr_nonnull(strstr(text, " 4 0 0x"));
    ck_assert_ptr_null(strstr(text, " 4 1 0x"));
    free(text);
    remove_folder(made);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        any_order_gives_the_same, copies_and_launches_keep_their_order,
        contexts_keep_ids_apart,  open_launches_wait_for_their_turn,
        packed_holds_the_same,    memory_only_follows_the_rule,
        all_addresses_are_listed,
    };
    return RUN_TESTS("round trip", tests);
}
