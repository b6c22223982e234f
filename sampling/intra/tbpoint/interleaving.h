/* The model of warps that take turns in "TBPoint: Reducing Simulation Time for Large-Scale
 * GPGPU Kernels" (section IV-A). A warp that can run stalls with probability p in each cycle,
 * and a stalled one can run again with probability 1/M; M is another normal number for each
 * warp. The IPC is the share of cycles in which any of the N warps can run: the steady state of
 * a Markov chain over all 2^N states. Warps do not influence each other, so it is a product
 * over warps, and no matrix is made. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_TBPOINT_INTERLEAVING_H
#define HEARTH_SAMPLING_INTRA_TBPOINT_INTERLEAVING_H

#include <stddef.h>
#include <stdint.h>

/* The IPC, 0 to 1, of COUNT warps with the mean stall cycles STALLS (above 0) and the stall
 * probability P, 0 to 1. */
double interleaving_ipc(double p, const double *stalls, size_t count);

/* What COUNT warps may do. */
struct interleaving {
    double p;     /* stall probability */
    double mean;  /* of M: stall cycles */
    size_t warps; /* 1 to 64 */
};

/* The M with which equal warps have the IPC, above 0 and below 1; 0 if that is none. */
double interleaving_stall(double p, double ipc, size_t warps);

/* Draws M of each warp 10,000 times, with a standard deviation of 0.1 M / 1.96, and returns by
 * how much the IPC differs from its mean at most in a share CONFIDENCE of the draws, relative.
 * The paper's lemma: below 0.1 for 0.95. The same for the same arguments. */
double interleaving_spread(const struct interleaving *model, double confidence);

#endif
