/* Every way to be wrong, with the message that says so. */
#include "tests/config/support.h"

static const struct {
    const char *text, *message;
} refused[] = {
    /* tokens */
    {"8", "f:1:1: expected an option (-name); got '8'"},
    {"\n  -5 3", "f:2:3: expected an option (-name); got '-5'"},
    {"\"-keep\" 1", "f:1:2: expected an option (-name); got '-keep'"},
    {"-keep", "f:1:1: -keep: expected a value; got the end"},
    {"-gpgpu_n_mem -gpgpu_n_clusters 4",
     "f:1:1: -gpgpu_n_mem: expected a value; got -gpgpu_n_clusters"},
    {"-gpgpu_n_mem\n-config x", "f:1:1: -gpgpu_n_mem: expected a value; got -config"},
    {"-config", "f:1:1: -config: expected a value; got the end"},
    {"-trace \"a b", "f:1:8: expected a closing '\"'; got the end of the file"},
    {"-trace \"", "f:1:8: expected a closing '\"'; got the end of the file"},
    {"-trace a\001", "f:1:9: expected text; got byte 0x01"},
    /* names */
    {"-gpgpu_n_men 4", "f:1:1: there is no option -gpgpu_n_men; did you mean -gpgpu_n_mem?"},
    {"\n\n -gpgpu_cache:dll1 none", "f:3:2: there is no option -gpgpu_cache:dll1; did you mean "
                                    "-gpgpu_cache:dl1?"},
    {"-n_clusters 4", "f:1:1: there is no option -n_clusters; did you mean -gpgpu_n_clusters?"},
    {"-kepe 4", "f:1:1: there is no option -kepe; did you mean -keep?"},
    {"-xyzzy 4", "f:1:1: there is no option -xyzzy"},
    /* numbers */
    {"-gpgpu_n_mem 8x",
     "f:1:14: -gpgpu_n_mem: expected an integer from 1 to 1024; got '8x', whose number "
     "ends at column 14"},
    {"-gpgpu_n_mem 089",
     "f:1:14: -gpgpu_n_mem: expected an integer from 1 to 1024; got '089', whose "
     "number ends at column 14"},
    {"-gpgpu_n_mem 1.5",
     "f:1:14: -gpgpu_n_mem: expected an integer from 1 to 1024; got '1.5', whose "
     "number ends at column 14"},
    {"-gpgpu_n_mem 0x",
     "f:1:14: -gpgpu_n_mem: expected an integer from 1 to 1024; got '0x', whose number "
     "ends at column 14"},
    {"-gpgpu_n_mem -1",
     "f:1:14: -gpgpu_n_mem: -1 is out of range: expected an integer from 1 to 1024"},
    {"-gpgpu_n_mem 0",
     "f:1:14: -gpgpu_n_mem: 0 is out of range: expected an integer from 1 to 1024"},
    {"-gpgpu_n_mem 1025",
     "f:1:14: -gpgpu_n_mem: 1025 is out of range: expected an integer from 1 to "
     "1024"},
    {"-gpgpu_n_mem 18446744073709551617",
     "f:1:14: -gpgpu_n_mem: 18446744073709551617 is out of range: "
     "expected an integer from 1 to 1024"},
    {"-gpgpu_n_mem many",
     "f:1:14: -gpgpu_n_mem: expected an integer from 1 to 1024; got 'many'"},
    {"-gpgpu_n_mem -", "f:1:14: -gpgpu_n_mem: expected an integer from 1 to 1024; got '-'"},
    {"-gpgpu_n_mem \"\"", "f:1:15: -gpgpu_n_mem: expected an integer from 1 to 1024; got ''"},
    {"-keep 2", "f:1:7: -keep: 2 is out of range: expected 0 or 1"},
    {"-keep yes", "f:1:7: -keep: expected 0 or 1; got 'yes'"},
    {"-gpgpu_max_cycle 9223372036854775808", "f:1:18: -gpgpu_max_cycle: 9223372036854775808 is "
                                             "out of range: expected an integer from 0 to "
                                             "9223372036854775807"},
    {"-gpgpu_l1_banks 3", "f:1:17: -gpgpu_l1_banks: expected a power of two; got 3"},
    {"-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:L,A:192:4,2:0,32\n-hearth_l2_grain_through 1",
     "f:2:26: -hearth_l2_grain_through: needs room for three in the miss queue of L2 "
     "(gpgpu_cache:dl2)"},
    {"-hearth_l2_write_grain 3",
     "f:1:24: -hearth_l2_write_grain: expected a power of two; got 3"},
    {"-hearth_dram_refresh_interval 90\n-hearth_dram_refresh 90",
     "f:2:22: -hearth_dram_refresh: must be less than -hearth_dram_refresh_interval, 90"},
    {"-hearth_l2_fetch 96", "f:1:18: -hearth_l2_fetch: expected a power of two; got 96"},
    {"-hearth_page_reach 5000",
     "f:1:20: -hearth_page_reach: expected a power of two; got 5000"},
    {"-hearth_sm_port 48", "f:1:17: -hearth_sm_port: expected a multiple of 32; got 48"},
    {"-hearth_l1_port 48", "f:1:17: -hearth_l1_port: expected a multiple of 32; got 48"},
    {"-hearth_tma_store_bytes 16",
     "f:1:25: -hearth_tma_store_bytes: expected a multiple of 32; got 16"},
    {"-gpgpu_cache:dl2 N:64:128:16,L:B:m:L:L,A:192:4,32:0,32\n-hearth_l2_fetch 64",
     "f:2:18: -hearth_l2_fetch: needs a sectored L2 that allocates on miss (gpgpu_cache:dl2 S "
     "and m)"},
    {"-gpgpu_cache:dl2 S:64:128:1,L:B:m:L:L,A:192:4,32:0,32\n-hearth_l2_far_latency 9",
     "f:2:24: -hearth_l2_far_latency: needs an L2 of at least two ways and two MSHRs: for a "
     "line "
     "and its copy (gpgpu_cache:dl2)"},
    {"-gpgpu_cache:dl1 N:4:128:64,L:T:m:L:L,A:512:64,16:0,32\n-hearth_l2_merge 2",
     "f:2:18: -hearth_l2_merge: needs a sectored L1 (gpgpu_cache:dl1 S)"},
    /* caches: each field */
    {"-gpgpu_cache:dl1 X:4",
     "f:1:18: -gpgpu_cache:dl1: field 1 of 15, kind: expected N or S; got 'X'"},
    {"-gpgpu_cache:dl1 S4",
     "f:1:19: -gpgpu_cache:dl1: field 2 of 15, sets: expected ':' before it; "
     "got '4'"},
    {"-gpgpu_cache:dl1 S:x",
     "f:1:20: -gpgpu_cache:dl1: field 2 of 15, sets: expected an integer from 1 "
     "to 1048576; got 'x'"},
    {"-gpgpu_cache:dl1 S:5:128:4",
     "f:1:20: -gpgpu_cache:dl1: field 2 of 15, sets: expected a power of "
     "two; got 5"},
    {"-gpgpu_cache:dl1 S:4:64:4",
     "f:1:22: -gpgpu_cache:dl1: field 3 of 15, line size: expected 128 for a "
     "sectored cache; got 64"},
    {"-gpgpu_cache:dl1 S:4:128:0",
     "f:1:26: -gpgpu_cache:dl1: field 4 of 15, ways: 0 is out of range: "
     "expected 1 to 65536"},
    {"-gpgpu_cache:dl1 S:4:128:4,Q",
     "f:1:28: -gpgpu_cache:dl1: field 5 of 15, replacement: expected L or "
     "F; got 'Q'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:Q",
     "f:1:30: -gpgpu_cache:dl1: field 6 of 15, write policy: expected "
     "R, B, T, E or L; got 'Q'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:Q",
     "f:1:32: -gpgpu_cache:dl1: field 7 of 15, allocation: expected "
     "m, f or s; got 'Q'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:B:f:N",
     "f:1:32: -gpgpu_cache:dl1: field 7 of 15, allocation: a "
     "write-back cache allocates on miss (m), not f"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:Q",
     "f:1:34: -gpgpu_cache:dl1: field 8 of 15, write allocation: "
     "expected N, W, F or L; got 'Q'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:s:L",
     "f:1:34: -gpgpu_cache:dl1: field 8 of 15, write allocation: L "
     "needs a cache that allocates on miss (m)"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:Q",
     "f:1:36: -gpgpu_cache:dl1: field 9 of 15, set index: "
     "expected L, P, X, H or C; got 'Q'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:H",
     "f:1:36: -gpgpu_cache:dl1: field 9 of 15, set index: H is a "
     "hash over 32 or 64 sets, not 4"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,Q",
     "f:1:38: -gpgpu_cache:dl1: field 10 of 15, MSHR kind: "
     "expected A, S, F or T; got 'Q'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:0",
     "f:1:40: -gpgpu_cache:dl1: field 11 of 15, MSHR entries: "
     "0 is out of range: expected 1 to 1048576"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:4",
     "f:1:41: -gpgpu_cache:dl1: field 12 of 15, MSHR merge: "
     "expected ':' before it; got the end"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:4:4,x",
     "f:1:44: -gpgpu_cache:dl1: field 13 of 15, miss "
     "queue: expected an integer from 0 to 1048576; got "
     "'x'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:4:4,1:0,32",
     "f:1:44: -gpgpu_cache:dl1: field 13 of 15, miss queue: 1 is too few: a miss of this cache "
     "takes up to 2"},
    {"-gpgpu_cache:dl2 S:4:128:4,L:B:m:W:L,A:4:4,2:0,32",
     "f:1:44: -gpgpu_cache:dl2: field 13 of 15, miss queue: 2 is too few: a miss of this cache "
     "takes up to 3"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:F:L,A:4:4,2:0,32",
     "f:1:44: -gpgpu_cache:dl1: field 13 of 15, miss queue: 2 is too few: a miss of this cache "
     "takes up to 3"},
    {"-gpgpu_cache:dl2 S:4:128:4,L:B:m:L:L,A:4:4",
     "f:1:43: -gpgpu_cache:dl2: field 13 of 15, miss queue: 0 is too few: a miss of this cache "
     "takes up to 2"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:4:4,8,32",
     "f:1:45: -gpgpu_cache:dl1: field 14 of 15, result "
     "FIFO: expected ':' before it; got ','"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:4:4,8:0,x",
     "f:1:48: -gpgpu_cache:dl1: field 15 of 15, port "
     "width: expected an integer from 0 to 4096; got "
     "'x'"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:4:4,8:0,96",
     "f:1:18: -gpgpu_cache:dl1: a port of 96 bytes "
     "does not divide a line of 128"},
    {"-gpgpu_cache:dl1 S:4:128:4,L:T:m:L:L,A:4:4,8:0,32:1",
     "f:1:50: -gpgpu_cache:dl1: expected the end "
     "after field 15; got ':'"},
    /* other structured values */
    {"-gpgpu_clock_domains 1:2:3",
     "f:1:27: -gpgpu_clock_domains: field 4 of 4, DRAM: expected ':' "
     "before it; got the end"},
    {"-gpgpu_clock_domains 1:0:3:4",
     "f:1:24: -gpgpu_clock_domains: field 2 of 4, interconnect: expected "
     "a number above 0, at most 100000; got '0'"},
    {"-gpgpu_clock_domains 1:0.0000001:3:4",
     "f:1:24: -gpgpu_clock_domains: field 2 of 4, interconnect: expected "
     "a number above 0, at most 100000; got '0.0000001'"},
    {"-gpgpu_clock_domains nan:1:3:4",
     "f:1:22: -gpgpu_clock_domains: field 1 of 4, core: expected a "
     "number above 0, at most 100000; got 'nan'"},
    {"-gpgpu_dram_partition_queues 8:8:8:8:8",
     "f:1:37: -gpgpu_dram_partition_queues: expected the end "
     "after field 4; got ':'"},
    {"-gpgpu_shader_core_pipeline 1024:64",
     "f:1:34: -gpgpu_shader_core_pipeline: field 2 of 2, warp "
     "size: 64 is out of range: expected 32 to 32"},
    {"-gpgpu_shader_core_pipeline 1000:32",
     "f:1:29: -gpgpu_shader_core_pipeline: 1000 threads are no "
     "whole warps of 32"},
    {"-gpgpu_pipeline_widths 1,x",
     "f:1:26: -gpgpu_pipeline_widths: field 2 of 13, ID_OC_DP: expected an "
     "integer from 0 to 1024; got 'x'"},
    {"-gpgpu_sub_core_model 1 -gpgpu_num_sched_per_core 4",
     "-gpgpu_pipeline_widths: ID_OC_SP is 1: the sub-core model needs one for each of 4 "
     "schedulers "
     "(-gpgpu_num_sched_per_core)"},
    {"-dram_write_queue_size 8:9:1",
     "f:1:26: -dram_write_queue_size: field 2 of 3, high mark: 9 is out "
     "of range: expected 1 to 8"},
    {"-trace_opcode_latency_initiation_sp 2,x",
     "f:1:39: -trace_opcode_latency_initiation_sp: field 2 of 2, initiation interval: "
     "expected an integer from 0 to 65535; got 'x'"},
    {"-specialized_unit_2 2,1",
     "f:1:21: -specialized_unit_2: field 1 of 6, enabled: 2 is out of range: "
     "expected 0 to 1"},
    {"-specialized_unit_2 1,0,1,1,1,X",
     "f:1:23: -specialized_unit_2: field 2 of 6, units: 0 is out of "
     "range: expected 1 to 256"},
    {"-gpgpu_adaptive_cache_config 1 -gpgpu_shmem_option 0,8,",
     "f:1:56: -gpgpu_shmem_option: field 3 of "
     "16, size: expected an integer from 0 to "
     "1048576; got the end"},
    {"-gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 64 -gpgpu_shmem_option 0,96",
     "f:1:79: -gpgpu_shmem_option: 96 KiB of shared memory do not fit in 64 KiB "
     "(-gpgpu_unified_l1d_size)"},
    {"-hearth_l2_half_sms 22,0",
     "f:1:24: -hearth_l2_half_sms: field 2 of 16, SMs: 0 is out of range: expected 1 to 1024"},
    {"-hearth_l2_half_sms 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
     "f:1:60: -hearth_l2_half_sms: expected at most 16 runs"},
    {"-hearth_l2_half_bits 12,6",
     "f:1:25: -hearth_l2_half_bits: field 2 of 14, bit: 6 is out of range: expected 7 to 20"},
    {"-hearth_l2_half_bits 12,",
     "f:1:25: -hearth_l2_half_bits: field 2 of 14, bit: expected an integer from 7 to 20; got "
     "the end"},
    {"-hearth_l2_half_bits 12,13,12", "f:1:28: -hearth_l2_half_bits: bit 12 occurs twice"},
    /* DRAM timing */
    {"-gpgpu_dram_timing_opt nbk=16:CAD=4",
     "f:1:31: -gpgpu_dram_timing_opt: there is no timing 'CAD': "
     "expected nbk, CCD, RRD, RCD, RAS, RP, RC, CL, WL, CDLR, WR, "
     "nbkgrp, CCDL or RTPL"},
    {"-gpgpu_dram_timing_opt nbk=16:CCD=x",
     "f:1:35: -gpgpu_dram_timing_opt: field 2 of 14, CCD: expected "
     "an integer from 0 to 65535; got 'x'"},
    {"-gpgpu_dram_timing_opt nbk=16:CCD=4", "f:1:24: -gpgpu_dram_timing_opt: RRD is missing"},
    {"-gpgpu_dram_timing_opt 16:4",
     "f:1:28: -gpgpu_dram_timing_opt: field 3 of 14, RRD: expected ':' "
     "before it; got the end"},
    {"-gpgpu_dram_timing_opt 16:2:8:12:21:13:34:9:4:5:13:3:0:0",
     "f:1:24: -gpgpu_dram_timing_opt: 3 bank groups are no power of two that divides 16 banks"},
    {"-gpgpu_n_sub_partition_per_mchannel 8",
     "-gpgpu_dram_timing_opt: 4 banks do not divide among 8 L2 "
     "slices (-gpgpu_n_sub_partition_per_mchannel)"},
    /* address map */
    {"-gpgpu_n_mem 8\n  -gpgpu_scheduler two_level_active:6:0:1",
     "f:2:20: -gpgpu_scheduler: expected lrr, gto, oldest or cggty; got "
     "'two_level_active:6:0:1'"},
    {"-gpgpu_mem_address_mask 4",
     "f:1:25: -gpgpu_mem_address_mask: there is no map 4: expected 0-3, 5, "
     "6, 14-16, 100, 103, 106 or 160, or -gpgpu_mem_addr_mapping"},
    {"-gpgpu_mem_addr_mapping dramid@8;0Q",
     "f:1:35: -gpgpu_mem_addr_mapping: address bit 62: expected D, "
     "R, B, C, S or 0; got 'Q'"},
    {"-gpgpu_mem_addr_mapping dramid@8;0D",
     "f:1:35: -gpgpu_mem_addr_mapping: address bit 62: D and "
     "dramid@8 exclude each other"},
    {"-gpgpu_mem_addr_mapping dramid@8;0000RRRR",
     "f:1:42: -gpgpu_mem_addr_mapping: expected 64 address "
     "bits; got 8"},
    {"-gpgpu_mem_addr_mapping dramid@x;",
     "f:1:32: -gpgpu_mem_addr_mapping: field 1 of 2, channel bit: "
     "expected an integer from 0 to 47; got 'x'"},
    {"-gpgpu_n_mem 8 -gpgpu_mem_addr_mapping "
     "00000000.00000000.00000000.00000000.00000000.RRRRRRRR.RBBBDDCC.BCCSSSSS",
     "f:1:40: -gpgpu_mem_addr_mapping: 2 channel bits (D) do not number 8 channels "
     "(-gpgpu_n_mem)"},
    /* a value over two lines has no columns */
    {"-gpgpu_dram_timing_opt \"nbk=16:\n CCD=x\"",
     "f:1:25: -gpgpu_dram_timing_opt: field 2 of 14, CCD: "
     "expected an integer from 0 to 65535; got 'x'"},
};

START_TEST(wrong_files_are_refused)
{
    refuse(refused[_i].text, refused[_i].message);
}
END_TEST

static const struct {
    const char *set, *message;
} refused_sets[] = {
    {"gpgpu_n_mem", "--set gpgpu_n_mem: expected NAME=VALUE"},
    {"gpgpu_n_men=4",
     "--set gpgpu_n_men=4: there is no option -gpgpu_n_men; did you mean -gpgpu_n_mem?"},
    {"gpgpu_n_mem=8x",
     "--set gpgpu_n_mem=8x: -gpgpu_n_mem: expected an integer from 1 to 1024; got '8x', "
     "whose number ends at column 13"},
    {"gpgpu_n_mem=",
     "--set gpgpu_n_mem=: -gpgpu_n_mem: expected an integer from 1 to 1024; got ''"},
    {"trace=a\"b",
     "--set trace=a\"b: -trace: a value holds no quotes, '#' or control characters"},
    {"gpgpu_cache:dl1=S:4:128:4,Q",
     "--set gpgpu_cache:dl1=S:4:128:4,Q: -gpgpu_cache:dl1: field 5 of 15, "
     "replacement: expected L or F; got 'Q'"},
};

START_TEST(wrong_sets_are_refused)
{
    struct error err = {ERROR_NONE, ""};
    const char *set = refused_sets[_i].set;
    ck_assert_ptr_null(sim_config_create(NULL, 0, &set, 1, NULL, NULL, &err));
    ck_assert_str_eq(err.text, refused_sets[_i].message);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

START_TEST(an_unknown_source_is_refused)
{
    struct error err = {ERROR_NONE, ""};
    const char *source = "rtx9999";
    ck_assert_ptr_null(sim_config_create(&source, 1, NULL, 0, NULL, NULL, &err));
    ck_assert_str_eq(err.text,
                     "rtx9999: No such file or directory, and not a bundled configuration; "
                     "hearth config list shows these");
}
END_TEST

START_TEST(a_nul_byte_is_refused)
{
    struct error err = {ERROR_NONE, ""};
    ck_assert_ptr_null(sim_config_parse("f", "-keep 0\0", 8, NULL, NULL, &err));
    ck_assert_str_eq(err.text, "f:1:8: expected text; got byte 0x00");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config errors");
    TCase *tcase = tcase_create("messages");
    tcase_add_loop_test(tcase, wrong_files_are_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_loop_test(tcase, wrong_sets_are_refused, 0,
                        sizeof refused_sets / sizeof *refused_sets);
    tcase_add_test(tcase, an_unknown_source_is_refused);
    tcase_add_test(tcase, a_nul_byte_is_refused);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
