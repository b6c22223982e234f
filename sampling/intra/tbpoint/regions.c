#include "sampling/intra/tbpoint/regions.h"

#include <math.h>
#include <stdlib.h>

#include "sampling/math/linkage.h"

/* Standard deviation over mean; 0 without a mean. */
static double cov(double sum, double squares, double count)
{
    double mean = sum / count, variance = squares / count - mean * mean;
    return mean > 0 && variance > 0 ? sqrt(variance) / mean : 0;
}

/* The stall probability of an epoch (equation 5); *VARIATION gets its variation factor. */
static double describe(const struct region_block *blocks, uint64_t count, double *variation)
{
    double p = 0, requests = 0, request_squares = 0, insts = 0, inst_squares = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct region_block *block = &blocks[i];
        p += block->insts > 0 ? block->requests / block->insts : 0;
        requests += block->requests;
        request_squares += block->requests * block->requests;
        insts += block->insts;
        inst_squares += block->insts * block->insts;
    }
    double size = (double)count;
    *variation = fmax(cov(requests, request_squares, size), cov(insts, inst_squares, size));
    return p / size;
}

/* Fills REGIONS from the stall probabilities; epochs that vary too much have REGION_NONE. */
static bool cluster(struct regions *regions, double distance)
{
    struct matrix rows;
    struct linkage linkage;
    double sum = 0;
    if (matrix_init(&rows, regions->epochs, 1) != 0)
        return false;
    for (size_t i = 0; i < regions->epochs; i++)
        sum += regions->p[i];
    for (size_t i = 0; i < regions->epochs; i++)
        matrix_row(&rows, i)[0] = sum > 0 ? regions->p[i] / sum * (double)regions->epochs : 0;
    bool good = linkage_init(&linkage, &rows, distance, 0) == 0;
    for (size_t i = 0; good && i < regions->epochs; i++)
        if (regions->of[i] != REGION_NONE)
            regions->of[i] = linkage.labels[i];
    if (good)
        linkage_finish(&linkage);
    matrix_finish(&rows);
    return good;
}

bool regions_init(struct regions *regions, const struct region_block *blocks, uint64_t count,
                  const struct region_rules *rules)
{
    *regions = (struct regions){.epoch = rules->epoch,
                                .epochs = (count + rules->epoch - 1) / rules->epoch};
    regions->of = calloc(regions->epochs, sizeof *regions->of);
    regions->p = calloc(regions->epochs, sizeof *regions->p);
    if (regions->of == NULL || regions->p == NULL)
        return false;
    for (size_t i = 0; i < regions->epochs; i++) {
        uint64_t first = i * rules->epoch, left = count - first;
        double variation;
        regions->p[i] =
            describe(&blocks[first], left < rules->epoch ? left : rules->epoch, &variation);
        regions->of[i] = variation > rules->variation ? REGION_NONE : 0;
    }
    return cluster(regions, rules->distance);
}

void regions_finish(struct regions *regions)
{
    free(regions->of);
    free(regions->p);
    *regions = (struct regions){0};
}

uint32_t regions_of(const struct regions *regions, uint64_t block)
{
    return regions->of[block / regions->epoch];
}
