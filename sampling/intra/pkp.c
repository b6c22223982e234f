/* Principal Kernel Projection ("Principal Kernel Analysis: A Tractable Methodology to Simulate
 * Scaled GPU Workloads"), in three readings. All look at the IPC of the last samples and stop
 * once its standard deviation is below a threshold:
 *
 * pkp           as in the paper: IPC of each sample, in thread instructions a cycle, standard
 *               deviation itself; and a wave of blocks has ended, if the grid has one.
 * pkp-artifact  as in its script: IPC from the launch's beginning to the sample, standard
 *               deviation in percent of the mean; blocks of earlier samples count, and of a
 * grid below a wave 0.3 times its blocks are enough. Either condition may come first and fail
 * later. One more block than have ended counts as done. pkp-photon    as in the simulator of
 * Photon: standard deviation over mean, no wave. The instructions that are left are projected
 * with the mean IPC of the window.
 *
 * The others project by blocks: cycles and counters up to the stop, times the grid's blocks
 * over those that have ended. Resident blocks then run to their end, which counts nowhere. */
#include <math.h>
#include <stdlib.h>

#include "sampling/intra/watch.h"

#define SMALL_GRID 0.3 /* of the blocks, below a wave: of the script */

struct pkp {
    double *ipc; /* of the last samples, a ring; owned */
    size_t size; /* of the window, in samples */
    uint64_t samples;
    uint64_t ended_before;  /* blocks, up to the previous sample */
    bool stable, enough;    /* the conditions that held once */
    double deviation, mean; /* of the window; the deviation relative to the mean */
    bool stopped;
    uint64_t cycle; /* of the stop */
    uint64_t done;  /* blocks that count as done */
    struct sim_counters counters;
};

static enum intra_check begin(struct intra *intra)
{
    struct pkp *pkp = intra->own = calloc(1, sizeof *pkp);
    if (pkp == NULL) {
        intra->no_memory = true;
        return INTRA_DONE;
    }
    double size = intra_value(intra, INTRA_WINDOW) / intra_value(intra, INTRA_STEP);
    pkp->size = size < 2 ? 2 : (size_t)size;
    pkp->ipc = calloc(pkp->size, sizeof *pkp->ipc);
    intra->no_memory = pkp->ipc == NULL;
    return INTRA_DONE;
}

static enum intra_check begin_photon(struct intra *intra)
{
    return intra->total_insts == 0 ? INTRA_CHECK_COUNTS : begin(intra);
}

static void finish(struct intra *intra)
{
    struct pkp *pkp = intra->own;
    free(pkp->ipc);
}

static uint64_t interval(const struct intra *intra)
{
    return (uint64_t)intra_value(intra, INTRA_STEP);
}

static enum sim_block_choice block_begins(struct intra *intra, const struct intra_block *block)
{
    const struct pkp *pkp = intra->own;
    (void)block;
    return pkp->stopped ? SIM_BLOCK_END : SIM_BLOCK_RUN;
}

/* Adds the IPC of a sample. Returns the standard deviation (divisor samples - 1) of the window;
 * INFINITY before it is full. */
static double add(struct pkp *pkp, double ipc)
{
    double sum = 0, squares = 0, size = (double)pkp->size;
    pkp->ipc[pkp->samples++ % pkp->size] = ipc;
    if (pkp->samples < pkp->size)
        return INFINITY;
    for (size_t i = 0; i < pkp->size; i++)
        sum += pkp->ipc[i];
    pkp->mean = sum / size;
    for (size_t i = 0; i < pkp->size; i++)
        squares += (pkp->ipc[i] - pkp->mean) * (pkp->ipc[i] - pkp->mean);
    double deviation = sqrt(squares / (size - 1));
    pkp->deviation = pkp->mean > 0 ? deviation / pkp->mean : INFINITY;
    return deviation;
}

static void stop(const struct intra *intra, struct pkp *pkp, uint64_t done)
{
    pkp->stopped = true;
    pkp->cycle = intra->cycle;
    pkp->counters = intra->sum;
    pkp->done = done;
}

static void watch(struct intra *intra, const struct sim_interval *interval)
{
    struct pkp *pkp = intra->own;
    uint64_t done = intra->sum.blocks;
    if (pkp->stopped || interval->begin < intra->places.first)
        return;
    double cycles = (double)(interval->end - interval->begin);
    bool stable = add(pkp, (double)interval->counters.thread_insts / cycles) <
                  intra_value(intra, INTRA_THRESHOLD);
    if (stable && done > 0 && (intra->blocks < intra->wave || done > intra->wave))
        stop(intra, pkp, done);
}

static void watch_artifact(struct intra *intra, const struct sim_interval *interval)
{
    struct pkp *pkp = intra->own;
    (void)interval;
    if (pkp->stopped || intra->cycle <= intra->places.first)
        return;
    double cycles = (double)(intra->cycle - intra->places.first);
    double enough =
        intra->wave <= intra->blocks ? (double)intra->wave : SMALL_GRID * (double)intra->blocks;
    add(pkp, (double)intra->sum.thread_insts / cycles);
    pkp->stable |=
        pkp->samples >= pkp->size && 100 * pkp->deviation < intra_value(intra, INTRA_THRESHOLD);
    pkp->enough |= (double)pkp->ended_before >= enough;
    if (pkp->stable && pkp->enough)
        stop(intra, pkp, pkp->ended_before + 1);
    pkp->ended_before = intra->sum.blocks;
}

static void watch_photon(struct intra *intra, const struct sim_interval *interval)
{
    struct pkp *pkp = intra->own;
    if (pkp->stopped || interval->begin < intra->places.first)
        return;
    add(pkp, (double)interval->counters.warp_insts / (double)(interval->end - interval->begin));
    if (pkp->samples >= pkp->size && pkp->deviation <= intra_value(intra, INTRA_THRESHOLD))
        stop(intra, pkp, intra->sum.blocks);
}

/* The launch latency passes once. */
static void scale(const struct intra *intra, double factor, struct intra_projection *projection)
{
    const struct pkp *pkp = intra->own;
    double latency = (double)intra->places.first;
    projection->cycles = latency + ((double)pkp->cycle - latency) * factor;
    projection->stability = pkp->deviation;
    intra_add(projection, &pkp->counters, factor);
}

static void project(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection)
{
    const struct pkp *pkp = intra->own;
    (void)result;
    scale(intra, (double)intra->blocks / (double)pkp->done, projection);
}

static void project_photon(struct intra *intra, const struct sim_result *result,
                           struct intra_projection *projection)
{
    const struct pkp *pkp = intra->own;
    (void)result;
    double done = (double)pkp->counters.warp_insts;
    double left = (double)intra->total_insts - done;
    scale(intra, done > 0 ? (double)intra->total_insts / done : 1, projection);
    projection->cycles = (double)pkp->cycle + (pkp->mean > 0 ? left / pkp->mean : 0);
}

#define KIND(id, begins, watches, projects)                                                    \
    const struct intra_kind intra_kind_##id = {                                                \
        .begin = begins,                                                                       \
        .finish = finish,                                                                      \
        .interval = interval,                                                                  \
        .block_begins = block_begins,                                                          \
        .interval_ended = watches,                                                             \
        .never = INTRA_CHECK_STABLE,                                                           \
        .project = projects,                                                                   \
    }
KIND(pkp, begin, watch, project);
KIND(pkp_artifact, begin, watch_artifact, project);
KIND(pkp_photon, begin_photon, watch_photon, project_photon);
