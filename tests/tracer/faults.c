/* What goes wrong: an application that dies, a disk that is full, launches that do not end or
 * cannot be written. */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tracer/scene.h"

/* ---- ends ---- */

struct death {
    char *folder;
    const char *const *settings;
    uint64_t after;
    void (*how)(void *data);
};

static void kill_self(void *data)
{
    raise(SIGKILL);
}

static void abort_self(void *data)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    abort();
}

/* A process that traces dct8x8 and dies. */
static void die(const struct death *death)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct tracer_options options = options_of(death->folder, death->settings);
        const struct feed_options feed = {.stop = death->after, .stopped = death->how};
        struct error err = {0};
        struct tracer *tracer = tracer_create(&options, "1.7", &err);
        feed_run(tracer, "dct8x8", 0.01, &feed, &err);
        _exit(0); /* not reached: the test sees that */
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
}

START_TEST(death_leaves_complete_launches)
{
    static void (*const ways[])(void *) = {kill_self, abort_self};
    for (int i = 0; i < 4; i++) {
        bool packed = i >= 2;
        struct death death = {
            make_folder(), packed ? SETTINGS("TRACE_FORMAT=packed") : SETTINGS("INSTR_BEGIN=0"),
            60, ways[i % 2]};
        die(&death);
        char *path = NULL;
        ck_assert_int_ge(
            asprintf(&path, "%s%s", death.folder, packed ? "/traces.packed.part" : ""), 0);
        size_t launches = read_launches(path);
        ck_assert_uint_gt(launches, 10);
        ck_assert_uint_lt(launches, 118);
        free(path);
        remove_folder(death.folder);
    }
}
END_TEST

/* ---- a full disk ---- */

static void let_files_grow(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Traces dct8x8 and then gemm, whose files are too large. Returns whether the
 * error came once, and nothing after it. */
static int fill_disk(const char *folder, const char *const *settings)
{
    struct tracer_options options = options_of(folder, settings);
    struct error err = {0};
    signal(SIGXFSZ, SIG_IGN);
    struct tracer *tracer = tracer_create(&options, "1.7", &err);
    if (feed_run(tracer, "dct8x8", 0.01, NULL, &err) != 0)
        return 1;
    let_files_grow(64 << 10);
    if (feed_run(tracer, "gemm", 0.2, NULL, &err) == 0 || err.kind != ERROR_OUTPUT ||
        strstr(err.text, strerror(EFBIG)) == NULL)
        return 2;
    err = (struct error){0};
    const uint32_t junk[8] = {0};
    if (tracer_records(tracer, junk, sizeof junk, &err) != 0 ||
        tracer_copy(tracer, 0, false, 1, 2, &err) != 0 || tracer_finish(tracer, &err) != 0)
        return 3;
    tracer_destroy(tracer);
    return 0;
}

START_TEST(full_disk_is_told_once)
{
    static const char *const lists[] = {"", "/traces.packed.part"};
    for (int packed = 0; packed < 2; packed++) {
        char *folder = make_folder(), *path;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            _exit(fill_disk(folder, packed ? SETTINGS("TRACE_FORMAT=packed")
                                           : SETTINGS("TRACE_FILE_COMPRESS=0")));
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x, packed %d",
                      (unsigned)status, packed);
        ck_assert_int_ge(asprintf(&path, "%s%s", folder, lists[packed]), 0);
        ck_assert_uint_ge(read_launches(path), 118);
        ck_assert(packed || !is_there(folder, "kernel-119.traceg.part"));
        free(path);
        remove_folder(folder);
    }
}
END_TEST

START_TEST(folder_that_cannot_be_made)
{
    struct tracer_options options = options_of("/proc/no/folder", SETTINGS("TRACE_MODE=trace"));
    struct error err = {0};
    struct tracer *tracer = tracer_create(&options, "1.7", &err);
    ck_assert_int_eq(tracer_context(tracer, 1, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    ck_assert_str_eq(err.text, "/proc/no/folder: No such file or directory");
    err = (struct error){0};
    ck_assert_int_eq(feed_run(tracer, "saxpy", 0.01, NULL, &err), 0);
    ck_assert_int_eq(tracer_finish(tracer, &err), 0);
    tracer_destroy(tracer);
}
END_TEST

START_TEST(launch_that_did_not_end)
{
    struct scene scene;
    struct error err = {0};
    set(&scene);
    send_good(&scene, 0, 0, scene.fadd, 1);
    ck_assert_int_eq(tracer_finish(scene.tracer, &err), -1);
    ck_assert_str_eq(err.text, "launch 1, k, did not end");
    tracer_destroy(scene.tracer);
    ck_assert(!is_there(scene.folder, "kernel-1.traceg"));
    ck_assert(!is_there(scene.folder, "kernel-1.traceg.part"));
    ck_assert(is_there(scene.folder, "kernelslist.g"));
    remove_folder(scene.folder);
}
END_TEST

static void drop(struct scene *scene)
{
    struct error err = {0};
    ck_assert_msg(tracer_drop_launch(scene->tracer, scene->launch, &err) == 0, "%s", err.text);
}

/* A dropped launch leaves nothing, but copies that came while it was open stay
 * where they were. */
START_TEST(dropped_launches)
{
    struct scene scene;
    struct error err = {0};
    set(&scene);
    drop(&scene);
    begin(&scene);
    ck_assert_int_eq(tracer_copy(scene.tracer, 0, false, 4096, 64, &err), 0);
    drop(&scene);
    begin(&scene);
    const uint32_t open = scene.launch;
    begin(&scene);
    drop(&scene);
    ck_assert_int_eq(tracer_drop_launch(scene.tracer, scene.launch, &err), -1);
    ck_assert_str_eq(err.text, "launch 4 is not being traced");
    err = (struct error){0};
    ck_assert_int_eq(tracer_end_launch(scene.tracer, open, &err), -1);
    ck_assert_str_eq(err.text, "launch 3, k: no record came: it was not instrumented");
    finish_scene(&scene);
    char *text = read_text(scene.folder, "kernelslist.g");
    ck_assert_str_eq(text, "# traced: NVBit\nkernel-2.traceg\n"
                           "MemcpyHtoD,0x0000000000001000,64\nkernel-3.traceg\n");
    free(text);
    ck_assert(!is_there(scene.folder, "kernel-1.traceg"));
    ck_assert(!is_there(scene.folder, "kernel-4.traceg"));
    remove_folder(scene.folder);
}
END_TEST

/* Ends a launch of which a record came. */
static void end_good(struct scene *scene)
{
    struct error err = {0};
    send_good(scene, 0, 0, scene->fadd, 1);
    ck_assert_msg(tracer_end_launch(scene->tracer, scene->launch, &err) == 0, "%s", err.text);
}

/* A name of a byte more. */
static void check_refused(struct scene *scene, const char *name)
{
    struct error err = {0};
    char *more, *expected;
    unsigned wanted;
    ck_assert_int_ge(asprintf(&more, "%sk", name), 0);
    ck_assert_int_ge(
        asprintf(&expected, "%.64s...: a kernel with a name of more than %zu bytes is left out",
                 name, strlen(name)),
        0);
    const struct tracer_launch launch = {.name = more, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    ck_assert_int_eq(tracer_begin_launch(scene->tracer, &launch, &scene->launch, &wanted, &err),
                     -1);
    ck_assert_str_eq(err.text, expected);
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    free(more);
    free(expected);
}

/* Templates have long names. One that makes a line which nobody reads costs its launch. */
START_TEST(long_names)
{
    enum { LENGTH = 65000 };
    static const char *const formats[] = {"TRACE_FORMAT=text", "TRACE_FORMAT=packed"};
    char name[LENGTH + 2] = {0};
    memset(name, 'k', LENGTH);
    for (int packed = 0; packed < 2; packed++) {
        struct scene scene;
        struct error err = {0};
        char *path;
        set_with(&scene, SETTINGS(formats[packed]));
        end_good(&scene);
        const struct tracer_inst guarded = {
            .function = name, .opcode = "FADD", .predicates = "@P0", .binary_version = 86};
        ck_assert_uint_ne(tracer_add_inst(scene.tracer, &guarded, &err), UINT32_MAX);
        begin_named(&scene, name);
        end_good(&scene);
        check_refused(&scene, name);
        begin(&scene);
        end_good(&scene);
        finish_scene(&scene);
        ck_assert_int_ge(asprintf(&path, "%s%s", scene.folder, packed ? "/traces.packed" : ""),
                         0);
        ck_assert_uint_eq(read_launches(path), 3);
        struct trace_workload *workload = trace_workload_open(path, &err);
        size_t second = workload->count - 2;
        struct trace_kernel *kernel =
            trace_workload_kernel(workload, workload->commands[second].text, NULL, &err);
        ck_assert_msg(kernel != NULL, "%s", err.text);
        ck_assert_str_eq(trace_kernel_header(kernel)->name, name);
        trace_kernel_close(kernel);
        trace_workload_destroy(workload);
        free(path);
        remove_folder(scene.folder);
    }
}
END_TEST

/* A launch whose file cannot be made is left out; the others are there. */
START_TEST(launch_that_cannot_be_written)
{
    struct scene scene;
    struct error err = {0};
    char *path;
    set(&scene);
    end_good(&scene);
    ck_assert_int_ge(asprintf(&path, "%s/kernel-2.traceg.part", scene.folder), 0);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    begin(&scene);
    send_good(&scene, 0, 0, scene.fadd, 1);
    ck_assert_int_eq(tracer_copy(scene.tracer, 0, false, 4096, 64, &err), 0);
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_ptr_eq(strstr(err.text, "launch 2, k: left out: "), err.text);
    ck_assert_ptr_nonnull(strstr(err.text, "Is a directory"));
    err = (struct error){0};
    begin(&scene);
    end_good(&scene);
    finish_scene(&scene);
    char *text = read_text(scene.folder, "kernelslist.g");
    ck_assert_str_eq(text, "# traced: NVBit\nkernel-1.traceg\n"
                           "MemcpyHtoD,0x0000000000001000,64\nkernel-3.traceg\n");
    free(text);
    free(path);
    remove_folder(scene.folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        death_leaves_complete_launches, full_disk_is_told_once, folder_that_cannot_be_made,
        launch_that_did_not_end,        dropped_launches,       long_names,
        launch_that_cannot_be_written,
    };
    return RUN_TESTS("faults", tests);
}
