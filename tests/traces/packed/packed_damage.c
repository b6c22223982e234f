/* Packed workloads that are damaged, cut, of another version, or come through a
 * pipe. */
#define _GNU_SOURCE /* asprintf */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/traces/packed/packed_fixture.h"

/* Counts errors that name a part of the file. */
static void count_finding(void *data, const struct trace_finding *finding)
{
    static const char *const parts[] = {"group ", "index", "packed workload of version",
                                        "written to its end", "no reader recognises"};
    bool named = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        named |= strstr(finding->text, parts[i]) != NULL;
    *(unsigned *)data += finding->error && named;
}

/* Whether it is found, and named, what is wrong with SIZE bytes at DATA. */
static bool is_found(const char *folder, const uint8_t *data, size_t size)
{
    struct error err = {0};
    unsigned errors = 0;
    struct trace_verify verify = {.found = count_finding, .data = &errors};
    char *path = make_file(folder, "flipped", data, size);
    ck_assert_int_eq(trace_verify_workload(path, &verify, &err), 0);
    free(path);
    return errors > 0;
}

static void assert_found(const char *folder, uint8_t *data, size_t size, size_t bit)
{
    data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    ck_assert_msg(is_found(folder, data, size), "bit %zu of byte %zu", bit % 8, bit / 8);
    data[bit / 8] ^= (uint8_t)(1 << bit % 8);
}

START_TEST(flipped_bits)
{
    char *texts[] = {make_loop(1, 1, 1), make_loop(1, 2, 2)};
    struct fixture fixture;
    uint8_t *data;
    pack_groups(&fixture, texts, 2, 10);
    size_t size = read_bytes(fixture.packed, &data);
    ck_assert(!is_found(fixture.folder, data, size));
    for (size_t bit = 0; bit < 8 * size; bit++)
        assert_found(fixture.folder, data, size, bit);
    free(data);
    finish(&fixture);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

/* Bits here and there of more launches and groups. */
START_TEST(flipped_bits_of_many_groups)
{
    char *texts[8];
    struct fixture fixture;
    uint8_t *data;
    uint64_t random = 1;
    for (unsigned i = 0; i < 8; i++)
        texts[i] = make_loop(3, 4, i + 1);
    pack_groups(&fixture, texts, 8, 100);
    size_t size = read_bytes(fixture.packed, &data);
    ck_assert(!is_found(fixture.folder, data, size));
    for (int i = 0; i < 500; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        assert_found(fixture.folder, data, size, (random >> 20) % (8 * size));
    }
    free(data);
    finish(&fixture);
    for (int i = 0; i < 8; i++)
        free(texts[i]);
}
END_TEST

/* Reads all launches of the first SIZE bytes. Returns how many. If those are
 * more than MOST each must be that of the whole file. */
static size_t count_whole(const struct fixture *fixture, const uint8_t *data, size_t size,
                          size_t most)
{
    struct error err = {0};
    char *path = make_file(fixture->folder, "packed.cut", data, size);
    struct trace_workload *workload = trace_workload_open(path, &err);
    size_t count = 0;
    if (workload == NULL)
        ck_assert_uint_lt(size, FRAME_FILE_HEADER);
    for (size_t i = 0; workload != NULL && i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        if (++count <= most)
            continue;
        char *cut = dump_file(path, count, false, 0);
        char *whole = dump_file(fixture->packed, count, false, 0);
        ck_assert_str_eq(cut, whole);
        free(cut);
        free(whole);
    }
    if (workload != NULL)
        ck_assert_ptr_nonnull(workload->note);
    trace_workload_destroy(workload);
    free(path);
    return count;
}

/* A write that stops at any byte leaves the launches before it. */
START_TEST(interrupted_writes)
{
    char *texts[4];
    struct fixture fixture;
    uint8_t *data;
    size_t most = 0;
    for (unsigned i = 0; i < 4; i++)
        texts[i] = make_loop(2, 3, i + 1);
    pack_groups(&fixture, texts, 4, 40);
    size_t size = read_bytes(fixture.packed, &data);
    for (size_t cut = FRAME_MAGIC_SIZE; cut < size; cut++) {
        size_t count = count_whole(&fixture, data, cut, most);
        ck_assert_uint_ge(count, most);
        most = count;
    }
    ck_assert_uint_eq(most, 4);
    free(data);
    finish(&fixture);
    for (int i = 0; i < 4; i++)
        free(texts[i]);
}
END_TEST

START_TEST(other_versions)
{
    struct error err = {0};
    char *folder = make_folder();
    char *path = make_file(folder, "packed", FRAME_MAGIC "\2", FRAME_FILE_HEADER);
    ck_assert_ptr_null(trace_workload_open(path, &err));
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_ptr_nonnull(
        strstr(err.text, "packed workload of version 2; this program reads version 1"));
    free(path);
    remove_folder(folder);
}
END_TEST

START_TEST(launches_that_are_not_there)
{
    static const char *const texts[] = {TRACE("1", EXIT)};
    struct fixture fixture;
    struct error err = {0};
    ck_assert_ptr_null(pack_texts(&fixture, texts, 1, NULL));
    char *path = path_in(fixture.packed, "kernel-9");
    ck_assert_ptr_null(trace_kernel_open(path, NULL, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "it holds no launch 9"));
    free(path);
    finish(&fixture);
}
END_TEST

/* What readers refuse is not packed, and the line is named. */
START_TEST(refused_text)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {TRACE("2", EXIT), "warp 0 has 1 instructions, 'insts = 2' was announced"},
        {TRACE("1", EXIT EXIT), "warp 0 has more instructions than 'insts = 1'"},
        {TRACE("1", "0030 ffffffff 0 exit 0 0 0 \n"), "an opcode is expected, not 'exit'"},
        {HEADER BLOCK("1,0,0", ""), "thread block 1,0,0 is not in the grid of (1,1,1)"},
        {HEADER BLOCK("0,0,0", WARP("1", "0", "")), "warp 1; blocks have 1 warps"},
        {HEADER BLOCK("0,0,0", WARP("0", "0", "") WARP("0", "0", "")),
         "warp 0 is listed twice"},
        {HEADER "#BEGIN_TB\nthread block = 0,0,0\n", "#END_TB is expected, the trace ends"},
        {HEADER, "the trace ends after 0 of the grid's 1 thread blocks"},
        {HEADER BLOCK("0,0,0", "") BLOCK("0,0,0", ""),
         "more thread blocks than the 1 of the grid"},
    };
    struct fixture fixture;
    char *error = pack_texts(&fixture, &cases[_i].text, 1, NULL);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, cases[_i].message) != NULL, "%s", error);
    ck_assert_int_ne(access(fixture.packed, F_OK), 0);
    free(error);
    finish(&fixture);
}
END_TEST

/* ---- front to back ----------------------------------------------------- */

START_TEST(pipes)
{
    char *texts[] = {make_loop(3, 7, 1), make_loop(2, 9, 2)};
    struct fixture fixture;
    struct error err = {0};
    int ends[2];
    uint8_t *data;
    size_t launches;
    bool whole;
    pack_groups(&fixture, texts, 2, 100);
    size_t size = read_bytes(fixture.packed, &data);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_lt(size, 65536); /* fits into the pipe */
    ck_assert_int_eq(write(ends[1], data, size), (ssize_t)size);
    close(ends[1]);
    char *again = path_in(fixture.folder, "again");
    struct trace_writer *writer = trace_writer_create(again, NULL, &err);
    ck_assert_msg(trace_writer_stream(writer, ends[0], "pipe", &launches, &whole, &err) == 0,
                  "%s", err.text);
    ck_assert_int_eq(trace_writer_end(writer, &err), 0);
    ck_assert_uint_eq(launches, 2);
    ck_assert(whole);
    trace_writer_destroy(writer);
    close(ends[0]);
    free(fixture.packed);
    fixture.packed = again;
    check_text(&fixture, (const char *const *)texts);
    free(data);
    finish(&fixture);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packed damage");
    TCase *tcase = tcase_create("packed damage");
    tcase_add_test(tcase, flipped_bits);
    tcase_add_test(tcase, flipped_bits_of_many_groups);
    tcase_add_test(tcase, interrupted_writes);
    tcase_add_test(tcase, other_versions);
    tcase_add_test(tcase, launches_that_are_not_there);
    tcase_add_loop_test(tcase, refused_text, 0, 9);
    tcase_add_test(tcase, pipes);
    tcase_set_timeout(tcase, 180);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
