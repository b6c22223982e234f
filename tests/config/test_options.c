/* The table of options, printing and feeding back, notes. */
#include <stdio.h>

#include "tests/config/support.h"

/* What sim_config_print() writes; to be freed. */
static char *printed(const struct sim_config *config)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    sim_config_print(config, out);
    fclose(out);
    return text;
}

static const char *const round_trips[] = {
    "",
    "-config rtx3070",
    "-trace \"two words\" -visualizer_outputfile \"-dash\" -trace_components \"\"",
    "-trace \"a\"b\" -trace_components \"\"\" -hw_perf_bench_name a\"b",
    "-trace \" blanks \"",
    "-gpgpu_max_cycle 0x7fffffffffffffff -gpgpu_warpdistro_shader -5",
    "-gpgpu_clock_domains 0.50:1:2:3.000",
};

START_TEST(what_is_printed_can_be_fed_back)
{
    struct sim_config *config = config_of(round_trips[_i]);
    char *first = printed(config);
    struct sim_config *again = config_of(first);
    char *second = printed(again);
    ck_assert_str_eq(first, second);
    ck_assert_str_eq(config->options.trace, again->options.trace);
    ck_assert_str_eq(config->options.trace_components, again->options.trace_components);
    free(first);
    free(second);
    sim_config_destroy(config);
    sim_config_destroy(again);
}
END_TEST

START_TEST(a_printed_line_has_value_description_and_unit)
{
    struct sim_config *config = config_of("-config rtx3070");
    char *text = printed(config);
    ck_assert_ptr_nonnull(
        strstr(text, "\n-gpgpu_n_clusters 46 # clusters of SMs, each with one port of "
                     "the interconnect (clusters)\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n-visualizer_outputfile \"\" # no effect: "));
    ck_assert_ptr_nonnull(
        strstr(text, "\n-gpgpu_flush_l1_cache 1 # empty L1 between launches\n"));
    free(text);
    sim_config_destroy(config);
}
END_TEST

START_TEST(the_table_is_sound)
{
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        const struct sim_option_info *option = &sim_option_table[i];
        ck_assert_ptr_eq(sim_option_find(option->name), option);
        ck_assert_int_ne(option->description[0], '\0');
        ck_assert_ptr_null(strpbrk(option->description, "\n"));
        ck_assert(option->type == SIM_OPTION_TEXT || option->min < option->max);
        ck_assert_ptr_nonnull(sim_option_type_name(option->type));
    }
}
END_TEST

/* An option at its default prints as the table says. */
START_TEST(defaults_are_in_range)
{
    struct sim_config *config = config_of("");
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        char buffer[24];
        const struct sim_option_info *option = &sim_option_table[i];
        ck_assert_str_eq(sim_config_value(config, option, buffer, sizeof buffer),
                         option->initial);
    }
    sim_config_destroy(config);
}
END_TEST

static const struct {
    const char *name, *near;
} near_misses[] = {
    {"gpgpu_n_clustrs", "gpgpu_n_clusters"},
    {"gpgpu_cache_dl1", "gpgpu_cache:dl1"},
    {"gpgpu_kernel_lanuch_latency", "gpgpu_kernel_launch_latency"},
    {"n_clusters", "gpgpu_n_clusters"},
    {"flush_l1_cache", "gpgpu_flush_l1_cache"},
    {"ptx_opcode_latency_tensor", "ptx_opcode_latency_tesnor"},
    {"specialized_unit_9", "specialized_unit_1"},
    {"zzz", NULL},
    {"", NULL},
    {"gpgpu_an_option_that_is_unlike_any_other_that_there_is", NULL},
};

START_TEST(near_misses_are_guessed)
{
    const struct sim_option_info *near = sim_option_nearest(near_misses[_i].name);
    if (near_misses[_i].near == NULL) {
        ck_assert_ptr_null(near);
    } else {
        ck_assert_ptr_nonnull(near);
        ck_assert_str_eq(near->name, near_misses[_i].near);
    }
}
END_TEST

START_TEST(bundled_configurations_are_valid)
{
    unsigned count = 0;
    for (const struct sim_bundled_config *b = sim_bundled_configs; b->name != NULL;
         b++, count++) {
        struct error err = {ERROR_NONE, ""};
        struct sim_config *config = sim_config_create(&b->name, 1, NULL, 0, NULL, NULL, &err);
        ck_assert_msg(config != NULL, "%s: %s", b->name, err.text);
        ck_assert_uint_eq(strlen(b->text), b->size);
        ck_assert_int_ne(b->description[0], '\0');
        sim_config_destroy(config);
    }
    ck_assert_uint_ge(count, 1);
}
END_TEST

static void take_note(void *data, const char *text)
{
    ck_assert_str_eq(data, "");
    strcpy(data, text);
}

static void expect_note(const char *text, const char *expected)
{
    char note[512] = "";
    struct error err = {ERROR_NONE, ""};
    struct sim_config *config =
        sim_config_parse("f", text, strlen(text), take_note, note, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    ck_assert_str_eq(note, expected);
    sim_config_destroy(config);
}

START_TEST(options_without_effect_are_told_once)
{
    expect_note("-config rtx3070 -gpgpu_n_clusters 3", "");
    expect_note("-keep 1 -visualizer_enabled 0 -keep 0",
                "options without effect in this model: -keep, -visualizer_enabled");
    expect_note("-config rtx3070 -keep 1", "options without effect in this model: -keep");
    expect_note("-network_mode 1", "-network_mode 1 is simulated as 2, a crossbar");
    expect_note("-gpgpu_perfect_inst_const_cache 1 -icnt_subnets 2 -gpgpu_perfect_mem 0", "");
    expect_note("-gpgpu_perfect_inst_const_cache 0",
                "-gpgpu_perfect_inst_const_cache 0 is simulated as 1, instruction and constant "
                "fetches always hit");
    expect_note("-gpgpu_clock_domains 1410:1410:1512:6048", "");
    expect_note("-gpgpu_clock_domains 325:650:650:800",
                "the interconnect runs at the clock of the core, 325 MHz, not at 650");
    expect_note("-gpgpu_memory_partition_indexing 4 -keep 1",
                "options without effect in this model: -keep; "
                "-gpgpu_memory_partition_indexing 4 is simulated as 0, plain");
}
END_TEST

START_TEST(destroy_accepts_null)
{
    sim_config_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config options");
    TCase *tcase = tcase_create("options");
    tcase_add_loop_test(tcase, what_is_printed_can_be_fed_back, 0,
                        sizeof round_trips / sizeof *round_trips);
    tcase_add_test(tcase, a_printed_line_has_value_description_and_unit);
    tcase_add_test(tcase, the_table_is_sound);
    tcase_add_test(tcase, defaults_are_in_range);
    tcase_add_loop_test(tcase, near_misses_are_guessed, 0,
                        sizeof near_misses / sizeof *near_misses);
    tcase_add_test(tcase, bundled_configurations_are_valid);
    tcase_add_test(tcase, options_without_effect_are_told_once);
    tcase_add_test(tcase, destroy_accepts_null);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
