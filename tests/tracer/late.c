/* Records that come when their block has been written. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>

#include "tests/tracer/scene.h"

/* A load of 32 lanes whose addresses nothing foretells. */
static void send_scattered(struct scene *scene, uint64_t block, uint64_t *drawn)
{
    struct {
        struct tracer_record record;
        uint64_t words[32];
    } load = {record_of(scene, block, 0, scene->ldg, UINT32_MAX), {0}};
    struct error err = {0};
    for (int i = 0; i < 32; i++) {
        *drawn = *drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        load.words[i] = *drawn >> 16;
    }
    load.record.size = sizeof load;
    ck_assert_msg(tracer_records(scene->tracer, &load, sizeof load, &err) == 0, "%s", err.text);
}

enum { PENDING = 50000 }; /* what takes half of a MiB of memory */

/* A launch whose blocks both go on after all their threads have left. It ends with
 * MESSAGE. */
static void send_late_launch(struct scene *scene, unsigned scattered, const char *message)
{
    struct error err = {0};
    uint64_t drawn = 1;
    begin(scene);
    for (unsigned i = 0; i < scattered; i++)
        send_scattered(scene, 0, &drawn);
    for (int i = 0; i < PENDING; i++)
        send_good(scene, 1, 0, scene->fadd, 1);
    send_good(scene, 0, 0, scene->exit, UINT32_MAX);
    send_good(scene, 0, 1, scene->exit, 0xff);
    send_good(scene, 0, 0, scene->fadd, 0x1);
    send_good(scene, 1, 0, scene->exit, UINT32_MAX);
    send_good(scene, 1, 1, scene->exit, 0xff);
    send_good(scene, 1, 1, scene->fadd, 0x2);
    ck_assert_int_eq(tracer_copy(scene->tracer, 0, false, 8192, 64, &err), 0);
    ck_assert_int_eq(tracer_end_launch(scene->tracer, scene->launch, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_str_eq(err.text, message);
}

/* What the list at PATH has, but for comments, a word each. */
static char *list_of(const char *path)
{
    struct error err = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct trace_workload *workload = trace_workload_open(path, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    for (size_t i = 0; i < workload->count; i++)
        if (workload->commands[i].kind == TRACE_KERNEL)
            fprintf(out, "%.8s ", workload->commands[i].text);
        else if (workload->commands[i].kind == TRACE_COPY_HTOD)
            fprintf(out, "%u ", (unsigned)workload->commands[i].copy.address);
    fclose(out);
    trace_workload_destroy(workload);
    return text;
}

/* Where memory is short finished blocks are written. If a record comes then, its launch is left
 * out: none is half there. From then on blocks wait, on disk. */
START_TEST(records_after_a_block_was_written)
{
    static const char *const settings[][2] = {
        {"TRACE_FORMAT=text", "TRACE_MODE=trace"},
        {"TRACE_FORMAT=text", "TRACE_MODE=both"},
        {"TRACE_FORMAT=packed", "TRACE_MODE=trace"},
    };
    for (int i = 0; i < 3; i++) {
        struct scene scene;
        struct error err = {0};
        char *path = NULL;
        /* More than a group of a packed file holds. */
        const unsigned scattered = i == 2 ? 135000 : 500;
        set_with(&scene, SETTINGS(settings[i][0], settings[i][1], "TRACE_BUDGET=1"));
        send_good(&scene, 0, 0, scene.fadd, 1);
        ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
        ck_assert_int_eq(tracer_copy(scene.tracer, 0, false, 4096, 64, &err), 0);
        send_late_launch(&scene, scattered,
                         "launch 2, k: left out: a thread block went on after all its threads "
                         "had left, and was written already as TRACE_BUDGET is small; from now "
                         "on blocks wait for the end of their launch");
        send_late_launch(&scene, scattered,
                         "launch 3, k: 2 times a thread block went on after all its "
                         "threads had left; nothing is left out");
        finish_scene(&scene);
        ck_assert_int_ge(asprintf(&path, "%s%s", scene.folder, i == 2 ? "/traces.packed" : ""),
                         0);
        ck_assert_uint_eq(count_records(path), 1 + scattered + PENDING + 6);
        char *list = list_of(path);
        ck_assert_str_eq(list, "kernel-1 4096 8192 kernel-3 8192 ");
        ck_assert(!is_there(scene.folder, "kernel-2.traceg.zst.part"));
        ck_assert(!is_there(scene.folder, "kernel-mem-2.traceg.zst"));
        ck_assert_int_eq(is_there(scene.folder, "kernel-mem-3.traceg.zst"), i == 1);
        free(list);
        free(path);
        remove_folder(scene.folder);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {records_after_a_block_was_written};
    return RUN_TESTS("late", tests);
}
