/* Specifications of sweeps: lines, values, and what whole files mean. */
#include "tests/suite.h"
#include "tools/sweep/spec/sweep_line.h"
#include "tools/sweep/spec/sweep_spec.h"
#include "tools/sweep/spec/sweep_values.h"

/* ---- lines ---- */

static const struct {
    const char *text;
    size_t count;
    const char *words[4];
    int columns[4];
} lines[] = {
    {"", 0, {0}, {0}},
    {" \t# nothing", 0, {0}, {0}},
    {"card  a\tb\r", 3, {"card", "a", "b"}, {1, 7, 9}},
    {"card a#b # c", 2, {"card", "a#b"}, {1, 6}},
    {"point l2 \"a b\" x=\"#\"", 4, {"point", "l2", "a b", "x=#"}, {1, 7, 10, 16}},
    {"a \"\\\"\\\\\"", 2, {"a", "\"\\"}, {1, 3}},
    {"a \"\"", 2, {"a", ""}, {1, 3}},
};

START_TEST(words_of_a_line)
{
    struct sweep_line line;
    struct error err = {0};
    char buffer[64];
    strcpy(buffer, lines[_i].text);
    ck_assert_int_eq(sweep_line_init(&line, buffer, "spec", 7, &err), 0);
    ck_assert_uint_eq(line.count, lines[_i].count);
    for (size_t w = 0; w < line.count; w++) {
        ck_assert_str_eq(line.words[w].text, lines[_i].words[w]);
        ck_assert_int_eq(line.words[w].column, lines[_i].columns[w]);
    }
    sweep_line_finish(&line);
}
END_TEST

START_TEST(an_open_quote)
{
    struct sweep_line line;
    struct error err = {0};
    char buffer[] = "card a \"b c";
    ck_assert_int_eq(sweep_line_init(&line, buffer, "spec", 7, &err), -1);
    ck_assert_str_eq(err.text, "spec:7:8: the quote is not closed");
    sweep_line_finish(&line);
}
END_TEST

/* ---- values ---- */

START_TEST(ranges)
{
    static const struct {
        const char *text;
        enum sweep_values_kind kind;
        size_t count;
        uint64_t last;
    } all[] = {
        {"4..8", SWEEP_VALUES_RANGE, 5, 8},
        {"7..7", SWEEP_VALUES_RANGE, 1, 7},
        {"16..64+16", SWEEP_VALUES_RANGE, 4, 64},
        {"16..63+16", SWEEP_VALUES_RANGE, 3, 48},
        {"1..9*2", SWEEP_VALUES_RANGE, 4, 8},
        {"0..1023", SWEEP_VALUES_RANGE, SWEEP_VALUES, 1023},
        {"8", SWEEP_VALUES_NONE, 0, 0},
        {"1.5", SWEEP_VALUES_NONE, 0, 0},
        {"S:32:128:16", SWEEP_VALUES_NONE, 0, 0},
        {"0..1024", SWEEP_VALUES_WRONG, 0, 0},
        {"8..4", SWEEP_VALUES_WRONG, 0, 0},
        {"4..", SWEEP_VALUES_WRONG, 0, 0},
        {"4..8+0", SWEEP_VALUES_WRONG, 0, 0},
        {"4..8*1", SWEEP_VALUES_WRONG, 0, 0},
        {"0..8*2", SWEEP_VALUES_WRONG, 0, 0},
        {"4..8-2", SWEEP_VALUES_WRONG, 0, 0},
        {"4..8+2x", SWEEP_VALUES_WRONG, 0, 0},
    };
    struct sweep_values values;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ck_assert_msg(sweep_values_read(&values, all[i].text) == all[i].kind, "%s",
                      all[i].text);
        if (all[i].kind != SWEEP_VALUES_RANGE)
            continue;
        ck_assert_uint_eq(values.count, all[i].count);
        ck_assert_uint_eq(values.items[values.count - 1], all[i].last);
    }
}
END_TEST

/* ---- files ---- */

static struct sweep_spec spec;
static char *folder, *path;

static int read_spec(const char *text, struct error *err)
{
    folder = make_folder();
    path = make_file(folder, "spec", text, strlen(text));
    return sweep_spec_init(&spec, path, err);
}

static void finish(void)
{
    sweep_spec_finish(&spec);
    free(path);
    remove_folder(folder);
}

START_TEST(a_whole_specification)
{
    struct error err = {0};
    int result = read_spec("workload w1 /t/x/kernelslist.g name=/t/y.packed\n"
                           "define OFF gpgpu_gmem_skip_L1D=1\n"
                           "card rtx3070 QV100-SASS-64SM a100-OFF\n"
                           "option gpgpu_kernel_launch_latency 10..30+10 5\n"
                           "point l2 small gpgpu_n_mem=4\n"
                           "point l2 large gpgpu_n_mem=8\n"
                           "method full\nmethod sieve theta=0.3\nwarm checkpoint cold\n",
                           &err);
    ck_assert_msg(result == -1, "the policy cold is unknown");
    ck_assert_ptr_nonnull(strstr(err.text, "spec:9:17: "));
    finish();
    err = (struct error){0};
    result = read_spec("workload w1 /t/x/kernelslist.g name=/t/y.packed\n"
                       "define OFF gpgpu_gmem_skip_L1D=1\n"
                       "card rtx3070 QV100-SASS-64SM a100-OFF\n"
                       "option gpgpu_kernel_launch_latency 10..30+10 5\n"
                       "point l2 small gpgpu_n_mem=4\n"
                       "point l2 large gpgpu_n_mem=8\n"
                       "method full\nmethod sieve theta=0.3\nwarm checkpoint full\n",
                       &err);
    ck_assert_msg(result == 0, "%s", err.text);
    ck_assert_uint_eq(spec.workload_count, 3);
    ck_assert_str_eq(spec.workloads[1].name, "x");
    ck_assert_str_eq(spec.workloads[2].name, "name");
    ck_assert_str_eq(spec.workloads[2].path, "/t/y.packed");
    ck_assert_uint_eq(spec.card_count, 3);
    ck_assert_str_eq(spec.cards[1].files.items[0], "qv100");
    ck_assert_str_eq(spec.cards[1].values.items[0], "gpgpu_n_clusters=64");
    ck_assert_str_eq(spec.cards[2].values.items[0], "gpgpu_gmem_skip_L1D=1");
    ck_assert_uint_eq(spec.axis_count, 2);
    ck_assert_uint_eq(sweep_spec_points(&spec), 4 * 2);
    ck_assert_uint_eq(sweep_spec_axis(&spec, "l2"), 1);
    ck_assert_uint_eq(sweep_spec_axis(&spec, "l3"), 2);
    /* The last axis changes fastest. */
    ck_assert_uint_eq(sweep_spec_point(&spec, 5, 0), 2);
    ck_assert_uint_eq(sweep_spec_point(&spec, 5, 1), 1);
    ck_assert_str_eq(spec.axes[0].points[3].values.items[0], "gpgpu_kernel_launch_latency=5");
    /* Full runs have no policy, samples have each. */
    ck_assert_uint_eq(spec.way_count, 3);
    ck_assert_ptr_null(spec.ways[0].warm);
    ck_assert_str_eq(spec.ways[1].warm, "checkpoint");
    ck_assert_str_eq(spec.ways[2].warm, "full");
    ck_assert_str_eq(spec.methods[1].name, "sieve theta=0.3");
    ck_assert_str_eq(spec.methods[1].options.items[0], "--theta=0.3");
    finish();
}
END_TEST

/* What baseline and pareto name may come after them; without a method all launches run. */
START_TEST(lines_in_any_order)
{
    struct error err = {0};
    int result = read_spec("baseline card=a100 gpgpu_n_mem=8\npareto seconds gpgpu_n_mem\n"
                           "option gpgpu_n_mem 4 8\ncard rtx3070 a100\nworkload w\n",
                           &err);
    ck_assert_msg(result == 0, "%s", err.text);
    ck_assert(spec.baseline.given);
    ck_assert_uint_eq(spec.baseline.card, 1);
    ck_assert_uint_eq(spec.baseline.axes[0], 1);
    ck_assert_uint_eq(spec.baseline.method, SWEEP_SAME);
    ck_assert_uint_eq(spec.pareto.count, 2);
    ck_assert_uint_eq(spec.way_count, 1);
    ck_assert_str_eq(spec.methods[0].name, "full");
    char *wanted = NULL;
    ck_assert_ptr_nonnull(wanted = malloc(strlen(folder) + 3));
    strcat(strcpy(wanted, folder), "/w");
    ck_assert_str_eq(spec.workloads[0].path, wanted);
    free(wanted);
    finish();
}
END_TEST

START_TEST(too_many)
{
    struct error err = {0};
    char text[4096] = "workload w\ncard rtx3070\n", line[64];
    for (int i = 0; i < SWEEP_AXES + 1; i++) {
        snprintf(line, sizeof line, "point a%d x gpgpu_n_mem=4\n", i);
        strcat(text, line);
    }
    ck_assert_int_eq(read_spec(text, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "spec:15:7: more than 12 axes"));
    finish();
    err = (struct error){0};
    ck_assert_int_eq(read_spec("workload w\ncard rtx3070\noption gpgpu_n_mem 1..400\n"
                               "option gpgpu_kernel_launch_latency 1..1000\n"
                               "option gpgpu_l2_rop_latency 1..100\n",
                               &err),
                     -1);
    ck_assert_ptr_nonnull(strstr(err.text, "more than 10000000 combinations"));
    finish();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {an_open_quote, ranges, a_whole_specification,
                                  lines_in_any_order, too_many};
    const TTest *const loops[] = {words_of_a_line};
    return RUN_LOOPS("sweep spec", tests, loops, (int)(sizeof lines / sizeof *lines));
}
