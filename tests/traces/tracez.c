/* Traces of Accel-Sim 2.0 (.tracez), written by a writer of our own. */
#define _GNU_SOURCE /* asprintf, memmem */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/traces/support.h"
#include "tests/traces/tracez_file.h"

#define FIRST "0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal"
#define LOAD  "0010 ffffffff 1 R2 LDG.E 1 R1 4 1 0x7f1000000000 4 0 0 NoVal"
#define LAST  "0020 ffffffff 0 EXIT 0 0 0 0 NoVal"
#define HEAD  HEADER_WITH("(2,1,1)", "(32,1,1)", "90", "6", "0")
#define LINES FIRST "\n" LOAD "\n" LAST

/* What a block stands for. */
#define TEXT(x, insts, lines)                                                                  \
    "\n#BEGIN_TB\n\nthread block = " x ",0,0\ncluster id = " x                                 \
    ",0,0\ncluster cta = 0,0,0\ncluster rank = 0\n\nwarp = 0\ninsts = " insts "\n" lines       \
    "\n#END_TB\n"

static const struct tracez_block blocks[] = {{1, LINES}, {0, LINES "\n" LAST}};

static struct bytes make(const char *dictionary, uint32_t chunk)
{
    struct bytes file = {0};
    tracez_file(&file, HEAD, dictionary, dictionary != NULL ? strlen(dictionary) : 0, blocks, 2,
                chunk);
    return file;
}

/* The text that reading the file ends with: all of it, or the message. */
static char *text_of(const void *data, size_t size)
{
    char *folder = make_folder(), *path = make_file(folder, "k.tracez", data, size);
    struct error err = {0};
    struct source source;
    char *text = calloc(1, 1 << 16);
    const void *chunk;
    size_t used = 0, size_of_chunk;
    int rc = source_open(&source, path, &err);
    if (rc == 0) {
        while ((rc = source_read(&source, &chunk, &size_of_chunk, &err)) == 1) {
            memcpy(text + used, chunk, size_of_chunk);
            used += size_of_chunk;
        }
        source_finish(&source);
    }
    if (rc < 0)
        snprintf(text, 1 << 16, "%s", strstr(err.text, ".tracez: ") + 9);
    text[rc < 0 ? strlen(text) : used] = '\0';
    free(path);
    remove_folder(folder);
    return text;
}

static void assert_text(struct bytes *file, const char *expected)
{
    char *text = text_of(file->data, file->size);
    ck_assert_str_eq(text, expected);
    free(text);
    bytes_finish(file);
}

START_TEST(is_the_text_it_stands_for)
{
    static const char expected[] =
        HEAD TEXT("1", "3", LINES "\n") TEXT("0", "4", LINES "\n" LAST "\n");
    for (uint32_t chunk = 1; chunk <= 4; chunk++) {
        struct bytes plain = make(NULL, chunk), with = make(LOAD LAST FIRST, chunk);
        assert_text(&plain, expected);
        assert_text(&with, expected);
    }
}
END_TEST

START_TEST(is_read_as_a_trace)
{
    struct bytes file = make(NULL, 2);
    char *folder = make_folder(), *path = make_file(folder, "k.tracez", file.data, file.size);
    struct error err = {0};
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    char *text = dump(kernel);
    char *first = strstr(text, "block 1,0,0\nwarp 0: 3\n0 ffffffff MOV\n10 ffffffff LDG.E ");
    ck_assert_ptr_eq(first, text);
    ck_assert_ptr_nonnull(strstr(text, "block 0,0,0\nwarp 0: 4\n"));
    free(text);
    free(path);
    remove_folder(folder);
    bytes_finish(&file);
}
END_TEST

/* Packed, and back as text. */
START_TEST(packs)
{
    struct bytes file = make(NULL, 2);
    char *folder = make_folder(),
         *path = make_file(folder, "kernel.tracez", file.data, file.size);
    struct error err = {0};
    char *packed, *text;
    ck_assert_int_ge(asprintf(&packed, "%s/p", folder), 0);
    struct trace_workload *workload = trace_workload_open(path, &err);
    struct trace_writer *writer = trace_writer_create(packed, NULL, &err);
    ck_assert_msg(writer != NULL, "%s", err.text);
    ck_assert_msg(trace_writer_workload(writer, workload, NULL, &err) == 0, "%s", err.text);
    ck_assert_msg(trace_writer_end(writer, &err) == 0, "%s", err.text);
    trace_writer_destroy(writer);
    trace_workload_destroy(workload);
    ck_assert_int_ge(asprintf(&text, "%s/kernel-1", packed), 0);
    struct trace_kernel *kernel = trace_kernel_open(text, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    char *a = dump(kernel), *b = dump(trace_kernel_open(path, NULL, &err));
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
    unlink(packed);
    free(packed);
    free(text);
    free(path);
    remove_folder(folder);
    bytes_finish(&file);
}
END_TEST

static void set(struct bytes *file, size_t at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        file->data[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const struct bytes *file, size_t at)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | file->data[at + (size_t)i];
    return value;
}

START_TEST(errors)
{
    const size_t start = sizeof HEAD; /* of the sizes, behind the header's 0 */
    struct bytes file = make(NULL, 2);
    set(&file, start, 1 << 25, 4);
    assert_text(&file, "a dictionary of 33554432 bytes cannot be");
    file = make(NULL, 2);
    file.size -= 9;
    assert_text(&file, "it is cut off: its last 8 bytes name no index");
    file = make(NULL, 2);
    file.size = start + 4;
    assert_text(&file, "it is cut off after its header");
    file = make(NULL, 2);
    size_t index = get(&file, file.size - 8);
    set(&file, index, 3, 4); /* blocks */
    assert_text(&file, "the index ends before its last warp");
    file = make(NULL, 2);
    set(&file, index, 1, 4);
    assert_text(&file, "the index goes on after its last thread block");
    file = make(NULL, 2);
    set(&file, index + 4 + 44, 4, 4); /* instructions of the first warp */
    assert_text(&file, "thread block 1,0,0, warp 0: its sub-chunks do not add up to its "
                       "instructions in the index");
    file = make(NULL, 2);
    set(&file, index + 4 + 44 + 8, index, 8);
    assert_text(&file, "thread block 1,0,0, warp 0: it lies outside of the file");
    file = make(NULL, 2);
    set(&file, start + 8, 5, 4); /* instructions before the sub-chunks */
    assert_text(&file, "thread block 1,0,0, warp 0: what precedes it does not match the "
                       "index");
    file = make(NULL, 2);
    set(&file, start + 16, UINT32_MAX, 4); /* size of the first sub-chunk */
    assert_text(&file, "thread block 1,0,0, warp 0: a sub-chunk is cut off");
    file = make(NULL, 2);
    set(&file, start + 20, 0, 4); /* its magic */
    assert_text(&file, "thread block 1,0,0, warp 0: a sub-chunk cannot be decompressed");
}
END_TEST

/* Whatever bit is wrong, the file is read or refused. */
START_TEST(every_bit)
{
    struct bytes file = make(NULL, 2);
    char *right = text_of(file.data, file.size);
    size_t refused = 0;
    for (size_t bit = 0; bit < 8 * file.size; bit++) {
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        char *text = text_of(file.data, file.size);
        refused += strcmp(text, right) != 0;
        free(text);
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    ck_assert_uint_gt(refused, 0);
    free(right);
    bytes_finish(&file);
}
END_TEST

#define V6(lines)                                                                              \
    HEADER_WITH("(1,1,1)", "(32,1,1)", "90", "6", "0") BLOCK("0,0,0", WARP("0", "1", lines))

START_TEST(lines_of_version_6)
{
    /* Registers of other files are no dependence, but what follows them counts. */
    assert_dump(V6("0010 00000001 2 R4 UP1 LDG.E 3 UR4 R2 P0 4 1 0x10 0 7 8 NoVal\n"),
                "block 0,0,0\nwarp 0: 1\n10 1 LDG.E 10\n");
    assert_dump(V6("0010 ffffffff 0 HGMMA.64x64x16.F16 1 R2 1 0 0 0 NoVal\n"),
                "block 0,0,0\nwarp 0: 1\n10 ffffffff HGMMA.64x64x16.F16\n");
    assert_dump(V6("0010 00000001 0 UTMALDG.2D 2 UR8 UR4 128 400 1 f 4096 0 4 0x7f00 3 128 128 "
                   "0 0 NoVal\n"),
                "block 0,0,0\nwarp 0: 1\n10 1 UTMALDG.2D\n");
    assert_dump(V6("0010 ffffffff 1 R1 MOV 0 0 18446744073709551615 0 Val 1 0\n"),
                "block 0,0,0\nwarp 0: 1\n10 ffffffff MOV\n");
    assert_error(V6("0010 ffffffff 0 HGMMA.64x64x16.F16 1 R2 x 0 0 0 NoVal\n"),
                 "23:41: 0 or 1 is expected: whether a group of instructions ends, not 'x'");
    assert_error(V6("0010 00000001 0 UTMALDG.2D 1 UR8 128 400 1 f 4096 zz\n"),
                 "23:51: a number or the end of the line is expected, not 'zz'");
    assert_error(V6("0010 ffffffff 1 X1 MOV 0 0\n"),
                 "23:17: a register R0 to R255 is expected, not 'X1'");
    /* Raw lines start with the cluster's ids, too. */
    assert_dump(HEADER_WITH("(1,1,1)", "(32,1,1)", "90", "6",
                            "0") "0 0 0 0 0 0 0 0 0 0 0 0010 ffffffff 0 EXIT 0 0 0 0 NoVal\n",
                "block 0,0,0\nwarp 0: 1\n10 ffffffff EXIT\n");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        is_the_text_it_stands_for, is_read_as_a_trace, packs, errors, every_bit,
        lines_of_version_6};
    return RUN_TESTS("tracez", tests);
}
