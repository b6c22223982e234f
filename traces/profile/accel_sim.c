/* What Accel-Sim's tools write. */
#include "traces/profile/format.h"

/* ---- stats.csv of the tracer ------------------------------------------- */

/* Instructions are warp instructions. The tracer counts them itself, including
 * those that it was configured not to record. */
static const struct profile_source tracer_sources[] = {
    {SOURCE_TRACE, "kernel id"},         {PROFILE_KERNEL, "kernel mangled name"},
    {PROFILE_GRID_X, "grid_dimX"},       {PROFILE_GRID_Y, "grid_dimY"},
    {PROFILE_GRID_Z, "grid_dimZ"},       {PROFILE_BLOCK_X, "block_dimX"},
    {PROFILE_BLOCK_Y, "block_dimY"},     {PROFILE_BLOCK_Z, "block_dimZ"},
    {PROFILE_WARP_INSTS, "total_insts"}, {PROFILE_STREAM, "stream_id"},
};

static bool probe_tracer(const struct csv_file *csv)
{
    return format_has(csv, "kernel id") && format_has(csv, "kernel mangled name");
}

static int read_tracer(struct profile *profile, struct csv_file *csv, struct error *err)
{
    return wide_read(profile, csv, tracer_sources,
                     sizeof tracer_sources / sizeof *tracer_sources, err);
}

const struct format format_tracer_stats = {"stats.csv of Accel-Sim's tracer", probe_tracer,
                                           read_tracer};

/* ---- statistics of simulated launches ---------------------------------- */

/* Columns are named by the regular expressions that found them in the output,
 * those of Accel-Sim's job_launching/stats. Values are those of one launch. */
#define INSNS "gpu_tot_sim_insn\\s*=\\s*(.*)"
static const struct profile_source stats_sources[] = {
    {SOURCE_KERNEL_REPEAT, "Kernel Name"},
    {PROFILE_THREAD_INSTS, INSNS},
    {PROFILE_WARP_INSTS, "gpgpu_n_tot_w_icount\\s*=\\s*(.*)"},
    {PROFILE_CYCLES, "gpu_tot_sim_cycle\\s*=\\s*(.*)"},
};

static bool probe_stats(const struct csv_file *csv)
{
    return format_has(csv, "Kernel Name") && format_has(csv, INSNS);
}

static int read_stats(struct profile *profile, struct csv_file *csv, struct error *err)
{
    return wide_read(profile, csv, stats_sources, sizeof stats_sources / sizeof *stats_sources,
                     err);
}

const struct format format_accel_sim = {"statistics of Accel-Sim", probe_stats, read_stats};
