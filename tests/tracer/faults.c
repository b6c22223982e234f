/* What goes wrong: records that make no sense, an application that dies, a disk
 * that is full. */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tracer/support.h"

/* Reads all launches of the workload at PATH. Returns how many, and adds their records to
 * *RECORDS. */
static size_t read_all(const char *path, uint64_t *records)
{
    struct error err = {0};
    size_t launches = 0;
    struct trace_workload *workload = trace_workload_open(path, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        const struct trace_kernel_options options = {.workload = workload};
        struct trace_kernel *kernel =
            trace_kernel_open(workload->commands[i].path, &options, &err);
        struct trace_block *block;
        ck_assert_msg(kernel != NULL, "%s", err.text);
        int rc;
        while ((rc = trace_kernel_next_block(kernel, &block, &err)) == 1) {
            for (uint32_t w = 0; w < block->warp_count; w++)
                *records += block->warps[w].total;
            trace_block_release(block);
        }
        ck_assert_msg(rc == 0, "%s", err.text);
        trace_kernel_close(kernel);
        launches++;
    }
    trace_workload_destroy(workload);
    return launches;
}

static size_t read_launches(const char *path)
{
    uint64_t records = 0;
    return read_all(path, &records);
}

static uint64_t count_records(const char *path)
{
    uint64_t records = 0;
    read_all(path, &records);
    return records;
}

/* ---- records ---- */

/* A tracer in the middle of a launch of 2 blocks of 40 threads, with an LDG, an
 * FADD and an EXIT. */
struct scene {
    char *folder;
    struct tracer_options options;
    struct tracer *tracer;
    uint32_t launch, ldg, fadd, exit;
};

static uint32_t add(struct scene *scene, const char *opcode, bool memory, uint32_t pc)
{
    const struct tracer_inst inst = {.function = "k",
                                     .opcode = opcode,
                                     .memory = memory,
                                     .pc = pc,
                                     .binary_version = 86,
                                     .src_count = 1,
                                     .src = {4}};
    struct error err = {0};
    return tracer_add_inst(scene->tracer, &inst, &err);
}

static void begin(struct scene *scene)
{
    const struct tracer_launch launch = {
        .name = "k", .grid = {2, 1, 1}, .block = {40, 1, 1}, .binary_version = 86};
    struct error err = {0};
    unsigned wanted;
    ck_assert_int_eq(tracer_begin_launch(scene->tracer, &launch, &scene->launch, &wanted, &err),
                     0);
    ck_assert_uint_eq(wanted, TRACER_WANT_INSTS);
}

static void set_with(struct scene *scene, const char *const *settings)
{
    struct error err = {0};
    scene->folder = make_folder();
    scene->options = options_of(scene->folder, settings);
    scene->tracer = tracer_create(&scene->options, "1.7", &err);
    ck_assert_int_eq(tracer_context(scene->tracer, 1, &err), 0);
    scene->ldg = add(scene, "LDG.E", true, 0);
    scene->fadd = add(scene, "FADD", false, 16);
    scene->exit = add(scene, "EXIT", false, 32);
    begin(scene);
}

static void set(struct scene *scene)
{
    set_with(scene, SETTINGS("TRACE_FILE_COMPRESS=0"));
}

static struct tracer_record record_of(const struct scene *scene, uint64_t block, uint16_t warp,
                                      uint32_t inst, uint32_t mask)
{
    return (struct tracer_record){.size = sizeof(struct tracer_record),
                                  .kind = TRACER_RECORD_INST,
                                  .launch = scene->launch,
                                  .block = block,
                                  .inst = inst,
                                  .warp = warp,
                                  .active = mask,
                                  .predicate = mask};
}

static int send(struct scene *scene, struct tracer_record record, struct error *err)
{
    *err = (struct error){0};
    return tracer_records(scene->tracer, &record, sizeof record, err);
}

static void send_good(struct scene *scene, uint64_t block, uint16_t warp, uint32_t inst,
                      uint32_t mask)
{
    struct error err;
    ck_assert_msg(send(scene, record_of(scene, block, warp, inst, mask), &err) == 0, "%s",
                  err.text);
}

static void finish_scene(struct scene *scene)
{
    struct error err = {0};
    ck_assert_msg(tracer_finish(scene->tracer, &err) == 0, "%s", err.text);
    tracer_destroy(scene->tracer);
}

START_TEST(bad_records_are_left_out)
{
    struct scene scene;
    struct error err;
    set(&scene);
    struct tracer_record bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = record_of(&scene, 0, 0, scene.fadd, UINT32_MAX);
    bad[0].inst = 99;
    bad[1].block = 2;
    bad[2].warp = 2;
    bad[3].warp = 1; /* of 8 threads */
    bad[4].inst = scene.ldg;
    bad[5].active = 0;
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(send(&scene, bad[i], &err), 0);
    for (unsigned b = 0; b < 2; b++) {
        send_good(&scene, b, 0, scene.fadd, UINT32_MAX);
        send_good(&scene, b, 0, scene.exit, UINT32_MAX);
        send_good(&scene, b, 1, scene.exit, 0xff);
    }
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
    ck_assert_str_eq(err.text, "launch 1, k: 6 records left out; the first has an instruction "
                               "that is not known");
    finish_scene(&scene);
    char *text = read_text(scene.folder, "kernel-1.traceg");
    ck_assert_str_eq(body_of(text),
                     "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n"
                     "0010 ffffffff 0 FADD 1 R4 0 0 \n0020 ffffffff 0 EXIT 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 1\n0020 000000ff 0 EXIT 1 R4 0 0 \n\n#END_TB\n\n"
                     "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 2\n"
                     "0010 ffffffff 0 FADD 1 R4 0 0 \n0020 ffffffff 0 EXIT 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 1\n0020 000000ff 0 EXIT 1 R4 0 0 \n\n#END_TB\n");
    free(text);
    remove_folder(scene.folder);
}
END_TEST

START_TEST(bytes_that_are_no_records)
{
    struct scene scene;
    struct error err = {0};
    set(&scene);
    struct tracer_record record = record_of(&scene, 0, 0, scene.fadd, 1);
    record.size = 48;
    ck_assert_int_eq(send(&scene, record, &err), -1);
    ck_assert_str_eq(err.text, "32 bytes of records make no sense; they are left out");
    record = record_of(&scene, 0, 0, scene.fadd, 1);
    record.launch = 7;
    ck_assert_int_eq(send(&scene, record, &err), -1);
    ck_assert_str_eq(err.text,
                     "a record of kind 1 belongs to launch 7, which is not being traced");
    tracer_destroy(scene.tracer);
    remove_folder(scene.folder);
}
END_TEST

/* A block is finished when all lanes have left, not when there was an EXIT. */
START_TEST(exits_of_some_lanes)
{
    struct scene scene;
    struct error err = {0};
    set(&scene);
    send_good(&scene, 0, 0, scene.exit, 0xffff);
    send_good(&scene, 0, 0, scene.exit, 0xffff); /* again: counts once */
    send_good(&scene, 0, 1, scene.exit, 0xff);
    send_good(&scene, 0, 0, scene.fadd, 0xffff0000);
    send_good(&scene, 0, 0, scene.exit, 0xffff0000);
    send_good(&scene, 1, 0, scene.fadd, 1); /* never leaves */
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
    finish_scene(&scene);
    char *text = read_text(scene.folder, "kernel-1.traceg");
    ck_assert_ptr_nonnull(strstr(text, "thread block = 0,0,0\n\nwarp = 0\ninsts = 4\n"));
    ck_assert_ptr_nonnull(strstr(text, "thread block = 1,0,0\n\nwarp = 0\ninsts = 1\n"));
    free(text);
    remove_folder(scene.folder);
}
END_TEST

/* A record of a block all of whose threads have left, as far as is known, is not lost: a
 * block waits for the end of its launch while memory allows, and takes it. */
START_TEST(records_after_the_end_of_a_block)
{
    struct scene scene;
    struct error err = {0};
    set_with(&scene, SETTINGS("TRACE_FILE_COMPRESS=0"));
    for (unsigned b = 2; b-- > 0;) {
        send_good(&scene, b, 0, scene.exit, UINT32_MAX);
        send_good(&scene, b, 1, scene.exit, 0xff);
        if (b == 1) /* it waits for block 0 */
            send_good(&scene, b, 1, scene.fadd, 0x3);
    }
    send_good(&scene, 0, 0, scene.fadd, 0x1);
    send_good(&scene, 0, 1, scene.exit, 0x1);
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_str_eq(err.text, "launch 1, k: 2 times a thread block went on after all its "
                               "threads had left; nothing is left out");
    finish_scene(&scene);
    char *text = read_text(scene.folder, "kernel-1.traceg");
    ck_assert_str_eq(body_of(text),
                     "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n"
                     "0020 ffffffff 0 EXIT 1 R4 0 0 \n0010 00000001 0 FADD 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 2\n0020 000000ff 0 EXIT 1 R4 0 0 \n"
                     "0020 00000001 0 EXIT 1 R4 0 0 \n\n#END_TB\n\n"
                     "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 1\n"
                     "0020 ffffffff 0 EXIT 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 2\n0020 000000ff 0 EXIT 1 R4 0 0 \n"
                     "0010 00000003 0 FADD 1 R4 0 0 \n\n#END_TB\n");
    free(text);
    remove_folder(scene.folder);
}
END_TEST

/* Without memory finished blocks are written; what comes then is left out, and says so. From
 * then on they wait, on disk. */
START_TEST(records_after_a_block_was_written)
{
    static const char *const formats[] = {"TRACE_FORMAT=text", "TRACE_FORMAT=packed"};
    enum { MANY = 150000 };
    for (int packed = 0; packed < 2; packed++) {
        struct scene scene;
        struct error err = {0};
        char *path = NULL;
        set_with(&scene, SETTINGS(formats[packed], "TRACE_FILE_COMPRESS=0", "TRACE_BUDGET=1"));
        for (int launch = 0; launch < 2; launch++) {
            err = (struct error){0};
            for (int i = 0; i < MANY; i++)
                send_good(&scene, 0, 0, scene.fadd, 1);
            send_good(&scene, 0, 0, scene.exit, UINT32_MAX);
            for (int i = 0; i < MANY; i++)
                send_good(&scene, 1, 0, scene.fadd, 1);
            send_good(&scene, 0, 1, scene.exit, 0xff);
            send_good(&scene, 0, 0, scene.fadd, 0x1);
            send_good(&scene, 1, 0, scene.exit, UINT32_MAX);
            send_good(&scene, 1, 1, scene.exit, 0xff);
            send_good(&scene, 1, 1, scene.fadd, 0x2);
            ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
            ck_assert_str_eq(err.text,
                             launch == 0
                                 ? "launch 1, k: 1 records left out; the first has a thread "
                                   "block that was written when all its threads had left"
                                 : "launch 2, k: 2 times a thread block went on after all "
                                   "its threads had left; nothing is left out");
            if (launch == 0)
                begin(&scene);
        }
        finish_scene(&scene);
        ck_assert_int_ge(asprintf(&path, "%s%s", scene.folder, packed ? "/traces.packed" : ""),
                         0);
        ck_assert_uint_eq(count_records(path), 4 * MANY + 11);
        free(path);
        remove_folder(scene.folder);
    }
}
END_TEST

/* Blocks of which nothing came are there, without warps, so that the launch can
 * be read. */
START_TEST(blocks_without_records)
{
    struct scene scene;
    struct error err = {0};
    set(&scene);
    send_good(&scene, 1, 0, scene.fadd, 1);
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
    finish_scene(&scene);
    ck_assert_uint_eq(read_launches(scene.folder), 1);
    char *text = read_text(scene.folder, "kernel-1.traceg");
    ck_assert_ptr_nonnull(strstr(text, "thread block = 0,0,0\n\n#END_TB\n"));
    free(text);
    remove_folder(scene.folder);
}
END_TEST

/* A warp that is more than a piece of any file. */
START_TEST(long_warps)
{
    enum { INSTS = 200000 };
    static const char *const formats[] = {"TRACE_FORMAT=text", "TRACE_FORMAT=packed"};
    for (int packed = 0; packed < 2; packed++) {
        struct scene scene;
        struct error err = {0};
        char *path;
        set_with(&scene, SETTINGS(formats[packed], "TRACE_BUDGET=1"));
        for (int i = 0; i < INSTS; i++)
            send_good(&scene, 1, 0, scene.fadd, (uint32_t)i);
        ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
        ck_assert_str_eq(err.text, "launch 1, k: 1 records left out; the first has lanes that "
                                   "the warp has not"); /* the one without lanes */
        finish_scene(&scene);
        ck_assert_int_ge(asprintf(&path, "%s%s", scene.folder,
                                  packed ? "/traces.packed/kernel-1" : "/kernel-1.traceg.zst"),
                         0);
        struct trace_kernel *kernel = trace_kernel_open(path, NULL, &err);
        struct trace_block *block;
        ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
        trace_block_release(block);
        ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
        struct trace_warp *warp = &block->warps[0];
        ck_assert_uint_eq(warp->total, INSTS - 1);
        for (uint32_t i = 1; i < INSTS; i++, warp->at++) {
            ck_assert(warp->at < warp->end || trace_warp_fill(warp, &err) == 1);
            ck_assert_uint_eq(warp->at->mask, i);
        }
        trace_block_release(block);
        trace_kernel_close(kernel);
        free(path);
        remove_folder(scene.folder);
    }
}
END_TEST

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

START_TEST(death_leaves_what_was_whole)
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
 * error came once, and nothing behind it. */
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
    ck_assert_int_eq(tracer_end_launch(scene.tracer, open, &err), 0);
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

int main(void)
{
    const TTest *const tests[] = {
        bad_records_are_left_out,
        bytes_that_are_no_records,
        exits_of_some_lanes,
        records_after_the_end_of_a_block,
        records_after_a_block_was_written,
        death_leaves_what_was_whole,
        full_disk_is_told_once,
        folder_that_cannot_be_made,
        launch_that_did_not_end,
        blocks_without_records,
        long_warps,
        dropped_launches,
    };
    return RUN_TESTS("faults", tests);
}
