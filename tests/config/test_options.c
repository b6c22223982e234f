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
        strstr(text, "\n-gpgpu_flush_l1_cache 1 # flush L1 between launches\n"));
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
    }
}
END_TEST

START_TEST(every_option_has_unit_range_and_place)
{
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        const struct sim_option_info *option = &sim_option_table[i];
        char range[SIM_OPTION_RANGE];
        ck_assert_int_ne(sim_option_unit(option)[0], '\0');
        ck_assert_int_ne(sim_option_range(option, range, sizeof range)[0], '\0');
        ck_assert_int_ne(sim_option_where(option)[0], '\0');
    }
}
END_TEST

static const struct {
    enum sim_option option;
    const char *unit, *range, *where;
} known[] = {
    {SIM_OPTION_gpgpu_max_cycle, "cycles", "from 0 to 9223372036854775807",
     "the run: its limits"},
    {SIM_OPTION_gpgpu_n_mem, "channels", "from 1 to 1024",
     "the chip: clusters, SMs, memory channels, clocks"},
    {SIM_OPTION_gpgpu_scheduler, "text", "lrr, gto, oldest or cggty", "an SM: fetch and issue"},
    {SIM_OPTION_gpgpu_cache_dl2, "text", "a text as described", "the L2 slices"},
    {SIM_OPTION_gpgpu_perf_sim_memcpy, "switch", "0 or 1", "the L2 slices"},
    {SIM_OPTION_hearth_device_copies, "switch", "0 or 1", "the L2 slices"},
    {SIM_OPTION_gpgpu_dram_scheduler, "text", "fifo or frfcfs", "a DRAM channel"},
    {SIM_OPTION_SST_mode, "switch", "0 or 1", "parts of other GPGPU-Sim versions"},
};

START_TEST(unit_range_and_place_are_right)
{
    const struct sim_option_info *option = &sim_option_table[known[_i].option];
    char range[SIM_OPTION_RANGE];
    ck_assert_str_eq(sim_option_unit(option), known[_i].unit);
    ck_assert_str_eq(sim_option_range(option, range, sizeof range), known[_i].range);
    ck_assert_str_eq(sim_option_where(option), known[_i].where);
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
    {"GPGPU_N_MEM", "gpgpu_n_mem"},
    {"N_MEM", "gpgpu_n_mem"},
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

/* Of the tested-cfgs of GPGPU-Sim and Accel-Sim, 2018 to 2026. */
static const char *const public_names[] = {
    "dram_bnk_indexing_policy dram_bnkgrp_indexing_policy dram_data_command_freq_ratio",
    "dram_dual_bus_interface dram_latency dram_seperate_write_queue_enable",
    "dram_write_queue_size enable_accurate_simulation enable_dma enable_ptx_file_line_stats",
    "enable_smart_runtime eviction_policy gddr_size gpgpu_TB_launch_latency",
    "gpgpu_adaptive_cache_config gpgpu_cache:dl1 gpgpu_cache:dl1PrefL1",
    "gpgpu_cache:dl1PrefShared gpgpu_cache:dl2 gpgpu_cache:dl2_texture_only gpgpu_cache:il1",
    "gpgpu_chiplet_interleave gpgpu_clock_domains gpgpu_clock_gated_lanes",
    "gpgpu_coalesce_arch gpgpu_compute_capability_major gpgpu_compute_capability_minor",
    "gpgpu_const_cache:l1 gpgpu_deadlock_detect gpgpu_dram_burst_length gpgpu_dram_buswidth",
    "gpgpu_dram_partition_queues gpgpu_dram_return_queue_size gpgpu_dram_scheduler",
    "gpgpu_dram_timing_opt gpgpu_dual_issue_diff_exec_units",
    "gpgpu_enable_specialized_operand_collector gpgpu_flush_l1_cache",
    "gpgpu_frfcfs_dram_sched_queue_size gpgpu_gmem_skip_L1D gpgpu_heap_size_limit",
    "gpgpu_ignore_resources_limitation gpgpu_inst_fetch_throughput",
    "gpgpu_kernel_launch_latency gpgpu_l1_banks gpgpu_l1_cache_write_ratio gpgpu_l1_latency",
    "gpgpu_l2_rop_latency gpgpu_lrc_enabled gpgpu_lrc_max_entries gpgpu_lrc_max_merged",
    "gpgpu_max_concurrent_kernel gpgpu_max_insn_issue_per_warp gpgpu_mem_addr_mapping",
    "gpgpu_mem_address_mask gpgpu_memlatency_stat gpgpu_memory_partition_indexing",
    "gpgpu_n_chiplet_partition gpgpu_n_cluster_ejection_buffer_size gpgpu_n_clusters",
    "gpgpu_n_cores_per_cluster gpgpu_n_ldst_response_buffer_size gpgpu_n_mem",
    "gpgpu_n_mem_per_ctrlr gpgpu_n_sub_partition_per_mchannel gpgpu_num_dp_units",
    "gpgpu_num_int_units gpgpu_num_reg_banks gpgpu_num_sched_per_core gpgpu_num_sfu_units",
    "gpgpu_num_sp_units gpgpu_num_tensor_core_units gpgpu_occupancy_sm_number",
    "gpgpu_operand_collector_num_in_ports_dp gpgpu_operand_collector_num_in_ports_gen",
    "gpgpu_operand_collector_num_in_ports_mem gpgpu_operand_collector_num_in_ports_sfu",
    "gpgpu_operand_collector_num_in_ports_sp gpgpu_operand_collector_num_out_ports_dp",
    "gpgpu_operand_collector_num_out_ports_gen gpgpu_operand_collector_num_out_ports_mem",
    "gpgpu_operand_collector_num_out_ports_sfu gpgpu_operand_collector_num_out_ports_sp",
    "gpgpu_operand_collector_num_units_dp gpgpu_operand_collector_num_units_gen",
    "gpgpu_operand_collector_num_units_mem gpgpu_operand_collector_num_units_sfu",
    "gpgpu_operand_collector_num_units_sp gpgpu_opndcoll_model gpgpu_perf_sim_memcpy",
    "gpgpu_perfect_inst_const_cache gpgpu_pipeline_widths gpgpu_ptx_convert_to_ptxplus",
    "gpgpu_ptx_force_max_capability gpgpu_ptx_instruction_classification",
    "gpgpu_ptx_save_converted_ptxplus gpgpu_ptx_sim_mode gpgpu_reg_file_port_throughput",
    "gpgpu_registers_per_block gpgpu_runtime_pending_launch_count_limit gpgpu_runtime_stat",
    "gpgpu_runtime_sync_depth_limit gpgpu_scheduler gpgpu_shader_core_pipeline",
    "gpgpu_shader_cta gpgpu_shader_registers gpgpu_shmem_limited_broadcast",
    "gpgpu_shmem_num_banks gpgpu_shmem_option gpgpu_shmem_per_block gpgpu_shmem_size",
    "gpgpu_shmem_sizeDefault gpgpu_shmem_size_PrefL1 gpgpu_shmem_size_PrefShared",
    "gpgpu_shmem_warp_parts gpgpu_simd_model gpgpu_simple_dram_clock_multiplier",
    "gpgpu_simple_dram_model gpgpu_smem_latency gpgpu_stack_size_limit gpgpu_sub_core_model",
    "gpgpu_tensor_core_avail gpgpu_tex_cache:l1 gpgpu_unified_l1d_size gpuwattch_xml_file",
    "hardware_prefetch hwprefetch_oversub icnt_arbiter_algo icnt_flit_size",
    "icnt_in_buffer_limit icnt_out_buffer_limit icnt_subnets inter_chiplet_queue_size",
    "inter_config_file invalidate_clean migrate_threshold multiply_dma_penalty network_mode",
    "page_fault_latency page_size page_table_walk_latency pcie_bandwidth",
    "percentage_of_free_page_buffer power_simulation_enabled ptx_opcode_initiation_dp",
    "ptx_opcode_initiation_fp ptx_opcode_initiation_int ptx_opcode_initiation_sfu",
    "ptx_opcode_initiation_tensor ptx_opcode_latency_dp ptx_opcode_latency_fp",
    "ptx_opcode_latency_int ptx_opcode_latency_sfu ptx_opcode_latency_tesnor",
    "reserve_accessed_page_percent sim_prof_enable skip_cycles_enable smem_latency",
    "specialized_unit_1 specialized_unit_2 specialized_unit_3 specialized_unit_4 tlb_size",
    "trace_opcode_latency_initiation_dp trace_opcode_latency_initiation_int",
    "trace_opcode_latency_initiation_sfu trace_opcode_latency_initiation_sp",
    "trace_opcode_latency_initiation_spec_op_1 trace_opcode_latency_initiation_spec_op_2",
    "trace_opcode_latency_initiation_spec_op_3 trace_opcode_latency_initiation_spec_op_4",
    "trace_opcode_latency_initiation_tensor visualizer_enabled",
};

START_TEST(options_of_public_files_are_known)
{
    char names[128], text[64], *rest = strcpy(names, public_names[_i]);
    for (char *name; (name = strsep(&rest, " ")) != NULL;) {
        struct error err = {ERROR_NONE, ""};
        snprintf(text, sizeof text, "-%s", name);
        ck_assert_ptr_null(sim_config_parse("f", text, strlen(text), NULL, NULL, &err));
        ck_assert_msg(strstr(err.text, "there is no option") == NULL, "%s", err.text);
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
        ck_assert_int_ne(b->hardware[0], '\0');
        /* The list and the file say the same. */
        ck_assert_int_eq(strcmp(b->hardware, "not validated") == 0,
                         strstr(b->text, "Nobody has validated") != NULL);
        sim_config_destroy(config);
    }
    ck_assert_uint_ge(count, 1);
}
END_TEST

/* A value's comment ends in letters of the list of sources at the file's head: "# [W]". */
START_TEST(bundled_values_have_sources)
{
    for (const struct sim_bundled_config *b = sim_bundled_configs; b->name != NULL; b++) {
        ck_assert_msg(strstr(b->text, "Sources of the values:") != NULL, "%s", b->name);
        for (const char *at = b->text; (at = strchr(at, '[')) != NULL; at++) {
            char entry[] = "\n#   [X] ";
            entry[6] = at[1];
            if (at[2] == ']')
                ck_assert_msg(strstr(b->text, entry) != NULL, "%s: [%c]", b->name, at[1]);
        }
    }
}
END_TEST

/* What the cards' makers say: SMs, bytes of L2, of L1 with shared memory, gigabytes a
 * second of memory. */
static const struct {
    const char *name;
    unsigned sms, l2_kib, unified_kib, bandwidth;
} cards[] = {
    {"rtx3070", 46, 4096, 128, 448},  {"rtx3080", 68, 5120, 128, 760},
    {"rtx2080ti", 68, 5632, 96, 616}, {"qv100", 80, 6144, 128, 870},
    {"a100", 108, 40960, 192, 1555},  {"h100", 132, 51200, 256, 3352},
    {"h200", 132, 51200, 256, 4800},  {"b200", 148, 131072, 256, 8000},
    {"v100", 80, 6144, 128, 898},     {"t4", 40, 4096, 96, 320},
    {"rtxa6000", 84, 6144, 128, 768}, {"rtx4090", 128, 73728, 128, 1008},
    {"l40s", 142, 98304, 128, 864},
};

START_TEST(bundled_cards_are_those_of_their_makers)
{
    struct error err = {ERROR_NONE, ""};
    const char *name = cards[_i].name;
    struct sim_config *config = sim_config_create(&name, 1, NULL, 0, NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    const struct sim_options *o = &config->options;
    const struct sim_cache_config *l2 = &config->l2, *l1 = &config->l1d;
    ck_assert_uint_eq(o->gpgpu_n_clusters * o->gpgpu_n_cores_per_cluster, cards[_i].sms);
    ck_assert_uint_eq(l2->sets * l2->ways * l2->line / 1024 * o->gpgpu_n_mem *
                          o->gpgpu_n_sub_partition_per_mchannel,
                      cards[_i].l2_kib);
    ck_assert_uint_eq(l1->sets * l1->ways * l1->line / 1024, cards[_i].unified_kib);
    double rate = (double)o->gpgpu_n_mem * o->gpgpu_dram_buswidth *
                  o->dram_data_command_freq_ratio * config->dram_mhz / 1000;
    ck_assert_uint_eq((unsigned)(rate + 0.5), cards[_i].bandwidth);
    /* A column command moves a sector. */
    ck_assert_uint_eq(o->gpgpu_dram_burst_length * o->gpgpu_dram_buswidth, 32);
    sim_config_destroy(config);
}
END_TEST

static void take_note(void *data, const char *text)
{
    if (*(char *)data != '\0')
        strcat(data, "; ");
    strcat(data, text);
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
                "-keep of line 1 replaces that of line 1; "
                "options that do not concern traces: -keep, -visualizer_enabled");
    expect_note("-config rtx3070 -keep 1", "options that do not concern traces: -keep");
    expect_note("-keep 1 -ptx_opcode_latency_fp 1,1,1,1,1 -icnt_flit_size 40 -network_mode 1",
                "-network_mode 1 is simulated as 2, a crossbar; "
                "options without effect in this model: -icnt_flit_size; "
                "options that do not concern traces: -ptx_opcode_latency_fp, -keep");
    expect_note("-network_mode 1", "-network_mode 1 is simulated as 2, a crossbar");
    expect_note("-network_mode 1 -inter_config_file mesh -network_mode 1",
                "-network_mode 1 is simulated as 2, a crossbar; "
                "-network_mode of line 1 replaces that of line 1; "
                "options without effect in this model: -inter_config_file");
    expect_note("-gpgpu_n_mem 4\n-gpgpu_n_clusters 3\n-gpgpu_n_mem 8\n",
                "-gpgpu_n_mem of line 3 replaces that of line 1");
    expect_note("-config rtx3070 -gpgpu_n_mem 8", "");
    expect_note("-gpgpu_perfect_inst_const_cache 1 -icnt_subnets 2 -gpgpu_perfect_mem 0", "");
    expect_note("-gpgpu_perfect_inst_const_cache 0",
                "-gpgpu_perfect_inst_const_cache 0 is simulated as 1, instruction and constant "
                "fetches always hit");
    expect_note("-gpgpu_clock_domains 1410:1410:1512:6048", "");
    expect_note("-gpgpu_clock_domains 325:650:650:800",
                "the interconnect runs at the clock of the core, 325 MHz, not at 650");
    expect_note("-gpgpu_memory_partition_indexing 4 -keep 1",
                "-gpgpu_memory_partition_indexing 4 is simulated as 0, plain; "
                "options that do not concern traces: -keep");
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
    tcase_add_test(tcase, every_option_has_unit_range_and_place);
    tcase_add_loop_test(tcase, unit_range_and_place_are_right, 0, sizeof known / sizeof *known);
    tcase_add_test(tcase, defaults_are_in_range);
    tcase_add_loop_test(tcase, near_misses_are_guessed, 0,
                        sizeof near_misses / sizeof *near_misses);
    tcase_add_loop_test(tcase, options_of_public_files_are_known, 0,
                        sizeof public_names / sizeof *public_names);
    tcase_add_test(tcase, bundled_configurations_are_valid);
    tcase_add_test(tcase, bundled_values_have_sources);
    tcase_add_loop_test(tcase, bundled_cards_are_those_of_their_makers, 0,
                        sizeof cards / sizeof *cards);
    tcase_add_test(tcase, options_without_effect_are_told_once);
    tcase_add_test(tcase, destroy_accepts_null);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
