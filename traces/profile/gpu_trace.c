/* nvprof --print-gpu-trace --csv (with or without --metrics) and Nsight
 * Systems' cuda_gpu_trace: launches and copies in the order of time. Launches
 * have no number in them and are counted. */
#include "traces/profile/format.h"

static const struct profile_source sources[] = {
    {SOURCE_KERNEL_ID, "Name"},
    {SOURCE_KERNEL_ID, "Kernel"},
    {PROFILE_STREAM, "Stream"},
    {PROFILE_STREAM, "Strm"},
    {PROFILE_GRID_X, "Grid X"},
    {PROFILE_GRID_Y, "Grid Y"},
    {PROFILE_GRID_Z, "Grid Z"},
    {PROFILE_BLOCK_X, "Block X"},
    {PROFILE_BLOCK_Y, "Block Y"},
    {PROFILE_BLOCK_Z, "Block Z"},
    {PROFILE_REGS, "Registers Per Thread"},
    {PROFILE_SHMEM, "Static SMem"},
    {SOURCE_DYNAMIC_SHMEM, "Dynamic SMem"},
    {PROFILE_TIME_NS, "Duration"},
    {PROFILE_GRID_X, "GrdX"},
    {PROFILE_GRID_Y, "GrdY"},
    {PROFILE_GRID_Z, "GrdZ"},
    {PROFILE_BLOCK_X, "BlkX"},
    {PROFILE_BLOCK_Y, "BlkY"},
    {PROFILE_BLOCK_Z, "BlkZ"},
    {PROFILE_REGS, "Reg/Trd"},
    /* nvprof's metrics and events */
    {PROFILE_WARP_INSTS, "inst_executed"},
    {PROFILE_THREAD_INSTS, "not_predicated_off_thread_inst_executed"},
    {PROFILE_THREAD_INSTS, "thread_inst_executed"},
    {PROFILE_GLD_SECTORS, "gld_transactions"},
    {PROFILE_GST_SECTORS, "gst_transactions"},
    {PROFILE_LLD_SECTORS, "local_load_transactions"},
    {SOURCE_LST_SECTORS, "local_store_transactions"},
    {PROFILE_GLD_INSTS, "inst_executed_global_loads"},
    {PROFILE_GST_INSTS, "inst_executed_global_stores"},
    {PROFILE_LLD_INSTS, "inst_executed_local_loads"},
    {PROFILE_SLD_INSTS, "inst_executed_shared_loads"},
    {PROFILE_SST_INSTS, "inst_executed_shared_stores"},
    {PROFILE_GATOM_INSTS, "inst_executed_global_atomics"},
    {SOURCE_RED_INSTS, "inst_executed_global_reductions"},
};

static bool probe(const struct csv_file *csv)
{
    return (format_has(csv, "Kernel") && format_has(csv, "Correlation_ID")) ||
           (format_has(csv, "Name") && format_has(csv, "Grid X")) ||
           (format_has(csv, "Name") && format_has(csv, "GrdX"));
}

static int read_rows(struct profile *profile, struct csv_file *csv, struct error *err)
{
    return wide_read(profile, csv, sources, sizeof sources / sizeof *sources, err);
}

const struct format format_gpu_trace = {"nvprof or Nsight Systems", probe, read_rows};
