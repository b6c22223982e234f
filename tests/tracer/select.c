/* Options from the environment, and which launches they choose. */
#include "tracer/select/select.h"

#include <stdio.h>
#include <string.h>

#include "tests/tracer/support.h"

/* What launches 1 ... N called "gemm" get: '.', f, m or b a launch. */
static char *chosen(uint64_t n, const char *const *settings)
{
    struct tracer_options options = options_of(NULL, settings);
    struct selection selection;
    struct error err = {0};
    ck_assert_msg(selection_init(&selection, &options, &err) == 0, "%s", err.text);
    char *text = calloc(1, n + 1);
    for (uint64_t id = 1; id <= n; id++)
        text[id - 1] = ".fmb"[selection_of(&selection, id, "gemm")];
    selection_finish(&selection);
    return text;
}

#define assert_chosen(expected, ...)                                                           \
    do {                                                                                       \
        char *text_ = chosen(strlen(expected), SETTINGS(__VA_ARGS__));                         \
        ck_assert_str_eq(text_, expected);                                                     \
        free(text_);                                                                           \
    } while (0)

START_TEST(limits_choose)
{
    assert_chosen("ffff", "TRACE_MODE=trace");
    assert_chosen("mmmm", "TRACE_MODE=memory");
    assert_chosen("bbbb", "TRACE_MODE=both");
    assert_chosen("..fff", "DYNAMIC_KERNEL_LIMIT_START=3");
    assert_chosen(".fff.", "DYNAMIC_KERNEL_LIMIT_START=2", "DYNAMIC_KERNEL_LIMIT_END=4");
    assert_chosen("....", "ACTIVE_FROM_START=0", "DYNAMIC_KERNEL_LIMIT_END=4");
}
END_TEST

START_TEST(ranges_choose)
{
    assert_chosen(".f...", "DYNAMIC_KERNEL_RANGE=2");
    assert_chosen("ff.ff", "DYNAMIC_KERNEL_RANGE=1-2 4-");
    assert_chosen("fffff", "DYNAMIC_KERNEL_RANGE=0-0");
    assert_chosen(".f...", "DYNAMIC_KERNEL_RANGE=1-2", "DYNAMIC_KERNEL_LIMIT_START=2");
    assert_chosen("fff..", "DYNAMIC_KERNEL_RANGE=1-3@fft,ge.m 4-5@fft");
    assert_chosen(".....", "DYNAMIC_KERNEL_RANGE=@gem");
    assert_chosen("fffff", "DYNAMIC_KERNEL_RANGE=@gem.*");
}
END_TEST

START_TEST(lists_choose)
{
    char *folder = make_folder();
    char path[256], setting[300];
    snprintf(path, sizeof path, "%s/list", folder);
    snprintf(setting, sizeof setting, "TRACE_LIST=%s", path);
    FILE *out = fopen(path, "w");
    fputs("# launches\n2,5-6\nmemory 1,4-5 # those before\n", out);
    fclose(out);
    assert_chosen("mf.mff.", setting);
    assert_chosen("mb.mbb.", setting, "TRACE_MODE=both");
    assert_chosen("mm.mmm.", setting, "TRACE_MODE=memory");
    assert_chosen("mf.....", setting, "DYNAMIC_KERNEL_LIMIT_END=2");
    remove_folder(folder);
}
END_TEST

/* The process ends after the last launch that was asked for. */
START_TEST(limits_end)
{
    static const struct {
        const char *setting;
        uint64_t last;
    } cases[] = {
        {"DYNAMIC_KERNEL_LIMIT_END=7", 7},   {"DYNAMIC_KERNEL_RANGE=2 5-6", 6},
        {"DYNAMIC_KERNEL_RANGE=2 5-", 0},    {"TOOL_VERBOSE=0", 0},
        {"DYNAMIC_KERNEL_RANGE=@gemm.*", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tracer_options options = options_of(NULL, SETTINGS(cases[i].setting));
        struct selection selection;
        struct error err = {0};
        ck_assert_int_eq(selection_init(&selection, &options, &err), 0);
        ck_assert_uint_eq(selection.last, cases[i].last);
        selection_finish(&selection);
    }
}
END_TEST

/* ---- messages ---- */

static const char *value, *variable;

static const char *get_value(const char *name)
{
    return strcmp(name, variable) == 0 ? value : NULL;
}

START_TEST(bad_values_are_named)
{
    static const struct {
        const char *variable, *value, *message;
    } cases[] = {
        {"TRACE_MODE", "memroy",
         "TRACE_MODE: \"memroy\" is not one of: trace memory both profile"},
        {"DYNAMIC_KERNEL_LIMIT_END", "8x",
         "DYNAMIC_KERNEL_LIMIT_END: \"8x\" is not a number of 0 to 18446744073709551615"},
        {"DYNAMIC_KERNEL_LIMIT_END", "-1",
         "DYNAMIC_KERNEL_LIMIT_END: \"-1\" is not a number of 0 to 18446744073709551615"},
        {"ACTIVE_FROM_START", "2", "ACTIVE_FROM_START: \"2\" is not a number of 0 to 1"},
        {"TOOL_TRACE_CORE", "1", "TOOL_TRACE_CORE=1: core ids in traces: not supported"},
        {"TRACE_BUDGET", "0", "TRACE_BUDGET: \"0\" is not a number of 1 to 1048576"},
        {"DYNAMIC_KERNEL_RANGE", "2 5-x",
         "DYNAMIC_KERNEL_RANGE: \"5-x\" is not a launch or a range of launches such as 3, 5-8 "
         "or 10-"},
        {"DYNAMIC_KERNEL_RANGE", "7-5",
         "DYNAMIC_KERNEL_RANGE: \"7-5\" is not a launch or a range of launches such as 3, 5-8 "
         "or 10-"},
        {"DYNAMIC_KERNEL_RANGE", "@ge(m", "\"ge(m\" is not a regular expression"},
        {"TRACE_LIST", "/nowhere/list", "/nowhere/list: No such file or directory"},
        {"TRACE_LIST", "/dev/null", "/dev/null: a list without launches traces nothing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tracer_options options;
        struct error err = {0};
        variable = cases[i].variable;
        value = cases[i].value;
        if (tracer_options_read(&options, get_value, &err) == 0)
            ck_assert_ptr_null(tracer_create(&options, "1.7", &err));
        ck_assert_str_eq(err.text, cases[i].message);
        ck_assert_int_eq(err.kind, ERROR_USAGE);
    }
}
END_TEST

START_TEST(options_print_themselves)
{
    char *text, *help;
    size_t size;
    struct tracer_options options =
        options_of(NULL, SETTINGS("TRACE_ACTIVE=1", "TRACE_MODE=both", "TRACE_FORMAT=text",
                                  "INSTR_END=7", "DYNAMIC_KERNEL_RANGE=1-2"));
    FILE *out = open_memstream(&text, &size);
    tracer_options_print(&options, out);
    fclose(out);
    ck_assert_str_eq(text, "TRACE_MODE=both\nINSTR_END=7\nDYNAMIC_KERNEL_RANGE=1-2\n");
    free(text);
    out = open_memstream(&help, &size);
    tracer_options_help(out);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(help, "TRACE_MODE (trace)\n    trace: all"));
    free(help);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        limits_choose, ranges_choose,        lists_choose,
        limits_end,    bad_values_are_named, options_print_themselves,
    };
    return RUN_TESTS("select", tests);
}
