/* Equations 4.1 to 4.6 of T. Gajger and P. Czarnul, "Modelling and Simulation of GPU Processing
 * in the MERPSYS Environment" (2018), after V. Volkov, "Understanding Latency Hiding on GPUs"
 * (2016). Cycles are those of the SMs. */
#ifndef HEARTH_ESTIMATE_EQUATIONS_H
#define HEARTH_ESTIMATE_EQUATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "estimate/device.h"

/* 4.2: warps launched, W_L = grid size x ceil(block size / warp size). */
double equation_warps(double blocks, double block_threads);

/* 4.5: bytes that memory moves for an SM in a cycle, GMem_bw = memory clock x bus width / 8 x
 * data rate / (SMs x SM clock). */
double equation_memory_bandwidth(const struct estimate_device *device);

/* What one warp asks of its SM. */
struct equation_warp {
    double cuda;   /* INS_CUDA: instructions of CUDA cores */
    double issued; /* INS_issued: issue slots */
    double bytes;  /* GMem_bytes: moved from and to memory */
};

/* The terms of 4.4: the cycles that a warp takes of its SM. */
enum equation_term { TERM_CUDA, TERM_ISSUE, TERM_MEMORY, TERM_COUNT };
void equation_terms(const struct estimate_device *device, const struct equation_warp *warp,
                    double terms[static TERM_COUNT]);
/* 4.4: Th_bound = 1 / max of the terms, in warps a cycle. *LIMIT (may be NULL): the largest. */
double equation_throughput_bound(const double terms[static TERM_COUNT],
                                 enum equation_term *limit);

/* 4.3: W_Th = min(occupancy / Lat_bound, Th_bound), in warps a cycle; OCCUPANCY in warps of an
 * SM. *BY_LATENCY (may be NULL): the first is smaller. */
double equation_warp_rate(double occupancy, double latency_bound, double throughput_bound,
                          bool *by_latency);

/* 4.1: T_k = W_L / (W_Th x SMs x SM clock x lambda_k), in seconds. */
double equation_kernel_seconds(const struct estimate_device *device, double warps, double rate,
                               double lambda);

/* 4.6: T_c = startup + bytes / (bandwidth x lambda_c), in seconds; IN: from host to device. */
double equation_copy_seconds(const struct estimate_device *device, bool in, double bytes);

#endif
