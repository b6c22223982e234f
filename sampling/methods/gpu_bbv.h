/* GPU basic-block vectors: what the warps of a launch execute, as numbers.
 * "Photon: A Fine-grained Sampled Simulation Methodology for GPU Workloads"
 * (Liu et al., 2023), figure 5; where the paper leaves it open, as in its
 * published simulator. Private to sampling.
 *
 * Each type of warps has a vector of 16 numbers: a basic block at PC p that is
 * executed c times adds c r(p, d) to number d, r being random numbers that
 * follow from p alone. Types with equal vectors are one. Vectors are divided by
 * their length, multiplied by the type's share of the warps, and put one
 * behind the other by falling share. */
#ifndef HEARTH_SAMPLING_METHODS_GPU_BBV_H
#define HEARTH_SAMPLING_METHODS_GPU_BBV_H

#include "sampling/math/matrix.h"

#define BBV_NUMBERS 16

/* Of one launch. */
struct gpu_bbv {
    double *values; /* BBV_NUMBERS a type of warps */
    size_t types;
    double warps; /* of the launch */
};

/* Types of warps as they are collected. */
struct bbv_types {
    struct matrix vectors; /* a row a type; `rows` is how many there is room for */
    double *warps;         /* of each type */
    size_t count;
};

/* Adds a basic block of a warp to VECTOR. */
void bbv_add_block(double vector[static BBV_NUMBERS], uint64_t pc, double count);

void bbv_types_init(struct bbv_types *types);
void bbv_types_finish(struct bbv_types *types);
/* A new type of WARPS warps, with a vector of zeroes. Returns NULL when memory
 * runs out. */
double *bbv_types_add(struct bbv_types *types, double warps);

/* The vector of a launch with these types, at least one. Returns 0, or -1 when
 * memory runs out. */
int gpu_bbv_init(struct gpu_bbv *bbv, const struct bbv_types *types);
void gpu_bbv_finish(struct gpu_bbv *bbv);
/* Euclidean distance, the shorter vector being filled up with zeroes; or some
 * number that is at least LIMIT, where it is not less. */
double gpu_bbv_distance(const struct gpu_bbv *a, const struct gpu_bbv *b, double limit);

#endif
