/* What a launch asks of a device: counted in its trace, or read from a profile. */
#ifndef HEARTH_ESTIMATE_WORK_H
#define HEARTH_ESTIMATE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "estimate/device.h"
#include "traces/traces.h"

/* Sectors of 32 bytes that a launch moves. Without a functional pass nothing hits: all of them
 * come from memory, as in the paper. */
struct estimate_traffic {
    double l1;               /* that loads look up in L1 */
    double l2;               /* between SMs and L2: misses of L1, stores, atomics */
    double memory;           /* between L2 and memory */
    double l1_hits, l2_hits; /* ratios of loads, 0 to 1, for their latency */
};

struct estimate_work {
    double blocks, block_threads;
    uint32_t regs, shmem;
    uint64_t stream;
    double insts, thread_insts;     /* warp and thread instructions */
    double units[TRACE_UNIT_COUNT]; /* warp instructions */
    double shared_passes;           /* cycles that accesses take of shared memory */
    double loads, stores;           /* sectors of global and local memory; atomics are both */
    double latency;                 /* mean of the warps' critical paths, in cycles, without
                                       latency_block */
    struct estimate_traffic traffic;
};

/* The traffic of WORK when nothing hits. */
void estimate_work_no_hits(struct estimate_work *work);

/* FACTOR times as many warps with the same work each: all counts of WORK, but not its blocks.
 */
void estimate_work_scale(struct estimate_work *work, double factor);

/* Counts KERNEL, which is read to its end, and finds the critical path of each warp: an
 * instruction issues after the one before it and after what it reads; a branch after the last
 * instruction that set a predicate. HITS: the traffic with the ratios of hits; NULL: none.
 * Returns 0, or -1 with ERR. */
int estimate_work_read(struct estimate_work *work, struct trace_kernel *kernel,
                       const struct estimate_device *device,
                       const struct estimate_traffic *hits, struct error *err);

/* The same from a profile alone: every instruction that is not known to be something else is
 * taken for one of CUDA cores, half of the instructions of a warp for dependent ones, and one
 * of each four loads for one that is waited for. False: grid, block or instructions are not
 * known. */
bool estimate_work_of_profile(struct estimate_work *work, const struct profile_row *row,
                              const struct estimate_device *device);
/* The same where LIKE, another launch of the kernel, was counted: its instructions of a thread,
 * units and latency, for the threads of ROW. False: grid or block are not known. */
bool estimate_work_like(struct estimate_work *work, const struct profile_row *row,
                        const struct estimate_work *like);

#endif
