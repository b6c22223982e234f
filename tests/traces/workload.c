/* Lists of copies and launches. */
#define _GNU_SOURCE /* asprintf */
#include "tests/traces/support.h"

#include <stdio.h>
#include <string.h>

static struct trace_workload *parse(const char *text)
{
    struct error err = {0};
    struct trace_workload *w = trace_workload_parse("list", "dir", text, strlen(text), &err);
    ck_assert_msg(w != NULL, "%s", err.text);
    return w;
}

static void expect_path(const struct trace_workload *w, const char *name, const char *expected)
{
    char *path = trace_workload_path(w, name);
    ck_assert_str_eq(path, expected);
    free(path);
}

START_TEST(commands)
{
    struct trace_workload *w = parse("MemcpyHtoD,0x00007f0000000000,4096\n"
                                     "MemcpyHtoD,0x7f0000001000,16,payload.bin\n"
                                     "\n"
                                     "kernel-1.traceg.xz\n"
                                     "MemcpyDtoH,0x10,32\n"
                                     "!step role=measure scale=2\n"
                                     "kernel-17-ctx_0x55.traceg\n"
                                     "something else");
    ck_assert_uint_eq(w->count, 7);
    const struct trace_command *c = w->commands;
    ck_assert_int_eq(c[0].kind, TRACE_COPY_HTOD);
    ck_assert_uint_eq(c[0].copy.address, 0x7f0000000000);
    ck_assert_uint_eq(c[0].copy.bytes, 4096);
    ck_assert_int_eq(c[1].kind, TRACE_COPY_HTOD);
    ck_assert_uint_eq(c[1].copy.bytes, 16);
    ck_assert_int_eq(c[2].kind, TRACE_KERNEL);
    ck_assert_int_eq(c[2].line, 4);
    ck_assert_str_eq(c[2].text, "kernel-1.traceg.xz");
    expect_path(w, c[2].text, "dir/kernel-1.traceg.xz");
    ck_assert_int_eq(c[3].kind, TRACE_COPY_DTOH);
    ck_assert_int_eq(c[4].kind, TRACE_NOTE);
    ck_assert_str_eq(c[4].text, "!step role=measure scale=2");
    expect_path(w, c[5].text, "dir/kernel-17-ctx_0x55.traceg");
    ck_assert_int_eq(c[6].kind, TRACE_NOTE);
    ck_assert_int_eq(c[6].line, 8);
    ck_assert_str_eq(w->path, "list");
    ck_assert_str_eq(w->folder, "dir");
    trace_workload_destroy(w);
    trace_workload_destroy(NULL);
}
END_TEST

/* What comments say was written in one piece is a command; its line stays as it is. */
START_TEST(what_the_device_wrote)
{
    struct trace_workload *w = parse("# copy to 0x7f0000001000 from 0x7f0000000000 256\n"
                                     "# set 0x7f0000000000 4096 \t \r\n"
                                     "kernel-1.traceg\n"
                                     "# written 0x7f0000000020 96\n"
                                     "MemcpyHtoD,0x10,4\n"
                                     "# set 0x400 400 row=100 rows=4 pitch=512\n"
                                     "# managed 0x400 16\n");
    static const struct {
        enum trace_command_kind kind;
        bool writes, inferred;
        uint64_t address, bytes;
    } expected[] = {
        {TRACE_COPY_DEVICE, true, false, 0x7f0000001000, 256},
        {TRACE_COPY_DEVICE, true, false, 0x7f0000000000, 4096},
        {TRACE_KERNEL, false, false, 0, 0},
        {TRACE_COPY_DEVICE, true, true, 0x7f0000000020, 96},
        {TRACE_COPY_HTOD, true, false, 0x10, 4},
        {TRACE_NOTE, false, false, 0, 0},
        {TRACE_NOTE, false, false, 0, 0},
    };
    ck_assert_uint_eq(w->count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < w->count; i++) {
        const struct trace_command *command = &w->commands[i];
        ck_assert_int_eq(command->kind, expected[i].kind);
        ck_assert_int_eq(trace_command_writes(command), expected[i].writes);
        ck_assert_int_eq(trace_command_is_inferred(command), expected[i].inferred);
        if (!expected[i].writes)
            continue;
        ck_assert_uint_eq(command->copy.address, expected[i].address);
        ck_assert_uint_eq(command->copy.bytes, expected[i].bytes);
    }
    ck_assert_str_eq(w->commands[1].text, "# set 0x7f0000000000 4096");
    trace_workload_destroy(w);
}
END_TEST

START_TEST(carriage_returns_and_blanks)
{
    struct trace_workload *w =
        parse("MemcpyHtoD,0x10,4 \r\nkernel-1.traceg  \r\n \r\nMemcpyDtoH nonsense\r\n");
    ck_assert_uint_eq(w->count, 3);
    ck_assert_uint_eq(w->commands[0].copy.bytes, 4);
    expect_path(w, w->commands[1].text, "dir/kernel-1.traceg");
    ck_assert_int_eq(w->commands[2].kind, TRACE_NOTE);
    ck_assert_str_eq(w->commands[2].text, "MemcpyDtoH nonsense");
    trace_workload_destroy(w);
}
END_TEST

START_TEST(empty_list)
{
    struct trace_workload *w = parse("");
    ck_assert_uint_eq(w->count, 0);
    trace_workload_destroy(w);
}
END_TEST

static void assert_list_error(const char *text, const char *expected)
{
    struct error err = {0};
    ck_assert_ptr_null(trace_workload_parse("list", ".", text, strlen(text), &err));
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_str_eq(err.text, expected);
}

START_TEST(errors)
{
#define COPY "'MemcpyHtoD,0x<address>,<bytes>' is expected"
    assert_list_error("MemcpyHtoD\n", "list:1:1: " COPY);
    assert_list_error("kernel-1\nMemcpyHtoD,zz,4\n", "list:2:12: " COPY);
    assert_list_error("MemcpyHtoD,0x11112222333344445,4\n", "list:1:12: " COPY);
    assert_list_error("MemcpyHtoD,0x10,many\n", "list:1:17: " COPY);
    assert_list_error("MemcpyHtoD,0x10,4 4\n", "list:1:19: " COPY);
#undef COPY
    struct error err = {0};
    ck_assert_ptr_null(trace_workload_parse("list", ".", "kernel\0x\n", 9, &err));
    ck_assert_str_eq(err.text, "list:1: text is expected, this is binary");
}
END_TEST

/* Opens FILE of FOLDER, or the folder itself when FILE is "". */
static struct trace_workload *open_in(const char *folder, const char *file, struct error *err)
{
    char *path;
    ck_assert_int_ge(asprintf(&path, "%s/%s", folder, file), 0);
    *err = (struct error){0};
    struct trace_workload *w = trace_workload_open(path, err);
    free(path);
    return w;
}

static void add_file(const char *folder, const char *name, const char *text)
{
    free(make_file(folder, name, text, strlen(text)));
}

/* Of text that is none, not even a comment counts; what a plan says does. */
START_TEST(lines_that_are_no_list)
{
    struct error err = {0};
    char *folder = make_folder();
    add_file(folder, "profile.csv", "\nlaunch,kernel\n1,k\n");
    add_file(folder, "said.plan", "# late\n!plan 1\n");
    ck_assert_ptr_null(open_in(folder, "profile.csv", &err));
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_ptr_nonnull(
        strstr(err.text, "profile.csv:2: no line of the file is a copy or a launch"));
    struct trace_workload *w = open_in(folder, "said.plan", &err);
    ck_assert_ptr_nonnull(w);
    trace_workload_destroy(w);
    remove_folder(folder);
}
END_TEST

START_TEST(folders)
{
    char *folder = make_folder();
    struct error err;
    struct trace_workload *w;
    ck_assert_ptr_null(open_in(folder, "", &err));
    ck_assert_ptr_nonnull(
        strstr(err.text, ": the folder has neither kernelslist.g nor kernelslist"));

    add_file(folder, "kernelslist_ctx_0x5", "kernel-5.trace\n");
    w = open_in(folder, "", &err);
    ck_assert_msg(w != NULL, "%s", err.text);
    ck_assert_str_eq(w->commands[0].text, "kernel-5.trace");
    trace_workload_destroy(w);

    add_file(folder, "kernelslist_ctx_0x6", "kernel-6.trace\n");
    ck_assert_ptr_null(open_in(folder, "", &err));
    ck_assert_ptr_nonnull(strstr(err.text, ": 2 lists kernelslist_ctx_*"));

    add_file(folder, "kernelslist", "kernel-1.trace\n");
    w = open_in(folder, "", &err);
    ck_assert_str_eq(w->commands[0].text, "kernel-1.trace");
    trace_workload_destroy(w);

    add_file(folder, "kernelslist.g", "kernel-1.traceg\n");
    w = open_in(folder, "", &err);
    ck_assert_str_eq(w->commands[0].text, "kernel-1.traceg");
    trace_workload_destroy(w);

    w = open_in(folder, "kernelslist_ctx_0x6", &err);
    ck_assert_str_eq(w->commands[0].text, "kernel-6.trace");
    ck_assert_ptr_null(trace_workload_kernel(w, w->commands[0].text, NULL, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "kernel-6.trace: cannot open: No such file"));
    trace_workload_destroy(w);
    remove_folder(folder);
}
END_TEST

START_TEST(single_trace)
{
    char *folder = make_folder();
    struct error err;
    add_file(folder, "some.traceg", "\n" TRACE("1", "0000 1 0 EXIT 0 0 0\n"));
    struct trace_workload *w = open_in(folder, "some.traceg", &err);
    ck_assert_msg(w != NULL, "%s", err.text);
    ck_assert_uint_eq(w->count, 1);
    ck_assert_int_eq(w->commands[0].kind, TRACE_KERNEL);
    ck_assert_str_eq(w->commands[0].text, "some.traceg");
    ck_assert_str_eq(w->folder, folder);
    struct trace_kernel *kernel = trace_workload_kernel(w, w->commands[0].text, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    trace_kernel_close(kernel);
    trace_workload_destroy(w);
    remove_folder(folder);
}
END_TEST

START_TEST(missing)
{
    struct error err = {0};
    ck_assert_ptr_null(trace_workload_open("/nowhere/kernelslist.g", &err));
    ck_assert_str_eq(err.text,
                     "/nowhere/kernelslist.g: cannot open: No such file or directory");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        commands,
        what_the_device_wrote,
        carriage_returns_and_blanks,
        empty_list,
        errors,
        lines_that_are_no_list,
        folders,
        single_trace,
        missing,
    };
    return RUN_TESTS("workload", tests);
}
