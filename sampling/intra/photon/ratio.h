/* By how much blocks take longer than is predicted of them. A block's time is that of its
 * longest warp, and the longest of several times that scatter is longer, in the mean, than the
 * longest of their means. So what was predicted of the last blocks that were simulated is
 * compared with what they took: a ratio estimator. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_PHOTON_RATIO_H
#define HEARTH_SAMPLING_INTRA_PHOTON_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct photon_ratio {
    double *begun; /* of each block of the launch: cycles that were predicted when it began; 0:
                    * none were. Owned */
    struct photon_ratio_pair {
        double predicted, took;
    } * last;               /* of the last blocks that ended, a ring; owned */
    size_t size;            /* of the ring */
    uint64_t count;         /* of blocks so far */
    double predicted, took; /* sums over the ring */
};

/* For a launch of BLOCKS blocks, of which the last SIZE count. Returns false when memory is
 * short. */
bool photon_ratio_init(struct photon_ratio *ratio, uint64_t blocks, size_t size);
void photon_ratio_finish(struct photon_ratio *ratio);
void photon_ratio_begin(struct photon_ratio *ratio, uint64_t order, double predicted);
/* A block ended. One of which nothing was predicted does not count. */
void photon_ratio_end(struct photon_ratio *ratio, uint64_t order, double took);
/* What the last blocks took over what was predicted of them; 1: none ended yet. */
double photon_ratio_of(const struct photon_ratio *ratio);

#endif
