/* Option files: tokens, comments, quotes, numbers, nesting, order. */
#include <stdio.h>
#include <sys/stat.h>

#include "tests/config/support.h"

START_TEST(tokens_may_stand_anywhere)
{
    struct sim_config *config = config_of("-gpgpu_n_mem\n\n 4 -gpgpu_n_clusters\t7\r\n");
    ck_assert_uint_eq(config->options.gpgpu_n_mem, 4);
    ck_assert_uint_eq(config->options.gpgpu_n_clusters, 7);
    sim_config_destroy(config);
}
END_TEST

START_TEST(comments_run_to_the_end_of_the_line)
{
    struct sim_config *config = config_of("# -gpgpu_n_mem 1\n-gpgpu_n_mem # 2\n 4# 3\n"
                                          "-gpgpu_n_clusters 7 # \"open\n#");
    ck_assert_uint_eq(config->options.gpgpu_n_mem, 4);
    ck_assert_uint_eq(config->options.gpgpu_n_clusters, 7);
    sim_config_destroy(config);
}
END_TEST

START_TEST(nothing_at_all_gives_the_defaults)
{
    struct sim_config *config = config_of("");
    ck_assert_uint_eq(config->options.gpgpu_n_clusters, 10);
    ck_assert_str_eq(config->options.gpgpu_scheduler, "gto");
    ck_assert(!config->l1d.enabled);
    sim_config_destroy(config);
}
END_TEST

START_TEST(the_later_one_wins)
{
    struct sim_config *config = config_of("-gpgpu_n_mem 4 -gpgpu_scheduler lrr\n"
                                          "-gpgpu_n_mem 8 -gpgpu_scheduler old");
    ck_assert_uint_eq(config->options.gpgpu_n_mem, 8);
    ck_assert_str_eq(config->options.gpgpu_scheduler, "old");
    sim_config_destroy(config);
}
END_TEST

static const struct {
    const char *text, *value;
} quotes[] = {
    {"\"a\"", "a"},
    {"\"a b\"", "a b"},
    {"\"a  \t b\"", "a b"},
    {"\"a\n   b\"", "a b"},
    {"\"a # not b\nc\"", "a c"},
    {"\" a \"", " a "},
    {"\"a\"b\"", "a\"b"},
    {"\"\"", ""},
    {"\"\n\"", " "},
    {"\"-keep\"", "-keep"},
    {"a\"b", "a\"b"},
};

START_TEST(quotes_join_words)
{
    char text[64];
    snprintf(text, sizeof text, "-trace_components %s -gpgpu_n_mem 4", quotes[_i].text);
    struct sim_config *config = config_of(text);
    ck_assert_str_eq(config->options.trace_components, quotes[_i].value);
    ck_assert_uint_eq(config->options.gpgpu_n_mem, 4);
    sim_config_destroy(config);
}
END_TEST

static const struct {
    const char *text;
    unsigned value;
} numbers[] = {
    {"0", 0},
    {"10", 10},
    {"0x10", 16},
    {"0XfF", 255},
    {"010", 8},
    {"00", 0},
    {"2147483647", 2147483647},
};

START_TEST(numbers_are_decimal_hexadecimal_or_octal)
{
    char text[64];
    snprintf(text, sizeof text, "-gpgpu_max_cta %s", numbers[_i].text);
    struct sim_config *config = config_of(text);
    ck_assert_uint_eq(config->options.gpgpu_max_cta, numbers[_i].value);
    sim_config_destroy(config);
}
END_TEST

START_TEST(signed_options_take_negative_numbers)
{
    struct sim_config *config =
        config_of("-gpgpu_warpdistro_shader -7 -gpgpu_warp_issue_shader 7");
    ck_assert_int_eq(config->options.gpgpu_warpdistro_shader, -7);
    ck_assert_int_eq(config->options.gpgpu_warp_issue_shader, 7);
    sim_config_destroy(config);
}
END_TEST

START_TEST(large_numbers_fit)
{
    struct sim_config *config = config_of("-gpgpu_max_cycle 9223372036854775807");
    ck_assert_uint_eq(config->options.gpgpu_max_cycle, INT64_MAX);
    sim_config_destroy(config);
}
END_TEST

START_TEST(former_names_are_known)
{
    struct sim_config *config = config_of("-rop_latency 120 -smem_latency 24 -l1_latency 82");
    ck_assert_uint_eq(config->options.gpgpu_l2_rop_latency, 120);
    ck_assert_uint_eq(config->options.gpgpu_smem_latency, 24);
    ck_assert_uint_eq(config->options.gpgpu_l1_latency, 82);
    sim_config_destroy(config);
}
END_TEST

/* A folder of option files, gone after the test. */
static char *folder;

static char *path_of(const char *name)
{
    static char path[4][128];
    static unsigned turn;
    char *to = path[turn++ % 4];
    snprintf(to, sizeof *path, "%s/%s", folder, name);
    return to;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void begin_files(void)
{
    folder = make_folder();
    ck_assert_int_eq(mkdir(path_of("sub"), 0700), 0);
}

static void end_files(void)
{
    remove_folder(folder);
}

static struct sim_config *load(const char *name, struct error *err)
{
    const char *source = path_of(name);
    return sim_config_create(&source, 1, NULL, 0, NULL, NULL, err);
}

START_TEST(nested_files_lie_relative_to_their_file)
{
    struct error err = {ERROR_NONE, ""};
    write_file("a", "-gpgpu_n_mem 4 -config sub/c -gpgpu_n_clusters 3");
    write_file("sub/c", "-gpgpu_n_mem 16 -gpgpu_n_clusters 5 -config d");
    write_file("sub/d", "-gpgpu_shader_cta 12");
    struct sim_config *config = load("a", &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    ck_assert_uint_eq(config->options.gpgpu_n_mem, 16);
    ck_assert_uint_eq(config->options.gpgpu_n_clusters, 3);
    ck_assert_uint_eq(config->options.gpgpu_shader_cta, 12);
    sim_config_destroy(config);
}
END_TEST

START_TEST(a_nested_name_may_be_bundled)
{
    struct sim_config *config = config_of("-config rtx3070 -gpgpu_n_clusters 3");
    ck_assert_uint_eq(config->options.gpgpu_n_clusters, 3);
    ck_assert_uint_eq(config->options.gpgpu_l1_latency, 39);
    sim_config_destroy(config);
}
END_TEST

START_TEST(a_cycle_is_an_error)
{
    struct error err = {ERROR_NONE, ""};
    char expected[256];
    write_file("a", "-config sub/c");
    write_file("sub/c", "-config ../a");
    ck_assert_ptr_null(load("a", &err));
    snprintf(expected, sizeof expected, "%s/sub/../a: includes itself", folder);
    ck_assert_str_eq(err.text, expected);
}
END_TEST

START_TEST(the_same_file_twice_is_no_cycle)
{
    struct error err = {ERROR_NONE, ""};
    write_file("a", "-config b -config b");
    write_file("b", "-gpgpu_n_mem 4");
    struct sim_config *config = load("a", &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    sim_config_destroy(config);
}
END_TEST

START_TEST(a_nested_file_that_is_missing_is_told_at_its_place)
{
    struct error err = {ERROR_NONE, ""};
    char expected[256];
    write_file("a", "# first\n-config b");
    ck_assert_ptr_null(load("a", &err));
    snprintf(expected, sizeof expected, "%s/a:2:9: -config: %s/b: No such file or directory",
             folder, folder);
    ck_assert_str_eq(err.text, expected);
}
END_TEST

START_TEST(a_folder_has_known_files)
{
    struct error err = {ERROR_NONE, ""};
    char expected[256];
    ck_assert_ptr_null(load("sub", &err));
    snprintf(expected, sizeof expected,
             "%s/sub: a folder without gpgpusim.config and trace.config", folder);
    ck_assert_str_eq(err.text, expected);
}
END_TEST

START_TEST(endless_nesting_ends)
{
    struct error err = {ERROR_NONE, ""};
    char text[2048] = "";
    for (unsigned i = 0; i < 300 / 4; i++)
        strcat(text, "-config b ");
    write_file("a", "-config sub/c -config sub/c -config sub/c -config sub/c");
    write_file("sub/c", "-config d");
    write_file("b", "");
    write_file("sub/d", text);
    write_file("sub/b", "");
    ck_assert_ptr_null(load("a", &err));
    ck_assert_ptr_nonnull(
        strstr(err.text, "expected at most 16 files inside each other, 256 in all"));
    remove(path_of("sub/b"));
}
END_TEST

START_TEST(sources_and_sets_apply_in_order)
{
    struct error err = {ERROR_NONE, ""};
    write_file("b", "-gpgpu_n_clusters 2 -gpgpu_l1_latency 50");
    const char *sources[] = {"rtx3070", path_of("b")};
    const char *sets[] = {"gpgpu_l1_latency=60", "gpgpu_l1_latency=70",
                          "trace_components= a  b "};
    struct sim_config *config = sim_config_create(sources, 2, sets, 3, NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    ck_assert_uint_eq(config->options.gpgpu_n_clusters, 2);
    ck_assert_uint_eq(config->options.gpgpu_l1_latency, 70);
    ck_assert_uint_eq(config->options.gpgpu_n_mem, 16);
    ck_assert_str_eq(config->options.trace_components, "a b");
    sim_config_destroy(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config syntax");
    TCase *text = tcase_create("text");
    tcase_add_test(text, tokens_may_stand_anywhere);
    tcase_add_test(text, comments_run_to_the_end_of_the_line);
    tcase_add_test(text, nothing_at_all_gives_the_defaults);
    tcase_add_test(text, the_later_one_wins);
    tcase_add_loop_test(text, quotes_join_words, 0, sizeof quotes / sizeof *quotes);
    tcase_add_loop_test(text, numbers_are_decimal_hexadecimal_or_octal, 0,
                        sizeof numbers / sizeof *numbers);
    tcase_add_test(text, signed_options_take_negative_numbers);
    tcase_add_test(text, large_numbers_fit);
    tcase_add_test(text, former_names_are_known);
    suite_add_tcase(suite, text);
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, begin_files, end_files);
    tcase_add_test(files, nested_files_lie_relative_to_their_file);
    tcase_add_test(files, a_nested_name_may_be_bundled);
    tcase_add_test(files, a_cycle_is_an_error);
    tcase_add_test(files, the_same_file_twice_is_no_cycle);
    tcase_add_test(files, a_nested_file_that_is_missing_is_told_at_its_place);
    tcase_add_test(files, a_folder_has_known_files);
    tcase_add_test(files, endless_nesting_ends);
    tcase_add_test(files, sources_and_sets_apply_in_order);
    suite_add_tcase(suite, files);
    return suite_run(suite);
}
