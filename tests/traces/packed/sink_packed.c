/* Packing a synthetic workload without its text gives the bytes that packing
 * the text gives, however many groups there are. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/support.h"
#include "traces/synth/synth_workloads.h"

static void make(const char *name, struct trace_sink *sink)
{
    struct error err = {0};
    const struct trace_synth_options options = {.scale = 0.001, .seed = 3, .arch = "sm_80"};
    ck_assert_ptr_nonnull(sink);
    ck_assert_msg(trace_synth(name, &options, sink, &err) == 0, "%s", err.text);
    trace_sink_destroy(sink);
}

static void pack_text(const char *folder, const char *packed,
                      const struct trace_writer_options *options)
{
    struct error err = {0};
    struct trace_workload *workload = trace_workload_open(folder, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    struct trace_writer *writer = trace_writer_create(packed, options, &err);
    ck_assert_msg(writer != NULL, "%s", err.text);
    ck_assert_msg(trace_writer_workload(writer, workload, NULL, &err) == 0, "%s", err.text);
    ck_assert_msg(trace_writer_end(writer, &err) == 0, "%s", err.text);
    trace_writer_destroy(writer);
    trace_workload_destroy(workload);
}

static size_t read_file(const char *path, char **data)
{
    size_t capacity = 0;
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    capacity = (size_t)ftell(file);
    rewind(file);
    *data = malloc(capacity + 1);
    ck_assert_uint_eq(fread(*data, 1, capacity, file), capacity);
    fclose(file);
    return capacity;
}

static const uint64_t group_records[] = {0, 1000, 100, 1};

START_TEST(same_bytes)
{
    static const char *const names[] = {"gemm", "bfs", "micro_divergence"};
    const struct trace_writer_options options = {.level = 1,
                                                 .group_records = group_records[_i]};
    char *folder = make_folder(), *paths[3], *data[2];
    struct error err = {0};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        for (int i = 0; i < 3; i++)
            ck_assert_int_gt(asprintf(&paths[i], "%s/%s.%d", folder, names[n], i), 0);
        make(names[n], trace_text_sink_create(paths[0], NULL, &err));
        pack_text(paths[0], paths[1], &options);
        make(names[n], trace_packed_sink_create(paths[2], NULL, &options, &err));
        size_t size = read_file(paths[1], &data[0]);
        ck_assert_uint_eq(read_file(paths[2], &data[1]), size);
        ck_assert_int_eq(memcmp(data[0], data[1], size), 0);
        for (int i = 0; i < 3; i++)
            free(paths[i]);
        free(data[0]);
        free(data[1]);
    }
    remove_folder(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packed sink");
    TCase *tcase = tcase_create("packed sink");
    tcase_add_loop_test(tcase, same_bytes, 0, sizeof group_records / sizeof *group_records);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
