/* Nsight Compute: the raw page as a table, and a row a metric as the command
 * line prints it. Metric names are those of the profiler's documentation
 * ("Kernel Profiling Guide") and its table for users of nvprof. */
#include <string.h>

#include "traces/profile/format.h"

const struct profile_source nsight_sources[] = {
    {SOURCE_ID, "ID"},
    {PROFILE_KERNEL, "Kernel Name"},
    {PROFILE_KERNEL, "Function Name"},
    {PROFILE_KERNEL, "Demangled Name"},
    {PROFILE_STREAM, "launch__stream_id"},
    {PROFILE_STREAM, "Stream"},
    {SOURCE_GRID, "Grid Size"},
    {PROFILE_GRID_X, "launch__grid_dim_x"},
    {PROFILE_GRID_Y, "launch__grid_dim_y"},
    {PROFILE_GRID_Z, "launch__grid_dim_z"},
    {PROFILE_GRID_X, "launch__grid_size"},
    {SOURCE_BLOCK, "Block Size"},
    {PROFILE_BLOCK_X, "launch__block_dim_x"},
    {PROFILE_BLOCK_Y, "launch__block_dim_y"},
    {PROFILE_BLOCK_Z, "launch__block_dim_z"},
    {PROFILE_BLOCK_X, "launch__block_size"},
    {PROFILE_REGS, "launch__registers_per_thread"},
    {PROFILE_REGS, "Registers Per Thread"},
    {PROFILE_SHMEM, "launch__shared_mem_per_block_static"},
    {SOURCE_DYNAMIC_SHMEM, "launch__shared_mem_per_block_dynamic"},
    {PROFILE_WARP_INSTS, "smsp__inst_executed.sum"},
    {PROFILE_WARP_INSTS, "sm__inst_executed.sum"},
    /* The trace's mask is active and predicate: the first of these. */
    {PROFILE_THREAD_INSTS, "smsp__thread_inst_executed_pred_on.sum"},
    {PROFILE_THREAD_INSTS, "sm__thread_inst_executed_pred_on.sum"},
    {PROFILE_THREAD_INSTS, "smsp__thread_inst_executed.sum"},
    {PROFILE_THREAD_INSTS, "sm__thread_inst_executed.sum"},
    {PROFILE_DIVERGENCE, "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
    {PROFILE_DIVERGENCE, "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {PROFILE_GLD_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {PROFILE_GST_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {PROFILE_LLD_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
    {SOURCE_LST_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
    {SOURCE_ATOM_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"},
    {SOURCE_RED_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
    {PROFILE_GLD_INSTS, "smsp__inst_executed_op_global_ld.sum"},
    {PROFILE_GLD_INSTS, "smsp__sass_inst_executed_op_global_ld.sum"},
    {PROFILE_GST_INSTS, "smsp__inst_executed_op_global_st.sum"},
    {PROFILE_GST_INSTS, "smsp__sass_inst_executed_op_global_st.sum"},
    {PROFILE_LLD_INSTS, "smsp__inst_executed_op_local_ld.sum"},
    {PROFILE_LLD_INSTS, "smsp__sass_inst_executed_op_local_ld.sum"},
    {PROFILE_SLD_INSTS, "smsp__inst_executed_op_shared_ld.sum"},
    {PROFILE_SLD_INSTS, "smsp__sass_inst_executed_op_shared_ld.sum"},
    {PROFILE_SST_INSTS, "smsp__inst_executed_op_shared_st.sum"},
    {PROFILE_SST_INSTS, "smsp__sass_inst_executed_op_shared_st.sum"},
    {PROFILE_GATOM_INSTS, "smsp__inst_executed_op_global_atom.sum"},
    {PROFILE_GATOM_INSTS, "smsp__sass_inst_executed_op_global_atom.sum"},
    {SOURCE_RED_INSTS, "smsp__inst_executed_op_global_red.sum"},
    {SOURCE_RED_INSTS, "smsp__sass_inst_executed_op_global_red.sum"},
    {PROFILE_CYCLES, "gpc__cycles_elapsed.avg"},
    {PROFILE_CYCLES, "gpc__cycles_elapsed.max"},
    {PROFILE_CYCLES, "sm__cycles_elapsed.avg"},
    {PROFILE_CYCLES, "sm__cycles_elapsed.max"},
    {PROFILE_CYCLES, "Elapsed Cycles"},
    {PROFILE_TIME_NS, "gpu__time_duration.sum"},
    {PROFILE_TIME_NS, "gpu__time_duration.avg"},
    {PROFILE_TIME_NS, "gpu__time_duration_measured_user.sum"},
    {PROFILE_TIME_NS, "Duration"},
    {PROFILE_GLD_INSTS_ON, "sass__inst_executed_global_loads"},
    {PROFILE_GST_INSTS_ON, "sass__inst_executed_global_stores"},
};
const size_t nsight_source_count = sizeof nsight_sources / sizeof *nsight_sources;

/* ---- a row a launch ---------------------------------------------------- */

static bool probe(const struct csv_file *csv)
{
    return format_has(csv, "ID") && !format_has(csv, "Metric Value") &&
           (format_has(csv, "Kernel Name") || format_has(csv, "Function Name") ||
            format_has(csv, "Demangled Name"));
}

static int read_table(struct profile *profile, struct csv_file *csv, struct error *err)
{
    return wide_read(profile, csv, nsight_sources, nsight_source_count, err);
}

const struct format format_nsight = {"Nsight Compute", probe, read_table};

/* ---- a row a metric ---------------------------------------------------- */

/* Fields of the header. */
enum { ID, KERNEL, STREAM, GRID, BLOCK, METRIC, UNIT, VALUE, FIELDS };

struct metrics {
    struct import import;
    size_t count;          /* fields of a row */
    size_t fields[FIELDS]; /* where they are; `count`: nowhere */
    char id[24];           /* of the current launch; "" for none */
};

static bool probe_metrics(const struct csv_file *csv)
{
    return format_has(csv, "ID") && format_has(csv, "Kernel Name") &&
           format_has(csv, "Metric Name") && format_has(csv, "Metric Value");
}

static void read_header(struct metrics *metrics, const struct csv_file *csv)
{
    static const char *const names[] = {
        [ID] = "ID",
        [KERNEL] = "Kernel Name",
        [STREAM] = "Stream",
        [GRID] = "Grid Size",
        [BLOCK] = "Block Size",
        [METRIC] = "Metric Name",
        [UNIT] = "Metric Unit",
        [VALUE] = "Metric Value",
    };
    metrics->count = csv->count;
    for (size_t i = 0; i < FIELDS; i++)
        metrics->fields[i] = format_find(csv, names[i]);
}

/* The first row of a launch: what all of its rows have. */
static int begin_launch(struct metrics *metrics, const struct csv_file *csv, struct error *err)
{
    static const struct {
        size_t field;
        const char *name;
    } common[] = {{ID, "ID"},
                  {KERNEL, "Kernel Name"},
                  {STREAM, "Stream"},
                  {GRID, "Grid Size"},
                  {BLOCK, "Block Size"}};
    import_begin(&metrics->import, csv);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        size_t field = metrics->fields[common[i].field];
        if (field < metrics->count &&
            import_take(&metrics->import, import_find(&metrics->import, common[i].name), csv,
                        field, "", err) != 0)
            return -1;
    }
    return 0;
}

static int read_metric(struct metrics *metrics, const struct csv_file *csv, struct error *err)
{
    const char *unit = "";
    size_t value = metrics->fields[VALUE];
    if (format_check_length(csv, metrics->count, err) != 0)
        return -1;
    const char *id = csv_file_field(csv, metrics->fields[ID]);
    if (id[0] == '\0' || strlen(id) >= sizeof metrics->id)
        return csv_file_fail(csv, metrics->fields[ID], err,
                             "ID \"%.40s\": a number is expected", id);
    if (strcmp(id, metrics->id) != 0) {
        if (metrics->id[0] != '\0' && import_end(&metrics->import, csv, err) != 0)
            return -1;
        strcpy(metrics->id, id);
        if (begin_launch(metrics, csv, err) != 0)
            return -1;
    }
    if (metrics->fields[UNIT] < metrics->count)
        unit = csv_file_field(csv, metrics->fields[UNIT]);
    size_t source = import_find(&metrics->import, csv_file_field(csv, metrics->fields[METRIC]));
    /* The launch's own fields give these as a triple; here they are a product. */
    if (source == metrics->import.source_count || nsight_sources[source].column >= SOURCE_GRID)
        return 0;
    return import_take(&metrics->import, source, csv, value, unit, err);
}

static int read_metrics(struct profile *profile, struct csv_file *csv, struct error *err)
{
    struct metrics metrics = {.import = {.profile = profile,
                                         .sources = nsight_sources,
                                         .source_count = nsight_source_count}};
    int rc;
    read_header(&metrics, csv);
    while ((rc = csv_file_next(csv, err)) == 1)
        if (read_metric(&metrics, csv, err) != 0)
            return -1;
    if (rc == 0 && metrics.id[0] != '\0')
        rc = import_end(&metrics.import, csv, err);
    return rc;
}

const struct format format_nsight_metrics = {"Nsight Compute, a row a metric", probe_metrics,
                                             read_metrics};
