/* Counters of whole launches, worked out by hand: one SM, one L2 slice, all
 * clocks equal. The times are those that memory.c derives. */
#include "sim/simulator.h"
#include "tests/sim/support.h"

static struct sim_counters count_on(const char *const *sets, const char *program)
{
    return launch_on(sets, &(struct launch_text){.program = program}).counters;
}

#define COUNTS(c, prefix, all, hits, pending, misses, sector_misses)                           \
    do {                                                                                       \
        ck_assert_uint_eq((c).prefix##s, all);                                                 \
        ck_assert_uint_eq((c).prefix##_hits, hits);                                            \
        ck_assert_uint_eq((c).prefix##_pending_hits, pending);                                 \
        ck_assert_uint_eq((c).prefix##_misses, misses);                                        \
        ck_assert_uint_eq((c).prefix##_sector_misses, sector_misses);                          \
    } while (0)

/* A line of four sectors is missed (one miss takes the line, three find it),
 * read again, written. L1 writes through; L2 has the line by then. */
START_TEST(global)
{
    struct sim_counters c =
        count_on(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; R3 = LDG.E R1 [ 4 1 0x1000 4 ];"
                          "STG.E R2 R3 [ 4 1 0x1000 4 ]; EXIT");
    COUNTS(c, l1d_global_load, 8, 4, 0, 4, 3);
    COUNTS(c, l1d_global_store, 4, 4, 0, 0, 0);
    COUNTS(c, l1d_local_load, 0, 0, 0, 0, 0);
    COUNTS(c, l1d_local_store, 0, 0, 0, 0, 0);
    COUNTS(c, l2_global_read, 4, 0, 0, 4, 3);
    COUNTS(c, l2_global_write, 4, 4, 0, 0, 0);
    COUNTS(c, l2_local_read, 0, 0, 0, 0, 0);
    COUNTS(c, l2_local_write, 0, 0, 0, 0, 0);
    COUNTS(c, l2_atomic, 0, 0, 0, 0, 0);
    ck_assert_uint_eq(c.l1d_accesses, 12);
    ck_assert_uint_eq(c.l1d_hits, 8);
    ck_assert_uint_eq(c.l2_reads, 4);
    ck_assert_uint_eq(c.l2_write_hits, 4);
}
END_TEST

/* The word of 32 threads in local memory is one line. The store takes it in L1
 * and in L2; the load, which waits for the register, hits. */
START_TEST(local)
{
    struct sim_counters c = count_on(NO_SETS, "R1 = FFMA; STL R2 R1 [ 4 1 0x7f0000000000 0 ];"
                                              "R2 = LDL R1 [ 4 1 0x7f0000000000 0 ]; EXIT");
    COUNTS(c, l1d_local_store, 4, 0, 0, 4, 3);
    COUNTS(c, l1d_local_load, 4, 4, 0, 0, 0);
    COUNTS(c, l2_local_write, 4, 0, 0, 4, 3);
    COUNTS(c, l2_local_read, 0, 0, 0, 0, 0);
    ck_assert_uint_eq(c.l1d_accesses, 8);
    ck_assert_uint_eq(c.l1d_global_loads + c.l1d_global_stores, 0);
    ck_assert_uint_eq(c.l2_writes, 4);
}
END_TEST

/* Past L1, joined into sectors; again after the first has been answered. */
START_TEST(atomic)
{
    struct sim_counters c = count_on(NO_SETS, "R1 = ATOMG.E.ADD R2 R3 [ 4 1 0x1000 4 ];"
                                              "R1 = ATOMG.E.ADD R1 R3 [ 4 1 0x1000 4 ]; EXIT");
    COUNTS(c, l2_atomic, 8, 4, 0, 4, 3);
    ck_assert_uint_eq(c.l1d_accesses, 0);
    ck_assert_uint_eq(c.l2_global_reads, 0);
    ck_assert_uint_eq(c.l2_reads, 8);
    ck_assert_uint_eq(c.l2_read_hits, 4);
}
END_TEST

/* The second load finds the sectors of the first on their way, in L1 or, past
 * it, in L2. */
START_TEST(pending)
{
    struct sim_counters c = count_on(
        NO_SETS, "R1 = LDG.E R3 [ 4 1 0x1000 4 ]; R2 = LDG.E R3 [ 4 1 0x1000 4 ]; EXIT");
    COUNTS(c, l1d_global_load, 8, 0, 4, 4, 3);
    ck_assert_uint_eq(c.l1d_global_load_mshr_hits, 4);
    ck_assert_uint_eq(c.l2_global_reads, 4);
    ck_assert_uint_eq(c.l2_global_read_mshr_hits, 0);
    c = count_on(NO_SETS, "R1 = LDG.E.STRONG.GPU R3 [ 4 1 0x1000 4 ];"
                          "R2 = LDG.E.STRONG.GPU R3 [ 4 1 0x1000 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 0);
    COUNTS(c, l2_global_read, 8, 0, 4, 4, 3);
    ck_assert_uint_eq(c.l2_global_read_mshr_hits, 4);
}
END_TEST

/* Copies to shared memory with BYPASS look up L1 as other loads, unless they pass it by: then
 * both read their 16 sectors from L2. */
START_TEST(copies_past_l1)
{
    const char *const past = "LDGSTS.E.BYPASS.128 R2 [ 16 1 0x1000 16 ];"
                             "LDGSTS.E.BYPASS.128 R2 [ 16 1 0x1000 16 ]; EXIT",
                      *const plain = "LDGSTS.E.128 R2 [ 16 1 0x1000 16 ];"
                                     "LDGSTS.E.128 R2 [ 16 1 0x1000 16 ]; EXIT";
    const char *const *on = SETS("hearth_ldgsts_bypass_l1=1");
    struct sim_counters c[] = {count_on(NO_SETS, past), count_on(on, plain)};
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(c[i].l1d_global_loads, 32);
        ck_assert_uint_eq(c[i].l1d_global_load_pending_hits, 16);
        ck_assert_uint_eq(c[i].l2_global_reads, 16);
    }
    struct sim_counters bypass = count_on(on, past);
    ck_assert_uint_eq(bypass.l1d_accesses, 0);
    ck_assert_uint_eq(bypass.l2_global_reads, 32);
}
END_TEST

/* An L1 of one MSHR. The first load, issued in 2, meets L1 in 45; the second, a
 * cycle behind, is refused from 46 on, until the first one's answer is taken
 * off in 2 + 545: 501 times. */
START_TEST(l1_refuses)
{
    struct sim_counters c =
        count_on(SETS("gpgpu_cache:dl1=S:4:128:256,L:T:m:L:L,A:1:48,16:0,32"),
                 "R1 = LDG.E R3 [ 4 1 0x1000 0 ]; R2 = LDG.E R3 [ 4 1 0x2000 0 ]; EXIT");
    ck_assert_uint_eq(c.l1d_global_load_reservation_fails, 501);
    ck_assert_uint_eq(c.l1d_reservation_fails, 501);
    ck_assert_uint_eq(c.l1d_global_load_misses, 2);
    ck_assert_uint_eq(c.l1d_global_store_reservation_fails, 0);
}
END_TEST

/* An L2 of one MSHR. The first load past L1, issued in 2, meets L2 in 196; the
 * second is refused from 197 on, until the first is answered in 2 + 501: 306
 * times. */
START_TEST(l2_refuses)
{
    struct sim_counters c =
        count_on(SETS("gpgpu_cache:dl2=S:64:128:16,L:B:m:L:P,A:1:4,32:0,32"),
                 "R1 = LDG.E.STRONG.GPU R3 [ 4 1 0x1000 0 ];"
                 "R2 = LDG.E.STRONG.GPU R3 [ 4 1 0x2000 0 ]; EXIT");
    ck_assert_uint_eq(c.l2_global_read_reservation_fails, 306);
    ck_assert_uint_eq(c.l2_global_read_misses, 2);
    ck_assert_uint_eq(c.l1d_reservation_fails, 0);
}
END_TEST

/* A warp of one EXIT retires in the seventh cycle behind its arrival; a launch
 * latency is no part of it. The second block comes a cycle behind the first. */
START_TEST(residence)
{
    const char *const *sets[] = {NO_SETS, SETS("gpgpu_kernel_launch_latency=100")};
    for (int i = 0; i < 2; i++) {
        struct sim_counters c = count_on(sets[i], "EXIT");
        ck_assert_uint_eq(c.warp_cycles, 7);
        ck_assert_uint_eq(c.sm_active_cycles, 7);
        c = launch_on(sets[i], &(struct launch_text){.blocks = 2, .program = "EXIT"}).counters;
        ck_assert_uint_eq(c.warp_cycles, 14);
        ck_assert_uint_eq(c.sm_active_cycles, 8);
    }
}
END_TEST

/* Two SMs with a block each are active for themselves. */
START_TEST(two_sms)
{
    struct sim_counters c = launch_on(SETS("gpgpu_n_clusters=2"),
                                      &(struct launch_text){.blocks = 2, .program = "EXIT"})
                                .counters;
    ck_assert_uint_eq(c.sm_active_cycles, 14);
    ck_assert_uint_eq(c.warp_cycles, 14);
}
END_TEST

static enum sim_block_choice fifty(void *data, const struct sim_block *block, uint64_t *cycles)
{
    (void)data;
    (void)block;
    *cycles = 50;
    return SIM_BLOCK_TIMED;
}

/* Three blocks of two warps, one behind the other by a cycle, each there for
 * 50 cycles. */
START_TEST(timed_residence)
{
    struct bench bench = bench_create(NO_SETS);
    struct trace_kernel *kernel =
        test_kernel(&(struct launch_text){.blocks = 3, .threads = 64, .program = "EXIT"});
    const struct sim_hooks hooks = {.block_begins = fifty};
    struct sim_result result;
    struct error err = {0};
    ck_assert_int_eq(sim_launch(bench.sim, kernel, &hooks, &result, &err), 0);
    ck_assert_uint_eq(result.counters.warp_cycles, 3 * 2 * 50);
    ck_assert_uint_eq(result.counters.sm_active_cycles, 52);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
}
END_TEST

/* Each launch has its own: the second hits what the first missed. */
START_TEST(by_launch)
{
    const struct launch_text load = {.program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"};
    struct bench bench = bench_create(NO_SETS);
    struct sim_counters first = bench_launch(&bench, &load).counters;
    struct sim_counters second = bench_launch(&bench, &load).counters;
    COUNTS(first, l1d_global_load, 4, 0, 0, 4, 3);
    COUNTS(second, l1d_global_load, 4, 4, 0, 0, 0);
    ck_assert_uint_eq(second.l2_global_reads, 0);
    ck_assert_uint_lt(second.warp_cycles, first.warp_cycles);
    bench_destroy(&bench);
}
END_TEST

static double derived(const struct sim_result *result, enum sim_derived_index index)
{
    return sim_derived_table[index].get(&result->counters, result_cycles(result),
                                        result->gap_cycles, &result->peaks);
}

/* The first of a line's four sectors opens the row. The data pins of the one
 * channel move 8 bytes a cycle, at 1 GHz. */
START_TEST(dram)
{
    const struct launch_text text = {.program =
                                         "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; DFMA R1; EXIT"};
    struct sim_result result = launch_on(NO_SETS, &text);
    const struct sim_counters *c = &result.counters;
    ck_assert_uint_eq(c->dram_row_misses, 1);
    ck_assert_uint_eq(c->dram_row_hits, 3);
    ck_assert_uint_eq(c->dram_activates, 1);
    ck_assert_uint_eq(c->dram_precharges, 0);
    ck_assert_uint_eq(c->dram_read_bytes, 128);
    ck_assert_uint_eq(c->dram_write_bytes, 0);
    double cycles = (double)result_cycles(&result);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_dram_row_hit_rate), 0.75, 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_dram_bandwidth_use),
                            128 / (8 * cycles), 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_dram_bandwidth), 128 / cycles, 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_l2_bandwidth), 128 / cycles, 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_l2_bandwidth_use), 128 / (32 * cycles),
                            1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_l1d_bandwidth), 128 / cycles, 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_l1d_bandwidth_use),
                            128 / (4 * 32 * cycles), 1e-12);
    ck_assert_double_eq(derived(&result, SIM_DERIVED_l1d_hit_rate), 0);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_resident_warps), 1, 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_occupancy), 1. / 48, 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_threads_per_inst), 32, 1e-12);
    ck_assert_double_eq_tol(derived(&result, SIM_DERIVED_sm_active),
                            (double)c->sm_active_cycles / cycles, 1e-12);
}
END_TEST

/* Two rows of a bank: the second closes the first. 0x10000 is the lowest bit of
 * the row. */
START_TEST(dram_rows)
{
    struct sim_counters c =
        count_on(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 0 ];"
                          "R1 = LDG.E R1 [ 4 1 0x101000 0 ]; FFMA R1; EXIT");
    ck_assert_uint_eq(c.dram_row_misses, 2);
    ck_assert_uint_eq(c.dram_row_hits, 0);
    ck_assert_uint_eq(c.dram_activates, 2);
    ck_assert_uint_eq(c.dram_precharges, 1);
    ck_assert_uint_eq(c.dram_read_bytes, 64);
}
END_TEST

/* An L2 of two lines. The third store evicts the first one's line, and all
 * acknowledgements are on their way before it is in DRAM: evicted and written
 * for the first launch, moved in the time of the second. */
START_TEST(write_back)
{
    struct bench bench =
        bench_create(SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32"));
    struct sim_counters first =
        bench_launch(&bench,
                     &(struct launch_text){.program = "STG.E R2 R3 [ 4 1 0x1000 4 ];"
                                                      "STG.E R2 R3 [ 4 1 0x2000 4 ];"
                                                      "STG.E R2 R3 [ 4 1 0x3000 4 ]; EXIT"})
            .counters;
    struct sim_counters second =
        bench_launch(&bench, &(struct launch_text){.program = "1000 * FFMA; EXIT"}).counters;
    ck_assert_uint_eq(first.l2_evictions_dirty, 1);
    ck_assert_uint_eq(first.l2_evicted_dirty_sectors, 4);
    ck_assert_uint_eq(first.dram_writes, 4);
    ck_assert_uint_eq(first.dram_write_bytes, 0);
    ck_assert_uint_eq(first.dram_row_misses, 0);
    ck_assert_uint_eq(second.l2_evictions_dirty, 0);
    ck_assert_uint_eq(second.dram_writes, 0);
    ck_assert_uint_eq(second.dram_write_bytes, 128);
    ck_assert_uint_eq(second.dram_activates, 1);
    ck_assert_uint_eq(second.dram_row_misses, 1);
    bench_destroy(&bench);
}
END_TEST

/* L1 of one line, written back: the line that a load displaces comes to the slice of its own
 * address, sector by sector, and is there when it is read again. Four slices, neighbouring
 * lines in others; nobody waits for it. */
START_TEST(l1_write_back)
{
    struct sim_counters c =
        count_on(SETS("gpgpu_cache:dl1=S:1:128:1,L:B:m:L:L,A:8:8,8:0,32", "gpgpu_n_mem=2",
                      "gpgpu_adaptive_cache_config=0", "gpgpu_n_sub_partition_per_mchannel=2"),
                 "STG.E R2 R3 [ 4 1 0x1000 4 ]; R1 = LDG.E R2 [ 4 1 0x1180 4 ];"
                 "R1 = LDG.E R1 [ 4 1 0x1080 4 ]; R1 = LDG.E R1 [ 4 1 0x1000 4 ]; EXIT");
    COUNTS(c, l1d_global_store, 4, 0, 0, 4, 3);
    COUNTS(c, l1d_global_load, 12, 0, 0, 12, 9);
    COUNTS(c, l2_l1_write_back, 4, 0, 0, 4, 3);
    COUNTS(c, l2_global_write, 0, 0, 0, 0, 0);
    COUNTS(c, l2_global_read, 12, 4, 0, 8, 6);
    ck_assert_uint_eq(c.l2_writes, 4);
}
END_TEST

/* What L2 does not keep is written to DRAM at once: every command of DRAM is among dram_writes.
 * A line of a cache without sectors is four. */
START_TEST(written_through)
{
    static const struct {
        const char *l2;
        unsigned writes;
    } cases[] = {
        {"none", 8},
        {"S:64:128:16,L:T:m:L:L,A:192:4,32:0,32", 8},
        {"S:64:128:16,L:B:m:W:L,A:192:4,32:0,32", 8},
        {"S:64:128:16,L:B:m:N:L,A:192:4,32:0,32", 8},
        {"N:64:128:16,L:B:m:N:L,A:192:4,32:0,32", 32},
        {"S:64:128:16,L:B:m:L:L,A:192:4,32:0,32", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char set[80];
        snprintf(set, sizeof set, "gpgpu_cache:dl2=%s", cases[i].l2);
        struct sim_counters c =
            count_on(SETS(set), "STG.E R2 R3 [ 4 1 0x1000 4 ]; STG.E R2 R3 [ 4 1 0x2000 4 ];"
                                "2000 * FFMA; EXIT");
        ck_assert_uint_eq(c.dram_writes, cases[i].writes);
        ck_assert_uint_eq(c.dram_write_bytes, 32 * cases[i].writes);
    }
}
END_TEST

static const char *const l1_policies[] = {
    "B:m:N", "B:m:W", "B:m:F", "B:m:L", "T:m:N", "T:m:W", "T:m:F", "T:m:L",
    "T:f:N", "T:f:W", "E:m:N", "E:m:W", "E:m:F", "E:m:L", "E:f:N", "E:f:W",
    "L:m:N", "L:m:W", "L:m:F", "L:m:L", "L:f:N", "L:f:W", "L:s:N", "L:s:W",
};

/* Whatever L1's policy, sectored or not: each store is acknowledged once, and what was loaded,
 * written whole, in part, or locally ends. */
START_TEST(any_l1)
{
    char set[80];
    for (int sectored = 0; sectored < 2; sectored++) {
        snprintf(set, sizeof set, "gpgpu_cache:dl1=%s:2:128:2,L:%s:L,A:4:2,3:0,32",
                 sectored ? "S" : "N", l1_policies[_i]);
        struct sim_counters c = count_on(
            SETS(set, "gpgpu_adaptive_cache_config=0", "gpgpu_n_mem=2"),
            "STG.E R2 R3 [ 4 1 0x1000 4 ]; @00ff00ff STG.E R2 R3 [ 4 1 0x1100 4 ];"
            "STL R2 R1 [ 4 1 0x7f0000000000 0 ]; R1 = LDG.E R2 [ 4 1 0x1100 32 ];"
            "STL R2 R1 [ 4 1 0x7f0000000008 0 ]; R1 = LDL R1 [ 4 1 0x7f0000000000 0 ];"
            "STG.E R2 R1 [ 4 1 0x2000 8 ]; STG.E R2 R1 [ 4 1 0x2004 8 ];"
            "STL R2 R1 [ 4 1 0x7f0000000000 0 ]; R1 = LDG.E R2 [ 4 1 0x2000 128 ]; EXIT");
        ck_assert_uint_eq(c.l1d_global_stores + c.l1d_local_stores, 4 + 2 + 3 * 4 + 2 * 8);
        ck_assert_uint_eq(c.l1d_global_loads + c.l1d_local_loads, 32 + 4 + 32);
    }
}
END_TEST

/* One load after the other: the cycles that a launch loses where DRAM has to read are those in
 * which its SM waited for it, but for some in which one of the sectors came. */
START_TEST(dram_wait)
{
    const struct launch_text loads = {
        .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; R1 = LDG.E R1 [ 4 1 0x9000 4 ];"
                   "R1 = IADD R1 R1; EXIT"};
    struct bench bench = bench_create(NO_SETS);
    struct sim_result cold = bench_launch(&bench, &loads);
    sim_flush(bench.sim, SIM_L1, false);
    struct sim_result warm = bench_launch(&bench, &loads);
    ck_assert_uint_eq(cold.counters.dram_reads, 8);
    ck_assert_uint_eq(warm.counters.dram_reads, 0);
    ck_assert_uint_eq(warm.counters.sm_dram_wait_cycles, 0);
    uint64_t lost = result_cycles(&cold) - result_cycles(&warm);
    ck_assert_uint_le(cold.counters.sm_dram_wait_cycles, lost);
    ck_assert_uint_le(lost, cold.counters.sm_dram_wait_cycles + 8 * 2);
    bench_destroy(&bench);
}
END_TEST

/* The card: 46 SMs of 1536 threads, 448 GB/s. */
START_TEST(of_a_card)
{
    const char *source = "rtx3070";
    struct error err = {0};
    struct sim_config *config = sim_config_create(&source, 1, NULL, 0, NULL, NULL, &err);
    ck_assert_ptr_nonnull(config);
    struct sim_peaks peaks = sim_peaks_of(config);
    ck_assert_uint_eq(peaks.sms, 46);
    ck_assert_uint_eq(peaks.warps, 48);
    ck_assert_double_eq_tol(peaks.core_hz, 1132e6, 1);
    ck_assert_double_eq_tol(peaks.dram_bytes * peaks.core_hz, 448.064e9, 1e3);
    sim_config_destroy(config);
}
END_TEST

/* One warp; half of its threads issue the second instruction. RZ is no register. */
START_TEST(activity)
{
    static const char *const cores[][4] = {{"hearth_activity=1", "hearth_core=legacy", NULL},
                                           {"hearth_activity=1", "hearth_core=modern", NULL}};
    const char *program =
        "R1 = FFMA R2 R3 R3; @ffff R1 = FADD R1 R255; R4 = IMAD.WIDE R1 R2 R3;"
        "R5 = IADD3 R1 R2; R6 = MUFU.EX2 R5; R7 = HFMA2 R6 R6; R8 = HADD2 R7;"
        "R2 = DFMA R2 R4 R6; R2 = DADD R2 R4; R8 = HMMA.16816.F32 R2 R4 R6;"
        "STS R1 R2 [ 4 1 0x0 4 ]; STG.E R2 R3 [ 4 1 0x1000 4 ]; BAR.SYNC; EXIT";
    for (int i = 0; i < 2; i++) {
        struct sim_counters c = count_on(cores[i], program);
        ck_assert_uint_eq(c.fp32_mul_ops, 32);
        ck_assert_uint_eq(c.fp32_ops, 16);
        ck_assert_uint_eq(c.int_mul_ops, 32);
        ck_assert_uint_eq(c.int_ops, 32);
        ck_assert_uint_eq(c.sfu_ops, 32);
        ck_assert_uint_eq(c.fp16_mul_ops, 32);
        ck_assert_uint_eq(c.fp16_ops, 32);
        ck_assert_uint_eq(c.fp64_mul_ops, 32);
        ck_assert_uint_eq(c.fp64_ops, 32);
        ck_assert_uint_eq(c.tensor_insts, 1);
        ck_assert_uint_eq(c.shared_insts, 1);
        ck_assert_uint_eq(c.memory_insts, 1);
        ck_assert_uint_eq(c.control_insts, 2);
        ck_assert_uint_eq(c.register_writes, 32 * 9 + 16);
        ck_assert_uint_eq(c.register_reads,
                          32 * (2 + 3 + 2 + 1 + 1 + 1 + 3 + 2 + 3 + 2 + 2) + 16);
    }
    struct sim_counters c = count_on(NO_SETS, program);
    ck_assert_uint_eq(c.fp32_mul_ops + c.int_ops + c.register_reads, 0);
}
END_TEST

/* Partitions run ahead of SMs, on threads that have nothing else to do. What they do for a
 * launch that has waited for its last stores is counted as if all had done so. */
START_TEST(partitions_ahead)
{
    struct bench bench = bench_create(
        SETS("hearth_core=modern", "gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32",
             "gpgpu_l2_rop_latency=32", "gpgpu_kernel_launch_latency=0"));
    for (unsigned n = 1; n <= 32; n++) {
        struct sim_counters after;
        struct sim_result result = bench_launch(
            &bench,
            &(struct launch_text){.program = repeated("%STG.E R2 R3 [ 4 1 0x1000 128 ]; EXIT",
                                                      n, "R1 = FADD R1 R1; ")});
        engine_finish_partitions(&bench.sim->engine);
        engine_count(&bench.sim->engine, result.end_cycle, &after);
        for (size_t i = 0; i < sim_counter_count; i++)
            ck_assert_msg(sim_counter_get(&after, i) == sim_counter_get(&bench.sim->base, i),
                          "%s of launch %u", sim_counter_table[i].name, n);
    }
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        global,     local,           atomic,    pending,         copies_past_l1,  l1_refuses,
        l2_refuses, residence,       two_sms,   timed_residence, by_launch,       dram,
        dram_rows,  write_back,      of_a_card, l1_write_back,   written_through, dram_wait,
        activity,   partitions_ahead};
    const TTest *const loops[] = {any_l1};
    return RUN_LOOPS("counters", tests, loops, (int)(sizeof l1_policies / sizeof *l1_policies));
}
