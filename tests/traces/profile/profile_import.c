/* Profiles: what profilers write. */
#define _GNU_SOURCE /* open_memstream */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/traces/profile/profile_text.h"

START_TEST(nsight_table)
{
    struct profile *profile = must_read(
        "\xef\xbb\xbfID,Process ID,Kernel Name,Stream,gpc__cycles_elapsed.avg,"
        "gpu__time_duration.sum,smsp__inst_executed.sum,launch__grid_size,launch__block_dim_x,"
        "launch__block_dim_y,launch__block_dim_z,launch__shared_mem_per_block_static,"
        "launch__shared_mem_per_block_dynamic,smsp__inst_executed_op_global_atom.sum,"
        "smsp__inst_executed_op_global_red.sum,smsp__inst_executed_op_shared_ld.sum\n"
        ",,,,Kcycle,usecond,Minst,,block,block,block,byte/block,Kbyte/block,inst,inst,inst\n"
        "0,77,\"f<int, 2>(T1 *)\",7,9.5,\"5,952.25\",1.25,\"1,200\",32,2,1,16,1.5,3,4,no data\n"
        "4,77,g,7,1,2,3,4,1,1,1,,,,,\n");
    const struct profile_row *row = profile->rows;
    ck_assert_str_eq(profile->format, "Nsight Compute");
    ck_assert_uint_eq(profile->count, 2);
    ck_assert_uint_eq(row[0].launch, 1);
    ck_assert_uint_eq(row[1].launch, 5);
    ck_assert_str_eq(profile->kernels[0], "f<int, 2>(T1 *)");
    ck_assert_uint_eq(row->stream, 7);
    ck_assert_double_eq(row->cycles, 9500);
    ck_assert_double_eq(row->time_ns, 5952250);
    ck_assert_uint_eq(row->warp_insts, 1250000);
    ck_assert_double_eq(profile_blocks(row), 1200);
    ck_assert_double_eq(profile_block_threads(row), 64);
    ck_assert_uint_eq(row->shmem, 1516);
    ck_assert_uint_eq(row->gatom_insts, 7);
    ck_assert(!profile_knows(row, PROFILE_SLD_INSTS));
    ck_assert(!profile_knows(row, PROFILE_THREAD_INSTS));
    ck_assert(!profile_knows(&row[1], PROFILE_SHMEM));
    ck_assert(!profile_knows(&row[1], PROFILE_GATOM_INSTS));
    profile_destroy(profile);
}
END_TEST

/* The triple counts, whatever order the columns have; better names win. */
START_TEST(nsight_preferences)
{
    struct profile *profile = must_read(
        "ID,launch__grid_size,Grid Size,launch__block_size,Block Size,Function Name,"
        "sm__cycles_elapsed.max,gpc__cycles_elapsed.max,smsp__thread_inst_executed.sum,"
        "smsp__thread_inst_executed_pred_on.sum,smsp__inst_executed.sum\n"
        "0,24,\"(2, 3, 4)\",64,\"(8,4,2)\",k,1,2,320,300,10\n");
    const struct profile_row *row = profile->rows;
    ck_assert_uint_eq(row->grid[0], 2);
    ck_assert_uint_eq(row->grid[1], 3);
    ck_assert_uint_eq(row->grid[2], 4);
    ck_assert_uint_eq(row->block[0], 8);
    ck_assert_uint_eq(row->block[2], 2);
    ck_assert_double_eq(row->cycles, 2);
    ck_assert_uint_eq(row->thread_insts, 300);
    ck_assert_double_eq(row->divergence, 30);
    profile_destroy(profile);
}
END_TEST

#define SECTORS "l1tex__t_sectors_pipe_lsu_mem_"
/* mem_requests needs every kind; no atomics, no sectors of them. */
START_TEST(nsight_requests)
{
    struct profile *profile = must_read(
        "ID,Kernel Name," SECTORS "global_op_ld.sum," SECTORS "global_op_st.sum," SECTORS
        "local_op_ld.sum," SECTORS "local_op_st.sum," SECTORS "global_op_atom.sum," SECTORS
        "global_op_red.sum,smsp__inst_executed_op_global_atom.sum\n"
        "0,a,1,2,3,4,5,6,1\n1,a,1,2,3,4,,,0\n2,a,1,2,3,4,,,2\n3,a,1,2,3,,5,6,1\n");
    ck_assert_uint_eq(profile->rows[0].mem_requests, 21);
    ck_assert_uint_eq(profile->rows[1].mem_requests, 10);
    ck_assert(!profile_knows(&profile->rows[2], PROFILE_MEM_REQUESTS));
    ck_assert(!profile_knows(&profile->rows[3], PROFILE_MEM_REQUESTS));
    profile_destroy(profile);
}
END_TEST

START_TEST(nsight_metrics)
{
    struct profile *profile =
        must_read("==PROF== Connected to process 12 (a.out)\n"
                  "==PROF== Profiling \"f\" - 0: 0%....100% - 1 pass, quoted\n"
                  "\"ID\",\"Process ID\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
                  "Size\",\"Grid Size\","
                  "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                  "\"0\",\"12\",\"f(int)\",\"1\",\"7\",\"(128, 1, 1)\",\"(80, 2, 1)\",\"x\","
                  "\"smsp__inst_executed.sum\",\"inst\",\"1,234\"\n"
                  "\"0\",\"12\",\"f(int)\",\"1\",\"7\",\"(128, 1, 1)\",\"(80, 2, 1)\",\"x\","
                  "\"gpu__time_duration.sum\",\"us\",\"2.5\"\n"
                  "\"0\",\"12\",\"f(int)\",\"1\",\"7\",\"(128, 1, 1)\",\"(80, 2, 1)\",\"x\","
                  "\"launch__grid_size\",\"\",\"160\"\n"
                  "\"1\",\"12\",\"g\",\"1\",\"7\",\"(64, 1, 1)\",\"(1, 1, 1)\",\"x\","
                  "\"smsp__inst_executed.sum\",\"\",\"n/a\"\n"
                  "==PROF== Disconnected\n");
    const struct profile_row *row = profile->rows;
    ck_assert_uint_eq(profile->count, 2);
    ck_assert_uint_eq(row[0].launch, 1);
    ck_assert_uint_eq(row[0].warp_insts, 1234);
    ck_assert_double_eq(row[0].time_ns, 2500);
    ck_assert_uint_eq(row[0].grid[0], 80);
    ck_assert_uint_eq(row[0].grid[1], 2);
    ck_assert_uint_eq(row[0].block[0], 128);
    ck_assert_uint_eq(row[0].line, 4);
    ck_assert_uint_eq(row[1].launch, 2);
    ck_assert_str_eq(profile->kernels[row[1].kernel], "g");
    ck_assert(!profile_knows(&row[1], PROFILE_WARP_INSTS));
    profile_destroy(profile);
}
END_TEST

START_TEST(tracer_stats)
{
    struct profile *profile = must_read(
        "kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, block_dimX, "
        "block_dimY, block_dimZ, #threads, total_insts, total_reported_insts\n"
        "kernel-1.trace, _Z3addPf, 5, 2, 1, 10, 32, 4, 1, 1280, 4000,4000\n"
        "kernel-12-ctx_0x55.trace.xz, _Z3subPf, 1, 1, 1, 1, 8, 1, 1, 8, 70,0\n");
    const struct profile_row *row = profile->rows;
    ck_assert_uint_eq(profile->count, 2);
    ck_assert_uint_eq(row[0].launch, 1);
    ck_assert_uint_eq(row[1].launch, 12);
    ck_assert_str_eq(profile->kernels[1], "_Z3subPf");
    ck_assert_double_eq(profile_blocks(row), 10);
    ck_assert_double_eq(profile_block_threads(row), 128);
    ck_assert_uint_eq(row[0].warp_insts, 4000);
    ck_assert_uint_eq(row[1].warp_insts, 70);
    ck_assert(!profile_knows(row, PROFILE_THREAD_INSTS));
    profile_destroy(profile);
    assert_fails(
        "kernel id,kernel mangled name\nmemcpy,a\n",
        "p.csv:2:1: kernel id \"memcpy\": the name of a trace, kernel-N..., is expected");
}
END_TEST

START_TEST(nvprof_trace)
{
    struct profile *profile = must_read(
        "==12== NVPROF is profiling process 12\n==12== Profiling result:\n"
        "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\","
        "\"Block Z\",\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\","
        "\"Stream\",\"Name\",\"Correlation_ID\",\"inst_executed\"\n"
        "ms,us,,,,,,,,B,KB,MB,,,,\n"
        "1.5,2.0,,,,,,,,,,4.0,7,\"[CUDA memcpy HtoD]\",100,\n"
        "2.5,3.25,4,1,1,64,1,1,20,32,0.5,,7,\"add(int*) [101]\",101,900\n");
    const struct profile_row *row = profile->rows;
    ck_assert_uint_eq(profile->count, 1);
    ck_assert_uint_eq(row->launch, 1);
    ck_assert_str_eq(profile->kernels[0], "add(int*)");
    ck_assert_double_eq(row->time_ns, 3250);
    ck_assert_uint_eq(row->shmem, 544);
    ck_assert_uint_eq(row->regs, 20);
    ck_assert_uint_eq(row->warp_insts, 900);
    profile_destroy(profile);
}
END_TEST

START_TEST(nsight_systems_trace)
{
    struct profile *profile = must_read(
        "Start (ns),Duration (us),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,"
        "StcSMem (MB),DymSMem (MB),Bytes (MB),Device,Ctx,Strm,Name\n"
        "1,9.5,123,,,,,,,,,,4.194,GPU,1,13,[CUDA memcpy Host-to-Device]\n"
        "2,7.25,128,4096,1,1,256,1,1,16,0.000,0.000,,GPU,1,13,\"saxpy(float, float *)\"\n"
        "3,1,129,1,1,1,256,1,1,16,0.000,0.000,,GPU,1,13,k\n");
    const struct profile_row *row = profile->rows;
    ck_assert_uint_eq(profile->count, 2);
    ck_assert_uint_eq(row[1].launch, 2);
    ck_assert_double_eq(row->time_ns, 7250);
    ck_assert_double_eq(profile_blocks(row), 4096);
    ck_assert_uint_eq(row->stream, 13);
    ck_assert(
        !profile_knows(row, PROFILE_SHMEM)); /* megabytes to three digits are too coarse */
    profile_destroy(profile);
}
END_TEST

START_TEST(accel_sim_statistics)
{
    struct profile *profile = must_read(
        "\"Kernel "
        "Name\"\t\"gpu_tot_sim_insn\\s*=\\s*(.*)\"\t\"gpu_tot_sim_cycle\\s*=\\s*(.*)\"\t"
        "\"gpgpu_n_tot_w_icount\\s*=\\s*(.*)\"\t\"Kernel Name (Demangled)\"\n"
        "\"_Z1kPi--0\"\t320.0\t5255.0\t20.0\t\"k(int, int)\"\n"
        "\"_Z1k--1Pi--1\"\t\"\"\t10.5\t1e3\tx\n\"_Z1kPi--2\"\t1\t1\t1\tx\n");
    const struct profile_row *row = profile->rows;
    ck_assert_uint_eq(profile->count, 3);
    ck_assert_str_eq(profile->kernels[0], "_Z1kPi");
    ck_assert_str_eq(profile->kernels[1], "_Z1k--1Pi");
    ck_assert_uint_eq(row[2].kernel, 0);
    ck_assert_uint_eq(row[2].launch, 3);
    ck_assert_uint_eq(row->thread_insts, 320);
    ck_assert_uint_eq(row->warp_insts, 20);
    ck_assert_double_eq(row->divergence, 16);
    ck_assert_double_eq(row->cycles, 5255);
    ck_assert(!profile_knows(&row[1], PROFILE_THREAD_INSTS));
    profile_destroy(profile);
}
END_TEST

START_TEST(import_messages)
{
    assert_fails("ID,Kernel Name,smsp__inst_executed.sum\n,,furlong\n0,a,5\n",
                 "p.csv:3:5: smsp__inst_executed.sum is in \"furlong\": a count is expected");
    assert_fails(
        "ID,Kernel Name,gpu__time_duration.sum\n,,inst\n0,a,5\n",
        "p.csv:3:5: gpu__time_duration.sum is in \"inst\": a unit of time is expected");
    assert_fails("ID,Kernel Name,smsp__inst_executed.sum\n0,a,5.5\n",
                 "p.csv:2:5: smsp__inst_executed.sum \"5.5\": a whole number is expected");
    assert_fails("ID,Kernel Name,smsp__inst_executed.sum\n0,a,\"1,23\"\n",
                 "p.csv:2:5: smsp__inst_executed.sum \"1,23\": a number from 0 is expected");
    assert_fails("ID,Kernel Name,launch__registers_per_thread\n0,a,\"5,000,000,000\"\n",
                 "p.csv:2:5: launch__registers_per_thread \"5,000,000,000\": it is too large");
    assert_fails("ID,Kernel Name\n0,a\n1,\n", "p.csv:3:1: the launch has no kernel name");
    assert_fails("ID,Kernel Name\n0,a\n0,b\n", "p.csv:3: launch 1 is already in line 2");
    assert_fails("ID,Kernel Name,Grid Size\n0,a,64\n",
                 "p.csv:2:5: Grid Size \"64\": (x, y, z) is expected");
    assert_fails("ID,Kernel Name,smsp__inst_executed.sum,smsp__inst_executed.sum\n0,a,1,2\n",
                 "p.csv:1:40: the header has column smsp__inst_executed.sum twice");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        nsight_table, nsight_preferences,   nsight_requests,      nsight_metrics,  tracer_stats,
        nvprof_trace, nsight_systems_trace, accel_sim_statistics, import_messages,
    };
    return RUN_TESTS("profile import", tests);
}
