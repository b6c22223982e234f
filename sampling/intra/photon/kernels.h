/* The kernel level of "Photon" (section 4.3) while an application runs: launches whose GPU
 * basic-block vectors, from a part of their warps, are near that of an earlier launch of the
 * same kernel have its IPC. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_PHOTON_KERNELS_H
#define HEARTH_SAMPLING_INTRA_PHOTON_KERNELS_H

#include "sampling/methods/gpu_bbv.h"
#include "sim/sim.h"

/* A launch that was simulated, in full or in part. */
struct photon_kernel {
    struct gpu_bbv bbv; /* owned; its warps are all of the launch */
    double estimate;    /* of its instructions, by the warps that were analysed */
    double insts;       /* that it has */
    double cycles;
    struct sim_counters counters;
};

struct photon_kernels {
    struct photon_kernel *items; /* owned */
    size_t count, capacity;
};

/* Of the launches whose vectors are nearer than DISTANCE to BBV's, the one with the closest
 * number of warps; then the nearest; then the first. With fewer warps than CORES the numbers
 * must be equal. NULL: there is none. */
const struct photon_kernel *photon_kernels_find(const struct photon_kernels *kernels,
                                                const struct gpu_bbv *bbv, double distance,
                                                double cores);
/* Takes KERNEL over. Returns false when memory is short. */
bool photon_kernels_add(struct photon_kernels *kernels, const struct photon_kernel *kernel);
void photon_kernels_finish(struct photon_kernels *kernels);

/* The analysed warps of a launch, by type. */
struct photon_sample {
    struct bbv_types types;
    uint64_t *hashes; /* of each type; owned */
    size_t capacity;
    uint64_t kernel;            /* which kernel it is */
    double insts, warps;        /* of them */
    double vector[BBV_NUMBERS]; /* of the warp that is analysed */
};

/* A launch of the kernel NAME. */
void photon_sample_init(struct photon_sample *sample, const char *name);
/* The warp executes the basic block of INSTS instructions at PC. */
void photon_sample_take(struct photon_sample *sample, uint64_t pc, uint64_t insts);
/* The warp has ended; HASH is that of its type. Returns false when memory is short. */
bool photon_sample_end_warp(struct photon_sample *sample, uint64_t hash);
/* The instructions of a launch of WARPS warps. */
double photon_sample_insts(const struct photon_sample *sample, double warps);
void photon_sample_finish(struct photon_sample *sample);

#endif
