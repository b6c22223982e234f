/* Files in the manner of each generation of GPGPU-Sim's cards: they load, what they
 * ask for is derived, and what has no effect is told. */
#include "tests/config/support.h"

#include <stdio.h>

static char note[1024];

static void take_note(void *data, const char *text)
{
    (void)data;
    size_t length = strlen(note);
    snprintf(note + length, sizeof note - length, "%s%s", length > 0 ? "; " : "", text);
}

static struct sim_config *load(const char *text)
{
    struct error err = {ERROR_NONE, ""};
    note[0] = '\0';
    struct sim_config *config =
        sim_config_parse("f", text, strlen(text), take_note, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    return config;
}

/* Fermi: caches without sectors, no sub-cores, GDDR5, the network of routers. */
START_TEST(caches_without_sectors)
{
    struct sim_config *config =
        load("-gpgpu_ptx_force_max_capability 20 -gpgpu_n_clusters 15\n"
             "-gpgpu_n_mem 6 -gpgpu_clock_domains 700.0:700.0:700.0:924.0\n"
             "-gpgpu_shader_core_pipeline 1536:32 -gpgpu_shader_cta 8\n"
             "-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0,1,1,2\n"
             "-gpgpu_num_sp_units 2 -gpgpu_num_sched_per_core 2\n"
             "-gpgpu_cache:dl1  N:32:128:4,L:L:m:N:H,S:64:8,8\n"
             "-gpgpu_cache:dl1PrefL1 N:32:128:4,L:L:m:N:H,S:64:8,8\n"
             "-gpgpu_cache:dl2 N:64:128:8,L:B:m:W:L,A:32:4,4:0,32\n"
             "-gpgpu_gmem_skip_L1D 1 -network_mode 1 -inter_config_file config_x.icnt\n"
             "-gpgpu_dram_timing_opt \"nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:\n"
             "                        CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2\"\n"
             "-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000."
             "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS\n"
             "-power_simulation_enabled 1 -gpuwattch_xml_file gtx.xml\n");
    ck_assert(!config->l1d.sectored && !config->l2.sectored);
    ck_assert_int_eq(config->l1d.set_index, 'H');
    ck_assert_uint_eq(config->dram.cl, 12);
    ck_assert_uint_eq(config->pipeline_width[SIM_STAGE_ID_TENSOR], 1);
    ck_assert_str_eq(note,
                     "-network_mode 1 is simulated as 2, a crossbar; "
                     "options without effect in this model: -gpgpu_cache:dl1PrefL1, "
                     "-inter_config_file; "
                     "options that do not concern traces: -gpgpu_ptx_force_max_capability, "
                     "-gpuwattch_xml_file, -power_simulation_enabled");
    sim_config_destroy(config);
}
END_TEST

/* Volta: sub-cores, a unified memory, HBM with two buses and a queue for writes. */
START_TEST(stacked_memory)
{
    struct sim_config *config = load(
        "-gpgpu_n_clusters 80 -gpgpu_n_mem 32 -gpgpu_n_sub_partition_per_mchannel 2 \n"
        "-gpgpu_clock_gated_lanes 1 -gpgpu_num_sched_per_core 4 -gpgpu_sub_core_model 1\n"
        "-gpgpu_num_reg_banks 16 -gpgpu_pipeline_widths 4,4,4,4,4,4,4,4,4,4,8,4,4\n"
        "-adaptive_cache_config 1 -gpgpu_shmem_option 0,8,16,32,64,96\n"
        "-gpgpu_unified_l1d_size 128 -gpgpu_cache:dl1  S:4:128:64,L:T:m:L:L,A:512:8,16:0,32\n"
        "-perf_sim_memcpy 1 -memory_partition_indexing 2 -rop_latency 160\n"
        "-gpgpu_dram_buswidth 16 -gpgpu_dram_burst_length 2\n"
        "-dram_data_command_freq_ratio 2  # twice\n"
        "-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000."
        "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS\n"
        "#-gpgpu_dram_timing_opt \"nbk=16:CCD=1:RRD=4\n"
        "#                        CL=14\"\n"
        "-gpgpu_dram_timing_opt \"nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:\n"
        "                        CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3\"\n"
        "-dual_bus_interface 1 -Seperate_Write_Queue_Enable 1 -Write_Queue_Size 64:56:32\n");
    ck_assert_uint_eq(config->options.dram_dual_bus_interface, 1);
    ck_assert(config->options.dram_seperate_write_queue_enable);
    ck_assert_uint_eq(config->write_queue, 64);
    ck_assert_uint_eq(config->write_queue_high, 56);
    ck_assert_uint_eq(config->write_queue_low, 32);
    ck_assert_uint_eq(config->dram.rtpl, 3);
    ck_assert_uint_eq(config->l1d.ways, 256);
    ck_assert_str_eq(note, "options that do not concern traces: -gpgpu_clock_gated_lanes");
    sim_config_destroy(config);
}
END_TEST

/* Hopper: parts that this model lacks, units that start an instruction each cycle. */
START_TEST(later_parts)
{
    struct sim_config *config =
        load("-gpgpu_n_mem 40 -gpgpu_n_sub_partition_per_mchannel 2\n"
             "-gpgpu_clock_domains 1980:3106:3106:3106 -gpgpu_memory_partition_indexing 6\n"
             "-gpgpu_dram_timing_opt nbk=16:CCD=1:RRD=6:RCD=19:RAS=45:RP=19:RC=50:CL=19:WL=6:"
             "CDLR=8:WR=21:nbkgrp=4:CCDL=6:RTPL=8\n"
             "-gpgpu_n_chiplet_partition 2 -inter_chiplet_queue_size 256\n"
             "-gpgpu_lrc_enabled 1 -gpgpu_lrc_max_merged 4 -gpgpu_opndcoll_model 1\n"
             "-gpgpu_simple_dram_model 1 -gpgpu_simple_dram_clock_multiplier 1\n"
             "-trace_opcode_latency_initiation_tensor 1,0\n"
             "-specialized_unit_3 1,4,1,4,4,TENSOR -trace_opcode_latency_initiation_spec_op_3 "
             "1,0\n");
    ck_assert_int_eq(config->address_map.indexing, 2);
    ck_assert_uint_eq(config->units[TRACE_UNIT_TENSOR].latency, 1);
    ck_assert_uint_eq(config->units[TRACE_UNIT_TENSOR].initiation, 1);
    ck_assert_str_eq(note,
                     "-gpgpu_simple_dram_model 1 is simulated as 0, banks and rows; "
                     "the interconnect runs at the clock of the core, 1980 MHz, not at 3106; "
                     "options without effect in this model: -gpgpu_n_chiplet_partition, "
                     "-inter_chiplet_queue_size, -gpgpu_opndcoll_model, "
                     "-gpgpu_simple_dram_clock_multiplier");
    sim_config_destroy(config);
}
END_TEST

/* The names of versions in between. */
START_TEST(names_of_versions_between)
{
    struct sim_config *config =
        load("-adpative_volta_cache_config 1 -gpgpu_shmem_atomic_warp_parts 1\n"
             "-inst_fetch_throughput 4 -perfect_inst_const_cache 1 -trace_driven_mode 1\n"
             "-fast_execution_mode 1 -Elimnate_rw_turnaround 1");
    ck_assert_uint_eq(config->options.gpgpu_inst_fetch_throughput, 4);
    ck_assert(config->options.dram_elimnate_rw_turnaround);
    ck_assert_str_eq(note,
                     "options without effect in this model: -adaptive_volta_cache_config, "
                     "-gpgpu_shmem_atomic_warp_parts, -trace_driven_mode, "
                     "-fast_execution_mode");
    sim_config_destroy(config);
}
END_TEST

/* What this model cannot be: one message. */
static const struct {
    const char *text, *message;
} impossible[] = {
    {"-gpgpu_shader_core_pipeline 2048:64",
     "f:1:34: -gpgpu_shader_core_pipeline: field 2 of 2, warp size: 64 is out of range: "
     "expected 32 to 32"},
    {"-gpgpu_cache:dl1 S:4:64:64,L:T:m:L:L,A:512:8,16:0,32",
     "f:1:22: -gpgpu_cache:dl1: field 3 of 15, line size: expected 128 for a sectored cache; "
     "got 64"},
    {"-gpgpu_adaptive_cache_config 1 -gpgpu_shmem_option 0,164 -gpgpu_unified_l1d_size 160",
     "f:1:52: -gpgpu_shmem_option: 164 KiB of shared memory do not fit in 160 KiB "
     "(-gpgpu_unified_l1d_size)"},
    {"-dram_write_queue_size 8:4:0",
     "f:1:28: -dram_write_queue_size: field 3 of 3, low mark: 0 is out of range: expected 1 to "
     "4"},
};

START_TEST(impossible_values_are_refused)
{
    refuse(impossible[_i].text, impossible[_i].message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config dialects");
    TCase *tcase = tcase_create("dialects");
    tcase_add_test(tcase, caches_without_sectors);
    tcase_add_test(tcase, stacked_memory);
    tcase_add_test(tcase, later_parts);
    tcase_add_test(tcase, names_of_versions_between);
    tcase_add_loop_test(tcase, impossible_values_are_refused, 0,
                        sizeof impossible / sizeof *impossible);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
