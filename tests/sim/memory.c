/* Memory instructions of an SM, in whole launches: one SM, one L2 slice, all
 * clocks equal.
 *
 * A load issued in t with a register to read comes to the load/store unit at
 * the end of t+3. In t+4 its sectors enter L1's pipeline, one a bank and
 * cycle, or, past L1, the way to the crossbar, one a cycle.
 *
 * Shared memory: done in t+4 without conflicts; after its latency, 29, the
 * result is taken for writing in t+33, written in t+34.
 *
 * L1 hit: after the latency, 39, in t+43.
 *
 * Past L1: crossbar t+5, rop queue t+6, slice 187 later in t+193, hit in
 * t+194, reply crossbar t+195, at the SM two cycles later in t+197, taken in
 * t+198, written in t+199.
 *
 * L1 miss: found in t+43, to the crossbar's queue in t+44, crossbar t+45, rop
 * queue t+46, slice t+233, L2 hit t+234, reply crossbar t+235, SM t+237: fills
 * L1; taken t+238, written t+239.
 *
 * L2 miss: in front of DRAM in t+235, taken in t+236, DRAM's queue in t+490
 * (dram_latency 254), ACT t+491, RD 24 later, pins 24 later in t+539, slice
 * t+540, answered t+541, reply crossbar t+542, SM t+544, taken t+545, written
 * t+546. Past L1: 40 less. */
#include "sim/simulator.h"
#include "tests/sim/support.h"

#include <stdio.h>

#define HIT     43
#define L2_HIT  239
#define DRAM    546
#define PAST_L1 40
#define SHARED  34
#define CCDL    6

/* Ten dependent instructions each: the difference of 10 and 20 of them. */
static uint64_t link(const char *const *sets, const char *before, const char *inst)
{
    char program[300], part[150];
    strcat(strcpy(part, inst), ";");
    strcat(strcpy(program, before), "%EXIT");
    uint64_t some = cycles_of(sets, repeated(program, 10, part));
    uint64_t more = cycles_of(sets, repeated(program, 20, part));
    ck_assert_uint_eq((more - some) % 10, 0);
    return (more - some) / 10;
}

START_TEST(chains)
{
    ck_assert_uint_eq(link(NO_SETS, "", "R1 = LDS R1 [ 4 1 0x0 4 ]"), SHARED);
    ck_assert_uint_eq(link(NO_SETS, "", "R1 = LDG.E R1 [ 4 1 0x1000 0 ]"), HIT);
    ck_assert_uint_eq(link(NO_SETS, "", "R1 = LDG.E.STRONG.GPU R1 [ 4 1 0x1000 0 ]"),
                      L2_HIT - PAST_L1);
    ck_assert_uint_eq(link(SETS("gpgpu_l1_latency=20"), "", "R1 = LDG.E R1 [ 4 1 0x1000 0 ]"),
                      HIT - 39 + 20);
    ck_assert_uint_eq(link(SETS("gpgpu_smem_latency=20"), "", "R1 = LDS R1 [ 4 1 0x0 4 ]"),
                      SHARED - 29 + 20);
    ck_assert_uint_eq(
        link(SETS("gpgpu_l2_rop_latency=100"), "", "R1 = LDG.E.STRONG.GPU R1 [ 4 1 0x1000 0 ]"),
        L2_HIT - PAST_L1 - 187 + 100);
}
END_TEST

/* Loaded from 0 on: issued in 2; the dependent FP64 instruction is issued
 * when the data are there, and ends 64 + 5 later; the launch a cycle later. */
#define MARK_END(cycle) ((cycle) + 69 + 1)

START_TEST(from_dram)
{
    ck_assert_uint_eq(cycles_of(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; DFMA R1; EXIT"),
                      MARK_END(2 + DRAM));
    ck_assert_uint_eq(
        cycles_of(NO_SETS, "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x1000 0 ]; DFMA R1; EXIT"),
        MARK_END(2 + DRAM - PAST_L1));
    ck_assert_uint_eq(cycles_of(SETS("gpgpu_gmem_skip_L1D=1"),
                                "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; DFMA R1; EXIT"),
                      MARK_END(2 + DRAM - PAST_L1));
    ck_assert_uint_eq(
        cycles_of(SETS("dram_latency=100"), "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; DFMA R1; EXIT"),
        MARK_END(2 + DRAM - 254 + 100));
}
END_TEST

/* L1 misses, L2 hits: a load past L1 has brought the sector. */
START_TEST(from_l2)
{
    ck_assert_uint_eq(cycles_of(NO_SETS, "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x1000 0 ];"
                                         "R1 = LDG.E R1 [ 4 1 0x1000 0 ]; DFMA R1; EXIT"),
                      MARK_END(2 + DRAM - PAST_L1 + L2_HIT));
}
END_TEST

/* Conflicts in shared memory hold the next access up by a cycle a word, and
 * delay the access itself as much. */
START_TEST(bank_conflicts)
{
    ck_assert_uint_eq(link(NO_SETS, "", "R1 = LDS R1 [ 4 1 0x0 8 ]"), SHARED + 1);
    ck_assert_uint_eq(link(NO_SETS, "", "R1 = LDS R1 [ 4 1 0x0 128 ]"), SHARED + 31);
    ck_assert_uint_eq(link(NO_SETS, "", "R1 = LDS R1 [ 4 1 0x0 0 ]"), SHARED);
    ck_assert_uint_eq(link(NO_SETS, "", "LDS R1 [ 4 1 0x0 4 ]"), 1);
    ck_assert_uint_eq(link(NO_SETS, "", "LDS R1 [ 4 1 0x0 8 ]"), 2);
    ck_assert_uint_eq(link(NO_SETS, "", "LDS R1 [ 4 1 0x0 128 ]"), 32);
    ck_assert_uint_eq(link(NO_SETS, "", "STS R1 R2 [ 4 1 0x0 128 ]"), 32);
    struct sim_result result = launch_on(
        NO_SETS,
        &(struct launch_text){.program = "3 * LDS R1 [ 4 1 0x0 128 ]; LDS R1 [ 4 1 0x0 4 ];"
                                         "EXIT"});
    ck_assert_uint_eq(result.counters.shmem_conflict_cycles, 3 * 31);
    ck_assert_uint_eq(result.counters.l1d_accesses, 0);
}
END_TEST

/* L1 has four banks of 32 bytes: four sectors of a line enter in one cycle, so
 * hits of a full line go one a cycle; 32 sectors of one bank take 32. */
START_TEST(l1_banks)
{
    const char *warm =
        "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; R1 = LDG.E R2 [ 4 1 0x1000 128 ]; FFMA R1;";
    ck_assert_uint_eq(link(NO_SETS, warm, "LDG.E R3 [ 4 1 0x1000 4 ]"), 1);
    ck_assert_uint_eq(link(NO_SETS, warm, "LDG.E R3 [ 4 1 0x1000 128 ]"), 32);
    /* The last of 32 enters 31 cycles later: so comes the result. */
    ck_assert_uint_eq(link(NO_SETS, warm, "R3 = LDG.E R3 [ 4 1 0x1000 128 ]"), HIT + 31);
    ck_assert_uint_eq(link(SETS("gpgpu_l1_banks=1"), warm, "LDG.E R3 [ 4 1 0x1000 4 ]"), 4);
}
END_TEST

static uint64_t l1_conflicts(const char *const *sets, const char *program)
{
    return launch_on(sets, &(struct launch_text){.program = program})
        .counters.l1d_bank_conflict_cycles;
}

/* A cycle counts in which a sector finds its bank taken: by another one that entered in the
 * same cycle, or because the bank's queue stands. With two MSHRs the third of 32 lines waits at
 * the end of the pipeline until DRAM has answered: also cycles that are skipped count. */
START_TEST(l1_bank_conflicts)
{
    ck_assert_uint_eq(l1_conflicts(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"), 0);
    ck_assert_uint_eq(l1_conflicts(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 128 ]; EXIT"), 31);
    ck_assert_uint_eq(
        l1_conflicts(SETS("gpgpu_l1_banks=1"), "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"), 0);
    const char *const *few =
        SETS("gpgpu_cache:dl1=S:4:128:64,L:T:m:L:L,A:2:48,16:0,32", "gpgpu_l1_latency=1");
    const char *lines = "R1 = LDG.E R2 [ 4 1 0x1000 128 ]; EXIT";
    ck_assert_uint_gt(l1_conflicts(few, lines), 31 + 10 * (DRAM - L2_HIT));
}
END_TEST

static struct sim_counters count(const char *program)
{
    return launch_on(NO_SETS, &(struct launch_text){.program = program}).counters;
}

/* Sectors: four of a warp's contiguous words, 16 of 128-bit ones. */
START_TEST(counts)
{
    struct sim_counters c = count("R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 4);
    ck_assert_uint_eq(c.l1d_misses, 4);
    ck_assert_uint_eq(c.l2_reads, 4);
    ck_assert_uint_eq(c.l2_read_misses, 4);
    ck_assert_uint_eq(c.dram_reads, 4);
    ck_assert_uint_eq(c.dram_activates, 1);
    c = count("R1 = LDG.E.128 R2 [ 16 1 0x1000 16 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 16);
    c = count("R1 = LDG.E R2 [ 4 1 0x1004 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 5);
    c = count("@1 R1 = LDG.E R2 [ 4 1 0x1004 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 1);
    c = count("@0 R1 = LDG.E R2 [ 4 1 0x0 0 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 0);
}
END_TEST

/* The second load finds its sectors on their way: counted as such, and not
 * sent. The third, when they are there. */
START_TEST(pending_hits)
{
    struct sim_counters c =
        count("R1 = LDG.E R2 [ 4 1 0x1000 4 ]; R3 = LDG.E R2 [ 4 1 0x1000 4 ];"
              "FFMA R1; FFMA R3; R4 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_misses, 4);
    ck_assert_uint_eq(c.l1d_pending_hits, 4);
    ck_assert_uint_eq(c.l1d_hits, 4);
    ck_assert_uint_eq(c.l2_reads, 4);
    /* The second waiter of a sector is served a cycle behind the first. */
    uint64_t one = cycles_of(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; EXIT");
    uint64_t two = cycles_of(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 0 ];"
                                      "R3 = LDG.E R2 [ 4 1 0x1000 0 ]; EXIT");
    ck_assert_uint_eq(two - one, 1);
}
END_TEST

/* An L1 that is not sectored misses the whole line, of which a sectored L2 takes a sector a
 * cycle: the last one comes three cycles after the first. Before, DRAM reads a sector each
 * CCDL. Later loads of the line hit. */
START_TEST(whole_lines)
{
    const char *const *sets = SETS("gpgpu_cache:dl1=N:4:128:64,L:T:m:L:L,S:256:32,16:0,128");
    ck_assert_uint_eq(cycles_of(sets, "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x1000 4 ];"
                                      "R1 = LDG.E R1 [ 4 1 0x1040 0 ]; DFMA R1; EXIT"),
                      MARK_END(2 + DRAM - PAST_L1 + 3 * CCDL + L2_HIT + 3));
    const struct launch_text text = {.program = "R1 = LDG.E R2 [ 4 1 0x1040 0 ]; FFMA R1;"
                                                "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"};
    struct sim_counters c = launch_on(sets, &text).counters;
    ck_assert_uint_eq(c.l1d_misses, 1);
    ck_assert_uint_eq(c.l1d_hits, 4);
    ck_assert_uint_eq(c.l2_reads, 4);
    ck_assert_uint_eq(c.dram_reads, 4);
    /* The same line from an L2 that is not sectored either: in one packet. */
    sets = SETS("gpgpu_cache:dl1=N:4:128:64,L:T:m:L:L,A:256:32,16:0,128",
                "gpgpu_cache:dl2=N:64:128:16,L:B:m:L:L,A:192:4,32:0,128");
    c = launch_on(sets, &text).counters;
    ck_assert_uint_eq(c.l2_reads, 1);
    ck_assert_uint_eq(c.dram_reads, 4);
}
END_TEST

/* The dirty line that it evicts goes to L2 at once, which writes each of its sectors. */
START_TEST(whole_dirty_lines)
{
    struct sim_counters c =
        launch_on(SETS("gpgpu_cache:dl1=N:1:128:1,L:B:m:L:L,S:256:32,16:0,128",
                       "gpgpu_adaptive_cache_config=0", "gpgpu_l1_cache_write_ratio=0"),
                  &(struct launch_text){.program = "STG.E R2 R3 [ 4 1 0x1000 4 ];"
                                                   "STG.E R2 R3 [ 4 1 0x2000 4 ];"
                                                   "R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x2000 0 ];"
                                                   "DFMA R1; EXIT"})
            .counters;
    ck_assert_uint_eq(c.l2_writes, 4);
    ck_assert_uint_eq(c.l2_reads, 1);
}
END_TEST

/* Stores go through to L2, where they are taken without a DRAM access; L1
 * keeps what was written. */
START_TEST(stores)
{
    struct sim_counters c = count("STG.E R2 R3 [ 4 1 0x1000 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_misses, 4);
    ck_assert_uint_eq(c.l2_writes, 4);
    ck_assert_uint_eq(c.l2_write_misses, 4);
    ck_assert_uint_eq(c.dram_reads, 0);
    ck_assert_uint_eq(c.dram_writes, 0);
    c = count("2 * STG.E R2 R3 [ 4 1 0x1000 4 ]; R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_misses, 4);
    ck_assert_uint_eq(c.l1d_hits, 4 + 4);
    ck_assert_uint_eq(c.l2_writes, 8);
    ck_assert_uint_eq(c.l2_reads, 0);
    /* Issued in 2; L1 in 45; acknowledged like an L2 hit, taken in 2 + 237. The
     * block ends then, and the launch a cycle later. */
    ck_assert_uint_eq(cycles_of(NO_SETS, "STG.E R2 R3 [ 4 1 0x1000 0 ]; EXIT"), 2 + 237 + 1);
    /* Written in part: a load of it fetches the sector. */
    c = count("@1 STG.E R2 R3 [ 4 1 0x1000 4 ]; R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_misses, 1 + 4);
    ck_assert_uint_eq(c.l2_reads, 4);
    ck_assert_uint_eq(c.dram_reads, 4);
}
END_TEST

/* Reservation fails count cycles: one MSHR, two lines. The second waits for
 * the first one's sector, from L1 in 46 + 1 until the fill, t+544 of the first. */
START_TEST(reservation_fails)
{
    const char *const *sets =
        SETS("gpgpu_cache:dl1=S:4:128:256,L:T:m:L:L,A:1:48,16:0,32", "gpgpu_l1_banks=1");
    struct launch_text text = {.program = "R1 = LDG.E R2 [ 4 1 0x1000 0 ];"
                                          "R3 = LDG.E R2 [ 4 1 0x2000 0 ]; EXIT"};
    struct sim_result result = launch_on(sets, &text);
    ck_assert_uint_eq(result.counters.l1d_misses, 2);
    /* Tried in 46, freed with its last waiter in 2 + 545, before L1's turn in that cycle. */
    ck_assert_uint_eq(result.counters.l1d_reservation_fails, 2 + 545 - 46);
    /* No merging: two loads of one sector. */
    sets = SETS("gpgpu_cache:dl1=S:4:128:256,L:T:m:L:L,A:8:1,16:0,32", "gpgpu_l1_banks=1");
    text.program = "R1 = LDG.E R2 [ 4 1 0x1000 0 ]; R3 = LDG.E R2 [ 4 1 0x1000 0 ]; EXIT";
    result = launch_on(sets, &text);
    ck_assert_uint_eq(result.counters.l1d_misses, 1);
    ck_assert_uint_eq(result.counters.l1d_hits, 1);
    ck_assert_uint_gt(result.counters.l1d_reservation_fails, 400);
    /* A miss queue of two: a read needs both places. */
    sets = SETS("gpgpu_cache:dl1=S:4:128:256,L:T:m:L:L,A:384:48,2:0,32");
    text.program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT";
    result = launch_on(sets, &text);
    /* Four sectors come in one cycle; each waits until the ones before it have
     * left, a cycle each: 3 + 2 + 1 tries too many. */
    ck_assert_uint_eq(result.counters.l1d_reservation_fails, 6);
}
END_TEST

/* Atomics skip L1, count as reads of L2; lanes on one address go one by one. */
START_TEST(atomics)
{
    struct sim_counters c = count("R1 = ATOMG.E.ADD R2 R3 [ 4 1 0x1000 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 0);
    ck_assert_uint_eq(c.atomics, 4);
    ck_assert_uint_eq(c.l2_reads, 4);
    ck_assert_uint_eq(c.l2_writes, 0);
    c = count("RED.E.ADD R2 R3 [ 4 1 0x1000 0 ]; EXIT");
    ck_assert_uint_eq(c.atomics, 32);
    ck_assert_uint_eq(c.l2_reads, 32);
    ck_assert_uint_eq(c.l2_read_misses, 1);
    ck_assert_uint_eq(c.dram_reads, 1);
    /* A warp waits for its atomic before it issues anything else: the FP64
     * instruction does not depend on it. The reply is taken for writing in
     * t + 505 (one cycle before DRAM - 40); that cycle lets the warp go. */
    ck_assert_uint_eq(cycles_of(NO_SETS, "@1 RED.E.ADD R2 R3 [ 4 1 0x1000 0 ]; DFMA R2; EXIT"),
                      MARK_END(2 + DRAM - PAST_L1 - 1));
    /* Of shared memory: 34, one less likewise. */
    ck_assert_uint_eq(cycles_of(NO_SETS, "R1 = ATOMS.ADD R2 R3 [ 4 1 0x0 4 ]; DFMA R2; EXIT"),
                      MARK_END(2 + SHARED - 1));
}
END_TEST

/* Local memory: the same offset of all threads is contiguous, and goes
 * through L1. */
START_TEST(local)
{
    struct sim_counters c = count("R1 = LDL R2 [ 4 1 0x10 0 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 4);
    c = count("R1 = LDL R2 [ 4 1 0x10 4 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 32);
    c = count("R1 = LDL.128 R2 [ 16 1 0x10 0 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 16);
    c = count("STL R2 R3 [ 4 1 0x10 0 ]; R1 = LDL R2 [ 4 1 0x10 0 ]; EXIT");
    ck_assert_uint_eq(c.l1d_hits, 4);
}
END_TEST

/* Eight words of a block's 32 threads: by blocks, each word's 128 bytes follow
 * the last one's, 1 KB in two banks (address bit 7), a row of each. By SMs,
 * words are 4 x 1536 = 0x1800 bytes apart: banks 0 1 3 4 6 7 of one row (bits 12
 * to 14), 1 and 2 of the next. */
START_TEST(local_map)
{
    char program[400] = "";
    for (int word = 0; word < 8; word++)
        sprintf(program + strlen(program), "LDL R2 [ 4 1 0x%x 0 ];", 4 * (unsigned)word);
    const struct launch_text text = {.program = strcat(program, "EXIT")};
    ck_assert_uint_eq(launch_on(NO_SETS, &text).counters.dram_activates, 2);
    ck_assert_uint_eq(launch_on(SETS("gpgpu_local_mem_map=0"), &text).counters.dram_activates,
                      8);
    /* Two places of 32 threads on each of two SMs: words are 512 bytes apart,
     * 4 KB for eight words: four blocks fill them, a line each a word. */
    struct launch_text many = {.blocks = 4, .program = program};
    struct sim_counters c = launch_on(SETS("gpgpu_n_clusters=2"), &many).counters;
    ck_assert_uint_eq(c.l2_read_misses, 4 * 8 * 4);
    ck_assert_uint_eq(c.dram_activates, 2);
}
END_TEST

/* Generic accesses mean the space of their address: the trace's shared window
 * starts at 0x7f0002000000, its local window at 0x7f0000000000. */
START_TEST(generic)
{
    struct sim_counters c = count("R1 = LD.E R2 [ 4 1 0x7f0002000000 128 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 0);
    ck_assert_uint_eq(c.shmem_conflict_cycles, 31);
    c = count("R1 = LD.E R2 [ 4 1 0x7f0000000010 0 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 4);
    c = count("R1 = LD.E R2 [ 4 1 0x500000000010 0 ]; EXIT");
    ck_assert_uint_eq(c.l1d_accesses, 1);
}
END_TEST

/* A copy to shared memory has no register that anybody waits for, and its warp nothing else to
 * do than EXIT: it ends when the data have come all the same, as behind a load. */
START_TEST(last_copy)
{
    uint64_t copy = cycles_of(NO_SETS, "LDGSTS.E R2 [ 4 1 0x1000 128 ]; EXIT");
    ck_assert_uint_eq(copy, cycles_of(NO_SETS, "R1 = LDG.E R2 [ 4 1 0x1000 128 ]; EXIT"));
    ck_assert_uint_gt(copy, DRAM);
    /* So nothing is on its way to it when the launch ends. */
    struct bench bench = bench_create(NO_SETS);
    bench_launch(&bench,
                 &(struct launch_text){.program = "LDGSTS.E R2 [ 4 1 0x1000 128 ]; EXIT"});
    ck_assert(!engine_busy(&bench.sim->engine));
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        chains,
        from_dram,
        from_l2,
        bank_conflicts,
        l1_banks,
        counts,
        pending_hits,
        stores,
        reservation_fails,
        atomics,
        local,
        local_map,
        generic,
        last_copy,
        whole_lines,
        whole_dirty_lines,
        l1_bank_conflicts,
    };
    return RUN_TESTS("memory", tests);
}
