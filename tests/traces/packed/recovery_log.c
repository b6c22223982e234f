/* Packed files whose writer was killed: what is there is read up to the last
 * whole launch, wherever in the file or in its redo log the end came. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/support.h"
#include "traces/packed/recovery_log.h"

#define LAUNCHES 6

/* Files of a writer at one moment. */
struct moment {
    uint8_t *data[2]; /* the file, its redo log */
    size_t size[2];
};

static const char *const suffixes[] = {"", RECOVERY_LOG_SUFFIX};

static char *join(const char *folder, const char *name, const char *suffix)
{
    char *path;
    ck_assert_int_ge(asprintf(&path, "%s/%s%s", folder, name, suffix), 0);
    return path;
}

/* A launch of its own kind: every third shares a kernel, which grows. */
static char *make_text(int number)
{
    char *text;
    ck_assert_int_ge(
        asprintf(&text,
                 "-kernel name = k%d\n-kernel id = %d\n-grid dim = (1,1,1)\n"
                 "-block dim = (32,1,1)\n-binary version = 86\n-accelsim tracer version = 5\n\n"
                 "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 4\n"
                 "0000 ffffffff 1 R%d LDG.E 1 R4 4 1 0x7f00000%d000 4 0 \n"
                 "0010 %08x 1 R9 FADD 2 R8 R8 0 0 \n"
                 "00%d0 0000000f 0 STG.E 2 R6 R9 4 0 0x10 0x20 0x2%d 0x28 0 \n"
                 "00f0 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n%s",
                 number % 3, number, number, number, 0xff << number, number + 2, number,
                 number % 2 == 0 ? "\n# behind\n" : ""),
        0);
    return text;
}

static void take(struct moment *moment, const char *folder)
{
    for (int i = 0; i < 2; i++) {
        char *path = join(folder, "packed.part", suffixes[i]);
        FILE *file = fopen(path, "rb");
        ck_assert_msg(file != NULL, "%s", path);
        moment->data[i] = malloc(1 << 16);
        moment->size[i] = fread(moment->data[i], 1, 1 << 16, file);
        ck_assert_uint_lt(moment->size[i], 1 << 16);
        fclose(file);
        free(path);
    }
}

/* Packs the launches and looks at the files after each. */
static void pack(const char *folder, uint64_t group_records, struct moment *moments)
{
    struct error err = {0};
    const struct trace_writer_options options = {.level = 1, .group_records = group_records};
    char *packed = join(folder, "packed", "");
    struct trace_writer *writer = trace_writer_create(packed, &options, &err);
    ck_assert_msg(writer != NULL, "%s", err.text);
    for (int i = 0; i < LAUNCHES; i++) {
        char name[64], *text = make_text(i + 1);
        snprintf(name, sizeof name, "kernel-%d.traceg", i + 1);
        char *path = make_file(folder, name, text, strlen(text));
        ck_assert_int_eq(trace_writer_line(writer, "MemcpyHtoD,0x7f0000000000,256", &err), 0);
        ck_assert_msg(trace_writer_launch(writer, name, path, NULL, &err) == 0, "%s", err.text);
        take(&moments[i], folder);
        free(path);
        free(text);
    }
    ck_assert_int_eq(trace_writer_end(writer, &err), 0);
    trace_writer_destroy(writer);
    char *left = join(folder, "packed.part", RECOVERY_LOG_SUFFIX);
    ck_assert_ptr_null(fopen(left, "rb"));
    free(left);
    free(packed);
}

static char *read_launch(const char *packed, int number)
{
    char name[16];
    struct error err = {0};
    snprintf(name, sizeof name, "/kernel-%d", number);
    char *path = join(packed, name + 1, "");
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    free(path);
    return dump(kernel);
}

/* How many launches are read of a file of SIZE[0] bytes with a log of SIZE[1];
 * all that are must be those of their texts. */
static size_t count(const char *folder, const struct moment *moment, const size_t size[2])
{
    struct error err = {0};
    size_t launches = 0;
    char *path = make_file(folder, "cut", moment->data[0], size[0]);
    free(make_file(folder, "cut" RECOVERY_LOG_SUFFIX, moment->data[1], size[1]));
    struct trace_workload *workload = trace_workload_open(path, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    ck_assert_ptr_nonnull(workload->note);
    for (size_t i = 0; i < workload->count; i++)
        launches += workload->commands[i].kind == TRACE_KERNEL;
    trace_workload_destroy(workload);
    if (launches > 0) {
        char *text = make_text((int)launches), *expected = dump_text(text);
        char *read = read_launch(path, (int)launches);
        ck_assert_str_eq(read, expected);
        free(text);
        free(expected);
        free(read);
    }
    free(path);
    return launches;
}

static void finish(struct moment *moments)
{
    for (int i = 0; i < LAUNCHES; i++)
        for (int k = 0; k < 2; k++)
            free(moments[i].data[k]);
}

static const uint64_t group_records[] = {0, 1, 9};

/* After each launch all launches so far are there. */
START_TEST(killed_between_launches)
{
    struct moment moments[LAUNCHES];
    char *folder = make_folder();
    pack(folder, group_records[_i], moments);
    for (size_t i = 0; i < LAUNCHES; i++)
        ck_assert_uint_eq(count(folder, &moments[i], moments[i].size), i + 1);
    finish(moments);
    remove_folder(folder);
}
END_TEST

/* At any byte of the log, those before it. */
START_TEST(log_cut_anywhere)
{
    struct moment moments[LAUNCHES];
    char *folder = make_folder();
    pack(folder, group_records[_i], moments);
    for (size_t i = 2; i < LAUNCHES; i += 3) {
        size_t least = i, size[2] = {moments[i].size[0], moments[i].size[1]};
        for (size_t cut = 0; cut < moments[i].size[1]; cut++) {
            size[1] = cut;
            size_t launches = count(folder, &moments[i], size);
            ck_assert_uint_le(launches, i);
            least = cut == 0 ? launches : least;
            ck_assert_uint_ge(launches, least);
            least = launches;
        }
        ck_assert_uint_eq(least, i);
    }
    finish(moments);
    remove_folder(folder);
}
END_TEST

/* While a group goes to the file its launches are in the log still; when it is
 * there they count once. */
START_TEST(group_cut_anywhere)
{
    struct moment moments[LAUNCHES];
    char *folder = make_folder();
    pack(folder, 9, moments);
    for (size_t i = 1; i < LAUNCHES; i++) {
        struct moment between = {{moments[i].data[0], moments[i - 1].data[1]},
                                 {moments[i].size[0], moments[i - 1].size[1]}};
        size_t size[2] = {0, between.size[1]};
        for (size_t cut = moments[i - 1].size[0]; cut <= between.size[0]; cut++) {
            size[0] = cut;
            ck_assert_uint_eq(count(folder, &between, size), i);
        }
    }
    finish(moments);
    remove_folder(folder);
}
END_TEST

/* A damaged entry ends the log. */
START_TEST(log_with_flipped_bits)
{
    struct moment moments[LAUNCHES];
    char *folder = make_folder();
    pack(folder, 0, moments);
    struct moment *last = &moments[LAUNCHES - 1];
    for (size_t byte = 0; byte < last->size[1]; byte++) {
        last->data[1][byte] ^= (uint8_t)(1 << byte % 8);
        ck_assert_uint_lt(count(folder, last, last->size), LAUNCHES);
        last->data[1][byte] ^= (uint8_t)(1 << byte % 8);
    }
    finish(moments);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redo");
    TCase *tcase = tcase_create("redo");
    tcase_add_loop_test(tcase, killed_between_launches, 0, 3);
    tcase_add_loop_test(tcase, log_cut_anywhere, 0, 3);
    tcase_add_test(tcase, group_cut_anywhere);
    tcase_add_test(tcase, log_with_flipped_bits);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
