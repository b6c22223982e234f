/* Records that are invalid, come after their block's end or not at all. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <string.h>

#include "tests/tracer/scene.h"

/* Completes the traces. Returns the text of the first launch. */
static char *finish_and_read(struct scene *scene)
{
    finish_scene(scene);
    char *text = read_text(scene->folder, "kernel-1.traceg");
    ck_assert_ptr_nonnull(text);
    return text;
}

static void forget(struct scene *scene, char *text)
{
    free(text);
    remove_folder(scene->folder);
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
    char *text = finish_and_read(&scene);
    ck_assert_str_eq(body_of(text),
                     "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n"
                     "0010 ffffffff 0 FADD 1 R4 0 0 \n0020 ffffffff 0 EXIT 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 1\n0020 000000ff 0 EXIT 1 R4 0 0 \n\n#END_TB\n\n"
                     "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 2\n"
                     "0010 ffffffff 0 FADD 1 R4 0 0 \n0020 ffffffff 0 EXIT 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 1\n0020 000000ff 0 EXIT 1 R4 0 0 \n\n#END_TB\n");
    forget(&scene, text);
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
    ck_assert_str_eq(err.text, "32 bytes are not valid records; they are left out");
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
    char *text = finish_and_read(&scene);
    ck_assert_ptr_nonnull(strstr(text, "thread block = 0,0,0\n\nwarp = 0\ninsts = 4\n"));
    ck_assert_ptr_nonnull(strstr(text, "thread block = 1,0,0\n\nwarp = 0\ninsts = 1\n"));
    forget(&scene, text);
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
    char *text = finish_and_read(&scene);
    ck_assert_str_eq(body_of(text),
                     "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n"
                     "0020 ffffffff 0 EXIT 1 R4 0 0 \n0010 00000001 0 FADD 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 2\n0020 000000ff 0 EXIT 1 R4 0 0 \n"
                     "0020 00000001 0 EXIT 1 R4 0 0 \n\n#END_TB\n\n"
                     "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 1\n"
                     "0020 ffffffff 0 EXIT 1 R4 0 0 \n\n"
                     "warp = 1\ninsts = 2\n0020 000000ff 0 EXIT 1 R4 0 0 \n"
                     "0010 00000003 0 FADD 1 R4 0 0 \n\n#END_TB\n");
    forget(&scene, text);
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
    char *text = finish_and_read(&scene);
    ck_assert_uint_eq(read_launches(scene.folder), 1);
    ck_assert_ptr_nonnull(strstr(text, "thread block = 0,0,0\n\n#END_TB\n"));
    forget(&scene, text);
}
END_TEST

/* A launch that hardly sent anything is left out; the others are there. */
START_TEST(most_blocks_without_records)
{
    static const char *const formats[] = {"TRACE_FORMAT=text", "TRACE_FORMAT=packed"};
    for (int packed = 0; packed < 2; packed++) {
        struct scene scene;
        struct error err = {0};
        set_with(&scene, SETTINGS(formats[packed], "TRACE_FILE_COMPRESS=0"));
        send_good(&scene, 1, 0, scene.fadd, 1);
        ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
        begin_large(&scene, 1 << 20);
        send_good(&scene, 1, 0, scene.fadd, 1);
        ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
        ck_assert_str_eq(err.text,
                         "launch 2, k: left out: no record came of most of its thread "
                         "blocks");
        begin(&scene);
        send_good(&scene, 0, 0, scene.fadd, 1);
        err = (struct error){0};
        ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
        finish_scene(&scene);
        char *path;
        ck_assert_int_ge(asprintf(&path, "%s%s", scene.folder, packed ? "/traces.packed" : ""),
                         0);
        ck_assert_uint_eq(read_launches(path), 2);
        free(path);
        remove_folder(scene.folder);
    }
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

/* What a broken GPU might send: good records of which bytes have changed, and noise. Nothing
 * crashes, and the next launch is whole. */
START_TEST(hostile_records)
{
    enum { BATCH = 1 << 16, BATCHES = 320 }; /* 20 MiB */
    struct scene scene;
    struct error err;
    uint64_t drawn = 1;
    set_with(&scene, SETTINGS("TRACE_FILE_COMPRESS=0", "TRACE_BUDGET=4"));
    uint8_t *batch = malloc(BATCH);
    for (int b = 0; b < BATCHES; b++) {
        for (size_t at = 0; at < BATCH; at += sizeof(struct tracer_record)) {
            struct tracer_record record =
                record_of(&scene, at / 64 % 2, 0, scene.fadd, UINT32_MAX);
            drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            ((uint8_t *)&record)[drawn >> 40 & 31] ^= (uint8_t)(b % 4 == 0 ? 0 : drawn >> 32);
            memcpy(batch + at, &record, sizeof record);
        }
        err = (struct error){0};
        tracer_records(scene.tracer, batch, BATCH, &err);
        ck_assert(err.kind == ERROR_NONE || err.kind == ERROR_TRACE);
    }
    free(batch);
    err = (struct error){0};
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    begin(&scene);
    send_good(&scene, 1, 0, scene.fadd, 1);
    err = (struct error){0};
    ck_assert_msg(tracer_end_launch(scene.tracer, scene.launch, &err) == 0, "%s", err.text);
    finish_scene(&scene);
    ck_assert_uint_eq(read_launches(scene.folder), 2);
    char *text = read_text(scene.folder, "kernel-2.traceg");
    ck_assert_ptr_nonnull(strstr(text, "insts = 1\n0010 00000001 0 FADD 1 R4 0 0 \n"));
    forget(&scene, text);
}
END_TEST

/* Writes the text of FOLDER/traces.packed to that folder. */
static void unpack_launch(const char *folder)
{
    struct error err = {0};
    char *path;
    ck_assert_int_ge(asprintf(&path, "%s/traces.packed", folder), 0);
    struct trace_workload *workload = trace_workload_open(path, &err);
    const struct trace_writer_options options = {.output = TRACE_OUTPUT_FOLDER,
                                                 .replace = true};
    struct trace_writer *writer = trace_writer_create(folder, &options, &err);
    ck_assert_msg(workload != NULL && writer != NULL, "%s", err.text);
    ck_assert_msg(trace_writer_workload(writer, workload, NULL, &err) == 0, "%s", err.text);
    ck_assert_msg(trace_writer_end(writer, &err) == 0, "%s", err.text);
    trace_writer_destroy(writer);
    trace_workload_destroy(workload);
    free(path);
}

static uint32_t add_barrier(struct scene *scene, uint8_t values, bool memory)
{
    struct error err = {0};
    const struct tracer_inst inst = {.function = "k",
                                     .opcode = "BAR.SYNC",
                                     .pc = 48,
                                     .binary_version = 86,
                                     .values = values,
                                     .memory = memory};
    uint32_t number = tracer_add_inst(scene->tracer, &inst, &err);
    if (number == UINT32_MAX)
        ck_assert_str_eq(err.text, "BAR.SYNC at 0x30 has too many values");
    return number;
}

/* They go into the line; a record without them is left out. */
START_TEST(values_of_registers)
{
    struct scene scene;
    struct error err = {0};
    struct {
        struct tracer_record record;
        uint64_t values[2];
    } sent;
    set(&scene);
    ck_assert_uint_eq(add_barrier(&scene, 3, false), UINT32_MAX);
    uint32_t one = add_barrier(&scene, 1, false), two = add_barrier(&scene, 2, false);
    sent.record = record_of(&scene, 0, 0, one, 7);
    sent.record.size = sizeof sent;
    sent.values[0] = 15;
    sent.values[1] = 0;
    ck_assert_int_eq(tracer_records(scene.tracer, &sent, sizeof sent, &err), 0);
    sent.record.inst = two;
    sent.record.predicate = 0;
    sent.values[1] = UINT32_MAX;
    ck_assert_int_eq(tracer_records(scene.tracer, &sent, sizeof sent, &err), 0);
    ck_assert_int_eq(send(&scene, record_of(&scene, 0, 0, two, 7), &err), 0);
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
    ck_assert_str_eq(err.text,
                     "launch 1, k: 1 records left out; the first has a length that does "
                     "not fit its instruction");
    char *text = finish_and_read(&scene);
    ck_assert_ptr_nonnull(strstr(text, "insts = 2\n0030 00000007 0 BAR.SYNC 0 0 0 =15 \n"
                                       "0030 00000000 0 BAR.SYNC 0 0 0 =15 =4294967295 \n"));
    forget(&scene, text);
}
END_TEST

/* Sends a record of INST by the lanes of MASK, whose words are COUNT WORDS. */
static void send_words(struct scene *scene, uint32_t inst, uint32_t mask, uint8_t flags,
                       const uint64_t *words, size_t count)
{
    struct error err = {0};
    struct {
        struct tracer_record record;
        uint64_t words[TRACER_RECORD_WORDS];
    } sent = {.record = record_of(scene, 0, 0, inst, UINT32_MAX)};
    sent.record.predicate = mask;
    sent.record.flags = flags;
    sent.record.size = (uint16_t)(sizeof sent.record + count * sizeof *words);
    if (count > 0)
        memcpy(sent.words, words, count * sizeof *words);
    ck_assert_int_eq(tracer_records(scene->tracer, &sent, sent.record.size, &err), 0);
}

#define WORDS(...) (const uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / 8

static uint32_t add_memory(struct scene *scene, const char *opcode, bool second, uint8_t values)
{
    struct error err = {0};
    const struct tracer_inst inst = {.function = "k",
                                     .opcode = opcode,
                                     .pc = 48 + 16 * (uint32_t)second,
                                     .binary_version = 90,
                                     .memory = true,
                                     .second = second,
                                     .values = values,
                                     .imm = 7};
    return tracer_add_inst(scene->tracer, &inst, &err);
}

static void send_tails(struct scene *scene)
{
    uint32_t copy = add_memory(scene, "LDGSTS.E.128", true, 0);
    uint32_t sync = add_memory(scene, "SYNCS.ARRIVE", false, 3);
    const uint8_t both = TRACER_RECORD_STRIDE | TRACER_RECORD_SECOND;
    ck_assert_uint_eq(add_memory(scene, "SYNCS", true, 1), UINT32_MAX);
    ck_assert_uint_eq(add_memory(scene, "SYNCS", false, 11), UINT32_MAX);
    send_words(scene, copy, 0xff, both, WORDS(0x1000, 16, UINT64_C(32) << 32 | 0x400));
    send_words(scene, copy, 0x7, TRACER_RECORD_STRIDE,
               WORDS(0x1000, 16, UINT64_C(0x420) << 32 | 0x400, 0x440));
    send_words(scene, copy, 0x7, TRACER_RECORD_STRIDE,
               WORDS(0x1000, 16, UINT64_C(0x410) << 32 | 0x400, 0x440));
    send_words(scene, copy, 0x1, 0, WORDS(0x2000, 0x500));
    send_words(scene, copy, 0, both, NULL, 0);
    send_words(scene, sync, 0x2, 0, WORDS(0x30480, UINT64_C(2) << 32 | UINT32_MAX, 3));
    send_words(scene, sync, 0, 0, NULL, 0);
    send_words(scene, sync, 0x2, 0, WORDS(0x30480, 1)); /* too short */
}

static const char tail_lines[] =
    "insts = 7\n"
    "0040 000000ff 0 LDGSTS.E.128 0 16 1 0x1000 16 7 =1024 =32 @ffffffff\n"
    "0040 00000007 0 LDGSTS.E.128 0 16 1 0x1000 16 7 =1024 =32 @ffffffff\n"
    "0040 00000007 0 LDGSTS.E.128 0 16 1 0x1000 16 7 =1024 =1040 =1088 @ffffffff\n"
    "0040 00000001 0 LDGSTS.E.128 0 16 2 0x2000 7 =1280 =0 @ffffffff\n"
    "0040 00000000 0 LDGSTS.E.128 0 16 1 0x0 0 7 @ffffffff\n"
    "0030 00000002 0 SYNCS.ARRIVE 0 4 2 0x30480 7 =4294967295 =2 =3 @ffffffff\n"
    "0030 00000000 0 SYNCS.ARRIVE 0 4 1 0x0 0 7 @ffffffff\n";

/* Numbers behind the immediate, which change from record to record. A packed file has the same
 * lines, and is what packing the text gives. */
START_TEST(numbers_of_records)
{
    struct scene scene;
    struct error err;
    char *text = NULL;
    for (int packed = 0; packed < 2; packed++) {
        err = (struct error){0};
        set_with(&scene, packed ? SETTINGS("TRACE_FORMAT=packed", "TRACE_ACTIVE=1")
                                : SETTINGS("TRACE_FILE_COMPRESS=0", "TRACE_ACTIVE=1"));
        send_tails(&scene);
        ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), -1);
        ck_assert_str_eq(err.text,
                         "launch 1, k: 1 records left out; the first has a length that does "
                         "not fit its instruction");
        finish_scene(&scene);
        if (packed)
            unpack_launch(scene.folder);
        text = read_text(scene.folder, "kernel-1.traceg");
        ck_assert_ptr_nonnull(text);
        ck_assert_msg(strstr(text, tail_lines) != NULL, "%s", text);
        free(text);
        remove_folder(scene.folder);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        values_of_registers,
        numbers_of_records,
        bad_records_are_left_out,
        bytes_that_are_no_records,
        exits_of_some_lanes,
        records_after_the_end_of_a_block,
        blocks_without_records,
        most_blocks_without_records,
        long_warps,
        hostile_records,
    };
    return RUN_TESTS("records", tests);
}
