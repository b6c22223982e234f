/* Configurations at the limits of the model's own tables. */
#include "tests/sim/support.h"

#include "sim/core/legacy/legacy.h"

/* 64 collectors of eight operands each in one bank: 512 operands wait. A bank
 * gives two a cycle: 32 warps x 20 instructions x 8 operands in 2,560 cycles
 * at the least. */
START_TEST(operands_of_one_bank)
{
    struct sim_result result =
        launch_on(SETS("gpgpu_operand_collector_num_units_gen=64", "gpgpu_sub_core_model=0",
                       "gpgpu_num_reg_banks=1"),
                  &(struct launch_text){.threads = 1024,
                                        .program = "20 * FFMA R1 R2 R3 R4 R5 R6 R7 R8; EXIT"});
    ck_assert_uint_ge(result_cycles(&result), 32 * 20 * 8 / 2);
    ck_assert_uint_lt(result_cycles(&result), 32 * 20 * 8 / 2 + 100);
}
END_TEST

/* More memory instructions between issue and the load/store unit than there
 * are lists of sectors: further ones wait with their issue. Each has 32
 * sectors of one L1 bank, 32 cycles. */
START_TEST(memory_instructions)
{
    struct sim_result result =
        launch_on(SETS("gpgpu_operand_collector_num_units_gen=64", "gpgpu_sub_core_model=0",
                       "gpgpu_pipeline_widths=16,16,16,16,16,16,16,16,16,16,16,16,16"),
                  &(struct launch_text){.threads = 1024,
                                        .program = "R1 = LDG.E R9 [ 4 1 0x1000 128 ];"
                                                   "R2 = LDG.E R9 [ 4 1 0x1000 128 ];"
                                                   "R3 = LDG.E R9 [ 4 1 0x1000 128 ];"
                                                   "R4 = LDG.E R9 [ 4 1 0x1000 128 ]; EXIT"});
    ck_assert_uint_eq(result.counters.l1d_accesses, 32 * 4 * 32);
    ck_assert_uint_ge(result_cycles(&result), 32 * 4 * 32);
}
END_TEST

/* More groups of asynchronous copies than are told apart. */
START_TEST(copy_groups)
{
    struct sim_result result = launch_on(
        NO_SETS,
        &(struct launch_text){.program = repeated("%DEPBAR.LE $70; DEPBAR.LE $0; EXIT",
                                                  3 * LEGACY_GROUPS,
                                                  "LDGSTS.E R2 [ 4 1 0x1000 4 ]; LDGDEPBAR;")});
    ck_assert_uint_eq(result.counters.l1d_accesses, 3 * LEGACY_GROUPS * 4);
}
END_TEST

/* What the model cannot be built as is an error. */
START_TEST(refused)
{
    static const char *const sets[][2] = {
        {"gpgpu_num_reg_banks=65"},
        {"gpgpu_num_sched_per_core=9"},
        {"gpgpu_scheduler=fastest"},
        {"gpgpu_l1_banks=3"},
        {"gpgpu_shmem_num_banks=24"},
        {"gpgpu_smem_latency=256"},
        {"gpgpu_num_sched_per_core=3"},
        {"gpgpu_n_clusters=257"},
        {"trace_opcode_latency_initiation_sp=2000,1"},
        {"gpgpu_operand_collector_num_units_gen=0"},
        {"hearth_l2_fetch=64",
         "gpgpu_mem_addr_mapping=dramid@6;00000000.00000000.00000000.00000000.0000RRRR."
         "RRRRRRRR.RRBBBCCC.BCCSSSSS"},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct error err = {0};
        const char *source = "rtx3070";
        struct sim_config *config = sim_config_create(
            &source, 1, sets[i], sets[i][1] != NULL ? 2 : 1, NULL, NULL, &err);
        struct sim *sim = config != NULL ? sim_create(config, &err) : NULL;
        ck_assert_msg(sim == NULL, "%s", sets[i][0]);
        ck_assert_msg(err.kind == ERROR_USAGE, "%s: %s", sets[i][0], err.text);
        sim_config_destroy(config);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {operands_of_one_bank, memory_instructions, copy_groups,
                                  refused};
    return RUN_TESTS("limits", tests);
}
