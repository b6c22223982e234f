/* What warps of Hopper's kernels hand to other units: barriers in shared memory, copies of
 * tensors, products of warp groups. Numbers of registers are recorded as the tracer records
 * them (docs/file-formats.md). */
#ifndef HEARTH_TRACES_SYNTH_HOPPER_WARP_GROUP_H
#define HEARTH_TRACES_SYNTH_HOPPER_WARP_GROUP_H

#include "traces/synth/warp.h"
#include "traces/traces.h"

#define GROUP_WARPS   4   /* of a warp group */
#define GROUP_THREADS 128 /* its threads */
#define GROUP_ROWS    64  /* of a product */
#define GROUP_DEPTH   16  /* of one in half precision */
#define SWIZZLED      64  /* half-precision numbers in a row of a box, 128 bytes */
#define ONE_LANE      1u
#define RANK_AT       24 /* bit of an address in shared memory: above it, the block's rank */

/* Where the parameters of launches are, tensor maps among them. */
#define PARAMETERS UINT64_C(0x7f1fae280000)

/* A tensor of half precision of RANK dimensions without gaps, whose boxes have rows of SWIZZLED
 * numbers, and their other sides as in BOX from 1 on. */
struct trace_tensor_map wg_tensor(uint64_t address, uint32_t rank, const uint64_t *dims,
                                  const uint32_t *box);

/* Addresses are those of the block; its rank in the cluster is added. */

/* A barrier at ADDRESS, by one lane, whose phases take so many ARRIVALS. */
void wg_make_barrier(struct warp *warp, uint32_t address, uint32_t arrivals);
/* All active lanes wait until the phase of PARITY is over; R[REG] holds the parity. TURNS: the
 * trace has the loop once more, as it was not over at once. */
void wg_wait(struct warp *warp, uint32_t address, uint32_t parity, int reg, bool turns);
/* One lane arrives, or none unless it is ACTIVE. */
void wg_arrive(struct warp *warp, uint32_t address, bool active);
/* The same, a lane for each of BLOCKS blocks of the cluster, at the barrier of each. */
void wg_arrive_all(struct warp *warp, uint32_t address, uint32_t blocks, bool active);
/* One lane arrives and announces BYTES, which R[REG] holds. */
void wg_expect(struct warp *warp, uint32_t address, uint32_t bytes, int reg);
/* A copy for more than one block of the cluster goes to the same place in each, and is counted
 * by the barriers of each. */
struct wg_copy {
    uint32_t map; /* its offset in the parameters */
    uint32_t place, barrier;
    uint32_t dimensions, coordinates[4];
    uint32_t blocks; /* that get it; 0 or 1: this one */
};

/* To shared memory, and back. */
void wg_load(struct warp *warp, const struct wg_copy *copy);
void wg_store(struct warp *warp, const struct wg_copy *copy);
/* Waits until stores have read shared memory. */
void wg_wait_stores(struct warp *warp);

/* R[D...] = A B + R[C...] of 64 x N x 16; C: D, or RZ. A: the first of its registers, or NONE,
 * in shared memory. CLOSES: it is the last of a batch. */
void wg_product(struct warp *warp, uint32_t n, int d, int a, int c, bool closes);
/* Registers may be read by products that follow. */
void wg_arrive_products(struct warp *warp);
/* Waits until at most OPEN batches are under way. */
void wg_wait_products(struct warp *warp, uint32_t open);

/* Each thread has COUNT registers from here on: fewer, or MORE. */
void wg_registers(struct warp *warp, uint32_t count, bool more);
/* Waits at barrier NUMBER, of THREADS. */
void wg_barrier(struct warp *warp, uint32_t number, uint32_t threads);
/* The same, or only arrives there, where NUMBER is in R[A] and THREADS in R[B]. */
void wg_barrier_of(struct warp *warp, uint32_t number, uint32_t threads, int a, int b,
                   bool waits);
/* All warps of the cluster meet. */
void wg_meet_cluster(struct warp *warp);
/* Stores to shared memory are seen by copies. */
void wg_fence(struct warp *warp);
/* The beginning of all such kernels: stack pointer, thread and block; barriers are made by the
 * first warp between wg_begin_barriers() and the end, behind which all warps have met. */
void wg_prologue(struct warp *warp);
struct branch wg_begin_barriers(struct warp *warp);
void wg_end_barriers(struct warp *warp, struct branch branch);

#endif
