/* GPU basic-block vectors: what the warps of a launch execute, as numbers. "Photon: A
 * Fine-grained Sampled Simulation Methodology for GPU Workloads" (Liu et al., 2023), figure 5;
 * details that the paper leaves open follow its published simulator. Private to sampling.
 *
 * Each type of warp has a vector of 16 numbers: a basic block b that is executed c times adds
 * c r(b, d) to number d, where r are random numbers that depend only on b. Types with
 * equal vectors are merged. Each vector is divided by its length and multiplied by the type's
 * share of the warps. The vectors are then concatenated by falling share. */
#ifndef HEARTH_SAMPLING_METHODS_GPU_BBV_H
#define HEARTH_SAMPLING_METHODS_GPU_BBV_H

#include "sampling/math/matrix.h"

#define BBV_NUMBERS 16

/* The vector of a launch. */
struct gpu_bbv {
    double *values; /* BBV_NUMBERS for each type of warp */
    size_t types;
    double warps; /* of the launch */
};

/* Types of warps while they are collected. */
struct bbv_types {
    struct matrix vectors; /* one row per type; `rows` is the capacity */
    double *warps;         /* of each type */
    size_t count;
};

/* A basic block. */
struct bbv_block {
    uint64_t kernel; /* number of its kernel in the profile */
    uint64_t pc;     /* relative to the start of the kernel */
    uint64_t insts;
};

/* Adds COUNT executions of BLOCK to VECTOR; blocks that differ in anything have other random
 * numbers, 0 to 65535. */
void bbv_add_block(double vector[static BBV_NUMBERS], const struct bbv_block *block,
                   double count);
/* The same by the low 16 bits of the PC alone, with the random numbers of the published
 * simulator. */
void bbv_add_pc(double vector[static BBV_NUMBERS], const struct bbv_block *block, double count);

void bbv_types_init(struct bbv_types *types);
void bbv_types_finish(struct bbv_types *types);
/* Adds a type of WARPS warps, with a vector of zeros. Returns NULL when memory runs out. */
double *bbv_types_add(struct bbv_types *types, double warps);

/* The vector of a launch with these types (at least one). Returns 0, or -1 when memory runs
 * out. */
int gpu_bbv_init(struct gpu_bbv *bbv, const struct bbv_types *types);
void gpu_bbv_finish(struct gpu_bbv *bbv);
/* Euclidean distance; the shorter vector is filled up with zeros. If the distance is not below
 * LIMIT, any number not below LIMIT may be returned. */
double gpu_bbv_distance(const struct gpu_bbv *a, const struct gpu_bbv *b, double limit);

#endif
