/* The warp level of "Photon: A Fine-grained Sampled Simulation Methodology for GPU Workloads".
 *
 * Once the GPU is full, the times at which warps begin and retire are points of a line. In a
 * window of the last N retired warps its slope comes from least squares. If it is 1 up to
 * delta, and the mean time of a warp is that of the last 2 N up to delta, later blocks are not
 * simulated: they take their place for the mean time of the window. The block scheduler goes on
 * as before, so cycles need no projection; counters are projected by instructions.
 *
 * It applies if one type of warp makes up most of them, by one percent of the blocks. The paper
 * compares basic-block vectors; here two warps are of a type if they execute the same
 * instructions equally often. The paper analyses the whole launch before it begins; here only
 * blocks up to the decision are looked at. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "sampling/intra/watch.h"

#define PART  100 /* of so many blocks one is analysed */
#define TYPES 64  /* that are told apart; other warps are of none of them */

struct point {
    double begin, end;
};

struct photon_warp {
    struct point *points; /* of the last 2 N warps, a ring; owned */
    size_t size;          /* N */
    uint64_t count;       /* of points so far */
    struct {
        uint64_t hash, warps;
    } types[TYPES];
    uint64_t analysed;  /* warps */
    double slope;       /* of the last window */
    uint64_t full_from; /* cycle from which the GPU is full; UINT64_MAX: not yet */
};

static enum intra_check begin(struct intra *intra)
{
    if (intra->blocks <= intra->wave)
        return INTRA_CHECK_WAVES;
    struct photon_warp *photon = intra->own = calloc(1, sizeof *photon);
    if (photon == NULL) {
        intra->no_memory = true;
        return INTRA_DONE;
    }
    photon->full_from = UINT64_MAX;
    photon->size = (size_t)intra_value(intra, INTRA_WARPS);
    photon->points = calloc(2 * photon->size, sizeof *photon->points);
    intra->no_memory = photon->points == NULL;
    return INTRA_DONE;
}

static void finish(struct intra *intra)
{
    struct photon_warp *photon = intra->own;
    free(photon->points);
}

/* ---- types of warps ---- */

/* The same for warps that execute the same instructions equally often. */
static uint64_t hash_warp(const struct trace_warp *warp)
{
    uint64_t hash = warp->total;
    for (const struct trace_record *record = warp->at; record != warp->end; record++) {
        uint64_t mixed = (record->inst + 1) * UINT64_C(0x9e3779b97f4a7c15);
        hash += mixed ^ mixed >> 29;
    }
    return hash;
}

static void analyse(struct photon_warp *photon, const struct trace_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        uint64_t hash = hash_warp(&block->warps[w]);
        size_t i = 0;
        while (i < TYPES && photon->types[i].warps != 0 && photon->types[i].hash != hash)
            i++;
        photon->analysed++;
        if (i == TYPES)
            continue;
        photon->types[i].hash = hash;
        photon->types[i].warps++;
    }
}

static bool has_type(const struct intra *intra, const struct photon_warp *photon)
{
    uint64_t most = 0;
    for (size_t i = 0; i < TYPES; i++)
        if (photon->types[i].warps > most)
            most = photon->types[i].warps;
    return (double)most >= intra_value(intra, INTRA_SHARE) * (double)photon->analysed;
}

/* ---- the slope ---- */

/* Number AGE of the points, 0 for the latest. */
static const struct point *point(const struct photon_warp *photon, uint64_t age)
{
    return &photon->points[(photon->count - 1 - age) % (2 * photon->size)];
}

static double mean_time(const struct photon_warp *photon, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += point(photon, i)->end - point(photon, i)->begin;
    return sum / (double)count;
}

/* Of the last N points; 0 if all began together. */
static double slope(const struct photon_warp *photon)
{
    double x = 0, y = 0, xx = 0, xy = 0, n = (double)photon->size;
    const struct point *origin = point(photon, 0);
    for (size_t i = 0; i < photon->size; i++) {
        double dx = point(photon, i)->begin - origin->begin;
        double dy = point(photon, i)->end - origin->end;
        x += dx;
        y += dy;
        xx += dx * dx;
        xy += dx * dy;
    }
    double spread = n * xx - x * x;
    return spread > 0 ? (n * xy - x * y) / spread : 0;
}

static void warp_ended(struct intra *intra, const struct sim_block *block)
{
    struct photon_warp *photon = intra->own;
    double delta = intra_value(intra, INTRA_DELTA);
    if (intra->timed != 0 || block->begin < photon->full_from)
        return;
    photon->points[photon->count++ % (2 * photon->size)] =
        (struct point){(double)block->begin, (double)block->end};
    if (photon->count < 2 * photon->size)
        return;
    double now = mean_time(photon, photon->size), all = mean_time(photon, 2 * photon->size);
    photon->slope = slope(photon);
    if (fabs(photon->slope - 1) > delta || fabs(now - all) > delta * all)
        return;
    intra->failed = has_type(intra, photon) ? INTRA_DONE : INTRA_CHECK_TYPES;
    if (intra->failed == INTRA_DONE)
        intra->timed = now < 1 ? 1 : (uint64_t)(now + 0.5);
}

static enum sim_block_choice block_begins(struct intra *intra, const struct intra_block *block)
{
    struct photon_warp *photon = intra->own;
    if (block->block->order + 1 == intra->wave)
        photon->full_from = block->block->begin;
    if (intra->timed != 0)
        return SIM_BLOCK_TIMED;
    if (block->block->order % PART == 0)
        analyse(photon, block->block->trace);
    return SIM_BLOCK_RUN;
}

/* Blocks that only took their place count for what comes from places. */
static void project(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection)
{
    const struct photon_warp *photon = intra->own;
    const struct sim_counters *counters = &result->counters;
    double simulated = (double)intra->simulated_insts;
    projection->cycles = (double)(result->end_cycle - result->start_cycle);
    projection->stability = fabs(photon->slope - 1);
    intra_add(projection, counters, simulated > 0 ? (double)intra->seen_insts / simulated : 1);
    projection->counters[offsetof(struct sim_counters, sm_active_cycles) / sizeof(uint64_t)] =
        (double)counters->sm_active_cycles;
    projection->counters[offsetof(struct sim_counters, warp_cycles) / sizeof(uint64_t)] =
        (double)counters->warp_cycles;
}

const struct intra_kind intra_kind_photon_warp = {
    .begin = begin,
    .finish = finish,
    .block_begins = block_begins,
    .warp_ended = warp_ended,
    .project = project,
    .never = INTRA_CHECK_STABLE,
};
