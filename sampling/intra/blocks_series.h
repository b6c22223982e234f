/* The waves of a launch as a series of which some are sampled. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_BLOCKS_SERIES_H
#define HEARTH_SAMPLING_INTRA_BLOCKS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blocks_wave {
    uint64_t insts; /* of its blocks */
    uint64_t ended; /* of them */
    double time;    /* cycles from the begin to the end of each ended block, summed */
    bool skipped;
};

struct blocks_series {
    struct blocks_wave *waves;
    size_t count;
    uint64_t wave; /* blocks of each, but for the last one */
};

/* What the sampled waves tell. */
struct blocks_spread {
    size_t pairs;   /* of successive sampled waves */
    double mean;    /* time of a wave */
    double v;       /* variance of a wave's time over its mean squared: the greatest of half the
                     * mean squared differences between successive sampled waves, between those
                     * with a gap in between, and between waves before the first gap that are as
                     * far apart as their root */
    double weight;  /* of skipped waves: variance of their sum over that of one wave */
    bool by_insts;  /* a wave's time varies less relative to its instructions */
    double changed; /* waves from the first gap on */
    double before, after; /* sampled waves before the first gap; from there on */
    double
        contrast; /* mean of the latter over that of the former, less 1; 0 if there are none */
};

/* Of the waves FIRST to LAST - 1 that were simulated, and of which at least ENDED blocks ended.
 */
struct blocks_spread blocks_series_spread(const struct blocks_series *series, size_t first,
                                          size_t last, uint64_t ended);
/* Whether the waves FIRST to LAST - 1, all simulated, still drift: the means of their halves
 * differ by more than three standard errors, and by more than LEAST, relative. */
bool blocks_series_drifts(const struct blocks_series *series, size_t first, size_t last,
                          uint64_t ended, double least);
/* The time of all skipped waves, each the mean of its neighbours; LAST - 1 must be sampled. */
double blocks_series_skipped(const struct blocks_series *series, size_t first, size_t last);

#endif
