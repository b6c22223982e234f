#include "tools/run/results/extrapolation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/sample/plan_totals.h"

#define SECTOR 32 /* bytes */

/* ---- statistics -------------------------------------------------------- */

static void get_cycles(const struct extrapolation_launch *launch, const struct sim_peaks *peaks,
                       double parts[2])
{
    parts[0] = launch->cycles;
}

static void get_seconds(const struct extrapolation_launch *launch,
                        const struct sim_peaks *peaks, double parts[2])
{
    parts[0] = launch->cycles / peaks->core_hz;
}

static void get_ipc(const struct extrapolation_launch *launch, const struct sim_peaks *peaks,
                    double parts[2])
{
    parts[0] = (double)launch->counters.thread_insts;
    parts[1] = launch->cycles;
}

static void get_warp_ipc(const struct extrapolation_launch *launch,
                         const struct sim_peaks *peaks, double parts[2])
{
    parts[0] = (double)launch->counters.warp_insts;
    parts[1] = launch->cycles;
}

static void get_corrected(const struct extrapolation_launch *launch,
                          const struct sim_peaks *peaks, double parts[2])
{
    parts[0] = launch->corrected;
}

static void get_corrected_ipc(const struct extrapolation_launch *launch,
                              const struct sim_peaks *peaks, double parts[2])
{
    parts[0] = (double)launch->counters.thread_insts;
    parts[1] = launch->corrected;
}

static void get_dram_bytes(const struct extrapolation_launch *launch,
                           const struct sim_peaks *peaks, double parts[2])
{
    const struct sim_counters *c = &launch->counters;
    parts[0] = SECTOR * (double)(c->dram_reads + c->dram_writes);
}

/* Indices of the first statistics. */
enum { CYCLES, SECONDS, IPC, WARP_IPC, CYCLES_CORRECTED, IPC_CORRECTED, DRAM_BYTES, LEADING };

static const struct extrapolation_entry {
    struct row_column column;
    bool time;      /* it is a time: the spread of the profile's times applies to it */
    bool corrected; /* exists only with a correction */
    void (*get)(const struct extrapolation_launch *launch, const struct sim_peaks *peaks,
                double parts[2]);
} leading[LEADING] = {
    [CYCLES] = {{"cycles", "core cycles", "sum of the launches' cycles", .kind = ROW_ADDITIVE},
                .time = true,
                .get = get_cycles},
    [SECONDS] = {{"seconds", "s", "the cycles' time on the core clock", .kind = ROW_ADDITIVE},
                 .time = true,
                 .get = get_seconds},
    [IPC] = {{"ipc", "instructions/cycle", "thread instructions per core cycle",
              .kind = ROW_RATIO},
             .get = get_ipc},
    [WARP_IPC] = {{"warp_ipc", "instructions/cycle", "warp instructions per core cycle",
                   .kind = ROW_RATIO},
                  .get = get_warp_ipc},
    [CYCLES_CORRECTED] = {{"cycles_corrected", "core cycles",
                           "sum of the launches' corrected cycles", .kind = ROW_ADDITIVE},
                          .time = true,
                          .corrected = true,
                          .get = get_corrected},
    [IPC_CORRECTED] = {{"ipc_corrected", "instructions/cycle",
                        "thread instructions per corrected cycle", .kind = ROW_RATIO},
                       .corrected = true,
                       .get = get_corrected_ipc},
    [DRAM_BYTES] = {{"dram_bytes", "bytes", "read from and written to DRAM",
                     .kind = ROW_ADDITIVE},
                    .get = get_dram_bytes},
};

size_t extrapolation_count(void)
{
    return LEADING + sim_counter_count + SIM_DERIVED_COUNT;
}

struct row_column extrapolation_column(size_t index)
{
    if (index < LEADING)
        return leading[index].column;
    index -= LEADING;
    if (index < sim_counter_count) {
        const struct sim_counter *c = &sim_counter_table[index];
        return (struct row_column){c->name, c->unit, c->description, c->nsight, ROW_ADDITIVE};
    }
    const struct sim_derived *d = &sim_derived_table[index - sim_counter_count];
    return (struct row_column){d->name, d->unit, d->description, d->nsight, ROW_RATIO};
}

size_t extrapolation_find(const char *name)
{
    size_t i = 0;
    while (i < extrapolation_count() && strcmp(extrapolation_column(i).name, name) != 0)
        i++;
    return i;
}

bool extrapolation_has(const struct extrapolation *extrapolation, size_t index)
{
    return index >= LEADING || !leading[index].corrected || extrapolation->corrected;
}

static void get(const struct extrapolation *extrapolation, size_t index,
                const struct extrapolation_launch *launch, double parts[2])
{
    const struct sim_counters *c = &launch->counters;
    size_t at = index - LEADING;
    if (index < LEADING)
        leading[index].get(launch, &extrapolation->peaks, parts);
    else if (at < sim_counter_count)
        parts[0] = (double)sim_counter_get(c, at);
    else
        sim_derived_table[at - sim_counter_count].parts(c, (uint64_t)(launch->cycles + 0.5),
                                                        (uint64_t)(launch->gap + 0.5),
                                                        &extrapolation->peaks, parts);
}

/* ---- the extrapolation ------------------------------------------------- */

/* What the design's unit counts of LAUNCH. */
static double size_of(const struct sample_design *design,
                      const struct extrapolation_launch *launch)
{
    uint64_t insts = design->unit == SAMPLING_WARP_INSTS ? launch->counters.warp_insts
                                                         : launch->counters.thread_insts;
    return launch->part * (double)insts;
}

/* Takes from the launches what all statistics need. */
static int look_through(struct extrapolation *extrapolation, struct error *err)
{
    struct sample_design *design = &extrapolation->design;
    struct extrapolation_launch launch;
    extrapolation->corrected = design->count > 0;
    for (size_t i = 0; i < design->count; i++) {
        if (extrapolation->launches.get(extrapolation->launches.data, i, &launch, err) != 0)
            return -1;
        extrapolation->primed |= launch.part != 1;
        extrapolation->corrected &= launch.corrected > 0;
        extrapolation->sizes[design->places[i]] = size_of(design, &launch);
    }
    if (design->unit != SAMPLING_NO_INSTS)
        design->of.sizes = extrapolation->sizes;
    design->scaled |= extrapolation->primed;
    return 0;
}

/* Begins with the design, which is made. */
static int begin(struct extrapolation *extrapolation, struct error *err)
{
    extrapolation->sizes =
        calloc(extrapolation->design.count + 1, sizeof *extrapolation->sizes);
    if (extrapolation->sizes == NULL)
        error_no_memory(err);
    else if (look_through(extrapolation, err) == 0)
        return 0;
    extrapolation_finish(extrapolation);
    return -1;
}

int extrapolation_init(struct extrapolation *extrapolation, const struct plan *plan,
                       const bool *skip, const struct extrapolation_launches *launches,
                       const struct sim_peaks *peaks, struct error *err)
{
    *extrapolation = (struct extrapolation){.launches = *launches, .peaks = *peaks};
    if (sample_design_init(&extrapolation->design, plan, skip, err) != 0)
        return -1;
    if (extrapolation->design.count == launches->count)
        return begin(extrapolation, err);
    extrapolation_finish(extrapolation);
    return error_set(err, ERROR_SIMULATION, plan->path, 0, 0,
                     "the plan has other launches than were measured");
}

int extrapolation_init_all(struct extrapolation *extrapolation,
                           const struct extrapolation_launches *launches,
                           const struct sim_peaks *peaks, struct error *err)
{
    *extrapolation = (struct extrapolation){.launches = *launches, .peaks = *peaks};
    if (sample_design_init_all(&extrapolation->design, launches->count, err) != 0)
        return -1;
    return begin(extrapolation, err);
}

void extrapolation_finish(struct extrapolation *extrapolation)
{
    sample_design_finish(&extrapolation->design);
    free(extrapolation->sizes);
    free(extrapolation->estimates);
    *extrapolation = (struct extrapolation){0};
}

static bool has_single(const struct sampling_design *design)
{
    for (size_t s = 0; s < design->count; s++)
        if (design->draws[s].count == 1 && design->draws[s].launches > 1)
            return true;
    return false;
}

const char *extrapolation_no_bar(const struct extrapolation *extrapolation)
{
    const struct sample_design *design = &extrapolation->design;
    if (!design->whole)
        return "not all launches of the sample were simulated";
    if (extrapolation->primed)
        return "of launches only a part was measured";
    if ((double)design->count >= design->launches)
        return NULL;
    if (!design->of.random)
        return "the launches were not drawn at random";
    return has_single(&design->of) ? "strata with one measured launch of several" : NULL;
}

/* Statistics that are estimated in one pass over the launches: COUNT of them from FIRST on. For
 * each, PARTS and WHOLES have a number per launch, in the order of the design. */
struct batch {
    size_t first, count;
    double *parts, *wholes, *residuals;
};

#define BATCH_NUMBERS (1 << 21) /* of parts and of wholes, at most */

static int batch_init(struct batch *batch, size_t launches, struct error *err)
{
    size_t most = launches > 0 ? BATCH_NUMBERS / launches : BATCH_NUMBERS;
    size_t count = most < 1 ? 1 : most < extrapolation_count() ? most : extrapolation_count();
    *batch = (struct batch){.count = count};
    batch->parts = calloc(2 * count * launches + launches + 1, sizeof *batch->parts);
    if (batch->parts == NULL)
        return error_no_memory(err);
    batch->wholes = batch->parts + count * launches;
    batch->residuals = batch->wholes + count * launches;
    return 0;
}

/* Reads the numbers of the batch from the launches. */
static int batch_read(struct batch *batch, const struct extrapolation *extrapolation,
                      struct error *err)
{
    const struct sample_design *design = &extrapolation->design;
    struct extrapolation_launch launch;
    for (size_t i = 0; i < design->count; i++) {
        if (extrapolation->launches.get(extrapolation->launches.data, i, &launch, err) != 0)
            return -1;
        for (size_t s = 0; s < batch->count; s++) {
            double parts[2] = {0, 0};
            size_t at = s * design->count + design->places[i];
            get(extrapolation, batch->first + s, &launch, parts);
            batch->parts[at] = launch.part * parts[0];
            batch->wholes[at] = launch.part * parts[1];
        }
    }
    return 0;
}

/* Estimates statistic S of the batch from the measured launches only. */
static struct sampling_estimate batch_estimate(const struct batch *batch, size_t s,
                                               const struct extrapolation *extrapolation)
{
    const struct sample_design *design = &extrapolation->design;
    const double *parts = batch->parts + s * design->count;
    const double *wholes = batch->wholes + s * design->count;
    size_t index = batch->first + s;
    struct sampling_estimate estimate =
        extrapolation_column(index).kind == ROW_RATIO
            ? sampling_ratio(&design->of, parts, wholes, batch->residuals)
            : sampling_total(&design->of, parts, index < LEADING && leading[index].time);
    if (!design->whole || extrapolation->primed)
        estimate.error = NAN;
    return estimate;
}

int extrapolation_estimate(struct extrapolation *extrapolation, struct error *err)
{
    struct batch batch;
    size_t count = extrapolation_count();
    if (batch_init(&batch, extrapolation->design.count, err) != 0)
        return -1;
    free(extrapolation->estimates);
    extrapolation->estimates = malloc(count * sizeof *extrapolation->estimates);
    int result = extrapolation->estimates != NULL ? 0 : error_no_memory(err);
    for (; batch.first < count && result == 0; batch.first += batch.count) {
        if (batch.count > count - batch.first)
            batch.count = count - batch.first;
        result = batch_read(&batch, extrapolation, err);
        for (size_t s = 0; s < batch.count && result == 0; s++)
            extrapolation->estimates[batch.first + s] =
                batch_estimate(&batch, s, extrapolation);
    }
    free(batch.parts);
    return result;
}

struct sampling_estimate extrapolation_value(const struct extrapolation *extrapolation,
                                             size_t index)
{
    struct sampling_estimate estimate = extrapolation->estimates[index];
    size_t cycles = index == IPC_CORRECTED ? CYCLES_CORRECTED : CYCLES;
    if (extrapolation->design.whole)
        plan_totals_replace(&estimate, extrapolation_column(index).name, &extrapolation->design,
                            extrapolation->estimates[cycles]);
    return estimate;
}
