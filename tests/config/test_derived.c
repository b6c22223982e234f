/* What is derived from options: all of the RTX 3070, and the forms that it
 * does not use. */
#include "sim/memory/replacement/replacement.h"
#include "tests/config/support.h"

static struct sim_config *card;

static void make_card(void)
{
    struct error err = {ERROR_NONE, ""};
    const char *source = "rtx3070";
    card = sim_config_create(&source, 1, NULL, 0, NULL, NULL, &err);
    ck_assert_msg(card != NULL, "%s", err.text);
}

static void destroy_card(void)
{
    sim_config_destroy(card);
}

START_TEST(rtx3070_l1)
{
    const struct sim_cache_config *c = &card->l1d;
    ck_assert(c->enabled && c->sectored);
    ck_assert_uint_eq(c->sets, 4);
    ck_assert_uint_eq(c->line, 128);
    ck_assert_uint_eq(c->ways, 256);
    ck_assert_ptr_eq(c->replacement, &cache_replacement_lru);
    ck_assert_int_eq(c->write_policy, 'T');
    ck_assert_int_eq(c->allocate, 'm');
    ck_assert_int_eq(c->write_allocate, 'L');
    ck_assert_int_eq(c->set_index, 'L');
    ck_assert_int_eq(c->mshr_type, 'A');
    ck_assert_uint_eq(c->mshr_entries, 384);
    ck_assert_uint_eq(c->mshr_merge, 48);
    ck_assert_uint_eq(c->miss_queue, 16);
    ck_assert_uint_eq(c->fifo, 0);
    ck_assert_uint_eq(c->port_width, 32);
}
END_TEST

START_TEST(rtx3070_l2)
{
    const struct sim_cache_config *c = &card->l2;
    ck_assert(c->enabled && c->sectored);
    ck_assert_uint_eq(c->sets, 64);
    ck_assert_uint_eq(c->ways, 16);
    ck_assert_int_eq(c->write_policy, 'B');
    ck_assert_int_eq(c->set_index, 'P');
    ck_assert_uint_eq(c->mshr_entries, 192);
    ck_assert_uint_eq(c->mshr_merge, 4);
    ck_assert_uint_eq(c->miss_queue, 32);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(card->slice_queue[i], 64);
    ck_assert_uint_eq(card->l1i.sets, 64);
    ck_assert_int_eq(card->l1i.mshr_type, 'S');
    ck_assert_uint_eq(card->l1i.port_width, 128);
}
END_TEST

START_TEST(rtx3070_address_map)
{
    const struct sim_address_map *map = &card->address_map;
    ck_assert_int_eq(map->chip_bit, 8);
    ck_assert_uint_eq(map->chip, 0);
    ck_assert_uint_eq(map->row, 0x0fff8000);
    ck_assert_uint_eq(map->bank, 0x00007080);
    ck_assert_uint_eq(map->column, 0x00000f7f);
    ck_assert_uint_eq(map->burst, 0x0000001f);
    ck_assert_int_eq(map->indexing, 2);
}
END_TEST

START_TEST(rtx3070_dram)
{
    const struct sim_dram_timing *d = &card->dram;
    const uint32_t got[] = {d->banks, d->bank_groups, d->ccd,  d->rrd, d->rcd,
                            d->ras,   d->rp,          d->rc,   d->cl,  d->wl,
                            d->cdlr,  d->wr,          d->ccdl, d->rtpl};
    const uint32_t expected[] = {16, 4, 4, 12, 24, 55, 24, 78, 24, 8, 10, 24, 6, 4};
    for (unsigned i = 0; i < sizeof got / sizeof *got; i++)
        ck_assert_uint_eq(got[i], expected[i]);
    ck_assert_uint_eq(card->write_queue, 32);
    ck_assert_uint_eq(card->write_queue_high, 28);
    ck_assert_uint_eq(card->write_queue_low, 16);
}
END_TEST

START_TEST(rtx3070_clocks)
{
    ck_assert_double_eq(card->core_mhz, 1132);
    ck_assert_double_eq(card->icnt_mhz, 1132);
    ck_assert_double_eq(card->l2_mhz, 1132);
    ck_assert_double_eq(card->dram_mhz, 3500.5);
}
END_TEST

START_TEST(rtx3070_sm)
{
    const uint32_t sizes[] = {0, 8192, 16384, 32768, 65536, 102400};
    const uint32_t widths[SIM_STAGE_COUNT] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8, 4, 4};
    ck_assert_uint_eq(card->threads, 1536);
    ck_assert_uint_eq(card->warp_size, 32);
    ck_assert_uint_eq(card->shmem_size_count, 6);
    ck_assert_mem_eq(card->shmem_sizes, sizes, sizeof sizes);
    ck_assert_mem_eq(card->pipeline_width, widths, sizeof widths);
    ck_assert_uint_eq(card->options.gpgpu_kernel_launch_latency, 5000);
    ck_assert(card->options.gpgpu_perf_sim_memcpy);
}
END_TEST

static const struct {
    enum trace_unit unit;
    uint32_t latency, initiation, count, special;
} rtx3070_classes[] = {
    {TRACE_UNIT_ALU, 2, 2, 4, 0},       {TRACE_UNIT_INT, 2, 2, 4, 0},
    {TRACE_UNIT_FP32, 2, 1, 4, 0},      {TRACE_UNIT_FP16, 2, 1, 4, 0},
    {TRACE_UNIT_FP64, 64, 64, 4, 0},    {TRACE_UNIT_SFU, 21, 8, 4, 0},
    {TRACE_UNIT_TENSOR, 32, 32, 4, 3},  {TRACE_UNIT_BRANCH, 4, 4, 4, 1},
    {TRACE_UNIT_TEXTURE, 200, 4, 4, 2}, {TRACE_UNIT_UNIFORM, 4, 1, 4, 4},
    {TRACE_UNIT_MEMORY, 1, 1, 1, 0},    {TRACE_UNIT_EXIT, 1, 1, 4, 0},
    {TRACE_UNIT_BARRIER, 1, 1, 4, 0},
};

START_TEST(rtx3070_units)
{
    enum trace_unit unit = rtx3070_classes[_i].unit;
    ck_assert_uint_eq(card->units[unit].latency, rtx3070_classes[_i].latency);
    ck_assert_uint_eq(card->units[unit].initiation, rtx3070_classes[_i].initiation);
    ck_assert_uint_eq(card->units[unit].count, rtx3070_classes[_i].count);
    ck_assert_uint_eq(card->specialized[unit], rtx3070_classes[_i].special);
}
END_TEST

START_TEST(rtx3070_special_units)
{
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(card->special[i].count, 4);
        ck_assert_uint_eq(card->special[i].operand_width, 4);
        ck_assert_uint_eq(card->special[i].issue_width, 4);
    }
    for (unsigned i = 4; i < SIM_SPECIAL_UNITS; i++)
        ck_assert_uint_eq(card->special[i].count, 0);
}
END_TEST

START_TEST(classes_without_a_special_unit_are_integer)
{
    struct sim_config *config = config_of("-trace_opcode_latency_initiation_int 6,3\n"
                                          "-trace_opcode_latency_initiation_sp 5,4\n"
                                          "-gpgpu_num_sp_units 2 -gpgpu_num_sfu_units 3");
    static const enum trace_unit integer[] = {TRACE_UNIT_INT,     TRACE_UNIT_BRANCH,
                                              TRACE_UNIT_TEXTURE, TRACE_UNIT_UNIFORM,
                                              TRACE_UNIT_TENSOR,  TRACE_UNIT_ALU};
    for (unsigned i = 0; i < sizeof integer / sizeof *integer; i++) {
        ck_assert_uint_eq(config->units[integer[i]].latency, 6);
        ck_assert_uint_eq(config->units[integer[i]].initiation, 3);
        ck_assert_uint_eq(config->units[integer[i]].count, 2);
        ck_assert_uint_eq(config->specialized[integer[i]], 0);
    }
    ck_assert_uint_eq(config->units[TRACE_UNIT_FP16].initiation, 2);
    ck_assert_uint_eq(config->units[TRACE_UNIT_FP64].count, 3);
    sim_config_destroy(config);
}
END_TEST

START_TEST(tensor_cores_may_be_plain_units)
{
    struct sim_config *config =
        config_of("-gpgpu_tensor_core_avail 1 -gpgpu_num_tensor_core_units 2\n"
                  "-trace_opcode_latency_initiation_tensor 8,5");
    ck_assert_uint_eq(config->units[TRACE_UNIT_TENSOR].latency, 8);
    ck_assert_uint_eq(config->units[TRACE_UNIT_TENSOR].initiation, 5);
    ck_assert_uint_eq(config->units[TRACE_UNIT_TENSOR].count, 2);
    ck_assert_uint_eq(config->specialized[TRACE_UNIT_TENSOR], 0);
    sim_config_destroy(config);
}
END_TEST

/* Both forms of DRAM timing say the same. */
static const char *const timings[] = {
    "16:2:8:12:21:13:34:9:4:5:13:4:3:2",
    "\"nbk=16:CCD=2:RRD=8:RCD=12:RAS=21:RP=13:RC=34:\n "
    "CL=9:WL=4:CDLR=5:WR=13:nbkgrp=4:CCDL=3:RTPL=2\"",
    "RTPL=2;CCDL=3;nbkgrp=4;WR=13;CDLR=5;WL=4;CL=9;RC=34;RP=13;RAS=21;RCD=12;RRD=8;CCD=2;nbk="
    "16;",
};

START_TEST(dram_timing_has_two_forms)
{
    char text[256];
    snprintf(text, sizeof text, "-gpgpu_dram_timing_opt %s", timings[_i]);
    struct sim_config *config = config_of(text);
    const struct sim_dram_timing expected = {.banks = 16,
                                             .bank_groups = 4,
                                             .ccd = 2,
                                             .rrd = 8,
                                             .rcd = 12,
                                             .ras = 21,
                                             .rp = 13,
                                             .rc = 34,
                                             .cl = 9,
                                             .wl = 4,
                                             .cdlr = 5,
                                             .wr = 13,
                                             .ccdl = 3,
                                             .rtpl = 2};
    ck_assert_mem_eq(&config->dram, &expected, sizeof expected);
    sim_config_destroy(config);
}
END_TEST

START_TEST(dram_without_bank_groups)
{
    struct sim_config *config = config_of("-gpgpu_dram_timing_opt 8:2:8:12:21:13:34:9:4:5:13");
    ck_assert_uint_eq(config->dram.bank_groups, 1);
    ck_assert_uint_eq(config->dram.ccdl, 0);
    ck_assert_uint_eq(config->dram.wr, 13);
    sim_config_destroy(config);
}
END_TEST

START_TEST(old_cache_strings_have_fewer_fields)
{
    struct sim_config *config = config_of("-gpgpu_cache:dl1 32:128:4,L:L:m:N,F:32:8,8\n"
                                          "-gpgpu_cache:dl2 N:64:64:8,F:B:m:W:X,A:32:4,4");
    ck_assert(config->l1d.enabled && !config->l1d.sectored);
    ck_assert_uint_eq(config->l1d.sets, 32);
    ck_assert_int_eq(config->l1d.set_index, 'L');
    ck_assert_int_eq(config->l1d.mshr_type, 'F');
    ck_assert_uint_eq(config->l1d.miss_queue, 8);
    ck_assert_uint_eq(config->l1d.port_width, 128);
    ck_assert_int_eq(config->l2.set_index, 'X');
    ck_assert_ptr_eq(config->l2.replacement, &cache_replacement_fifo);
    ck_assert_uint_eq(config->l2.miss_queue, 4);
    ck_assert_uint_eq(config->l2.port_width, 64);
    sim_config_destroy(config);
}
END_TEST

START_TEST(a_cache_may_be_none)
{
    struct sim_config *config = config_of("-gpgpu_cache:dl1 none");
    ck_assert(!config->l1d.enabled);
    ck_assert_uint_eq(config->l1d.sets, 0);
    sim_config_destroy(config);
}
END_TEST

START_TEST(an_address_map_may_name_the_channel_bits)
{
    struct sim_config *config = config_of(
        "-gpgpu_n_mem 4 -gpgpu_mem_addr_mapping "
        "\"00000000|00000000.00000000.00000000.00000000.rrrrrrrr.RBBBDDCC.bccsssss\"");
    ck_assert_int_eq(config->address_map.chip_bit, -1);
    ck_assert_uint_eq(config->address_map.chip, 0x0c00);
    ck_assert_uint_eq(config->address_map.row, 0xff8000);
    ck_assert_uint_eq(config->address_map.bank, 0x7080);
    ck_assert_uint_eq(config->address_map.column, 0x037f);
    sim_config_destroy(config);
}
END_TEST

START_TEST(without_a_string_the_address_map_has_a_number)
{
    struct sim_config *config = config_of("-gpgpu_mem_address_mask 3");
    ck_assert_int_eq(config->address_map.chip_bit, 11);
    ck_assert_uint_eq(config->address_map.row, 0x0fffe000);
    sim_config_destroy(config);
}
END_TEST

/* The string gives a part of the unified memory; L1 may get all of it. */
START_TEST(l1_has_ways_for_the_whole_unified_memory)
{
    struct sim_config *config = config_of(
        "-gpgpu_adaptive_cache_config 1 -gpgpu_shmem_option 32,64 "
        "-gpgpu_unified_l1d_size 96 -gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:256:32,16:0,32");
    ck_assert_uint_eq(config->l1d.ways, 192);
    sim_config_destroy(config);
}
END_TEST

START_TEST(indexing_6_is_ipoly)
{
    struct sim_config *config = config_of("-gpgpu_memory_partition_indexing 6");
    ck_assert_int_eq(config->address_map.indexing, 2);
    sim_config_destroy(config);
}
END_TEST

START_TEST(carve_outs_are_sorted)
{
    struct sim_config *config =
        config_of("-gpgpu_adaptive_cache_config 1 -gpgpu_shmem_option 64,0,8");
    const uint32_t sizes[] = {0, 8192, 65536};
    ck_assert_uint_eq(config->shmem_size_count, 3);
    ck_assert_mem_eq(config->shmem_sizes, sizes, sizeof sizes);
    sim_config_destroy(config);
}
END_TEST

START_TEST(runs_of_l2_halves)
{
    struct sim_config *config = config_of("-hearth_l2_half_sms 22,54,40");
    const uint32_t runs[] = {22, 54, 40};
    ck_assert_uint_eq(config->l2_half_run_count, 3);
    ck_assert_mem_eq(config->l2_half_runs, runs, sizeof runs);
    sim_config_destroy(config);
}
END_TEST

START_TEST(bits_of_l2_halves)
{
    struct sim_config *config = config_of("-hearth_l2_half_bits 12,13,16,17,19");
    ck_assert_uint_eq(config->l2_half_bits, 0xb3000);
    sim_config_destroy(config);
    config = config_of("-hearth_l2_half_bits none");
    ck_assert_uint_eq(config->l2_half_bits, 0);
    sim_config_destroy(config);
}
END_TEST

START_TEST(missing_pipeline_widths_are_one)
{
    struct sim_config *config = config_of("-gpgpu_pipeline_widths 2,3");
    ck_assert_uint_eq(config->pipeline_width[SIM_STAGE_ID_SP], 2);
    ck_assert_uint_eq(config->pipeline_width[SIM_STAGE_ID_DP], 3);
    ck_assert_uint_eq(config->pipeline_width[SIM_STAGE_EX_TENSOR], 1);
    sim_config_destroy(config);
}
END_TEST

START_TEST(clocks_may_have_fractions)
{
    struct sim_config *config = config_of("-gpgpu_clock_domains 0.1:2.25:3.:099999.999");
    ck_assert_double_eq(config->core_mhz, 0.1);
    ck_assert_double_eq(config->icnt_mhz, 2.25);
    ck_assert_double_eq(config->l2_mhz, 3);
    ck_assert_double_eq(config->dram_mhz, 99999.999);
    sim_config_destroy(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config derived");
    TCase *rtx3070 = tcase_create("rtx3070");
    tcase_add_checked_fixture(rtx3070, make_card, destroy_card);
    tcase_add_test(rtx3070, rtx3070_l1);
    tcase_add_test(rtx3070, rtx3070_l2);
    tcase_add_test(rtx3070, rtx3070_address_map);
    tcase_add_test(rtx3070, rtx3070_dram);
    tcase_add_test(rtx3070, rtx3070_clocks);
    tcase_add_test(rtx3070, rtx3070_sm);
    tcase_add_loop_test(rtx3070, rtx3070_units, 0, TRACE_UNIT_COUNT);
    tcase_add_test(rtx3070, rtx3070_special_units);
    suite_add_tcase(suite, rtx3070);
    TCase *forms = tcase_create("forms");
    tcase_add_test(forms, classes_without_a_special_unit_are_integer);
    tcase_add_test(forms, tensor_cores_may_be_plain_units);
    tcase_add_loop_test(forms, dram_timing_has_two_forms, 0, sizeof timings / sizeof *timings);
    tcase_add_test(forms, dram_without_bank_groups);
    tcase_add_test(forms, old_cache_strings_have_fewer_fields);
    tcase_add_test(forms, a_cache_may_be_none);
    tcase_add_test(forms, an_address_map_may_name_the_channel_bits);
    tcase_add_test(forms, without_a_string_the_address_map_has_a_number);
    tcase_add_test(forms, l1_has_ways_for_the_whole_unified_memory);
    tcase_add_test(forms, indexing_6_is_ipoly);
    tcase_add_test(forms, carve_outs_are_sorted);
    tcase_add_test(forms, runs_of_l2_halves);
    tcase_add_test(forms, bits_of_l2_halves);
    tcase_add_test(forms, missing_pipeline_widths_are_one);
    tcase_add_test(forms, clocks_may_have_fractions);
    suite_add_tcase(suite, forms);
    return suite_run(suite);
}
