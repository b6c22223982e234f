/* Work from profiles. */
#include <math.h>
#include <string.h>

#include "estimate/work.h"

/* A profile does not say what depends on what. Assumptions, from the generators' traces. */
#define DEPENDENT_SHARE 0.5
#define LOADS_A_WAIT    4.0

void estimate_work_no_hits(struct estimate_work *work)
{
    double sectors = work->loads + work->stores;
    work->traffic =
        (struct estimate_traffic){.l1 = work->loads, .l2 = sectors, .memory = sectors};
}

void estimate_work_scale(struct estimate_work *work, double factor)
{
    work->insts *= factor;
    work->thread_insts *= factor;
    for (int unit = 0; unit < TRACE_UNIT_COUNT; unit++)
        work->units[unit] *= factor;
    work->shared_passes *= factor;
    work->loads *= factor;
    work->stores *= factor;
    work->traffic.l1 *= factor;
    work->traffic.l2 *= factor;
    work->traffic.memory *= factor;
}

static bool take_shape(struct estimate_work *work, const struct profile_row *row)
{
    memset(work, 0, sizeof *work);
    work->blocks = profile_blocks(row);
    work->block_threads = profile_block_threads(row);
    work->regs = row->regs;
    work->shmem = row->shmem;
    work->stream = row->stream;
    return work->blocks > 0 && work->block_threads > 0; /* false for NaN, too */
}

/* Warp instructions; NaN: unknown. */
static double insts_of(const struct profile_row *row)
{
    if (profile_knows(row, PROFILE_WARP_INSTS))
        return (double)row->warp_insts;
    return profile_knows(row, PROFILE_THREAD_INSTS) ? (double)row->thread_insts / 32 : NAN;
}

bool estimate_work_of_profile(struct estimate_work *work, const struct profile_row *row,
                              const struct estimate_device *device)
{
    if (!take_shape(work, row) || isnan(work->insts = insts_of(row)))
        return false;
    double global = (double)row->gld_insts + (double)row->gst_insts + (double)row->gatom_insts;
    double memory =
        global + (double)row->lld_insts + (double)row->sld_insts + (double)row->sst_insts;
    double warps = work->blocks * ceil(work->block_threads / 32);
    double others = fmax(work->insts - memory, 0);
    work->thread_insts =
        profile_knows(row, PROFILE_THREAD_INSTS) ? (double)row->thread_insts : 32 * work->insts;
    work->units[TRACE_UNIT_MEMORY] = fmin(memory, work->insts);
    work->units[TRACE_UNIT_FP32] = others;
    work->shared_passes = (double)row->sld_insts + (double)row->sst_insts;
    work->loads = (double)row->gld_sectors + (double)row->lld_sectors;
    work->stores = (double)row->gst_sectors;
    double known = work->loads + work->stores;
    if ((double)row->mem_requests > known) /* atomics and local stores */
        work->stores += (double)row->mem_requests - known;
    double waits = ceil((double)row->gld_insts / warps / LOADS_A_WAIT);
    double step =
        DEPENDENT_SHARE * device->latency_alu + (1 - DEPENDENT_SHARE) * device->latency_ilp;
    work->latency = others / warps * step + waits * device->latency_global +
                    memory / warps * device->latency_ilp;
    estimate_work_no_hits(work);
    return true;
}

bool estimate_work_like(struct estimate_work *work, const struct profile_row *row,
                        const struct estimate_work *like)
{
    if (!take_shape(work, row))
        return false;
    struct estimate_work shape = *work;
    double warps = work->blocks * ceil(work->block_threads / 32);
    double like_warps = like->blocks * ceil(like->block_threads / 32);
    double insts = insts_of(row);
    double longer = isnan(insts) || like->insts <= 0
                        ? 1 /* a warp does the same */
                        : insts / warps / (like->insts / like_warps);
    double scale = warps / like_warps * longer;
    *work = *like;
    work->blocks = shape.blocks;
    work->block_threads = shape.block_threads;
    work->stream = shape.stream;
    if (shape.regs != 0) /* else the profile does not say */
        work->regs = shape.regs;
    if (shape.shmem != 0)
        work->shmem = shape.shmem;
    estimate_work_scale(work, scale);
    work->latency *= longer;
    return true;
}
