/* A reader of this file, which meson.build adds to the table by one line: traces are read,
 * verified and packed through it, lists and errors know it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/traces/support.h"
#include "traces/readers/reader.h"
#include "traces/text/text.h"

/* "NOT" and a trace in bytes whose bits are all inverted. */
static bool probe(const struct source *source)
{
    return source->end - source->at >= 3 && memcmp(source->at, "NOT", 3) == 0;
}

struct inverted {
    struct source inner;
    bool begun;
    char text[1 << 16];
};

static int read_inverted(struct source *source, const void **text, size_t *size,
                         struct error *err)
{
    struct inverted *inverted = source->stream;
    const void *bytes;
    int rc = source_read(&inverted->inner, &bytes, size, err);
    if (rc != 1)
        return rc;
    ck_assert_uint_le(*size, sizeof inverted->text);
    for (size_t i = 0; i < *size; i++)
        inverted->text[i] = (char)~((const char *)bytes)[i];
    *text = inverted->text + (inverted->begun ? 0 : 3);
    *size -= inverted->begun ? 0 : 3;
    inverted->begun = true;
    return 1;
}

static int open_inverted(struct source *source, struct error *err)
{
    static const struct source_ops ops = {read_inverted, NULL};
    return source_wrap(source, &ops, sizeof(struct inverted), err) != NULL ? 0 : -1;
}

const struct trace_reader trace_reader_inverted = {
    .policy = {"inverted", NULL, "an inverted file"},
    .probe = probe,
    .open = open_inverted,
};

static const char grouped[] = TRACE("1", "0000 1 0 EXIT 0 0 0\n");
static const char expected[] = "block 0,0,0\nwarp 0: 1\n0 1 EXIT\n";

/* A file NAME in FOLDER with the inverted text. The caller frees the path. */
static char *make_inverted(const char *folder, const char *name, const char *text)
{
    char bytes[4096] = "NOT";
    size_t size = strlen(text);
    ck_assert_uint_lt(size, sizeof bytes - 3);
    for (size_t i = 0; i < size; i++)
        bytes[3 + i] = (char)~text[i];
    return make_file(folder, name, bytes, 3 + size);
}

static void assert_blocks(const char *text)
{
    char *folder = make_folder(), *path = make_inverted(folder, "kernel-1.not", text);
    struct error err = {0};
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    char *got = dump(kernel);
    ck_assert_str_eq(got, expected);
    free(got);
    free(path);
    remove_folder(folder);
}

/* Grouped or raw: what it stands for is recognised again. */
START_TEST(blocks)
{
    assert_blocks(grouped);
    assert_blocks(HEADER "0 0 0 0 0000 1 0 EXIT 0 0 0\n");
}
END_TEST

static void ignore(void *data, const struct trace_finding *finding)
{
}

START_TEST(workloads)
{
    char *folder = make_folder(), *path = make_inverted(folder, "kernel-1.not", grouped);
    char *list = make_inverted(folder, "kernelslist.g", "kernel-1.not\n");
    const char *const paths[] = {path, list, folder};
    for (size_t i = 0; i < 3; i++) {
        struct error err = {0};
        struct trace_verify verify = {.found = ignore};
        struct trace_workload *workload = trace_workload_open(paths[i], &err);
        ck_assert_msg(workload != NULL, "%s", err.text);
        ck_assert_uint_eq(workload->count, 1);
        ck_assert_str_eq(workload->commands[0].text, "kernel-1.not");
        trace_workload_destroy(workload);
        ck_assert_int_eq(trace_verify_workload(paths[i], &verify, &err), 0);
        ck_assert_uint_eq(verify.records, 1);
        ck_assert_uint_eq(verify.errors, 0);
    }
    free(path);
    free(list);
    remove_folder(folder);
}
END_TEST

START_TEST(text)
{
    char *folder = make_folder(), *path = make_inverted(folder, "kernel-1.not", grouped);
    struct error err = {0};
    struct source source;
    const void *got;
    size_t size;
    ck_assert_int_eq(text_open(&source, path, NULL, &err), 0);
    ck_assert_int_eq(source_read(&source, &got, &size, &err), 1);
    ck_assert_uint_eq(size, strlen(grouped));
    ck_assert_int_eq(memcmp(got, grouped, size), 0);
    source_finish(&source);
    free(path);
    remove_folder(folder);
}
END_TEST

static void assert_refused(const void *bytes, size_t size, const char *message)
{
    struct error err = {0};
    ck_assert_ptr_null(open_bytes(bytes, size, NULL, &err));
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_str_eq(without_file(&err), message);
}

START_TEST(errors)
{
    static const char nested[] = "NOT"
                                 "\xb1\xb0\xab" /* NOT, inverted */
                                 "NOT"
                                 "\xb1\xb0\xab";
    assert_refused("\x7f\x45\x4c\x46\0", 5,
                   " no reader recognises this file as compressed, packed, tracez, inverted, "
                   "raw, grouped or list");
    assert_refused("hello\n", 6,
                   " a kernel trace is expected, this is a list of launches or other text");
    assert_refused(
        "NOT", 3,
        " the file is empty: a kernel trace, a list of launches or a packed workload "
        "is expected");
    assert_refused(nested, sizeof nested - 1, " it is compressed more than 3 times");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {blocks, workloads, text, errors};
    return RUN_TESTS("new reader", tests);
}
