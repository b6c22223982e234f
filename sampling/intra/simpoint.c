/* ideal-simpoint: a baseline ("TBPoint: Reducing Simulation Time for Large-Scale GPGPU
 * Kernels", section V): SimPoint over a launch. The launch is simulated in full and cut into
 * units of as many warp instructions of the whole GPU. The basic blocks that ended in a unit,
 * weighted by their instructions, are its vector; random projection to 15 dimensions, k-means
 * and the first k whose BIC reaches 0.9 of its range, as in "Automatically Characterizing Large
 * Scale Program Behavior" (Sherwood et al., 2002). Of each cluster, the unit nearest to its
 * centre stands for the others, by instructions. At most the square root of the units are
 * clusters: as k comes near their number, BIC rewards clusters of one.
 *
 * It is ideal because the vectors come from the very run that it is to replace, with perfectly
 * warm caches: it shows what choosing by basic blocks can reach, and saves nothing. Only the
 * chosen units count as simulated instructions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/intra/watch.h"
#include "sampling/math/score.h"

#define DIMENSIONS  15
#define MOST_POINTS 30 /* clusters */
#define LEAST_UNITS 2
#define INTERVAL    200 /* cycles: units end with one of these */

struct simpoint_unit {
    double vector[DIMENSIONS]; /* summed, then over the instructions of its basic blocks */
    double basics;             /* instructions of its basic blocks */
    double cycles;
    struct sim_counters counters;
};

struct simpoint {
    struct simpoint_unit *units; /* complete ones, then the one that runs; owned */
    size_t count, size;          /* complete units; room */
};

static enum intra_check begin(struct intra *intra)
{
    struct simpoint *simpoint = intra->own = calloc(1, sizeof *simpoint);
    if (simpoint != NULL)
        simpoint->units = calloc(simpoint->size = 64, sizeof *simpoint->units);
    intra->no_memory = simpoint == NULL || simpoint->units == NULL;
    return INTRA_DONE;
}

static void finish(struct intra *intra)
{
    struct simpoint *simpoint = intra->own;
    free(simpoint->units);
}

static uint64_t interval(const struct intra *intra)
{
    (void)intra;
    return INTERVAL;
}

/* ---- while it runs ---- */

/* A number from -1 to 1 that only depends on KEY. */
static double direction(uint64_t key)
{
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 33;
    key *= UINT64_C(0xc4ceb9fe1a85ec53);
    key ^= key >> 33;
    return (double)(key >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static void basic_block_ended(struct intra *intra, const struct sim_basic_block *basic)
{
    struct simpoint *simpoint = intra->own;
    struct simpoint_unit *unit = &simpoint->units[simpoint->count];
    uint64_t key = ((uint64_t)basic->insts << 32 | basic->pc) * DIMENSIONS;
    for (size_t i = 0; i < DIMENSIONS; i++)
        unit->vector[i] += basic->insts * direction(key + i);
    unit->basics += basic->insts;
}

/* Ends the unit that runs. */
static void end_unit(struct intra *intra, struct simpoint *simpoint)
{
    if (++simpoint->count == simpoint->size) {
        struct simpoint_unit *units =
            realloc(simpoint->units, 2 * simpoint->size * sizeof *units);
        if (units == NULL) {
            intra->no_memory = true;
            simpoint->count--;
            return;
        }
        simpoint->units = units;
        simpoint->size *= 2;
    }
    memset(&simpoint->units[simpoint->count], 0, sizeof *simpoint->units);
}

static void interval_ended(struct intra *intra, const struct sim_interval *interval)
{
    struct simpoint *simpoint = intra->own;
    struct simpoint_unit *unit = &simpoint->units[simpoint->count];
    uint64_t latency = intra->places.first;
    uint64_t begin = interval->begin > latency ? interval->begin : latency;
    sim_counters_add(&unit->counters, &interval->counters);
    if (interval->end > begin)
        unit->cycles += (double)(interval->end - begin);
    if ((double)unit->counters.warp_insts < intra_value(intra, INTRA_UNIT))
        return;
    end_unit(intra, simpoint);
    intra->projects = simpoint->count >= LEAST_UNITS;
}

/* ---- the choice ---- */

/* The vectors of all units, those of the last one if it has any instructions. */
static bool vectors(struct simpoint *simpoint, struct matrix *rows)
{
    simpoint->count += simpoint->units[simpoint->count].counters.warp_insts > 0;
    if (matrix_init(rows, simpoint->count, DIMENSIONS) != 0)
        return false;
    for (size_t u = 0; u < simpoint->count; u++) {
        const struct simpoint_unit *unit = &simpoint->units[u];
        for (size_t i = 0; i < DIMENSIONS && unit->basics > 0; i++)
            matrix_row(rows, u)[i] = unit->vector[i] / unit->basics;
    }
    return true;
}

/* K-means with the k that BIC chooses. */
static bool cluster(const struct matrix *rows, struct kmeans *kmeans)
{
    double scores[MOST_POINTS];
    size_t most = (size_t)ceil(sqrt((double)rows->rows)), tried = 0;
    most = most < MOST_POINTS ? most : MOST_POINTS;
    for (; tried < most; tried++) {
        if (kmeans_init(kmeans, rows, NULL, tried + 1, NULL) != 0)
            return false;
        size_t found = kmeans->centres.rows;
        scores[tried] = score_bic(kmeans, rows, NULL);
        kmeans_finish(kmeans);
        if (found < tried + 1)
            break; /* no more distinct rows */
    }
    return kmeans_init(kmeans, rows, NULL, score_choose_bic(scores, tried) + 1, NULL) == 0;
}

/* The unit of cluster C that is nearest to its centre. */
static size_t nearest(const struct matrix *rows, const struct kmeans *kmeans, uint32_t c)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t u = 0; u < rows->rows; u++) {
        double distance =
            square_distance(matrix_row(rows, u), matrix_row(&kmeans->centres, c), DIMENSIONS);
        if (kmeans->labels[u] == c && distance < least) {
            least = distance;
            best = u;
        }
    }
    return best;
}

/* Adds cluster C by its representative; returns the instructions that this has. */
static double add_cluster(const struct simpoint *simpoint, const struct matrix *rows,
                          const struct kmeans *kmeans, uint32_t c,
                          struct intra_projection *projection)
{
    const struct simpoint_unit *chosen = &simpoint->units[nearest(rows, kmeans, c)];
    double insts = 0, own = (double)chosen->counters.warp_insts;
    for (size_t u = 0; u < rows->rows; u++)
        if (kmeans->labels[u] == c)
            insts += (double)simpoint->units[u].counters.warp_insts;
    projection->cycles += chosen->cycles * insts / own;
    intra_add(projection, &chosen->counters, insts / own);
    return own;
}

static void project(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection)
{
    struct simpoint *simpoint = intra->own;
    struct matrix rows = {0};
    struct kmeans kmeans = {0};
    (void)result;
    intra->no_memory |= !vectors(simpoint, &rows);
    if (!intra->no_memory && cluster(&rows, &kmeans)) {
        projection->cycles = (double)intra->places.first;
        for (uint32_t c = 0; c < kmeans.centres.rows; c++)
            projection->insts += add_cluster(simpoint, &rows, &kmeans, c, projection);
        kmeans_finish(&kmeans);
    } else {
        intra->no_memory = true;
    }
    matrix_finish(&rows);
}

const struct intra_kind intra_kind_simpoint = {
    .begin = begin,
    .interval = interval,
    .basic_block_ended = basic_block_ended,
    .interval_ended = interval_ended,
    .project = project,
    .never = INTRA_CHECK_UNITS,
    .finish = finish,
};
